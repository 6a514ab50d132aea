//! Nodes: granted to a thread's meter before they are expanded.

use std::{
    fmt,
    sync::atomic::Ordering::{Acquire, Relaxed, Release},
    thread,
    time::Duration,
};

use super::{Control, NO_LIMIT};
use crate::{
    Counters, Stop,
    clock::{CAN_WAIT, Instant},
};

/// One thread's counts, and the expansions that its [`Control`] has granted it.
///
/// Asking for an expansion costs one comparison: expansions are granted in blocks, whose size adapts so that the clock
/// is read and cancellation checked about every millisecond. A granted block is taken off the limit at once, so a node
/// limit is exact on any number of threads; unused expansions are given back when the meter [rests](Self::rest) or is
/// dropped.
#[derive(Debug)]
pub struct Meter<'c> {
    control: &'c Control,
    /// What this thread has done since the meter was made.
    counters: Counters,
    /// How many expansions have been granted in all.
    granted: u64,
    /// The counts already reported to the control.
    told: Counters,
    /// Expansions to ask for next time.
    block: u64,
    last_check: Option<Instant>,
}

/// The time in which a block of expansions should be used up.
const CHECK_INTERVAL: Duration = Duration::from_millis(1);
const MAX_BLOCK: u64 = 1 << 16;

/// How long to wait for nodes that were granted to other meters, and between two attempts.
pub(super) const MAX_WAIT: Duration = Duration::from_millis(250);
const POLL_INTERVAL: Duration = Duration::from_micros(50);

/// Slows work down: a control with a gate asks it before each block of expansions.
pub trait Gate: fmt::Debug + Send + Sync {
    /// How many of `wanted` expansions may be made now, at least one. It may wait for a moment, and returns `None` if none
    /// may be made yet: the control then checks whether the work is to end, and asks again.
    fn pass(&self, wanted: u64) -> Option<u64>;

    /// Gives back expansions that were let through and will not be made.
    fn give_back(&self, unused: u64);

    /// Whether the gate is closed for good: the work is then cancelled.
    fn is_over(&self) -> bool {
        false
    }
}

impl<'c> Meter<'c> {
    pub(super) fn new(control: &'c Control) -> Self {
        let (counters, told) = (Counters::default(), Counters::default());
        Self { control, counters, granted: 0, told, block: 1, last_check: None }
    }

    /// Asks for a first block of `expansions`, which are sure to take less than a millisecond.
    pub fn begin_with(&mut self, expansions: u64) {
        self.block = expansions.clamp(1, MAX_BLOCK);
    }

    /// Whether the control will be asked before the next expansion.
    #[inline]
    pub fn is_due(&self) -> bool {
        self.counters.expanded == self.granted
    }

    /// The control that grants its expansions.
    pub fn control(&self) -> &'c Control {
        self.control
    }

    /// What this thread has counted since the meter was made.
    #[inline]
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Counts generated states.
    #[inline]
    pub fn generate(&mut self, count: u64) {
        self.counters.generated += count;
    }

    /// Takes back the last `count` expansions: they were counted but not made.
    pub fn unexpand(&mut self, count: u64) {
        self.counters.expanded -= count;
    }

    /// Records the number of states held now; its maximum is the peak.
    #[inline]
    pub fn note_states(&mut self, states: u64) {
        self.counters.peak_states = self.counters.peak_states.max(states);
    }

    /// Notes the most states and bytes that were held, and returns all counts.
    pub fn finish(&mut self, peak_states: u64, peak_bytes: u64) -> Counters {
        self.note_states(peak_states);
        self.counters.peak_bytes = peak_bytes;
        self.counters
    }

    /// Counts a state that is about to be expanded, unless the work is to end.
    #[inline]
    pub fn expand(&mut self) -> Result<(), Stop> {
        if self.is_due() {
            self.renew()?;
        }
        self.counters.expanded += 1;
        Ok(())
    }

    /// Counts up to `wanted` states that are about to be expanded together, at least one. They are fewer only if a limit
    /// on nodes says so, never because a block ends: what is expanded together does not depend on the clock.
    #[inline]
    pub fn expand_some(&mut self, wanted: usize) -> Result<usize, Stop> {
        if self.unused() < wanted as u64 {
            self.top_up(wanted as u64)?;
        }
        let some = self.unused().min(wanted as u64);
        self.counters.expanded += some;
        Ok(some as usize)
    }

    /// Asks for more until `wanted` expansions are granted, or the limit on nodes is reached.
    #[cold]
    fn top_up(&mut self, wanted: u64) -> Result<(), Stop> {
        while self.unused() < wanted && (self.unused() == 0 || self.control.nodes_left() != Some(0)) {
            self.renew()?;
        }
        Ok(())
    }

    #[cold]
    fn renew(&mut self) -> Result<(), Stop> {
        self.tell();
        let now = Instant::now();
        if let Some(before) = self.last_check.replace(now) {
            let is_long = now - before > CHECK_INTERVAL;
            self.block = if is_long { (self.block / 2).max(1) } else { (self.block * 2).min(MAX_BLOCK) };
        }
        self.granted += self.control.grant(self.block, self.unused(), now)?;
        if self.control.is_gated() {
            // Time spent waiting at the gate is not work.
            self.last_check = Some(Instant::now());
        }
        Ok(())
    }

    #[inline]
    fn unused(&self) -> u64 {
        self.granted - self.counters.expanded
    }

    /// Gives back the unused expansions, for a thread that pauses while others go on.
    pub fn rest(&mut self) {
        self.control.give_nodes(self.unused());
        self.granted = self.counters.expanded;
    }

    /// [Rests](Self::rest) if expansions are limited, so that others could use what this thread was granted.
    pub fn pause(&mut self) {
        if self.control.is_gated() || self.control.nodes_left().is_some() {
            self.rest();
        }
    }

    /// Tells the control what has been counted, which happens by itself with each block.
    pub fn tell(&mut self) {
        let Counters { expanded, generated, peak_states, .. } = self.counters;
        self.control.count(expanded - self.told.expanded, generated - self.told.generated);
        self.control.note_states(peak_states);
        self.told = self.counters;
    }
}

