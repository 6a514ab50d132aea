use std::ops::ControlFlow::{self, Break, Continue};

use super::{Id, Rank};
use crate::{Cost, Hold, Meter, Stop};

/// How many nodes were expanded once more, and what the search had produced before.
struct Settling {
    done: usize,
    generated: u64,
}

/// How far a search has come.
pub(crate) struct Progress<V> {
    /// The nodes from which a step led further than a cost can say, to where nothing had led by then.
    aside: Vec<Id>,
    /// While those are expanded once more.
    settling: Option<Settling>,
    /// The greatest rank that no open node's was below, seen when nothing was missing from the queue.
    pub(super) least: V,
}

impl<V> Progress<V> {
    /// Before anything was taken up, nothing is known but that costs are not negative.
    pub(crate) fn new<C: Cost>(rank: &impl Rank<C, Value = V>) -> Self {
        Self { aside: Vec::new(), settling: None, least: rank.of(C::ZERO, C::ZERO) }
    }

    /// Whether a successor was set aside because its cost did not fit.
    pub(super) fn has_set_aside(&self) -> bool {
        !self.aside.is_empty()
    }

    /// A step from a node is set aside. It is what stops the search if that is settling.
    #[cold]
    pub(super) fn set_aside(&mut self, from: Id, hold: &mut Hold) -> ControlFlow<Stop> {
        if self.is_settling() {
            return Break(Stop::Overflow);
        }
        if self.aside.last() == Some(&from) {
            return Continue(());
        }
        if self.aside.len() == self.aside.capacity() {
            let more = (self.aside.len() * 2).max(16);
            hold.reserve(&mut self.aside, more)?;
        }
        self.aside.push(from);
        Continue(())
    }

    /// Whether all that fits is known, and it is looked at what does not.
    pub(super) fn is_settling(&self) -> bool {
        self.settling.is_some()
    }

    /// The next node to be expanded once more.
    #[cold]
    pub(super) fn unsettled(&mut self, meter: &Meter<'_>) -> ControlFlow<Stop, Option<Id>> {
        const BETWEEN_LOOKS: usize = 1 << 10;
        let generated = meter.counters.generated;
        let Settling { done, .. } = self.settling.get_or_insert(Settling { done: 0, generated });
        if *done % BETWEEN_LOOKS == 0 {
            meter.control().check()?;
        }
        *done += 1;
        Continue(self.aside.get(*done - 1).copied())
    }

    /// Takes no account of what was produced once more.
    pub(super) fn settled(&mut self, meter: &mut Meter<'_>) {
        if let Some(Settling { generated, .. }) = self.settling.take() {
            meter.counters.generated = generated;
        }
    }
}
