use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::ApiError;

/// Workers for what would hold up the async threads: so many at once, so many waiting in order.
#[derive(Debug)]
pub(crate) struct Pool {
    places: Arc<Semaphore>,
    workers: Arc<Semaphore>,
    name: &'static str,
}

impl Pool {
    pub(crate) fn new(name: &'static str, workers: usize, waiting: usize) -> Self {
        let semaphore = |permits| Arc::new(Semaphore::new(permits));
        Self { places: semaphore(workers + waiting), workers: semaphore(workers), name }
    }

    /// A place at work or in the queue, unless both are full.
    pub(crate) fn admit(&self) -> Result<Ticket, ApiError> {
        let place = Arc::clone(&self.places).try_acquire_owned();
        let place = place.map_err(|_| ApiError::busy(&format!("every {} is busy and others wait", self.name), 2))?;
        Ok(Ticket { place, workers: Arc::clone(&self.workers) })
    }
}

/// The right to one piece of work.
#[derive(Debug)]
pub(crate) struct Ticket {
    place: OwnedSemaphorePermit,
    workers: Arc<Semaphore>,
}

impl Ticket {
    /// Whether a worker is free now.
    pub(crate) fn runs_at_once(&self) -> bool {
        self.workers.available_permits() > 0
    }

    /// Waits for a worker and lets it do `work`. The place and the worker are taken until the work has
    /// ended, even if nobody waits for it any more.
    pub(crate) async fn run<T: Send + 'static>(self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
        let worker = Arc::clone(&self.workers).acquire_owned().await.map_err(|_| ApiError::internal())?;
        let held = (self.place, worker);
        let done = tokio::task::spawn_blocking(move || {
            let result = work();
            drop(held);
            result
        });
        done.await.map_err(|_| ApiError::internal())
    }
}
