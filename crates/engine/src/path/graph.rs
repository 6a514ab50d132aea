//! Where a name becomes code, on graphs.

use std::{collections::BTreeSet, ops::ControlFlow};

use pintu_grid::{Graph, GraphSpace, Heuristic, Metric};
use pintu_search::{
    Bound, Control, Counters, Guarantee, Node, Observer, Outcome, ReportOf, Stop, Weight, astar, bfs, bidirectional,
    breadth_first, dijkstra, greedy, ida_with_table, weighted_astar,
};

use super::{PathAlgorithm, PathAnswer, PathCost, PathError, PathRequest, PathVerdict, Way};
use crate::{UnknownName, trace::NameTrace};

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
    // What would be refused for a path is refused here, too, though no heuristic is asked.
    GraphSearch::new(graph, &[start], request)?;
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
    graph.node(name).ok_or_else(|| PathError::NoNode(UnknownName::new("the node", name, names(graph))))
}

fn names(graph: &Graph) -> impl Iterator<Item = &str> + Clone {
    (0..graph.len() as u32).filter_map(|node| graph.name(node))
}

/// The names in a list of a graph's nodes with `;` between them. A name of the graph's that has a `;` itself is taken whole;
/// a space beside it, which no name has, keeps two names apart.
pub fn listed_names<'a>(graph: &Graph, list: &'a str) -> Vec<&'a str> {
    const BETWEEN: char = ';';
    // Only as long as one of these are names that are worth looking up: a list may be long, and so may a name.
    let lengths: BTreeSet<usize> = names(graph).filter(|name| name.contains(BETWEEN)).map(str::len).collect();
    let is_end = |rest: &str| rest.is_empty() || rest.starts_with(BETWEEN);
    let mut found = Vec::new();
    let mut rest = list.trim_start();
    loop {
        let is_name = |&length: &usize| {
            let ends = rest.get(length..).is_some_and(|after| is_end(after.trim_start()));
            ends && graph.node(&rest[..length]).is_some()
        };
        let first = rest.find(BETWEEN).unwrap_or(rest.len());
        let end = lengths.iter().rev().copied().find(is_name).unwrap_or(first);
        found.push(rest[..end].trim_end());
        match rest[end..].trim_start().strip_prefix(BETWEEN) {
            Some(more) => rest = more.trim_start(),
            None => return found,
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_can_be_listed() {
        let graph = Graph::read("a b 1\na;b c; 1\n;d x;y;z 1\n", false).unwrap();
        for name in names(&graph) {
            assert_eq!(listed_names(&graph, name), [name]);
            assert_eq!(listed_names(&graph, &format!("a; {name}; b")), ["a", name, "b"]);
        }
        assert_eq!(listed_names(&graph, "a; b"), ["a", "b"], "a space keeps them apart");
        assert_eq!(listed_names(&graph, "b;a;b;;d"), ["b", "a;b", ";d"]);
        assert_eq!(listed_names(&graph, "x;y;e"), ["x", "y", "e"], "what is no name is named piece by piece");
        assert_eq!(listed_names(&graph, "a;"), ["a", ""]);
        // A list as long as a command line may have, beside a name that could begin anywhere in it.
        let long = Graph::read(&format!("a b 1\n{} b 1\n", ";".repeat(20_000)), false).unwrap();
        assert_eq!(listed_names(&long, &"a;".repeat(20_000)).len(), 20_001);
        let plain = Graph::read("a b 1\n", false).unwrap();
        assert_eq!(listed_names(&plain, "a;b"), ["a", "b"]);
    }
}
