//! Where a name becomes code, on graphs.

use std::ops::ControlFlow;

use pintu_grid::{Graph, GraphSpace, Heuristic, Metric};
use pintu_search::{
    Bound, Control, Counters, Guarantee, Node, Observer, Outcome, ReportOf, Stop, Weight, astar, bfs, bidirectional,
    breadth_first, dijkstra, greedy, ida_with_table, weighted_astar,
};

use super::{PathAlgorithm, PathAnswer, PathCost, PathError, PathRequest, PathVerdict, Way};
use crate::{names, trace::NameTrace};

/// Finds a path on a graph from a node to the nearest of others, by their names, within the request's limits and the
/// control's.
pub fn find_route(
    graph: &Graph,
    from: &str,
    to: &[&str],
    request: &PathRequest,
    control: &Control,
) -> Result<PathAnswer, PathError> {
    within(graph, from, to, request, &control.part(request.limits), &mut None)
}

/// A cost of a graph's, in every digit.
pub(crate) fn cost(graph: &Graph, cost: u64) -> PathCost {
    graph.whole_cost(cost).map_or_else(|| PathCost::exactly(&graph.show_cost(cost)), PathCost::Whole)
}

/// Finds a path under a control that has the request's limits, and records the search if somebody wants to see it.
pub(crate) fn within(
    graph: &Graph,
    from: &str,
    to: &[&str],
    request: &PathRequest,
    control: &Control,
    trace: &mut Option<NameTrace<'_>>,
) -> Result<PathAnswer, PathError> {
    let start = node(graph, from)?;
    let goals = nodes(graph, to)?;
    let search = GraphSearch::new(graph, &goals, request)?;
    let space = graph.toward(&goals);
    let report = search.run(&space, start, control, trace);
    let verdict = match report.outcome {
        Outcome::Solved(solution) => {
            let names = solution.path.states(&space).filter_map(|node| graph.name(node).map(str::to_owned)).collect();
            PathVerdict::Found {
                cost: cost(graph, solution.cost),
                way: Way::Names(names),
                optimal: solution.guarantee == Guarantee::Cheapest,
                nearest: None,
            }
        }
        Outcome::NoSolution => PathVerdict::Unreachable { reason: "no edges lead from the start to a goal".to_owned() },
        Outcome::Stopped { why, lower_bound } => {
            // Breadth-first search counts steps, which may cost anything.
            let bound = lower_bound.and_then(Bound::cost).map(|bound| graph.bound(bound));
            PathVerdict::Limit { why, lower_bound: bound }
        }
    };
    Ok(PathAnswer {
        verdict,
        algorithm: search.algorithm,
        heuristic: search.heuristic,
        weight: search.weight.map(Weight::value),
        counters: report.counters,
        seconds: control.elapsed().as_secs_f64(),
    })
}

/// What it costs to get from a node to each of the others.
#[derive(Clone, Debug)]
pub struct RouteCosts {
    /// In the order of the nodes' numbers; `None` where no edges lead, and where no cost fits.
    pub costs: Vec<Option<PathCost>>,
    /// The nodes to which edges lead, but at no cost that fits.
    pub too_dear: Vec<u32>,
}

/// What it costs to get from a node to each of the others. The inner result tells what stopped the search, if something
/// did; a cost that does not fit does not.
pub fn route_costs(
    graph: &Graph,
    from: &str,
    request: &PathRequest,
    control: &Control,
) -> Result<Result<RouteCosts, Stop>, PathError> {
    let start = node(graph, from)?;
    Ok(match costs_within(graph, start, &control.part(request.limits)) {
        ControlFlow::Continue(costs) => Ok(costs),
        ControlFlow::Break(why) => Err(why),
    })
}

