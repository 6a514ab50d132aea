//! The corners of the contract: each odd question has its defined answer or its clear error.

use std::{collections::HashSet, time::Duration};

use pintu_grid::{
    Algorithm, Cell, Diagonal, Format, Graph, Heuristic, Length, MAX_COST, MAX_DIAGONAL_COST, Map, Outcome, QueryError,
    Reason, Report, Scenario, Scratch, SymbolCost, Terrain, TerrainError, TerrainKind, Toward, draw,
};
use pintu_search::{Backward, Cancel, Control, Counters, Fate, Guarantee, Limits, Node, Observer, Space, Stop, Weight};
use pintu_testing::maps::{cells, plain_dijkstra};

fn read(text: &str, costs: &[&str]) -> Terrain {
    let costs: Vec<SymbolCost> = costs.iter().map(|cost| cost.parse().unwrap()).collect();
    Format::recognise(text).read(text, &costs).unwrap()
}

fn map(text: &str, rule: Diagonal) -> Map {
    Map::new(&read(text, &[]), rule)
}

fn limited(nodes: u64) -> Control {
    Control::new(Limits::none().nodes(nodes))
}

fn search(map: &Map, algorithm: Algorithm, from: Cell, to: &[Cell], control: &Control) -> Report {
    map.search(algorithm, from, to, &mut Scratch::new(), control).unwrap()
}

/// Searches between the start and the goals that a map names.
fn between(terrain: &Terrain, rule: Diagonal, algorithm: Algorithm, control: &Control) -> Report {
    search(&Map::new(terrain, rule), algorithm, terrain.start.unwrap(), &terrain.goals, control)
}

fn length(map: &Map, from: (u32, u32), to: (u32, u32)) -> Result<Length, Reason> {
    match search(map, Algorithm::Fastest, from.into(), &[to.into()], &Control::unlimited()).outcome {
        Outcome::Found { length, .. } => Ok(length),
        Outcome::Unreachable(reason) => Err(reason),
        Outcome::Stopped { why, .. } => panic!("stopped: {why}"),
    }
}

/// The lower bound of a search that a limit on nodes ended.
fn bound(report: &Report) -> Option<f64> {
    match report.outcome {
        Outcome::Stopped { why: Stop::Nodes, lower_bound } => lower_bound,
        ref other => panic!("{other:?}"),
    }
}

/// Every algorithm, with a heuristic where it has one.
fn all(heuristic: Heuristic) -> [Algorithm; 11] {
    [
        Algorithm::Fastest,
        Algorithm::Jps,
        Algorithm::LevelAstar,
        Algorithm::PrunedAstar,
        Algorithm::Astar(heuristic),
        Algorithm::Dijkstra,
        Algorithm::Greedy(heuristic),
        Algorithm::WeightedAstar(heuristic, Weight::ONE),
        Algorithm::Ida(heuristic),
        Algorithm::Bfs,
        Algorithm::Bidirectional,
    ]
}

#[test]
fn start_equals_goal() {
    let (map, at, mut scratch) = (map(".", Diagonal::Always), Cell::new(0, 0), Scratch::new());
    for algorithm in all(Heuristic::Octile) {
        let report = map.search(algorithm, at, &[at], &mut scratch, ()).unwrap();
        assert_eq!((report.length(), report.counters.expanded), (Some(Length::default()), 1), "{algorithm:?}");
        assert_eq!(scratch.path(), [at], "{algorithm:?}");
    }
}

/// The estimate of a whole distance is that distance: along a row no cell beside the path is expanded.
#[test]
fn estimates_along_a_row_are_exact() {
    let map = map(".....\n.....\n.....\n", Diagonal::Never);
    for heuristic in [Heuristic::Manhattan, Heuristic::Euclidean, Heuristic::Octile] {
        for algorithm in [Algorithm::Ida(heuristic), Algorithm::Greedy(heuristic)] {
            let report = search(&map, algorithm, (0, 0).into(), &[(0, 4).into()], &Control::unlimited());
            let counts = (report.length(), report.counters.expanded);
            assert_eq!(counts, (Some(Length::new(4, 0)), 5), "{algorithm:?}");
        }
    }
}

