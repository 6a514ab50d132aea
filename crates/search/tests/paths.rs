//! All cheapest paths, and paths in the order of their costs, on random graphs: against the list of all paths.

mod common;

use common::{Graph, graphs, limited};
use pintu_search::{
    Bound, Control, Guarantee, Limits, Outcome, Overestimating, Real, Stop, Zero, cheapest_paths, cheapest_paths_with,
    from_fn, paths_by_cost,
};
use proptest::prelude::*;

/// Every path that comes to no node twice and ends at the first goal, with its cost, cheapest first. Where several edges
/// lead from one node to another, the cheapest is taken.
fn all_paths(graph: &Graph, starts: &[usize]) -> Vec<(u32, Vec<usize>)> {
    fn go(graph: &Graph, path: &mut Vec<usize>, cost: u32, all: &mut Vec<(u32, Vec<usize>)>) {
        let at = path[path.len() - 1];
        if graph.goals.contains(&at) {
            all.push((cost, path.clone()));
            return;
        }
        for to in 0..graph.edges.len() {
            let step = graph.edges[at].iter().filter(|edge| edge.0 == to).map(|edge| edge.1).min();
            let Some(step) = step.filter(|_| !path.contains(&to)) else { continue };
            path.push(to);
            go(graph, path, cost + step, all);
            path.pop();
        }
    }
    let mut all = Vec::new();
    for &start in starts {
        go(graph, &mut vec![start], 0, &mut all);
    }
    all.sort();
    all.dedup();
    all
}

/// The cheapest of them.
fn cheapest(all: &[(u32, Vec<usize>)]) -> Vec<Vec<usize>> {
    all.iter().filter(|path| path.0 == all[0].0).map(|path| path.1.clone()).collect()
}

/// Small enough for all their paths to be listed.
fn small() -> impl Strategy<Value = (Graph, Vec<usize>)> {
    graphs(0_u32..4).prop_filter("few nodes", |(graph, _)| graph.edges.len() <= 9)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn all_cheapest_paths_are_found((graph, starts) in small(), shares in prop::collection::vec(0_u32..=100, 9)) {
        let all = all_paths(&graph, &starts);
        let left = graph.costs_to_goal(|cost| cost);
        // Never too high, though not consistent; dead ends are told, too.
        let guess = |&n: &usize| left[n].map(|cost| cost * shares[n] / 100);
        for zero in [true, false] {
            let paths = cheapest_paths_with(&graph, &starts, |n: &usize| if zero { Some(0) } else { guess(n) }, ());
            match (&paths.report().outcome, all.first()) {
                (Outcome::NoSolution, None) => {}
                (Outcome::Solved(solution), Some((cost, _))) => {
                    prop_assert_eq!((solution.cost, solution.guarantee), (*cost, Guarantee::Cheapest));
                    prop_assert_eq!(solution.path.cost(&graph), Some(*cost));
                }
                (outcome, best) => prop_assert!(false, "{:?} where the best is {:?}", outcome, best),
            }
            let mut found: Vec<Vec<usize>> = paths.map(|path| path.states(&graph).collect()).collect();
            found.sort();
            prop_assert_eq!(found, cheapest(&all));
        }
        // An overestimating heuristic guarantees no order, but each path costs what the search says.
        let high = Overestimating(|&n: &usize| left[n].map(|cost| cost * shares[n] / 10));
        let paths = cheapest_paths_with(&graph, &starts, high, ());
        let said = paths.report().solution().map(|s| (s.cost, s.guarantee));
        prop_assert_eq!(said.is_some(), !all.is_empty());
        let paths: Vec<_> = paths.collect();
        prop_assert!(paths.iter().all(|path| path.cost(&graph) == said.map(|said| said.0)));
        prop_assert!(said.is_none_or(|said| said.1 == Guarantee::None && said.0 >= all[0].0) && paths.is_empty() == said.is_none());
    }

    #[test]
    fn paths_come_in_the_order_of_their_costs((graph, starts) in small(), share in 0_u32..=100) {
        let all = all_paths(&graph, &starts);
        let left = graph.costs_to_goal(|cost| cost);
        // Dead ends are told, too.
        let guess = |&n: &usize| left[n].map(|cost| cost * share / 100);
        let control = Control::unlimited();
        let mut paths = paths_by_cost(&graph, &starts, guess, &control);
        let mut found: Vec<(u32, Vec<usize>)> = Vec::new();
        for solution in paths.by_ref() {
            prop_assert_eq!(solution.path.cost(&graph), Some(solution.cost));
            prop_assert!(found.last().is_none_or(|last| last.0 <= solution.cost));
            found.push((solution.cost, solution.path.states(&graph).collect()));
        }
        prop_assert_eq!(paths.stopped(), None);
        prop_assert!(all.first().is_none_or(|best| control.bound() <= u64::from(best.0)));
        found.sort();
        prop_assert_eq!(found, all);
    }

    #[test]
    fn what_is_stopped_says_so((graph, starts) in small(), nodes in 0_u64..40) {
        let all = all_paths(&graph, &starts);
        let control = limited(nodes);
        let mut paths = paths_by_cost(&graph, &starts, Zero, &control);
        let costs: Vec<u32> = paths.by_ref().map(|path| path.cost).collect();
        prop_assert!(costs.iter().eq(all.iter().take(costs.len()).map(|path| &path.0)));
        prop_assert!(paths.stopped().is_some() || costs.len() == all.len());
        prop_assert!(paths.counters().expanded <= nodes);
        let control = limited(nodes);
        let paths = cheapest_paths(&graph, &starts, &control);
        if let Outcome::Stopped { why, lower_bound } = &paths.report().outcome {
            prop_assert_eq!(*why, Stop::Nodes);
            let bound = lower_bound.and_then(Bound::cost).expect("a bound is known");
            prop_assert!(all.first().is_none_or(|best| bound <= best.0));
            prop_assert_eq!(paths.count(), 0);
        } else {
            prop_assert_eq!(paths.count(), cheapest(&all).len());
        }
    }
}

