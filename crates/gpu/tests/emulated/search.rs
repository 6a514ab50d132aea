use pintu_gpu::{Batched, Event, RoundReport};
use pintu_search::{Control, Heuristic};
use pintu_solver::{
    PatternSum, Tables,
    internals::{PRUNED, deepen, transition_table},
    store::{Extent, Key},
};
use pintu_testing::boards::korf100;
use pintu_tiles::{Board, Direction, NamedGoal, Nibbles, Puzzle, Scrambler, TileSpace, Topology, goal_with_blank};

use crate::boards::{OPTIONS, gpu, scrambled, searcher, small_tables, tables_in_reading_order, wrapped};

/// Tables of patterns of `size` tiles, in reading order, for a puzzle's board and goal.
fn tables_for(puzzle: &Puzzle, size: usize) -> Tables {
    let key = Key::of(puzzle, Extent::Small);
    tables_in_reading_order(key.topology, key.blank, size)
}

/// Solves on the emulated device and on the CPU; both must say the same.
fn check(puzzle: &Puzzle, tables: &Tables) -> Vec<RoundReport> {
    let mut searcher = searcher(&gpu(), tables);
    let mut reports = Vec::new();
    let control = Control::unlimited();
    let found = searcher
        .deepen(puzzle, tables, &control, &OPTIONS, &mut |event| {
            if let Event::Round(report) = event {
                reports.push(report);
            }
        })
        .unwrap();
    let expected = deepen(puzzle, tables, &Control::unlimited(), &OPTIONS);
    assert!(puzzle.is_solved_by(found.known.moves().expect("nothing limits it")));
    assert_eq!(found.known.length(), expected.known.length(), "{puzzle:?}");
    assert_eq!((found.known.is_proved(), found.stopped), (true, None));
    let expanded: u64 = reports.iter().map(|report| report.expanded).sum();
    assert!(control.counters().expanded >= expanded, "what the device expands is counted");
    reports
}

#[test]
fn lengths_are_the_cpus_on_many_boards() {
    for (topology, goal) in [
        (wrapped(3, 4, (&[], &[])), NamedGoal::Standard),
        (wrapped(3, 4, (&[1], &[0])), NamedGoal::Snail),
        (wrapped(2, 6, (&[0], &[])), NamedGoal::BlankFirst),
        (wrapped(4, 4, (&[], &[])), NamedGoal::Snail),
        (wrapped(4, 4, (&[0, 1, 2, 3], &[0, 1, 2, 3])), NamedGoal::Standard),
        (wrapped(4, 4, (&[2], &[])), NamedGoal::BlankFirst),
        (wrapped(3, 5, (&[], &[2])), NamedGoal::Standard),
    ] {
        let puzzle = scrambled(topology, goal, 60, 1);
        let tables = tables_for(&puzzle, 4);
        for seed in 1..3 {
            check(&scrambled(topology, goal, 60, seed), &tables);
        }
    }
}

#[test]
fn lengths_are_the_cpus_whatever_cell_the_blank_belongs_to() {
    for (topology, blanks) in [
        (wrapped(3, 4, (&[], &[])), vec![0, 1, 5, 6, 10, 11]),
        (wrapped(3, 4, (&[2], &[1, 3])), vec![0, 5, 7, 9]),
        (wrapped(4, 5, (&[], &[])), vec![7, 12]),
        (wrapped(4, 5, (&[1], &[2])), vec![3, 16]),
    ] {
        for blank in blanks {
            let goal = goal_with_blank(topology.size(), blank).unwrap();
            let puzzle = |seed| {
                let start = Scrambler::new(topology, goal.clone(), seed).walk(44);
                Puzzle::new(topology, start, goal.clone()).unwrap()
            };
            let tables = tables_for(&puzzle(0), 5);
            check(&puzzle(1), &tables);
            let puzzles: Vec<Puzzle> = (2..5).map(puzzle).collect();
            let (solved, _) =
                searcher(&gpu(), &tables).solve_many(&puzzles, &Control::unlimited(), &mut |_, _| ()).unwrap();
            for (puzzle, solved) in puzzles.iter().zip(solved) {
                let expected = deepen(puzzle, &tables, &Control::unlimited(), &OPTIONS);
                assert_eq!((solved.known.bound(), expected.stopped), (expected.known.bound(), None), "{puzzle:?}");
                assert!(puzzle.is_solved_by(solved.known.moves().unwrap()));
            }
        }
    }
}

/// The most cells that the device takes, where distances take two bits: tables of six tiles, which take seconds to build. Where
/// they take one bit, the most cells that four patterns of five tiles cover.
#[test]
fn lengths_are_the_cpus_on_the_largest_boards() {
    for (topology, goal, size, moves) in [
        (wrapped(3, 7, (&[], &[])), NamedGoal::BlankFirst, 5, 60),
        (wrapped(5, 5, (&[2], &[2])), NamedGoal::Standard, 6, 56),
    ] {
        let tables = tables_for(&scrambled(topology, goal, 1, 1), size);
        check(&scrambled(topology, goal, moves, 1), &tables);
    }
}

