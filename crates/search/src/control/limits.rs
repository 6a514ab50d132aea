use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

/// Limits of a piece of work. `None` is no limit, here and where one is set.
///
/// ```
/// use std::time::Duration;
///
/// use pintu_search::Limits;
///
/// let limits = Limits::none().nodes(1_000_000).time(Duration::from_secs(2));
/// assert_eq!((limits.nodes, limits.memory), (Some(1_000_000), None));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// States that may be expanded.
    pub nodes: Option<u64>,
    /// Time that may pass since the control was made.
    pub time: Option<Duration>,
    /// Bytes that may be held at once.
    pub memory: Option<u64>,
}

impl Limits {
    /// No limits.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// The same with a limit on the states that may be expanded.
    #[must_use]
    pub fn nodes(self, nodes: impl Into<Option<u64>>) -> Self {
        Self { nodes: nodes.into(), ..self }
    }

    /// The same with a limit on the time that may pass.
    #[must_use]
    pub fn time(self, time: impl Into<Option<Duration>>) -> Self {
        Self { time: time.into(), ..self }
    }

    /// The same with a limit on the bytes that may be held at once.
    #[must_use]
    pub fn memory(self, bytes: impl Into<Option<u64>>) -> Self {
        Self { memory: bytes.into(), ..self }
    }
}

/// A switch that cancels work from another thread. Clones are the same switch.
#[derive(Clone, Default)]
pub struct Cancel(Arc<Switch>);

#[derive(Default)]
struct Switch {
    is_thrown: AtomicBool,
    ask: Option<Box<dyn Fn() -> bool + Send + Sync>>,
}

impl Cancel {
    /// A switch that is not thrown.
    pub fn new() -> Self {
        Self::default()
    }

    /// A switch that polls `ask` at each check, about every millisecond: for work on a thread that can receive no
    /// message meanwhile.
    pub fn asking(ask: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(Switch { is_thrown: AtomicBool::new(false), ask: Some(Box::new(ask)) }))
    }

    /// Throws the switch: all work with it stops soon.
    pub fn cancel(&self) {
        self.0.is_thrown.store(true, Relaxed);
    }

    /// Whether the switch was thrown.
    pub fn is_cancelled(&self) -> bool {
        if self.0.is_thrown.load(Relaxed) {
            return true;
        }
        let ends = self.0.ask.as_ref().is_some_and(|ask| ask());
        if ends {
            self.cancel();
        }
        ends
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Cancel").field(&self.0.is_thrown).finish()
    }
}
