use std::thread;

use pintu_search::{Control, Counters, Limits, Stop};
use pintu_tiles::{Arrangement, Moves, NamedGoal, Puzzle, Size, Topology, goal_with_blank};

use super::{descent::Descent, frontier::Frontier, *};
use crate::{
    beam::improve,
    pruning::{Automaton, DEEP_DEPTH},
    solved::{BestKnown, FoundBy, Solved},
    tables::{Entries, Extent, Key, Pattern, SharedRows, Table, Tables, normal_form_of},
    testing::{build, exact_lengths, fifteen_puzzles, puzzle_from, tables_in_reading_order, topologies},
    views::{Mask, Options, SizedSearch, Task, search},
};

fn small_tables(puzzle: &Puzzle) -> Tables {
    build(&Key::of(puzzle, Extent::Small).patterns().unwrap())
}

/// Tables of three partitions of the 15-puzzle's tiles, two of which share a pattern. None of them is among the best.
fn tables_of_three_partitions(puzzle: &Puzzle) -> Tables {
    let Key { topology, blank, .. } = Key::of(puzzle, Extent::Small);
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
    let solved = deepen(puzzle, tables, &control, &options(threads));
    assert_eq!((solved.stopped, solved.known.is_proved()), (None, true));
    let moves = solved.known.into_moves().expect("nothing limits it");
    assert!(puzzle.is_solved_by(&moves));
    (moves, control.counters())
}

fn check_lengths(goal: &Arrangement, topology: Topology, most: usize, every: usize) {
    let tables = small_tables(&Puzzle::new(topology, goal.clone(), goal.clone()).unwrap());
    for (tiles, length) in exact_lengths(goal, topology, most, every) {
        let puzzle = puzzle_from(&tiles, goal, topology);
        assert_eq!(solve(&puzzle, &tables, 1).0.len(), length, "{topology}: {tiles:?}");
        check_beams(&puzzle, &tables, length);
    }
}

/// Beams as wide as there are states meet every state: they find what is shorter than what is known, and only that.
fn check_beams(puzzle: &Puzzle, tables: &Tables, length: usize) {
    let limits = Limits::none().memory(tables.bytes() + (64 << 20));
    for threads in [1, 2] {
        let longer = Options { known: Some(length as u32 + 1), threads };
        let Solved { known, stopped, .. } = improve(puzzle, tables, &Control::new(limits), &longer);
        let moves = known.moves().expect("there is a shorter one");
        assert!(puzzle.is_solved_by(moves));
        assert_eq!((moves.len(), stopped), (length, None));
    }
    let known = Options { known: Some(length as u32), threads: 1 };
    for search in [improve, deepen] {
        let Solved { known, stopped, .. } = search(puzzle, tables, &Control::new(limits), &known);
        assert_eq!((known.moves(), stopped), (None, None));
        assert!(known.bound() as usize <= length);
    }
    let proof = deepen(puzzle, tables, &Control::new(limits), &known);
    assert_eq!(proof.known.bound() as usize, length);
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

/// Rounds from every frontier that A* has on its way to the goal.
#[derive(Clone, Copy)]
struct EveryFrontier<'a> {
    automaton: &'a Automaton,
    length: u32,
}

impl EveryFrontier<'_> {
    /// The bound at which descents from a frontier find a solution, and its length.
    fn rounds<M: Mask, const CELLS: usize, const GROUPS: usize>(
        self,
        task: Task<'_>,
        frontier: &Frontier<'_, M, CELLS, GROUPS>,
    ) -> (u32, usize) {
        let mut bound = task.least();
        loop {
            let mut descent = Descent::new(task.rounds, self.automaton, task.control);
            let roots = frontier.roots(bound);
            let mut roots = roots.into_iter().map(|id| (id, frontier.root(id, bound, self.automaton)));
            if descent.search(|| roots.next()).is_err() {
                let (root, tail) = descent.found.expect("nothing else ends it");
                return (bound, frontier.path(root).len() + tail.len());
            }
            bound += descent.shortfall.min(frontier.shortfall(bound));
            assert!(bound <= self.length, "{} states: no solution of {} moves was found", frontier.len(), self.length);
        }
    }
}

