//! Graphs of `petgraph`, searched by it and by us.

#![cfg(feature = "petgraph")]

use petgraph::{
    algo::dijkstra,
    graph::{NodeIndex, UnGraph},
    prelude::DiGraph,
    visit::{EdgeRef, Reversed},
};
use pintu_search::{Outcome, bidirectional_dijkstra, breadth_first, distances, from_petgraph};
use proptest::prelude::*;

fn edges() -> impl Strategy<Value = Vec<(u32, u32, u32)>> {
    prop::collection::vec((0..12_u32, 0..12_u32, 0..9_u32), 1..40)
}

proptest! {
    #[test]
    fn agrees_with_petgraph(edges in edges()) {
        let directed = DiGraph::<(), u32>::from_edges(&edges);
        let undirected = UnGraph::<(), u32>::from_edges(&edges);
        let start = NodeIndex::new(0);
        let theirs = dijkstra(&directed, start, None, |edge| *edge.weight());
        let back = dijkstra(Reversed(&directed), start, None, |edge| *edge.weight());
        let around = dijkstra(&undirected, start, None, |edge| *edge.weight());
        let all = from_petgraph(&directed, [], |edge| *edge.weight());
        prop_assert_eq!(breadth_first(&all, &start, ()).count(), theirs.len());
        let reversed = from_petgraph(Reversed(&directed), [], |edge| *edge.weight());
        prop_assert_eq!(distances(&reversed, &start, ()).len(), back.len());
        for node in directed.node_indices() {
            prop_assert_eq!(distances(&all, &start, ()).cost(&node), theirs.get(&node).copied());
            prop_assert_eq!(distances(&reversed, &start, ()).cost(&node), back.get(&node).copied());
            for (found, truth) in [
                (bidirectional_dijkstra(&from_petgraph(&directed, [node], |edge| *edge.weight()), &start, ()), &theirs),
                (bidirectional_dijkstra(&from_petgraph(&undirected, [node], |edge| *edge.weight()), &start, ()), &around),
            ] {
                prop_assert_eq!(found.solution().map(|solution| solution.cost), truth.get(&node).copied());
                let Outcome::Solved(solution) = found.outcome else { continue };
                for along in &solution.path.actions {
                    prop_assert_eq!(edges[along.edge.index()].2, along.cost);
                }
            }
        }
    }
}

#[test]
fn costs_may_come_from_anywhere() {
    let graph = DiGraph::<u32, ()>::from_edges([(0, 1), (1, 2), (0, 2)]);
    let goal = NodeIndex::new(2);
    let space = from_petgraph(&graph, [goal], |edge| 10 * (edge.target().index() - edge.source().index()) as u64);
    assert_eq!(bidirectional_dijkstra(&space, &NodeIndex::new(0), ()).solution().unwrap().cost, 20);
}
