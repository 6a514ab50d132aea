//! Breadth-first search, with and without duplicate detection.

use std::{
    hash::Hash,
    ops::ControlFlow::{self, Continue},
};

use crate::{
    Cost, Counters, Node, Observer, Outcome, Report, Space, Stop,
    path::{chain, shortest},
    table::{Id, NONE, Table},
};

/// Breadth-first search: finds a path with the fewest steps, whatever they cost, and ends as soon as
/// it takes up a goal.
pub fn bfs<S: Space>(space: &S, start: &S::State, observer: &mut impl Observer<S::State>) -> Report<S> {
    run(space, start, Table::new(), observer)
}

/// Breadth-first search that does not notice when it meets a state again: for teaching what duplicate
/// detection is worth.
pub fn bfs_tree<S: Space>(space: &S, start: &S::State, observer: &mut impl Observer<S::State>) -> Report<S> {
    run(space, start, Arena::new(), observer)
}

/// Where breadth-first search keeps its states: the order in which they were added is its queue.
trait Store<St> {
    /// Adds states, each with its parent, except those that the store knows, if it cares.
    fn add<O: Observer<St>>(
        &mut self,
        fresh: &[(St, Id)],
        counters: &mut Counters,
        observer: &mut O,
    ) -> ControlFlow<Stop>;
    fn len(&self) -> usize;
    fn state(&self, id: Id) -> &St;
    fn parent(&self, id: Id) -> Id;
    fn bytes(&self) -> u64;
}

impl<St: Clone + Eq + Hash> Store<St> for Table<St, Id> {
    fn add<O: Observer<St>>(
        &mut self,
        fresh: &[(St, Id)],
        counters: &mut Counters,
        observer: &mut O,
    ) -> ControlFlow<Stop> {
        self.insert_all(fresh, counters, observer)
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn state(&self, id: Id) -> &St {
        self.state(id)
    }

    fn parent(&self, id: Id) -> Id {
        *self.data(id)
    }

    fn bytes(&self) -> u64 {
        self.bytes()
    }
}

/// States in order, the same one as often as it comes.
struct Arena<St> {
    nodes: Vec<(St, Id)>,
}

impl<St> Arena<St> {
    fn new() -> Self {
        Self { nodes: Vec::new() }
    }
}

impl<St: Clone> Store<St> for Arena<St> {
    fn add<O: Observer<St>>(
        &mut self,
        fresh: &[(St, Id)],
        counters: &mut Counters,
        observer: &mut O,
    ) -> ControlFlow<Stop> {
        if self.nodes.len() + fresh.len() > self.nodes.capacity() {
            let capacity = (self.nodes.len() + self.nodes.len() / 4 + fresh.len()).max(64);
            observer.grow((capacity * size_of::<(St, Id)>()) as u64, counters)?;
            if capacity > NONE as usize {
                return ControlFlow::Break(Stop::Memory);
            }
            self.nodes.reserve_exact(capacity - self.nodes.len());
        }
        self.nodes.extend_from_slice(fresh);
        Continue(())
    }

    fn len(&self) -> usize {
        self.nodes.len()
    }

    fn state(&self, id: Id) -> &St {
        &self.nodes[id as usize].0
    }

    fn parent(&self, id: Id) -> Id {
        self.nodes[id as usize].1
    }

    fn bytes(&self) -> u64 {
        (self.nodes.capacity() * size_of::<(St, Id)>()) as u64
    }
}

fn run<S: Space>(
    space: &S,
    start: &S::State,
    mut store: impl Store<S::State>,
    observer: &mut impl Observer<S::State>,
) -> Report<S> {
    let mut counters = Counters { generated: 1, ..Counters::default() };
    let mut depth = 0;
    let found = sweep(space, start, &mut store, &mut depth, &mut counters, observer);
    counters.peak_states = store.len() as u64;
    counters.peak_bytes = counters.peak_bytes.max(store.bytes());
    let outcome = match found {
        Continue(None) => Outcome::NoSolution,
        Continue(Some(goal)) => shortest(space, &chain(goal, |id| store.state(id).clone(), |id| store.parent(id))),
        ControlFlow::Break(why) => Outcome::Stopped { why, lower_bound: Some(depth) },
    };
    Report { outcome, counters }
}

/// Takes up the states in the order in which they were added. `depth` is that of the state in hand.
// In a function of its own it has the registers to itself.
#[inline(never)]
fn sweep<S: Space>(
    space: &S,
    start: &S::State,
    store: &mut impl Store<S::State>,
    depth: &mut Cost,
    counters: &mut Counters,
    observer: &mut impl Observer<S::State>,
) -> ControlFlow<Stop, Option<Id>> {
    store.add(&[(start.clone(), NONE)], counters, observer)?;
    observer.iteration(0, counters)?;
    // Successors are added several at a time, which is faster, and all before the next level begins.
    let mut fresh = Vec::with_capacity(BATCH + 16);
    let mut level_end = 1;
    let mut next = 0;
    while next < level_end {
        let id = next as Id;
        let state = store.state(id).clone();
        observer.expand(&Node { state: &state, cost: *depth, estimate: 0 }, counters)?;
        counters.expanded += 1;
        if space.is_goal(&state) {
            store.add(&fresh, counters, observer)?;
            return Continue(Some(id));
        }
        let parent = store.parent(id);
        let before = (parent != NONE).then(|| store.state(parent).clone());
        for action in space.actions(&state) {
            let mut after = state.clone();
            space.apply(&mut after, &action);
            // Whether a step leads back is anybody's guess, so there is no branch on it where nobody watches.
            let back = before.as_ref() == Some(&after);
            counters.generated += u64::from(!back);
            if !back {
                observer.generate(&state, &Node { state: &after, cost: *depth + 1, estimate: 0 }, counters)?;
            }
            fresh.push((after, id));
            fresh.truncate(fresh.len() - usize::from(back));
        }
        next += 1;
        if fresh.len() >= BATCH || next == level_end {
            store.add(&fresh, counters, observer)?;
            fresh.clear();
        }
        if next == level_end && level_end < store.len() {
            *depth += 1;
            level_end = store.len();
            observer.iteration(*depth, counters)?;
        }
    }
    Continue(None)
}

/// Successors that are collected before they are added.
const BATCH: usize = 64;