#[test]
fn blocked_and_cut_off() {
    let map = map("#..\n###\n..#\n", Diagonal::NoCorners);
    assert_eq!(length(&map, (0, 0), (0, 1)), Err(Reason::BlockedStart));
    assert_eq!(length(&map, (0, 1), (0, 0)), Err(Reason::BlockedGoal));
    assert_eq!(length(&map, (0, 1), (2, 0)), Err(Reason::CutOff));
    assert_eq!(length(&map, (0, 1), (0, 2)), Ok(Length::new(1, 0)));
}

#[test]
fn questions_without_an_answer_are_errors() {
    let (at, water) = (Cell::new(0, 0), "type octile\nheight 1\nwidth 2\nmap\n.W\n");
    for (text, algorithm, to, message) in [
        (
            "..\n",
            Algorithm::Dijkstra,
            &[(2, 0)][..],
            "found the cell 2,0, expected rows from 0 to 0 and columns from 0 to 1",
        ),
        ("..\n", Algorithm::Dijkstra, &[], "found no goal, expected at least one"),
        (
            ".9\n",
            Algorithm::Jps,
            &[(0, 1)],
            "jump point search needs a map on which every cell costs the same; this one costs 1 to 9",
        ),
        (water, Algorithm::Jps, &[(0, 1)], "jump point search needs a map without water, and this one has some"),
    ] {
        let to: Vec<Cell> = to.iter().copied().map(Cell::from).collect();
        let error = map(text, Diagonal::Never).search(algorithm, at, &to, &mut Scratch::new(), ()).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn water_is_a_world_of_its_own() {
    let map = map("type octile\nheight 3\nwidth 4\nmap\n.SW.\n.WW.\n....\n", Diagonal::NoCorners);
    assert_eq!(length(&map, (0, 0), (0, 1)), Ok(Length::new(1, 0)));
    assert_eq!(length(&map, (0, 1), (0, 2)), Err(Reason::CutOff));
    assert_eq!(length(&map, (0, 2), (1, 1)), Ok(Length::new(2, 0)));
    assert_eq!(length(&map, (0, 0), (0, 3)), Ok(Length::new(7, 0)));
}

#[test]
fn a_height_map_of_very_many_costs_is_searched_exactly() {
    let (rows, cols) = (258, 309);
    // More different costs than 16 bits tell apart.
    let kind = |Cell { row, col }: Cell| match u64::from(row * cols + col) {
        at if at % 7 == 3 => TerrainKind::Blocked,
        at => TerrainKind::land(1 + at * 40_507 % 79_999),
    };
    let terrain = Terrain::from_fn(rows, cols, kind).unwrap();
    let mut costs: Vec<_> = cells(&terrain).filter_map(|cell| terrain.kind(cell).cost()).collect();
    costs.sort_unstable();
    costs.dedup();
    assert!(costs.len() > 65_536, "{}", costs.len());
    for rule in [Diagonal::Never, Diagonal::NoSqueeze] {
        let (map, from) = (Map::new(&terrain, rule), Cell::new(0, 0));
        let known = plain_dijkstra(&terrain, rule, from);
        for goal in [Cell::new(257, 308), Cell::new(120, 5)] {
            let expected = known[(goal.row * terrain.cols() + goal.col) as usize];
            for algorithm in [Algorithm::Fastest, Algorithm::Dijkstra] {
                let report = search(&map, algorithm, from, &[goal], &Control::unlimited());
                assert_eq!(report.length(), expected, "{algorithm:?}, {rule}");
            }
        }
    }
}

/// Up to the greatest length every digit is exact; a longer path is not reported, and its bound is above that length.
#[test]
fn the_greatest_length_is_told_and_none_beyond() {
    let (unlimited, scratch) = (Control::unlimited(), &mut Scratch::new());
    let dear = |cost: u64| read("S9G\n", &[&format!("9={cost}")]);
    for (rule, greatest) in [(Diagonal::Never, MAX_COST), (Diagonal::Always, MAX_DIAGONAL_COST)] {
        let heuristic = Heuristic::for_movement(rule);
        for algorithm in
            [Algorithm::Fastest, Algorithm::Dijkstra, Algorithm::Astar(heuristic), Algorithm::Ida(heuristic)]
        {
            let length = Length::new(greatest, 0);
            let found = Outcome::Found { length, guarantee: Guarantee::Cheapest };
            assert_eq!(between(&dear(greatest - 1), rule, algorithm, &unlimited).outcome, found, "{algorithm:?}");
            let report = between(&dear(greatest), rule, algorithm, &unlimited);
            let Outcome::Stopped { why: Stop::Overflow, lower_bound } = report.outcome else { panic!("{report:?}") };
            assert!(lower_bound.is_none_or(|bound| bound <= greatest as f64 + 1.0), "{algorithm:?}: {lower_bound:?}");
        }
        let (from, map) = (Cell::new(0, 0), Map::new(&dear(greatest), rule));
        assert_eq!(map.path(from, (0, 2)), Err(QueryError::Stopped(Stop::Overflow)));
        let field = map.distances(from, Toward::Others, scratch, ());
        assert_eq!(field.err(), Some(QueryError::Stopped(Stop::Overflow)));
    }
    // Equal costs are factored out, however great they are.
    let terrain = read("SG\n", &["S=9007199254740992", "G=9007199254740992"]);
    let found = between(&terrain, Diagonal::Always, Algorithm::Jps, &unlimited);
    assert_eq!(found.length(), Some(Length::new(MAX_COST, 0)));
    let terrain = read("S.G\n", &["S=9007199254740992", ".=9007199254740992", "G=9007199254740992"]);
    let report = between(&terrain, Diagonal::Always, Algorithm::Jps, &unlimited);
    assert!(matches!(report.outcome, Outcome::Stopped { why: Stop::Overflow, .. }));
}

#[test]
fn limits_and_cancellation_stop_every_algorithm() {
    let open = Map::new(&Terrain::open(60, 60).unwrap(), Diagonal::Never);
    let (from, to) = (Cell::new(0, 0), [Cell::new(59, 59)]);
    let cancelled = Cancel::new();
    cancelled.cancel();
    let controls: [(&dyn Fn() -> Control, Stop); 3] = [
        (&|| limited(1), Stop::Nodes),
        (&|| Control::new(Limits::none().memory(100)), Stop::Memory),
        (&|| Control::with_cancel(Limits::none(), cancelled.clone()), Stop::Cancelled),
    ];
    for (control, expected) in controls {
        for algorithm in all(Heuristic::Manhattan) {
            match search(&open, algorithm, from, &to, &control()).outcome {
                Outcome::Stopped { why, .. } => assert_eq!(why, expected, "{algorithm:?}"),
                other => panic!("{algorithm:?}: {other:?}"),
            }
        }
        let field = open.distances(from, Toward::Cell, &mut Scratch::new(), &control());
        assert_eq!(field.unwrap_err(), QueryError::Stopped(expected));
    }
}

/// A search that a node limit stopped has a lower bound, which is no more than what a path costs.
#[test]
fn bounds_are_not_above_the_shortest_length() {
    let terrain = read("..S.G\n", &[]);
    for nodes in 0..2 {
        for algorithm in all(Heuristic::Manhattan) {
            let expected = match algorithm {
                Algorithm::Greedy(_) => None,
                Algorithm::Dijkstra | Algorithm::Bfs => Some(nodes as f64),
                Algorithm::Bidirectional => continue,
                _ => Some(2.0),
            };
            let report = between(&terrain, Diagonal::Never, algorithm, &limited(nodes));
            assert_eq!(bound(&report), expected, "{algorithm:?}");
        }
    }
    let (terrain, manhattan) = (read("S..\n...\n..G\n", &[]), Heuristic::Manhattan);
    let sure_of_nothing =
        [Algorithm::Astar(manhattan), Algorithm::Ida(manhattan), Algorithm::WeightedAstar(manhattan, Weight::ONE)];
    for algorithm in sure_of_nothing {
        for nodes in 0..3 {
            assert_eq!(bound(&between(&terrain, Diagonal::Always, algorithm, &limited(nodes))), None);
        }
        let report = between(&terrain, Diagonal::Always, algorithm, &Control::unlimited());
        assert!(matches!(report.outcome, Outcome::Found { guarantee: Guarantee::None, .. }), "it overestimates");
    }
}

#[test]
fn an_expensive_cell_that_no_good_path_uses_lowers_no_bound() {
    let terrain = read("SG9\n", &["9=1000000"]);
    for rule in Diagonal::ALL {
        for algorithm in [Algorithm::Astar(Heuristic::for_movement(rule)), Algorithm::Fastest] {
            assert_eq!(bound(&between(&terrain, rule, algorithm, &limited(1))), Some(1.0), "{rule}");
        }
    }
}

#[test]
fn a_cost_that_needs_64_bits_bounds_what_is_proved_in_32() {
    // The goal lies behind a cell whose cost needs more bits; all else leads away from it, to ever higher ranks.
    let terrain = read(&format!("G9S{}\n", ".".repeat(63)), &[".=401", "S=401", "G=401", "9=47400"]);
    let octile = Heuristic::Octile;
    for algorithm in [Algorithm::Astar(octile), Algorithm::PrunedAstar, Algorithm::WeightedAstar(octile, Weight::ONE)] {
        let free = between(&terrain, Diagonal::Always, algorithm, &Control::unlimited());
        assert_eq!(free.length(), Some(Length::new(47_801, 0)));
        // The run in 32 bits expands the 64 cells on this side, which the other does not.
        for nodes in 0..=64 {
            let report = between(&terrain, Diagonal::Always, algorithm, &limited(nodes));
            assert_eq!(
                report.length().is_some(),
                nodes >= free.counters.expanded,
                "{algorithm:?}: {nodes}, {report:?}"
            );
            assert!(report.length().is_some() || bound(&report).is_none_or(|bound| bound <= 47_801.0), "{report:?}");
        }
    }
}

#[test]
fn a_search_that_begins_again_counts_once_and_forgets_no_bound() {
    let costs = |dear: u64| [format!("9={dear}"), format!("G={dear}"), ".=7".to_owned()];
    let weight: Weight = "3".parse().unwrap();
    // With diagonals 16 bits of a cost are too many for 32-bit numbers, without them 32 are.
    for (rule, dear) in Diagonal::ALL.into_iter().zip([3_000_000_000, 600_000_000, 600_000_000, 600_000_000]) {
        let costs = costs(dear);
        let terrain = read("S.......9G\n..........\n.......#9.\n", &costs.each_ref().map(String::as_str));
        let (from, usual) = (terrain.start.unwrap(), Heuristic::for_movement(rule));
        for algorithm in [
            Algorithm::Astar(usual),
            Algorithm::PrunedAstar,
            Algorithm::Dijkstra,
            Algorithm::WeightedAstar(Heuristic::Octile, weight),
        ] {
            let control = Control::unlimited();
            let free = between(&terrain, rule, algorithm, &control);
            let (length, needed) = (free.length().unwrap().value(), free.counters.expanded);
            assert!(needed <= 29 && control.counters().expanded == needed, "no cell counts twice: {free:?}");
            assert_eq!(between(&terrain, rule, algorithm, &limited(needed)).outcome, free.outcome, "{rule}");
            let mut proved = 0.0;
            for nodes in 0..needed {
                let control = limited(nodes);
                let report = between(&terrain, rule, algorithm, &control);
                assert_eq!((control.counters().expanded, report.counters.expanded), (nodes, nodes), "{report:?}");
                let bound = bound(&report).unwrap();
                assert!(proved <= bound && bound <= length, "{rule}, {nodes}: {proved} before {bound}, {report:?}");
                proved = bound;
            }
        }
        // All cells but the obstacle, which is enough though they are expanded twice.
        let (map, scratch) = (Map::new(&terrain, rule), &mut Scratch::new());
        for (nodes, stopped) in [(29, None), (28, Some(QueryError::Stopped(Stop::Nodes)))] {
            let control = limited(nodes);
            let field = map.distances(from, Toward::Others, scratch, &control);
            assert_eq!((field.err(), control.counters().expanded), (stopped, nodes), "{rule}");
        }
    }
}

#[test]
fn equal_costs_are_factored_out_and_the_report_says_what_ran() {
    let terrain = read("S........G\n..........\n", &["S=4000000000", "G=4000000000", ".=4000000000"]);
    let octile = Heuristic::Octile;
    for algorithm in [Algorithm::Jps, Algorithm::Astar(octile), Algorithm::PrunedAstar, Algorithm::Ida(octile)] {
        let report = between(&terrain, Diagonal::Always, algorithm, &Control::unlimited());
        assert_eq!((report.algorithm, report.length()), (algorithm, Some(Length::new(36_000_000_000, 0))));
    }
    for (text, rule, ran) in [
        ("S....G\n", Diagonal::Never, Algorithm::Jps),
        ("S.#.\n#..#\n.#..\n..#G\n", Diagonal::Never, Algorithm::LevelAstar),
        ("S.9.G\n", Diagonal::Always, Algorithm::PrunedAstar),
    ] {
        assert_eq!(between(&read(text, &[]), rule, Algorithm::Fastest, &Control::unlimited()).algorithm, ran);
    }
}

#[derive(Default)]
struct Expanded(Vec<(Cell, f64, Option<f64>)>);

impl<C: Copy + Into<f64>> Observer<Cell, C> for Expanded {
    fn expand(&mut self, node: &Node<'_, Cell, C>, _: &Counters) -> Result<(), Stop> {
        self.0.push((*node.state, node.cost.into(), node.estimate.map(Into::into)));
        Ok(())
    }
}

/// The search library's order: smaller f, then smaller h, then last in first out.
#[test]
fn cells_are_expanded_in_the_order_of_the_search_library() {
    let terrain = read("S..#....\n.#.#.##.\n.#...#..\n...#...G\n", &[]);
    let map = Map::new(&terrain, Diagonal::Never);
    let (from, to) = (terrain.start.unwrap(), terrain.goals.clone());
    let space = pintu_search::from_fn(
        |&cell: &Cell| map.steps(cell).map(|(_, next)| (next, 1)).collect::<Vec<_>>(),
        |cell: &Cell| to.contains(cell),
    );
    let manhattan = |cell: &Cell| cell.row.abs_diff(to[0].row) + cell.col.abs_diff(to[0].col);
    let heuristic = Heuristic::Manhattan;
    for algorithm in [Algorithm::Astar(heuristic), Algorithm::Dijkstra, Algorithm::Greedy(heuristic), Algorithm::Bfs] {
        let (mut own, mut reference) = (Expanded::default(), Expanded::default());
        let ours = map.search(algorithm, from, &to, &mut Scratch::new(), &mut own).unwrap();
        let theirs = match algorithm {
            Algorithm::Astar(_) => pintu_search::astar(&space, &from, manhattan, &mut reference),
            Algorithm::Dijkstra => pintu_search::dijkstra(&space, &from, &mut reference),
            Algorithm::Greedy(_) => pintu_search::greedy(&space, &from, manhattan, &mut reference),
            _ => pintu_search::bfs(&space, &from, &mut reference),
        };
        let counts = |counters: Counters| (counters.expanded, counters.generated, counters.peak_states);
        assert_eq!(own.0, reference.0, "{algorithm:?}");
        assert_eq!(counts(ours.counters), counts(theirs.counters), "{algorithm:?}");
    }
}

/// Checks what it sees of a search by levels: each cell once and in order, none before it was generated.
struct Watch {
    expanded: Vec<Cell>,
    rank: f64,
    met: HashSet<Cell>,
    generated: u64,
}

impl Observer<Cell, f64> for Watch {
    fn expand(&mut self, node: &Node<'_, Cell, f64>, so_far: &Counters) -> Result<(), Stop> {
        assert_eq!(node.parent.is_none(), self.expanded.is_empty(), "the start comes first");
        assert!(self.met.contains(node.state) && !self.expanded.contains(node.state), "{}", node.state);
        assert!(self.rank <= node.cost + node.estimate.unwrap());
        self.rank = node.cost + node.estimate.unwrap();
        self.expanded.push(*node.state);
        assert_eq!(so_far.expanded, self.expanded.len() as u64);
        Ok(())
    }

    fn generate(&mut self, node: &Node<'_, Cell, f64>, fate: Fate, so_far: &Counters) -> Result<(), Stop> {
        self.generated += 1;
        assert_eq!(so_far.generated, self.generated);
        assert_eq!(fate, if self.met.insert(*node.state) { Fate::New } else { Fate::Known });
        Ok(())
    }
}

/// A search by levels counts the same wherever it is stopped, watched or not.
#[test]
fn levels_count_every_successor() {
    let small = "S..#....\n.#.#.##.\n.#...#.G\n.####.#.\n........\n".to_owned();
    // Three words wide, with an obstacle every few cells, and the goal in the middle.
    let row = |row: usize| -> String {
        (0..150).map(|col| if (row * 7 + col * 3).is_multiple_of(11) { '#' } else { '.' }).collect()
    };
    let wide: String = (0..9).map(|at| row(at) + "\n").collect();
    for (text, ends) in [
        (small, vec![((0, 0), (2, 7)), ((2, 7), (0, 0))]),
        (wide, vec![((0, 1), (4, 77)), ((8, 149), (4, 77))]),
        ("..#\n.#.\n...\n".to_owned(), vec![((0, 1), (1, 0))]),
        ("..........\n".to_owned(), vec![((0, 9), (0, 5))]),
    ] {
        let map = map(&text, Diagonal::Never);
        for (from, to) in ends {
            let (start, goals): (Cell, [Cell; 1]) = (from.into(), [to.into()]);
            for nodes in 0..400 {
                let (met, expanded) = (HashSet::from([start]), Vec::new());
                let mut watch = Watch { expanded, rank: 0.0, met, generated: 1 };
                let run = (&limited(nodes), &mut watch);
                let watched = map.search(Algorithm::LevelAstar, start, &goals, &mut Scratch::new(), run).unwrap();
                let plain = search(&map, Algorithm::LevelAstar, start, &goals, &limited(nodes));
                let counts = |report: &Report| (report.counters.expanded, report.counters.generated);
                assert_eq!(counts(&watched), counts(&plain), "{nodes} from {start} to {goals:?}");
                assert_eq!(watched.counters.expanded, watch.expanded.len() as u64);
            }
        }
    }
}

#[test]
fn the_nearest_cell_stands_in_for_a_goal_that_is_cut_off() {
    let control = Control::unlimited();
    let nearest = |map: &Map, from: Cell, to: &[Cell]| {
        map.nearest_reachable(from, to, &control, &mut control.hold()).ok().unwrap()
    };
    let small = map("....\n..##\n..#.\n", Diagonal::Never);
    assert_eq!(nearest(&small, Cell::new(0, 0), &[Cell::new(2, 3)]), [Cell::new(0, 3), Cell::new(2, 1)]);
    assert!(nearest(&small, Cell::new(1, 2), &[Cell::new(0, 0)]).is_empty());
    assert!(nearest(&small, Cell::new(0, 0), &[]).is_empty());

    // Against every pair, on maps of which half is cut off from the other.
    let mut random = 7_u64;
    let mut below = |most: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % most
    };
    for _ in 0..300 {
        let (rows, cols) = (1 + below(9) as u32, 2 + below(12) as u32);
        let wall = below(u64::from(cols)) as u32;
        let is_wall = |cell: Cell| cell.col == wall || below(4) == 0;
        let terrain = with_walls(rows, cols, is_wall);
        let map = Map::new(&terrain, Diagonal::Never);
        let goals: Vec<Cell> = cells(&terrain).filter(|cell| cell.col >= wall && below(3) == 0).collect();
        for from in cells(&terrain).filter(|&cell| map.is_free(cell)) {
            let apart = |a: Cell, b: Cell| a.row.abs_diff(b.row).pow(2) + a.col.abs_diff(b.col).pow(2);
            let near = |cell: Cell| goals.iter().map(|&goal| apart(cell, goal)).min();
            let reached = || cells(&terrain).filter(|&cell| map.is_free(cell) && map.connected(from, cell));
            let least = reached().filter_map(near).min();
            let plain: Vec<Cell> = reached().filter(|&cell| least.is_some() && near(cell) == least).collect();
            assert_eq!(nearest(&map, from, &goals), plain, "from {from} to {goals:?} on\n{terrain}");
        }
    }
}

#[test]
fn looking_for_the_nearest_cell_keeps_its_limits() {
    let map = map(&format!("{}#{}\n", ".".repeat(200), "G".repeat(200)).repeat(200), Diagonal::Never);
    let goals: Vec<Cell> = (0..200).flat_map(|row| (201..401).map(move |col| Cell::new(row, col))).collect();
    let limits = [Limits::none().time(Duration::ZERO), Limits::none().memory(1000)];
    for (limits, why) in limits.into_iter().zip([Stop::Time, Stop::Memory]) {
        let control = Control::new(limits);
        let found = map.nearest_reachable(Cell::new(0, 0), &goals, &control, &mut control.hold());
        assert_eq!(found.err(), Some(why));
    }
}

fn with_walls(rows: u32, cols: u32, mut is_wall: impl FnMut(Cell) -> bool) -> Terrain {
    let kind = |cell| if is_wall(cell) { TerrainKind::Blocked } else { TerrainKind::OPEN };
    Terrain::from_fn(rows, cols, kind).unwrap()
}

/// Open land with scattered obstacles, one in `every` cells.
fn scattered(rows: u32, cols: u32, every: u32) -> Terrain {
    with_walls(rows, cols, |cell| match cell.row * cols + cell.col {
        at if at == 0 || at == rows * cols - 1 => false,
        at => (at.wrapping_mul(0x9E37_79B1) >> 29) % every == 0,
    })
}

#[test]
fn maps_leave_nothing_behind_in_a_scratch() {
    let maps = [(20, 70, 4), (60, 20, 5), (20, 70, 6), (33, 130, 4)]
        .map(|(rows, cols, every)| Map::new(&scattered(rows, cols, every), Diagonal::Never));
    let mut scratch = Scratch::new();
    for round in 0..40 {
        for map in &maps {
            let (from, to) = (Cell::new(0, 0), [Cell::new(map.rows() - 1 - round % 5, map.cols() - 1 - round % 7)]);
            let expected = search(map, Algorithm::Dijkstra, from, &to, &Control::unlimited()).length();
            for algorithm in all(Heuristic::Manhattan).into_iter().filter(|&one| !matches!(one, Algorithm::Greedy(_))) {
                let found = map.search(algorithm, from, &to, &mut scratch, ()).unwrap().length();
                assert_eq!(found, expected, "{algorithm:?}");
            }
        }
    }
}

#[test]
fn a_map_and_its_search_take_at_most_16_bytes_a_cell() {
    let side = 1024;
    let terrain = scattered(side, side, 8);
    let (from, to) = (Cell::new(0, 0), [Cell::new(side - 1, side - 1)]);
    for rule in [Diagonal::NoCorners, Diagonal::Never] {
        let map = Map::new(&terrain, rule);
        for algorithm in [Algorithm::Fastest, Algorithm::PrunedAstar] {
            let mut scratch = Scratch::new();
            assert!(map.search(algorithm, from, &to, &mut scratch, ()).unwrap().length().is_some());
            let a_cell = (map.bytes() as f64 + scratch.bytes() as f64) / f64::from(side * side);
            assert!(a_cell <= 16.0, "{rule}: {a_cell} bytes a cell");
        }
    }
}

#[test]
fn what_is_large_is_shown_short() {
    let map = Map::new(&Terrain::open(60, 70).unwrap(), Diagonal::Never);
    let (mut scratch, from) = (Scratch::new(), Cell::new(3, 4));
    let field = map.distances(from, Toward::Cell, &mut scratch, ()).unwrap();
    for shown in [format!("{map:?}"), format!("{scratch:?}"), format!("{field:?}")] {
        assert!(shown.len() < 300, "{shown}");
    }
}

#[test]
fn a_space_leads_nowhere_from_beyond_its_map() {
    let map = map("..#", Diagonal::Always);
    let (blocked, beyond) = (Cell::new(0, 2), Cell::new(1, 0));
    let space = map.space(&[Cell::new(0, 1), blocked]).unwrap();
    assert_eq!(space.goals().collect::<Vec<_>>(), [Cell::new(0, 1)]);
    for cell in [blocked, beyond, Cell::new(u32::MAX, u32::MAX)] {
        assert!(!space.is_goal(&cell), "{cell}");
        assert_eq!((space.actions(&cell).count(), space.origins(&cell).count()), (0, 0), "{cell}");
    }
    assert!(matches!(map.space(&[beyond]), Err(QueryError::Outside { .. })));
}

/// A cell's index, `row * cols + col`, overflows for some of these where `usize` has 32 bits, and is another cell's for others.
#[test]
fn cells_beyond_a_map_have_no_index() {
    let terrain = read("...\n...", &[]);
    let map = Map::new(&terrain, Diagonal::Never);
    let field = map.distances(Cell::new(0, 0), Toward::Others, &mut Scratch::new(), ()).unwrap();
    for beyond in [Cell::new(0, 3), Cell::new(u32::MAX / 3 + 1, 0), Cell::new(u32::MAX, u32::MAX)] {
        assert_eq!(terrain.kind(beyond), TerrainKind::Blocked, "{beyond}");
        assert_eq!((field.length(beyond), field.path(beyond)), (None, None), "{beyond}");
        assert_eq!(draw(&terrain, &[beyond]), "...\n...\n", "{beyond}");
        assert!(matches!(map.path((0, 0), beyond), Err(QueryError::Outside { .. })), "{beyond}");
    }
    assert!(matches!(Terrain::open(u32::MAX, u32::MAX), Err(TerrainError::Size { .. })));
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_map_or_graph() {
    assert_eq!("\u{feff}S.G\n".parse::<Terrain>().unwrap().start, Some(Cell::new(0, 0)));
    assert_eq!("\u{feff}1 2\n14\n".parse::<Terrain>().unwrap().format(), Format::Sea);
    assert!(Graph::read("\u{feff}a b 1\n", false).unwrap().node("a").is_some());
    assert_eq!(Scenario::read_all("\u{feff}0 m 9 9 0 0 1 1 1.41421\n").unwrap()[0].bucket, 0);
}

#[test]
fn jump_point_search_counts_the_cells_at_which_it_looks() {
    let scanned = |text: &str, rule, algorithm| {
        let report = between(&read(text, &[]), rule, algorithm, &Control::unlimited());
        (report.scanned, report.counters.expanded)
    };
    // Straight lines are looked up: only start and goal are looked at.
    assert_eq!(scanned("S...G", Diagonal::NoCorners, Algorithm::Jps), (Some(2), 2));
    // From the start the diagonal is gone along: three cells, of which the last has the goal beside it.
    assert_eq!(scanned("S....\n.....\n.....\n...G.", Diagonal::Always, Algorithm::Jps), (Some(2 + 3), 2));
    assert_eq!(scanned("S...G", Diagonal::NoCorners, Algorithm::Astar(Heuristic::Octile)).0, None);
}
