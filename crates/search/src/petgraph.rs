//! Graphs of the `petgraph` crate as spaces.

use std::{collections::HashSet, hash::Hash};

use petgraph::visit::{EdgeRef, GraphBase, IntoEdges, IntoEdgesDirected};

use crate::{Backward, Cost, Space};

/// A graph of the `petgraph` crate as a space: from its nodes to its `goals` along its edges, each of which costs what
/// `cost` says.
///
/// Any graph will do that lists the edges of a node (`&Graph`, `&StableGraph`, `&GraphMap`, `&MatrixGraph`, `&Csr`, and their
/// filters and reversals), and if it lists them by direction, it can be searched from both ends.
///
/// ```
/// use petgraph::graph::DiGraph;
/// use pintu_search::{astar, bidirectional_dijkstra, distances, from_petgraph};
///
/// let mut roads = DiGraph::<&str, f64>::new();
/// let [ulm, bonn, kiel] = ["Ulm", "Bonn", "Kiel"].map(|name| roads.add_node(name));
/// roads.extend_with_edges([(ulm, bonn, 4.5), (bonn, kiel, 5.25), (ulm, kiel, 11.0)]);
///
/// // In whole hundredths; `Real` takes them as they are.
/// let space = from_petgraph(&roads, [kiel], |edge| (edge.weight() * 100.0) as u32);
/// let report = bidirectional_dijkstra(&space, &ulm, ());
/// assert_eq!(report.solution().unwrap().cost, 975);
/// let names: Vec<&str> = report.solution().unwrap().path.states(&space).map(|town| roads[town]).collect();
/// assert_eq!(names, ["Ulm", "Bonn", "Kiel"]);
/// assert_eq!(astar(&space, &ulm, |&town: &_| if town == kiel { 0 } else { 500 }, ()).outcome, report.outcome);
/// assert_eq!(distances(&space, &ulm, ()).cost(&bonn), Some(450));
///
/// use pintu_search::{dijkstra, Real};
/// let space = from_petgraph(&roads, [kiel], |edge| Real::new(*edge.weight()).expect("no road is of negative length"));
/// assert_eq!(dijkstra(&space, &ulm, ()).into_solution().unwrap().cost.get(), 9.75);
/// ```
pub fn from_petgraph<G, C, F>(graph: G, goals: impl IntoIterator<Item = G::NodeId>, cost: F) -> Petgraph<G, F>
where
    G: IntoEdges<NodeId: Eq + Hash>,
    F: Fn(G::EdgeRef) -> C,
{
    let list: Vec<G::NodeId> = goals.into_iter().collect();
    Petgraph { graph, cost, goals: list.iter().copied().collect(), list }
}

/// The space that [`from_petgraph`] makes.
pub struct Petgraph<G: GraphBase, F> {
    graph: G,
    cost: F,
    goals: HashSet<G::NodeId>,
    /// The goals in the order given, so that every search gives the same result.
    list: Vec<G::NodeId>,
}

/// A step along an edge of a [`Petgraph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Along<E, N, C> {
    /// The edge.
    pub edge: E,
    /// The node that it leads to.
    pub to: N,
    /// Its cost.
    pub cost: C,
}

impl<G, C, F> Space for Petgraph<G, F>
where
    G: IntoEdges<NodeId: Eq + Hash, EdgeId: Eq>,
    C: Cost,
    F: Fn(G::EdgeRef) -> C,
{
    type State = G::NodeId;
    type Action = Along<G::EdgeId, G::NodeId, C>;
    type Cost = C;

    fn actions(&self, state: &G::NodeId) -> impl Iterator<Item = Self::Action> {
        self.graph.edges(*state).map(|edge| Along { edge: edge.id(), to: edge.target(), cost: (self.cost)(edge) })
    }

    fn apply(&self, state: &mut G::NodeId, action: &Self::Action) -> C {
        *state = action.to;
        action.cost
    }

    fn is_goal(&self, state: &G::NodeId) -> bool {
        self.goals.contains(state)
    }
}

impl<G, C, F> Backward for Petgraph<G, F>
where
    G: IntoEdgesDirected<NodeId: Eq + Hash, EdgeId: Eq>,
    C: Cost,
    F: Fn(G::EdgeRef) -> C,
{
    fn goals(&self) -> impl Iterator<Item = G::NodeId> {
        self.list.iter().copied()
    }

    fn origins(&self, state: &G::NodeId) -> impl Iterator<Item = (G::NodeId, C)> {
        self.graph.edges_directed(*state, petgraph::Incoming).map(|edge| (edge.source(), (self.cost)(edge)))
    }
}
