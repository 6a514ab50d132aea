use std::ops::ControlFlow::{self, Break, Continue};

use super::{Frontier, Id, Nodes, Rank};
use crate::{Control, Cost, Fate, Hold, Node, Stop};

/// How far a search has come.
pub(crate) struct Progress<V> {
    /// The nodes from which a step led further than a cost can say, to where nothing had led by then.
    aside: Vec<Id>,
    /// The greatest rank that no open node's was below, seen when nothing was missing from the queue.
    pub(super) least: V,
}

impl<V> Progress<V> {
    /// Before anything was taken up, nothing is known but that costs are not negative.
    pub(crate) fn new<C: Cost>(rank: &impl Rank<C, Value = V>) -> Self {
        Self { aside: Vec::new(), least: rank.of(C::ZERO, C::ZERO) }
    }

    /// Whether a successor was set aside because its cost did not fit.
    pub(super) fn has_set_aside(&self) -> bool {
        !self.aside.is_empty()
    }

    /// A step from a node is set aside.
    #[cold]
    pub(super) fn set_aside(&mut self, from: Id, hold: &mut Hold) -> ControlFlow<Stop> {
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

    /// Now that nothing is left to take up: stops the search if something can only be reached at a cost that does not
    /// fit. Where a dear step leads, a cheap way may have led since, so those steps are looked at once more.
    pub(crate) fn settle<N: Nodes>(&self, nodes: &mut N, hold: &mut Hold, control: &Control) -> ControlFlow<Stop> {
        const BETWEEN_LOOKS: usize = 1 << 10;
        let mut again = Again { hold };
        for some in self.aside.chunks(BETWEEN_LOOKS) {
            control.check()?;
            for &id in some {
                nodes.expand(id, nodes.paid(id), &mut again)?;
            }
        }
        Continue(())
    }
}

/// Looks for what is too dear, and for nothing else: all that fits is known.
struct Again<'h> {
    hold: &'h mut Hold,
}

impl<St, C: Cost> Frontier<St, C> for Again<'_> {
    fn is_watched(&self) -> bool {
        false
    }

    fn hold(&mut self) -> &mut Hold {
        self.hold
    }

    fn reopens(&self) -> bool {
        false
    }

    fn produced(&mut self, _: u64) {}

    fn reach(&mut self, _: &Node<'_, St, C>, fate: Fate) -> ControlFlow<Stop> {
        if fate == Fate::TooDear { Break(Stop::Overflow) } else { Continue(()) }
    }
}
