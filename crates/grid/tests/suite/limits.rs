//! Every algorithm under random limits, on maps with costs of any size, against a plain Dijkstra: nothing is called
//! shortest that is not, no bound is above the shortest length, no limit is exceeded, all memory is given back.

use pintu_grid::{
    Cell, Diagonal, Ground, Heuristic, Length, Map, Outcome, QueryError, Report, Scratch, Terrain, Toward,
};
use pintu_search::{Control, Guarantee, Limits, Stop, Weight};
use proptest::prelude::*;

use crate::oracle::{plain_dijkstra, walk};

/// What symbols may cost: everyday numbers, and those at which numbers of some size end.
const COSTS: [u64; 15] = [
    1,
    2,
    9,
    65_536,
    1_000_000,
    2_147_483_647,
    4_000_000_000,
    4_294_967_295,
    1_000_000_000_000,
    1 << 53,
    (1 << 60) + 1,
    u64::MAX / 3,
    // Diagonally, less than 64 bits by a little.
    13_043_817_825_332_782_212,
    u64::MAX - 1,
    u64::MAX,
];

fn terrains() -> impl Strategy<Value = Terrain> {
    let costs = prop::collection::vec(prop_oneof![3 => 0..3_usize, 1 => 0..COSTS.len()], 4);
    let size = prop_oneof![3 => (1..8_u32, 1..8_u32), 1 => (1..3_u32, 60..140_u32)];
    let kinds = prop_oneof![Just(".....#"), Just("..12#"), Just("1.2345#"), Just(".......9")];
    (size, kinds, costs).prop_flat_map(|((rows, cols), kinds, costs)| {
        let symbol = (0..kinds.len()).prop_map(move |at| kinds.as_bytes()[at] as char);
        prop::collection::vec(symbol, (rows * cols) as usize).prop_map(move |symbols| {
            let mut terrain = Terrain::open(rows, cols).unwrap();
            for (at, &symbol) in symbols.iter().enumerate() {
                terrain.set(Cell::new(at as u32 / cols, at as u32 % cols), symbol).unwrap();
            }
            for (symbol, &cost) in ['.', '1', '2', '9'].into_iter().zip(&costs) {
                terrain.define(symbol, Ground::land(COSTS[cost])).unwrap();
            }
            terrain
        })
    })
}

fn limits() -> impl Strategy<Value = Limits> {
    let nodes = prop_oneof![2 => Just(None), 3 => (0..40_u64).prop_map(Some)];
    let memory = prop_oneof![3 => Just(None), 1 => (0..60_000_u64).prop_map(Some)];
    (nodes, memory).prop_map(|(nodes, memory)| Limits { nodes, memory, time: None })
}

/// What a search promises when it runs to its end.
#[derive(Clone, Copy, PartialEq)]
enum Promise {
    Shortest,
    Within(f64),
    FewestSteps,
    Nothing,
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
    fn check(
        &self,
        name: &str,
        promise: Promise,
        search: impl FnOnce(&Map, Cell, &[Cell], &mut Scratch, &Control) -> Result<Report, QueryError>,
    ) {
        let control = Control::new(self.limits);
        let mut scratch = Scratch::new();
        let report = search(&self.map, self.from, &self.to, &mut scratch, &control).unwrap();
        let told = || format!("{name}, {}, {:?}\n{}{report:?}", self.map.diagonal(), self.limits, self.terrain);
        let best = self.best;
        match report.outcome {
            Outcome::Found { length, guarantee } => {
                let walked = walk(self.terrain, self.map.diagonal(), scratch.path(), self.from, &self.to);
                assert_eq!(walked, length, "{}", told());
                // Next to what 64 bits can say, the plain search misses paths whose beginning is not the cheapest.
                if length.value() > 1.8446e19 && guarantee != Guarantee::Cheapest {
                    return;
                }
                let best = best.expect("there is a path");
                assert!(best <= length, "{}", told());
                assert!(guarantee != Guarantee::Cheapest || length == best, "not {best}: {}", told());
                assert_eq!(promise == Promise::Shortest, guarantee == Guarantee::Cheapest && length == best);
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
                // Fewest steps may cost more than can be said, where a detour does not.
                let too_dear = best.is_none_or(|best| best.value() > 1.8446e19) || promise != Promise::Shortest;
                assert!(why != Stop::Overflow || too_dear, "{}", told());
                assert!(self.limits.nodes.is_some() || why != Stop::Nodes);
                assert!(self.limits.memory.is_some() || why != Stop::Memory);
            }
        }
        // Of a search that began again, only the last run counts, here and there.
        let expanded = control.counters().expanded;
        assert!(self.limits.nodes.is_none_or(|nodes| expanded <= nodes), "{}", told());
        assert_eq!(report.counters.expanded, expanded, "{}", told());
        assert_eq!(control.held(), 0, "all is given back: {}", told());
        assert!(self.limits.memory.is_none_or(|memory| control.counters().peak_bytes <= memory));
        assert!(scratch.bytes() <= self.limits.memory.unwrap_or(u64::MAX), "{}", told());
    }

