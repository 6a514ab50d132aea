//! Every algorithm against a plain Dijkstra, on random maps.

use pintu_grid::{Cell, Diagonal, Heuristic, Length, Map, MapSpace, Outcome, Report, Scratch, Terrain, Toward};
use pintu_search::{Guarantee, ReportOf, Weight};
use proptest::prelude::*;

use crate::oracle::{plain_dijkstra, walk};

/// A map of at most that size, made of the given symbols in the given proportions.
fn terrains(rows: u32, cols: u32, symbols: &'static str) -> impl Strategy<Value = Terrain> {
    (1..=rows, 1..=cols).prop_flat_map(move |(rows, cols)| {
        let symbol = (0..symbols.len()).prop_map(move |at| symbols.as_bytes()[at] as char);
        let cells = prop::collection::vec(symbol, (rows * cols) as usize);
        cells.prop_map(move |cells| {
            let text: String = cells.chunks(cols as usize).flat_map(|row| row.iter().copied().chain(['\n'])).collect();
            text.parse().unwrap()
        })
    })
}

fn uniform() -> impl Strategy<Value = Terrain> {
    prop_oneof![
        terrains(9, 9, "..#"),
        terrains(12, 12, "....#"),
        terrains(7, 150, "........#"),
        terrains(150, 7, "...........#")
    ]
}

fn weighted() -> impl Strategy<Value = Terrain> {
    prop_oneof![
        terrains(9, 9, "..#139"),
        terrains(10, 10, "....9#"),
        terrains(8, 8, "2222222223#"),
        terrains(70, 5, "......5#")
    ]
}

fn ends() -> impl Strategy<Value = (u32, u32, u32, u32)> {
    (any::<u32>(), any::<u32>(), any::<u32>(), any::<u32>())
}

struct Case {
    terrain: Terrain,
    map: Map,
    from: Cell,
    to: Vec<Cell>,
    best: Option<Length>,
    scratch: Scratch,
}

impl Case {
    fn new(terrain: &Terrain, rule: Diagonal, (a, b, c, d): (u32, u32, u32, u32), goals: u32) -> Self {
        let (rows, cols) = (terrain.rows(), terrain.cols());
        let from = Cell::new(a % rows, b % cols);
        let to: Vec<Cell> =
            (0..goals).map(|k| Cell::new(c.wrapping_add(k * 7) % rows, d.wrapping_add(k * 5) % cols)).collect();
        let known = plain_dijkstra(terrain, rule, from);
        let best = to.iter().filter_map(|goal| known[(goal.row * cols + goal.col) as usize]).min();
        Self { terrain: terrain.clone(), map: Map::new(terrain, rule), from, to, best, scratch: Scratch::new() }
    }

    /// The report's length, if it has one, is that of the path, which is legal.
    fn length(&self, name: &str, report: &Report) -> Option<Length> {
        match report.outcome {
            Outcome::Found { length, .. } => {
                let walked = walk(&self.terrain, self.map.diagonal(), self.scratch.path(), self.from, &self.to);
                assert_eq!(walked, length, "{name}: the path is as long as reported");
                Some(length)
            }
            Outcome::Unreachable(_) => {
                assert!(self.scratch.path().is_empty(), "{name}");
                None
            }
            Outcome::Stopped { why, .. } => panic!("{name}: stopped, {why}"),
        }
    }

    fn exact(&mut self) {
        let rule = self.map.diagonal();
        let report = ("shortest", self.map.shortest(self.from, &self.to, &mut self.scratch, ()).unwrap());
        self.check(&report);
        let report = ("dijkstra", self.map.dijkstra(self.from, &self.to, &mut self.scratch, ()).unwrap());
        self.check(&report);
        if self.map.is_uniform() {
            let report = ("jps", self.map.jps(self.from, &self.to, &mut self.scratch, ()).unwrap());
            self.check(&report);
        }
        let report = ("pruned", self.map.pruned_astar(self.from, &self.to, &mut self.scratch, ()).unwrap());
        self.check(&report);
        let report = ("levels", self.map.level_astar(self.from, &self.to, &mut self.scratch, ()).unwrap());
        self.check(&report);
        for heuristic in Heuristic::ALL.into_iter().filter(|heuristic| heuristic.overestimates(rule).is_none()) {
            let report = self.map.astar(self.from, &self.to, heuristic, &mut self.scratch, ()).unwrap();
            self.check(&("astar", report));
        }
        let heuristic = Heuristic::for_movement(rule);
        let report = self.map.ida(self.from, &self.to, heuristic, &mut self.scratch, ()).unwrap();
        self.check(&("ida", report));
    }

