//! The control of all work: limits, cancellation, counts and bytes.

mod limits;
mod memory;
mod meter;
#[cfg(test)]
mod tests;

use std::{
    iter::successors,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{
            AtomicU8, AtomicU64,
            Ordering::{Relaxed, Release},
        },
    },
    time::Duration,
};

pub use self::{
    limits::{Cancel, Limits},
    memory::{Hold, Idle},
    meter::{Gate, Meter},
};
use crate::{Counters, Stop, clock::Instant};

/// Limits a piece of work, cancels it, and counts what it does. Clones are the same control; threads may share it, and read
/// it while they work.
///
/// A control may have [parts](Self::part): pieces of the work with limits of their own. What a part spends, the whole
/// has spent too, so that all parts together stay within the limits of the whole, on any number of threads.
///
/// - *Nodes* are granted before they are expanded: the limit is exact.
/// - *Time* runs from the making of the control. The clock is read about once a millisecond.
/// - *Memory* is asked for before a table grows.
///
/// The [front page](crate) shows a limit. Another thread may watch a search and end it:
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
    /// Asked before each block of expansions.
    gate: Option<Arc<dyn Gate>>,
    cancel: Cancel,
    started: Instant,
    /// The earliest of its own deadline and those above.
    deadline: Option<Instant>,
    memory: u64,
    /// Nodes that may still be granted.
    nodes: AtomicU64,
    /// If nodes are limited: those that meters were granted and have neither reported as used nor given back.
    lent: AtomicU64,
    expanded: AtomicU64,
    generated: AtomicU64,
    peak_states: AtomicU64,
    /// Bytes held here and in parts, and the most at once.
    held: AtomicU64,
    peak_bytes: AtomicU64,
    /// Locked while bytes are taken; the same lock for all controls of a tree.
    taking: Arc<Mutex<()>>,
    /// A cache that shrinks when memory is needed.
    idle: OnceLock<Arc<dyn Idle>>,
    bound: AtomicU64,
    /// The first reason to end: [`GOING_ON`], [`FINISHED`] or the code of a [`Stop`].
    end: AtomicU8,
}

impl Shared {
    fn new(whole: Option<Control>, limits: Limits, cancel: Cancel) -> Self {
        let started = Instant::now();
        let own = limits.time.and_then(|time| started.checked_add(time));
        let above = whole.as_ref().and_then(|whole| whole.0.deadline);
        Self {
            deadline: own.into_iter().chain(above).min(),
            taking: whole.as_ref().map_or_else(Arc::default, |whole| Arc::clone(&whole.0.taking)),
            whole,
            gate: None,
            cancel,
            started,
            memory: limits.memory.unwrap_or(u64::MAX),
            nodes: AtomicU64::new(limits.nodes.unwrap_or(NO_LIMIT)),
            lent: AtomicU64::new(0),
            expanded: AtomicU64::new(0),
            generated: AtomicU64::new(0),
            peak_states: AtomicU64::new(0),
            held: AtomicU64::new(0),
            peak_bytes: AtomicU64::new(0),
            idle: OnceLock::new(),
            bound: AtomicU64::new(0),
            end: AtomicU8::new(GOING_ON),
        }
    }
}

