//! Graphs with names.

mod metric;
mod read;

use indexmap::IndexMap;
use pintu_search::{Backward, Space};

pub use self::metric::{Metric, MetricError};
use crate::MAX_COST;

/// A graph with names, read from a text.
///
/// A line is `from to cost`, or `@ name x y` for the coordinates of a node; blank lines and lines that begin with `#`
/// are skipped. Costs are decimals of at least 0. They are kept as integers, all with as many decimals as the most
/// precise one, so that sums are exact.
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
    /// The names, in the order of their first lines, and the positions of those that have one.
    nodes: IndexMap<Box<str>, Option<Position>>,
    forward: Edges,
    backward: Edges,
    /// The divisor of the integers: a power of ten.
    unit: u64,
}

type Position = (f64, f64);

/// A node's entry in the list of nodes: its hash, its name and its position.
const NODE_BYTES: usize = size_of::<(usize, Box<str>, Option<Position>)>();

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
    /// The edges of `nodes` nodes: those of each in the order in which they come.
    fn new(nodes: usize, arcs: impl Iterator<Item = (u32, Edge)> + Clone) -> Self {
        // Counted two entries further on, so that a node's entry moves from the beginning of its edges to their end.
        let mut first = vec![0; nodes + 2];
        arcs.clone().for_each(|(from, _)| first[from as usize + 2] += 1);
        (1..nodes + 2).for_each(|node| first[node] += first[node - 1]);
        let mut edges = vec![Edge { to: 0, cost: 0 }; first[nodes + 1]];
        for (from, edge) in arcs {
            let next = &mut first[from as usize + 1];
            edges[*next] = edge;
            *next += 1;
        }
        Self { first, edges }
    }

    fn bytes(&self) -> u64 {
        (self.first.capacity() * size_of::<usize>() + self.edges.capacity() * size_of::<Edge>()) as u64
    }

    fn of(&self, node: u32) -> std::ops::Range<usize> {
        self.first[node as usize]..self.first[node as usize + 1]
    }
}

const MAX_DECIMALS: usize = 6;

/// The greatest cost of an edge or a path in units of `1 / unit`: up to here, floating-point numbers are exact.
fn max_cost(unit: u64) -> u64 {
    const MAX_DIGITS: u32 = f64::DIGITS;
    if unit == 1 { MAX_COST } else { 10_u64.pow(MAX_DIGITS) - 1 }
}

impl Graph {
    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes; a graph that was read has some.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a node.
    pub fn node(&self, name: &str) -> Option<u32> {
        self.nodes.get_index_of(name).map(|node| node as u32)
    }

    /// The name of a node.
    pub fn name(&self, node: u32) -> Option<&str> {
        self.nodes.get_index(node as usize).map(|(name, _)| &**name)
    }

    /// The coordinates of a node, if it has any.
    pub fn position(&self, node: u32) -> Option<(f64, f64)> {
        self.nodes.get_index(node as usize).and_then(|(_, position)| *position)
    }

    /// The greatest cost that an edge may have, and that a path may be reported with: 2⁵³, or 15 digits if some costs
    /// have decimals. Up to here, [`cost`](Self::cost) is different for different costs.
    pub fn max_cost(&self) -> u64 {
        max_cost(self.unit)
    }

    /// A cost as a floating-point number: the nearest one.
    pub fn cost(&self, cost: u64) -> f64 {
        cost as f64 / self.unit as f64
    }

    /// A bound as a number that is not above it.
    pub fn bound(&self, bound: u64) -> f64 {
        if bound % self.unit == 0 { self.cost(bound) } else { self.cost(bound) * (1.0 - 4.0 * f64::EPSILON) }
    }

    /// The bytes that the graph holds.
    pub fn bytes(&self) -> u64 {
        let names: usize = self.nodes.keys().map(|name| name.len()).sum();
        (names + self.nodes.capacity() * (NODE_BYTES + 2 * size_of::<usize>())) as u64
            + self.forward.bytes()
            + self.backward.bytes()
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
        assert_eq!(graph.cost(found.solution().unwrap().cost).to_string(), "10.5");
        let metric = graph.metric(Heuristic::Euclidean, &goals).unwrap();
        assert_eq!(metric.overestimates(), None);
        assert_eq!(astar(&space, &0, metric, ()).solution().unwrap().cost, 105);
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
        // The greatest costs, and those that are greater by one.
        for (file, most, decimals) in [
            ("a b 9007199254740992\na b 9007199254740993", "9007199254740992", 0),
            ("a b 99999999999999.9\na b 100000000000000", "99999999999999.9", 1),
            ("a b 0.000001\na b 1000000000", "999999999.999999", 6),
            ("a b 1\na b 18446744073709551616", "9007199254740992", 0),
        ] {
            let expected =
                format!("line 2: found a cost above {most}, the greatest in a file with {decimals} decimals");
            assert_eq!(message(file), expected);
            assert!(Graph::read(file.lines().next().unwrap(), false).is_ok());
        }
        for text in ["b c 1\na #1 1", "b c 1\n@ #1 0 0"] {
            let expected = "line 2: found the name `#1`, expected one that does not begin with `#`";
            assert!(message(text).starts_with(expected), "{}", message(text));
        }
        assert!(Graph::read("#1 a 1\na#1 a# 1\n", false).unwrap().node("a#1").is_some());
        for bad in ["x", "nan", "1.1e15", "-inf"] {
            let expected = format!("line 1: found the coordinate `{bad}`, expected a number from -1e15 to 1e15");
            assert_eq!(message(&format!("@ a {bad} 1")), expected);
        }
        assert!(message("@ a 1 1\n@ a 2 2").contains("second position of a"));
        let graph = Graph::read("a b 1", false).unwrap();
        assert!(graph.metric(Heuristic::Euclidean, &[0]).unwrap_err().to_string().contains("a has none"));
    }
}
