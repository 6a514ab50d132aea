//! What there is to see of a dive, where somebody watches: each state with a number of its own.

use std::ops::ControlFlow::{self, Continue};

use super::{Dive, Memory};
use crate::{Fate, Heuristic, Node, Observer, Space, Stop, Tree};

impl<S, H, M, O> Dive<'_, '_, S, H, M, O>
where
    S: Space,
    H: Heuristic<S>,
    M: Memory<S::State, S::Cost>,
    O: Observer<S::State, S::Cost>,
{
    pub(super) fn number_root(&mut self) -> ControlFlow<Stop> {
        if self.observer.watches() {
            self.ids.clear();
            self.number(self.next_id)?;
            self.next_id += 1;
        }
        Continue(())
    }

    /// Notes the number of the state that is to be taken up next.
    pub(super) fn number(&mut self, id: u64) -> ControlFlow<Stop> {
        const FIRST: usize = 1 << 8;
        if self.ids.len() == self.ids.capacity() {
            let capacity = (2 * self.ids.len()).max(FIRST);
            self.hold_for_ids.reserve(&mut self.ids, capacity)?;
        }
        self.ids.push(id);
        Continue(())
    }

    pub(super) fn show(&mut self, state: &S::State, memo: H::Memo, cost: S::Cost) -> ControlFlow<Stop> {
        let parent = self.ids.len().checked_sub(2).map(|at| self.ids[at]);
        let id = self.ids.last().copied().unwrap_or(0);
        let estimate = self.heuristic.estimate(memo);
        let node = Node { id, parent, tree: Tree::Forward, state, cost, estimate };
        self.observer.expand(&node, &self.meter.counters)
    }

    /// Shows a state that was just produced, and numbers it if it is to be taken up.
    pub(super) fn show_new(&mut self, state: &S::State, memo: H::Memo, cost: S::Cost, fate: Fate) -> ControlFlow<Stop> {
        let (id, parent) = (self.next_id, self.ids.last().copied());
        let estimate = self.heuristic.estimate(memo);
        self.next_id += 1;
        let node = Node { id, parent, tree: Tree::Forward, state, cost, estimate };
        self.observer.generate(&node, fate, &self.meter.counters)?;
        if fate == Fate::New {
            self.number(id)?;
        }
        Continue(())
    }
}
