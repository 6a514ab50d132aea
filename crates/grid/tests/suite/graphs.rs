//! Graphs with costs and coordinates of any size, against Bellman and Ford's algorithm in 128 bits.

use std::fmt::Write as _;

use pintu_grid::{Graph, Heuristic};
use pintu_search::{
    Bound, Control, Guarantee, Limits, Outcome, Report, Stop, Weight, astar, bidirectional, dijkstra, greedy,
    ida_with_table, weighted_astar,
};
use proptest::prelude::*;

const NODES: usize = 7;

/// Costs in millionths.
const COSTS: [u64; 9] = [0, 1, 1_000_000, 2_500_000, 4_294_967_295_000_000, 1 << 53, 1 << 62, u64::MAX / 2, u64::MAX];

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
    fn best(&self) -> Option<u128> {
        let mut known = [None; NODES];
        known[0] = Some(0_u128);
        for _ in 0..NODES {
            for &(from, to, cost) in &self.edges {
                let both = [(from, to), (to, from)];
                for &(from, to) in if self.directed { &both[..1] } else { &both[..] } {
                    let sum = known[from].map(|paid| paid + u128::from(cost));
                    known[to] = known[to].into_iter().chain(sum).min();
                }
            }
        }
        known[NODES - 1]
    }

    fn control(&self) -> Control {
        Control::new(Limits { nodes: self.nodes, ..Limits::default() })
    }
}

fn cases() -> impl Strategy<Value = Case> {
    let coordinate = prop_oneof![
        5 => (0..9).prop_map(f64::from),
        1 => prop::sample::select(vec![1e308, -1e308, 1.5e308, f64::MAX, 1e15, 1e-300])
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
            assert!(u128::from(solution.cost) >= best, "{}", told());
            assert!(solution.guarantee != Guarantee::Cheapest || u128::from(solution.cost) == best, "{}", told());
            if is_sure {
                assert!(solution.cost as f64 <= weight * best as f64 * (1.0 + 1e-12), "{}", told());
            }
            if let Some(Bound::Cost(bound)) = solution.lower_bound {
                assert!(u128::from(bound) <= best, "{}", told());
            }
        }
        Outcome::NoSolution => assert_eq!(best, None, "{}", told()),
        Outcome::Stopped { why, lower_bound } => {
            if let (Some(Bound::Cost(bound)), Some(best)) = (lower_bound, best) {
                assert!(u128::from(*bound) <= best, "{}", told());
                assert!(is_sure, "{}", told());
            }
            assert!(*why != Stop::Overflow || !is_sure || best.is_none_or(|best| best > u64::MAX.into()), "{}", told());
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
            check("astar", &case, is_sure, 1.0, &astar(&space, &start, &metric, &case.control()));
            check("ida", &case, is_sure, 1.0, &ida_with_table(&space, &start, &metric, &case.control()));
            check("greedy", &case, false, 1.0, &greedy(&space, &start, &metric, &case.control()));
            let report = weighted_astar(&space, &start, &metric, weight, &case.control());
            check("wastar", &case, is_sure, 2.5, &report);
        }
        // Fewest steps, whatever they cost.
        let report = bidirectional(&space, &start, &case.control());
        prop_assert!(report.solution().is_none() || case.best().is_some());
    }
}

#[test]
fn a_dear_edge_that_no_good_path_uses_stops_nothing() {
    for dear in ["4294967295", "18446744073709551615"] {
        let graph = Graph::read(&format!("a b 1\nb c {dear}\nb d 1\n"), false).unwrap();
        let goals = [graph.node("d").unwrap()];
        let report = dijkstra(&graph.toward(&goals), &graph.node("a").unwrap(), ());
        assert_eq!(report.solution().unwrap().cost, 2);
        let metric = graph.metric(Heuristic::None, &goals).unwrap();
        assert_eq!(astar(&graph.toward(&goals), &0, &metric, ()).solution().unwrap().cost, 2);
    }
}

#[test]
fn coordinates_at_the_end_of_numbers_mislead_nobody() {
    let text = "@ s 1e308 1e308\n@ a -1e308 -1e308\n@ b 1e308 -1e308\n@ g -1e308 1e308\ns g 10\ns a 1\na g 1\nb g 1\n";
    let graph = Graph::read(text, false).unwrap();
    let (start, goals) = (graph.node("s").unwrap(), [graph.node("g").unwrap()]);
    for heuristic in Heuristic::ALL.into_iter().filter(|&heuristic| heuristic != Heuristic::None) {
        let metric = graph.metric(heuristic, &goals).unwrap();
        assert!(metric.overestimates().unwrap().contains("distance is"), "{heuristic}");
        let report = astar(&graph.toward(&goals), &start, &metric, ());
        assert_eq!(report.solution().unwrap().guarantee, Guarantee::None);
    }
    assert_eq!(dijkstra(&graph.toward(&goals), &start, ()).solution().unwrap().cost, 2);
}

#[test]
fn costs_are_exact_to_the_last_decimal() {
    let graph =
        Graph::read("a b 1000000000000.000001\nb c 1000000000000.000002\na c 2000000000000.000004\n", false).unwrap();
    let goals = [graph.node("c").unwrap()];
    let report = dijkstra(&graph.toward(&goals), &graph.node("a").unwrap(), ());
    assert_eq!(graph.show_cost(report.solution().unwrap().cost), "2000000000000.000003");
    assert!(graph.bytes() > 100);
}
