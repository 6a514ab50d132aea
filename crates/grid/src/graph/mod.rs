//! Graphs with names.

mod metric;
mod read;

use std::ops::ControlFlow::{self, Continue};

use pintu_search::{Backward, Hold, Space, Stop};

pub use self::{
    metric::{Metric, MetricError},
    read::GraphError,
};
use crate::names::Names;

/// A graph with names, read from a text.
///
/// A line is `from to cost`, or `@ name x y` for where a node lies; blank lines and lines that begin
/// with `#` are skipped. Costs are decimals of at least 0. They are kept as integers, as many decimals
/// to all as the one that has the most, so that sums are exact.
///
/// ```
/// use pintu_grid::Graph;
/// use pintu_search::dijkstra;
///
/// let graph = Graph::read("a b 1.5\nb c 2\na c 4\n", false).unwrap();
/// let (a, goals) = (graph.node("a").unwrap(), [graph.node("c").unwrap()]);
/// let report = dijkstra(&graph.toward(&goals), &a, ());
/// assert_eq!(graph.cost(report.solution().unwrap().cost), 3.5);
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Graph {
    names: Names,
    places: Vec<Option<(f64, f64)>>,
    forward: Edges,
    /// The same edges, the other way.
    backward: Edges,
    /// What the integers must be divided by: a power of ten.
    unit: u64,
}

/// The edges of all nodes, one node's after the other's.
#[derive(Clone, Debug, Default)]
struct Edges {
    first: Vec<usize>,
    edges: Vec<Edge>,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    to: u32,
    cost: u64,
}

impl Edges {
    /// The edges of so many nodes: those of each in the order in which they come.
    fn new(nodes: usize, arcs: impl Iterator<Item = (u32, Edge)> + Clone, hold: &mut Hold) -> ControlFlow<Stop, Self> {
        let mut all = Self::default();
        hold.reserve(&mut all.first, nodes + 2)?;
        all.first.resize(nodes + 2, 0);
        // Counted two places further on, so that a node's place moves from where its edges begin to where they end.
        arcs.clone().for_each(|(from, _)| all.first[from as usize + 2] += 1);
        (1..nodes + 2).for_each(|node| all.first[node] += all.first[node - 1]);
        let count = all.first[nodes + 1];
        hold.reserve(&mut all.edges, count)?;
        all.edges.resize(count, Edge { to: 0, cost: 0 });
        for (from, edge) in arcs {
            let place = &mut all.first[from as usize + 1];
            all.edges[*place] = edge;
            *place += 1;
        }
        Continue(all)
    }

    fn bytes(&self) -> u64 {
        (self.first.capacity() * size_of::<usize>() + self.edges.capacity() * size_of::<Edge>()) as u64
    }

    fn of(&self, node: u32) -> std::ops::Range<usize> {
        self.first[node as usize]..self.first[node as usize + 1]
    }
}

/// The most decimals of a cost.
const MOST_DECIMALS: usize = 6;

impl Graph {
    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no nodes; a graph that was read has some.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a node.
    pub fn node(&self, name: &str) -> Option<u32> {
        self.names.find(name)
    }

    /// The name of a node.
    pub fn name(&self, node: u32) -> Option<&str> {
        self.names.get(node)
    }

    /// Where a node lies, if it lies anywhere.
    pub fn place(&self, node: u32) -> Option<(f64, f64)> {
        self.places.get(node as usize).copied().flatten()
    }

    /// A cost as a number: the nearest one that there is.
    pub fn cost(&self, cost: u64) -> f64 {
        cost as f64 / self.unit as f64
    }

    /// A cost as a whole number, if it is one.
    pub fn whole_cost(&self, cost: u64) -> Option<u64> {
        (cost % self.unit == 0).then(|| cost / self.unit)
    }

    /// A bound as a number that is not above it.
    pub fn bound(&self, bound: u64) -> f64 {
        match self.whole_cost(bound).filter(|&whole| whole <= 1 << 53) {
            Some(whole) => whole as f64,
            None => self.cost(bound) * (1.0 - 4.0 * f64::EPSILON),
        }
    }

    /// The bytes that the graph holds.
    pub fn bytes(&self) -> u64 {
        let places = self.places.capacity() * size_of::<Option<(f64, f64)>>();
        self.names.bytes() + places as u64 + self.forward.bytes() + self.backward.bytes()
    }

    /// A cost as text: exact, with six decimals where it is not whole.
    pub fn show_cost(&self, cost: u64) -> String {
        show(cost, self.unit)
    }

