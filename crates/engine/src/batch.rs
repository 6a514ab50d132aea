//! Many puzzles, one after the other or several at once, answered in order.

use std::{
    collections::VecDeque,
    sync::{
        Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use pintu_search::{Control, Limits, Stop};
use pintu_solver::{
    Extent, Key,
    internals::{Charged, together},
};

use crate::{
    Answer, Request, RequestError,
    auto::{looks_at_tables, wants_tables},
    compare::prepare,
    lock::lock,
    memory::{MIN_SHARE_BYTES, share},
    solve,
};

/// How many pieces of a long work are done, readable while it goes on.
#[derive(Debug, Default)]
pub struct Done(AtomicUsize);

impl Done {
    pub fn count(&self) -> usize {
        self.0.load(Relaxed)
    }

    pub(crate) fn add_one(&self) {
        self.0.fetch_add(1, Relaxed);
    }
}

/// A request of a batch and what came of it.
pub type Answered = (Request, Result<Answer, RequestError>);

/// Carries out requests as they come, on up to `threads` threads, and hands every answer to `output` as soon as it is there
/// and those before it are out.
///
/// Each item has a mark that comes back with its answer. One without a request, because it could not be read,
/// comes back without an answer, in its turn. Requests that are not begun when the control is cancelled are answered as
/// [cancelled](Answer::unanswered): no item is lost.
///
/// On several threads, the control's memory is divided: pattern tables are made before the first board that looks at them
/// is begun, and count once; each search has an equal share of the rest. Where that would be less than
/// [`MIN_SHARE_BYTES`], fewer searches run at once. Shares depend on the boards and their order alone, so without a time
/// limit no answer depends on the order in which threads run.
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
        source: Mutex::new(Source {
            items: Some(items),
            next: 0,
            keys: Vec::new(),
            tables: Vec::new(),
            share: share(control, threads),
        }),
        queue: Mutex::new(Queue { out: 0, waiting: VecDeque::new(), running: 0, is_over: false, output, failed: None }),
        changed: Condvar::new(),
        threads,
        control,
        done,
    };
    together(threads, || batch.work());
    let queue = batch.queue.into_inner().unwrap_or_else(PoisonError::into_inner);
    queue.failed.map_or(Ok(()), Err)
}

/// Answers that a slow one may hold up, for each thread.
const MAX_WAITING: usize = 16;

/// A worker takes the source's lock to get an item, and the queue's to wait for its start and to hand over its answer, so
/// that answers go out while the source waits for more items.
struct Batch<'a, I, T, F, E> {
    source: Mutex<Source<I>>,
    queue: Mutex<Queue<T, F, E>>,
    /// Told when the queue has changed.
    changed: Condvar,
    threads: usize,
    control: &'a Control,
    done: &'a Done,
}

struct Source<I> {
    /// Absent once they have come to an end, or panicked.
    items: Option<I>,
    next: usize,
    /// The boards so far that look at tables, by the keys of their small ones.
    keys: Vec<Key>,
    /// Those tables, where there is memory for them.
    tables: Vec<Charged>,
    /// How many searches may run at once, and what each may hold.
    share: (usize, Limits),
}

/// Answers that wait for earlier ones.
struct Queue<T, F, E> {
    /// The number of the item that goes out next.
    out: usize,
    /// Answers from that item on.
    waiting: VecDeque<Option<(T, Option<Answered>)>>,
    /// Items that were begun and are not in the queue yet.
    running: usize,
    /// Whether no more answers are wanted.
    is_over: bool,
    output: F,
    failed: Option<E>,
}

struct Task<T> {
    number: usize,
    mark: T,
    request: Option<Request>,
    limits: Limits,
}

