//! Many puzzles, one after the other or several at once, answered in order.

use std::{
    collections::VecDeque,
    sync::{
        Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use pintu_search::{Control, Limits, Stop};
use pintu_solver::together;
use pintu_tiles::Moves;

use crate::{Answer, Request, RequestError, Verdict, desk::Desk, lock::lock, solve};

/// How many pieces of a long work are done, readable while it goes on.
#[derive(Debug, Default)]
pub struct Done {
    count: AtomicUsize,
    again: AtomicUsize,
}

impl Done {
    /// The number of pieces done.
    pub fn count(&self) -> usize {
        self.count.load(Relaxed)
    }

    /// The number of pieces that were begun again, for others held memory that they could use.
    pub fn again(&self) -> usize {
        self.again.load(Relaxed)
    }

    pub(crate) fn add_one(&self) {
        self.count.fetch_add(1, Relaxed);
    }

    pub(crate) fn add_again(&self) {
        self.again.fetch_add(1, Relaxed);
    }
}

/// A request of a batch and what came of it.
pub type Answered = (Request, Result<Answer, RequestError>);

/// Carries out requests as they come, on so many threads, and hands every answer over as soon as it is there and
/// those before it are out.
///
/// Each item has a mark that comes back with its answer. One without a request, because it could not be read,
/// comes back without an answer, in its turn. Requests that are not begun when somebody cancels are answered as
/// [cancelled](Answer::unanswered): no item is lost. The control's memory is that of all threads together: a board that is
/// refused some of it because of the others, or would make do with less, is given up at once and begun again when fewer are
/// at work, or nobody else. Without a time limit each answer is the one that the board has alone, counts included
/// (but for the memory that making tables takes, which the first one makes for all); with one, it has the time that was left.
///
/// What `output` returns as an error ends the batch: searches that are under way are cancelled.
pub fn run_batch<T: Send, E: Send>(
    items: impl Iterator<Item = (T, Option<Request>)> + Send,
    threads: usize,
    control: &Control,
    done: &Done,
    output: impl FnMut(T, Option<Answered>) -> Result<(), E> + Send,
) -> Result<(), E> {
    let threads = threads.max(1);
    let batch = Batch {
        source: Mutex::new((0, items)),
        queue: Mutex::new(Queue { out: 0, waiting: VecDeque::new(), output, failed: None }),
        moved: Condvar::new(),
        over: AtomicBool::new(false),
        desk: Desk::new(threads),
        threads,
        control,
        done,
    };
    together(threads, || batch.work());
    let queue = batch.queue.into_inner().unwrap_or_else(PoisonError::into_inner);
    queue.failed.map_or(Ok(()), Err)
}

/// Answers that a slow one may hold up, for each thread.
const AHEAD: usize = 16;
/// How often a board is tried beside others before it has all the memory: those who were there at first may have held much.
const BESIDE_OTHERS: u32 = 2;

struct Batch<'a, I, T, F, E> {
    /// The number of the next item, and the items.
    source: Mutex<(usize, I)>,
    queue: Mutex<Queue<T, F, E>>,
    /// Told when answers went out.
    moved: Condvar,
    /// Whether nobody wants more answers.
    over: AtomicBool,
    /// Who searches.
    desk: Desk,
    threads: usize,
    control: &'a Control,
    done: &'a Done,
}

/// What is waiting to go out.
struct Queue<T, F, E> {
    /// The number of the item that goes out next.
    out: usize,
    /// From that one on.
    waiting: VecDeque<Option<(T, Option<Answered>)>>,
    output: F,
    failed: Option<E>,
}

impl<I, T, F, E> Batch<'_, I, T, F, E>
where
    I: Iterator<Item = (T, Option<Request>)>,
    F: FnMut(T, Option<Answered>) -> Result<(), E>,
{
    fn work(&self) {
        // A worker that panics must not leave the others waiting for its answer.
        let alarm = Alarm(self);
        while let Some((number, mark, request)) = self.next() {
            let answered = request.map(|request| self.answer(request));
            self.put(number, mark, answered);
            self.done.add_one();
        }
        std::mem::forget(alarm);
    }

    /// The next item, once what waits to go out is not too much.
    fn next(&self) -> Option<(usize, T, Option<Request>)> {
        let mut source = lock(&self.source);
        let mut queue = lock(&self.queue);
        while source.0 >= queue.out + AHEAD * self.threads && !self.over.load(Relaxed) {
            queue = self.moved.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        drop(queue);
        if self.over.load(Relaxed) {
            return None;
        }
        let (mark, request) = source.1.next()?;
        let number = source.0;
        source.0 += 1;
        Some((number, mark, request))
    }

    fn answer(&self, mut request: Request) -> Answered {
        if self.control.cancel_switch().is_cancelled() {
            let answer = Answer::unanswered(&request, Stop::Cancelled);
            return (request, answer);
        }
        let threads = request.threads;
        if self.threads > 1 {
            // The others are busy with other puzzles.
            request.threads = 1;
        }
        let answer = self.solve(&request);
        request.threads = threads;
        (request, answer)
    }

    /// Solves beside others. If they hold what it could use, again beside fewer, and at last without any, in what time is
    /// left for it.
    fn solve(&self, request: &Request) -> Result<Answer, RequestError> {
        let mut seat = self.desk.sit();
        let (mut request, mut before) = (request.clone(), None);
        for turn in 1.. {
            let part = self.control.yielding(Limits::default());
            let found = with(before, solve(&request, &part));
            let time = request.limits.time.map(|time| time.saturating_sub(part.elapsed()));
            if !part.was_crowded() || time == Some(Duration::ZERO) {
                return found;
            }
            part.forget(&part.counters());
            self.done.add_again();
            request.limits.time = time;
            before = Some(found);
            if turn == BESIDE_OTHERS {
                break;
            }
            seat.move_over();
        }
        seat.alone(|| with(before, solve(&request, self.control)))
    }

    /// Puts an answer in its place, and sends out all that are ready.
    fn put(&self, number: usize, mark: T, answered: Option<Answered>) {
        let mut queue = lock(&self.queue);
        let place = number - queue.out;
        if queue.waiting.len() <= place {
            queue.waiting.resize_with(place + 1, || None);
        }
        queue.waiting[place] = Some((mark, answered));
        while let Some(Some((mark, answered))) = queue.waiting.front_mut().map(Option::take) {
            queue.waiting.pop_front();
            queue.out += 1;
            if queue.failed.is_none()
                && let Err(error) = (queue.output)(mark, answered)
            {
                queue.failed = Some(error);
                self.over.store(true, Relaxed);
                self.control.cancel_switch().cancel();
            }
        }
        self.moved.notify_all();
    }
}

/// Ends the batch when it is dropped.
struct Alarm<'a, 'b, I, T, F, E>(&'a Batch<'b, I, T, F, E>);

impl<I, T, F, E> Drop for Alarm<'_, '_, I, T, F, E> {
    fn drop(&mut self) {
        self.0.over.store(true, Relaxed);
        self.0.moved.notify_all();
    }
}

/// What a search of a board has found together with one that was given up before it, if there was one.
fn with(
    before: Option<Result<Answer, RequestError>>,
    again: Result<Answer, RequestError>,
) -> Result<Answer, RequestError> {
    match (before, again) {
        (Some(Ok(first)), Ok(again)) => Ok(merged(first, again)),
        (_, again) => again,
    }
}

/// What two searches of one board have found together: the first was given up, but the second may have been cancelled, or had
/// less time. How it ended is the second's word.
fn merged(first: Answer, again: Answer) -> Answer {
    let length = |answer: &Answer| answer.moves().map_or(usize::MAX, Moves::len);
    let proved = first.lower_bound().max(again.lower_bound());
    let mut best = if length(&again) <= length(&first) { again } else { first };
    if let Verdict::Solved { lower_bound, .. } | Verdict::Limit { lower_bound, .. } = &mut best.verdict {
        *lower_bound = proved.map_or(*lower_bound, |proved| proved.max(*lower_bound));
    }
    best
}

#[cfg(test)]
mod tests {
    use pintu_tiles::{Direction, NamedGoal, Puzzle, Size, Topology};

    use super::*;
    use crate::Algorithm;

    #[test]
    fn two_searches_of_a_board_have_the_best_of_both() {
        let topology = Topology::plain(Size::new(3, 3).unwrap());
        let goal = NamedGoal::Standard.on(topology.size());
        let request = Request::new(Puzzle::new(topology, goal.clone(), goal).unwrap(), Algorithm::Auto);
        let with = |verdict| Answer { verdict, ..Answer::unanswered(&request, Stop::Memory).unwrap() };
        let limit = |why, lower_bound| with(Verdict::Limit { why, lower_bound });
        let solved =
            |count, lower_bound| with(Verdict::Solved { moves: Moves(vec![Direction::Up; count]), lower_bound });
        let told = |answer: Answer| match answer.verdict {
            Verdict::Solved { moves, lower_bound } => (Some(moves.len()), lower_bound, None),
            Verdict::Limit { why, lower_bound } => (None, lower_bound, Some(why)),
            Verdict::Unsolvable(_) => unreachable!("it can be solved"),
        };
        let cancelled = limit(Stop::Cancelled, 4);
        assert_eq!(told(merged(limit(Stop::Memory, 9), cancelled.clone())), (None, 9, Some(Stop::Cancelled)));
        assert_eq!(told(merged(solved(30, 12), cancelled)), (Some(30), 12, None));
        assert_eq!(told(merged(solved(30, 20), solved(28, 12))), (Some(28), 20, None));
        assert_eq!(told(merged(solved(28, 12), solved(30, 20))), (Some(28), 20, None));
    }
}