    /// The graph as a space to search, with its goals.
    pub fn toward<'a>(&'a self, goals: &'a [u32]) -> GraphSpace<'a> {
        GraphSpace { graph: self, goals }
    }
}

/// A graph and the nodes to reach.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct GraphSpace<'a> {
    graph: &'a Graph,
    goals: &'a [u32],
}

impl Space for GraphSpace<'_> {
    type State = u32;
    /// The edge's number.
    type Action = usize;
    type Cost = u64;

    fn actions(&self, state: &u32) -> impl Iterator<Item = usize> {
        self.graph.forward.of(*state)
    }

    fn apply(&self, state: &mut u32, edge: &usize) -> u64 {
        let Edge { to, cost } = self.graph.forward.edges[*edge];
        *state = to;
        cost
    }

    fn is_goal(&self, state: &u32) -> bool {
        self.goals.contains(state)
    }
}

impl Backward for GraphSpace<'_> {
    fn goals(&self) -> impl Iterator<Item = u32> {
        self.goals.iter().copied()
    }

    fn origins(&self, state: &u32) -> impl Iterator<Item = (u32, u64)> {
        self.graph.backward.edges[self.graph.backward.of(*state)].iter().map(|edge| (edge.to, edge.cost))
    }
}

fn show(cost: u64, unit: u64) -> String {
    if cost % unit == 0 {
        return (cost / unit).to_string();
    }
    let millionths = cost % unit * (10_u64.pow(MOST_DECIMALS as u32) / unit);
    format!("{}.{millionths:0width$}", cost / unit, width = MOST_DECIMALS)
}

#[cfg(test)]
mod tests {
    use pintu_search::{astar, bidirectional, dijkstra};

    use super::*;
    use crate::Heuristic;

    const TOWNS: &str = "# three towns\n@ a 0 0\n@ b 3 4\n@ c 6 0\na b 5\nb c 5.5\na c 12\n";

    #[test]
    fn reads_names_places_and_decimals() {
        let graph = Graph::read(TOWNS, false).unwrap();
        assert_eq!((graph.len(), graph.unit), (3, 10));
        let goals = [graph.node("c").unwrap()];
        let space = graph.toward(&goals);
        let found = dijkstra(&space, &0, ());
        assert_eq!(graph.show_cost(found.solution().unwrap().cost), "10.500000");
        let metric = graph.metric(Heuristic::Euclidean, &goals).unwrap();
        assert_eq!(metric.overestimates(), None);
        assert_eq!(astar(&space, &0, &metric, ()).solution().unwrap().cost, 105);
        let manhattan = graph.metric(Heuristic::Manhattan, &goals).unwrap();
        assert!(manhattan.overestimates().unwrap().contains("from a to b costs 5"));
        assert_eq!(bidirectional(&space, &0, ()).solution().unwrap().path.len(), 1);
    }

    #[test]
    fn directed_edges_lead_one_way() {
        let graph = Graph::read("a b 1\nb c 1\n", true).unwrap();
        let goals = [graph.node("a").unwrap()];
        assert!(dijkstra(&graph.toward(&goals), &2, ()).solution().is_none());
        let goals = [graph.node("c").unwrap()];
        assert_eq!(bidirectional(&graph.toward(&goals), &0, ()).solution().unwrap().cost, 2);
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        let message = |text: &str| Graph::read(text, false).unwrap_err().to_string();
        assert!(message("").starts_with("found no edges"));
        assert!(message("a b").starts_with("line 1: found `a b`"));
        assert!(message("a b 1\na b -1").starts_with("line 2: found the cost `-1`"));
        assert!(message("a b 1.2345678").contains("at most 6 decimals"));
        assert!(message("a b 1.000001\na b 18446744073710").contains("above 18446744073709.551615"));
        assert!(message("a b 18446744073709551616").contains("above 18446744073709551615"));
        assert!(message("a b 184467440737095516.16").contains("above 184467440737095516.150000"));
        for text in ["b c 1\na #1 1", "b c 1\n@ #1 0 0"] {
            let expected = "line 2: found the name `#1`, expected one that does not begin with `#`";
            assert!(message(text).starts_with(expected), "{}", message(text));
        }
        assert!(Graph::read("#1 a 1\na#1 a# 1\n", false).unwrap().node("a#1").is_some());
        assert!(message("@ a x 1").contains("the coordinate `x`"));
        assert!(message("@ a 1 1\n@ a 2 2").contains("second place for a"));
        let graph = Graph::read("a b 1", false).unwrap();
        assert!(graph.metric(Heuristic::Euclidean, &[0]).unwrap_err().to_string().contains("a has none"));
    }
}
