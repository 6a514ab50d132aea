//! Nodes, granted before they are expanded.

use std::{
    ops::ControlFlow::{self, Break, Continue},
    sync::atomic::Ordering::{Acquire, Relaxed, Release},
    thread,
    time::{Duration, Instant},
};

use super::{Control, ENDLESS};
use crate::Stop;

/// Expansions that may be made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grant {
    pub(super) nodes: u64,
    /// Whether a limit on nodes allows no more than these.
    pub(super) are_last: bool,
}

/// How long to wait for nodes that others were granted, who may have to wait for a processor; and between two looks.
pub(super) const PATIENCE: Duration = Duration::from_millis(250);
const PAUSE: Duration = Duration::from_micros(50);

impl Control {
    /// Grants up to `wanted` expansions, at least one, to a meter that has `unused` ones.
    ///
    /// Where the last ones are in other meters' hands, it waits until they are used or given back: a block is used up
    /// within about a millisecond. It does not wait for long, as a meter may belong to somebody who waits for this one.
    pub(super) fn grant(&self, wanted: u64, unused: u64, now: Instant) -> ControlFlow<Stop, Grant> {
        self.check_at(now)?;
        let passed = self.pass_gates(wanted)?;
        let mut since = None;
        loop {
            // Before the attempt: what is given back after it was looked at is seen by the next one.
            let is_lent = self.lends_more_than(unused);
            match self.take_nodes(passed) {
                0 if is_lent && since.get_or_insert_with(Instant::now).elapsed() < PATIENCE => thread::sleep(PAUSE),
                nodes => {
                    self.tell_gates(passed - nodes);
                    let grant = Grant { nodes, are_last: nodes < passed };
                    return if nodes == 0 { self.stop(Stop::Nodes) } else { Continue(grant) };
                }
            }
            if let Break(why) = self.check() {
                self.tell_gates(passed);
                return Break(why);
            }
        }
    }

    /// How many of those wanted the gates let through, here and above, once they let any.
    fn pass_gates(&self, wanted: u64) -> ControlFlow<Stop, u64> {
        let mut passed = wanted;
        if let Some(gate) = &self.0.gate {
            passed = loop {
                match gate.pass(wanted) {
                    Some(passed) => break passed,
                    None => self.check()?,
                }
            };
        }
        self.0.whole.as_ref().map_or(Continue(passed), |whole| whole.pass_gates(passed))
    }

    fn tell_gates(&self, unused: u64) {
        if let Some(gate) = self.0.gate.as_ref().filter(|_| unused > 0) {
            gate.give_back(unused);
        }
        if let Some(whole) = &self.0.whole {
            whole.tell_gates(unused);
        }
    }

    /// Whether a gate may hold it up.
    pub(super) fn is_gated(&self) -> bool {
        self.0.gate.is_some() || self.0.whole.as_ref().is_some_and(Self::is_gated)
    }

    /// Whether every control whose nodes are all granted, here and above, may get some back from others.
    fn lends_more_than(&self, unused: u64) -> bool {
        let lent = self.0.lent.load(Acquire);
        let own = self.0.nodes.load(Relaxed) > 0 || lent > unused;
        own && self.0.whole.as_ref().is_none_or(|whole| whole.lends_more_than(unused))
    }

    /// Takes up to `wanted` nodes off what is left here and above.
    pub(super) fn take_nodes(&self, wanted: u64) -> u64 {
        let own = self.lend(wanted);
        let granted = self.0.whole.as_ref().map_or(own, |whole| whole.take_nodes(own));
        self.take_back(own - granted);
        granted
    }

    /// Takes up to `wanted` nodes off what is left here.
    fn lend(&self, wanted: u64) -> u64 {
        let take = |left: u64| (left != ENDLESS).then(|| left - left.min(wanted));
        // They are noted first, so that they are never neither here nor lent.
        if self.0.nodes.load(Relaxed) != ENDLESS {
            self.0.lent.fetch_add(wanted, Relaxed);
        }
        match self.0.nodes.fetch_update(Relaxed, Relaxed, take) {
            Ok(left) => {
                let own = left.min(wanted);
                self.0.lent.fetch_sub(wanted - own, Release);
                own
            }
            Err(_endless) => wanted,
        }
    }

    /// Takes back what was granted here and not used.
    fn take_back(&self, unused: u64) {
        let put = |left: u64| (left != ENDLESS).then_some(left.saturating_add(unused));
        if unused > 0 && self.0.nodes.fetch_update(Relaxed, Relaxed, put).is_ok() {
            self.0.lent.fetch_sub(unused, Release);
        }
    }

    /// Takes back what was granted here and above and not used.
    pub(super) fn give_nodes(&self, unused: u64) {
        self.tell_gates(unused);
        self.put_nodes_back(unused);
    }

    fn put_nodes_back(&self, unused: u64) {
        self.take_back(unused);
        if let Some(whole) = &self.0.whole {
            whole.put_nodes_back(unused);
        }
    }
}
