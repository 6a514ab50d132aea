//! The corners of the contract: each odd question has its defined answer or its clear error.

use std::{ops::ControlFlow, time::Duration};

use pintu_grid::{
    Cell, Diagonal, Format, Ground, Heuristic, Length, Map, Measure, Outcome, QueryError, Reason, Report, Scratch,
    Terrain,
};
use pintu_search::{Backward, Cancel, Control, Counters, Fate, Limits, Node, Observer, Space, Stop, Trace};

use crate::oracle::plain_dijkstra;

fn map(text: &str, rule: Diagonal) -> Map {
    Map::new(&text.parse::<Terrain>().unwrap(), rule)
}

fn length(map: &Map, from: (u32, u32), to: (u32, u32)) -> Result<Length, Reason> {
    let (from, to) = (Cell::new(from.0, from.1), [Cell::new(to.0, to.1)]);
    match map.shortest(from, &to, &mut Scratch::new(), ()).unwrap().outcome {
        Outcome::Found { length, .. } => Ok(length),
        Outcome::Unreachable(reason) => Err(reason),
        Outcome::Stopped { why, .. } => panic!("stopped: {why}"),
    }
}

#[test]
fn start_equals_goal() {
    let map = map(".", Diagonal::Always);
    let mut scratch = Scratch::new();
    let at = Cell::new(0, 0);
    for report in [
        map.shortest(at, &[at], &mut scratch, ()),
        map.bfs(at, &[at], &mut scratch, ()),
        map.bidirectional(at, &[at], &mut scratch, ()),
        map.dijkstra(at, &[at], &mut scratch, ()),
        map.greedy(at, &[at], Heuristic::Octile, &mut scratch, ()),
        map.astar(at, &[at], Heuristic::Octile, &mut scratch, ()),
        map.ida(at, &[at], Heuristic::Octile, &mut scratch, ()),
        map.jps(at, &[at], &mut scratch, ()),
        map.pruned_astar(at, &[at], &mut scratch, ()),
    ] {
        let report = report.unwrap();
        assert_eq!(report.length(), Some(Length::default()));
        assert_eq!(scratch.path(), [at]);
        assert_eq!(report.counters.expanded, 1);
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
fn cells_beyond_the_map_are_errors() {
    let map = map("..\n..\n", Diagonal::Never);
    let mut scratch = Scratch::new();
    let outside = map.shortest(Cell::new(0, 0), &[Cell::new(2, 0)], &mut scratch, ()).unwrap_err();
    assert_eq!(outside.to_string(), "found the cell 2,0, expected rows from 0 to 1 and columns from 0 to 1");
    assert_eq!(map.shortest(Cell::new(0, 0), &[], &mut scratch, ()).unwrap_err(), QueryError::NoGoal);
}

#[test]
fn jump_points_need_even_ground() {
    let map = map(".9\n", Diagonal::Never);
    let error = map.jps(Cell::new(0, 0), &[Cell::new(0, 1)], &mut Scratch::new(), ()).unwrap_err();
    assert_eq!(error, QueryError::NotUniform { least: 1, greatest: 9 });
}

#[test]
fn a_detour_that_is_cheaper_is_taken() {
    let sea = "3 3\n1 3 4\n0 2 0\n0 0 0\n";
    assert_eq!(length(&map(sea, Diagonal::Never), (0, 0), (0, 2)), Ok(Length::new(6, 0)));
    let dear: Terrain = Format::Sea.read(sea, &["3=2".parse().unwrap()]).unwrap();
    assert_eq!(length(&Map::new(&dear, Diagonal::Never), (0, 0), (0, 2)), Ok(Length::new(3, 0)));
}

#[test]
fn water_is_a_world_of_its_own() {
    let text = "type octile\nheight 3\nwidth 4\nmap\n.SW.\n.WW.\n....\n";
    let map = map(text, Diagonal::NoCorners);
    assert_eq!(length(&map, (0, 0), (0, 1)), Ok(Length::new(1, 0)));
    assert_eq!(length(&map, (0, 1), (0, 2)), Err(Reason::CutOff));
    assert_eq!(length(&map, (0, 2), (1, 1)), Ok(Length::new(2, 0)));
    assert_eq!(length(&map, (0, 0), (0, 3)), Ok(Length::new(7, 0)));
    assert!(matches!(
        map.jps(Cell::new(0, 0), &[Cell::new(0, 1)], &mut Scratch::new(), ()),
        Err(QueryError::NotUniform { .. })
    ));
}

#[test]
fn costs_beyond_32_bits_stay_exact() {
    let mut terrain: Terrain = "S9999\n.....\n9999G\n".parse().unwrap();
    for rule in Diagonal::ALL {
        for dear in [3, 40_000, 300_000_000, u64::from(u32::MAX), 1_000_000_000_007, 1 << 60] {
            terrain.define('9', Ground::land(dear)).unwrap();
            let map = Map::new(&terrain, rule);
            let known = plain_dijkstra(&terrain, rule, Cell::new(0, 0));
            for (at, expected) in known.iter().enumerate() {
                let goal = (at as u32 / 5, at as u32 % 5);
                assert_eq!(length(&map, (0, 0), goal).ok(), *expected);
                let field = map.distances(Cell::new(0, 0), pintu_grid::Toward::Others, &mut Scratch::new(), ());
                assert_eq!(field.unwrap().length(Cell::new(goal.0, goal.1)), *expected);
            }
        }
    }
}

#[test]
fn lengths_beyond_all_measure_are_not_guessed() {
    let mut terrain: Terrain = "S999G\n#####\n".parse().unwrap();
    terrain.define('9', Ground::land(u64::MAX)).unwrap();
    let map = Map::new(&terrain, Diagonal::Always);
    let report = map.shortest(Cell::new(0, 0), &[Cell::new(0, 4)], &mut Scratch::new(), ()).unwrap();
    assert!(matches!(report.outcome, Outcome::Stopped { why: Stop::Overflow, .. }));
    assert_eq!(map.path((0, 0), (0, 4)), Err(QueryError::Stopped(Stop::Overflow)));
}

#[test]
fn limits_and_cancellation_stop_every_algorithm() {
    let open = Map::new(&Terrain::open(60, 60).unwrap(), Diagonal::Never);
    let (from, to) = (Cell::new(0, 0), [Cell::new(59, 59)]);
    let cancelled = Cancel::new();
    cancelled.cancel();
    let nodes = Limits { nodes: Some(1), ..Limits::default() };
    let memory = Limits { memory: Some(100), ..Limits::default() };
    let controls: [(&dyn Fn() -> Control, Stop); 3] = [
        (&|| Control::new(nodes), Stop::Nodes),
        (&|| Control::new(memory), Stop::Memory),
        (&|| Control::with_cancel(Limits::default(), cancelled.clone()), Stop::Cancelled),
    ];
    for (control, expected) in controls {
        for (name, search) in ALL {
            let mut scratch = Scratch::new();
            match search(&open, from, &to, &mut scratch, &control()).unwrap().outcome {
                Outcome::Stopped { why, .. } => assert_eq!(why, expected, "{name}"),
                other => panic!("{name}: {other:?}"),
            }
            assert!(scratch.path().is_empty(), "{name}");
        }
        let field = open.distances(from, pintu_grid::Toward::Cell, &mut Scratch::new(), &control());
        assert_eq!(field.unwrap_err(), QueryError::Stopped(expected));
    }
}

type Search = fn(&Map, Cell, &[Cell], &mut Scratch, &Control) -> Result<Report, QueryError>;

const ALL: [(&str, Search); 10] = [
    ("shortest", |map, from, to, scratch, control| map.shortest(from, to, scratch, control)),
    ("jps", |map, from, to, scratch, control| map.jps(from, to, scratch, control)),
    ("pruned", |map, from, to, scratch, control| map.pruned_astar(from, to, scratch, control)),
    ("levels", |map, from, to, scratch, control| map.level_astar(from, to, scratch, control)),
    ("astar", |map, from, to, scratch, control| map.astar(from, to, Heuristic::Manhattan, scratch, control)),
    ("dijkstra", |map, from, to, scratch, control| map.dijkstra(from, to, scratch, control)),
    ("greedy", |map, from, to, scratch, control| map.greedy(from, to, Heuristic::Manhattan, scratch, control)),
    ("bfs", |map, from, to, scratch, control| map.bfs(from, to, scratch, control)),
    ("bidirectional", |map, from, to, scratch, control| map.bidirectional(from, to, scratch, control)),
    ("ida", |map, from, to, scratch, control| map.ida(from, to, Heuristic::Manhattan, scratch, control)),
];

/// The cells that were taken up, with what was paid and what was left.
fn in_numbers<C: Copy>(trace: &Trace<Cell, C>, number: fn(C) -> f64) -> Vec<(Cell, f64, Option<f64>)> {
    trace.visits().iter().map(|visit| (visit.state, number(visit.cost), visit.estimate.map(number))).collect()
}

/// The order of the search library, which runs the same algorithms on anything: smaller f, then smaller
/// h, then last in first out.
#[test]
fn cells_are_taken_up_in_the_order_of_the_search_library() {
    let terrain: Terrain = "S..#....\n.#.#.##.\n.#...#..\n...#...G\n".parse().unwrap();
    let map = Map::new(&terrain, Diagonal::Never);
    let (from, to) = (terrain.start.unwrap(), terrain.goals.clone());
    let space = pintu_search::from_fn(
        |&cell: &Cell| map.steps(cell).map(|(_, next)| (next, 1)).collect::<Vec<_>>(),
        |cell: &Cell| to.contains(cell),
    );
    let manhattan = |cell: &Cell| cell.row.abs_diff(to[0].row) + cell.col.abs_diff(to[0].col);
    let mut scratch = Scratch::new();
    let (mut own, mut reference) = (Trace::new(1000), Trace::new(1000));
    let ours = map.astar(from, &to, Heuristic::Manhattan, &mut scratch, &mut own).unwrap();
    let theirs = pintu_search::astar(&space, &from, &manhattan, &mut reference);
    assert_eq!(in_numbers(&own, Measure::value), in_numbers(&reference, f64::from));
    assert_eq!(
        (ours.counters.expanded, ours.counters.generated),
        (theirs.counters.expanded, theirs.counters.generated)
    );
    assert_eq!(ours.counters.peak_states, theirs.counters.peak_states);
    let (mut own, mut reference) = (Trace::new(1000), Trace::new(1000));
    let _ = map.dijkstra(from, &to, &mut scratch, &mut own).unwrap();
    let _ = pintu_search::dijkstra(&space, &from, &mut reference);
    assert_eq!(in_numbers(&own, Measure::value), in_numbers(&reference, f64::from));
    let (mut own, mut reference) = (Trace::new(1000), Trace::new(1000));
    let _ = map.greedy(from, &to, Heuristic::Manhattan, &mut scratch, &mut own).unwrap();
    let _ = pintu_search::greedy(&space, &from, &manhattan, &mut reference);
    assert_eq!(in_numbers(&own, Measure::value), in_numbers(&reference, f64::from));
    let (mut own, mut reference) = (Trace::new(1000), Trace::new(1000));
    let _ = map.bfs(from, &to, &mut scratch, &mut own).unwrap();
    let _ = pintu_search::bfs(&space, &from, &mut reference);
    assert_eq!(in_numbers(&own, Measure::value), in_numbers(&reference, f64::from));
}

#[test]
fn levels_take_up_each_cell_once_and_in_order() {
    #[derive(Default)]
    struct Watch {
        cells: Vec<Cell>,
        ranks: Vec<f64>,
        /// The numbers of the cells that were produced, from 1 on.
        met: std::collections::HashSet<u64>,
        generated: u64,
    }
    impl Observer<Cell, Measure> for Watch {
        fn expand(&mut self, node: &Node<'_, Cell, Measure>, so_far: &Counters) -> ControlFlow<Stop> {
            assert!(node.parent.is_none() || self.met.contains(&node.id), "{} was produced before", node.state);
            self.cells.push(*node.state);
            self.ranks.push(node.cost.value() + node.estimate.unwrap().value());
            assert_eq!(so_far.expanded, self.cells.len() as u64);
            ControlFlow::Continue(())
        }

        fn generate(&mut self, node: &Node<'_, Cell, Measure>, fate: Fate, so_far: &Counters) -> ControlFlow<Stop> {
            self.generated += 1;
            assert_eq!(so_far.generated, self.generated + 1, "and the start");
            let is_new = self.met.insert(node.id) && node.parent.is_some();
            assert_eq!(fate, if is_new && *node.state != Cell::new(0, 0) { Fate::New } else { Fate::Known });
            ControlFlow::Continue(())
        }
    }
    let map = map("S..#....\n.#.#.##.\n.#...#.G\n.####.#.\n........\n", Diagonal::Never);
    let (from, to) = (Cell::new(0, 0), [Cell::new(2, 7)]);
    let mut watch = Watch::default();
    let report = map.level_astar(from, &to, &mut Scratch::new(), &mut watch).unwrap();
    assert_eq!(report.length(), Some(Length::new(13, 0)));
    assert_eq!(report.counters.expanded, watch.cells.len() as u64);
    assert_eq!(report.counters.generated, watch.generated + 1);
    assert!(watch.ranks.is_sorted() && watch.ranks.last() == Some(&13.0));
    watch.cells.sort_unstable();
    assert!(watch.cells.windows(2).all(|pair| pair[0] != pair[1]), "each once");
    assert!(watch.cells.contains(&from) && watch.cells.contains(&to[0]));
}

#[test]
fn the_nearest_cell_stands_in_for_a_goal_that_is_cut_off() {
    let control = Control::unlimited();
    let nearest = |map: &Map, from: Cell, to: &[Cell]| {
        map.nearest_reachable(from, to, &control, &mut control.hold()).continue_value().unwrap()
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
        let cells = || (0..rows).flat_map(move |row| (0..cols).map(move |col| Cell::new(row, col)));
        let text: String = (0..rows)
            .map(|_| {
                let row: String = (0..cols).map(|col| if col == wall || below(4) == 0 { '#' } else { '.' }).collect();
                row + "\n"
            })
            .collect();
        let map = map(&text, Diagonal::Never);
        let goals: Vec<Cell> = cells().filter(|cell| cell.col >= wall && below(3) == 0).collect();
        for from in cells().filter(|&cell| map.is_free(cell)) {
            let apart = |a: Cell, b: Cell| a.row.abs_diff(b.row).pow(2) + a.col.abs_diff(b.col).pow(2);
            let near = |cell: Cell| goals.iter().map(|&goal| apart(cell, goal)).min();
            let reached = || cells().filter(|&cell| map.is_free(cell) && map.connected(from, cell));
            let least = reached().filter_map(near).min();
            let plain: Vec<Cell> = reached().filter(|&cell| least.is_some() && near(cell) == least).collect();
            assert_eq!(nearest(&map, from, &goals), plain, "from {from} to {goals:?} on\n{text}");
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
        assert_eq!(found.break_value(), Some(why));
    }
}

#[test]
fn one_scratch_serves_many_maps() {
    let mut scratch = Scratch::new();
    let small = map("..\n..\n", Diagonal::Always);
    let large = Map::new(&Terrain::open(50, 80).unwrap(), Diagonal::Always);
    for _ in 0..3 {
        let report = large.shortest(Cell::new(0, 0), &[Cell::new(49, 79)], &mut scratch, ()).unwrap();
        assert_eq!(report.length(), Some(Length::new(30, 49)));
        let report = small.astar(Cell::new(0, 0), &[Cell::new(1, 1)], Heuristic::Octile, &mut scratch, ()).unwrap();
        assert_eq!(report.length(), Some(Length::new(0, 1)));
    }
}

#[test]
fn maps_leave_nothing_behind_in_a_scratch() {
    let walled = |rows: u32, cols: u32, every: u32| {
        let mut terrain = Terrain::open(rows, cols).unwrap();
        for at in (1..rows * cols - 1).filter(|at| at.wrapping_mul(0x9E37_79B1) % every == 0) {
            terrain.set(Cell::new(at / cols, at % cols), '#').unwrap();
        }
        Map::new(&terrain, Diagonal::Never)
    };
    let maps = [walled(20, 70, 4), walled(60, 20, 5), walled(20, 70, 6), walled(33, 130, 4)];
    let mut scratch = Scratch::new();
    for round in 0..40 {
        for map in &maps {
            let (from, to) = (Cell::new(0, 0), [Cell::new(map.rows() - 1 - round % 5, map.cols() - 1 - round % 7)]);
            let expected = map.dijkstra(from, &to, &mut Scratch::new(), ()).unwrap().length();
            assert_eq!(map.level_astar(from, &to, &mut scratch, ()).unwrap().length(), expected);
            assert_eq!(map.bfs(from, &to, &mut scratch, ()).unwrap().length(), expected);
            assert_eq!(map.jps(from, &to, &mut scratch, ()).unwrap().length(), expected);
            assert_eq!(map.pruned_astar(from, &to, &mut scratch, ()).unwrap().length(), expected);
        }
    }
}

#[test]
fn a_map_and_its_search_take_at_most_16_bytes_a_cell() {
    let side = 1024;
    let mut terrain = Terrain::open(side, side).unwrap();
    // An eighth of the cells, scattered.
    for at in (1..side * side - 1).filter(|at: &u32| at.wrapping_mul(0x9E37_79B1) >> 29 == 0) {
        terrain.set(Cell::new(at / side, at % side), '#').unwrap();
    }
    let (from, to) = (Cell::new(0, 0), [Cell::new(side - 1, side - 1)]);
    for rule in [Diagonal::NoCorners, Diagonal::Never] {
        let map = Map::new(&terrain, rule);
        let check = |search: fn(&Map, Cell, &[Cell], &mut Scratch) -> Result<Report, QueryError>| {
            let mut scratch = Scratch::new();
            assert!(search(&map, from, &to, &mut scratch).unwrap().length().is_some());
            let a_cell = (map.bytes() as f64 + scratch.bytes() as f64) / f64::from(side * side);
            assert!(a_cell <= 16.0, "{rule}: {a_cell} bytes a cell");
        };
        check(|map, from, to, scratch| map.shortest(from, to, scratch, ()));
        check(|map, from, to, scratch| map.pruned_astar(from, to, scratch, ()));
    }
}

#[test]
fn what_is_large_is_shown_short() {
    let map = Map::new(&Terrain::open(60, 70).unwrap(), Diagonal::Never);
    let (mut scratch, from) = (Scratch::new(), Cell::new(3, 4));
    let field = map.distances(from, pintu_grid::Toward::Cell, &mut scratch, ()).unwrap();
    let _ = map.shortest(from, &[from], &mut scratch, ()).unwrap();
    let shown = [format!("{map:?}"), format!("{scratch:?}"), format!("{field:?}")];
    assert!(shown[0].starts_with("Map { rows: 60, cols: 70, diagonal: Never, free_cells: 4200, is_uniform: true"));
    assert!(shown[1].starts_with("Scratch { bytes: ") && shown[1].ends_with("path_cells: 1, .. }"), "{}", shown[1]);
    assert!(shown[2].starts_with("Distances { rows: 60, cols: 70, toward: Cell, bytes: 21000"), "{}", shown[2]);
}

#[test]
fn a_space_leads_nowhere_from_beyond_its_map() {
    let map = Map::new(&"..#".parse::<Terrain>().unwrap(), Diagonal::Always);
    let (blocked, beyond) = (Cell::new(0, 2), Cell::new(1, 0));
    let space = map.space(&[Cell::new(0, 1), blocked]).unwrap();
    assert_eq!(space.goals().collect::<Vec<_>>(), [Cell::new(0, 1)]);
    for cell in [blocked, beyond, Cell::new(u32::MAX, u32::MAX)] {
        assert!(!space.is_goal(&cell), "{cell}");
        assert_eq!((space.actions(&cell).count(), space.origins(&cell).count()), (0, 0), "{cell}");
    }
    assert!(matches!(map.space(&[beyond]), Err(QueryError::Outside { .. })));
}

#[test]
fn levels_count_the_same_whether_or_not_somebody_watches() {
    for (text, from, to) in
        [("..#\n.#.\n...\n", (0, 1), (1, 0)), ("..........\n", (0, 9), (0, 5)), ("....\n....\n", (0, 3), (1, 1))]
    {
        let map = map(text, Diagonal::Never);
        let (from, to) = (Cell::from(from), [Cell::from(to)]);
        for nodes in 0..12 {
            let control = || Control::new(Limits::none().nodes(nodes));
            let mut trace = Trace::new(100);
            let plain = map.level_astar(from, &to, &mut Scratch::new(), &control()).unwrap();
            let watched = map.level_astar(from, &to, &mut Scratch::new(), (&control(), &mut trace)).unwrap();
            assert_eq!(plain.counters.generated, watched.counters.generated, "{nodes} nodes of\n{text}");
            assert_eq!(plain.counters.expanded, watched.counters.expanded, "{nodes} nodes of\n{text}");
            // What leads to a cell comes before it, and so the start first.
            assert!(trace.visits().first().is_none_or(|visit| visit.state == from), "{nodes} nodes of\n{text}");
        }
    }
}
