use std::{
    ops::ControlFlow::{self, Break, Continue},
    time::{Duration, Instant},
};

use crate::{Cancel, Counters, Limits, Node, Observer, Stop};

/// The observer that ends a search when its [`Limits`] are reached or its [`Cancel`] is thrown.
///
/// The clock starts when the budget is made. Looking at it costs one comparison an expansion: how
/// many expansions pass between two looks at the clock adapts to their speed.
///
/// ```
/// use pintu_search::{bfs, from_fn, Budget, Limits, Outcome, Stop};
///
/// let endless = from_fn(|&n: &u64| [(n + 1, 1)], |_| false);
/// let mut budget = Budget::new(Limits { nodes: Some(1000), ..Limits::default() });
/// let report = bfs(&endless, &0, &mut budget);
/// assert!(matches!(report.outcome, Outcome::Stopped { why: Stop::Nodes, lower_bound: Some(1000) }));
/// assert_eq!(report.counters.expanded, 1000);
/// ```
#[derive(Clone, Debug)]
pub struct Budget {
    limits: Limits,
    cancel: Cancel,
    started: Instant,
    last_look: Instant,
    interval: u64,
    next_look: u64,
}

impl Budget {
    /// A budget whose clock starts now.
    pub fn new(limits: Limits) -> Self {
        Self::with_cancel(limits, Cancel::new())
    }

    /// A budget that also ends when `cancel` is thrown.
    pub fn with_cancel(limits: Limits, cancel: Cancel) -> Self {
        let now = Instant::now();
        Self { limits, cancel, started: now, last_look: now, interval: 1, next_look: 0 }
    }

    /// The time since the budget was made.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    #[cold]
    fn look(&mut self, expanded: u64) -> ControlFlow<Stop> {
        const LONG: Duration = Duration::from_millis(2);
        if self.limits.nodes.is_some_and(|most| expanded >= most) {
            return Break(Stop::Nodes);
        }
        let now = Instant::now();
        self.check(now)?;
        let since = now - self.last_look;
        self.last_look = now;
        self.interval = if since > LONG { (self.interval / 2).max(1) } else { (self.interval * 2).min(1 << 16) };
        self.next_look = (expanded + self.interval).min(self.limits.nodes.unwrap_or(u64::MAX));
        Continue(())
    }

    fn check(&self, now: Instant) -> ControlFlow<Stop> {
        if self.cancel.is_cancelled() {
            return Break(Stop::Cancelled);
        }
        if self.limits.time.is_some_and(|most| now - self.started >= most) {
            return Break(Stop::Time);
        }
        Continue(())
    }
}

impl<St> Observer<St> for Budget {
    #[inline]
    fn expand(&mut self, _: &Node<'_, St>, so_far: &Counters) -> ControlFlow<Stop> {
        if so_far.expanded >= self.next_look { self.look(so_far.expanded) } else { Continue(()) }
    }

    fn iteration(&mut self, _: u32, _: &Counters) -> ControlFlow<Stop> {
        // A budget may serve several searches, one after the other, each of which counts from zero.
        self.next_look = 0;
        self.check(Instant::now())
    }

    fn grow(&mut self, bytes: u64, _: &Counters) -> ControlFlow<Stop> {
        if self.limits.memory.is_some_and(|most| bytes > most) { Break(Stop::Memory) } else { Continue(()) }
    }
}
