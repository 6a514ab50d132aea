use std::{
    collections::VecDeque,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::store::StoreError;

/// The thread that owns the connection that writes.
#[derive(Debug)]
pub(super) struct Writer {
    waiting: Arc<Waiting>,
    thread: Option<JoinHandle<()>>,
}

/// Something to write, given a transaction or the reason why there is none.
type Job = Box<dyn FnOnce(Result<&Connection, StoreError>) -> Done + Send>;

/// How the job itself went, and what tells its client how the transaction ended.
struct Done {
    failed: Option<StoreError>,
    tell: Box<dyn FnOnce(Result<(), StoreError>)>,
}

/// What waits to be written. What is small goes first, so that nobody's save waits for many large ones of somebody else's;
/// of what is large, each transaction takes some, so that it has its turn, too.
#[derive(Default)]
struct Waiting {
    queue: Mutex<Queue>,
    call: Condvar,
}

#[derive(Default)]
struct Queue {
    small: VecDeque<Job>,
    large: VecDeque<Job>,
    is_closed: bool,
}

const MOST_WAITING: usize = 512;
/// A transaction ends after so many jobs, or after so long, so that the first of them need not wait long.
const MOST_TOGETHER: usize = 128;
const LONGEST: Duration = Duration::from_millis(10);
/// What is larger is large: a save of a few thousand moves is not.
const SMALL: usize = 32 << 10;

impl Writer {
    pub(super) fn start(connection: Connection) -> io::Result<Self> {
        let waiting = Arc::<Waiting>::default();
        let jobs = Arc::clone(&waiting);
        let thread = thread::Builder::new().name("store".to_owned()).spawn(move || work(&connection, &jobs))?;
        Ok(Self { waiting, thread: Some(thread) })
    }

    /// Has something of so many bytes written; returns when that is on the disk.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        bytes: usize,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.send(bytes, work)?.await.map_err(|_| stopped())?
    }

    /// Has something written when there is time for it; nobody waits for that.
    pub(super) fn leave(&self, work: impl FnOnce(&Connection) -> Result<(), StoreError> + Send + 'static) {
        // The queue is full, or the thread has ended: then it is not done.
        drop(self.send(0, work));
    }

    fn send<T: Send + 'static>(
        &self,
        bytes: usize,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<oneshot::Receiver<Result<T, StoreError>>, StoreError> {
        let (sender, receiver) = oneshot::channel();
        let job = move |connection: Result<&Connection, StoreError>| {
            let caught = catch_unwind(AssertUnwindSafe(|| work(connection?)));
            let result = caught.unwrap_or_else(|_| Err(StoreError::Failed("a job panicked".to_owned())));
            let failed = result.as_ref().err().cloned();
            let tell = move |ended: Result<(), StoreError>| {
                let result = result.and_then(|value| ended.map(|()| value));
                // A client that has gone away need not be told.
                let _ = sender.send(result);
            };
            Done { failed, tell: Box::new(tell) }
        };
        self.waiting.add(Box::new(job), bytes)?;
        Ok(receiver)
    }
}

