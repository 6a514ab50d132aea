use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    },
    thread::{self, JoinHandle},
};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::writer::stopped;
use crate::store::StoreError;

/// Threads that read, each with a connection of its own. They see what was acknowledged, and do not wait
/// while the writer waits for the disk.
#[derive(Debug)]
pub(super) struct Readers {
    jobs: Option<SyncSender<Job>>,
    threads: Vec<JoinHandle<()>>,
}

type Job = Box<dyn FnOnce(&Connection) + Send>;

const THREADS: usize = 2;
const MOST_WAITING: usize = 1024;

impl Readers {
    pub(super) fn start(open: impl Fn() -> Result<Connection, StoreError>) -> Result<Self, StoreError> {
        let (jobs, waiting) = sync_channel::<Job>(MOST_WAITING);
        let waiting = Arc::new(Mutex::new(waiting));
        let mut threads = Vec::new();
        for _ in 0..THREADS {
            let (connection, waiting) = (open()?, Arc::clone(&waiting));
            let thread =
                thread::Builder::new().name("store reader".to_owned()).spawn(move || work(&connection, &waiting));
            threads.push(thread.map_err(|error| StoreError::Failed(error.to_string()))?);
        }
        Ok(Self { jobs: Some(jobs), threads })
    }

    /// Looks something up.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (sender, receiver) = oneshot::channel();
        let job = move |connection: &Connection| {
            if sender.is_closed() {
                return;
            }
            let caught = catch_unwind(AssertUnwindSafe(|| work(connection)));
            let _ = sender.send(caught.unwrap_or_else(|_| Err(StoreError::Failed("a job panicked".to_owned()))));
        };
        let jobs = self.jobs.as_ref().ok_or_else(stopped)?;
        jobs.try_send(Box::new(job)).map_err(|error| match error {
            TrySendError::Full(_) => StoreError::Busy,
            TrySendError::Disconnected(_) => stopped(),
        })?;
        receiver.await.map_err(|_| stopped())?
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        self.jobs = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn work(connection: &Connection, waiting: &Mutex<Receiver<Job>>) {
    loop {
        let job = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match job {
            Ok(job) => job(connection),
            Err(_) => return,
        }
    }
}
