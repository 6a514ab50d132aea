//! Solving without tables.

use std::time::Duration;

use pintu_search::{Control, Limits, Stop};
use pintu_solver::{FoundBy, SolveError, SolveOptions, Solved, solve as solve_with};
use pintu_testing::takes_at_most;
use pintu_tiles::{Arrangement, Kind, Moves, NamedGoal, Puzzle, Size, Topology, Unsolvable, goal_with_blank};
use proptest::prelude::*;

use crate::{
    GRACE, board, millis, nodes,
    oracle::{exact_lengths, puzzle_from},
    run, scrambled, wrapped,
};

fn solve(puzzle: &Puzzle, limits: Limits) -> Solved {
    run(puzzle, None, &Control::new(limits), 1)
}

fn moves(answer: &Solved) -> &Moves {
    answer.known.moves().expect("there is always a solution")
}

/// Solves every `stride`th of the boards that can be solved, without limits, and checks that the answer
/// is the shortest and known to be.
fn check_exact(topology: Topology, blank: usize, stride: usize) {
    let goal = goal_with_blank(topology.size(), blank).unwrap();
    for (tiles, optimal) in exact_lengths(&goal, topology, usize::MAX, stride) {
        let puzzle = puzzle_from(&tiles, &goal, topology);
        let answer = solve(&puzzle, Limits::default());
        assert_eq!(moves(&answer).len(), optimal, "{topology} {tiles:?} blank {blank}");
        assert!(answer.known.is_proved());
        assert_eq!(answer.stopped, None);
        let hurried = solve(&puzzle, millis(0));
        assert!(hurried.known.bound() as usize <= optimal, "{topology} {tiles:?} blank {blank}");
    }
}

#[test]
fn lines_rings_and_the_smallest_boards_are_solved_shortest() {
    for (cells, wraps) in (2..=7).flat_map(|cells| [(cells, 0), (cells, 1)]) {
        for blank in 0..cells {
            check_exact(wrapped(1, cells, wraps), blank, 1);
            check_exact(wrapped(cells, 1, wraps << cells), blank, 1);
        }
    }
    (0..4).for_each(|blank| check_exact(board(2, 2), blank, 1));
}

#[test]
fn boards_of_six_cells_are_solved_shortest_for_every_goal_and_wrap() {
    for (blank, wraps) in (0..6).flat_map(|blank| [0b00, 0b01, 0b10, 0b11].map(|wraps| (blank, wraps))) {
        let stride = if wraps == 0 { 7 } else { 23 };
        check_exact(wrapped(2, 3, wraps), blank, stride);
        check_exact(wrapped(3, 2, wraps << 3), blank, stride);
    }
}

