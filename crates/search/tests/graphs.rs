//! Every algorithm on random graphs, against answers found another way.

mod common;

use pintu_search::{
    Bound, Control, Guarantee, Outcome, Overestimating, ReportOf, Stop, Weight, astar, bfs, bfs_tree, bidirectional,
    dfs, dfs_tree, dijkstra, greedy, ida, ida_with_table, iddfs, weighted_astar,
};
use proptest::prelude::*;

use crate::common::{Graph, graphs, limited};

/// Limits for the algorithms that never end in a cyclic graph without a solution.
fn patience() -> Control {
    limited(20_000)
}

/// What is true of a graph: the cost of the cheapest path from node 0, and the fewest steps.
#[derive(Clone, Copy)]
struct Truth {
    cost: Option<u32>,
    steps: Option<u32>,
}

impl Truth {
    fn of(graph: &Graph) -> Self {
        Self { cost: graph.costs_to_goal(|cost| cost)[0], steps: graph.costs_to_goal(|_| 1)[0] }
    }

    fn allows(self, bound: Option<Bound<u32>>) -> bool {
        match bound {
            None => true,
            Some(Bound::Cost(bound)) => self.cost.is_none_or(|cost| bound <= cost),
            Some(Bound::Steps(bound)) => self.steps.is_none_or(|steps| bound <= u64::from(steps)),
        }
    }
}

