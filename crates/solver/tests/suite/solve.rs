//! Solving with tables and without.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use pintu_search::{Cancel, Control, Limits, Stop, astar};
use pintu_solver::{
    BestKnown, FoundBy, SolveError, SolveOptions, Solved, TableCache, Tables, solve,
    store::{BuildError, Extent, Key, TableSource},
};
use pintu_testing::{boards::korf100, slowed, takes_at_most};
use pintu_tiles::{Moves, NamedGoal, Nibbles, Puzzle, Size, TileSpace, Topology, manhattan, read_board};

use crate::{GRACE, board, millis, nodes, run, scrambled, wrapped};

fn puzzle(board: &str, size: (usize, usize), rows: &[usize], cols: &[usize]) -> Puzzle {
    let size = Size::new(size.0, size.1).unwrap();
    let topology = Topology::wrapped(size, rows.iter().copied(), cols.iter().copied()).unwrap();
    Puzzle::new(topology, read_board(board, Some(size)).unwrap(), NamedGoal::Standard.on(size)).unwrap()
}

#[test]
fn what_no_search_found_is_the_constructions() {
    let puzzle = standard(5, 5, 3);
    let by = |most| run(&puzzle, None, &Control::new(nodes(most)), 1).by;
    assert_eq!((by(0), by(50_000)), (FoundBy::Construction, FoundBy::Beams));
}

fn least(puzzle: &Puzzle) -> u32 {
    let (space, start) = TileSpace::<Nibbles>::new(puzzle);
    astar(&space, &start, manhattan(puzzle), ()).solution().expect("it can be solved").cost
}

/// Sets of wraps of a size, with a random board each, by beams alone, with few nodes and with more. Every length and
/// bound must agree with A*.
fn check_wraps(rows: usize, cols: usize, every: usize) {
    for wraps in (0..1_usize << (rows + cols)).step_by(every) {
        let puzzle = scrambled(wrapped(rows, cols, wraps), wraps * 7 % (rows * cols), 0);
        let far = least(&puzzle);
        for most in [300, 30_000] {
            let Solved { known, .. } = run(&puzzle, None, &Control::new(nodes(most)), 1);
            let length = known.length().expect("there is always one");
            let told = format!("{puzzle:?}: {length} and {} where {far} are needed", known.bound());
            assert!(length >= far && known.bound() <= far, "{told}");
            assert!(!known.is_proved() || length == far, "{told}");
        }
    }
}

#[test]
fn nothing_is_proved_on_another_board_than_the_puzzles() {
    // The wrap on a side of three makes these shorter than they are without it.
    for board in ["3 2 0 9 1 4 7 8 11 6 5 10", "11 2 10 3 9 6 4 7 1 0 8 5"] {
        let puzzle = puzzle(board, (3, 4), &[], &[0]);
        let length = least(&puzzle);
        let by_tables = run(&puzzle, Some(&TableCache::new()), &Control::unlimited(), 1);
        assert!(by_tables.known.is_proved());
        assert_eq!(by_tables.known.length(), Some(length), "{board}");
        for most in [1000, 100_000, 3_000_000] {
            let solved = run(&puzzle, None, &Control::new(nodes(most)), 1);
            assert!(solved.known.bound() <= length, "{board}: {} of {length}", solved.known.bound());
            assert!(solved.known.length() >= Some(length));
        }
    }
}

#[test]
fn bounds_hold_on_3x3_with_every_wrap() {
    check_wraps(3, 3, 1);
}

#[test]
fn bounds_hold_on_3x4_with_every_wrap_and_on_4x3() {
    check_wraps(3, 4, 1);
    check_wraps(4, 3, 5);
}

#[test]
fn bounds_hold_on_2x5_and_2x6_with_wraps() {
    check_wraps(2, 5, 7);
    check_wraps(2, 6, 53);
}

fn standard(rows: usize, cols: usize, seed: u64) -> Puzzle {
    scrambled(board(rows, cols), rows * cols - 1, seed)
}

#[test]
fn a_node_limit_is_never_exceeded_and_counts_and_moves_are_the_same_again() {
    let supply = TableCache::new();
    for (rows, cols) in [(4, 4), (5, 5), (6, 6), (7, 9), (16, 16)] {
        let puzzle = standard(rows, cols, 5);
        for most in [0, 1, 100, 1000, 30_000, 200_000] {
            let [once, again] = [0, 1].map(|_| {
                let control = Control::new(nodes(most));
                let solved = run(&puzzle, Some(&supply), &control, 1);
                assert!(solved.known.is_proved() || solved.stopped == Some(Stop::Nodes), "{rows}x{cols}: {solved:?}");
                let counters = control.counters();
                assert!(counters.expanded <= most, "{rows}x{cols}: {} of {most}", counters.expanded);
                (counters.expanded, counters.generated, solved.known.into_moves())
            });
            assert_eq!(once, again, "{rows}x{cols}");
        }
        for threads in [2, 3] {
            let control = Control::new(nodes(1000));
            run(&puzzle, Some(&supply), &control, threads);
            assert!(control.counters().expanded <= 1000);
        }
    }
}