    fn check(&self, (name, report): &(&str, Report)) {
        let found = self.length(name, report);
        assert_eq!(
            found,
            self.best,
            "{name} from {} to {:?}, {}\n{}",
            self.from,
            self.to,
            self.map.diagonal(),
            self.terrain
        );
        if let Outcome::Found { guarantee, .. } = &report.outcome {
            assert_eq!(*guarantee, Guarantee::Cheapest);
        }
    }

    fn inexact(&mut self) {
        let rule = self.map.diagonal();
        let weight: Weight = "1.7".parse().unwrap();
        for heuristic in Heuristic::ALL {
            let admissible = heuristic.overestimates(rule).is_none();
            let report = self.map.greedy(self.from, &self.to, heuristic, &mut self.scratch, ()).unwrap();
            assert_eq!(self.length("greedy", &report).is_some(), self.best.is_some());
            let report =
                self.map.weighted_astar(self.from, &self.to, heuristic, weight, &mut self.scratch, ()).unwrap();
            let found = self.length("wastar", &report);
            assert_eq!(found.is_some(), self.best.is_some());
            if let (Some(found), Some(best), true) = (found, self.best, admissible) {
                assert!(found.value() <= best.value() * 1.7 + 1e-9);
            }
            let report = self.map.astar(self.from, &self.to, heuristic, &mut self.scratch, ()).unwrap();
            assert_eq!(self.length("astar", &report).is_some(), self.best.is_some());
        }
        let report = self.map.bidirectional(self.from, &self.to, &mut self.scratch, ()).unwrap();
        assert_eq!(self.length("bidirectional", &report).is_some(), self.best.is_some());
        let both_ends = self.scratch.path().len();
        let report = self.map.bfs(self.from, &self.to, &mut self.scratch, ()).unwrap();
        let found = self.length("bfs", &report);
        assert_eq!(found.is_some(), self.best.is_some());
        assert_eq!(self.scratch.path().len(), both_ends);
        if let Outcome::Found { guarantee: Guarantee::Cheapest, .. } = report.outcome {
            assert_eq!(found, self.best);
        }
    }
}

/// The map as a space of the search library, where lengths are costs: one path, both ends at once, every distance, the
/// paths in order.
fn check_space(case: &Case) {
    let (space, best) = (case.map.space(&case.to).unwrap(), case.best);
    let left = |cell: &Cell| space.estimate(*cell);
    let cost = |report: ReportOf<MapSpace<'_>>| report.solution().map(|solution| solution.cost);
    assert_eq!(cost(pintu_search::dijkstra(&space, &case.from, ())), best);
    assert_eq!(cost(pintu_search::astar(&space, &case.from, &left, ())), best);
    assert_eq!(cost(pintu_search::ida_with_table(&space, &case.from, &left, ())), best);
    assert_eq!(cost(pintu_search::bidirectional_dijkstra(&space, &case.from, ())), best);
    if let Some(bound) = pintu_search::weighted_astar(&space, &case.from, &left, Weight::new(1.5).unwrap(), ())
        .solution()
        .and_then(|solution| solution.lower_bound?.cost())
    {
        assert!(Some(bound) <= best);
    }
    let known = plain_dijkstra(&case.terrain, case.map.diagonal(), case.from);
    // Nothing leads away from a blocked start, where the search nevertheless begins.
    let reached = pintu_search::cheapest_first(&space, &case.from, ());
    for (cell, far) in reached.filter(|&(cell, _)| case.map.is_free(cell)) {
        assert_eq!(Some(far), known[(cell.row * case.terrain.cols() + cell.col) as usize]);
    }
    let ranked: Vec<Length> =
        pintu_search::paths_by_cost(&space, &case.from, &left, ()).take(4).map(|path| path.cost).collect();
    assert!(ranked.first().copied() == best && ranked.is_sorted(), "{ranked:?}");
}