    fn check_all(&self, weight: Weight) {
        let rule = self.map.diagonal();
        self.check("shortest", Promise::Shortest, |map, from, to, scratch, control| {
            map.shortest(from, to, scratch, control)
        });
        self.check("pruned", Promise::Shortest, |map, from, to, scratch, control| {
            map.pruned_astar(from, to, scratch, control)
        });
        self.check("levels", Promise::Shortest, |map, from, to, scratch, control| {
            map.level_astar(from, to, scratch, control)
        });
        self.check("dijkstra", Promise::Shortest, |map, from, to, scratch, control| {
            map.dijkstra(from, to, scratch, control)
        });
        if self.map.is_uniform() {
            self.check("jps", Promise::Shortest, |map, from, to, scratch, control| map.jps(from, to, scratch, control));
        }
        let alike = self.map.is_uniform() && rule == Diagonal::Never;
        let steps = if alike { Promise::Shortest } else { Promise::FewestSteps };
        self.check("bfs", steps, |map, from, to, scratch, control| map.bfs(from, to, scratch, control));
        self.check("bidirectional", steps, |map, from, to, scratch, control| {
            map.bidirectional(from, to, scratch, control)
        });
        for heuristic in Heuristic::ALL {
            let is_sure = heuristic.overestimates(rule).is_none();
            let promise = |promise| if is_sure { promise } else { Promise::Nothing };
            self.check("astar", promise(Promise::Shortest), |map, from, to, scratch, control| {
                map.astar(from, to, heuristic, scratch, control)
            });
            self.check("ida", promise(Promise::Shortest), |map, from, to, scratch, control| {
                map.ida(from, to, heuristic, scratch, control)
            });
            self.check("greedy", Promise::Nothing, |map, from, to, scratch, control| {
                map.greedy(from, to, heuristic, scratch, control)
            });
            let is_one = weight == Weight::ONE;
            let within = if is_one { Promise::Shortest } else { Promise::Within(weight.value()) };
            self.check("wastar", promise(within), |map, from, to, scratch, control| {
                map.weighted_astar(from, to, heuristic, weight, scratch, control)
            });
        }
    }

    fn check_distances(&self) {
        let control = Control::new(self.limits);
        let known = plain_dijkstra(self.terrain, self.map.diagonal(), self.from);
        let mut scratch = Scratch::within(&control);
        if let Ok(field) = self.map.distances(self.from, Toward::Others, &mut scratch, &control) {
            for (at, known) in known.iter().enumerate() {
                let cell = Cell::new(at as u32 / self.terrain.cols(), at as u32 % self.terrain.cols());
                if field.too_dear().contains(&cell) {
                    assert!(known.is_none_or(|known| known.value() > 1.8446e19), "{cell}");
                    assert_eq!((field.length(cell), field.step(cell)), (None, None), "{cell}");
                } else {
                    assert_eq!(field.length(cell), *known, "{cell}");
                }
            }
            let cells = u64::from(self.terrain.rows() * self.terrain.cols());
            assert!(control.held() >= scratch.bytes() + 5 * cells, "the field is charged while it is there");
            let (clone, before) = (field.clone(), control.held());
            drop(field);
            assert_eq!(control.held(), before, "a clone holds what both shared");
            drop(clone);
        }
        drop(scratch);
        assert_eq!(control.held(), 0, "all is given back");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn nothing_false_is_said_under_any_limit(
        terrain in terrains(),
        ends in prop::collection::vec(any::<(u32, u32)>(), 2..5),
        rule in 0..4_usize,
        limits in limits(),
        weight in prop_oneof![Just("1"), Just("1.5"), Just("1000")],
    ) {
        let cell = |&(row, col): &(u32, u32)| Cell::new(row % terrain.rows(), col % terrain.cols());
        let (from, to): (Cell, Vec<Cell>) = (cell(&ends[0]), ends[1..].iter().map(cell).collect());
        let rule = Diagonal::ALL[rule];
        let known = plain_dijkstra(&terrain, rule, from);
        let best = to.iter().filter_map(|goal| known[(goal.row * terrain.cols() + goal.col) as usize]).min();
        let trial = Trial { map: Map::new(&terrain, rule), terrain: &terrain, from, to, best, limits };
        trial.check_all(weight.parse().unwrap());
        trial.check_distances();
    }
}
