use std::{
    ops::ControlFlow::{self, Continue},
    time::{Duration, Instant},
};

use super::{Control, grants::Grant};
use crate::{Counters, Stop};

/// One thread's counts, and the expansions that its [`Control`] has granted it.
///
/// Asking for an expansion costs one comparison: expansions are granted in blocks, whose size adapts so that the clock is
/// read and the switch looked at every millisecond or so. What is granted is taken off the limit at once, so that a limit
/// on nodes is exact on any number of threads; what was not used is given back when the meter [rests](Self::rest) or is
/// dropped.
#[derive(Debug)]
pub struct Meter<'c> {
    control: &'c Control,
    /// What this thread has done since the meter was made.
    pub counters: Counters,
    /// How many expansions have been granted in all.
    granted: u64,
    /// What the control knows of the counts.
    told: Counters,
    block: u64,
    last_look: Option<Instant>,
}

/// Between two looks at the clock.
const LONG: Duration = Duration::from_millis(1);
const MOST_BLOCK: u64 = 1 << 16;

impl<'c> Meter<'c> {
    pub(super) fn new(control: &'c Control) -> Self {
        Self {
            control,
            counters: Counters::default(),
            granted: 0,
            told: Counters::default(),
            block: 1,
            last_look: None,
        }
    }

    /// So many expansions are sure to take less than a millisecond: they are granted at once, as are twice as many next
    /// time if that turns out to be true.
    pub fn begin_with(&mut self, expansions: u64) {
        self.block = expansions.clamp(1, MOST_BLOCK);
    }

    /// Whether the control will be asked before the next expansion.
    #[inline]
    pub fn is_due(&self) -> bool {
        self.counters.expanded == self.granted
    }

    /// The control that it draws from.
    pub fn control(&self) -> &'c Control {
        self.control
    }

    /// A state is about to be taken up: counts it, unless the work is to end.
    #[inline]
    pub fn expand(&mut self) -> ControlFlow<Stop> {
        if self.is_due() {
            self.renew()?;
        }
        self.counters.expanded += 1;
        Continue(())
    }

    /// Up to `wanted` states are about to be taken up: counts as many of them as may be, at least one. They are fewer
    /// only where a limit on nodes says so, never because a block ends: what is taken up together does not depend on
    /// the clock.
    #[inline]
    pub fn expand_some(&mut self, wanted: usize) -> ControlFlow<Stop, usize> {
        if self.unused() < wanted as u64 {
            self.top_up(wanted as u64)?;
        }
        let some = self.unused().min(wanted as u64);
        self.counters.expanded += some;
        Continue(some as usize)
    }

    /// Has more granted where that is too little for so many, or leaves it at what there is.
    #[cold]
    fn top_up(&mut self, wanted: u64) -> ControlFlow<Stop> {
        if self.unused() > 0 && self.control.nodes_left().is_some_and(|nodes| nodes == 0) {
            return Continue(());
        }
        while self.unused() < wanted {
            if self.renew()?.are_last {
                break;
            }
        }
        Continue(())
    }

    #[cold]
    fn renew(&mut self) -> ControlFlow<Stop, Grant> {
        self.tell();
        let now = Instant::now();
        if let Some(before) = self.last_look.replace(now) {
            let is_long = now - before > LONG;
            self.block = if is_long { (self.block / 2).max(1) } else { (self.block * 2).min(MOST_BLOCK) };
        }
        let grant = self.control.grant(self.block, self.unused(), now)?;
        self.granted += grant.nodes;
        if self.control.is_gated() {
            // The wait was no work.
            self.last_look = Some(Instant::now());
        }
        Continue(grant)
    }

    #[inline]
    fn unused(&self) -> u64 {
        self.granted - self.counters.expanded
    }

    /// Gives back what was granted and not used: for a thread that pauses while others go on.
    pub fn rest(&mut self) {
        self.control.give_nodes(self.unused());
        self.granted = self.counters.expanded;
    }

    /// Tells the control what has been counted, which happens by itself now and then.
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
