use std::ops::ControlFlow::{self, Break, Continue};

use pintu_search::{Backward, Control, Heuristic as Guide, Hold, Space, Stop};

use crate::{Heuristic, format::without_mark, names::Names};

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
    /// Reads a graph. Unless it is `directed`, each line is an edge both ways.
    pub fn read(text: &str, directed: bool) -> Result<Self, GraphError> {
        match Self::within(text, directed, &mut Control::unlimited().hold()) {
            Continue(read) => read,
            Break(why) => unreachable!("nothing limits it: {why}"),
        }
    }

    /// Reads a graph within a limit on memory. The hold is asked for everything before it is taken, and is left with
    /// what the graph [holds](Self::bytes) besides what it had.
    pub fn within(text: &str, directed: bool, hold: &mut Hold) -> ControlFlow<Stop, Result<Self, GraphError>> {
        let before = hold.bytes();
        let read = Self::read_holding(text, directed, hold);
        hold.set(before + read.as_ref().map_or(0, Self::bytes))?;
        match read {
            Err(Unread::Refused(why)) => Break(why),
            Err(Unread::Bad(error)) => Continue(Err(error)),
            Ok(graph) => Continue(Ok(graph)),
        }
    }

    fn read_holding(text: &str, directed: bool, hold: &mut Hold) -> Result<Self, Unread> {
        let mut graph = Self {
            names: Names::default(),
            places: Vec::new(),
            forward: Edges::default(),
            backward: Edges::default(),
            unit: 1,
        };
        let mut lines = Vec::new();
        for (at, line) in without_mark(text).lines().enumerate().filter(|(_, line)| !is_skipped(line)) {
            let mut words = line.split_whitespace();
            // One more than there may be.
            let words: [Option<&str>; 5] = std::array::from_fn(|_| words.next());
            match words {
                [Some("@"), Some(name), Some(x), Some(y), None] => graph.put(at + 1, name, x, y, hold)?,
                [Some(from), Some(to), Some(cost), None, None] if from != "@" => {
                    let (from, to) = (graph.add(from, hold)?, graph.add(to, hold)?);
                    make_room(&mut lines, hold)?;
                    lines.push(Line { number: at + 1, from, to, cost: Decimal::read(at + 1, cost)? });
                }
                _ => return Err(GraphError::Line { line: at + 1, found: line.to_owned() }.into()),
            }
        }
        if graph.is_empty() {
            return Err(GraphError::Empty.into());
        }
        graph.connect(lines, directed, hold)?;
        Ok(graph)
    }

    fn add(&mut self, name: &str, hold: &mut Hold) -> Result<u32, Unread> {
        let number = granted(self.names.add(name, hold))?;
        if self.places.len() < self.names.len() {
            make_room(&mut self.places, hold)?;
            self.places.push(None);
        }
        Ok(number)
    }

    fn put(&mut self, line: usize, name: &str, x: &str, y: &str, hold: &mut Hold) -> Result<(), Unread> {
        let coordinate = |text: &str| {
            let value = text.parse().ok().filter(|value: &f64| value.is_finite());
            value.ok_or_else(|| GraphError::Coordinate { line, found: text.to_owned() })
        };
        let place = (coordinate(x)?, coordinate(y)?);
        let node = self.add(name, hold)?;
        match self.places[node as usize].replace(place) {
            Some(other) if other != place => Err(GraphError::TwoPlaces { line, name: name.to_owned() }.into()),
            _ => Ok(()),
        }
    }

    fn connect(&mut self, mut lines: Vec<Line>, directed: bool, hold: &mut Hold) -> Result<(), Unread> {
        let decimals = lines.iter().map(|line| line.cost.decimals).max().unwrap_or(0);
        self.unit = 10_u64.pow(decimals);
        for Line { number, cost, .. } in &mut lines {
            let scaled = cost.digits.checked_mul(10_u64.pow(decimals - cost.decimals));
            let most = || show(u64::MAX, self.unit);
            let digits = scaled.ok_or_else(|| GraphError::TooDear { line: *number, decimals, most: most() })?;
            *cost = Decimal { digits, decimals };
        }
        let arcs = lines.iter().flat_map(|&Line { from, to, cost, .. }| {
            let back = (!directed && from != to).then_some((to, from, cost.digits));
            [(from, to, cost.digits)].into_iter().chain(back)
        });
        let back = arcs.clone().map(|(from, to, cost)| (to, Edge { to: from, cost }));
        let forth = arcs.map(|(from, to, cost)| (from, Edge { to, cost }));
        self.forward = granted(Edges::new(self.len(), forth, hold))?;
        self.backward = granted(Edges::new(self.len(), back, hold))?;
        Ok(())
    }

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
        cost.is_multiple_of(self.unit).then(|| cost / self.unit)
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

    /// An estimate of what is left to the nearest goal from where the nodes lie.
    pub fn metric<'a>(&'a self, heuristic: Heuristic, goals: &'a [u32]) -> Result<Metric<'a>, MetricError> {
        let metric = Metric { graph: self, heuristic, goals, too_cheap: self.too_cheap(heuristic) };
        if heuristic != Heuristic::None {
            let homeless = self.places.iter().position(Option::is_none);
            if let Some(node) = homeless {
                let name = self.name(node as u32).unwrap_or_default().to_owned();
                return Err(MetricError::NoPlace { name, heuristic });
            }
        }
        Ok(metric)
    }

    /// How far two nodes are apart; infinitely far, where the number is too large.
    fn apart(&self, heuristic: Heuristic, a: u32, b: u32) -> f64 {
        let (Some(a), Some(b)) = (self.places[a as usize], self.places[b as usize]) else {
            return 0.0;
        };
        // In halves, which are finite, so that nothing infinite is taken from another.
        let (x, y) = ((a.0 / 2.0 - b.0 / 2.0).abs(), (a.1 / 2.0 - b.1 / 2.0).abs());
        2.0 * match heuristic {
            Heuristic::None => 0.0,
            Heuristic::Manhattan => x + y,
            Heuristic::Euclidean => x.hypot(y),
            Heuristic::Chebyshev => x.max(y),
            Heuristic::Octile => (x - y).abs() + x.min(y) * std::f64::consts::SQRT_2,
        }
    }

    /// The first edge that costs less than its ends are apart: where it starts, and its number.
    fn too_cheap(&self, heuristic: Heuristic) -> Option<(u32, usize)> {
        let mut edges = (0..self.len() as u32).flat_map(|from| self.forward.of(from).map(move |edge| (from, edge)));
        edges.find(|&(from, edge)| {
            let Edge { to, cost } = self.forward.edges[edge];
            self.cost(cost) < self.apart(heuristic, from, to) * (1.0 - ROUNDING)
        })
    }
}