impl Drop for Writer {
    /// Lets the thread finish what it has, and close the file.
    fn drop(&mut self) {
        self.waiting.queue().is_closed = true;
        self.waiting.call.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Waiting {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, job: Job, bytes: usize) -> Result<(), StoreError> {
        let mut queue = self.queue();
        if queue.is_closed {
            return Err(stopped());
        }
        let line = if bytes > SMALL { &mut queue.large } else { &mut queue.small };
        // Each line by itself: those who fill one leave the other alone.
        if line.len() >= MOST_WAITING {
            return Err(StoreError::Busy);
        }
        line.push_back(job);
        self.call.notify_one();
        Ok(())
    }

    /// The next job; waits for one. `None` when there will be none.
    fn next(&self) -> Option<Job> {
        let mut queue = self.queue();
        loop {
            if let Some(job) = queue.next() {
                return Some(job);
            }
            if queue.is_closed {
                return None;
            }
            queue = self.call.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// All that wait now.
    fn take_all(&self) -> Vec<Job> {
        let mut queue = self.queue();
        std::iter::from_fn(|| queue.next()).collect()
    }
}

impl Queue {
    fn next(&mut self) -> Option<Job> {
        self.small.pop_front().or_else(|| self.large.pop_front())
    }
}

impl std::fmt::Debug for Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let queue = self.queue();
        write!(f, "Waiting({}, {})", queue.small.len(), queue.large.len())
    }
}

pub(super) fn stopped() -> StoreError {
    StoreError::Failed("the store has stopped".to_owned())
}

fn work(connection: &Connection, waiting: &Waiting) {
    while let Some(job) = waiting.next() {
        match connection.execute_batch("BEGIN IMMEDIATE") {
            Ok(()) => write_together(connection, job, waiting),
            Err(error) => refuse(&error.into(), job, waiting),
        }
    }
}

/// Tells this job, and all that have waited with it, that there is no transaction: whoever keeps the file (a backup that
/// is being restored) was waited for already, and the others need not wait for as long one after the other.
fn refuse(error: &StoreError, first: Job, waiting: &Waiting) {
    // Taken together first: who comes when the others have been told is asked for anew.
    for job in std::iter::once(first).chain(waiting.take_all()) {
        (job(Err(error.clone())).tell)(Ok(()));
    }
}

/// Does this job and those that wait in one transaction, and tells each how it ended. The small ones that wait come first;
/// one that is large has its turn in every transaction.
fn write_together(connection: &Connection, first: Job, waiting: &Waiting) {
    let mut told = Vec::new();
    let mut end = None;
    let others = std::iter::from_fn(|| {
        let is_time = Instant::now() < *end.get_or_insert_with(|| Instant::now() + LONGEST);
        if is_time { waiting.queue().next() } else { None }
    });
    let turn = std::iter::once_with(|| waiting.queue().large.pop_front()).flatten();
    let mut jobs = std::iter::once(first).chain(others).take(MOST_TOGETHER).chain(turn);
    let result = jobs.try_for_each(|job| within_savepoint(connection, job, &mut told));
    let result = result.and_then(|()| Ok(connection.execute_batch("COMMIT")?));
    if result.is_err() && !connection.is_autocommit() {
        let _ = connection.execute_batch("ROLLBACK");
    }
    for tell in told {
        tell(result.clone());
    }
}

type Tell = Box<dyn FnOnce(Result<(), StoreError>)>;

fn within_savepoint(connection: &Connection, job: Job, told: &mut Vec<Tell>) -> Result<(), StoreError> {
    if let Err(error) = connection.execute_batch("SAVEPOINT job").map_err(StoreError::from) {
        told.push(job(Err(error.clone())).tell);
        return Err(error);
    }
    let Done { failed, tell } = job(Ok(connection));
    told.push(tell);
    let undo = if failed.is_none() { "RELEASE job" } else { "ROLLBACK TO job; RELEASE job" };
    // SQLite itself ends the transaction when the disk is full or fails: then this fails, too, and what
    // the job met is the reason.
    connection.execute_batch(undo).map_err(|error| failed.unwrap_or_else(|| error.into()))
}

#[cfg(test)]
mod tests {
    use std::{
        sync::mpsc::channel,
        time::{Duration, Instant},
    };

    use super::*;

    fn writer() -> Writer {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE kept (number INTEGER) STRICT").unwrap();
        Writer::start(connection).unwrap()
    }

    fn insert(connection: &Connection, number: i64) -> Result<(), StoreError> {
        connection.execute("INSERT INTO kept VALUES (?1)", [number])?;
        Ok(())
    }

    async fn kept(writer: &Writer) -> Vec<i64> {
        let read = |connection: &Connection| {
            let mut statement = connection.prepare("SELECT number FROM kept ORDER BY number")?;
            let rows = statement.query_map([], |row| row.get(0))?;
            Ok(rows.collect::<Result<_, _>>()?)
        };
        writer.run(0, read).await.unwrap()
    }

    /// Jobs that wait together share a transaction; one that fails takes nothing with it but itself.
    #[tokio::test]
    async fn a_job_that_fails_or_panics_leaves_the_others_alone() {
        let writer = writer();
        let (go, wait) = channel::<()>();
        let first = writer.run(0, move |connection| {
            wait.recv().unwrap();
            insert(connection, 1)
        });
        let fails = writer.run(0, |connection| {
            insert(connection, 2)?;
            Err::<(), _>(StoreError::Full)
        });
        let panics = writer.run(0, |connection| -> Result<(), StoreError> {
            insert(connection, 3)?;
            panic!("on purpose")
        });
        let last = writer.run(0, |connection| insert(connection, 4));
        let (first, fails, panics, last, ()) = tokio::join!(first, fails, panics, last, async { go.send(()).unwrap() });
        assert!(first.is_ok() && last.is_ok());
        assert!(matches!(fails, Err(StoreError::Full)));
        assert!(matches!(panics, Err(StoreError::Failed(_))));
        assert_eq!(kept(&writer).await, [1, 4]);
    }

