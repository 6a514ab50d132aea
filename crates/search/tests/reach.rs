//! What can be reached, in which order and at what cost, on random graphs: against relaxation and a plain recursion.

mod common;

use std::collections::VecDeque;

use common::{Graph, graphs, limited};
use pintu_search::{
    Blend, Bound, Control, Counters, Guarantee, Limits, Node, Observer, Stepper, Stop, Zero, breadth_first,
    cheapest_first, depth_first, distances, from_fn, nearest_goals,
};
use proptest::prelude::*;

fn enter(graph: &Graph, at: usize, depth: u64, order: &mut Vec<(usize, u64)>) {
    if order.iter().any(|seen| seen.0 == at) {
        return;
    }
    order.push((at, depth));
    for &(to, _) in &graph.edges[at] {
        enter(graph, to, depth + 1, order);
    }
}

fn in_levels(graph: &Graph, starts: &[usize]) -> Vec<(usize, u64)> {
    let mut order: Vec<(usize, u64)> = Vec::new();
    let mut queue: VecDeque<(usize, u64)> = starts.iter().map(|&start| (start, 0)).collect();
    while let Some((at, steps)) = queue.pop_front() {
        if order.iter().all(|seen| seen.0 != at) {
            order.push((at, steps));
            queue.extend(graph.edges[at].iter().map(|edge| (edge.0, steps + 1)));
        }
    }
    order
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn distances_are_those_of_relaxation((graph, starts) in graphs(0_u32..9)) {
        let costs = graph.costs_from(&starts);
        let found = distances(&graph, &starts, ());
        prop_assert_eq!(found.stopped(), None);
        prop_assert_eq!(found.len(), costs.iter().flatten().count());
        for (node, &cost) in costs.iter().enumerate() {
            prop_assert_eq!(found.cost(&node), cost);
            let path = found.path(&graph, &node);
            prop_assert_eq!(path.is_some(), cost.is_some());
            let Some(path) = path else { continue };
            prop_assert!(starts.contains(&path.start));
            prop_assert_eq!(path.cost(&graph), cost);
            let states: Vec<usize> = path.states(&graph).collect();
            prop_assert_eq!(states.last(), Some(&node));
            prop_assert_eq!(found.parent(&node), states.iter().rev().nth(1));
        }
        let order: Vec<u32> = found.iter().map(|(_, cost)| cost).collect();
        prop_assert!(order.is_sorted());
        prop_assert_eq!(order.len(), found.len());
    }

    #[test]
    fn what_is_stopped_knows_the_nearest((graph, starts) in graphs(0_u32..9), nodes in 0_u64..14) {
        let costs = graph.costs_from(&starts);
        let found = distances(&graph, &starts, &limited(nodes));
        let all = costs.iter().flatten().count();
        prop_assert_eq!(found.len(), all.min(nodes as usize));
        prop_assert_eq!(found.stopped(), (all > nodes as usize).then_some(Stop::Nodes));
        prop_assert_eq!((0..graph.edges.len()).filter(|node| found.cost(node).is_some()).count(), found.len());
        let mut nearest: Vec<u32> = costs.iter().flatten().copied().collect();
        nearest.sort_unstable();
        prop_assert!(found.iter().map(|(_, cost)| cost).eq(nearest.into_iter().take(found.len())));
        prop_assert!(found.iter().all(|(node, cost)| costs[*node] == Some(cost)));
    }

    #[test]
    fn orders_are_those_of_the_plain_algorithms((graph, starts) in graphs(0_u32..9)) {
        let mut deep = Vec::new();
        for &start in &starts {
            enter(&graph, start, 0, &mut deep);
        }
        prop_assert_eq!(&depth_first(&graph, &starts, ()).collect::<Vec<_>>(), &deep);
        let control = Control::unlimited();
        prop_assert_eq!(breadth_first(&graph, &starts, &control).collect::<Vec<_>>(), in_levels(&graph, &starts));
        prop_assert_eq!(control.counters().peak_states, deep.len() as u64, "every state is held");
        let costs = graph.costs_from(&starts);
        let found: Vec<(usize, u32)> = cheapest_first(&graph, &starts, ()).collect();
        prop_assert!(found.is_sorted_by_key(|&(_, cost)| cost));
        prop_assert_eq!(found.len(), costs.iter().flatten().count());
        prop_assert!(found.iter().all(|&(node, cost)| costs[node] == Some(cost)));
    }

    #[test]
    fn goals_come_the_nearest_first((graph, starts) in graphs(0_u32..9)) {
        let costs = graph.costs_from(&starts);
        let control = Control::unlimited();
        let found: Vec<_> = nearest_goals(&graph, &starts, &control).collect();
        prop_assert!(found.first().is_none_or(|nearest| control.bound() <= u64::from(nearest.cost)));
        prop_assert!(found.is_sorted_by_key(|goal| goal.cost));
        let mut ends: Vec<usize> = found.iter().map(|goal| goal.path.end(&graph)).collect();
        for (goal, &end) in found.iter().zip(&ends) {
            prop_assert_eq!(costs[end], Some(goal.cost));
            prop_assert_eq!(goal.path.cost(&graph), Some(goal.cost));
            let is_nearest = goal.cost == found[0].cost;
            prop_assert_eq!(goal.guarantee, if is_nearest { Guarantee::Cheapest } else { Guarantee::None });
            prop_assert_eq!(goal.lower_bound, Some(Bound::Cost(found[0].cost)));
        }
        ends.sort_unstable();
        prop_assert_eq!(ends, (0..graph.edges.len()).filter(|n| graph.goals.contains(n) && costs[*n].is_some()).collect::<Vec<_>>());
    }
}

