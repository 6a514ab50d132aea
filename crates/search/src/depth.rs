//! Depth-first search to a bound, once or with a growing bound.

use std::ops::ControlFlow::{Break, Continue};

use crate::{
    Cost, Guarantee, Observer, Outcome, Report, Solution, Space, Stop, Zero,
    dive::{Dive, End, Forgetful, Seen},
    table::Table,
};

/// Depth-first search that goes no deeper than `max_depth` steps.
///
/// A state that is met again at a smaller depth is searched again: otherwise the bound would hide
/// solutions behind states that were first met too deep.
pub fn dfs<S: Space>(
    space: &S,
    start: &S::State,
    max_depth: Cost,
    observer: &mut impl Observer<S::State>,
) -> Report<S> {
    once(space, start, max_depth, Table::new(), observer)
}

/// [`dfs`] that does not notice when it meets a state again: for teaching what duplicate detection is
/// worth.
pub fn dfs_tree<S: Space>(
    space: &S,
    start: &S::State,
    max_depth: Cost,
    observer: &mut impl Observer<S::State>,
) -> Report<S> {
    once(space, start, max_depth, Forgetful, observer)
}

/// Depth-first search to the depths 0, 1, 2, … until a goal is found: a path with the fewest steps, in
/// memory that grows with the depth alone. It detects no duplicates, so where there is no solution
/// it ends only in spaces without cycles.
pub fn iddfs<S: Space>(space: &S, start: &S::State, observer: &mut impl Observer<S::State>) -> Report<S> {
    let steps = Steps(space);
    let mut dive = Dive::new(&steps, &Zero, Forgetful, observer);
    let mut bound = 0;
    let outcome = loop {
        match dive.within(start, bound) {
            Continue(End::Goal(_)) => break solved(space, dive.path(start), Guarantee::Shortest, Some(bound)),
            Continue(End::Exhausted) => break Outcome::NoSolution,
            Continue(End::Cut(next)) => bound = next,
            Break(why) => break Outcome::Stopped { why, lower_bound: Some(bound) },
        }
    };
    Report { outcome, counters: dive.counters }
}

fn once<S: Space>(
    space: &S,
    start: &S::State,
    max_depth: Cost,
    seen: impl Seen<S::State>,
    observer: &mut impl Observer<S::State>,
) -> Report<S> {
    let steps = Steps(space);
    let mut dive = Dive::new(&steps, &Zero, seen, observer);
    let outcome = match dive.within(start, max_depth) {
        Continue(End::Goal(_)) => solved(space, dive.path(start), Guarantee::None, None),
        Continue(End::Exhausted) => Outcome::NoSolution,
        Continue(End::Cut(next)) => Outcome::Stopped { why: Stop::Depth, lower_bound: Some(next) },
        Break(why) => Outcome::Stopped { why, lower_bound: None },
    };
    Report { outcome, counters: dive.counters }
}

fn solved<S: Space>(space: &S, path: crate::Path<S>, guarantee: Guarantee, lower_bound: Option<Cost>) -> Outcome<S> {
    match path.cost(space) {
        Some(cost) => Outcome::Solved(Solution { path, cost, guarantee, lower_bound }),
        None => Outcome::Stopped { why: Stop::Overflow, lower_bound },
    }
}

/// The same space with every step costing one.
struct Steps<'a, S>(&'a S);

impl<S: Space> Space for Steps<'_, S> {
    type State = S::State;
    type Action = S::Action;

    #[inline]
    fn actions(&self, state: &S::State) -> impl Iterator<Item = S::Action> {
        self.0.actions(state)
    }

    #[inline]
    fn apply(&self, state: &mut S::State, action: &S::Action) -> Cost {
        self.0.apply(state, action);
        1
    }

    #[inline]
    fn is_goal(&self, state: &S::State) -> bool {
        self.0.is_goal(state)
    }
}