impl<I, T, F, E> Batch<'_, I, T, F, E>
where
    I: Iterator<Item = (T, Option<Request>)>,
    F: FnMut(T, Option<Answered>) -> Result<(), E>,
{
    fn work(&self) {
        // A worker that panics must not leave the others waiting for its answer.
        let alarm = Alarm(self);
        while let Some(task) = self.next() {
            let answered = task.request.map(|request| self.answer(request, task.limits));
            self.put(task.number, task.mark, answered);
            self.done.add_one();
        }
        std::mem::forget(alarm);
    }

    /// The next item, once it may be begun.
    fn next(&self) -> Option<Task<T>> {
        let mut source = lock(&self.source);
        drop(self.wait(|queue| source.next < queue.out + MAX_WAITING * self.threads)?);
        let mut items = source.items.take()?;
        let (mark, request) = items.next()?;
        source.items = Some(items);
        if let Some(request) = request.as_ref().filter(|_| self.threads > 1) {
            self.charge_tables(&mut source, request)?;
        }
        let (at_once, limits) = source.share;
        self.wait(|queue| queue.running < at_once)?.running += 1;
        source.next += 1;
        Some(Task { number: source.next - 1, mark, request, limits })
    }

    /// Waits until the queue is as told; `None` if the batch is over.
    fn wait(&self, is_ready: impl Fn(&Queue<T, F, E>) -> bool) -> Option<MutexGuard<'_, Queue<T, F, E>>> {
        let waited = self.changed.wait_while(lock(&self.queue), |queue| !queue.is_over && !is_ready(queue));
        Some(waited.unwrap_or_else(PoisonError::into_inner)).filter(|queue| !queue.is_over)
    }

    /// Before the first request that looks at the tables of a board: makes them, and divides anew what memory they leave,
    /// when no search runs that has a larger share.
    fn charge_tables(&self, source: &mut Source<I>, request: &Request) -> Option<()> {
        let key = Key::of(&request.puzzle, Extent::Small);
        if source.keys.contains(&key) || !wants_tables(request) || request.puzzle.solvable().is_err() {
            return Some(());
        }
        source.keys.push(key);
        drop(self.wait(|queue| queue.running == 0)?);
        if looks_at_tables(request, &self.control.part(request.limits)) {
            let to_spare = MIN_SHARE_BYTES.saturating_mul(self.threads as u64);
            let tables = prepare(request, self.control, to_spare).into_iter();
            source.tables.extend(tables.flat_map(|tables| tables.charge(self.control)));
            source.share = share(self.control, self.threads);
        }
        Some(())
    }

    fn answer(&self, mut request: Request, share: Limits) -> Answered {
        if self.control.cancel_switch().is_cancelled() {
            let answer = Answer::unanswered(&request, Stop::Cancelled);
            return (request, answer);
        }
        let threads = request.threads;
        if self.threads > 1 {
            // The others are busy with other puzzles.
            request.threads = 1;
        }
        let answer = solve(&request, &self.control.part(share));
        request.threads = threads;
        (request, answer)
    }

    /// Puts an answer into the queue, and sends out all that are ready.
    fn put(&self, number: usize, mark: T, answered: Option<Answered>) {
        let mut queue = lock(&self.queue);
        queue.running -= 1;
        let at = number - queue.out;
        if queue.waiting.len() <= at {
            queue.waiting.resize_with(at + 1, || None);
        }
        queue.waiting[at] = Some((mark, answered));
        while let Some(Some((mark, answered))) = queue.waiting.front_mut().map(Option::take) {
            queue.waiting.pop_front();
            queue.out += 1;
            if queue.failed.is_none()
                && let Err(error) = (queue.output)(mark, answered)
            {
                queue.failed = Some(error);
                queue.is_over = true;
                self.control.cancel_switch().cancel();
            }
        }
        self.changed.notify_all();
    }
}

/// Ends the batch when it is dropped.
struct Alarm<'a, 'b, I, T, F, E>(&'a Batch<'b, I, T, F, E>);

impl<I, T, F, E> Drop for Alarm<'_, '_, I, T, F, E> {
    fn drop(&mut self) {
        // Under the lock: a worker that has seen the batch go on waits already, and is woken.
        lock(&self.0.queue).is_over = true;
        self.0.changed.notify_all();
    }
}
