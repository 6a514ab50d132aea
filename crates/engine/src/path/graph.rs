//! Turns names into code, on graphs.

use pintu_grid::{Graph, Heuristic, Metric};
use pintu_search::{
    Bound, Control, Counters, Guarantee, Node, Observer, Outcome, Stop, Weight, astar, bfs, bidirectional, dijkstra,
    greedy, ida_with_table, weighted_astar,
};

use super::{PathAlgorithm, PathAnswer, PathCost, PathError, PathRequest, PathStates, PathVerdict, answer::Choice};
use crate::{UnknownName, trace::PathTrace};

/// Finds a path on a graph from a node to the nearest of others, by their names, within the request's limits and the
/// control's.
pub fn find_path_in_graph(
    graph: &Graph,
    from: &str,
    to: &[&str],
    request: &PathRequest,
    control: &Control,
) -> Result<PathAnswer, PathError> {
    within(graph, from, to, request, &control.part(request.limits), &mut None)
}

/// Finds a path under a control that has the request's limits, and records the search if there is a trace.
pub(crate) fn within(
    graph: &Graph,
    from: &str,
    to: &[&str],
    request: &PathRequest,
    control: &Control,
    trace: &mut Option<PathTrace<'_, u32, u64>>,
) -> Result<PathAnswer, PathError> {
    let start = node(graph, from)?;
    let goals = nodes(graph, to)?;
    let (search, metric) = chosen(graph, &goals, request)?;
    let (space, run) = (graph.toward(&goals), (control, trace));
    let report = match search.algorithm {
        PathAlgorithm::Bfs => bfs(&space, &start, run),
        PathAlgorithm::Bidirectional => bidirectional(&space, &start, run),
        PathAlgorithm::Dijkstra => dijkstra(&space, &start, run),
        PathAlgorithm::Greedy => greedy(&space, &start, metric, run),
        PathAlgorithm::Wastar => weighted_astar(&space, &start, metric, search.weight.unwrap_or(Weight::ONE), run),
        PathAlgorithm::Ida => ida_with_table(&space, &start, metric, run),
        _ => astar(&space, &start, metric, run),
    };
    let verdict = match report.outcome {
        Outcome::Solved(solution) if solution.cost > graph.max_cost() => {
            let bound =
                solution.lower_bound.and_then(Bound::cost).map(|bound| graph.bound(bound.min(graph.max_cost())));
            PathVerdict::Limit { why: Stop::Overflow, lower_bound: bound }
        }
        Outcome::Solved(solution) => PathVerdict::Found {
            cost: PathCost::on(graph, solution.cost),
            path: names(graph, solution.path.states(&space)),
            optimal: solution.guarantee == Guarantee::Cheapest,
            nearest: None,
        },
        Outcome::NoSolution => PathVerdict::Unreachable { reason: "no edges lead from the start to a goal".to_owned() },
        Outcome::Stopped { why, lower_bound } => {
            // Breadth-first search bounds steps, which says nothing about costs.
            let bound = lower_bound.and_then(Bound::cost).map(|bound| graph.bound(bound));
            PathVerdict::Limit { why, lower_bound: bound }
        }
    };
    Ok(search.answer(verdict, report.counters, control))
}

/// The cost of the cheapest path from a node to each of the others, in the order of their numbers; `None` where there is
/// none.
pub fn costs_in_graph(
    graph: &Graph,
    from: &str,
    request: &PathRequest,
    control: &Control,
) -> Result<Vec<Option<PathCost>>, PathError> {
    struct Costs(Vec<Option<u64>>);
    impl Observer<u32, u64> for Costs {
        fn expand(&mut self, node: &Node<'_, u32, u64>, _: &Counters) -> Result<(), Stop> {
            self.0[*node.state as usize] = Some(node.cost);
            Ok(())
        }
    }
    let start = node(graph, from)?;
    // A request that would be refused for a path is refused here, too, though no heuristic is used.
    chosen(graph, &[start], request)?;
    let control = control.part(request.limits);
    let mut hold = control.hold();
    hold.more((graph.len() * size_of::<Option<u64>>()) as u64)?;
    let mut costs = Costs(vec![None; graph.len()]);
    // Without a goal, every node is expanded.
    if let Outcome::Stopped { why, .. } = dijkstra(&graph.toward(&[]), &start, (&control, &mut costs)).outcome {
        return Err(why.into());
    }
    let cost = |cost: u64| if cost > graph.max_cost() { Err(Stop::Overflow) } else { Ok(PathCost::on(graph, cost)) };
    Ok(costs.0.into_iter().map(|found| found.map(cost).transpose()).collect::<Result<_, Stop>>()?)
}

pub(crate) fn nodes(graph: &Graph, names: &[&str]) -> Result<Vec<u32>, PathError> {
    if names.is_empty() {
        return Err(pintu_grid::QueryError::NoGoal.into());
    }
    names.iter().map(|name| node(graph, name)).collect()
}

pub(crate) fn node(graph: &Graph, name: &str) -> Result<u32, PathError> {
    graph.node(name).ok_or_else(|| {
        let names = (0..graph.len() as u32).filter_map(|node| graph.name(node));
        PathError::NoNode(UnknownName::new("the node", name, names))
    })
}

pub(super) fn names(graph: &Graph, nodes: impl Iterator<Item = u32>) -> PathStates {
    PathStates::Names(nodes.filter_map(|node| graph.name(node)).map(str::to_owned).collect())
}

/// The algorithm that will run on a graph for a request, and the estimate.
fn chosen<'a>(graph: &'a Graph, goals: &'a [u32], request: &PathRequest) -> Result<(Choice, Metric<'a>), PathError> {
    let algorithm = request.algorithm;
    if algorithm.is_for_maps() {
        return Err(PathError::MapsOnly(algorithm));
    }
    if request.nearest {
        return Err(PathError::NearestOnGraph);
    }
    let heuristic = request.heuristic(usual_heuristic(graph, goals))?;
    let metric = graph.metric(heuristic, goals)?;
    if let Some(reason) = metric.overestimates() {
        request.allow(heuristic, reason)?;
    }
    let algorithm = match algorithm {
        PathAlgorithm::Auto if heuristic == Heuristic::None => PathAlgorithm::Dijkstra,
        PathAlgorithm::Auto => PathAlgorithm::Astar,
        named => named,
    };
    Ok((Choice { algorithm, heuristic, weight: request.weight()? }, metric))
}

/// Euclidean if the nodes have coordinates and no edge costs less than its length; else none.
pub(super) fn usual_heuristic(graph: &Graph, goals: &[u32]) -> Heuristic {
    let straight = graph.metric(Heuristic::Euclidean, goals);
    if straight.is_ok_and(|metric| metric.overestimates().is_none()) { Heuristic::Euclidean } else { Heuristic::None }
}