#[test]
fn boards_of_eight_and_nine_cells_are_solved_shortest() {
    check_exact(board(2, 4), 7, 2000);
    check_exact(Topology::wrapped(Size::new(4, 2).unwrap(), [], [1]).unwrap(), 2, 2000);
    for blank in [0, 1, 4, 8] {
        check_exact(board(3, 3), blank, 60_000);
        check_exact(Topology::wrapped(Size::new(3, 3).unwrap(), [1], []).unwrap(), blank, 120_000);
        check_exact(Topology::wrapped(Size::new(3, 3).unwrap(), 0..3, 0..3).unwrap(), blank, 120_000);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    /// Every size, wrap, goal cell and seed: hurried, so that the construction is all there is, and not.
    #[test]
    fn every_board_gets_a_valid_answer(
        rows in 1_usize..=16,
        cols in 1_usize..=16,
        wraps in any::<u32>(),
        blank in any::<prop::sample::Index>(),
        seed in any::<u64>(),
        time in prop::sample::select(vec![0, 1, 20]),
    ) {
        prop_assume!(rows * cols >= 2);
        let puzzle = scrambled(wrapped(rows, cols, wraps as usize), blank.index(rows * cols), seed);
        solve(&puzzle, millis(time));
    }
}

/// Wherever a wrap of odd length allows both halves of the arrangements, both are solved, also when the
/// wrapping line is one that the first stage locks.
#[test]
fn wraps_that_change_parity_are_used_when_they_must_be() {
    let size = Size::new(7, 7).unwrap();
    let mut odd = 0;
    for (rows, cols) in [(vec![0], vec![]), (vec![6], vec![]), (vec![], vec![0]), (vec![3], vec![3])] {
        let topology = Topology::wrapped(size, rows, cols).unwrap();
        assert_eq!(topology.kind(), Kind::Mixed);
        for seed in 0..4 {
            let puzzle = scrambled(topology, 48, seed);
            let plain = Puzzle::new(Topology::plain(size), puzzle.start().clone(), puzzle.goal().clone()).unwrap();
            odd += usize::from(plain.solvable().is_err());
            let first = moves(&solve(&puzzle, millis(0))).len();
            let better = moves(&solve(&puzzle, nodes(200_000))).len();
            assert!(better < first, "the beam improves on the construction: {better} against {first}");
        }
    }
    assert!(odd > 0, "at least one of the boards needs the wrap");
}

#[test]
fn what_cannot_be_solved_is_said_so() {
    let size = Size::new(3, 3).unwrap();
    let start = Arrangement::new(size, &[2, 1, 3, 4, 5, 6, 7, 8, 0]).unwrap();
    let puzzle = Puzzle::new(Topology::plain(size), start, NamedGoal::Standard.on(size)).unwrap();
    let answer = solve_with(&puzzle, &Control::unlimited(), SolveOptions::new());
    assert!(matches!(answer, Err(SolveError::Unsolvable(Unsolvable::Parity { .. }))));
}

#[test]
fn a_solved_board_needs_no_moves() {
    let size = Size::new(8, 8).unwrap();
    let goal = NamedGoal::Standard.on(size);
    let puzzle = Puzzle::new(Topology::plain(size), goal.clone(), goal).unwrap();
    let answer = solve(&puzzle, Limits::default());
    assert!(moves(&answer).is_empty() && answer.known.is_proved());
}

#[test]
fn time_limits_are_kept() {
    let cases = [(4, 4, 50, 1), (5, 5, 300, 1), (10, 10, 50, 1), (3, 16, 300, 1), (6, 6, 300, 0), (6, 6, 300, 3)];
    for (rows, cols, time, threads) in cases.into_iter().chain([(16, 16, 1000, 1)]) {
        let puzzle = scrambled(board(rows, cols), 0, 11);
        takes_at_most(Duration::from_millis(time) + GRACE, || {
            let control = Control::new(millis(time));
            let answer = run(&puzzle, None, &control, threads);
            assert!(answer.known.is_proved() || answer.stopped == Some(Stop::Time), "{rows}x{cols}");
            control.elapsed()
        });
    }
}

#[test]
fn memory_limits_are_kept() {
    for memory in [1 << 12, 1 << 17, 1 << 20, 1 << 23] {
        for (rows, cols) in [(3, 3), (5, 5), (7, 7), (8, 8), (16, 16)] {
            let puzzle = scrambled(board(rows, cols), 3, 21);
            let control = Control::new(millis(150).memory(memory));
            run(&puzzle, None, &control, 1);
            let peak = control.counters().peak_bytes;
            assert!(peak <= memory, "{peak} of {memory} on {rows}x{cols}");
        }
    }
}

/// Squares that have a network: the same states are expanded whichever corner the blank belongs in, on every run, and
/// the answer says that the network found it. Other boards of the size do not use it.
#[test]
fn a_network_guides_squares_whose_blank_belongs_in_a_corner() {
    let guided = |topology: Topology, blank: usize| {
        let puzzle = scrambled(topology, blank, 5);
        let control = Control::new(nodes(1_000_000));
        let answer = run(&puzzle, None, &control, 1);
        (answer.by, moves(&answer).len(), control.counters().expanded)
    };
    for blank in [0, 5, 30, 35] {
        let (by, length, expanded) = guided(board(6, 6), blank);
        assert_eq!(by, FoundBy::NetworkBeams, "blank {blank}");
        assert!(length < 240 && expanded <= 1_000_000, "{length} moves, {expanded} states, blank {blank}");
    }
    for blank in [0, 48] {
        let (by, length, expanded) = guided(board(7, 7), blank);
        assert_eq!(by, FoundBy::NetworkBeams, "7x7, blank {blank}");
        assert!(length < 400 && expanded <= 1_000_000, "{length} moves, {expanded} states, 7x7, blank {blank}");
    }
    assert_eq!(guided(board(6, 6), 0), guided(board(6, 6), 0), "always the same");
    for (topology, blank) in [(board(6, 6), 7), (wrapped(6, 6, 1), 0), (board(6, 7), 9), (board(5, 6), 0)] {
        assert_eq!(guided(topology, blank).0, FoundBy::Beams, "{topology}, blank {blank}");
    }
    // Tables without a network guide boards on which all rows and columns wrap, wherever the blank belongs.
    let (all, small) = (wrapped(6, 6, 0xFFF), wrapped(5, 6, 0x7FF));
    for (topology, blank, most) in [(all, 14, 140), (small, 0, 110)] {
        let (by, length, expanded) = guided(topology, blank);
        assert_eq!(by, FoundBy::GuidedBeams, "{topology}, blank {blank}");
        assert!(length < most && expanded <= 1_000_000, "{length} moves, {expanded} states, {topology}");
    }
    assert_eq!(guided(all, 14), guided(all, 14), "always the same");
}

/// The last lines of a larger board are a square that has a network.
#[test]
fn a_network_guides_the_end_of_larger_boards() {
    let (row, all) = (wrapped(8, 8, 1), wrapped(6, 9, usize::MAX));
    for (topology, blank) in [(board(8, 8), 63), (board(6, 9), 53), (row, 63), (all, 0)] {
        let puzzle = scrambled(topology, blank, 3);
        let answer = run(&puzzle, None, &Control::new(nodes(1_500_000)), 1);
        assert_eq!(answer.by, FoundBy::NetworkBeams, "{topology}");
    }
}

#[test]
fn guided_beams_keep_their_limits() {
    let puzzle = scrambled(board(6, 6), 35, 8);
    for memory in [1 << 20, 1 << 22, 1 << 24] {
        let control = Control::new(nodes(400_000).memory(memory));
        run(&puzzle, None, &control, 1);
        let peak = control.counters().peak_bytes;
        assert!(peak <= memory, "{peak} of {memory}");
    }
    for threads in [1, 2] {
        let control = Control::new(nodes(300_000));
        run(&puzzle, None, &control, threads);
        assert!(control.counters().expanded <= 300_000, "{threads} threads");
        takes_at_most(Duration::from_millis(500) + GRACE, || {
            let cancelled = Control::unlimited();
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(400));
                    cancelled.cancel();
                });
                let answer = run(&puzzle, None, &cancelled, threads);
                assert_eq!(answer.stopped, Some(Stop::Cancelled));
            });
            cancelled.elapsed()
        });
    }
}