impl SizedSearch for EveryFrontier<'_> {
    type End = Solved;

    fn run<M: Mask, const CELLS: usize, const GROUPS: usize>(self, task: Task<'_>) -> Solved {
        let mut frontier = Frontier::<M, CELLS, GROUPS>::new(task.rounds, task.board, task.blank, task.control.hold());
        loop {
            assert_eq!(self.rounds(task, &frontier), (self.length, self.length as usize));
            let grown = frontier.grow(frontier.len() + 1, self.automaton, &mut task.control.meter());
            if let Some(id) = grown.expect("nothing limits it") {
                let moves = task.moves(&frontier.path(id));
                let known = BestKnown::new(Some(moves), self.length);
                return Solved { known, stopped: None, by: FoundBy::Rounds };
            }
        }
    }
}

/// Duplicate detection in the frontier beside move pruning after it loses no optimum, see [`crate::pruning`].
#[test]
fn rounds_from_every_frontier_are_optimal() {
    let wraps: [(&[usize], &[usize]); 4] = [(&[], &[]), (&[0], &[]), (&[1], &[]), (&[0, 1], &[])];
    let square: [(&[usize], &[usize]); 3] = [(&[], &[]), (&[1], &[1]), (&[0, 1, 2], &[0, 1, 2])];
    let boards = (topologies(2, 3, &wraps).into_iter().map(|board| (board, 6, 1)))
        .chain(topologies(2, 4, &wraps).into_iter().map(|board| (board, 5, 199)))
        .chain(topologies(3, 3, &square).into_iter().map(|board| (board, 9, 2999)));
    for (board, every_blank, every) in boards {
        for blank in (0..board.cells()).step_by(every_blank) {
            let goal = goal_with_blank(board.size(), blank).unwrap();
            let (topology, blank) = normal_form_of(board, blank);
            let tables = tables_in_reading_order(topology, blank, 2);
            let automaton = Automaton::unbounded(topology, DEEP_DEPTH);
            for (tiles, length) in exact_lengths(&goal, board, 40, every) {
                let puzzle = puzzle_from(&tiles, &goal, board);
                let every = EveryFrontier { automaton: &automaton, length: length as u32 };
                let found = search(&puzzle, &tables, &Control::unlimited(), &options(1), |task| task.run(every));
                assert_eq!(found.known.length(), Some(length as u32), "{board}: {tiles:?}");
            }
        }
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
    assert!(tables.views().len() >= 5, "partitions and reflections");
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
fn a_node_limit_is_exact() {
    let (puzzle, length) = &fifteen_puzzles()[1];
    for tables in [small_tables(puzzle), tables_of_three_partitions(puzzle)] {
        for nodes in [0, 1, 1000, 1500, 2000, 10_000] {
            let limits = Limits::none().nodes(nodes);
            let control = Control::new(limits);
            let Solved { known, stopped, .. } = deepen(puzzle, &tables, &control, &options(1));
            assert_eq!((known.moves(), stopped), (None, Some(Stop::Nodes)), "{nodes} nodes are too few");
            assert_eq!(control.counters().expanded, nodes);
            assert!(known.bound() as usize <= *length);
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
        let Solved { known, .. } = search(&puzzle, &tables, &control, &options(1));
        assert_eq!((known.moves(), known.bound()), (Some(&Moves::default()), 0));
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
    let tables = Tables::new(small_tables(puzzle).tables().iter().map(mine).collect());
    // On one thread it is solved.
    assert!(deepen(puzzle, &tables, &Control::unlimited(), &options(1)).known.moves().is_some());
    deepen(puzzle, &tables, &Control::unlimited(), &options(2));
}