#[test]
fn korfs_instances_are_solved_one_by_one_and_together() {
    let boards = &korf100()[..40];
    let tables = small_tables(&boards[0].puzzle);
    for board in &boards[..6] {
        let reports = check(&board.puzzle, &tables);
        assert_eq!(reports.last().unwrap().bound as usize, board.recorded());
    }
    let mut searcher = searcher(&gpu(), &tables);
    let puzzles: Vec<Puzzle> = boards.iter().map(|board| board.puzzle.clone()).collect();
    let control = Control::unlimited();
    let (solved, stopped) = searcher.solve_many(&puzzles, &control, &mut |_, _| ()).unwrap();
    assert_eq!(stopped, None);
    for (board, solved) in boards.iter().zip(&solved) {
        assert!(board.puzzle.is_solved_by(solved.known.moves().expect("nothing limits it")));
        assert!(solved.known.is_proved() && solved.known.bound() as usize == board.recorded());
    }
    // Boards count for themselves: together all, each its whole rounds and a part of the last one.
    let sum = |of: fn(&Batched) -> u64| solved.iter().map(of).sum::<u64>();
    assert_eq!(sum(|solved| solved.expanded), control.counters().expanded);
    assert_eq!(sum(|solved| solved.generated), control.counters().generated);
    for (puzzle, solved) in puzzles.chunks(1).zip(&solved).take(12) {
        let mut rounds = Vec::new();
        searcher.solve_many(puzzle, &Control::unlimited(), &mut |_, nodes| rounds.push(nodes)).unwrap();
        let least: u64 = rounds.iter().rev().skip(1).sum();
        assert!(solved.expanded > least, "{} of at least {least}", solved.expanded);
    }
}

/// A plain count of the states within a bound: a recursion that knows nothing of stacks, pools and bits of tables, but the
/// solver's own heuristic, from scratch for every board, and the automaton.
struct Plain<'a> {
    topology: Topology,
    automaton: &'a [[u16; 4]],
    estimate: &'a dyn Fn(&[u8]) -> u32,
    expanded: u64,
}

impl Plain<'_> {
    fn count(&mut self, board: &mut Vec<u8>, blank: usize, automaton: u16, left: u32) {
        self.expanded += 1;
        for (index, direction) in Direction::ALL.into_iter().enumerate() {
            let next = self.automaton[usize::from(automaton)][index];
            if next == PRUNED {
                continue;
            }
            let to = self.topology.neighbour(blank, direction).expect("a kept move stays on the board");
            board.swap(blank, to);
            if (self.estimate)(board) < left {
                self.count(board, to, next, left - 1);
            }
            board.swap(blank, to);
        }
    }
}

#[test]
fn rounds_expand_what_a_plain_count_says() {
    for topology in [wrapped(4, 4, (&[], &[])), wrapped(3, 4, (&[1], &[])), wrapped(3, 5, (&[], &[]))] {
        // The blank comes first, and the board is in normal form: a tile is named by its goal cell.
        let puzzle = scrambled(topology, NamedGoal::BlankFirst, 50, 5);
        let key = Key::of(&puzzle, Extent::Small);
        assert_eq!((key.topology, key.blank), (topology, 0));
        let tables = tables_in_reading_order(topology, 0, 4);
        let heuristic = PatternSum::new(&puzzle, &tables);
        let estimate = |board: &[u8]| {
            let memo = Heuristic::<TileSpace<Nibbles>>::start(&heuristic, &Nibbles::pack(board));
            Heuristic::<TileSpace<Nibbles>>::estimate(&heuristic, memo).unwrap()
        };
        let mut counted = Vec::new();
        let on_round = &mut |bound, nodes| counted.push((bound, nodes));
        searcher(&gpu(), &tables).solve_many(std::slice::from_ref(&puzzle), &Control::unlimited(), on_round).unwrap();
        // The last round ends with the solution.
        assert!(counted.pop().is_some() && counted.len() > 1, "{topology}");
        counted.truncate(4);
        let automaton = transition_table(topology);
        let board = puzzle.start().tiles().to_vec();
        for (bound, expanded) in counted {
            let mut plain = Plain { topology, automaton: &automaton, estimate: &estimate, expanded: 0 };
            let blank = puzzle.start().blank();
            if estimate(&board) <= bound {
                plain.count(&mut board.clone(), blank, blank as u16, bound);
            }
            assert_eq!(expanded, plain.expanded, "{topology}: as far as {bound}");
        }
    }
}
