//! Dijkstra's algorithm, greedy search, A* and weighted A* in a space.

use crate::{
    Bound, Control, Guarantee, Heuristic, Observer, Outcome, Report, ReportOf, Run, Scratch, Solution, Space, Starts,
    Stop, Tree, Weight, Zero,
    driver::{self, Blend, Id},
    hashed::Hashed,
    path::{OutcomeOf, through},
    scratch::{Parts, ScratchOf},
};

/// Dijkstra's algorithm: a cheapest path.
pub fn dijkstra<'c, S: Space>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    run: impl Run<'c, S::State, S::Cost>,
) -> ReportOf<S> {
    best_first(space, start, Zero, Blend::astar(), run)
}

/// Greedy best-first search: always expands the state with the smallest estimate. Often fast, but
/// without a guarantee.
pub fn greedy<'c, S: Space, H: Heuristic<S>>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    heuristic: H,
    run: impl Run<'c, S::State, S::Cost>,
) -> ReportOf<S> {
    best_first(space, start, heuristic, Blend::greedy(), run)
}

/// A*: a cheapest path if the heuristic is admissible. States are reopened when a cheaper path to them
/// is found, so an inconsistent heuristic does no harm to the result.
#[doc(alias = "fringe")]
pub fn astar<'c, S: Space, H: Heuristic<S>>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    heuristic: H,
    run: impl Run<'c, S::State, S::Cost>,
) -> ReportOf<S> {
    best_first(space, start, heuristic, Blend::astar(), run)
}

/// Weighted A*: ranks states by `g + weight × h`. With an admissible heuristic, the path found costs
/// at most `weight` times the optimum.
pub fn weighted_astar<'c, S: Space, H: Heuristic<S>>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    heuristic: H,
    weight: Weight,
    run: impl Run<'c, S::State, S::Cost>,
) -> ReportOf<S> {
    best_first(space, start, heuristic, Blend::weighted(weight), run)
}

/// Best-first search by any [`Blend`] of the cost so far and the estimate.
pub fn best_first<'c, S: Space, H: Heuristic<S>>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    heuristic: H,
    rank: Blend,
    run: impl Run<'c, S::State, S::Cost>,
) -> ReportOf<S> {
    Scratch::new().best_first(space, start, heuristic, rank, run)
}

pub(crate) fn search<S: Space, H: Heuristic<S>>(
    space: &S,
    starts: &[S::State],
    heuristic: H,
    rank: Blend,
    scratch: &mut ScratchOf<S, H>,
    control: &Control,
    observer: &mut impl Observer<S::State, S::Cost>,
) -> ReportOf<S> {
    let (Parts { table, mut queue }, mut hold) = scratch.take(control);
    let mut nodes = Hashed { space, heuristic, starts, tree: Tree::Forward, table };
    let end = driver::best_first(&mut nodes, &mut queue, rank, &mut hold, control, observer);
    let found = end.found.map(|found| found.map(|(goal, _)| goal));
    let outcome = outcome(&nodes, found, end.guarantee, end.lower_bound);
    scratch.put_back(Parts { table: nodes.table, queue }, &hold);
    Report { outcome, counters: end.counters }
}

pub(crate) fn outcome<S: Space, H: Heuristic<S>>(
    nodes: &Hashed<'_, S, H>,
    found: Result<Option<Id>, Stop>,
    guarantee: Guarantee,
    lower_bound: Option<S::Cost>,
) -> OutcomeOf<S> {
    let goal = match found {
        Ok(Some(goal)) => goal,
        Ok(None) => return Outcome::NoSolution,
        Err(why) => return Outcome::Stopped { why, lower_bound: lower_bound.map(Bound::Cost) },
    };
    let path = through(nodes.space, &nodes.states_to(goal));
    // A cheaper path to a state before the goal may have been found since.
    let cost = path.cost(nodes.space).unwrap_or(nodes.table.data(goal).cost);
    let lower_bound =
        if guarantee == Guarantee::Cheapest { Some(cost) } else { lower_bound.map(|bound| bound.min(cost)) };
    Outcome::Solved(Solution { path, cost, guarantee, lower_bound: lower_bound.map(Bound::Cost) })
}