/// Checks a report against what is true.
fn check(graph: &Graph, report: &ReportOf<Graph>, truth: Truth) -> Result<(), TestCaseError> {
    match &report.outcome {
        Outcome::Solved(solution) => {
            let states: Vec<usize> = solution.path.states(graph).collect();
            prop_assert_eq!(states[0], 0);
            prop_assert_eq!(states.last(), Some(&graph.goal));
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
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn all_algorithms_agree_with_relaxation(graph in graphs(0_u32..9), weight in 1.0_f64..4.0) {
        let costs = graph.costs_to_goal(|cost| cost);
        let truth = Truth::of(&graph);
        let exact = |state: &usize| costs[*state].unwrap_or(0);
        let half = |state: &usize| costs[*state].unwrap_or(1000) / 2;
        let asked = weight;
        let weight = Weight::new(weight).unwrap();
        prop_assert!(weight.value() <= asked);
        let must_end = [
            bfs(&graph, &0, ()),
            bidirectional(&graph, &0, ()),
            dfs(&graph, &0, 50, ()),
            dijkstra(&graph, &0, ()),
            astar(&graph, &0, &exact, ()),
            astar(&graph, &0, &half, ()),
            greedy(&graph, &0, &half, ()),
            weighted_astar(&graph, &0, &half, weight, ()),
        ];
        for report in &must_end {
            check(&graph, report, truth)?;
            prop_assert_eq!(report.solution().is_some(), truth.cost.is_some());
        }
        let may_stop = [
            iddfs(&graph, &0, &patience()),
            bfs_tree(&graph, &0, &patience()),
            dfs_tree(&graph, &0, 12, &patience()),
            ida(&graph, &0, &half, &patience()),
        ];
        for report in &may_stop {
            check(&graph, report, truth)?;
        }
    }

    #[test]
    fn an_inconsistent_heuristic_does_no_harm(
        graph in graphs(1_u32..20),
        shares in prop::collection::vec(0_u32..=100, 14),
    ) {
        let costs = graph.costs_to_goal(|cost| cost);
        // Any share of the true cost is admissible; shares that jump from node to node are inconsistent.
        let erratic = |state: &usize| costs[*state].unwrap_or(0) * shares[*state] / 100;
        let weight = Weight::new(2.0).unwrap();
        let truth = Truth::of(&graph);
        check(&graph, &astar(&graph, &0, &erratic, ()), truth)?;
        check(&graph, &weighted_astar(&graph, &0, &erratic, weight, ()), truth)?;
        check(&graph, &ida(&graph, &0, &erratic, &patience()), truth)?;
        check(&graph, &ida_with_table(&graph, &0, &erratic, ()), truth)?;
    }

    #[test]
    fn bounds_hold_wherever_a_search_is_stopped(
        graph in graphs(0_u32..20),
        shares in prop::collection::vec(0_u32..=100, 14),
        nodes in 0_u64..20,
        weight in 1.0_f64..9.0,
    ) {
        let costs = graph.costs_to_goal(|cost| cost);
        let erratic = |state: &usize| costs[*state].map(|cost| cost * shares[*state] / 100);
        let weight = Weight::new(weight).unwrap();
        let truth = Truth::of(&graph);
        let control = || limited(nodes);
        for report in [
            bfs(&graph, &0, &control()),
            bfs_tree(&graph, &0, &control()),
            bidirectional(&graph, &0, &control()),
            dfs(&graph, &0, 6, &control()),
            dfs_tree(&graph, &0, 6, &control()),
            iddfs(&graph, &0, &control()),
            dijkstra(&graph, &0, &control()),
            greedy(&graph, &0, &erratic, &control()),
            astar(&graph, &0, &erratic, &control()),
            weighted_astar(&graph, &0, &erratic, weight, &control()),
            ida(&graph, &0, &erratic, &control()),
            ida_with_table(&graph, &0, &erratic, &control()),
        ] {
            check(&graph, &report, truth)?;
            prop_assert!(report.counters.expanded <= nodes);
        }
    }

    #[test]
    fn nothing_is_promised_with_a_heuristic_that_overestimates(
        graph in graphs(0_u32..20),
        wild in prop::collection::vec(0_u32..100, 14),
        nodes in 0_u64..30,
    ) {
        let wild = Overestimating(|state: &usize| wild[*state]);
        let truth = Truth::of(&graph);
        for report in [
            astar(&graph, &0, &wild, &limited(nodes)),
            weighted_astar(&graph, &0, &wild, Weight::new(1.5).unwrap(), &limited(nodes)),
            greedy(&graph, &0, &wild, &limited(nodes)),
            ida(&graph, &0, &wild, &limited(nodes)),
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
    fn several_starts_are_as_good_as_the_best(graph in graphs(0_u32..20), others in prop::collection::vec(0_usize..14, 1..4)) {
        let starts: Vec<usize> = others.iter().map(|&other| other % graph.edges.len()).collect();
        let costs = graph.costs_to_goal(|cost| cost);
        let steps = graph.costs_to_goal(|_| 1);
        let best = |of: &[Option<u32>]| starts.iter().filter_map(|&start| of[start]).min();
        let half = |state: &usize| costs[*state].unwrap_or(1000) / 2;
        for report in [dijkstra(&graph, &starts, ()), astar(&graph, &starts, &half, ()), ida_with_table(&graph, &starts, &half, ())] {
            prop_assert_eq!(report.solution().map(|solution| solution.cost), best(&costs));
            prop_assert!(report.solution().is_none_or(|solution| solution.path.cost(&graph) == Some(solution.cost)));
        }
        for report in [bfs(&graph, &starts, ()), bidirectional(&graph, &starts, ())] {
            prop_assert_eq!(report.solution().map(|solution| solution.path.len() as u32), best(&steps));
        }
    }

    #[test]
    fn a_sufficient_depth_hides_no_solution(graph in graphs(Just(1_u32))) {
        // The bound is exactly the distance: whatever was met too deep first must be searched again.
        if let Some(steps) = graph.costs_to_goal(|_| 1)[0] {
            let report = dfs(&graph, &0, steps, ());
            prop_assert_eq!(report.solution().map(|solution| solution.cost), Some(steps));
            if steps > 0 {
                let report = dfs(&graph, &0, steps - 1, ());
                let cut = matches!(report.outcome, Outcome::Stopped { why: Stop::Depth, lower_bound: Some(Bound::Steps(bound)) } if bound == u64::from(steps));
                prop_assert!(cut);
            }
        }
    }
}

#[test]
fn reports_can_be_kept() {
    struct Kept {
        reports: Vec<ReportOf<Graph>>,
    }
    let graph = Graph { edges: vec![vec![(1, 5)], vec![]], goal: 1 };
    let kept = Kept { reports: vec![dijkstra(&graph, &0, ()), bfs(&graph, &0, ())] };
    assert_eq!(kept.reports[0].solution().unwrap().path, kept.reports[1].solution().unwrap().path);
    assert!(format!("{:?}", kept.reports.clone()).contains("Cheapest"));
}
