use std::thread;

use pintu_search::{Control, Counters, Limits, Stop};
use pintu_tiles::{Arrangement, Moves, NamedGoal, Puzzle, Size, Topology};

use super::*;
use crate::{
    improve,
    tables::{Entries, Extent, Key, Pattern, SharedRows, Table, Tables, normal_form},
    testing::{build, exact_lengths, fifteen_puzzles, topologies},
    views::{Deepened, Options},
};

fn small_tables(puzzle: &Puzzle) -> Tables {
    build(&Key::of(puzzle, Extent::Small).patterns().unwrap())
}

/// Tables of three partitions of the 15-puzzle's tiles, two of which share a pattern. None of them is among the best.
fn tables_of_three_partitions(puzzle: &Puzzle) -> Tables {
    let (topology, blank) = normal_form(puzzle);
    let groups: [&[u8]; 9] = [
        &[1, 2, 3, 4, 5],
        &[6, 7, 8, 9, 10],
        &[11, 12, 13, 14, 15],
        &[1, 2, 4, 5, 8],
        &[3, 6, 7, 9, 10],
        &[11, 12, 13, 14, 15],
        &[2, 3, 6, 7, 11],
        &[1, 4, 5, 8, 9],
        &[10, 12, 13, 14, 15],
    ];
    build(&groups.map(|tiles| Pattern::new(topology, blank, tiles).unwrap()))
}

fn options(threads: usize) -> Options {
    Options { threads, known: None }
}

fn solve(puzzle: &Puzzle, tables: &Tables, threads: usize) -> (Moves, Counters) {
    let control = Control::unlimited();
    let deepened = deepen(puzzle, tables, &control, &options(threads));
    assert_eq!(deepened.stopped, None);
    let moves = deepened.moves.expect("nothing limits it");
    assert!(puzzle.is_solved_by(&moves));
    assert_eq!(moves.len(), deepened.lower_bound as usize);
    (moves, control.counters())
}

fn check_lengths(goal: &Arrangement, topology: Topology, most: usize, every: usize) {
    let lengths = exact_lengths(goal, topology, most);
    let tiles = goal.tiles().iter().map(|&tile| u32::from(tile)).collect::<Vec<_>>();
    let solved = Puzzle::new(topology, Arrangement::new(goal.size(), &tiles).unwrap(), goal.clone()).unwrap();
    let tables = small_tables(&solved);
    let mut sorted: Vec<_> = lengths.iter().collect();
    sorted.sort();
    for (tiles, &length) in sorted.into_iter().step_by(every) {
        let tiles: Vec<u32> = tiles.iter().map(|&tile| u32::from(tile)).collect();
        let start = Arrangement::new(goal.size(), &tiles).unwrap();
        let puzzle = Puzzle::new(topology, start, goal.clone()).unwrap();
        assert_eq!(solve(&puzzle, &tables, 1).0.len(), length, "{topology}: {tiles:?}");
        check_beams(&puzzle, &tables, length);
    }
}

/// Beams as wide as there are states meet every state: they find what is shorter than what is known, and only that.
fn check_beams(puzzle: &Puzzle, tables: &Tables, length: usize) {
    let limits = Limits { memory: Some(tables.bytes() + (64 << 20)), ..Limits::default() };
    for threads in [1, 2] {
        let longer = Options { known: Some(length as u32 + 1), threads };
        let Deepened { moves, lower_bound, stopped } = improve(puzzle, tables, &Control::new(limits), &longer);
        let moves = moves.expect("there is a shorter one");
        assert!(puzzle.is_solved_by(&moves));
        assert_eq!((moves.len(), stopped), (length, None));
        assert!(lower_bound as usize <= length);
    }
    let known = Options { known: Some(length as u32), threads: 1 };
    for search in [improve, deepen] {
        let Deepened { moves, lower_bound, stopped } = search(puzzle, tables, &Control::new(limits), &known);
        assert_eq!((moves, stopped), (None, None));
        assert!(lower_bound as usize <= length);
    }
    let proof = deepen(puzzle, tables, &Control::new(limits), &known);
    assert_eq!(proof.lower_bound as usize, length);
}

