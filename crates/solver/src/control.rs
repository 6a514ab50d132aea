//! Limits, cancellation and counts that the threads of one search share.

use std::{
    ops::ControlFlow::{self, Break, Continue},
    sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

use pintu_search::{Cancel, Counters, Limits, Stop};

/// What a search has done so far, as a watcher sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// States taken up.
    pub expanded: u64,
    /// Successors produced, and the start.
    pub generated: u64,
    /// No solution is shorter than this.
    pub bound: u32,
}

/// Called now and then from any of the search's threads.
pub type Watch<'a> = &'a (dyn Fn(Tally) + Sync);

/// Why a thread ends before it is done.
pub(crate) enum Halt {
    /// It is at the goal.
    Goal,
    /// A limit, or somebody, stopped it.
    Stopped,
}

/// What the threads of one search share.
pub(crate) struct Control<'a> {
    limits: Limits,
    cancel: &'a Cancel,
    started: Instant,
    watch: Watch<'a>,
    /// States that may still be expanded, apart from those granted to a thread already.
    left: AtomicU64,
    expanded: AtomicU64,
    generated: AtomicU64,
    pub(crate) bound: AtomicU64,
    halt: AtomicU8,
}

const GOING_ON: u8 = 0;
const SOLVED: u8 = 1;
const REASONS: [Stop; 3] = [Stop::Nodes, Stop::Time, Stop::Cancelled];

/// Between two looks at the clock: a fraction of a millisecond.
const GRANT: u64 = 4096;

impl<'a> Control<'a> {
    /// The clock started at `started`.
    pub(crate) fn new(limits: Limits, cancel: &'a Cancel, started: Instant, watch: Watch<'a>) -> Self {
        Self {
            limits,
            cancel,
            started,
            watch,
            left: AtomicU64::new(limits.nodes.unwrap_or(u64::MAX)),
            expanded: AtomicU64::new(0),
            generated: AtomicU64::new(1),
            bound: AtomicU64::new(0),
            halt: AtomicU8::new(GOING_ON),
        }
    }

    /// The control of a part of the search that may expand so many states and no more than the whole.
    pub(crate) fn part(&self, most: u64) -> Control<'a> {
        let nodes = Some(most.min(self.left.load(Relaxed)));
        Control::new(Limits { nodes, ..self.limits }, self.cancel, self.started, &|_| ())
    }

    /// Adds what a part of the search has done.
    pub(crate) fn add_part(&self, part: &Control<'_>) {
        let Counters { expanded, generated, .. } = part.counters();
        self.left.fetch_sub(expanded, Relaxed);
        self.add(expanded, generated - 1);
    }

    pub(crate) fn counters(&self) -> Counters {
        Counters {
            expanded: self.expanded.load(Relaxed),
            generated: self.generated.load(Relaxed),
            ..Counters::default()
        }
    }

    /// What stopped the search, if something did.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        REASONS.get(usize::from(self.halt.load(Relaxed)).wrapping_sub(2)).copied()
    }

    /// Whether the threads are to end.
    pub(crate) fn is_over(&self) -> bool {
        self.halt.load(Relaxed) != GOING_ON
    }

    /// How often what has been done since can be done again: since so many states were expanded, and so much time
    /// had passed.
    pub(crate) fn turns_left(&self, expanded: u64, passed: Duration) -> f64 {
        let states = self.expanded.load(Relaxed) - expanded;
        let by_nodes = self.limits.nodes.map(|_| self.left.load(Relaxed) as f64 / states.max(1) as f64);
        let now = self.started.elapsed();
        let took = now.saturating_sub(passed).as_secs_f64().max(1e-6);
        let by_time = self.limits.time.map(|most| most.saturating_sub(now).as_secs_f64() / took);
        by_nodes.unwrap_or(f64::INFINITY).min(by_time.unwrap_or(f64::INFINITY))
    }

    /// A solution has been found.
    pub(crate) fn solved(&self) {
        self.end(SOLVED);
    }

    fn end(&self, halt: u8) {
        // The first reason counts.
        let _ = self.halt.compare_exchange(GOING_ON, halt, Relaxed, Relaxed);
    }

    fn stop(&self, why: Stop) -> ControlFlow<Halt, u64> {
        let index = REASONS.iter().position(|&reason| reason == why).unwrap_or(0);
        self.end(index as u8 + 2);
        Break(Halt::Stopped)
    }

    /// Adds to the counts and grants more expansions.
    fn grant(&self, expanded: u64, generated: u64) -> ControlFlow<Halt, u64> {
        self.add(expanded, generated);
        if self.cancel.is_cancelled() {
            return self.stop(Stop::Cancelled);
        }
        if self.limits.time.is_some_and(|most| self.started.elapsed() >= most) {
            return self.stop(Stop::Time);
        }
        if self.is_over() {
            return Break(Halt::Stopped);
        }
        let before = self.left.fetch_update(Relaxed, Relaxed, |left| Some(left - left.min(GRANT))).unwrap_or(0);
        if before == 0 { self.stop(Stop::Nodes) } else { Continue(before.min(GRANT)) }
    }

    fn add(&self, expanded: u64, generated: u64) {
        let expanded = self.expanded.fetch_add(expanded, Relaxed) + expanded;
        let generated = self.generated.fetch_add(generated, Relaxed) + generated;
        (self.watch)(Tally { expanded, generated, bound: self.bound.load(Relaxed) as u32 });
    }
}

/// One thread's share of what may still be expanded.
pub(crate) struct Allowance<'a> {
    control: &'a Control<'a>,
    /// Expansions granted last, and how many of them are left.
    granted: u64,
    left: u64,
    /// Successors produced since.
    pub(crate) generated: u64,
}

impl<'a> Allowance<'a> {
    pub(crate) fn new(control: &'a Control<'a>) -> Self {
        Self { control, granted: 0, left: 0, generated: 0 }
    }

    /// Some more states are taken up: says how many of those that are wanted.
    #[inline]
    pub(crate) fn expand(&mut self, wanted: usize) -> ControlFlow<Halt, usize> {
        if self.left == 0 {
            self.renew()?;
        }
        let granted = self.left.min(wanted as u64);
        self.left -= granted;
        Continue(granted as usize)
    }

    #[cold]
    fn renew(&mut self) -> ControlFlow<Halt> {
        let (granted, generated) = (self.granted, self.generated);
        (self.granted, self.generated) = (0, 0);
        self.granted = self.control.grant(granted, generated)?;
        self.left = self.granted;
        Continue(())
    }
}

impl Drop for Allowance<'_> {
    /// Accounts for what was used, and gives back what was not.
    fn drop(&mut self) {
        self.control.add(self.granted - self.left, self.generated);
        self.control.left.fetch_add(self.left, Relaxed);
    }
}
