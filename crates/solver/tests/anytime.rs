//! The anytime solver: an answer for every board that has one, never a wrong one, within every limit.

use std::{
    collections::HashMap,
    thread,
    time::{Duration, Instant},
};

use pintu_search::{Cancel, Control, Counters, Limits, Stop};
use pintu_solver::{Anytime, anytime};
use pintu_testing::takes_at_most;
use pintu_tiles::{Arrangement, Kind, NamedGoal, Puzzle, Scrambler, Size, Topology, Unsolvable, goal_with_blank};
use proptest::prelude::*;

/// How long after its end a solve may return, on a machine that is busy with other tests.
const GRACE: Duration = Duration::from_millis(if cfg!(debug_assertions) { 400 } else { 100 });

fn solve(puzzle: &Puzzle, limits: Limits) -> Anytime {
    counted(puzzle, limits).0
}

fn counted(puzzle: &Puzzle, limits: Limits) -> (Anytime, Counters) {
    let mut last = usize::MAX;
    let control = Control::new(limits);
    let answer = anytime(puzzle, &control, 1, &mut |moves, bound| {
        assert!(moves.len() < last, "each solution is shorter than the one before");
        assert!(puzzle.is_solved_by(moves));
        assert!(bound as usize <= moves.len());
        last = moves.len();
    });
    let answer = answer.expect("the puzzle has a solution");
    assert!(puzzle.is_solved_by(&answer.moves), "{:?}", puzzle.start());
    assert_eq!(answer.moves.len(), last, "the last solution reported is the one returned");
    (answer, control.counters())
}

fn millis(time: u64) -> Limits {
    Limits { time: Some(Duration::from_millis(time)), ..Limits::default() }
}

fn board(rows: usize, cols: usize) -> Topology {
    Topology::plain(Size::new(rows, cols).unwrap())
}

fn scrambled(topology: Topology, blank: usize, seed: u64) -> Puzzle {
    let goal = goal_with_blank(topology.size(), blank);
    let start = Scrambler::new(topology, goal.clone(), seed).uniform();
    Puzzle::new(topology, start, goal).unwrap()
}

/// Every arrangement from which the goal can be reached, with its distance.
fn distances(topology: Topology, goal: &Arrangement) -> HashMap<Vec<u8>, usize> {
    let mut met = HashMap::from([(goal.tiles().to_vec(), 0)]);
    let mut queue = vec![goal.tiles().to_vec()];
    let mut next = 0;
    while next < queue.len() {
        let tiles = queue[next].clone();
        let blank = tiles.iter().position(|&tile| tile == 0).unwrap();
        for to in topology.neighbours(blank) {
            let mut after = tiles.clone();
            after.swap(blank, to);
            if !met.contains_key(&after) {
                met.insert(after.clone(), met[&tiles] + 1);
                queue.push(after);
            }
        }
        next += 1;
    }
    met
}

/// Solves every `stride`th of the boards that can be solved, without limits, and checks that the answer
/// is the shortest and known to be.
fn check_exact(topology: Topology, blank: usize, stride: usize) {
    let goal = goal_with_blank(topology.size(), blank);
    let mut all: Vec<_> = distances(topology, &goal).into_iter().collect();
    all.sort_unstable();
    for (tiles, optimal) in all.iter().step_by(stride) {
        let tiles: Vec<u32> = tiles.iter().map(|&tile| u32::from(tile)).collect();
        let start = Arrangement::new(topology.size(), &tiles).unwrap();
        let puzzle = Puzzle::new(topology, start, goal.clone()).unwrap();
        let answer = solve(&puzzle, Limits::default());
        assert_eq!(answer.moves.len(), *optimal, "{topology} {tiles:?} blank {blank}");
        assert!(answer.is_optimal());
        assert_eq!(answer.stopped, None);
        let hurried = solve(&puzzle, millis(0));
        assert!(hurried.lower_bound as usize <= *optimal, "{topology} {tiles:?} blank {blank}");
    }
}

#[test]
fn lines_rings_and_the_smallest_boards_are_solved_shortest() {
    for cells in 2..=7 {
        for blank in 0..cells {
            check_exact(board(1, cells), blank, 1);
            check_exact(board(cells, 1), blank, 1);
            if cells >= 3 {
                check_exact(Topology::wrapped(Size::new(1, cells).unwrap(), [0], []).unwrap(), blank, 1);
                check_exact(Topology::wrapped(Size::new(cells, 1).unwrap(), [], [0]).unwrap(), blank, 1);
            }
        }
    }
    (0..4).for_each(|blank| check_exact(board(2, 2), blank, 1));
}

