//! Costs and estimates that are too large, too fine, or nearly so.

mod common;

use pintu_search::{
    Bound, Guarantee, Outcome, Overestimating, Real, Report, Stop, Weight, Zero, astar, bfs, cheapest_paths, dfs,
    dijkstra, from_fn, greedy, ida, ida_with_table, iddfs, paths_by_cost, weighted_astar,
};
use proptest::prelude::*;

use crate::common::Graph;

fn overflows<St, A, C>(report: &Report<St, A, C>) -> bool {
    matches!(report.outcome, Outcome::Stopped { why: Stop::Overflow, .. })
}

#[test]
fn costs_do_not_wrap_around() {
    let dear = from_fn(|&n: &u32| [(n + 1, u32::MAX / 2)], |&n| n == 3);
    assert!(overflows(&bfs(&dear, &0, ())));
    assert!(overflows(&dfs(&dear, &0, 5, ())));
    assert!(overflows(&iddfs(&dear, &0, ())));
    assert!(overflows(&dijkstra(&dear, &0, ())));
    assert!(overflows(&astar(&dear, &0, &Zero, ())));
    assert!(overflows(&ida(&dear, &0, &Zero, ())));
    assert!(overflows(&ida_with_table(&dear, &0, &Zero, ())));
    let wide = from_fn(|&n: &u32| [(n + 1, u64::from(u32::MAX / 2))], |&n| n == 3);
    assert_eq!(dijkstra(&wide, &0, ()).solution().unwrap().cost, 3 * u64::from(u32::MAX / 2));
    let endless = from_fn(|&n: &u32| [(n + 1, Real::new(f64::MAX).unwrap())], |&n| n == 3);
    assert!(overflows(&dijkstra(&endless, &0, ())));
    assert!(overflows(&ida(&endless, &0, &Zero, ())));
}

#[test]
fn a_cost_that_does_not_fit_is_set_aside() {
    // The dear way leads nowhere that the cheap one does not.
    let graph = |dear: u32| {
        let edges = vec![vec![(1, 1)], vec![(2, dear), (3, 1)], vec![(3, 1)], vec![]];
        Graph { edges, goal: 3 }
    };
    let fork = graph(u32::MAX);
    for report in [
        dijkstra(&fork, &0, ()),
        astar(&fork, &0, &Zero, ()),
        weighted_astar(&fork, &0, &Zero, Weight::new(3.0).unwrap(), ()),
        ida(&fork, &0, &Zero, ()),
        ida_with_table(&fork, &0, &Zero, ()),
    ] {
        assert_eq!(report.solution().map(|solution| (solution.cost, solution.guarantee)).unwrap().0, 2);
    }
}

#[test]
fn an_estimate_too_high_to_be_a_cost_hides_no_path() {
    // All that lies between is thought to be as far as can be said.
    let edges = vec![vec![(1, 1)], vec![(2, 2)], vec![(3, 2)], vec![]];
    let graph = Graph { edges, goal: 3 };
    let far = |&state: &usize| if state == 3 { 0 } else { u32::MAX };
    for report in [ida(&graph, &0, &Overestimating(far), ()), ida_with_table(&graph, &0, &Overestimating(far), ())] {
        let solution = report.solution().unwrap_or_else(|| panic!("{:?}", report.outcome));
        assert_eq!((solution.cost, solution.guarantee), (5, Guarantee::None));
    }
    // One that is said never to be too high is believed as long as nothing shows otherwise.
    assert!(overflows(&ida(&graph, &0, &far, ())));
    assert_eq!(ida_with_table(&graph, &0, &far, ()).solution().map(|solution| solution.cost), Some(5));
    // And where nothing leads to the goal, that is what is said.
    let nowhere = Graph { edges: vec![vec![(1, 1)], vec![(2, 2)], vec![(0, 2)], vec![]], goal: 3 };
    assert_eq!(ida_with_table(&nowhere, &0, &Overestimating(far), ()).outcome, Outcome::NoSolution);
    assert_eq!(ida_with_table(&nowhere, &0, &far, ()).outcome, Outcome::NoSolution);
}

#[test]
fn an_estimate_that_cannot_be_added_up_is_a_dead_end_where_nothing_leads_on() {
    // From 2 on, all is said to be as far as can be: together with what was paid, infinitely far.
    let real = |cost| Real::new(cost).unwrap();
    let far = |&n: &u32| if n >= 2 { real(f64::MAX) } else { real(0.0) };
    let ring =
        |dear: f64| from_fn(move |&n: &u32| [((n + 1) % 5, real(if n == 3 { dear } else { 1e300 }))], |&n| n == 9);
    let nowhere = ring(1e300);
    assert_eq!(astar(&nowhere, &0, &far, ()).outcome, Outcome::NoSolution);
    assert_eq!(ida_with_table(&nowhere, &0, &far, ()).outcome, Outcome::NoSolution);
    assert_eq!(ida_with_table(&nowhere, &0, &Overestimating(far), ()).outcome, Outcome::NoSolution);
    // Behind a step that does not fit there may be anything.
    let dear = ring(f64::MAX);
    assert!(overflows(&astar(&dear, &0, &far, ())));
    assert!(overflows(&ida_with_table(&dear, &0, &far, ())));
    // What an estimate hides that may be too high is found, also by a search that remembers nothing.
    let line = from_fn(|&n: &u32| [(n + 1, real(1e300))], |&n| n == 4);
    for report in [ida(&line, &0, &Overestimating(far), ()), ida_with_table(&line, &0, &Overestimating(far), ())] {
        assert_eq!(report.solution().map(|solution| solution.path.len()), Some(4));
    }
}

