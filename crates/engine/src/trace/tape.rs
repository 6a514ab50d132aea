use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
};

/// What a search is recorded on: so many events at most. Clones are the same tape, which may be looked at while the search
/// runs.
#[derive(Clone, Debug)]
pub struct Tape(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    most: usize,
    events: AtomicUsize,
    is_cut: AtomicBool,
}

impl Tape {
    /// A tape for so many events.
    pub fn new(most: usize) -> Self {
        Self(Arc::new(Shared { most, events: AtomicUsize::new(0), is_cut: AtomicBool::new(false) }))
    }

    /// How many events it may hold.
    pub fn most(&self) -> usize {
        self.0.most
    }

    /// How many it holds by now.
    pub fn events(&self) -> usize {
        self.0.events.load(Relaxed)
    }

    /// Whether something has happened that it has no room for.
    pub fn is_cut(&self) -> bool {
        self.0.is_cut.load(Relaxed)
    }

    pub(super) fn note(&self, events: usize, is_cut: bool) {
        self.0.events.store(events, Relaxed);
        self.0.is_cut.store(is_cut, Relaxed);
    }
}
