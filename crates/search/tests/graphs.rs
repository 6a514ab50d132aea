//! Every algorithm on random graphs, against answers found another way.

mod common;

use pintu_search::{
    Bound, Control, Guarantee, Outcome, Overestimating, ReportOf, Space, Stop, Weight, Zero, astar, bfs, bfs_tree,
    bidirectional, bidirectional_astar, bidirectional_dijkstra, dfs, dfs_tree, dijkstra, from_fn, greedy, ida,
    ida_with_table, iddfs, weighted_astar,
};
use proptest::prelude::*;

use crate::common::{Graph, graphs, limited};

/// Limits for the algorithms that never end in a cyclic graph without a solution.
fn few_nodes() -> Control {
    limited(20_000)
}

/// The ground truth of a graph: the cost of the cheapest path from one of some nodes to a goal, and the fewest steps.
#[derive(Clone, Copy)]
struct Truth<'a> {
    starts: &'a [usize],
    cost: Option<u32>,
    steps: Option<u32>,
}

impl<'a> Truth<'a> {
    fn of(graph: &Graph, starts: &'a [usize]) -> Self {
        let least = |costs: Vec<Option<u32>>| starts.iter().filter_map(|&start| costs[start]).min();
        Self { starts, cost: least(graph.costs_to_goal(|cost| cost)), steps: least(graph.costs_to_goal(|_| 1)) }
    }

    fn allows(self, bound: Option<Bound<u32>>) -> bool {
        match bound {
            None => true,
            Some(Bound::Cost(bound)) => self.cost.is_none_or(|cost| bound <= cost),
            Some(Bound::Steps(bound)) => self.steps.is_none_or(|steps| bound <= u64::from(steps)),
        }
    }
}