#[test]
fn a_weight_between_two_thousandths_keeps_its_promise() {
    // The direct way costs a thousandth more than the cheapest one.
    let graph = Graph { edges: vec![vec![(1, 0), (2, 1001)], vec![(2, 1000)], vec![]], goal: 2 };
    let left = |&state: &usize| if state == 2 { 0 } else { 1000 };
    let cost = |weight: &str| {
        let weight = weight.parse().unwrap();
        weighted_astar(&graph, &0, &left, weight, ()).solution().unwrap().cost
    };
    assert_eq!(cost("1.001"), 1001, "as much as it may");
    assert_eq!(cost("1.0005"), 1000);
}

#[test]
fn a_dear_way_to_what_is_reached_more_cheaply_is_no_limit() {
    // The dear steps lead back, and to where a cheap way leads only later; the goal cannot be reached.
    let edges = vec![vec![(1, 1), (3, 9)], vec![(1, u32::MAX), (2, u32::MAX)], vec![], vec![(2, 1)], vec![]];
    let graph = Graph { edges, goal: 4 };
    let weight = Weight::new(3.0).unwrap();
    for report in [
        dijkstra(&graph, &0, ()),
        greedy(&graph, &0, &Zero, ()),
        astar(&graph, &0, &Zero, ()),
        weighted_astar(&graph, &0, &Zero, weight, ()),
        ida_with_table(&graph, &0, &Zero, ()),
    ] {
        assert_eq!(report.outcome, Outcome::NoSolution);
    }
    // Once that way is gone, the dear step is all there is.
    let edges = vec![vec![(1, 1), (3, 9)], vec![(1, u32::MAX), (2, u32::MAX)], vec![], vec![], vec![]];
    let graph = Graph { edges, goal: 4 };
    assert!(overflows(&dijkstra(&graph, &0, ())));
    assert!(overflows(&ida_with_table(&graph, &0, &Zero, ())));
}

proptest! {
    /// A pair is as good as one number in which the first weighs more than all that the second can be.
    #[test]
    fn pairs_are_compared_in_order(edges in prop::collection::vec((0..9_u32, 0..9_u32, 0..4_u32, 0..9_u32), 0..40)) {
        const MANY: u64 = 1_000_000;
        let next = |n: u32| edges.iter().filter(move |edge| edge.0 == n);
        let pairs = from_fn(|&n: &u32| next(n).map(|edge| (edge.1, (edge.2, edge.3))), |&n| n == 8);
        let single = from_fn(|&n: &u32| next(n).map(|edge| (edge.1, u64::from(edge.2) * MANY + u64::from(edge.3))), |&n| n == 8);
        let expected = dijkstra(&single, &0, ()).solution().map(|solution| ((solution.cost / MANY) as u32, (solution.cost % MANY) as u32));
        // Half of what is left, each for itself, is never too much.
        let half = |&n: &u32| dijkstra(&pairs, &n, ()).solution().map(|solution| (solution.cost.0 / 2, solution.cost.1 / 2));
        let weight = Weight::new(2.0).unwrap();
        for report in [
            dijkstra(&pairs, &0, ()),
            astar(&pairs, &0, &half, ()),
            ida_with_table(&pairs, &0, &half, ()),
            weighted_astar(&pairs, &0, &half, Weight::ONE, ()),
        ] {
            prop_assert_eq!(report.solution().map(|solution| (solution.cost, solution.guarantee)), expected.map(|cost| (cost, Guarantee::Cheapest)));
        }
        let weighted = weighted_astar(&pairs, &0, &half, weight, ());
        prop_assert_eq!(weighted.solution().is_some(), expected.is_some());
        prop_assert!(weighted.solution().is_none_or(|found| found.lower_bound.and_then(Bound::cost) <= expected));
        prop_assert_eq!(cheapest_paths(&pairs, &0, ()).count(), cheapest_paths(&single, &0, ()).count());
        let costs: Vec<_> = paths_by_cost(&pairs, &0, &half, ()).take(20).map(|path| path.cost).collect();
        let singles = paths_by_cost(&single, &0, &Zero, ()).take(20).map(|path| ((path.cost / MANY) as u32, (path.cost % MANY) as u32));
        prop_assert_eq!(costs, singles.collect::<Vec<_>>());
    }
}

#[test]
fn large_and_fractional_ranks_are_ordered() {
    // Costs beyond the queue's buckets, and a weight of many digits.
    let graph = Graph { edges: vec![vec![(1, 90_000), (2, 40_000)], vec![(3, 1)], vec![(3, 50_002)], vec![]], goal: 3 };
    assert_eq!(dijkstra(&graph, &0, ()).solution().map(|solution| solution.cost), Some(90_001));
    let report = weighted_astar(&graph, &0, &Zero, Weight::new(1.337).unwrap(), ());
    assert_eq!(report.solution().map(|solution| solution.cost), Some(90_001));
}
