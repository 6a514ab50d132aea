//! Dijkstra's algorithm, greedy search, A* and weighted A* in a space.

use std::ops::ControlFlow::{Break, Continue};

use crate::{
    Bound, Control, Guarantee, Heuristic, Observer, Outcome, Report, ReportOf, Run, Scratch, Solution, Space, Starts,
    Tree, Weight, Zero,
    driver::{self, Blend, Id},
    hashed::Hashed,
    path::{OutcomeOf, through},
    scratch::{Parts, ScratchOf},
};

/// Dijkstra's algorithm: a cheapest path.
pub fn dijkstra<S: Space>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    run: impl Run<S::State, S::Cost>,
) -> ReportOf<S> {
    best_first(space, start, &Zero, Blend::astar(), run)
}

/// Greedy best-first search: always takes up the state that looks nearest to a goal. Often fast,
/// never sure.
pub fn greedy<S: Space, H: Heuristic<S>>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    heuristic: &H,
    run: impl Run<S::State, S::Cost>,
) -> ReportOf<S> {
    best_first(space, start, heuristic, Blend::greedy(), run)
}

/// A*: a cheapest path if the heuristic is admissible. States are reopened when a cheaper way to them
/// is found, so an inconsistent heuristic does no harm to the result.
#[doc(alias = "fringe")]
pub fn astar<S: Space, H: Heuristic<S>>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    heuristic: &H,
    run: impl Run<S::State, S::Cost>,
) -> ReportOf<S> {
    best_first(space, start, heuristic, Blend::astar(), run)
}

/// Weighted A*: ranks states by `g + weight × h`. With an admissible heuristic, the path found costs
/// at most `weight` times the optimum.
pub fn weighted_astar<S: Space, H: Heuristic<S>>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    heuristic: &H,
    weight: Weight,
    run: impl Run<S::State, S::Cost>,
) -> ReportOf<S> {
    best_first(space, start, heuristic, Blend::weighted(weight), run)
}

/// Best-first search by any [`Blend`] of what was paid and what is left.
pub fn best_first<S: Space, H: Heuristic<S>>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    heuristic: &H,
    rank: Blend,
    run: impl Run<S::State, S::Cost>,
) -> ReportOf<S> {
    Scratch::new().best_first(space, start, heuristic, rank, run)
}

pub(crate) fn search<S: Space, H: Heuristic<S>>(
    space: &S,
    starts: &[S::State],
    heuristic: &H,
    rank: Blend,
    scratch: &mut ScratchOf<S, H>,
    control: &Control,
    observer: &mut impl Observer<S::State, S::Cost>,
) -> ReportOf<S> {
    let (Parts { table, mut queue }, mut hold) = scratch.take(control);
    let mut nodes = Hashed { space, heuristic, starts, tree: Tree::Forward, table };
    let end = driver::best_first(&mut nodes, &mut queue, rank, &mut hold, control, observer);
    let outcome = match end.found {
        Continue(None) => Outcome::NoSolution,
        Continue(Some((goal, _))) => solved(&nodes, goal, end.guarantee, end.lower_bound),
        Break(why) => Outcome::Stopped { why, lower_bound: end.lower_bound.map(Bound::Cost) },
    };
    scratch.put_back(Parts { table: nodes.table, queue }, &hold);
    Report { outcome, counters: end.counters }
}

fn solved<S: Space, H: Heuristic<S>>(
    nodes: &Hashed<'_, S, H>,
    goal: Id,
    guarantee: Guarantee,
    lower_bound: Option<S::Cost>,
) -> OutcomeOf<S> {
    let path = through(nodes.space, &nodes.states_to(goal));
    // A state before the goal may have become cheaper to reach since.
    let cost = path.cost(nodes.space).unwrap_or(nodes.table.data(goal).cost);
    let lower_bound =
        if guarantee == Guarantee::Cheapest { Some(cost) } else { lower_bound.map(|bound| bound.min(cost)) };
    Outcome::Solved(Solution { path, cost, guarantee, lower_bound: lower_bound.map(Bound::Cost) })
}