impl Drop for Meter<'_> {
    fn drop(&mut self) {
        self.tell();
        self.rest();
    }
}

impl Control {
    /// Grants up to `wanted` expansions, at least one, to a meter that has `unused` ones.
    ///
    /// If the last ones are granted to other meters, it waits until they are used or given back: a block is used up within
    /// about a millisecond. It does not wait for long, as a meter's owner may wait for this one.
    fn grant(&self, wanted: u64, unused: u64, now: Instant) -> Result<u64, Stop> {
        self.check_at(now)?;
        let passed = self.pass_gates(wanted)?;
        let mut since = None;
        loop {
            // Read before the attempt, so that the next attempt sees expansions given back in between.
            let is_lent = self.lends_more_than(unused);
            match self.take_nodes(passed) {
                0 if CAN_WAIT && is_lent && since.get_or_insert_with(Instant::now).elapsed() < MAX_WAIT => {
                    thread::sleep(POLL_INTERVAL);
                }
                nodes => {
                    self.tell_gates(passed - nodes);
                    return if nodes == 0 { self.stop(Stop::Nodes) } else { Ok(nodes) };
                }
            }
            if let Err(why) = self.check() {
                self.tell_gates(passed);
                return Err(why);
            }
        }
    }

    /// How many of the wanted expansions all gates from here upwards let through. Waits until there is one.
    fn pass_gates(&self, wanted: u64) -> Result<u64, Stop> {
        let mut passed = wanted;
        if let Some(gate) = &self.0.gate {
            passed = loop {
                match gate.pass(wanted) {
                    Some(passed) => break passed,
                    None if gate.is_over() => return self.stop(Stop::Cancelled),
                    None => self.check()?,
                }
            };
        }
        self.0.whole.as_ref().map_or(Ok(passed), |whole| whole.pass_gates(passed))
    }

    fn tell_gates(&self, unused: u64) {
        for gate in self.upwards().filter_map(|control| control.0.gate.as_ref()).filter(|_| unused > 0) {
            gate.give_back(unused);
        }
    }

    fn is_gated(&self) -> bool {
        self.upwards().any(|control| control.0.gate.is_some())
    }

    /// Whether every control whose nodes are all granted, here and above, may get some back from other meters.
    fn lends_more_than(&self, unused: u64) -> bool {
        self.upwards().all(|Self(shared)| {
            let lent = shared.lent.load(Acquire);
            shared.nodes.load(Relaxed) > 0 || lent > unused
        })
    }

    /// Takes up to `wanted` nodes off the limits here and above.
    pub(super) fn take_nodes(&self, wanted: u64) -> u64 {
        let own = self.lend(wanted);
        let granted = self.0.whole.as_ref().map_or(own, |whole| whole.take_nodes(own));
        self.take_back(own - granted);
        granted
    }

    /// Takes up to `wanted` nodes off the limit here.
    fn lend(&self, wanted: u64) -> u64 {
        let take = |left: u64| (left != NO_LIMIT).then(|| left - left.min(wanted));
        // The expansions are counted as lent first, so that at no time they are neither left nor lent.
        if self.0.nodes.load(Relaxed) != NO_LIMIT {
            self.0.lent.fetch_add(wanted, Relaxed);
        }
        match self.0.nodes.fetch_update(Relaxed, Relaxed, take) {
            Ok(left) => {
                let own = left.min(wanted);
                self.0.lent.fetch_sub(wanted - own, Release);
                own
            }
            Err(_no_limit) => wanted,
        }
    }

    /// Takes back nodes that were granted here and not used.
    fn take_back(&self, unused: u64) {
        let put = |left: u64| (left != NO_LIMIT).then_some(left.saturating_add(unused));
        if unused > 0 && self.0.nodes.fetch_update(Relaxed, Relaxed, put).is_ok() {
            self.0.lent.fetch_sub(unused, Release);
        }
    }

    /// Takes back nodes that were granted here and above and not used.
    fn give_nodes(&self, unused: u64) {
        self.tell_gates(unused);
        self.upwards().for_each(|control| control.take_back(unused));
    }
}
