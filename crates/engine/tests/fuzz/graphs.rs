//! Small graphs, with coordinates or without, and costs up to large ones.

use std::{collections::BTreeSet, fmt::Write};

use pintu_engine::path::{
    PathAlgorithm, PathAnswer, PathError, PathRequest, PathStates, PathVerdict, find_path_in_graph,
};
use pintu_grid::Graph;

use crate::{
    dice::Dice,
    limits::{check_nodes, may_stop, path_request, watched},
};

pub(crate) fn check(dice: &mut Dice) {
    let plain = Plain::roll(dice);
    let text = plain.text();
    let graph = Graph::read(&text, plain.directed).unwrap_or_else(|error| panic!("{text}: {error}"));
    let request = path_request(dice, &ALGORITHMS, plain.places.is_some());
    let truth = plain.cheapest();
    let first = run(&plain, &graph, &request, truth);
    let second = run(&plain, &graph, &request, truth);
    if let (Some(first), Some(second), None) = (&first, &second, request.limits.time) {
        let counts = |answer: &PathAnswer| (answer.counters.expanded, answer.counters.generated);
        assert_eq!(counts(first), counts(second), "{request:?} on\n{text}");
    }
}

const ALGORITHMS: [PathAlgorithm; 8] = [
    PathAlgorithm::Auto,
    PathAlgorithm::Bfs,
    PathAlgorithm::Bidirectional,
    PathAlgorithm::Dijkstra,
    PathAlgorithm::Greedy,
    PathAlgorithm::Astar,
    PathAlgorithm::Wastar,
    PathAlgorithm::Ida,
];

fn run(plain: &Plain, graph: &Graph, request: &PathRequest, truth: Option<u64>) -> Option<PathAnswer> {
    let goals: Vec<&str> = plain.goals.iter().map(|&goal| NAMES[goal]).collect();
    let found =
        watched(request.limits, |control| find_path_in_graph(graph, NAMES[plain.start], &goals, request, control));
    let answer = match found {
        Ok(answer) => answer,
        Err(PathError::Overestimates { .. } | PathError::Metric(_)) => return None,
        Err(error) => panic!("{request:?} on\n{}: {error}", plain.text()),
    };
    let context = || format!("{request:?}\n{}from {} to {goals:?}\n{answer:?}\n{truth:?}", plain.text(), plain.start);
    check_nodes(&request.limits, &answer.counters);
    match &answer.verdict {
        PathVerdict::Found { cost, path: PathStates::Names(names), optimal, .. } => {
            let said = thousandths(&cost.to_string());
            assert!(plain.costs_of(names).contains(&said), "{}", context());
            let least = truth.unwrap_or_else(|| panic!("there is none: {}", context()));
            assert!(least <= said && (!optimal || said == least), "{}", context());
        }
        PathVerdict::Unreachable { .. } => assert_eq!(truth, None, "{}", context()),
        PathVerdict::Limit { why, lower_bound } => {
            if let (Some(bound), Some(least)) = (lower_bound, truth) {
                assert!(*bound <= least as f64 / 1000.0 * (1.0 + 1e-12), "{}", context());
            }
            assert!(may_stop(*why, &request.limits, false), "{}", context());
        }
        PathVerdict::Found { .. } => panic!("no names: {}", context()),
    }
    Some(answer)
}

/// A decimal with up to three decimals, in thousandths.
fn thousandths(text: &str) -> u64 {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let decimals = decimals.trim_end_matches('0');
    whole.parse::<u64>().unwrap() * 1000 + format!("{decimals:0<3}").parse::<u64>().unwrap()
}

/// A graph as a list of edges, costs in thousandths.
struct Plain {
    nodes: usize,
    edges: Vec<(usize, usize, u64)>,
    directed: bool,
    places: Option<Vec<(String, String)>>,
    start: usize,
    goals: Vec<usize>,
}

const NAMES: [&str; 10] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];

impl Plain {
    fn roll(dice: &mut Dice) -> Self {
        let nodes = 2 + dice.below(9);
        let most = dice.choose(&[3_000, 90_000, 5_000_000_000_000, 9_000_000_000_000]);
        let whole = dice.once_in(2);
        let edges = (0..=dice.below(3 * nodes))
            .map(|_| {
                let cost = if dice.once_in(9) { 0 } else { dice.next() % most };
                (dice.below(nodes), dice.below(nodes), if whole { cost / 1000 * 1000 } else { cost })
            })
            .collect();
        let scale = dice.choose(&["", "", "00", "e14", "e-300"]);
        let places = dice.once_in(2).then(|| {
            (0..nodes).map(|_| (format!("{}{scale}", dice.below(9)), format!("{}{scale}", dice.below(9)))).collect()
        });
        let goals = (0..=usize::from(dice.once_in(4))).map(|_| dice.below(nodes)).collect();
        Self { nodes, edges, directed: dice.once_in(2), places, start: dice.below(nodes), goals }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        // Every node is named once at least, so that all of them exist.
        for name in &NAMES[..self.nodes] {
            writeln!(text, "{name} {name} 1").unwrap();
        }
        for (from, to, cost) in &self.edges {
            writeln!(text, "{} {} {}.{:03}", NAMES[*from], NAMES[*to], cost / 1000, cost % 1000).unwrap();
        }
        for (node, (x, y)) in self.places.iter().flatten().enumerate() {
            writeln!(text, "@ {} {x} {y}", NAMES[node]).unwrap();
        }
        text
    }

    /// All edges, each way that it can be walked.
    fn ways(&self) -> impl Iterator<Item = (usize, usize, u64)> + '_ {
        self.edges.iter().flat_map(|&(from, to, cost)| {
            let back = (!self.directed).then_some((to, from, cost));
            std::iter::once((from, to, cost)).chain(back)
        })
    }

    fn cheapest(&self) -> Option<u64> {
        let mut costs = vec![None; self.nodes];
        costs[self.start] = Some(0_u64);
        for _ in 0..self.nodes {
            for (from, to, cost) in self.ways() {
                let Some(paid) = costs[from] else { continue };
                if costs[to].is_none_or(|known| paid + cost < known) {
                    costs[to] = Some(paid + cost);
                }
            }
        }
        self.goals.iter().filter_map(|&goal| costs[goal]).min()
    }

    /// The possible costs of a path, if it is one from the start to a goal: several edges may join two nodes.
    fn costs_of(&self, names: &[String]) -> BTreeSet<u64> {
        let nodes: Vec<usize> = names.iter().filter_map(|name| NAMES.iter().position(|known| known == name)).collect();
        let ends = nodes.first() == Some(&self.start) && nodes.last().is_some_and(|last| self.goals.contains(last));
        let mut sums: BTreeSet<u64> = ends.then_some(0).into_iter().collect();
        for pair in nodes.windows(2) {
            let edges = self.ways().filter(|&(from, to, _)| (from, to) == (pair[0], pair[1]));
            sums = edges.flat_map(|(_, _, cost)| sums.iter().map(move |sum| sum + cost).collect::<Vec<_>>()).collect();
        }
        sums
    }
}
