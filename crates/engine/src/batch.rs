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
    internals::{Charged, together},
    store::{Extent, Key},
};

use crate::{
    Answer, Request, RequestError,
    auto::{looks_at_tables, wants_tables},
    compare::prepare,
    lock::lock,
    memory::{MIN_SHARE_BYTES, share},
    solve,
};

/// The number of pieces of a long job that are done, readable while it runs.
#[derive(Debug, Default)]
pub struct Progress(AtomicUsize);

impl Progress {
    pub fn count(&self) -> usize {
        self.0.load(Relaxed)
    }

    pub(crate) fn add_one(&self) {
        self.0.fetch_add(1, Relaxed);
    }
}

/// A request of a batch and its result.
pub type Answered = (Request, Result<Answer, RequestError>);

/// Carries out requests as they come, on up to `threads` threads. Each answer goes to `output` as soon as it is ready
/// and all before it are out.
///
/// Each item has a mark that comes back with its answer. An item without a request, because it could not be read, comes
/// back without an answer, in its turn. Requests that have not begun when the control is cancelled are answered as
/// [cancelled](Answer::unanswered): no item is lost.
///
/// On several threads, the control's memory is divided: pattern tables are made before the first board that uses them
/// begins, and count once; each search has an equal share of the rest. Where that would be less than
/// [`MIN_SHARE_BYTES`], fewer searches run at once. Shares depend on the boards and their order alone, so without a
/// time limit no answer depends on the order in which threads run.
///
/// An error that `output` returns ends the batch: running searches are cancelled.
pub fn run_batch<T: Send, E: Send>(
    items: impl Iterator<Item = (T, Option<Request>)> + Send,
    threads: usize,
    control: &Control,
    done: &Progress,
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

/// The most answers that may wait for a slower one before them, per thread.
const MAX_WAITING: usize = 16;

/// A worker takes the source's lock to get an item, and the queue's to wait for its start and to hand over its answer, so
/// that answers go out while the source waits for more items.
struct Batch<'a, I, T, F, E> {
    source: Mutex<Source<I>>,
    queue: Mutex<Queue<T, F, E>>,
    /// Signalled when the queue has changed.
    changed: Condvar,
    threads: usize,
    control: &'a Control,
    done: &'a Progress,
}

struct Source<I> {
    /// `None` once the items have come to an end, or panicked.
    items: Option<I>,
    next: usize,
    /// The keys of the small tables of all boards so far that use tables.
    keys: Vec<Key>,
    /// These tables, where there is memory for them.
    tables: Vec<Charged>,
    /// The number of searches that may run at once, and the limits of each.
    share: (usize, Limits),
}

/// Answers that wait for earlier ones.
struct Queue<T, F, E> {
    /// The number of the item that goes out next.
    out: usize,
    /// Answers from that item on.
    waiting: VecDeque<Option<(T, Option<Answered>)>>,
    /// The number of items that have begun and are not in the queue yet.
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

    /// Waits until the queue satisfies a condition; `None` if the batch is over.
    fn wait(&self, is_ready: impl Fn(&Queue<T, F, E>) -> bool) -> Option<MutexGuard<'_, Queue<T, F, E>>> {
        let waited = self.changed.wait_while(lock(&self.queue), |queue| !queue.is_over && !is_ready(queue));
        Some(waited.unwrap_or_else(PoisonError::into_inner)).filter(|queue| !queue.is_over)
    }

    /// Before the first request that uses a board's tables: waits until no search runs, makes the tables, and divides
    /// the memory that they leave anew.
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
            // The other threads work on other puzzles.
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
        // Under the lock: a worker that saw the batch still running waits already, and is woken.
        lock(&self.0.queue).is_over = true;
        self.0.changed.notify_all();
    }
}