fn check(graph: &Graph, report: &ReportOf<Graph>, truth: Truth<'_>) -> Result<(), TestCaseError> {
    match &report.outcome {
        Outcome::Solved(solution) => {
            let states: Vec<usize> = solution.path.states(graph).collect();
            prop_assert!(truth.starts.contains(&states[0]) && graph.is_goal(&states[states.len() - 1]));
            prop_assert_eq!(solution.path.cost(graph), Some(solution.cost));
            prop_assert!(truth.allows(solution.lower_bound), "{:?}", solution.lower_bound);
            let (best, fewest) = (truth.cost.expect("there is a path"), truth.steps.expect("there is a path"));
            match solution.guarantee {
                Guarantee::Cheapest => prop_assert_eq!(solution.cost, best),
                Guarantee::Shortest => prop_assert_eq!(solution.path.len() as u32, fewest),
                Guarantee::Within { weight } => prop_assert!(f64::from(solution.cost) <= f64::from(best) * weight),
                _ => prop_assert!(solution.cost >= best),
            }
        }
        Outcome::NoSolution => prop_assert_eq!(truth.cost, None),
        Outcome::Stopped { lower_bound, .. } => prop_assert!(truth.allows(*lower_bound), "{:?}", lower_bound),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    #[test]
    fn all_algorithms_agree_with_relaxation((graph, starts) in graphs(0_u32..9), weight in 1.0_f64..4.0) {
        let (left, paid) = (graph.costs_to_goal(|cost| cost), graph.costs_from(&starts));
        let truth = Truth::of(&graph, &starts);
        let exact = |state: &usize| left[*state].unwrap_or(0);
        let half = |state: &usize| left[*state].unwrap_or(1000) / 2;
        let asked = weight;
        let weight = Weight::new(weight).unwrap();
        prop_assert!(weight.value() <= asked);
        let cheapest = [
            dijkstra(&graph, &starts, ()),
            astar(&graph, &starts, exact, ()),
            astar(&graph, &starts, half, ()),
            ida_with_table(&graph, &starts, half, ()),
            bidirectional_dijkstra(&graph, &starts, ()),
            bidirectional_astar(&graph, &starts, |&n: &usize| left[n], |&n: &usize| paid[n], ()),
        ];
        let shortest = [bfs(&graph, &starts, ()), bidirectional(&graph, &starts, ())];
        let others = [
            dfs(&graph, &starts, 50, ()),
            greedy(&graph, &starts, half, ()),
            weighted_astar(&graph, &starts, half, weight, ()),
        ];
        for report in cheapest.iter().chain(&shortest).chain(&others) {
            check(&graph, report, truth)?;
            prop_assert_eq!(report.solution().is_some(), truth.cost.is_some());
        }
        prop_assert!(cheapest.iter().all(|report| guarantees(report, Guarantee::Cheapest)));
        prop_assert!(shortest.iter().all(|report| guarantees(report, Guarantee::Shortest)));
        let may_stop = [
            iddfs(&graph, &starts, &few_nodes()),
            bfs_tree(&graph, &starts, &few_nodes()),
            dfs_tree(&graph, &starts, 12, &few_nodes()),
            ida(&graph, &starts, half, &few_nodes()),
        ];
        for report in &may_stop {
            check(&graph, report, truth)?;
        }
    }

    #[test]
    fn bounds_hold_wherever_a_search_is_stopped(
        (graph, starts) in graphs(0_u32..20),
        shares in prop::collection::vec(0_u32..=100, 28),
        nodes in 0_u64..30,
        weight in 1.0_f64..9.0,
    ) {
        let (left, paid) = (graph.costs_to_goal(|cost| cost), graph.costs_from(&starts));
        // Any share of the true cost is admissible; shares that jump from node to node are inconsistent.
        let to_goal = |&n: &usize| left[n].map(|cost| cost * shares[n] / 100);
        let from_start = |&n: &usize| paid[n].map(|cost| cost * shares[14 + n] / 100);
        let weight = Weight::new(weight).unwrap();
        let truth = Truth::of(&graph, &starts);
        // Without a limit the searches end by themselves, but for those that detect no duplicates.
        for limit in [nodes, 5000] {
            let control = || limited(limit);
            for report in [
                bfs(&graph, &starts, &control()),
                bfs_tree(&graph, &starts, &control()),
                bidirectional(&graph, &starts, &control()),
                dfs(&graph, &starts, 6, &control()),
                dfs_tree(&graph, &starts, 6, &control()),
                iddfs(&graph, &starts, &control()),
                dijkstra(&graph, &starts, &control()),
                greedy(&graph, &starts, to_goal, &control()),
                astar(&graph, &starts, to_goal, &control()),
                weighted_astar(&graph, &starts, to_goal, weight, &control()),
                ida(&graph, &starts, to_goal, &control()),
                ida_with_table(&graph, &starts, to_goal, &control()),
                bidirectional_dijkstra(&graph, &starts, &control()),
                bidirectional_astar(&graph, &starts, to_goal, from_start, &control()),
            ] {
                check(&graph, &report, truth)?;
                prop_assert!(report.counters.expanded <= limit);
            }
        }
    }

    #[test]
    fn nothing_is_promised_with_a_heuristic_that_overestimates(
        (graph, starts) in graphs(0_u32..20),
        wild in prop::collection::vec(0_u32..100, 14),
        nodes in 0_u64..30,
    ) {
        let wild = Overestimating(|state: &usize| wild[*state]);
        let truth = Truth::of(&graph, &starts);
        for report in [
            astar(&graph, &starts, wild, &limited(nodes)),
            weighted_astar(&graph, &starts, wild, Weight::new(1.5).unwrap(), &limited(nodes)),
            greedy(&graph, &starts, wild, &limited(nodes)),
            ida(&graph, &starts, wild, &limited(nodes)),
            bidirectional_astar(&graph, &starts, Zero, wild, &limited(nodes)),
            bidirectional_astar(&graph, &starts, wild, Zero, &limited(nodes)),
        ] {
            check(&graph, &report, truth)?;
            match &report.outcome {
                Outcome::Solved(solution) => {
                    prop_assert_eq!((solution.guarantee, solution.lower_bound), (Guarantee::None, None));
                }
                Outcome::NoSolution => {}
                Outcome::Stopped { lower_bound, .. } => prop_assert_eq!(*lower_bound, None),
            }
        }
    }

    #[test]
    fn a_sufficient_depth_hides_no_solution((graph, starts) in graphs(Just(1_u32))) {
        // The bound is exactly the distance: whatever was met too deep first must be searched again.
        if let Some(steps) = Truth::of(&graph, &starts).steps {
            let report = dfs(&graph, &starts, steps, ());
            prop_assert_eq!(report.solution().map(|solution| solution.cost), Some(steps));
            if steps > 0 {
                let report = dfs(&graph, &starts, steps - 1, ());
                let cut = matches!(report.outcome, Outcome::Stopped { why: Stop::Depth, lower_bound: Some(Bound::Steps(bound)) } if bound == u64::from(steps));
                prop_assert!(cut);
            }
        }
    }
}

fn guarantees(report: &ReportOf<Graph>, expected: Guarantee) -> bool {
    report.solution().is_none_or(|solution| solution.guarantee == expected)
}

#[test]
fn both_ends_see_less_than_one() {
    // Four ways in a plane without end; steps up cost more.
    let goal = (40, 25);
    let step = |&(x, y): &(i32, i32)| [((x + 1, y), 1_u32), ((x - 1, y), 1), ((x, y + 1), 2), ((x, y - 1), 1)];
    let back = |&(x, y): &(i32, i32)| [((x - 1, y), 1_u32), ((x + 1, y), 1), ((x, y - 1), 2), ((x, y + 1), 1)];
    let space = from_fn(step, move |&at| at == goal).backward(vec![goal], back);
    let far = |from: (i32, i32), to: (i32, i32)| from.0.abs_diff(to.0) + from.1.abs_diff(to.1);
    let one = dijkstra(&space, &(0, 0), ());
    let two = bidirectional_dijkstra(&space, &(0, 0), ());
    let (to_goal, from_start) = (|at: &(i32, i32)| far(*at, goal), |at: &(i32, i32)| far((0, 0), *at));
    let guided = bidirectional_astar(&space, &(0, 0), to_goal, from_start, ());
    for report in [&one, &two, &guided] {
        assert_eq!(report.solution().unwrap().cost, 90);
    }
    assert!(two.counters.expanded * 3 < one.counters.expanded * 2, "{:?}", two.counters);
    assert!(guided.counters.expanded < two.counters.expanded, "{:?}", guided.counters);
}

#[cfg(feature = "serde")]
#[test]
fn reports_can_be_serialized() {
    let graph = Graph { edges: vec![vec![(1, 5)], vec![]], goals: vec![1] };
    for report in [dijkstra(&graph, &0, ()), bfs(&graph, &1, ()), bfs(&graph, &0, &limited(1))] {
        let text = serde_json::to_string(&report).unwrap();
        assert_eq!(serde_json::from_str::<ReportOf<Graph>>(&text).unwrap(), report, "{text}");
    }
    let real = |text| serde_json::from_str::<pintu_search::Real>(text).map(pintu_search::Real::get).ok();
    assert_eq!((real("2.5"), real("-1")), (Some(2.5), None));
}