#[test]
fn without_a_time_limit_a_hard_board_takes_the_same_states_however_slow_the_machine_is() {
    let supply = TableCache::new();
    // Korf's 88th and 60th: the small tables do not solve them in a moment.
    for number in [88, 60] {
        let puzzle = korf100().swap_remove(number - 1).puzzle;
        let taken = |control: &Control| {
            let solved = run(&puzzle, Some(&supply), control, 1);
            let counters = control.counters();
            (solved.known.moves().cloned(), solved.known.bound(), counters.expanded, counters.generated)
        };
        for limits in [Limits::default(), nodes(400_000)] {
            let fast = taken(&Control::new(limits));
            assert!(fast.2 >= limits.nodes.unwrap_or(500_000), "{} states", fast.2);
            assert_eq!(taken(&slowed(limits)), fast, "{number}");
        }
    }
}

#[test]
fn few_nodes_are_shared_out_so_that_a_beam_gets_some() {
    let supply = TableCache::new();
    for (rows, cols) in [(4, 4), (5, 5), (6, 6)] {
        let puzzle = standard(rows, cols, 11);
        let length = |most| run(&puzzle, Some(&supply), &Control::new(nodes(most)), 1).known.length().unwrap();
        let constructed = length(0);
        for most in [20_000, 100_000, 400_000] {
            let found = length(most);
            assert!(found * 2 < constructed + constructed / 4, "{rows}x{cols}, {most}: {found} of {constructed}");
        }
        assert!(rows > 4 || length(2000) < constructed, "{rows}x{cols}: {constructed}");
    }
}

#[test]
fn a_short_time_is_not_spent_on_tables() {
    for (rows, cols, most) in [(5, 5, 180), (6, 6, 400), (7, 7, 700)] {
        let puzzle = standard(rows, cols, 3);
        let time = Duration::from_millis(100);
        takes_at_most(time + GRACE, || {
            let supply = TableCache::new();
            let began = Instant::now();
            let solved = run(&puzzle, Some(&supply), &Control::new(Limits::none().time(time)), 1);
            let took = began.elapsed();
            for extent in Extent::ALL {
                assert!(supply.in_hand(Key::of(&puzzle, extent)).is_none(), "{rows}x{cols}");
            }
            // If the processor was busy elsewhere, nothing was found, and the time is not counted.
            if solved.known.length().unwrap() < most { took } else { Duration::MAX }
        });
    }
}

/// Where there is no time for a proof by tables, beams find a good solution. A proof by tables counts the same states
/// with a time limit as without.
#[test]
fn a_short_time_has_a_good_answer_beside_tables_too() {
    let timed = |time| Control::new(millis(time));
    let supply = TableCache::new();
    let hard = puzzle("0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1", (4, 4), &[], &[]);
    run(&hard, Some(&supply), &Control::new(nodes(1000)), 1);
    assert!(supply.in_hand(Key::of(&hard, Extent::Small)).is_some());
    takes_at_most(Duration::from_secs(5), || {
        let solved = run(&hard, Some(&supply), &timed(60), 1);
        // If the processor was busy elsewhere, nothing was found, and the attempt is not counted.
        if solved.known.length().unwrap() < 120 { Duration::ZERO } else { Duration::MAX }
    });
    let easy = standard(3, 4, 8);
    let free = Control::unlimited();
    run(&easy, Some(&supply), &free, 1);
    let short = timed(450);
    if run(&easy, Some(&supply), &short, 1).known.is_proved() {
        assert_eq!(short.counters().expanded, free.counters().expanded);
        assert_eq!(short.counters().generated, free.counters().generated);
    }
}

/// Tables that lie ready in files, which are all there is to them, and whether they were asked for.
#[derive(Default)]
struct InFiles(AtomicBool);

impl TableSource for InFiles {
    fn in_hand(&self, _: Key) -> Option<Arc<Tables>> {
        None
    }

    fn readable(&self, _: Key) -> Option<u64> {
        Some(4 << 20)
    }

    fn make(&self, _: Key, _: usize, _: &Control) -> Result<Arc<Tables>, BuildError> {
        self.0.store(true, Ordering::Relaxed);
        Err(Stop::Memory.into())
    }
}

/// Tables that are read must be laid out, too, and a short time is better spent on beams.
#[test]
fn a_short_time_is_not_spent_on_reading_tables() {
    let puzzle = standard(5, 5, 5);
    for (millis, is_enough) in [(20, false), (50, false), (5_000, true)] {
        let (supply, time) = (InFiles::default(), Some(Duration::from_millis(millis)));
        run(&puzzle, Some(&supply), &Control::new(Limits::none().time(time).nodes(200_000)), 1);
        assert_eq!(supply.0.into_inner(), is_enough, "{millis} ms");
    }
}