/// The distance maps both ways: the way there by the oracle from this cell, the way back by the oracle
/// from each cell.
fn check_distances(terrain: &Terrain, rule: Diagonal, from: Cell) {
    let map = Map::new(terrain, rule);
    let mut scratch = Scratch::new();
    let known = plain_dijkstra(terrain, rule, from);
    let mut field = |toward| map.distances(from, toward, &mut scratch, ()).unwrap();
    let (there, back) = (field(Toward::Others), field(Toward::Cell));
    for cell in (0..terrain.rows()).flat_map(|row| (0..terrain.cols()).map(move |col| Cell::new(row, col))) {
        let number = |cell: Cell| (cell.row * terrain.cols() + cell.col) as usize;
        assert_eq!(there.length(cell), known[number(cell)]);
        assert_eq!(back.length(cell), plain_dijkstra(terrain, rule, cell)[number(from)]);
        // Whoever follows a field pays what it promised.
        let paid = |path: Vec<Cell>| {
            let steps = path.windows(2).map(|step| map.step(step[0], step[1]).unwrap());
            let length = steps.fold(Length::default(), |sum, step| sum.checked_add(step).unwrap());
            (path[0], path[path.len() - 1], length)
        };
        assert_eq!(there.path(cell).map(paid), there.length(cell).map(|length| (from, cell, length)));
        assert_eq!(back.path(cell).map(paid), back.length(cell).map(|length| (cell, from, length)));
        let path = map.path(from, cell).unwrap();
        assert_eq!(path.map(|(path, _)| paid(path)), there.length(cell).map(|length| (from, cell, length)));
    }
}

/// The distance maps of several cells, no further than a length: by the maps of each of them.
fn check_several(terrain: &Terrain, rule: Diagonal, cells: &[Cell], most: Length) {
    let map = Map::new(terrain, rule);
    let mut scratch = Scratch::new();
    for toward in [Toward::Others, Toward::Cell] {
        let each: Vec<_> = cells.iter().map(|&cell| map.distances(cell, toward, &mut scratch, ()).unwrap()).collect();
        let all = map.distances_within(cells, toward, None, &mut scratch, ()).unwrap();
        let near = map.distances_within(cells, toward, Some(most), &mut scratch, ()).unwrap();
        for cell in (0..terrain.rows()).flat_map(|row| (0..terrain.cols()).map(move |col| Cell::new(row, col))) {
            let least = each.iter().filter_map(|field| field.length(cell)).min();
            assert_eq!(all.length(cell), least, "{cell} of {cells:?} {toward:?}");
            assert_eq!(near.length(cell), least.filter(|&length| length <= most), "{cell} within {most}");
            let ends = near.path(cell).map(|path| (path[0], path[path.len() - 1]));
            let ends = ends.map(|(from, to)| if toward == Toward::Cell { (to, from) } else { (from, to) });
            assert!(ends.is_none_or(|(one, other)| cells.contains(&one) && other == cell), "{ends:?}");
        }
        assert!(near.too_dear().is_empty() && near.counters.expanded <= all.counters.expanded);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn distances_of_several_are_those_of_the_nearest(
        terrain in prop_oneof![terrains(8, 8, "....139#"), terrains(8, 8, "....#"), terrains(8, 8, "333#")],
        places in prop::collection::vec((0..8_u32, 0..8_u32), 1..5),
        (straight, diagonal) in (0..20_u64, 0..6_u64),
        rule in 0..4_usize,
    ) {
        let cell = |(row, col): (u32, u32)| Cell::new(row % terrain.rows(), col % terrain.cols());
        let cells: Vec<Cell> = places.into_iter().map(cell).collect();
        check_several(&terrain, Diagonal::ALL[rule], &cells, Length::new(straight, diagonal));
    }

    #[test]
    fn distances_are_those_of_dijkstra(
        terrain in terrains(8, 8, "....139#"),
        (row, col) in (0..8_u32, 0..8_u32),
        rule in 0..4_usize,
    ) {
        check_distances(&terrain, Diagonal::ALL[rule], Cell::new(row % terrain.rows(), col % terrain.cols()));
    }

    #[test]
    fn the_search_library_agrees(
        terrain in terrains(7, 7, "....139#"), ends in ends(), rule in 0..4_usize, goals in 0..4_u32,
    ) {
        check_space(&Case::new(&terrain, Diagonal::ALL[rule], ends, goals));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn exact_on_uniform_maps(terrain in uniform(), ends in ends(), rule in 0..4_usize, goals in 1..4_u32) {
        Case::new(&terrain, Diagonal::ALL[rule], ends, goals).exact();
    }

    #[test]
    fn exact_on_weighted_maps(terrain in weighted(), ends in ends(), rule in 0..4_usize, goals in 1..3_u32) {
        Case::new(&terrain, Diagonal::ALL[rule], ends, goals).exact();
    }

    #[test]
    fn inexact_ones_find_paths(terrain in weighted(), ends in ends(), rule in 0..4_usize, goals in 1..3_u32) {
        Case::new(&terrain, Diagonal::ALL[rule], ends, goals).inexact();
    }
}
