//! Every algorithm under random limits, on random maps with costs of any size, against a plain Dijkstra: nothing is called
//! shortest that is not, no bound is above the shortest length, no limit is exceeded, all memory is given back.

use pintu_grid::{
    Algorithm, Cell, Diagonal, Heuristic, Length, MAX_COST, MAX_DIAGONAL_COST, Map, MapSpace, Outcome, Scratch,
    Terrain, TerrainKind, Toward,
};
use pintu_search::{Control, Guarantee, Limits, ReportOf, Stop, Weight};
use pintu_testing::maps::{cells, plain_dijkstra, plain_shortest, walk};
use proptest::prelude::*;

/// Everyday costs, and those at which numbers of some size end.
const COSTS: [u64; 12] = [
    1,
    2,
    9,
    65_536,
    1_000_000,
    2_147_483_647,
    4_000_000_000,
    4_294_967_295,
    1_000_000_000_000,
    1 << 52,
    MAX_COST - 1,
    MAX_COST,
];

/// Symbols in the proportions in which they stand on a map.
const MIXTURES: [&str; 9] =
    ["..#", "....#", "........#", "..#139", "....9#", "2222222223#", "..12#", "1.2345#", ".......9"];

/// Maps on which some symbols may have other costs than usual.
fn terrains(priced: bool) -> impl Strategy<Value = Terrain> {
    let costs = prop::collection::vec(prop_oneof![3 => 0..3_usize, 1 => 0..COSTS.len()], 4);
    let costs = prop_oneof![1 => Just(Vec::new()), u32::from(priced) => costs];
    let size = prop_oneof![6 => (1..12_u32, 1..12_u32), 1 => (1..7_u32, 60..150_u32), 1 => (60..150_u32, 1..7_u32)];
    (size, prop::sample::select(MIXTURES.to_vec()), costs).prop_flat_map(|((rows, cols), symbols, costs)| {
        let kind = move |symbol: u8| match ".129".bytes().position(|known| known == symbol) {
            _ if symbol == b'#' => TerrainKind::Blocked,
            Some(at) if at < costs.len() => TerrainKind::land(COSTS[costs[at]]),
            _ => TerrainKind::land(u64::from(symbol.saturating_sub(b'0')).max(1)),
        };
        let symbol = (0..symbols.len()).prop_map(move |at| symbols.as_bytes()[at]);
        prop::collection::vec(symbol, (rows * cols) as usize).prop_map(move |symbols| {
            Terrain::from_fn(rows, cols, |cell| kind(symbols[(cell.row * cols + cell.col) as usize])).unwrap()
        })
    })
}

fn limits() -> impl Strategy<Value = Limits> {
    let nodes = prop_oneof![4 => Just(None), 1 => (0..40_u64).prop_map(Some)];
    let memory = prop_oneof![6 => Just(None), 1 => (0..60_000_u64).prop_map(Some)];
    (nodes, memory).prop_map(|(nodes, memory)| Limits::none().nodes(nodes).memory(memory))
}

fn on(terrain: &Terrain, places: &[(u32, u32)]) -> Vec<Cell> {
    places.iter().map(|&(row, col)| Cell::new(row % terrain.rows(), col % terrain.cols())).collect()
}

/// The guarantee of a search that runs to its end.
#[derive(Clone, Copy, PartialEq)]
enum Promise {
    Shortest,
    Within(f64),
    FewestSteps,
    Nothing,
}

/// All algorithms that a map can be searched with, and their promises.
fn promises(map: &Map, weight: Weight) -> Vec<(Algorithm, Promise)> {
    let steps =
        if map.is_uniform() && map.diagonal() == Diagonal::Never { Promise::Shortest } else { Promise::FewestSteps };
    let mut all = vec![
        (Algorithm::Fastest, Promise::Shortest),
        (Algorithm::PrunedAstar, Promise::Shortest),
        (Algorithm::LevelAstar, Promise::Shortest),
        (Algorithm::Dijkstra, Promise::Shortest),
        (Algorithm::Bfs, steps),
        (Algorithm::Bidirectional, steps),
    ];
    all.extend(map.is_uniform().then_some((Algorithm::Jps, Promise::Shortest)));
    for heuristic in Heuristic::ALL {
        let is_sure = heuristic.overestimates(map.diagonal()).is_none();
        let promise = |promise| if is_sure { promise } else { Promise::Nothing };
        let within = if weight == Weight::ONE { Promise::Shortest } else { Promise::Within(weight.value()) };
        all.extend([
            (Algorithm::Astar(heuristic), promise(Promise::Shortest)),
            (Algorithm::Ida(heuristic), promise(Promise::Shortest)),
            (Algorithm::Greedy(heuristic), Promise::Nothing),
            (Algorithm::WeightedAstar(heuristic, weight), promise(within)),
        ]);
    }
    all
}