/// Where tables serve a proof alone, which is far away, beams have all of the budget.
#[test]
fn what_is_far_from_a_proof_is_left_to_beams() {
    let supply = InFiles::default();
    run(&standard(6, 6, 5), Some(&supply), &Control::new(millis(60_000).nodes(400_000)), 1);
    assert!(!supply.0.into_inner(), "nobody asks for tables");
}

#[test]
fn memory_is_held_to() {
    for (rows, cols, most) in [(4, 4, 24 << 20), (5, 5, 24 << 20), (6, 6, 8 << 20), (9, 9, 4 << 20)] {
        let control = Control::new(Limits::none().memory(most).nodes(200_000));
        let solved = run(&standard(rows, cols, 8), Some(&TableCache::new()), &control, 2);
        assert!(solved.known.moves().is_some());
        assert!(control.counters().peak_bytes <= most);
        assert_eq!(control.held(), 0, "all is given back");
    }
}

#[test]
fn cancelling_ends_it_soon() {
    for (rows, cols) in [(5, 5), (8, 8)] {
        let puzzle = standard(rows, cols, 12);
        takes_at_most(GRACE, || {
            let cancel = Cancel::new();
            let control = Control::with_cancel(Limits::default(), cancel.clone());
            let (solved, cancelled) = std::thread::scope(|scope| {
                let cancelled = scope.spawn(|| {
                    while control.counters().expanded < 10_000 {
                        std::thread::yield_now();
                    }
                    cancel.cancel();
                    Instant::now()
                });
                (run(&puzzle, Some(&TableCache::new()), &control, 2), cancelled.join().unwrap())
            });
            assert!(solved.known.is_proved() || solved.stopped == Some(Stop::Cancelled));
            cancelled.elapsed()
        });
    }
    let cancel = Cancel::new();
    cancel.cancel();
    run(&standard(9, 9, 2), None, &Control::with_cancel(Limits::default(), cancel), 1);
}

#[test]
fn a_build_ends_when_its_control_does() {
    let puzzle = standard(5, 5, 1);
    let supply = TableCache::new();
    for extent in Extent::ALL {
        takes_at_most(Duration::from_millis(30) + GRACE, || {
            let control = Control::new(millis(30));
            let made = supply.make(Key::of(&puzzle, extent), 2, &control);
            assert_eq!(made.err(), Some(Stop::Time.into()));
            control.elapsed()
        });
        let small = Control::new(Limits::none().memory(1 << 20));
        assert_eq!(supply.make(Key::of(&puzzle, extent), 2, &small).err(), Some(Stop::Memory.into()));
    }
}

#[test]
fn an_incumbent_that_does_not_solve_the_puzzle_is_refused() {
    let puzzle = standard(4, 4, 3);
    let solution = run(&puzzle, None, &Control::new(nodes(0)), 1).known;
    for (moves, is_refused) in [(Moves::default(), true), (solution.moves().unwrap().clone(), false)] {
        let (length, mut known) = (moves.len(), BestKnown::default());
        known.offer(moves);
        let solved = solve(&puzzle, &Control::new(nodes(100)), SolveOptions::new().known(known));
        assert_eq!(solved.err(), is_refused.then_some(SolveError::Incumbent(length)));
    }
}

#[test]
fn lines_and_rings_take_neither_tables_nor_a_search() {
    let cells = Size::new(1, 7).unwrap();
    let ring = Topology::wrapped(cells, [0], []).unwrap();
    for topology in [Topology::plain(cells), ring, Topology::plain(Size::new(2, 2).unwrap())] {
        let puzzle = scrambled(topology, 2, 4);
        let (tables, control) = (TableCache::new(), Control::unlimited());
        let solved = run(&puzzle, Some(&tables), &control, 1);
        assert_eq!((solved.known.length(), solved.known.is_proved()), (Some(least(&puzzle)), true), "{topology}");
        assert_eq!((control.counters().expanded, solved.by), (0, FoundBy::Construction), "{topology}");
        assert!(tables.in_hand(Key::of(&puzzle, Extent::Small)).is_none(), "{topology}");
    }
}

/// A board that can have no tables is not reported as short of memory.
#[test]
fn what_has_no_tables_is_not_stopped_by_memory() {
    let size = Size::new(8, 8).unwrap();
    let key = Key { topology: Topology::plain(size), blank: 0, extent: Extent::Small };
    let made = TableCache::new().make(key, 1, &Control::unlimited());
    assert!(matches!(made.err(), Some(BuildError::Pattern(_))));
    let solved = run(&standard(3, 4, 1), None, &Control::unlimited(), 1);
    assert_eq!(solved.stopped, None);
}
