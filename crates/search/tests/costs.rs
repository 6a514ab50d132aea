//! Costs and estimates that are too large, too fine, or nearly so.

mod common;

use pintu_search::{
    Bound, Outcome, Real, Report, Stop, Weight, Zero, astar, bfs, bidirectional_dijkstra, cheapest_paths, dfs,
    dijkstra, from_fn, greedy, ida, ida_with_table, iddfs, paths_by_cost, weighted_astar,
};

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
    assert!(overflows(&astar(&dear, &0, Zero, ())));
    assert!(overflows(&ida(&dear, &0, Zero, ())));
    assert!(overflows(&ida_with_table(&dear, &0, Zero, ())));
    assert!(overflows(cheapest_paths(&dear, &0, ()).report()));
    let mut paths = paths_by_cost(&dear, &0, Zero, ());
    assert_eq!((paths.next(), paths.stopped()), (None, Some(Stop::Overflow)));
    let wide = from_fn(|&n: &u32| [(n + 1, u64::from(u32::MAX / 2))], |&n| n == 3);
    assert_eq!(dijkstra(&wide, &0, ()).solution().unwrap().cost, 3 * u64::from(u32::MAX / 2));
    let endless = from_fn(|&n: &u32| [(n + 1, Real::new(f64::MAX).unwrap())], |&n| n == 3);
    assert!(overflows(&dijkstra(&endless, &0, ())));
    assert!(overflows(&ida(&endless, &0, Zero, ())));
}

#[test]
fn a_path_that_does_not_fit_is_dropped() {
    let graph = |dear: u32| {
        let edges = vec![vec![(1, 1)], vec![(2, dear), (3, 1)], vec![(3, 1)], vec![]];
        Graph { edges, goals: vec![3] }
    };
    let fork = graph(u32::MAX);
    for report in [
        dijkstra(&fork, &0, ()),
        astar(&fork, &0, Zero, ()),
        weighted_astar(&fork, &0, Zero, Weight::new(3.0).unwrap(), ()),
        ida(&fork, &0, Zero, ()),
        ida_with_table(&fork, &0, Zero, ()),
    ] {
        assert_eq!(report.solution().map(|solution| (solution.cost, solution.guarantee)).unwrap().0, 2);
    }
}

#[test]
fn a_weight_between_two_thousandths_keeps_its_promise() {
    // The direct way costs a thousandth more than the cheapest one.
    let graph = Graph { edges: vec![vec![(1, 0), (2, 1001)], vec![(2, 1000)], vec![]], goals: vec![2] };
    let left = |&state: &usize| if state == 2 { 0 } else { 1000 };
    let cost = |weight: &str| {
        let weight = weight.parse().unwrap();
        weighted_astar(&graph, &0, left, weight, ()).solution().unwrap().cost
    };
    assert_eq!(cost("1.001"), 1001, "as much as it may");
    assert_eq!(cost("1.0005"), 1000);
}

#[test]
fn a_search_that_dropped_a_path_and_found_no_goal_says_so() {
    // The last step to 2 does not fit, and 2 does not lead to the goal; a second path to 1, which is known, drops nothing.
    let graph =
        |dear| Graph { edges: vec![vec![(1, 1)], vec![(1, u32::MAX), (2, dear)], vec![], vec![]], goals: vec![3] };
    let weight = Weight::new(3.0).unwrap();
    for (dear, is_overflow) in [(u32::MAX, true), (1, false)] {
        let graph = graph(dear);
        for report in [
            dijkstra(&graph, &0, ()),
            greedy(&graph, &0, Zero, ()),
            astar(&graph, &0, Zero, ()),
            weighted_astar(&graph, &0, Zero, weight, ()),
        ] {
            assert_eq!((overflows(&report), report.outcome == Outcome::NoSolution), (is_overflow, !is_overflow));
        }
    }
    // Depth-first searches do not look up whether the state is known, and an estimate may not fit either.
    assert!(overflows(&ida_with_table(&graph(1), &0, Zero, ())));
    let far = |&state: &usize| if state == 0 { 0 } else { u32::MAX };
    assert!(overflows(&ida(&graph(1), &0, far, ())));
}

#[test]
fn large_and_fractional_ranks_are_ordered() {
    // Costs beyond the queue's buckets, and a weight of many digits.
    let graph =
        Graph { edges: vec![vec![(1, 90_000), (2, 40_000)], vec![(3, 1)], vec![(3, 50_002)], vec![]], goals: vec![3] };
    assert_eq!(dijkstra(&graph, &0, ()).solution().map(|solution| solution.cost), Some(90_001));
    let report = weighted_astar(&graph, &0, Zero, Weight::new(1.337).unwrap(), ());
    assert_eq!(report.solution().map(|solution| solution.cost), Some(90_001));
}

#[test]
fn sums_of_two_halves_are_checked_too() {
    let real = |cost| Real::new(cost).unwrap();
    let step = move |&n: &i32| [(n + 1, real(0.5)), (n + 3, real(1.25))];
    let back = move |&n: &i32| [(n - 1, real(0.5)), (n - 3, real(1.25))];
    let line = from_fn(step, |&n| n == 7).backward(vec![7], back);
    let report = bidirectional_dijkstra(&line, &0, ());
    assert!((report.solution().unwrap().cost.get() - 3.0).abs() < 1e-9);

    // Each half fits, the whole does not.
    let half = u32::MAX / 4 * 3;
    let dear = from_fn(move |&n: &u32| (n < 2).then_some((n + 1, half)), |&n| n == 2)
        .backward(vec![2], move |&n: &u32| n.checked_sub(1).map(|before| (before, half)));
    assert!(matches!(
        bidirectional_dijkstra(&dear, &0, ()).outcome,
        Outcome::Stopped { why: Stop::Overflow, lower_bound: Some(Bound::Cost(_)) }
    ));
    assert!(overflows(&dijkstra(&dear, &0, ())));
}
