//! Breadth-first and depth-first order, as the best-first loop sees them: nodes that come in turn.

use std::ops::ControlFlow::{self, Continue};

use crate::{
    Cost, Fate, Guarantee, Hold, Node, Space, Stop, Tree,
    driver::{Frontier, Id, Nodes, Queue, Rank},
    path::unguided,
    table::{Entry, NONE, Table},
};

/// The states met so far. What steps cost does not matter.
pub(crate) struct Unweighted<'a, S: Space> {
    space: &'a S,
    table: Table<S::State, Known>,
    /// Whether a state that waits is moved to the front when it is met again.
    again: bool,
}

struct Known {
    steps: u64,
    parent: Id,
    taken: bool,
}

impl<'a, S: Space> Unweighted<'a, S> {
    pub(super) fn breadth_first(space: &'a S) -> Self {
        Self { space, table: Table::new(), again: false }
    }

    /// As in a recursion, a state belongs to the last of those that led to it before it is taken up.
    pub(super) fn depth_first(space: &'a S) -> Self {
        Self { space, table: Table::new(), again: true }
    }

    /// A state that was taken up, and the number of steps to it.
    pub(super) fn seen(&self, id: Id) -> (S::State, u64) {
        (self.table.state(id).clone(), self.table.data(id).steps)
    }

    /// Meets states as starts.
    pub(super) fn begin_at<F>(&mut self, starts: &[S::State], frontier: &mut F) -> ControlFlow<Stop>
    where
        F: Frontier<S::State, S::Cost>,
    {
        starts.iter().try_for_each(|start| self.meet(start, 0, NONE, frontier))
    }

    fn meet<F>(&mut self, state: &S::State, steps: u64, parent: Id, frontier: &mut F) -> ControlFlow<Stop>
    where
        F: Frontier<S::State, S::Cost>,
    {
        frontier.produced(1);
        let (id, fate) = match self.table.insert(state, Known { steps, parent, taken: false }, frontier.hold())? {
            Entry::New(id) => (id, Fate::New),
            Entry::Known(id) => {
                let known = self.table.data_mut(id);
                if self.again && !known.taken {
                    *known = Known { steps, parent, taken: false };
                    (id, Fate::Cheaper)
                } else {
                    (id, Fate::Known)
                }
            }
        };
        frontier.reach(&unguided(Tree::Forward, id, parent, state, S::Cost::steps(steps)), fate)
    }
}

impl<S: Space> Nodes for Unweighted<'_, S> {
    type State = S::State;
    type Cost = S::Cost;

    fn begin<F: Frontier<S::State, S::Cost>>(&mut self, _: &mut F) -> ControlFlow<Stop> {
        Continue(())
    }

    fn take_up(&mut self, id: Id) -> Option<(S::Cost, bool)> {
        let known = self.table.data_mut(id);
        if std::mem::replace(&mut known.taken, true) {
            return None;
        }
        Some((S::Cost::steps(known.steps), self.space.is_goal(self.table.state(id))))
    }

    fn paid(&self, id: Id) -> S::Cost {
        S::Cost::steps(self.table.data(id).steps)
    }

    fn left(&self, _: Id) -> S::Cost {
        S::Cost::ZERO
    }

    fn show<T>(&self, id: Id, paid: S::Cost, see: impl FnOnce(&Node<'_, S::State, S::Cost>) -> T) -> T {
        see(&unguided(Tree::Forward, id, self.table.data(id).parent, self.table.state(id), paid))
    }

    fn expand<F: Frontier<S::State, S::Cost>>(&mut self, id: Id, _: S::Cost, frontier: &mut F) -> ControlFlow<Stop> {
        let (space, state) = (self.space, self.table.state(id).clone());
        let Known { steps, parent, .. } = *self.table.data(id);
        let before = (parent != NONE).then(|| self.table.state(parent).clone());
        for action in space.actions(&state) {
            let (after, _) = space.follow(&state, action);
            if before.as_ref() != Some(&after) {
                self.meet(&after, steps + 1, id, frontier)?;
            }
        }
        Continue(())
    }

    fn count(&self) -> u64 {
        self.table.len() as u64
    }
}

/// All nodes rank alike: the queue decides.
#[derive(Clone, Copy)]
pub(crate) struct InTurn;

impl<C: Cost> Rank<C> for InTurn {
    type Value = ();

    fn of(&self, _: C, _: C) {}

    fn reopens(&self) -> bool {
        false
    }

    fn lower_bound(&self, (): ()) -> Option<C> {
        None
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }
}

/// First in, first out. Nodes come in the order of their numbers, so there is nothing to keep.
pub(crate) struct Line {
    next: Id,
    end: Id,
}

impl Line {
    pub(super) fn new() -> Self {
        Self { next: 0, end: 0 }
    }
}

impl<C> Queue<(), C> for Line {
    fn push(&mut self, (): (), _: C, id: Id, _: &mut Hold) -> ControlFlow<Stop> {
        debug_assert_eq!(id, self.end, "a node is pushed once, when it is new");
        self.end = id + 1;
        Continue(())
    }

    fn pop(&mut self) -> Option<((), Id)> {
        let id = self.next;
        (id < self.end).then(|| {
            self.next += 1;
            ((), id)
        })
    }
}

/// Last in, first out; but what came in together, between two that went out, goes out in the order in which it came.
pub(crate) struct Stack {
    entries: Vec<Id>,
    /// Where those begin that came in since the last one went out.
    fresh: usize,
}

impl Stack {
    pub(super) fn new() -> Self {
        Self { entries: Vec::new(), fresh: 0 }
    }
}

impl<C> Queue<(), C> for Stack {
    fn push(&mut self, (): (), _: C, id: Id, hold: &mut Hold) -> ControlFlow<Stop> {
        if self.entries.len() == self.entries.capacity() {
            let capacity = (self.entries.len() * 2).max(64);
            hold.reserve(&mut self.entries, capacity)?;
        }
        self.entries.push(id);
        Continue(())
    }

    fn pop(&mut self) -> Option<((), Id)> {
        self.entries[self.fresh..].reverse();
        let id = self.entries.pop()?;
        self.fresh = self.entries.len();
        Some(((), id))
    }
}
