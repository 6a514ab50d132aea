//! Graphs with costs and coordinates of any size that is allowed, against Bellman and Ford's algorithm.

use std::fmt::Write as _;

use pintu_grid::{Graph, Heuristic};
use pintu_search::{
    Bound, Control, Guarantee, Limits, Outcome, Report, Stop, Weight, astar, bidirectional, dijkstra, greedy,
    ida_with_table, weighted_astar,
};
use proptest::prelude::*;

const NODES: usize = 7;

/// Costs in millionths.
const COSTS: [u64; 8] =
    [0, 1, 1_000_000, 2_500_000, 4_294_967_295, 5_000_000_000_000, 999_999_999_999_998, 999_999_999_999_999];

#[derive(Clone, Debug)]
struct Case {
    places: Vec<(f64, f64)>,
    edges: Vec<(usize, usize, u64)>,
    directed: bool,
    nodes: Option<u64>,
}

impl Case {
    fn text(&self) -> String {
        let mut text = String::new();
        for (node, (x, y)) in self.places.iter().enumerate() {
            writeln!(text, "@ n{node} {x} {y}").unwrap();
        }
        for (from, to, cost) in &self.edges {
            writeln!(text, "n{from} n{to} {}.{:06}", cost / 1_000_000, cost % 1_000_000).unwrap();
        }
        // So that costs always have six decimals.
        text + "lone lonely 0.000001\n@ lone 0 0\n@ lonely 0 0\n"
    }

    /// The least cost from node 0 to the last, in millionths.
    fn best(&self) -> Option<u64> {
        let mut known = [None; NODES];
        known[0] = Some(0_u64);
        for _ in 0..NODES {
            for &(from, to, cost) in &self.edges {
                let both = [(from, to), (to, from)];
                for &(from, to) in if self.directed { &both[..1] } else { &both[..] } {
                    let sum = known[from].map(|paid| paid + cost);
                    known[to] = known[to].into_iter().chain(sum).min();
                }
            }
        }
        known[NODES - 1]
    }

    fn control(&self) -> Control {
        Control::new(Limits::none().nodes(self.nodes))
    }
}

fn cases() -> impl Strategy<Value = Case> {
    let coordinate = prop_oneof![
        5 => (0..9).prop_map(f64::from),
        1 => prop::sample::select(vec![1e15, -1e15, 1e-300])
    ];
    let cost = prop_oneof![3 => 0..9_000_000_u64, 1 => prop::sample::select(COSTS.to_vec())];
    let places = prop::collection::vec((coordinate.clone(), coordinate), NODES);
    let edges = prop::collection::vec((0..NODES, 0..NODES, cost), 0..16);
    let nodes = prop_oneof![Just(None), (0..9_u64).prop_map(Some)];
    (places, edges, any::<bool>(), nodes).prop_map(|(places, edges, directed, nodes)| Case {
        places,
        edges,
        directed,
        nodes,
    })
}

/// `is_sure`: whether the algorithm and its heuristic promise a cheapest path, or bounds.
fn check(name: &str, case: &Case, is_sure: bool, weight: f64, report: &Report<u32, usize, u64>) {
    let best = case.best();
    let told = || format!("{name}, {report:?}, best {best:?}\n{}", case.text());
    match &report.outcome {
        Outcome::Solved(solution) => {
            let best = best.expect("there is a path");
            assert!(solution.cost >= best, "{}", told());
            assert!(solution.guarantee != Guarantee::Cheapest || solution.cost == best, "{}", told());
            if is_sure {
                assert!(solution.cost as f64 <= weight * best as f64 * (1.0 + 1e-12), "{}", told());
            }
            if let Some(Bound::Cost(bound)) = solution.lower_bound {
                assert!(bound <= best, "{}", told());
            }
        }
        Outcome::NoSolution => assert_eq!(best, None, "{}", told()),
        Outcome::Stopped { why, lower_bound } => {
            if let (Some(Bound::Cost(bound)), Some(best)) = (lower_bound, best) {
                assert!(*bound <= best, "{}", told());
                assert!(is_sure, "{}", told());
            }
            assert_ne!(*why, Stop::Overflow, "{}", told());
            assert!(case.nodes.is_some() || *why != Stop::Nodes, "{}", told());
        }
    }
    assert!(case.nodes.is_none_or(|nodes| report.counters.expanded <= nodes), "{}", told());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn nothing_false_is_said_on_graphs(case in cases()) {
        let graph = Graph::read(&case.text(), case.directed).unwrap();
        let start = graph.node("n0").unwrap();
        let goals = [graph.node(&format!("n{}", NODES - 1)).unwrap()];
        let space = graph.toward(&goals);
        check("dijkstra", &case, true, 1.0, &dijkstra(&space, &start, &case.control()));
        for heuristic in Heuristic::ALL {
            let metric = graph.metric(heuristic, &goals).unwrap();
            let is_sure = metric.overestimates().is_none();
            let weight: Weight = "2.5".parse().unwrap();
            check("astar", &case, is_sure, 1.0, &astar(&space, &start, metric, &case.control()));
            check("ida", &case, is_sure, 1.0, &ida_with_table(&space, &start, metric, &case.control()));
            check("greedy", &case, false, 1.0, &greedy(&space, &start, metric, &case.control()));
            let report = weighted_astar(&space, &start, metric, weight, &case.control());
            check("wastar", &case, is_sure, 2.5, &report);
        }
        // Fewest steps, whatever they cost.
        let report = bidirectional(&space, &start, &case.control());
        prop_assert!(report.solution().is_none() || case.best().is_some());
    }
}

#[test]
fn costs_are_exact_to_the_last_decimal() {
    let graph = Graph::read("a b 300000000.000001\nb c 300000000.000002\na c 600000000.000004\n", false).unwrap();
    let goals = [graph.node("c").unwrap()];
    let report = dijkstra(&graph.toward(&goals), &graph.node("a").unwrap(), ());
    assert_eq!(graph.cost(report.solution().unwrap().cost).to_string(), "600000000.000003");
    assert!(graph.bytes() > 100);
}
