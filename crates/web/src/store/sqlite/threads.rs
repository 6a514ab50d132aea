//! Threads with connections of their own, which take jobs from a bounded queue.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    },
    thread::{self, JoinHandle},
};

use rusqlite::Connection;

use crate::store::StoreError;

pub(super) struct Threads<J> {
    jobs: Option<SyncSender<J>>,
    threads: Vec<JoinHandle<()>>,
}

pub(super) struct Queue<J>(Mutex<Receiver<J>>);

pub(super) const MAX_QUEUED_JOBS: usize = 1024;

impl<J: Send + 'static> Threads<J> {
    /// Starts a thread for each connection; `work` ends when the queue is closed.
    pub(super) fn start(
        name: &str,
        connections: impl IntoIterator<Item = Connection>,
        work: fn(&Connection, &Queue<J>),
    ) -> io::Result<Self> {
        let (jobs, waiting) = sync_channel(MAX_QUEUED_JOBS);
        let queue = Arc::new(Queue(Mutex::new(waiting)));
        let start = |connection: Connection| {
            let queue = Arc::clone(&queue);
            thread::Builder::new().name(name.to_owned()).spawn(move || work(&connection, &queue))
        };
        let threads = connections.into_iter().map(start).collect::<io::Result<_>>()?;
        Ok(Self { jobs: Some(jobs), threads })
    }

    pub(super) fn send(&self, job: J) -> Result<(), StoreError> {
        let jobs = self.jobs.as_ref().ok_or_else(stopped)?;
        jobs.try_send(job).map_err(|error| match error {
            TrySendError::Full(_) => StoreError::Busy,
            TrySendError::Disconnected(_) => stopped(),
        })
    }
}

impl<J> Drop for Threads<J> {
    /// Waits until all queued jobs are done and the connections are closed.
    fn drop(&mut self) {
        self.jobs = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

impl<J> Queue<J> {
    /// The next job; waits for one. `None` when the queue is closed.
    pub(super) fn next(&self) -> Option<J> {
        self.lock().recv().ok()
    }

    pub(super) fn try_next(&self) -> Option<J> {
        self.lock().try_recv().ok()
    }

    fn lock(&self) -> MutexGuard<'_, Receiver<J>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The result of a job; a panic is an error.
pub(super) fn caught<T>(work: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
    let panicked = |_| Err(StoreError::Failed("a job panicked".to_owned()));
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(panicked)
}

pub(super) fn stopped() -> StoreError {
    StoreError::Failed("the store has stopped".to_owned())
}
