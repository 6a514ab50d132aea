use std::{
    ops::ControlFlow::{self, Continue},
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use pintu_search::{Cost, Counters, Node, Observer, Stop};

/// How far a search has come, readable while it runs. Clones are the same.
#[derive(Clone, Debug)]
pub struct Progress(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    started: Instant,
    expanded: AtomicU64,
    generated: AtomicU64,
    bound: AtomicU32,
}

impl Progress {
    /// Of a search that starts now.
    pub fn new() -> Self {
        Self(Arc::new(Shared {
            started: Instant::now(),
            expanded: AtomicU64::new(0),
            generated: AtomicU64::new(0),
            bound: AtomicU32::new(0),
        }))
    }

    /// States expanded.
    pub fn expanded(&self) -> u64 {
        self.0.expanded.load(Relaxed)
    }

    /// States generated.
    pub fn generated(&self) -> u64 {
        self.0.generated.load(Relaxed)
    }

    /// The highest bound or level that the search has come to.
    pub fn bound(&self) -> Cost {
        self.0.bound.load(Relaxed)
    }

    /// Time since it started.
    pub fn elapsed(&self) -> Duration {
        self.0.started.elapsed()
    }

    /// Writes to it what a search has come to that follows others which counted `before`.
    pub(crate) fn write(&self, before: Counters, expanded: u64, generated: u64, bound: Cost) {
        self.0.expanded.store(before.expanded + expanded, Relaxed);
        self.0.generated.store(before.generated + generated, Relaxed);
        self.0.bound.fetch_max(bound, Relaxed);
    }

    /// The observer that writes to it, for a search that follows others which counted `before`.
    pub(crate) fn watch(&self, before: Counters) -> Watch {
        Watch { progress: self.clone(), before }
    }
}

impl Default for Progress {
    fn default() -> Self {
        Self::new()
    }
}

/// Writes a search's counters to a [`Progress`] now and then.
pub(crate) struct Watch {
    progress: Progress,
    before: Counters,
}

impl Watch {
    fn write(&self, so_far: &Counters) {
        let shared = &self.progress.0;
        shared.expanded.store(self.before.expanded + so_far.expanded, Relaxed);
        shared.generated.store(self.before.generated + so_far.generated, Relaxed);
    }
}

impl<St> Observer<St> for Watch {
    #[inline]
    fn expand(&mut self, _: &Node<'_, St>, so_far: &Counters) -> ControlFlow<Stop> {
        if so_far.expanded.is_multiple_of(1024) {
            self.write(so_far);
        }
        Continue(())
    }

    fn iteration(&mut self, bound: Cost, so_far: &Counters) -> ControlFlow<Stop> {
        self.write(so_far);
        self.progress.0.bound.fetch_max(bound, Relaxed);
        Continue(())
    }
}
