//! The nodes of best-first search in a space: a hash table of states.

use std::ops::ControlFlow::{self, Continue};

use crate::{
    Cost, Fate, Heuristic, Node, Space, Stop, Tree,
    driver::{Frontier, Id, Nodes, fate_of_known},
    path::chain,
    table::{Entry, NONE, Table},
};

/// The states met so far, in the order in which they were met.
pub(crate) struct Hashed<'a, S: Space, H: Heuristic<S>> {
    pub(crate) space: &'a S,
    pub(crate) heuristic: &'a H,
    pub(crate) starts: &'a [S::State],
    /// From which end it searches.
    pub(crate) tree: Tree,
    pub(crate) table: Table<S::State, Info<S::Cost, H::Memo>>,
}

/// What is known about a state: the cheapest way to it so far.
#[derive(Clone, Copy)]
pub(crate) struct Info<C, M> {
    pub(crate) cost: C,
    pub(crate) parent: Id,
    memo: M,
    /// Whether it has been taken up since.
    pub(crate) closed: bool,
}

impl<S: Space, H: Heuristic<S>> Hashed<'_, S, H> {
    /// Meets states as starts.
    pub(crate) fn begin_at<F>(&mut self, starts: &[S::State], frontier: &mut F) -> ControlFlow<Stop>
    where
        F: Frontier<S::State, S::Cost>,
    {
        for start in starts {
            frontier.produced(1);
            let memo = self.heuristic.start(start);
            self.meet(start, Info { cost: S::Cost::ZERO, parent: NONE, memo, closed: false }, frontier)?;
        }
        Continue(())
    }

    /// The states on the cheapest way to a node that is known.
    pub(crate) fn states_to(&self, id: Id) -> Vec<S::State> {
        chain(id, |id| self.table.state(id).clone(), |id| self.table.data(id).parent)
    }

    /// A way to `state` has been found: remembers it if it is the first or the cheapest.
    #[inline(never)]
    fn meet<F: Frontier<S::State, S::Cost>>(
        &mut self,
        state: &S::State,
        info: Info<S::Cost, H::Memo>,
        frontier: &mut F,
    ) -> ControlFlow<Stop> {
        let Info { cost, parent, memo, .. } = info;
        let estimate = self.heuristic.estimate(memo);
        let tree = self.tree;
        let node = |id: u64| Node { id, parent: number(parent), tree, state, cost, estimate };
        if estimate.is_none() {
            return frontier.reach(&node(self.table.len() as u64), Fate::DeadEnd);
        }
        let (id, fate) = match self.table.insert(state, info, frontier.hold())? {
            Entry::New(id) => (id, Fate::New),
            Entry::Known(id) => {
                let known = self.table.data_mut(id);
                let fate = fate_of_known(cost, known.cost, known.closed, frontier.reopens());
                if fate.is_followed() {
                    *known = info;
                }
                (id, fate)
            }
        };
        if frontier.is_watched() || fate.is_followed() {
            frontier.reach(&node(u64::from(id)), fate)
        } else {
            Continue(())
        }
    }

    /// A way to `state` has been found that costs more than can be said, which is news only if no other is known.
    /// `info` has what was paid before the step.
    #[cold]
    fn meet_too_dear<F: Frontier<S::State, S::Cost>>(
        &self,
        state: &S::State,
        info: Info<S::Cost, H::Memo>,
        frontier: &mut F,
    ) -> ControlFlow<Stop> {
        let (estimate, known) = (self.heuristic.estimate(info.memo), self.table.find(state));
        let fate = match (estimate, known) {
            (None, _) => Fate::DeadEnd,
            (Some(_), Some(_)) => Fate::Known,
            (Some(_), None) => Fate::TooDear,
        };
        let (id, parent) = (known.map_or(u64::MAX, u64::from), number(info.parent));
        frontier.reach(&Node { id, parent, tree: self.tree, state, cost: info.cost, estimate }, fate)
    }
}

/// A state's number as observers see it.
fn number(id: Id) -> Option<u64> {
    (id != NONE).then_some(u64::from(id))
}

impl<S: Space, H: Heuristic<S>> Nodes for Hashed<'_, S, H> {
    type State = S::State;
    type Cost = S::Cost;

    fn begin<F: Frontier<S::State, S::Cost>>(&mut self, frontier: &mut F) -> ControlFlow<Stop> {
        self.begin_at(self.starts, frontier)
    }

    #[inline]
    fn take_up(&mut self, id: Id) -> Option<(S::Cost, bool)> {
        let info = self.table.data_mut(id);
        if info.closed {
            return None;
        }
        info.closed = true;
        let paid = info.cost;
        Some((paid, self.space.is_goal(self.table.state(id))))
    }

    fn paid(&self, id: Id) -> S::Cost {
        self.table.data(id).cost
    }

    #[inline]
    fn left(&self, id: Id) -> S::Cost {
        self.heuristic.estimate(self.table.data(id).memo).unwrap_or(S::Cost::ZERO)
    }

    fn show<T>(&self, id: Id, paid: S::Cost, see: impl FnOnce(&Node<'_, S::State, S::Cost>) -> T) -> T {
        let info = self.table.data(id);
        see(&Node {
            id: u64::from(id),
            parent: number(info.parent),
            tree: self.tree,
            state: self.table.state(id),
            cost: paid,
            estimate: self.heuristic.estimate(info.memo),
        })
    }

    #[inline]
    fn expand<F: Frontier<S::State, S::Cost>>(&mut self, id: Id, paid: S::Cost, frontier: &mut F) -> ControlFlow<Stop> {
        let (space, heuristic) = (self.space, self.heuristic);
        let Info { parent, memo: before_memo, .. } = *self.table.data(id);
        let state = self.table.state(id).clone();
        let before = (parent != NONE).then(|| self.table.state(parent).clone());
        for action in space.actions(&state) {
            let mut after = state.clone();
            let step = space.apply(&mut after, &action);
            if before.as_ref() == Some(&after) {
                continue;
            }
            frontier.produced(1);
            let memo = heuristic.step(before_memo, &state, &action, &after);
            if let Some(cost) = paid.checked_add(step) {
                self.meet(&after, Info { cost, parent: id, memo, closed: false }, frontier)?;
            } else {
                self.meet_too_dear(&after, Info { cost: paid, parent: id, memo, closed: false }, frontier)?;
            }
        }
        Continue(())
    }

    fn count(&self) -> u64 {
        self.table.len() as u64
    }

    fn is_admissible(&self) -> bool {
        self.heuristic.is_admissible()
    }
}