fn costs_within(graph: &Graph, start: u32, control: &Control) -> ControlFlow<Stop, RouteCosts> {
    struct Costs(Vec<Option<u64>>);
    impl Observer<u32, u64> for Costs {
        fn expand(&mut self, node: &Node<'_, u32, u64>, _: &Counters) -> ControlFlow<Stop> {
            self.0[*node.state as usize] = Some(node.cost);
            ControlFlow::Continue(())
        }
    }
    let mut hold = control.hold();
    hold.more((graph.len() * size_of::<Option<u64>>()) as u64)?;
    let mut costs = Costs(vec![None; graph.len()]);
    // With no goal, everything is taken up, each node when its cost is settled.
    let nowhere = graph.toward(&[]);
    let mut too_dear = Vec::new();
    match dijkstra(&nowhere, &start, (control, &mut costs)).outcome {
        Outcome::Stopped { why: Stop::Overflow, .. } => {
            let mut reached = breadth_first(&nowhere, &start, control);
            too_dear.extend(reached.by_ref().map(|(node, _)| node).filter(|&node| costs.0[node as usize].is_none()));
            if let Some(why) = reached.stopped() {
                return ControlFlow::Break(why);
            }
            too_dear.sort_unstable();
        }
        Outcome::Stopped { why, .. } => return ControlFlow::Break(why),
        Outcome::Solved(_) | Outcome::NoSolution => {}
    }
    let costs = costs.0.into_iter().map(|found| found.map(|found| cost(graph, found))).collect();
    ControlFlow::Continue(RouteCosts { costs, too_dear })
}

/// The numbers of the goals.
pub(crate) fn nodes(graph: &Graph, names: &[&str]) -> Result<Vec<u32>, PathError> {
    if names.is_empty() {
        return Err(pintu_grid::QueryError::NoGoal.into());
    }
    names.iter().map(|name| node(graph, name)).collect()
}

/// The number of a node.
pub(crate) fn node(graph: &Graph, name: &str) -> Result<u32, PathError> {
    graph.node(name).ok_or_else(|| {
        let names = (0..graph.len() as u32).filter_map(|node| graph.name(node));
        let nearest = names::nearest(name, names).map(str::to_owned);
        PathError::NoNode { found: names::clipped(name), nodes: graph.len(), nearest }
    })
}

/// A request that was checked against a graph.
struct GraphSearch<'a> {
    algorithm: PathAlgorithm,
    heuristic: Heuristic,
    metric: Metric<'a>,
    weight: Option<Weight>,
}

impl<'a> GraphSearch<'a> {
    fn new(graph: &'a Graph, goals: &'a [u32], request: &PathRequest) -> Result<Self, PathError> {
        let algorithm = request.algorithm;
        if algorithm.is_for_maps() {
            return Err(PathError::MapsOnly { algorithm });
        }
        if request.nearest {
            return Err(PathError::NearestOnGraph);
        }
        let heuristic = request.heuristic(usual(graph, goals))?;
        let metric = graph.metric(heuristic, goals)?;
        if let Some(reason) = metric.overestimates() {
            request.allow(heuristic, reason)?;
        }
        let algorithm = match algorithm {
            PathAlgorithm::Auto if heuristic == Heuristic::None => PathAlgorithm::Dijkstra,
            PathAlgorithm::Auto => PathAlgorithm::Astar,
            named => named,
        };
        Ok(Self { algorithm, heuristic, metric, weight: request.weight()? })
    }

    fn run(
        &self,
        space: &GraphSpace<'a>,
        start: u32,
        control: &Control,
        trace: &mut Option<NameTrace<'_>>,
    ) -> ReportOf<GraphSpace<'a>> {
        let (metric, weight) = (&self.metric, self.weight.unwrap_or(Weight::ONE));
        let run = (control, trace);
        match self.algorithm {
            PathAlgorithm::Bfs => bfs(space, &start, run),
            PathAlgorithm::Bidirectional => bidirectional(space, &start, run),
            PathAlgorithm::Dijkstra => dijkstra(space, &start, run),
            PathAlgorithm::Greedy => greedy(space, &start, metric, run),
            PathAlgorithm::Wastar => weighted_astar(space, &start, metric, weight, run),
            PathAlgorithm::Ida => ida_with_table(space, &start, metric, run),
            _ => astar(space, &start, metric, run),
        }
    }
}

/// The straight line, where the nodes have places and no edge is cheaper than it; else nothing.
fn usual(graph: &Graph, goals: &[u32]) -> Heuristic {
    let straight = graph.metric(Heuristic::Euclidean, goals);
    if straight.is_ok_and(|metric| metric.overestimates().is_none()) { Heuristic::Euclidean } else { Heuristic::None }
}