/// Steps right and down in a square; the paths from corner to corner are many.
fn square(side: u32) -> impl pintu_search::Space<State = (u32, u32), Cost = u32> {
    from_fn(
        move |&(x, y): &(u32, u32)| {
            [((x + 1, y), 1_u32), ((x, y + 1), 1)].into_iter().filter(move |to| to.0.0 < side && to.0.1 < side)
        },
        move |&at| at == (side - 1, side - 1),
    )
}

#[test]
fn memory_is_asked_for_first_and_given_back() {
    let space = square(60);
    let control = Control::new(Limits::none().memory(2 << 20));
    let mut paths = paths_by_cost(&space, &(0, 0), Zero, &control);
    let found = paths.by_ref().count();
    assert_eq!(paths.stopped(), Some(Stop::Memory));
    assert!(found > 2, "{found}");
    drop(paths);
    let paths = cheapest_paths(&space, &(0, 0), &control);
    assert_eq!(paths.report().solution().unwrap().cost, 118);
    assert_eq!(paths.take(1000).count(), 1000);
    assert_eq!(control.held(), 0);
    let tight = Control::new(Limits::none().memory(100 << 10));
    let refused = cheapest_paths(&space, &(0, 0), &tight);
    assert!(matches!(refused.report().outcome, Outcome::Stopped { why: Stop::Memory, .. }));
}

#[test]
fn many_paths_of_one_cost_take_few_steps_each() {
    let space = square(60);
    let mut paths = paths_by_cost(&space, &(0, 0), Zero, ());
    assert!(paths.by_ref().take(200).all(|path| path.cost == 118));
    // The first search expands everything, each of the others little more than one path.
    assert!(paths.counters().expanded < 3600 + 200 * 150, "{:?}", paths.counters());
}

/// A state that is left unexpanded because of a high estimate is on no path: the steps from it were never compared.
#[test]
fn paths_with_a_high_estimate_cost_what_is_reported() {
    let edges: [&[(usize, u32)]; 4] = [&[(2, 2), (1, 0)], &[(2, 2), (2, 0)], &[(3, 2)], &[]];
    let space = from_fn(|&n: &usize| edges[n].to_vec(), |&n| n == 3);
    let paths = cheapest_paths_with(&space, &0, Overestimating(|&n: &usize| if n == 1 { 16 } else { 0 }), ());
    assert_eq!(paths.report().solution().map(|solution| solution.cost), Some(4));
    assert_eq!(paths.map(|path| path.into_states(&space)).collect::<Vec<_>>(), [[0, 2, 3]]);
}

#[test]
fn a_path_that_does_not_fit_is_told_last() {
    let dear = from_fn(
        |&n: &u32| match n {
            0 => vec![(1, 1_u32), (2, u32::MAX)],
            1 | 2 => vec![(3, 1)],
            _ => vec![],
        },
        |&n| n == 3,
    );
    let mut paths = paths_by_cost(&dear, &0, Zero, ());
    assert_eq!(paths.next().map(|path| path.cost), Some(2));
    assert!(paths.next().is_none());
    assert_eq!(paths.stopped(), Some(Stop::Overflow));
}

#[test]
fn steps_that_a_sum_does_not_show_lead_in_no_circles() {
    let real = |cost| Real::new(cost).unwrap();
    let ring = from_fn(
        |&n: &u32| match n {
            0 => vec![(1, real(1e16))],
            1 | 2 => vec![(n + 1, real(0.1))],
            3 => vec![(1, real(0.1)), (4, real(1e16))],
            _ => vec![],
        },
        |&n| n == 4,
    );
    let paths: Vec<Vec<u32>> = cheapest_paths(&ring, &0, ()).take(3).map(|path| path.into_states(&ring)).collect();
    assert_eq!(paths, [[0, 1, 2, 3, 4]]);
}

/// One path takes one search, and is there whatever ends the work after it.
#[test]
fn who_wants_one_path_pays_for_one() {
    let calls = std::cell::Cell::new(0);
    let edges = |&(x, y): &(u32, u32)| {
        calls.set(calls.get() + 1);
        [(x + 1, y), (x, y + 1)].map(|to| (to, 1_u32)).into_iter().filter(|((x, y), _)| *x < 40 && *y < 40)
    };
    let space = from_fn(edges, |at| *at == (39, 39));
    let report = pintu_search::astar(&space, &(0, 0), Zero, ());
    assert_eq!(report.solution().unwrap().cost, 78);
    let one_search = calls.replace(0);
    let control = Control::unlimited();
    let mut paths = paths_by_cost(&space, &(0, 0), Zero, &control);
    assert_eq!(paths.next().map(|path| path.cost), Some(78));
    assert!(calls.get() <= one_search + 100, "{} and {one_search}", calls.get());
    control.cancel();
    assert!(paths.next().is_none());
    assert_eq!(paths.stopped(), Some(Stop::Cancelled));
}
