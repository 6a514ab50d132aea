//! What all parts of a solve share: the clock, the switch, the limits and the counts.

use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

use pintu_search::{Cancel, Counters, Limits, Stop};

use super::Tell;

pub(super) struct Watch<'a> {
    limits: Limits,
    cancel: &'a Cancel,
    tell: Tell<'a>,
    started: Instant,
    expanded: AtomicU64,
    generated: AtomicU64,
    peak_states: AtomicU64,
    peak_bytes: AtomicU64,
}

/// Time and expanded states.
#[derive(Clone, Copy)]
pub(super) struct Spent {
    time: Duration,
    nodes: u64,
}

impl Spent {
    pub(super) fn since(self, before: Self) -> Self {
        Self { time: self.time.saturating_sub(before.time), nodes: self.nodes - before.nodes }
    }
}

/// Without a memory limit.
const USUAL_MEMORY: u64 = 1 << 30;

impl<'a> Watch<'a> {
    pub(super) fn new(limits: Limits, cancel: &'a Cancel, tell: Tell<'a>) -> Self {
        Self {
            limits,
            cancel,
            tell,
            started: Instant::now(),
            expanded: AtomicU64::new(0),
            generated: AtomicU64::new(1),
            peak_states: AtomicU64::new(1),
            peak_bytes: AtomicU64::new(0),
        }
    }

    /// Why the search must end now, if it must.
    pub(super) fn stop(&self) -> Option<Stop> {
        if self.cancel.is_cancelled() {
            return Some(Stop::Cancelled);
        }
        if self.limits.nodes.is_some_and(|most| self.expanded.load(Relaxed) >= most) {
            return Some(Stop::Nodes);
        }
        self.left().is_some_and(|left| left.is_zero()).then_some(Stop::Time)
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The time that is left, if it is limited.
    pub(super) fn left(&self) -> Option<Duration> {
        self.limits.time.map(|most| most.saturating_sub(self.elapsed()))
    }

    /// What has been spent so far.
    pub(super) fn spent(&self) -> Spent {
        Spent { time: self.elapsed(), nodes: self.expanded.load(Relaxed) }
    }

    /// How many times what was spent is still there to spend.
    pub(super) fn turns_left(&self, spent: Spent) -> f64 {
        let time = self.left().map_or(f64::INFINITY, |left| left.as_secs_f64() / spent.time.as_secs_f64().max(1e-6));
        let nodes = self.limits.nodes.map_or(f64::INFINITY, |most| {
            most.saturating_sub(self.expanded.load(Relaxed)) as f64 / spent.nodes.max(1) as f64
        });
        time.min(nodes)
    }

    /// The bytes that may be held at once.
    pub(super) fn memory(&self) -> u64 {
        self.limits.memory.unwrap_or(USUAL_MEMORY)
    }

    pub(super) fn count(&self, expanded: u64, generated: u64) {
        self.expanded.fetch_add(expanded, Relaxed);
        self.generated.fetch_add(generated, Relaxed);
        (self.tell)(&self.counters());
    }

    pub(super) fn hold(&self, states: u64, bytes: u64) {
        self.peak_states.fetch_max(states, Relaxed);
        self.peak_bytes.fetch_max(bytes, Relaxed);
    }

    pub(super) fn counters(&self) -> Counters {
        Counters {
            expanded: self.expanded.load(Relaxed),
            generated: self.generated.load(Relaxed),
            peak_states: self.peak_states.load(Relaxed),
            peak_bytes: self.peak_bytes.load(Relaxed),
        }
    }
}