#[test]
fn boards_of_six_cells_are_solved_shortest_for_every_goal_and_wrap() {
    for blank in 0..6 {
        check_exact(board(2, 3), blank, 7);
        check_exact(board(3, 2), blank, 7);
        for rows in [vec![0], vec![1], vec![0, 1]] {
            check_exact(Topology::wrapped(Size::new(2, 3).unwrap(), rows.clone(), []).unwrap(), blank, 23);
            check_exact(Topology::wrapped(Size::new(3, 2).unwrap(), [], rows).unwrap(), blank, 23);
        }
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
        wraps in any::<(u16, u16)>(),
        blank in any::<prop::sample::Index>(),
        seed in any::<u64>(),
        time in prop::sample::select(vec![0, 1, 20]),
    ) {
        prop_assume!(rows * cols >= 2);
        let size = Size::new(rows, cols).unwrap();
        let lines = |set: u16, count: usize, length: usize| {
            (0..count).filter(move |line| length >= 3 && set >> line & 1 == 1)
        };
        let topology = Topology::wrapped(size, lines(wraps.0, rows, cols), lines(wraps.1, cols, rows)).unwrap();
        let puzzle = scrambled(topology, blank.index(size.cells()), seed);
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
            let first = solve(&puzzle, millis(0)).moves.len();
            let limits = Limits { nodes: Some(200_000), ..Limits::default() };
            let better = solve(&puzzle, limits).moves.len();
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
    let answer = anytime(&puzzle, &Control::unlimited(), 1, &mut |_, _| {});
    assert!(matches!(answer, Err(Unsolvable::Parity { .. })));
}

#[test]
fn a_solved_board_needs_no_moves() {
    let size = Size::new(8, 8).unwrap();
    let goal = NamedGoal::Standard.on(size);
    let puzzle = Puzzle::new(Topology::plain(size), goal.clone(), goal).unwrap();
    let answer = solve(&puzzle, Limits::default());
    assert!(answer.moves.is_empty() && answer.is_optimal());
}

#[test]
fn the_largest_board_is_answered_within_a_second() {
    let puzzle = scrambled(board(16, 16), 255, 3);
    takes_at_most(Duration::from_secs(1) + GRACE, || {
        let began = Instant::now();
        let mut first = None;
        let answer = anytime(&puzzle, &Control::new(millis(1000)), 1, &mut |_, _| {
            first.get_or_insert(began.elapsed());
        });
        assert!(puzzle.is_solved_by(&answer.unwrap().moves));
        assert!(first.unwrap() < Duration::from_secs(1));
        began.elapsed()
    });
}

#[test]
fn time_limits_are_kept() {
    for (rows, cols) in [(4, 4), (5, 5), (10, 10), (3, 16)] {
        for time in [50, 300] {
            let puzzle = scrambled(board(rows, cols), 0, 11);
            takes_at_most(Duration::from_millis(time) + GRACE, || {
                let began = Instant::now();
                let answer = solve(&puzzle, millis(time));
                assert!(answer.is_optimal() || answer.stopped == Some(Stop::Time), "{rows}x{cols}");
                began.elapsed()
            });
        }
    }
}

#[test]
fn a_longer_budget_is_no_worse_and_a_wide_beam_beats_the_construction() {
    let puzzle = scrambled(board(6, 6), 35, 5);
    let construction = solve(&puzzle, millis(0)).moves.len();
    let limits = Limits { nodes: Some(100_000), ..Limits::default() };
    let few = solve(&puzzle, limits).moves.len();
    let many = solve(&puzzle, Limits { nodes: Some(1_000_000), ..limits }).moves.len();
    assert!(many <= few && few < construction, "{many}, {few}, {construction}");
}

#[test]
fn without_a_clock_the_answer_is_always_the_same() {
    let puzzle = scrambled(board(7, 6), 20, 9);
    let limits = Limits { nodes: Some(300_000), ..Limits::default() };
    let (first, counters) = counted(&puzzle, limits);
    let (second, again) = counted(&puzzle, limits);
    assert_eq!(first.moves, second.moves);
    assert_eq!(counters, again);
    assert_eq!(first.stopped, Some(Stop::Nodes));
}

#[test]
fn memory_limits_are_kept() {
    for memory in [1 << 12, 1 << 17, 1 << 20, 1 << 23] {
        for (rows, cols) in [(3, 3), (5, 5), (8, 8), (16, 16)] {
            let puzzle = scrambled(board(rows, cols), 3, 21);
            let limits = Limits { memory: Some(memory), ..millis(150) };
            let (_, counters) = counted(&puzzle, limits);
            assert!(counters.peak_bytes <= memory, "{} of {memory} on {rows}x{cols}", counters.peak_bytes);
        }
    }
}

#[test]
fn cancelling_ends_it_soon() {
    let puzzle = scrambled(board(9, 9), 80, 2);
    takes_at_most(GRACE, || {
        let cancel = Cancel::new();
        let thrower = cancel.clone();
        let thrown = thread::spawn(move || {
            thread::sleep(Duration::from_millis(200));
            thrower.cancel();
            Instant::now()
        });
        let control = Control::with_cancel(Limits::default(), cancel);
        let answer = anytime(&puzzle, &control, 2, &mut |_, _| {}).unwrap();
        assert!(puzzle.is_solved_by(&answer.moves));
        assert_eq!(answer.stopped, Some(Stop::Cancelled));
        thrown.join().unwrap().elapsed()
    });

    let cancel = Cancel::new();
    cancel.cancel();
    let at_once = anytime(&puzzle, &Control::with_cancel(Limits::default(), cancel), 1, &mut |_, _| {}).unwrap();
    assert!(puzzle.is_solved_by(&at_once.moves));
}

#[test]
fn threads_give_valid_answers_and_share_the_limits() {
    for threads in [0, 2, 3] {
        let puzzle = scrambled(board(6, 6), 14, 4);
        takes_at_most(Duration::from_millis(300) + GRACE, || {
            let began = Instant::now();
            let limits = Limits { memory: Some(32 << 20), ..millis(300) };
            let answer = anytime(&puzzle, &Control::new(limits), threads, &mut |_, _| {}).unwrap();
            assert!(puzzle.is_solved_by(&answer.moves));
            began.elapsed()
        });
    }
}
