//! Breadth-first search from both ends.

use std::ops::ControlFlow::{self, Break, Continue};

use crate::{
    Backward, Cost, Counters, Node, Observer, Outcome, Report, Stop,
    path::{chain, shortest},
    table::{Entry, Id, NONE, Table},
};

/// Breadth-first search from the start and from the goals at once: finds a path with the fewest
/// steps. It goes on by whole levels, each time on the side whose frontier is smaller.
///
/// That a level is finished before the other side may go on is what makes the first meeting the
/// shortest: with levels `f` and `b` done and no meeting, no path has `f + b` steps or fewer.
pub fn bidirectional<S: Backward>(space: &S, start: &S::State, observer: &mut impl Observer<S::State>) -> Report<S> {
    let mut search = Search {
        space,
        sides: [Side::new(), Side::new()],
        bound: 0,
        counters: Counters { generated: 1, ..Counters::default() },
        observer,
    };
    let met = search.run(start);
    let mut counters = search.counters;
    counters.peak_states = search.sides.iter().map(|side| side.table.len() as u64).sum();
    counters.peak_bytes = counters.peak_bytes.max(search.sides.iter().map(|side| side.table.bytes()).sum());
    let outcome = match met {
        Continue(None) => Outcome::NoSolution,
        Continue(Some(meeting)) => search.solved(meeting),
        Break(why) => Outcome::Stopped { why, lower_bound: Some(search.bound) },
    };
    Report { outcome, counters }
}

const FORWARD: usize = 0;
const BACKWARD: usize = 1;

struct Search<'a, S: Backward, O> {
    space: &'a S,
    sides: [Side<S::State>; 2],
    /// No path has fewer steps.
    bound: Cost,
    counters: Counters,
    observer: &'a mut O,
}

struct Side<St> {
    table: Table<St, Id>,
    /// The first state of the frontier; all after it belong to it too.
    frontier: usize,
    /// The frontier's distance from this side's root, once it is complete.
    depth: Cost,
}

impl<St: Clone + Eq + std::hash::Hash> Side<St> {
    fn new() -> Self {
        Self { table: Table::new(), frontier: 0, depth: 0 }
    }

    fn width(&self) -> usize {
        self.table.len() - self.frontier
    }
}

/// The same state's index on both sides.
type Meeting = [Id; 2];

impl<S: Backward, O: Observer<S::State>> Search<'_, S, O> {
    fn run(&mut self, start: &S::State) -> ControlFlow<Stop, Option<Meeting>> {
        self.add(FORWARD, start, NONE)?;
        for goal in self.space.goals() {
            if let Some(meeting) = self.add(BACKWARD, &goal, NONE)? {
                self.observer.expand(&Node { state: &goal, cost: 0, estimate: 0 }, &self.counters)?;
                self.counters.expanded += 1;
                return Continue(Some(meeting));
            }
        }
        loop {
            let widths = [self.sides[FORWARD].width(), self.sides[BACKWARD].width()];
            if widths.contains(&0) {
                return Continue(None);
            }
            self.bound = self.sides[FORWARD].depth + self.sides[BACKWARD].depth + 1;
            self.observer.iteration(self.bound, &self.counters)?;
            let side = if widths[FORWARD] <= widths[BACKWARD] { FORWARD } else { BACKWARD };
            let meeting = self.level(side)?;
            if meeting.is_some() {
                return Continue(meeting);
            }
        }
    }

    /// Takes up the whole frontier of one side.
    fn level(&mut self, side: usize) -> ControlFlow<Stop, Option<Meeting>> {
        let level = self.sides[side].frontier..self.sides[side].table.len();
        let depth = self.sides[side].depth;
        for id in level.clone() {
            let state = self.sides[side].table.state(id as Id).clone();
            self.observer.expand(&Node { state: &state, cost: depth, estimate: 0 }, &self.counters)?;
            self.counters.expanded += 1;
            let space = self.space;
            let met = if side == FORWARD {
                let successors = space.actions(&state).map(|action| {
                    let mut after = state.clone();
                    space.apply(&mut after, &action);
                    after
                });
                self.spread(side, id as Id, &state, successors)?
            } else {
                self.spread(side, id as Id, &state, space.origins(&state))?
            };
            if met.is_some() {
                return Continue(met);
            }
        }
        self.sides[side].frontier = level.end;
        self.sides[side].depth += 1;
        Continue(None)
    }

    /// Adds the neighbours of one state; ends at the first that the other side knows.
    fn spread(
        &mut self,
        side: usize,
        id: Id,
        state: &S::State,
        neighbours: impl Iterator<Item = S::State>,
    ) -> ControlFlow<Stop, Option<Meeting>> {
        let parent = *self.sides[side].table.data(id);
        let before = (parent != NONE).then(|| self.sides[side].table.state(parent).clone());
        let cost = self.sides[side].depth + 1;
        for neighbour in neighbours {
            if before.as_ref() == Some(&neighbour) {
                continue;
            }
            self.counters.generated += 1;
            self.observer.generate(state, &Node { state: &neighbour, cost, estimate: 0 }, &self.counters)?;
            let meeting = self.add(side, &neighbour, id)?;
            if meeting.is_some() {
                return Continue(meeting);
            }
        }
        Continue(None)
    }

    fn add(&mut self, side: usize, state: &S::State, parent: Id) -> ControlFlow<Stop, Option<Meeting>> {
        let [forward, backward] = &mut self.sides;
        let (own, other) = if side == FORWARD { (forward, backward) } else { (backward, forward) };
        let elsewhere = other.table.bytes();
        match own.table.insert(state, parent, elsewhere, &mut self.counters, self.observer)? {
            Entry::Known(_) => Continue(None),
            Entry::New(id) => Continue(other.table.find(state).map(|met| {
                let mut meeting = [met; 2];
                meeting[side] = id;
                meeting
            })),
        }
    }

    fn solved(&self, meeting: Meeting) -> Outcome<S> {
        let half = |side: usize| {
            let table = &self.sides[side].table;
            chain(meeting[side], |id| table.state(id).clone(), |id| *table.data(id))
        };
        let mut states = half(FORWARD);
        // The meeting state is on both halves.
        states.extend(half(BACKWARD).into_iter().rev().skip(1));
        shortest(self.space, &states)
    }
}