/// A graph and the nodes to reach.
#[derive(Clone, Copy, Debug)]
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

/// An estimate from where the nodes lie: the distance to the nearest goal.
#[derive(Clone, Copy, Debug)]
pub struct Metric<'a> {
    graph: &'a Graph,
    heuristic: Heuristic,
    goals: &'a [u32],
    /// An edge along which it falls by more than the edge costs.
    too_cheap: Option<(u32, usize)>,
}

/// More than rounding can take off a distance, or add to it.
const ROUNDING: f64 = 1e-12;

impl Metric<'_> {
    /// An edge that costs less than the distance between its ends, in words. If there is none, the
    /// estimate never overestimates.
    pub fn overestimates(&self) -> Option<String> {
        let graph = self.graph;
        self.too_cheap.map(|(from, edge)| {
            let Edge { to, cost } = graph.forward.edges[edge];
            let (apart, cost) = (graph.apart(self.heuristic, from, to), graph.cost(cost));
            let [from, to] = [from, to].map(|node| graph.name(node).unwrap_or_default());
            format!("the edge from {from} to {to} costs {cost}, and the {} distance is {apart:.6}", self.heuristic)
        })
    }

    fn at(&self, node: u32) -> u64 {
        let nearest =
            self.goals.iter().map(|&goal| self.graph.apart(self.heuristic, node, goal)).fold(f64::MAX, f64::min);
        // An edge may be cheaper than it is long by what rounding is thought to take off, so twice that is taken off here.
        (nearest * self.graph.unit as f64 * (1.0 - 2.0 * ROUNDING)) as u64
    }
}

impl<S: Space<State = u32, Cost = u64>> Guide<S> for Metric<'_> {
    type Memo = u64;

    fn start(&self, state: &u32) -> u64 {
        self.at(*state)
    }

    fn estimate(&self, memo: u64) -> Option<u64> {
        Some(memo)
    }

    fn is_admissible(&self) -> bool {
        self.too_cheap.is_none()
    }
}

