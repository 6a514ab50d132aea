use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::threads::{Queue, Threads, caught, stopped};
use crate::store::StoreError;

/// The thread that owns the connection that writes.
pub(super) struct Writer(Threads<Job>);

/// A write, which is given a transaction or the error that there is none.
type Job = Box<dyn FnOnce(Result<&Connection, StoreError>) -> Done + Send>;

/// The error of a job, and the callback for the end of its transaction.
struct Done {
    failed: Option<StoreError>,
    tell: Tell,
}

type Tell = Box<dyn FnOnce(Result<(), StoreError>)>;

/// A transaction ends after this many jobs or this time, so that its first job is acknowledged soon.
const MAX_BATCH_JOBS: usize = 128;
const MAX_BATCH_TIME: Duration = Duration::from_millis(10);

impl Writer {
    pub(super) fn start(connection: Connection) -> std::io::Result<Self> {
        Threads::start("store", [connection], work).map(Self)
    }

    /// Runs a job; returns when what it writes is on the disk.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.send(work)?.await.map_err(|_| stopped())?
    }

    /// Runs a job without waiting for it; not at all if the queue is full.
    pub(super) fn run_later(&self, work: impl FnOnce(&Connection) -> Result<(), StoreError> + Send + 'static) {
        drop(self.send(work));
    }

    fn send<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<oneshot::Receiver<Result<T, StoreError>>, StoreError> {
        let (sender, receiver) = oneshot::channel();
        let job = move |connection: Result<&Connection, StoreError>| {
            let result = caught(|| work(connection?));
            let failed = result.as_ref().err().cloned();
            let tell = move |ended: Result<(), StoreError>| {
                let result = result.and_then(|value| ended.map(|()| value));
                // No receiver: the client has gone.
                let _ = sender.send(result);
            };
            Done { failed, tell: Box::new(tell) }
        };
        self.0.send(Box::new(job))?;
        Ok(receiver)
    }
}

fn work(connection: &Connection, queue: &Queue<Job>) {
    while let Some(job) = queue.next() {
        match connection.execute_batch("BEGIN IMMEDIATE") {
            Ok(()) => write_together(connection, job, queue),
            Err(error) => refuse(&error.into(), job, queue),
        }
    }
}

/// Fails this job and all queued ones: another process keeps the file locked, and they need not wait for the lock one after
/// the other.
fn refuse(error: &StoreError, first: Job, queue: &Queue<Job>) {
    // The queue is emptied before any client is told: the lock may be released by the time a client sends another job.
    let jobs: Vec<_> = std::iter::once(first).chain(std::iter::from_fn(|| queue.try_next())).collect();
    for job in jobs {
        (job(Err(error.clone())).tell)(Ok(()));
    }
}

/// Runs this job and queued ones in one transaction, and tells each how it ended.
fn write_together(connection: &Connection, first: Job, queue: &Queue<Job>) {
    let mut told = Vec::new();
    let mut end = None;
    let others = std::iter::from_fn(|| {
        let is_time = Instant::now() < *end.get_or_insert_with(|| Instant::now() + MAX_BATCH_TIME);
        if is_time { queue.try_next() } else { None }
    });
    let mut jobs = std::iter::once(first).chain(others).take(MAX_BATCH_JOBS);
    let result = jobs.try_for_each(|job| within_savepoint(connection, job, &mut told));
    let result = result.and_then(|()| Ok(connection.execute_batch("COMMIT")?));
    if result.is_err() && !connection.is_autocommit() {
        let _ = connection.execute_batch("ROLLBACK");
    }
    for tell in told {
        tell(result.clone());
    }
}

fn within_savepoint(connection: &Connection, job: Job, told: &mut Vec<Tell>) -> Result<(), StoreError> {
    if let Err(error) = connection.execute_batch("SAVEPOINT job").map_err(StoreError::from) {
        told.push(job(Err(error.clone())).tell);
        return Err(error);
    }
    let Done { failed, tell } = job(Ok(connection));
    told.push(tell);
    let undo = if failed.is_none() { "RELEASE job" } else { "ROLLBACK TO job; RELEASE job" };
    // SQLite itself ends the transaction when the disk is full or fails: then this fails, too, and the job's error is the
    // cause.
    connection.execute_batch(undo).map_err(|error| failed.unwrap_or_else(|| error.into()))
}

#[cfg(test)]
mod tests {
    use std::{
        sync::mpsc::{Sender, channel},
        thread,
    };

    use super::*;
    use crate::store::sqlite::threads::MAX_QUEUED_JOBS;

    fn writer() -> Writer {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE numbers (number INTEGER) STRICT").unwrap();
        Writer::start(connection).unwrap()
    }