#[test]
fn nothing_is_expanded_before_it_is_asked_for() {
    let asked = std::cell::Cell::new(0);
    let line = from_fn(
        |&n: &u32| {
            asked.set(asked.get() + 1);
            [(n + 1, 1_u32)]
        },
        |_| false,
    );
    let mut states = cheapest_first(&line, &0, ());
    assert_eq!(states.by_ref().take(5).last(), Some((4, 4)));
    assert_eq!(asked.get(), 4);
    assert_eq!(states.counters().expanded, 5);
    assert_eq!(states.next(), Some((5, 5)));
}

struct ExpandedCount(u64);

impl Observer<u64, u32> for ExpandedCount {
    fn expand(&mut self, _: &Node<'_, u64, u32>, so_far: &Counters) -> Result<(), Stop> {
        self.0 = so_far.expanded;
        Ok(())
    }
}

#[test]
fn iterators_are_limited_cancelled_and_watched() {
    let line = from_fn(|&n: &u64| [(n + 1, 1_u32), (n + 2, 1)], |_| false);
    let control = Control::unlimited();
    let mut observer = ExpandedCount(0);
    let mut states = depth_first(&line, &0, (&control, &mut observer));
    let mut seen = 0;
    for (state, _) in states.by_ref() {
        seen += 1;
        if state == 1000 {
            control.cancel_switch().cancel();
        }
        assert!(seen < 10_000_000, "cancelling ends it");
    }
    assert_eq!(states.stopped(), Some(Stop::Cancelled));
    assert_eq!(states.next(), None);
    drop(states);
    assert_eq!((observer.0, control.counters().expanded), (seen, seen));

    let memory = Control::new(Limits::none().memory(1 << 20));
    let mut wide = breadth_first(&line, &0, &memory);
    assert!(wide.by_ref().count() > 1000);
    assert_eq!(wide.stopped(), Some(Stop::Memory));
    assert!(wide.counters().peak_bytes <= 1 << 20);
    drop(wide);
    assert_eq!(memory.held(), 0);
}

/// An iterator that is paused leaves all nodes but those that it has expanded to other searches.
#[test]
fn a_paused_iterator_keeps_no_nodes() {
    let line = from_fn(|&n: &u64| [(n + 1, 1_u32)], |&n| n % 1000 == 999);
    let control = limited(10_000);
    let mut states = cheapest_first(&line, &0, &control);
    assert_eq!(states.by_ref().take(3000).count(), 3000);
    assert_eq!(control.nodes_left(), Some(7000));
    let mut goals = nearest_goals(&line, &0, &control);
    assert_eq!(goals.by_ref().take(3).count(), 3);
    assert_eq!(control.nodes_left(), Some(4000));
    let mut search = Stepper::new(&line, &1000, Zero, Blend::astar(), &control);
    assert!((0..500).all(|_| search.step().is_some()));
    assert_eq!(control.nodes_left(), Some(3500));
    assert_eq!(states.count(), 3500);
}

#[test]
fn distances_hold_their_memory_until_they_are_dropped() {
    let grid = from_fn(
        |&(x, y): &(u32, u32)| {
            [((x + 1, y), 1_u32), ((x, y + 1), 1)].into_iter().filter(|to| to.0.0 < 99 && to.0.1 < 99)
        },
        |_| false,
    );
    let control = Control::new(Limits::none().memory(8 << 20));
    let found = distances(&grid, &(0, 0), &control);
    assert_eq!(found.len(), 99 * 99);
    let held = control.held();
    assert!(held > 99 * 99 * 8, "{held}");
    drop(found);
    assert_eq!(control.held(), 0);

    let tight = Control::new(Limits::none().memory(held / 2));
    let some = distances(&grid, &(0, 0), &tight);
    assert_eq!(some.stopped(), Some(Stop::Memory));
    assert!(some.iter().all(|(&(x, y), cost)| x + y == cost));
}

#[test]
fn a_cost_that_does_not_fit_is_told() {
    let dear = from_fn(|&n: &u32| [(n + 1, u32::MAX / 2)], |_| false);
    let found = distances(&dear, &0, ());
    assert_eq!((found.len(), found.stopped()), (3, Some(Stop::Overflow)));
    // The number of steps always fits.
    assert_eq!(breadth_first(&dear, &0, ()).take(9).last(), Some((8, 8)));
}