fn show(cost: u64, unit: u64) -> String {
    if cost.is_multiple_of(unit) {
        return (cost / unit).to_string();
    }
    let millionths = cost % unit * (10_u64.pow(MOST_DECIMALS as u32) / unit);
    format!("{}.{millionths:0width$}", cost / unit, width = MOST_DECIMALS)
}

/// Room for one more, if there is memory for it.
fn make_room<T>(list: &mut Vec<T>, hold: &mut Hold) -> Result<(), Unread> {
    const FIRST: usize = 1 << 6;
    if list.len() < list.capacity() {
        return Ok(());
    }
    granted(hold.reserve(list, (list.len() / 2 * 3).max(FIRST)))
}

/// What was asked for, if it was not refused.
fn granted<T>(asked: ControlFlow<Stop, T>) -> Result<T, Unread> {
    match asked {
        Continue(granted) => Ok(granted),
        Break(why) => Err(Unread::Refused(why)),
    }
}

/// Why a graph was not read.
enum Unread {
    Refused(Stop),
    Bad(GraphError),
}

impl From<GraphError> for Unread {
    fn from(error: GraphError) -> Self {
        Self::Bad(error)
    }
}

/// An edge as it was written, and on which line.
struct Line {
    number: usize,
    from: u32,
    to: u32,
    cost: Decimal,
}

/// A cost as it was written.
#[derive(Clone, Copy)]
struct Decimal {
    digits: u64,
    decimals: u32,
}

impl Decimal {
    fn read(line: usize, text: &str) -> Result<Self, GraphError> {
        let bad = || GraphError::Cost { line, found: text.to_owned() };
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let part = part.trim_end_matches('0');
        let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !all_digits(whole) || !all_digits(part) || part.len() > MOST_DECIMALS {
            return Err(bad());
        }
        let decimals = part.len() as u32;
        let most = || show(u64::MAX, 10_u64.pow(decimals));
        let digits = format!("{whole}{part}").parse();
        let digits = digits.map_err(|_| GraphError::TooDear { line, decimals, most: most() })?;
        Ok(Self { digits, decimals: part.len() as u32 })
    }
}

fn is_skipped(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('#')
}

/// What is wrong with a graph's text.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GraphError {
    /// No nodes at all.
    #[error("found no edges and no nodes, expected lines `from to cost` or `@ name x y`")]
    Empty,
    /// A line of neither kind.
    #[error("line {line}: found `{found}`, expected `from to cost` or `@ name x y`")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// Not a cost.
    #[error(
        "line {line}: found the cost `{found}`, expected a number of at least 0 with at most {MOST_DECIMALS} decimals"
    )]
    Cost {
        /// The line, from 1.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// A cost that has no room.
    #[error("line {line}: found a cost above {most}, the most that costs with {decimals} decimals can be")]
    TooDear {
        /// The line, from 1.
        line: usize,
        /// The decimals of the most precise cost.
        decimals: u32,
        /// The most that fits.
        most: String,
    },
    /// Not a coordinate.
    #[error("line {line}: found the coordinate `{found}`, expected a number")]
    Coordinate {
        /// The line, from 1.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// A node in two places.
    #[error("line {line}: found a second place for {name}, expected one")]
    TwoPlaces {
        /// The line, from 1.
        line: usize,
        /// The node.
        name: String,
    },
}

/// Why a graph has no such estimate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MetricError {
    /// A node that lies nowhere.
    #[error("the {heuristic} distance needs coordinates, and {name} has none: expected a line `@ {name} x y`")]
    NoPlace {
        /// The node.
        name: String,
        /// The heuristic.
        heuristic: Heuristic,
    },
}

#[cfg(test)]
mod tests {
    use pintu_search::{astar, bidirectional, dijkstra};

    use super::*;

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
        assert!(message("@ a x 1").contains("the coordinate `x`"));
        assert!(message("@ a 1 1\n@ a 2 2").contains("second place for a"));
        let graph = Graph::read("a b 1", false).unwrap();
        assert!(graph.metric(Heuristic::Euclidean, &[0]).unwrap_err().to_string().contains("a has none"));
    }
}