struct Trial<'a> {
    terrain: &'a Terrain,
    map: Map,
    from: Cell,
    to: Vec<Cell>,
    best: Option<Length>,
    limits: Limits,
}

impl Trial<'_> {
    fn check(&self, algorithm: Algorithm, promise: Promise) {
        let control = Control::new(self.limits);
        let mut scratch = Scratch::new();
        let report = self.map.search(algorithm, self.from, &self.to, &mut scratch, &control).unwrap();
        let (map, best) = (&self.map, self.best);
        let told =
            || format!("{:?}, {:?}, {} to {:?}\n{}{report:?}", map, self.limits, self.from, self.to, self.terrain);
        match report.outcome {
            Outcome::Found { length, guarantee } => {
                let walked = walk(self.terrain, map.diagonal(), scratch.path(), self.from, &self.to);
                assert_eq!(walked, length, "{}", told());
                let Some(best) = best else {
                    // Near the greatest length, the oracle misses paths whose beginning is not the cheapest.
                    assert!(length.value() > MAX_COST as f64 / 2.0 && guarantee != Guarantee::Cheapest, "{}", told());
                    return;
                };
                assert!(best <= length, "{}", told());
                assert_eq!(guarantee == Guarantee::Cheapest, promise == Promise::Shortest, "{}", told());
                assert!(guarantee != Guarantee::Cheapest || length == best, "not {best}: {}", told());
                if let Promise::Within(weight) = promise {
                    assert!(length.value() <= weight * best.value() * (1.0 + 1e-12), "{}", told());
                }
            }
            Outcome::Unreachable(_) => assert_eq!(best, None, "{}", told()),
            Outcome::Stopped { why, lower_bound } => {
                if let (Some(bound), Some(best)) = (lower_bound, best) {
                    assert!(bound <= best.value(), "{bound} is above {best}: {}", told());
                }
                assert!(promise != Promise::Nothing || lower_bound.is_none(), "{}", told());
                // A path with the fewest steps may exceed the greatest length where a detour does not.
                let may_overflow =
                    best.is_none_or(|best| best.value() > self.greatest()) || promise != Promise::Shortest;
                assert!(why != Stop::Overflow || may_overflow, "{}", told());
                assert!(self.limits.nodes.is_some() || why != Stop::Nodes);
                assert!(self.limits.memory.is_some() || why != Stop::Memory);
            }
        }
        if !matches!(report.outcome, Outcome::Found { .. }) {
            assert!(scratch.path().is_empty(), "{}", told());
        }
        // Of a search that began again, only the last run counts, here and there.
        let expanded = control.counters().expanded;
        assert!(self.limits.nodes.is_none_or(|nodes| expanded <= nodes), "{}", told());
        assert_eq!(report.counters.expanded, expanded, "{}", told());
        assert_eq!(control.held(), 0, "all is given back: {}", told());
        assert!(self.limits.memory.is_none_or(|memory| control.counters().peak_bytes <= memory));
        assert!(scratch.bytes() <= self.limits.memory.unwrap_or(u64::MAX), "{}", told());
    }

    /// The greatest length that is surely found.
    fn greatest(&self) -> f64 {
        if self.map.diagonal() == Diagonal::Never { MAX_COST as f64 } else { MAX_DIAGONAL_COST as f64 }
    }

    fn check_distances(&self) {
        let control = Control::new(self.limits);
        let known = plain_dijkstra(self.terrain, self.map.diagonal(), self.from);
        let mut scratch = Scratch::within(&control);
        if let Ok(field) = self.map.distances(self.from, Toward::Others, &mut scratch, &control) {
            for (cell, known) in cells(self.terrain).zip(known) {
                assert_eq!(field.length(cell), known, "{cell}");
            }
            let cells = u64::from(self.terrain.rows() * self.terrain.cols());
            assert!(control.held() >= scratch.bytes() + 9 * cells, "the field is charged while it is there");
        }
        drop(scratch);
        assert_eq!(control.held(), 0, "all is given back");
    }

    /// The map as a space of the search library, where lengths are costs: one path, both ends at once, every distance, the
    /// paths in order.
    fn check_space(&self) {
        let (space, best) = (self.map.space(&self.to).unwrap(), self.best);
        let left = |cell: &Cell| space.estimate(*cell);
        let cost = |report: ReportOf<MapSpace<'_>>| report.solution().map(|solution| solution.cost);
        assert_eq!(cost(pintu_search::dijkstra(&space, &self.from, ())), best);
        assert_eq!(cost(pintu_search::astar(&space, &self.from, &left, ())), best);
        assert_eq!(cost(pintu_search::ida_with_table(&space, &self.from, &left, ())), best);
        assert_eq!(cost(pintu_search::bidirectional_dijkstra(&space, &self.from, ())), best);
        let weighted = pintu_search::weighted_astar(&space, &self.from, &left, Weight::new(1.5).unwrap(), ());
        if let Some(bound) = weighted.solution().and_then(|solution| solution.lower_bound?.cost()) {
            assert!(Some(bound) <= best);
        }
        let known = plain_dijkstra(self.terrain, self.map.diagonal(), self.from);
        // Nothing leads away from a blocked start, where the search nevertheless begins.
        let reached = pintu_search::cheapest_first(&space, &self.from, ());
        for (cell, far) in reached.filter(|&(cell, _)| self.map.is_free(cell)) {
            assert_eq!(Some(far), known[(cell.row * self.terrain.cols() + cell.col) as usize]);
        }
        let ranked: Vec<Length> =
            pintu_search::paths_by_cost(&space, &self.from, &left, ()).take(4).map(|path| path.cost).collect();
        assert!(ranked.first().copied() == best && ranked.is_sorted(), "{ranked:?}");
    }
}