    #[tokio::test]
    async fn a_transaction_that_ends_early_is_no_acknowledgement() {
        let writer = writer();
        let (go, wait) = channel::<()>();
        let first = writer.run(0, move |connection| {
            wait.recv().unwrap();
            insert(connection, 1)
        });
        // As SQLite does by itself when the disk fails.
        let breaks = writer.run(0, |connection| Ok(connection.execute_batch("ROLLBACK")?));
        let (first, breaks, ()) = tokio::join!(first, breaks, async { go.send(()).unwrap() });
        assert!(first.is_err() && breaks.is_err(), "nothing is on the disk");
        assert!(writer.run(0, |connection| insert(connection, 2)).await.is_ok(), "it goes on");
        assert_eq!(kept(&writer).await, [2]);
    }

    /// Another process has the file for longer than it is waited for: everybody is told once that is known.
    #[tokio::test]
    async fn those_who_wait_for_a_file_that_another_keeps_are_told_together() {
        const PATIENCE: Duration = Duration::from_millis(400);
        const JOBS: usize = 50;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        let connection = Connection::open(&path).unwrap();
        connection.busy_timeout(PATIENCE).unwrap();
        connection.execute_batch("CREATE TABLE kept (number INTEGER) STRICT").unwrap();
        let writer = Writer::start(connection).unwrap();
        let other = Connection::open(&path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let began = Instant::now();
        let jobs: Vec<_> = (0..JOBS).map(|_| writer.send(0, |connection| insert(connection, 1)).unwrap()).collect();
        for job in jobs {
            assert!(matches!(job.await.unwrap(), Err(StoreError::Busy)));
        }
        let patiences = JOBS as u32 / 2;
        assert!(began.elapsed() < PATIENCE * patiences, "{:?}: one after the other", began.elapsed());
        other.execute_batch("COMMIT").unwrap();
        assert!(writer.run(0, |connection| insert(connection, 2)).await.is_ok(), "it goes on");
        assert_eq!(kept(&writer).await, [2]);
    }

    /// Many large ones wait; a small one that comes last is written before most of them, and they are written, too.
    #[tokio::test]
    async fn what_is_small_does_not_wait_for_all_that_is_large() {
        const LARGE: usize = 100;
        let writer = writer();
        let (go, wait) = channel::<()>();
        let (order, seen) = channel();
        let first = writer.send(0, move |_| {
            wait.recv().unwrap();
            Ok(())
        });
        let first = first.unwrap();
        let large: Vec<_> = (0..LARGE)
            .map(|number| {
                let order = order.clone();
                let slow = move |_: &Connection| {
                    thread::sleep(Duration::from_millis(3));
                    order.send(number).unwrap();
                    Ok(())
                };
                writer.send(SMALL + 1, slow).unwrap()
            })
            .collect();
        let small = writer.send(SMALL, move |_| {
            order.send(LARGE).unwrap();
            Ok(())
        });
        let small = small.unwrap();
        go.send(()).unwrap();
        first.await.unwrap().unwrap();
        small.await.unwrap().unwrap();
        for job in large {
            job.await.unwrap().unwrap();
        }
        let seen: Vec<usize> = seen.iter().collect();
        assert_eq!(seen.len(), LARGE + 1);
        let place = seen.iter().position(|&number| number == LARGE).unwrap();
        assert!(place < 10, "{place}");
        assert!(seen.iter().filter(|&&number| number < LARGE).is_sorted(), "in their order");
    }

    /// A transaction does not grow with what waits: it ends, and those in it are told.
    #[tokio::test]
    async fn a_transaction_ends_in_time() {
        let writer = writer();
        let slow = |_: &Connection| {
            thread::sleep(LONGEST);
            Ok(Instant::now())
        };
        let jobs: Vec<_> = (0..20).map(|_| writer.send(0, slow).unwrap()).collect();
        let mut told = Vec::new();
        for job in jobs {
            told.push((job.await.unwrap().unwrap(), Instant::now()));
        }
        assert!(told[0].1 < told[19].0, "the first was told before the last was begun");
    }

    #[tokio::test]
    async fn too_many_waiting_jobs_are_turned_away() {
        let writer = writer();
        let (go, wait) = channel::<()>();
        let mut jobs: Vec<_> = vec![Box::pin(writer.run(0, move |_| {
            wait.recv().unwrap();
            Ok(())
        })) as std::pin::Pin<Box<dyn Future<Output = Result<(), StoreError>>>>];
        for _ in 0..MOST_WAITING + 2 {
            jobs.push(Box::pin(writer.run(0, |_| Ok(()))));
        }
        let mut refused = 0;
        for job in &mut jobs {
            let now = std::future::poll_fn(|context| std::task::Poll::Ready(job.as_mut().poll(context))).await;
            refused += usize::from(matches!(now, std::task::Poll::Ready(Err(StoreError::Busy))));
        }
        assert!(refused >= 1, "{refused}");
        go.send(()).unwrap();
    }
}
