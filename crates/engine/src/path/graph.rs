//! Where a name becomes code, on graphs.

use std::{ops::ControlFlow, time::Instant};

use pintu_grid::{Graph, GraphSpace, Heuristic, Metric};
use pintu_search::{
    Budget, Cancel, Cost, Counters, Guarantee, Node, Observer, Outcome, Report, Stop, Weight, astar, bfs,
    bidirectional, dijkstra, greedy, ida_with_table, weighted_astar,
};

use super::{PathAlgorithm, PathAnswer, PathCost, PathError, PathRequest, PathVerdict, Way, map::limits};
use crate::Progress;

/// Finds a path on a graph from a node to the nearest of others, by their names.
pub fn find_route(
    graph: &Graph,
    from: &str,
    to: &[&str],
    request: &PathRequest,
    cancel: &Cancel,
    progress: &Progress,
) -> Result<PathAnswer, PathError> {
    let start = node(graph, from)?;
    let goals = to.iter().map(|name| node(graph, name)).collect::<Result<Vec<_>, _>>()?;
    if goals.is_empty() {
        return Err(pintu_grid::QueryError::NoGoal.into());
    }
    let plan = Plan::new(graph, &goals, request)?;
    let started = Instant::now();
    let budget = Budget::with_cancel(limits(request, cancel), cancel.clone());
    let space = graph.toward(&goals);
    let report = plan.run(&space, start, &mut (budget, progress.watch(Counters::default())));
    let seconds = started.elapsed().as_secs_f64();
    let verdict = match report.outcome {
        Outcome::Solved(solution) => {
            let names = solution.path.states(&space).filter_map(|node| graph.name(node).map(str::to_owned)).collect();
            PathVerdict::Found {
                cost: PathCost::of(graph.cost(solution.cost)),
                way: Way::Names(names),
                optimal: solution.guarantee == Guarantee::Cheapest && !plan.overestimates,
                nearest: None,
            }
        }
        Outcome::NoSolution => PathVerdict::Unreachable { reason: "no edges lead from the start to a goal".to_owned() },
        Outcome::Stopped { why, lower_bound } => {
            // Breadth-first search counts steps, which may cost anything.
            let bound = lower_bound.filter(|_| !plan.counts_steps()).map(|bound| graph.cost(bound));
            PathVerdict::Limit { why, lower_bound: bound }
        }
    };
    let weight = plan.weight.map(Weight::value);
    let (algorithm, heuristic) = (plan.algorithm, plan.heuristic);
    Ok(PathAnswer { verdict, algorithm, heuristic, weight, counters: report.counters, seconds })
}

/// What it costs to get from a node to each of the others, in the order of their numbers; `None` where
/// no edges lead. The inner result tells what stopped the search, if something did.
pub fn route_costs(
    graph: &Graph,
    from: &str,
    request: &PathRequest,
    cancel: &Cancel,
) -> Result<Result<Vec<Option<PathCost>>, Stop>, PathError> {
    struct Costs(Vec<Option<Cost>>);
    impl Observer<u32> for Costs {
        fn expand(&mut self, node: &Node<'_, u32>, _: &Counters) -> ControlFlow<Stop> {
            self.0[*node.state as usize] = Some(node.cost);
            ControlFlow::Continue(())
        }
    }
    let start = node(graph, from)?;
    let budget = Budget::with_cancel(limits(request, cancel), cancel.clone());
    let mut observer = (budget, Costs(vec![None; graph.len()]));
    // With no goal, everything is taken up, each node when its cost is settled.
    if let Outcome::Stopped { why, .. } = dijkstra(&graph.toward(&[]), &start, &mut observer).outcome {
        return Ok(Err(why));
    }
    let costs = observer.1.0.into_iter().map(|cost| cost.map(|cost| PathCost::of(graph.cost(cost))));
    Ok(Ok(costs.collect()))
}

fn node(graph: &Graph, name: &str) -> Result<u32, PathError> {
    graph.node(name).ok_or_else(|| {
        let names = (0..graph.len() as u32).filter_map(|node| graph.name(node));
        let nearness = |other: &str| strsim::jaro_winkler(name, other);
        let nearest = names.max_by(|a, b| nearness(a).total_cmp(&nearness(b)));
        PathError::NoNode {
            found: name.to_owned(),
            nodes: graph.len(),
            nearest: nearest.filter(|other| nearness(other) > 0.7).map(str::to_owned),
        }
    })
}

/// A request that was checked against a graph.
struct Plan<'a> {
    algorithm: PathAlgorithm,
    heuristic: Heuristic,
    metric: Metric<'a>,
    weight: Option<Weight>,
    overestimates: bool,
}

impl<'a> Plan<'a> {
    fn new(graph: &'a Graph, goals: &'a [u32], request: &PathRequest) -> Result<Self, PathError> {
        if request.algorithm == PathAlgorithm::Jps {
            return Err(PathError::MapsOnly { what: "jump point search" });
        }
        if request.nearest {
            return Err(PathError::MapsOnly { what: "--nearest" });
        }
        let heuristic = request.heuristic(usual(graph, goals))?;
        let metric = graph.metric(heuristic, goals)?;
        let reason = metric.overestimates();
        if let Some(reason) = &reason {
            request.allow(heuristic, reason.clone())?;
        }
        let algorithm = match request.algorithm {
            PathAlgorithm::Auto if heuristic == Heuristic::None => PathAlgorithm::Dijkstra,
            PathAlgorithm::Auto => PathAlgorithm::Astar,
            named => named,
        };
        Ok(Self { algorithm, heuristic, metric, weight: request.weight()?, overestimates: reason.is_some() })
    }

    fn counts_steps(&self) -> bool {
        matches!(self.algorithm, PathAlgorithm::Bfs | PathAlgorithm::Bidirectional)
    }

    fn run(&self, space: &GraphSpace<'a>, start: u32, observer: &mut impl Observer<u32>) -> Report<GraphSpace<'a>> {
        let (metric, weight) = (&self.metric, self.weight.unwrap_or(Weight::ONE));
        match self.algorithm {
            PathAlgorithm::Bfs => bfs(space, &start, observer),
            PathAlgorithm::Bidirectional => bidirectional(space, &start, observer),
            PathAlgorithm::Dijkstra => dijkstra(space, &start, observer),
            PathAlgorithm::Greedy => greedy(space, &start, metric, observer),
            PathAlgorithm::Wastar => weighted_astar(space, &start, metric, weight, observer),
            PathAlgorithm::Ida => ida_with_table(space, &start, metric, observer),
            _ => astar(space, &start, metric, observer),
        }
    }
}

/// The straight line, where the nodes have places and no edge is cheaper than it; else nothing.
fn usual(graph: &Graph, goals: &[u32]) -> Heuristic {
    let straight = graph.metric(Heuristic::Euclidean, goals);
    if straight.is_ok_and(|metric| metric.overestimates().is_none()) { Heuristic::Euclidean } else { Heuristic::None }
}
