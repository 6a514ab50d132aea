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