fn check_distance_maps(terrain: &Terrain, rule: Diagonal, source: Cell) {
    let map = Map::new(terrain, rule);
    let forth = plain_dijkstra(terrain, rule, source);
    for toward in [Toward::Others, Toward::Cell] {
        let field = map.distances(source, toward, &mut Scratch::new(), ()).unwrap();
        for (at, cell) in cells(terrain).enumerate() {
            let (from, to, length) = match toward {
                Toward::Others => (source, cell, forth[at]),
                Toward::Cell => (cell, source, plain_shortest(terrain, rule, cell, &[source])),
            };
            assert_eq!(field.length(cell), length, "{cell} of {source} {toward:?}");
            assert_eq!(field.path(cell).map(|path| walk(terrain, rule, &path, from, &[to])), length);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn nothing_false_is_said_under_any_limit(
        terrain in terrains(true),
        ends in prop::collection::vec(any::<(u32, u32)>(), 2..5),
        rule in 0..4_usize,
        limits in limits(),
        weight in prop_oneof![Just("1"), Just("1.5"), Just("1000")],
    ) {
        let (cells, rule) = (on(&terrain, &ends), Diagonal::ALL[rule]);
        let (from, to) = (cells[0], cells[1..].to_vec());
        let best = plain_shortest(&terrain, rule, from, &to);
        let trial = Trial { map: Map::new(&terrain, rule), terrain: &terrain, from, to, best, limits };
        for (algorithm, promise) in promises(&trial.map, weight.parse().unwrap()) {
            trial.check(algorithm, promise);
        }
        trial.check_distances();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn distance_maps_and_the_search_library_agree(
        terrain in terrains(false),
        places in prop::collection::vec(any::<(u32, u32)>(), 1..5),
        rule in 0..4_usize,
    ) {
        prop_assume!(terrain.rows() * terrain.cols() < 150);
        let (cells, rule) = (on(&terrain, &places), Diagonal::ALL[rule]);
        check_distance_maps(&terrain, rule, cells[0]);
        let (from, to) = (cells[0], cells[1..].to_vec());
        let best = plain_shortest(&terrain, rule, from, &to);
        let limits = Limits::none();
        Trial { map: Map::new(&terrain, rule), terrain: &terrain, from, to, best, limits }.check_space();
    }
}
