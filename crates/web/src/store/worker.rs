use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    thread::{self, JoinHandle},
};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::StoreError;

/// The thread that owns the connection.
#[derive(Debug)]
pub(super) struct Worker {
    jobs: Option<SyncSender<Job>>,
    thread: Option<JoinHandle<()>>,
}

/// Something to do, and whether it writes. What it returns is called when its transaction has ended.
struct Job {
    writes: bool,
    work: Box<dyn FnOnce(&Connection) -> Done + Send>,
}

/// Whether the job itself went well, and what tells its client how the transaction ended.
struct Done {
    ok: bool,
    tell: Box<dyn FnOnce(Result<(), String>)>,
}

const MOST_WAITING: usize = 512;
/// A transaction ends after so many jobs, so that the first of them need not wait long.
const MOST_TOGETHER: usize = 128;

impl Worker {
    pub(super) fn start(connection: Connection) -> io::Result<Self> {
        let (jobs, waiting) = sync_channel(MOST_WAITING);
        let thread = thread::Builder::new().name("store".to_owned()).spawn(move || work(&connection, &waiting))?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Has something done; returns when it is done, and if it writes, when that is on the disk.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        writes: bool,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (sender, receiver) = oneshot::channel();
        let work = move |connection: &Connection| {
            let caught = catch_unwind(AssertUnwindSafe(|| work(connection)));
            let result = caught.unwrap_or_else(|_| Err(StoreError::Failed("a job panicked".to_owned())));
            let ok = result.is_ok();
            let tell = move |ended: Result<(), String>| {
                let result = result.and_then(|value| ended.map_err(StoreError::Failed).map(|()| value));
                // A client that has gone away need not be told.
                let _ = sender.send(result);
            };
            Done { ok, tell: Box::new(tell) }
        };
        let jobs = self.jobs.as_ref().ok_or_else(stopped)?;
        jobs.try_send(Job { writes, work: Box::new(work) }).map_err(|error| match error {
            TrySendError::Full(_) => StoreError::Busy,
            TrySendError::Disconnected(_) => stopped(),
        })?;
        receiver.await.map_err(|_| stopped())?
    }
}

impl Drop for Worker {
    /// Lets the thread finish what it has, and close the file.
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn stopped() -> StoreError {
    StoreError::Failed("the store has stopped".to_owned())
}

fn work(connection: &Connection, waiting: &Receiver<Job>) {
    while let Ok(job) = waiting.recv() {
        if job.writes {
            write_together(connection, job, waiting);
        } else {
            ((job.work)(connection).tell)(Ok(()));
        }
    }
}

/// Does this job and those that wait in one transaction, and tells each how it ended.
fn write_together(connection: &Connection, first: Job, waiting: &Receiver<Job>) {
    let mut told = Vec::new();
    let result = connection.execute_batch("BEGIN IMMEDIATE").and_then(|()| {
        let others = std::iter::from_fn(|| waiting.try_recv().ok());
        for job in std::iter::once(first).chain(others).take(MOST_TOGETHER) {
            connection.execute_batch("SAVEPOINT job")?;
            let done = (job.work)(connection);
            let undo = if done.ok { "RELEASE job" } else { "ROLLBACK TO job; RELEASE job" };
            told.push(done.tell);
            // SQLite itself ends the transaction when the disk is full or fails: then this fails, too.
            connection.execute_batch(undo)?;
        }
        connection.execute_batch("COMMIT")
    });
    if result.is_err() && !connection.is_autocommit() {
        let _ = connection.execute_batch("ROLLBACK");
    }
    let ended = result.map_err(|error| error.to_string());
    for tell in told {
        tell(ended.clone());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    fn worker() -> Worker {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE kept (number INTEGER) STRICT").unwrap();
        Worker::start(connection).unwrap()
    }

    fn insert(connection: &Connection, number: i64) -> Result<(), StoreError> {
        connection.execute("INSERT INTO kept VALUES (?1)", [number])?;
        Ok(())
    }

    async fn kept(worker: &Worker) -> Vec<i64> {
        let read = |connection: &Connection| {
            let mut statement = connection.prepare("SELECT number FROM kept ORDER BY number")?;
            let rows = statement.query_map([], |row| row.get(0))?;
            Ok(rows.collect::<Result<_, _>>()?)
        };
        worker.run(false, read).await.unwrap()
    }

    /// Jobs that wait together share a transaction; one that fails takes nothing with it but itself.
    #[tokio::test]
    async fn a_job_that_fails_or_panics_leaves_the_others_alone() {
        let worker = worker();
        let (go, wait) = channel::<()>();
        let first = worker.run(true, move |connection| {
            wait.recv().unwrap();
            insert(connection, 1)
        });
        let fails = worker.run(true, |connection| {
            insert(connection, 2)?;
            Err::<(), _>(StoreError::Full)
        });
        let panics = worker.run(true, |connection| -> Result<(), StoreError> {
            insert(connection, 3)?;
            panic!("on purpose")
        });
        let last = worker.run(true, |connection| insert(connection, 4));
        let (first, fails, panics, last, ()) = tokio::join!(first, fails, panics, last, async { go.send(()).unwrap() });
        assert!(first.is_ok() && last.is_ok());
        assert!(matches!(fails, Err(StoreError::Full)));
        assert!(matches!(panics, Err(StoreError::Failed(_))));
        assert_eq!(kept(&worker).await, [1, 4]);
    }

    #[tokio::test]
    async fn a_transaction_that_ends_early_is_no_acknowledgement() {
        let worker = worker();
        let (go, wait) = channel::<()>();
        let first = worker.run(true, move |connection| {
            wait.recv().unwrap();
            insert(connection, 1)
        });
        // As SQLite does by itself when the disk fails.
        let breaks = worker.run(true, |connection| Ok(connection.execute_batch("ROLLBACK")?));
        let (first, breaks, ()) = tokio::join!(first, breaks, async { go.send(()).unwrap() });
        assert!(first.is_err() && breaks.is_err(), "nothing is on the disk");
        assert!(worker.run(true, |connection| insert(connection, 2)).await.is_ok(), "it goes on");
        assert_eq!(kept(&worker).await, [2]);
    }

    #[tokio::test]
    async fn too_many_waiting_jobs_are_turned_away() {
        let worker = worker();
        let (go, wait) = channel::<()>();
        let mut jobs: Vec<_> = vec![Box::pin(worker.run(true, move |_| {
            wait.recv().unwrap();
            Ok(())
        })) as std::pin::Pin<Box<dyn Future<Output = Result<(), StoreError>>>>];
        for _ in 0..MOST_WAITING + 2 {
            jobs.push(Box::pin(worker.run(true, |_| Ok(()))));
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