const GOING_ON: u8 = 0;
const FINISHED: u8 = 1;
/// The stops that a control itself calls for, by their codes less two.
const STOPS: [Stop; 3] = [Stop::Nodes, Stop::Time, Stop::Cancelled];
/// The nodes that may be granted if they are not limited.
const NO_LIMIT: u64 = u64::MAX;

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

    /// A piece of this work that is slowed down by a gate.
    #[must_use]
    #[doc(hidden)]
    pub fn gated(&self, limits: Limits, gate: Arc<dyn Gate>) -> Self {
        Self(Arc::new(Shared { gate: Some(gate), ..self.shared_part(limits) }))
    }

    /// This control and those above it.
    fn upwards(&self) -> impl Iterator<Item = &Self> {
        successors(Some(self), |control| control.0.whole.as_ref())
    }

    fn shared_part(&self, limits: Limits) -> Shared {
        Shared::new(Some(self.clone()), limits, self.0.cancel.clone())
    }

    /// A thread's meter on this work.
    #[doc(hidden)]
    pub fn meter(&self) -> Meter<'_> {
        Meter::new(self)
    }

    /// A hold on memory, of no bytes yet.
    #[doc(hidden)]
    pub fn hold(&self) -> Hold {
        Hold::new(self.clone())
    }

    /// Cancels this work and all that it is a part of.
    pub fn cancel(&self) {
        self.0.cancel.cancel();
    }

    /// The switch that cancels this work and all that it is a part of.
    pub fn cancel_switch(&self) -> &Cancel {
        &self.0.cancel
    }

    /// Whether the work is to end, for work that expands nothing: reads the clock.
    pub fn check(&self) -> Result<(), Stop> {
        self.check_at(Instant::now())
    }

    fn check_at(&self, now: Instant) -> Result<(), Stop> {
        if self.0.cancel.is_cancelled() {
            return self.stop(Stop::Cancelled);
        }
        if self.0.deadline.is_some_and(|deadline| now >= deadline) {
            return self.stop(Stop::Time);
        }
        match self.ended() {
            GOING_ON => Ok(()),
            end => Err(stop_of(end).unwrap_or(Stop::Cancelled)),
        }
    }

    /// Ends the work because it is done, so that no thread goes on. That is not a [stop](Self::stopped).
    #[doc(hidden)]
    pub fn finish(&self) {
        self.end(FINISHED);
    }

    /// Whether a limit on nodes or time, the switch, or [`finish`](Self::finish) has ended the work.
    ///
    /// A search that ends by itself, solved or refused memory, does not end its control, which others may share.
    pub fn is_over(&self) -> bool {
        self.ended() != GOING_ON
    }

    /// What ended the work: a limit on nodes or time, or the switch. A search that is refused memory says so in its own report.
    pub fn stopped(&self) -> Option<Stop> {
        stop_of(self.ended())
    }

    /// The code of this control's end, or of the end of one above it.
    fn ended(&self) -> u8 {
        self.upwards().map(|control| control.0.end.load(Relaxed)).find(|&end| end != GOING_ON).unwrap_or(GOING_ON)
    }

    fn end(&self, code: u8) {
        // The first reason counts.
        let _ = self.0.end.compare_exchange(GOING_ON, code, Relaxed, Relaxed);
    }

    fn stop<T>(&self, why: Stop) -> Result<T, Stop> {
        self.end(code_of(why));
        Err(why)
    }

    /// The time since the control was made.
    pub fn elapsed(&self) -> Duration {
        self.0.started.elapsed()
    }

    /// The time left, here and above, if it is limited.
    pub fn time_left(&self) -> Option<Duration> {
        self.0.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Counts states that were expanded on a device, without a meter, but no more than were left of the nodes.
    #[doc(hidden)]
    pub fn count_done(&self, expanded: u64, generated: u64) {
        let taken = self.take_nodes(expanded);
        self.count(taken, generated);
    }

    fn count(&self, expanded: u64, generated: u64) {
        for Self(shared) in self.upwards() {
            shared.expanded.fetch_add(expanded, Relaxed);
            shared.generated.fetch_add(generated, Relaxed);
            if shared.nodes.load(Relaxed) != NO_LIMIT {
                shared.lent.fetch_sub(expanded, Release);
            }
        }
    }

    /// Takes back counts of work that is done over from its beginning, here and above, so that it counts once. If the limit
    /// on nodes has stopped it, it may go on. Its meters must have [told](Meter::tell) everything.
    #[doc(hidden)]
    pub fn forget(&self, counted: &Counters) {
        let put = |left: u64| (left != NO_LIMIT).then_some(left.saturating_add(counted.expanded));
        for Self(shared) in self.upwards() {
            shared.expanded.fetch_sub(counted.expanded, Relaxed);
            shared.generated.fetch_sub(counted.generated, Relaxed);
            let _ = shared.nodes.fetch_update(Relaxed, Relaxed, put);
            if counted.expanded > 0 {
                let _ = shared.end.compare_exchange(code_of(Stop::Nodes), GOING_ON, Relaxed, Relaxed);
            }
        }
    }

    /// Notes how many states are held at once.
    #[doc(hidden)]
    pub fn note_states(&self, states: u64) {
        for Self(shared) in self.upwards() {
            shared.peak_states.fetch_max(states, Relaxed);
        }
    }

    /// Raises the lower bound that [`bound`](Self::bound) returns, here and above.
    #[doc(hidden)]
    pub fn note_bound(&self, bound: u64) {
        for Self(shared) in self.upwards() {
            shared.bound.fetch_max(bound, Relaxed);
        }
    }

    /// The highest lower bound that is known, here or in a part, in whole units.
    pub fn bound(&self) -> u64 {
        self.0.bound.load(Relaxed)
    }

    /// The counts of the work so far, to within a millisecond.
    pub fn counters(&self) -> Counters {
        Counters {
            expanded: self.0.expanded.load(Relaxed),
            generated: self.0.generated.load(Relaxed),
            peak_states: self.0.peak_states.load(Relaxed),
            peak_bytes: self.0.peak_bytes.load(Relaxed),
        }
    }

    /// The nodes that may still be expanded, here and above, if they are limited.
    pub fn nodes_left(&self) -> Option<u64> {
        self.upwards().map(|control| control.0.nodes.load(Relaxed)).filter(|&left| left != NO_LIMIT).min()
    }
}

impl Default for Control {
    fn default() -> Self {
        Self::unlimited()
    }
}

/// The code of a stop; [`GOING_ON`] for a stop that a control never calls for itself.
fn code_of(stop: Stop) -> u8 {
    STOPS.iter().position(|&other| other == stop).map_or(GOING_ON, |index| index as u8 + 2)
}

fn stop_of(code: u8) -> Option<Stop> {
    STOPS.get(usize::from(code).wrapping_sub(2)).copied()
}
