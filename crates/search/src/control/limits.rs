use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

/// How much a piece of work may spend. What is `None` is not limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// States that may be expanded.
    pub nodes: Option<u64>,
    /// Time that may pass.
    pub time: Option<Duration>,
    /// Bytes that may be held at once.
    pub memory: Option<u64>,
}

/// A switch that ends work from another thread. Clones are the same switch.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A switch that nobody has thrown yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks everything that watches this switch to stop.
    pub fn cancel(&self) {
        self.0.store(true, Relaxed);
    }

    /// Whether somebody has asked.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Relaxed)
    }
}
