//! The one control of all work: limits, cancellation, counts and a ledger of bytes.

mod counts;
mod gate;
mod grants;
mod hold;
mod idle;
mod ledger;
mod limits;
mod meter;
#[cfg(test)]
mod tests;

use std::{
    ops::ControlFlow::{self, Break, Continue},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

pub use self::{
    gate::Gate,
    hold::Hold,
    idle::Idle,
    limits::{Cancel, Limits},
    meter::Meter,
};
use crate::Stop;

/// Bounds a piece of work, ends it, and knows how far it has come. Clones are the same control; it may be shared by
/// threads and read while they work.
///
/// A control may have [parts](Self::part): pieces of the work with limits of their own. What a part spends, the whole
/// has spent too, so that no part can exceed the limits of the whole, however many there are and on however many threads
/// they run.
///
/// - *Nodes* are granted before they are expanded, through a [`Meter`]: the limit is exact.
/// - *Time* runs from the making of the control. The clock is read about once a millisecond.
/// - *Memory* is what [`Hold`]s hold. Whatever grows asks first.
///
/// ```
/// use pintu_search::{bfs, from_fn, Bound, Control, Limits, Outcome, Stop};
///
/// let endless = from_fn(|&n: &u64| [(n + 1, 1_u32)], |_| false);
/// let control = Control::new(Limits { nodes: Some(1000), ..Limits::default() });
/// let report = bfs(&endless, &0, &control);
/// assert_eq!(report.outcome, Outcome::Stopped { why: Stop::Nodes, lower_bound: Some(Bound::Steps(1000)) });
/// assert_eq!(control.counters().expanded, 1000);
/// ```
///
/// Another thread may watch a search and end it:
///
/// ```
/// use std::thread;
///
/// use pintu_search::{bfs, from_fn, Control, Outcome, Stop};
///
/// let endless = from_fn(|&n: &u64| [(n + 1, 1_u32)], |_| false);
/// let control = Control::unlimited();
/// let report = thread::scope(|scope| {
///     let search = scope.spawn(|| bfs(&endless, &0, &control));
///     while control.counters().expanded < 1000 {
///         thread::yield_now();
///     }
///     control.cancel();
///     search.join().unwrap()
/// });
/// assert!(matches!(report.outcome, Outcome::Stopped { why: Stop::Cancelled, .. }));
/// ```
#[derive(Clone, Debug)]
pub struct Control(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    whole: Option<Control>,
    /// Who is asked before anything is expanded.
    gate: Option<Arc<dyn Gate>>,
    cancel: Cancel,
    started: Instant,
    /// The earliest of its own deadline and those above.
    deadline: Option<Instant>,
    memory: u64,
    /// Nodes that may still be granted.
    nodes: AtomicU64,
    /// Nodes that meters were granted and have neither told to be used nor given back, where nodes are limited.
    lent: AtomicU64,
    expanded: AtomicU64,
    generated: AtomicU64,
    peak_states: AtomicU64,
    /// Bytes held here and in parts; those among them that are held here; and the most at once.
    held: AtomicU64,
    kept: AtomicU64,
    peak_bytes: AtomicU64,
    /// What is kept beside those.
    idle: OnceLock<Arc<dyn Idle>>,
    /// Whether there was less room than without what others hold, and it mattered.
    crowded: AtomicBool,
    /// Whether it ends then.
    yields: bool,
    bound: AtomicU64,
    /// What ended it first: a code of [`ENDS`].
    end: AtomicU8,
}

impl Shared {
    fn new(whole: Option<Control>, limits: Limits, cancel: Cancel) -> Self {
        let started = Instant::now();
        let own = limits.time.and_then(|time| started.checked_add(time));
        let above = whole.as_ref().and_then(|whole| whole.0.deadline);
        Self {
            deadline: own.into_iter().chain(above).min(),
            whole,
            gate: None,
            cancel,
            started,
            memory: limits.memory.unwrap_or(u64::MAX),
            nodes: AtomicU64::new(limits.nodes.unwrap_or(ENDLESS)),
            lent: AtomicU64::new(0),
            expanded: AtomicU64::new(0),
            generated: AtomicU64::new(0),
            peak_states: AtomicU64::new(0),
            held: AtomicU64::new(0),
            kept: AtomicU64::new(0),
            peak_bytes: AtomicU64::new(0),
            idle: OnceLock::new(),
            crowded: AtomicBool::new(false),
            yields: false,
            bound: AtomicU64::new(0),
            end: AtomicU8::new(GOING_ON),
        }
    }
}

const GOING_ON: u8 = 0;
const FINISHED: u8 = 1;
/// The stops that a control itself calls for, by their codes less two.
const STOPS: [Stop; 4] = [Stop::Nodes, Stop::Time, Stop::Memory, Stop::Cancelled];
/// More nodes than any work expands: no limit.
const ENDLESS: u64 = u64::MAX;

impl Control {
    /// A control whose clock starts now.
    pub fn new(limits: Limits) -> Self {
        Self::with_cancel(limits, Cancel::new())
    }

    /// A control without limits.
    pub fn unlimited() -> Self {
        Self::new(Limits::default())
    }

    /// A control that also ends when `cancel` is thrown.
    pub fn with_cancel(limits: Limits, cancel: Cancel) -> Self {
        Self(Arc::new(Shared::new(None, limits, cancel)))
    }

    /// A piece of this work, with limits of its own besides; its clock starts now.
    #[must_use]
    pub fn part(&self, limits: Limits) -> Self {
        Self(Arc::new(self.shared_part(limits)))
    }

    /// A piece of this work that is given up as soon as it [is crowded](Self::was_crowded), as if its memory had run out:
    /// for whoever does it again alone.
    #[must_use]
    pub fn yielding(&self, limits: Limits) -> Self {
        Self(Arc::new(Shared { yields: true, ..self.shared_part(limits) }))
    }

    /// A piece of this work that goes on only when a gate lets it.
    #[must_use]
    pub fn gated(&self, limits: Limits, gate: Arc<dyn Gate>) -> Self {
        Self(Arc::new(Shared { gate: Some(gate), ..self.shared_part(limits) }))
    }

    fn shared_part(&self, limits: Limits) -> Shared {
        Shared::new(Some(self.clone()), limits, self.0.cancel.clone())
    }

    /// A thread's meter on this work.
    pub fn meter(&self) -> Meter<'_> {
        Meter::new(self)
    }

    /// A hold on memory, of no bytes yet.
    pub fn hold(&self) -> Hold {
        Hold::new(self.clone())
    }

    /// Ends this work and all that it is a part of.
    pub fn cancel(&self) {
        self.0.cancel.cancel();
    }

    /// The switch that ends this work and all that it is a part of.
    pub fn cancel_switch(&self) -> &Cancel {
        &self.0.cancel
    }

    /// Whether the work is to end, for work that expands nothing: reads the clock.
    pub fn check(&self) -> ControlFlow<Stop> {
        self.check_at(Instant::now())
    }

    fn check_at(&self, now: Instant) -> ControlFlow<Stop> {
        if self.0.cancel.is_cancelled() {
            return self.stop(Stop::Cancelled);
        }
        if self.0.deadline.is_some_and(|deadline| now >= deadline) {
            return self.stop(Stop::Time);
        }
        match self.ended() {
            GOING_ON => Continue(()),
            end => Break(stop_of(end).unwrap_or(Stop::Cancelled)),
        }
    }

    /// The work has reached its end: no thread is to go on. Nothing is [`stopped`](Self::stopped) by that.
    pub fn finish(&self) {
        self.end(FINISHED);
    }

    /// Whether the work was told to end: by a limit on nodes or time, by the switch, or because it is
    /// [finished](Self::finish), as far as somebody has noticed.
    ///
    /// A search that ends by itself, solved or refused memory, does not end its control, which others may share: who waits
    /// for it in another thread waits for that thread.
    pub fn is_over(&self) -> bool {
        self.ended() != GOING_ON
    }

    /// Which limit, or the switch, told the work to end, if one did. Memory is refused to one who asks for it, and is told of
    /// in his report.
    pub fn stopped(&self) -> Option<Stop> {
        stop_of(self.ended())
    }

    /// The code of its own end, or of the whole's.
    fn ended(&self) -> u8 {
        match self.0.end.load(Relaxed) {
            GOING_ON => self.0.whole.as_ref().map_or(GOING_ON, Self::ended),
            end => end,
        }
    }

    fn end(&self, code: u8) {
        // The first reason counts.
        let _ = self.0.end.compare_exchange(GOING_ON, code, Relaxed, Relaxed);
    }

    fn stop<T>(&self, why: Stop) -> ControlFlow<Stop, T> {
        self.end(code_of(why));
        Break(why)
    }

    /// The time since the control was made.
    pub fn elapsed(&self) -> Duration {
        self.0.started.elapsed()
    }

    /// The time left, here and above, if it is limited.
    pub fn time_left(&self) -> Option<Duration> {
        self.0.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The nodes that may still be expanded, here and above, if they are limited.
    pub fn nodes_left(&self) -> Option<u64> {
        let own = Some(self.0.nodes.load(Relaxed)).filter(|&left| left != ENDLESS);
        let above = self.0.whole.as_ref().and_then(Self::nodes_left);
        own.into_iter().chain(above).min()
    }
}

impl Default for Control {
    fn default() -> Self {
        Self::unlimited()
    }
}

/// The code of a stop. What a control does not call for itself ends nothing.
fn code_of(stop: Stop) -> u8 {
    STOPS.iter().position(|&other| other == stop).map_or(GOING_ON, |index| index as u8 + 2)
}

fn stop_of(code: u8) -> Option<Stop> {
    STOPS.get(usize::from(code).wrapping_sub(2)).copied()
}