#[test]
fn solutions_are_shortest_for_any_goal_and_wrap() {
    let wraps: [(&[usize], &[usize]); 4] = [(&[], &[]), (&[0], &[]), (&[1], &[1]), (&[0, 1, 2], &[0, 2])];
    for topology in topologies(3, 3, &wraps) {
        for goal in NamedGoal::ALL {
            check_lengths(&goal.on(topology.size()), topology, 40, 4999);
        }
    }
    for topology in topologies(2, 5, &[(&[], &[]), (&[1], &[])]) {
        check_lengths(&NamedGoal::Snail.on(topology.size()), topology, 24, 997);
    }
    for topology in topologies(3, 4, &[(&[], &[]), (&[0], &[]), (&[], &[1]), (&[2], &[0, 3])]) {
        check_lengths(&NamedGoal::Snail.on(topology.size()), topology, 15, 499);
    }
}

#[test]
fn threads_find_the_same_length() {
    let boards = fifteen_puzzles();
    let tables = small_tables(&boards[0].0);
    for (puzzle, length) in &boards[..12] {
        for threads in [2, 3] {
            assert_eq!(solve(puzzle, &tables, threads).0.len(), *length);
        }
    }
}

#[test]
fn views_are_chosen_for_each_board() {
    let boards = fifteen_puzzles();
    let tables = tables_of_three_partitions(&boards[0].0);
    assert_eq!((tables.tables().len(), tables.each_once().count()), (9, 8));
    assert!(tables.aspects().len() >= 5, "partitions and reflections");
    let first = build(&tables.tables()[..3].iter().map(|table| table.pattern().clone()).collect::<Vec<_>>());
    let mut expanded = [0, 0];
    for (puzzle, length) in &boards {
        for (tables, expanded) in [&first, &tables].into_iter().zip(&mut expanded) {
            let (moves, counters) = solve(puzzle, tables, 1);
            assert_eq!(moves.len(), *length);
            *expanded += counters.expanded;
        }
    }
    assert!(expanded[1] < expanded[0], "{expanded:?}: the choice costs more than it saves");
}

#[test]
fn counts_do_not_depend_on_the_run() {
    let (puzzle, _) = &fifteen_puzzles()[1];
    let tables = small_tables(puzzle);
    let counters = solve(puzzle, &tables, 1).1;
    assert_eq!(counters, solve(puzzle, &tables, 1).1);
    assert!(counters.generated > counters.expanded);
}

#[test]
fn a_node_limit_is_exact() {
    let (puzzle, length) = &fifteen_puzzles()[1];
    for tables in [small_tables(puzzle), tables_of_three_partitions(puzzle)] {
        for nodes in [0, 1, 1000, 1500, 2000, 10_000] {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let control = Control::new(limits);
            let deepened = deepen(puzzle, &tables, &control, &options(1));
            assert_eq!((deepened.moves, deepened.stopped), (None, Some(Stop::Nodes)), "{nodes} nodes are too few");
            assert_eq!(control.counters().expanded, nodes);
            assert!(deepened.lower_bound as usize <= *length);
        }
    }
}

#[test]
fn nothing_is_to_be_done_for_a_solved_board() {
    let size = Size::new(4, 4).unwrap();
    let goal = NamedGoal::Standard.on(size);
    let puzzle = Puzzle::new(Topology::plain(size), goal.clone(), goal).unwrap();
    let tables = small_tables(&puzzle);
    for search in [deepen, improve] {
        let control = Control::unlimited();
        let Deepened { moves, lower_bound, .. } = search(&puzzle, &tables, &control, &options(1));
        assert_eq!((moves, lower_bound), (Some(Moves::default()), 0));
        assert_eq!((control.counters().expanded, control.counters().generated), (1, 1), "the goal counts");
    }
}

/// Entries that only the thread that made them can read.
struct Mine(Vec<u8>, thread::ThreadId);

impl AsRef<[u8]> for Mine {
    fn as_ref(&self) -> &[u8] {
        assert_eq!(self.1, thread::current().id(), "read by another thread");
        &self.0
    }
}

#[test]
#[should_panic(expected = "read by another thread")]
fn a_worker_that_panics_makes_the_search_fail() {
    let (puzzle, _) = &fifteen_puzzles()[12];
    let rows = SharedRows::new();
    let mine = |table: &Table| {
        let entries: Entries = std::sync::Arc::new(Mine(table.entries().to_vec(), thread::current().id()));
        Table::from_entries(table.pattern(), &rows, entries).unwrap()
    };
    let tables = Tables::new(small_tables(puzzle).tables().iter().map(mine).collect()).unwrap();
    // On one thread it is solved.
    assert!(deepen(puzzle, &tables, &Control::unlimited(), &options(1)).moves.is_some());
    deepen(puzzle, &tables, &Control::unlimited(), &options(2));
}
