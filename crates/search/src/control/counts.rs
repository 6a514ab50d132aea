//! What work has done so far.

use std::sync::atomic::Ordering::{Relaxed, Release};

use super::{Control, ENDLESS, GOING_ON, code_of};
use crate::{Counters, Stop};

impl Control {
    /// Counts states that were taken up where no meter goes, on a device: no more than were left of the nodes. It does not
    /// matter whether the work has ended meanwhile.
    pub fn count_done(&self, expanded: u64, generated: u64) {
        let taken = self.take_nodes(expanded);
        self.count(taken, generated);
    }

    /// Adds to the counts, here and above.
    pub(super) fn count(&self, expanded: u64, generated: u64) {
        self.0.expanded.fetch_add(expanded, Relaxed);
        self.0.generated.fetch_add(generated, Relaxed);
        if self.0.nodes.load(Relaxed) != ENDLESS {
            self.0.lent.fetch_sub(expanded, Release);
        }
        if let Some(whole) = &self.0.whole {
            whole.count(expanded, generated);
        }
    }

    /// Takes back what was counted here and above, of work that is done over from its beginning: what it expands counts
    /// once, and a limit on nodes is as exact as if it had been done once; if that has stopped it, it may go on. Its meters
    /// must have [told](super::Meter::tell) all of it.
    pub fn forget(&self, counted: &Counters) {
        self.0.expanded.fetch_sub(counted.expanded, Relaxed);
        self.0.generated.fetch_sub(counted.generated, Relaxed);
        let put = |left: u64| (left != ENDLESS).then_some(left.saturating_add(counted.expanded));
        let _ = self.0.nodes.fetch_update(Relaxed, Relaxed, put);
        if counted.expanded > 0 {
            let _ = self.0.end.compare_exchange(code_of(Stop::Nodes), GOING_ON, Relaxed, Relaxed);
        }
        if let Some(whole) = &self.0.whole {
            whole.forget(counted);
        }
    }

    /// Notes how many states are held at once.
    pub fn note_states(&self, states: u64) {
        self.0.peak_states.fetch_max(states, Relaxed);
        if let Some(whole) = &self.0.whole {
            whole.note_states(states);
        }
    }

    /// Notes that no solution costs less, for whoever watches. What was noted before and is higher stays.
    pub fn note_bound(&self, bound: u64) {
        self.0.bound.fetch_max(bound, Relaxed);
        if let Some(whole) = &self.0.whole {
            whole.note_bound(bound);
        }
    }

    /// The highest bound that was noted, here or in a part.
    pub fn bound(&self) -> u64 {
        self.0.bound.load(Relaxed)
    }

    /// What the work has done so far, as far as its meters have told.
    pub fn counters(&self) -> Counters {
        Counters {
            expanded: self.0.expanded.load(Relaxed),
            generated: self.0.generated.load(Relaxed),
            peak_states: self.0.peak_states.load(Relaxed),
            peak_bytes: self.0.peak_bytes.load(Relaxed),
        }
    }
}
