//! The nodes of best-first search in a space: a hash table of states.

use crate::{
    Cost, Fate, Heuristic, Node, Space, Stop, Tree,
    driver::{Id, Nodes, Open, fate_of_known},
    path::chain,
    table::{Entry, NONE, Table},
};

/// The states met so far, in the order in which they were met.
pub(crate) struct Hashed<'a, S: Space, H: Heuristic<S>> {
    pub(crate) space: &'a S,
    pub(crate) heuristic: H,
    pub(crate) starts: &'a [S::State],
    pub(crate) tree: Tree,
    pub(crate) table: Table<S::State, Info<S::Cost, H::Memo>>,
}

/// A state's record: the cheapest path to it so far.
#[derive(Clone, Copy)]
pub(crate) struct Info<C, M> {
    pub(crate) cost: C,
    pub(crate) parent: Id,
    memo: M,
    /// Whether it has been expanded since.
    pub(crate) closed: bool,
}

impl<S: Space, H: Heuristic<S>> Hashed<'_, S, H> {
    pub(crate) fn begin_at<F>(&mut self, starts: &[S::State], open: &mut F) -> Result<(), Stop>
    where
        F: Open<S::State, S::Cost>,
    {
        for start in starts {
            open.count_generated(1);
            let memo = self.heuristic.start(start);
            self.meet(start, Info { cost: S::Cost::ZERO, parent: NONE, memo, closed: false }, open)?;
        }
        Ok(())
    }

    /// The states on the cheapest known path to a node.
    pub(crate) fn states_to(&self, id: Id) -> Vec<S::State> {
        chain(id, |id| self.table.state(id).clone(), |id| self.table.data(id).parent)
    }

    /// A node as an observer sees it.
    pub(crate) fn node(&self, id: Id, cost: S::Cost) -> Node<'_, S::State, S::Cost> {
        let info = self.table.data(id);
        let (parent, estimate) = (number(info.parent), self.heuristic.estimate(info.memo));
        Node { id: u64::from(id), parent, tree: self.tree, state: self.table.state(id), cost, estimate }
    }

    /// A path to `state` was found: keeps it if it is the first or the cheapest.
    #[inline(never)]
    fn meet<F: Open<S::State, S::Cost>>(
        &mut self,
        state: &S::State,
        info: Info<S::Cost, H::Memo>,
        open: &mut F,
    ) -> Result<(), Stop> {
        let Info { cost, parent, memo, .. } = info;
        let estimate = self.heuristic.estimate(memo);
        let tree = self.tree;
        let node = |id: u64| Node { id, parent: number(parent), tree, state, cost, estimate };
        if estimate.is_none() {
            return open.reach(&node(self.table.len() as u64), Fate::DeadEnd);
        }
        let (id, fate) = match self.table.insert(state, info, open.hold())? {
            Entry::New(id) => (id, Fate::New),
            Entry::Known(id) => {
                let known = self.table.data_mut(id);
                let fate = fate_of_known(cost, known.cost, known.closed, open.reopens());
                if fate.is_followed() {
                    *known = info;
                }
                (id, fate)
            }
        };
        if open.is_watched() || fate.is_followed() { open.reach(&node(u64::from(id)), fate) } else { Ok(()) }
    }

    /// A path to `state` was found whose cost does not fit. `info` has the cost before the last step.
    #[cold]
    fn meet_overflow<F: Open<S::State, S::Cost>>(
        &self,
        state: &S::State,
        info: Info<S::Cost, H::Memo>,
        open: &mut F,
    ) -> Result<(), Stop> {
        let (estimate, known) = (self.heuristic.estimate(info.memo), self.table.find(state));
        let fate = match (estimate, known) {
            (None, _) => Fate::DeadEnd,
            (Some(_), Some(_)) => Fate::Known,
            (Some(_), None) => Fate::Overflow,
        };
        let (id, parent) = (known.map_or(u64::MAX, u64::from), number(info.parent));
        open.reach(&Node { id, parent, tree: self.tree, state, cost: info.cost, estimate }, fate)
    }
}

fn number(id: Id) -> Option<u64> {
    (id != NONE).then_some(u64::from(id))
}

impl<S: Space, H: Heuristic<S>> Nodes for Hashed<'_, S, H> {
    type State = S::State;
    type Cost = S::Cost;

    fn begin<F: Open<S::State, S::Cost>>(&mut self, open: &mut F) -> Result<(), Stop> {
        self.begin_at(self.starts, open)
    }

    #[inline]
    fn close(&mut self, id: Id) -> Option<(S::Cost, bool)> {
        let info = self.table.data_mut(id);
        if info.closed {
            return None;
        }
        info.closed = true;
        let paid = info.cost;
        Some((paid, self.space.is_goal(self.table.state(id))))
    }

    #[inline]
    fn estimate(&self, id: Id) -> S::Cost {
        self.heuristic.estimate(self.table.data(id).memo).unwrap_or(S::Cost::ZERO)
    }

    fn show<T>(&self, id: Id, paid: S::Cost, see: impl FnOnce(&Node<'_, S::State, S::Cost>) -> T) -> T {
        see(&self.node(id, paid))
    }

    #[inline]
    fn expand<F: Open<S::State, S::Cost>>(&mut self, id: Id, paid: S::Cost, open: &mut F) -> Result<(), Stop> {
        let space = self.space;
        let Info { parent, memo: before_memo, .. } = *self.table.data(id);
        let state = self.table.state(id).clone();
        let before = (parent != NONE).then(|| self.table.state(parent).clone());
        for action in space.actions(&state) {
            let mut after = state.clone();
            let step = space.apply(&mut after, &action);
            if before.as_ref() == Some(&after) {
                continue;
            }
            open.count_generated(1);
            let memo = self.heuristic.step(before_memo, &state, &action, &after);
            if let Some(cost) = paid.checked_add(step) {
                self.meet(&after, Info { cost, parent: id, memo, closed: false }, open)?;
            } else {
                self.meet_overflow(&after, Info { cost: paid, parent: id, memo, closed: false }, open)?;
            }
        }
        Ok(())
    }

    fn count(&self) -> u64 {
        self.table.len() as u64
    }

    fn is_admissible(&self) -> bool {
        self.heuristic.is_admissible()
    }
}