    fn insert(connection: &Connection, number: i64) -> Result<(), StoreError> {
        connection.execute("INSERT INTO numbers VALUES (?1)", [number])?;
        Ok(())
    }

    /// Queues a job that waits until it is told, and then inserts 1; others share its transaction.
    fn hold(writer: &Writer) -> (Sender<()>, oneshot::Receiver<Result<(), StoreError>>) {
        let (go, wait) = channel();
        let first = writer.send(move |connection| {
            wait.recv().unwrap();
            insert(connection, 1)
        });
        (go, first.unwrap())
    }

    async fn stored(writer: &Writer) -> Vec<i64> {
        let read = |connection: &Connection| {
            let mut statement = connection.prepare("SELECT number FROM numbers ORDER BY number")?;
            let rows = statement.query_map([], |row| row.get(0))?;
            Ok(rows.collect::<Result<_, _>>()?)
        };
        writer.run(read).await.unwrap()
    }

    /// Queued jobs share a transaction; one that fails does not undo the others.
    #[tokio::test]
    async fn a_job_that_fails_or_panics_leaves_the_others_alone() {
        let writer = writer();
        let (go, first) = hold(&writer);
        let fails = writer.run(|connection| {
            insert(connection, 2)?;
            Err::<(), _>(StoreError::Full)
        });
        let panics = writer.run(|connection| -> Result<(), StoreError> {
            insert(connection, 3)?;
            panic!("on purpose")
        });
        let last = writer.run(|connection| insert(connection, 4));
        let (first, fails, panics, last, ()) = tokio::join!(first, fails, panics, last, async { go.send(()).unwrap() });
        assert!(first.unwrap().is_ok() && last.is_ok());
        assert!(matches!(fails, Err(StoreError::Full)));
        assert!(matches!(panics, Err(StoreError::Failed(_))));
        assert_eq!(stored(&writer).await, [1, 4]);
    }

    #[tokio::test]
    async fn a_transaction_that_ends_early_is_no_acknowledgement() {
        let writer = writer();
        let (go, first) = hold(&writer);
        // As SQLite does by itself when the disk fails.
        let breaks = writer.run(|connection| Ok(connection.execute_batch("ROLLBACK")?));
        let (first, breaks, ()) = tokio::join!(first, breaks, async { go.send(()).unwrap() });
        assert!(first.unwrap().is_err() && breaks.is_err(), "nothing is on the disk");
        assert!(writer.run(|connection| insert(connection, 2)).await.is_ok(), "it goes on");
        assert_eq!(stored(&writer).await, [2]);
    }

    /// Another process keeps the file locked for longer than the timeout.
    #[tokio::test]
    async fn jobs_that_wait_for_a_lock_fail_together() {
        const LOCK_TIMEOUT: Duration = Duration::from_millis(200);
        const JOBS: usize = 50;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        let connection = Connection::open(&path).unwrap();
        connection.busy_timeout(LOCK_TIMEOUT).unwrap();
        connection.execute_batch("CREATE TABLE numbers (number INTEGER) STRICT").unwrap();
        let writer = Writer::start(connection).unwrap();
        let other = Connection::open(&path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let began = Instant::now();
        let jobs: Vec<_> = (0..JOBS).map(|_| writer.send(|connection| insert(connection, 1)).unwrap()).collect();
        for job in jobs {
            assert!(matches!(job.await.unwrap(), Err(StoreError::Busy)));
        }
        assert!(began.elapsed() < LOCK_TIMEOUT * JOBS as u32 / 2, "{:?}: one after the other", began.elapsed());
        other.execute_batch("COMMIT").unwrap();
        assert!(writer.run(|connection| insert(connection, 2)).await.is_ok(), "it goes on");
        assert_eq!(stored(&writer).await, [2]);
    }

    #[tokio::test]
    async fn a_transaction_does_not_grow_with_the_queue() {
        let writer = writer();
        let slow = |_: &Connection| {
            thread::sleep(MAX_BATCH_TIME);
            Ok(Instant::now())
        };
        let jobs: Vec<_> = (0..20).map(|_| writer.send(slow).unwrap()).collect();
        let mut told = Vec::new();
        for job in jobs {
            told.push((job.await.unwrap().unwrap(), Instant::now()));
        }
        assert!(told[0].1 < told[19].0, "the first was told before the last was begun");
    }

    #[tokio::test]
    async fn jobs_beyond_the_queues_limit_are_refused() {
        let writer = writer();
        let (go, first) = hold(&writer);
        let refused = (0..MAX_QUEUED_JOBS + 2).filter(|_| writer.send(|_| Ok(())).is_err()).count();
        // The writer may have taken the first job, or the first of the others too, off the queue by then, or none.
        assert!((1..=3).contains(&refused), "{refused}");
        go.send(()).unwrap();
        first.await.unwrap().unwrap();
    }
}
