use std::{
    ops::ControlFlow::{self, Continue},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use pintu_search::{Control, Cost, Counters, Node, Observer, Stop};

/// How far a search has come, readable while it runs. Clones are the same.
#[derive(Clone, Debug)]
pub struct Progress(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    started: Instant,
    expanded: AtomicU64,
    generated: AtomicU64,
    bound: AtomicU32,
    /// The control of what is under way now, and what was counted before.
    followed: Mutex<Option<(Control, Counters)>>,
}

impl Progress {
    /// Of a search that starts now.
    pub fn new() -> Self {
        Self(Arc::new(Shared {
            started: Instant::now(),
            expanded: AtomicU64::new(0),
            generated: AtomicU64::new(0),
            bound: AtomicU32::new(0),
            followed: Mutex::new(None),
        }))
    }

    /// States expanded.
    pub fn expanded(&self) -> u64 {
        self.0.expanded.load(Relaxed).max(self.followed().expanded)
    }

    /// States generated.
    pub fn generated(&self) -> u64 {
        self.0.generated.load(Relaxed).max(self.followed().generated)
    }

    /// The highest bound or level that the search has come to.
    pub fn bound(&self) -> Cost {
        let followed = lock(&self.0.followed).as_ref().map_or(0, |(control, _)| control.bound());
        self.0.bound.load(Relaxed).max(followed as Cost)
    }

    /// Time since it started.
    pub fn elapsed(&self) -> Duration {
        self.0.started.elapsed()
    }

    /// From now on it is that of work under this control, after work that counted `before`.
    pub(crate) fn follow(&self, control: &Control, before: Counters) {
        *lock(&self.0.followed) = Some((control.clone(), before));
    }

    fn followed(&self) -> Counters {
        lock(&self.0.followed).as_ref().map_or(Counters::default(), |(control, before)| {
            let Counters { expanded, generated, .. } = control.counters();
            Counters {
                expanded: before.expanded + expanded,
                generated: before.generated + generated,
                ..Counters::default()
            }
        })
    }

    /// The observer that writes to it, for a search that follows others which counted `before`.
    pub(crate) fn watch(&self, before: Counters) -> Watch {
        Watch { progress: self.clone(), before }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
