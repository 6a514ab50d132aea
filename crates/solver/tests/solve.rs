//! The one entrance: nothing is called proved that is not, no bound is above a solution, and limits hold.

use std::{
    collections::HashMap,
    ops::ControlFlow::{self, Break},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use pintu_search::{Cancel, Control, Limits, Stop, astar};
use pintu_solver::{
    BestKnown, FoundBy, KeptTables, NoTables, SolveOptions, Solved, Supply, solve,
    tables::{Key, Tables},
};
use pintu_testing::{slowed, takes_at_most};
use pintu_tiles::{
    Arrangement, Kind, NamedGoal, Nibbles, Puzzle, Scrambler, Size, TileSpace, Topology, goal_with_blank, manhattan,
    read_board,
};

fn run(puzzle: &Puzzle, supply: &dyn Supply, control: &Control, threads: usize) -> Solved {
    let mut last = usize::MAX;
    let mut on_better = |moves: &pintu_tiles::Moves, bound| {
        assert!(puzzle.is_solved_by(moves) && moves.len() < last && bound as usize <= moves.len());
        last = moves.len();
    };
    let options = SolveOptions { threads, known: BestKnown::default(), on_better: &mut on_better };
    let solved = solve(puzzle, supply, control, options).expect("it can be solved");
    assert!(solved.known.moves().is_none_or(|moves| puzzle.is_solved_by(moves) && moves.len() == last));
    solved
}

fn nodes(most: u64) -> Limits {
    Limits { nodes: Some(most), ..Limits::default() }
}

fn puzzle(board: &str, size: (usize, usize), rows: &[usize], cols: &[usize]) -> Puzzle {
    let size = Size::new(size.0, size.1).unwrap();
    let topology = Topology::wrapped(size, rows.iter().copied(), cols.iter().copied()).unwrap();
    Puzzle::new(topology, read_board(board, Some(size)).unwrap(), NamedGoal::Standard.on(size)).unwrap()
}

#[test]
fn what_no_search_found_is_the_constructions() {
    let size = Size::new(5, 5).unwrap();
    let topology = Topology::plain(size);
    let goal = NamedGoal::Standard.on(size);
    let puzzle = Puzzle::new(topology, Scrambler::new(topology, goal.clone(), 3).uniform(), goal).unwrap();
    let by = |most| run(&puzzle, &NoTables, &Control::new(nodes(most)), 1).by;
    assert_eq!((by(0), by(50_000)), (FoundBy::Construction, FoundBy::Beams));
}

/// The distance of every arrangement within so many moves of the goal, packed four bits a cell.
fn distances(topology: Topology, goal: &Arrangement, most: u32) -> HashMap<u64, u32> {
    let start = goal.tiles().iter().rev().fold(0_u64, |board, &tile| board << 4 | u64::from(tile));
    let mut met = HashMap::from([(start, 0)]);
    let mut level = vec![(start, goal.blank())];
    for depth in 1..=most {
        let mut next = Vec::new();
        for (board, blank) in level {
            for to in topology.neighbours(blank) {
                let tile = board >> (4 * to) & 15;
                let after = board ^ (tile << (4 * to) | tile << (4 * blank));
                met.entry(after).or_insert_with(|| {
                    next.push((after, to));
                    depth
                });
            }
        }
        level = next;
    }
    met
}

fn unpack(board: u64, cells: usize) -> Vec<u32> {
    (0..cells).map(|cell| (board >> (4 * cell) & 15) as u32).collect()
}

/// How many moves A* needs.
fn least(puzzle: &Puzzle) -> u32 {
    let (space, start) = TileSpace::<Nibbles>::new(puzzle);
    astar(&space, &start, &manhattan(puzzle), ()).solution().expect("it can be solved").cost
}

/// Sets of wraps of a size, with random boards: beams alone, with little and with more to spend. Nothing may be said of
/// them that A* does not bear out.
fn check_wraps(rows: usize, cols: usize, every: usize, boards: u64) {
    let size = Size::new(rows, cols).unwrap();
    let picked =
        |bits: usize, lines: usize, length: usize| (0..lines).filter(move |line| length >= 3 && bits >> line & 1 == 1);
    for wraps in (0..1_usize << (rows + cols)).step_by(every) {
        let topology = Topology::wrapped(size, picked(wraps, rows, cols), picked(wraps >> rows, cols, rows)).unwrap();
        let goal = goal_with_blank(size, wraps * 7 % size.cells());
        for seed in 0..boards {
            let start = Scrambler::new(topology, goal.clone(), seed).uniform();
            let puzzle = Puzzle::new(topology, start, goal.clone()).unwrap();
            let far = least(&puzzle);
            for most in [300, 30_000] {
                let Solved { known, .. } = run(&puzzle, &NoTables, &Control::new(nodes(most)), 1);
                let length = known.length().expect("there is always one");
                let told = format!("{puzzle:?}: {length} and {} where {far} are needed", known.bound());
                assert!(length >= far && known.bound() <= far, "{told}");
                assert!(!known.is_proved() || length == far, "{told}");
            }
        }
    }
}

#[test]
fn nothing_is_proved_on_another_board_than_the_puzzles() {
    // The wrap on a side of three makes these shorter than they are without it.
    for board in ["3 2 0 9 1 4 7 8 11 6 5 10", "11 2 10 3 9 6 4 7 1 0 8 5"] {
        let puzzle = puzzle(board, (3, 4), &[], &[0]);
        let length = least(&puzzle);
        let by_tables = run(&puzzle, &KeptTables::new(), &Control::unlimited(), 1);
        assert!(by_tables.known.is_proved());
        assert_eq!(by_tables.known.length(), Some(length), "{board}");
        for most in [1000, 100_000, 3_000_000] {
            let solved = run(&puzzle, &NoTables, &Control::new(nodes(most)), 1);
            assert!(solved.known.bound() <= length, "{board}: {} of {length}", solved.known.bound());
            assert!(solved.known.length() >= Some(length));
        }
    }
}

#[test]
fn bounds_hold_on_3x3_with_every_wrap() {
    check_wraps(3, 3, 1, 1);
}

#[test]
fn bounds_hold_on_3x4_with_every_wrap_and_on_4x3() {
    check_wraps(3, 4, 1, 2);
    check_wraps(4, 3, 5, 2);
}

#[test]
fn bounds_hold_on_2x5_and_2x6_with_wraps() {
    check_wraps(2, 5, 7, 1);
    check_wraps(2, 6, 53, 1);
}

#[test]
fn shortest_solutions_on_tables_are_those_of_a_flood() {
    let supply = KeptTables::new();
    for wraps in [0, 0b1, 0b10, 0b0001_0000, 0b0100_1001] {
        let size = Size::new(3, 4).unwrap();
        let rows = (0..3).filter(|line| wraps >> line & 1 == 1);
        let cols = (0..4).filter(|line| wraps >> (3 + line) & 1 == 1);
        let topology = Topology::wrapped(size, rows, cols).unwrap();
        let goal = NamedGoal::Standard.on(size);
        let mut sample: Vec<(u64, u32)> = distances(topology, &goal, 16).into_iter().collect();
        sample.sort_unstable_by_key(|&(board, far)| (u32::MAX - far, board.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        for (board, far) in sample.into_iter().take(6) {
            let start = Arrangement::new(size, &unpack(board, 12)).unwrap();
            let puzzle = Puzzle::new(topology, start, goal.clone()).unwrap();
            let solved = run(&puzzle, &supply, &Control::unlimited(), 1);
            assert_eq!((solved.known.length(), solved.known.bound(), solved.stopped), (Some(far), far, None));
        }
    }
}

fn scrambled(rows: usize, cols: usize, seed: u64) -> Puzzle {
    let topology = Topology::plain(Size::new(rows, cols).unwrap());
    assert_eq!(topology.kind(), Kind::TwoColoured);
    let goal = NamedGoal::Standard.on(topology.size());
    let start = Scrambler::new(topology, goal.clone(), seed).uniform();
    Puzzle::new(topology, start, goal).unwrap()
}

#[test]
fn a_node_limit_is_never_exceeded_and_counts_are_the_same_again() {
    let supply = KeptTables::new();
    for (rows, cols) in [(4, 4), (5, 5), (6, 6), (7, 9), (16, 16)] {
        let puzzle = scrambled(rows, cols, 5);
        for most in [0, 1, 100, 1000, 30_000] {
            let counters = [0, 1].map(|_| {
                let control = Control::new(nodes(most));
                let solved = run(&puzzle, &supply, &control, 1);
                assert!(solved.known.is_proved() || solved.stopped == Some(Stop::Nodes), "{rows}x{cols}: {solved:?}");
                control.counters()
            });
            assert!(counters[0].expanded <= most, "{rows}x{cols}: {} of {most}", counters[0].expanded);
            let [once, again] = counters.map(|counters| (counters.expanded, counters.generated));
            assert_eq!(once, again, "{rows}x{cols}");
        }
        for threads in [2, 3] {
            let control = Control::new(nodes(1000));
            run(&puzzle, &supply, &control, threads);
            assert!(control.counters().expanded <= 1000);
        }
    }
}

#[test]
fn without_a_time_limit_a_hard_board_takes_the_same_states_however_slow_the_machine_is() {
    let supply = KeptTables::new();
    // Korf's 88th and 60th: the small tables do not solve them in a moment.
    for board in ["15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4", "11 14 13 1 2 3 12 4 15 7 9 5 10 6 8 0"] {
        let start = read_board(board, None).unwrap();
        let goal = NamedGoal::BlankFirst.on(start.size());
        let puzzle = Puzzle::new(Topology::plain(start.size()), start, goal).unwrap();
        let taken = |control: &Control| {
            let solved = run(&puzzle, &supply, control, 1);
            let counters = control.counters();
            (solved.known.moves().cloned(), solved.known.bound(), counters.expanded, counters.generated)
        };
        for limits in [Limits::default(), nodes(400_000)] {
            let fast = taken(&Control::new(limits));
            assert!(fast.2 >= limits.nodes.unwrap_or(500_000), "{} states", fast.2);
            assert_eq!(taken(&slowed(limits)), fast, "{board}");
        }
    }
}

#[test]
fn few_nodes_are_shared_out_so_that_a_beam_gets_some() {
    let supply = KeptTables::new();
    for (rows, cols) in [(4, 4), (5, 5), (6, 6)] {
        let puzzle = scrambled(rows, cols, 11);
        let length = |most| run(&puzzle, &supply, &Control::new(nodes(most)), 1).known.length().unwrap();
        let constructed = length(0);
        for most in [20_000, 100_000, 400_000] {
            let found = length(most);
            assert!(found * 2 < constructed + constructed / 4, "{rows}x{cols}, {most}: {found} of {constructed}");
        }
        assert!(rows > 4 || length(2000) < constructed, "{rows}x{cols}: {constructed}");
    }
}

/// On a machine that is busy with other tests.
const GRACE: Duration = Duration::from_millis(150);

#[test]
fn a_short_time_is_not_spent_on_tables() {
    for (rows, cols, most) in [(5, 5, 180), (6, 6, 400), (7, 7, 700)] {
        let puzzle = scrambled(rows, cols, 3);
        let time = Duration::from_millis(100);
        takes_at_most(time + GRACE, || {
            let supply = KeptTables::new();
            let began = Instant::now();
            let solved = run(&puzzle, &supply, &Control::new(Limits { time: Some(time), ..Limits::default() }), 1);
            let took = began.elapsed();
            for extent in pintu_solver::tables::Extent::ALL {
                assert!(supply.in_hand(Key::of(&puzzle, extent)).is_none(), "{rows}x{cols}");
            }
            // A processor that was elsewhere meanwhile has found nothing.
            if solved.known.length().unwrap() < most { took } else { Duration::MAX }
        });
    }
}

/// A hard board, for which tables need longer than there is time: beams have found something meanwhile. What tables prove
/// in so little time, they prove by themselves.
#[test]
fn a_short_time_has_a_good_answer_beside_tables_too() {
    let timed = |millis| Control::new(Limits { time: Some(Duration::from_millis(millis)), ..Limits::default() });
    let supply = KeptTables::new();
    let hard = puzzle("0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1", (4, 4), &[], &[]);
    run(&hard, &supply, &Control::new(nodes(1000)), 1);
    assert!(supply.in_hand(Key::of(&hard, pintu_solver::tables::Extent::Small)).is_some());
    takes_at_most(Duration::from_secs(5), || {
        let solved = run(&hard, &supply, &timed(60), 1);
        // A processor that was elsewhere meanwhile has found nothing.
        if solved.known.length().unwrap() < 120 { Duration::ZERO } else { Duration::MAX }
    });
    let easy = scrambled(3, 4, 8);
    let free = Control::unlimited();
    run(&easy, &supply, &free, 1);
    let short = timed(450);
    if run(&easy, &supply, &short, 1).known.is_proved() {
        assert_eq!(short.counters().expanded, free.counters().expanded);
        assert_eq!(short.counters().generated, free.counters().generated);
    }
}

/// Tables that lie ready in files, which are all there is to them, and whether they were asked for.
#[derive(Default)]
struct InFiles(AtomicBool);

impl Supply for InFiles {
    fn in_hand(&self, _: Key) -> Option<Arc<Tables>> {
        None
    }

    fn readable(&self, _: Key) -> Option<u64> {
        Some(4 << 20)
    }

    fn read(&self, _: Key) -> Option<Arc<Tables>> {
        None
    }

    fn make(&self, _: Key, _: usize, _: &Control) -> ControlFlow<Stop, Arc<Tables>> {
        self.0.store(true, Ordering::Relaxed);
        Break(Stop::Memory)
    }
}

/// Tables that are read must be laid out, too, and a short time is better spent on beams.
#[test]
fn a_short_time_is_not_spent_on_reading_tables() {
    let puzzle = scrambled(5, 5, 5);
    for (millis, is_enough) in [(20, false), (50, false), (5_000, true)] {
        let (supply, time) = (InFiles::default(), Some(Duration::from_millis(millis)));
        run(&puzzle, &supply, &Control::new(Limits { time, nodes: Some(200_000), ..Limits::default() }), 1);
        assert_eq!(supply.0.into_inner(), is_enough, "{millis} ms");
    }
}

#[test]
fn memory_is_held_to() {
    for (rows, cols, most) in [(4, 4, 24 << 20), (5, 5, 24 << 20), (6, 6, 8 << 20), (9, 9, 4 << 20)] {
        let control = Control::new(Limits { memory: Some(most), nodes: Some(200_000), ..Limits::default() });
        let solved = run(&scrambled(rows, cols, 8), &KeptTables::new(), &control, 2);
        assert!(solved.known.moves().is_some());
        assert!(control.counters().peak_bytes <= most);
        assert_eq!(control.held(), 0, "all is given back");
    }
}

#[test]
fn cancelling_in_the_middle_ends_it_soon() {
    for (rows, cols) in [(5, 5), (8, 8)] {
        let puzzle = scrambled(rows, cols, 12);
        takes_at_most(GRACE, || {
            let cancel = Cancel::new();
            let control = Control::with_cancel(Limits::default(), cancel.clone());
            let thrower = std::thread::spawn({
                let control = control.clone();
                move || {
                    while control.counters().expanded < 10_000 {
                        std::thread::yield_now();
                    }
                    cancel.cancel();
                    Instant::now()
                }
            });
            let solved = run(&puzzle, &KeptTables::new(), &control, 2);
            let took = thrower.join().unwrap().elapsed();
            assert!(solved.known.is_proved() || solved.stopped == Some(Stop::Cancelled));
            took
        });
    }
}

#[test]
fn a_build_ends_when_its_control_does() {
    let puzzle = scrambled(5, 5, 1);
    let supply = KeptTables::new();
    for extent in pintu_solver::tables::Extent::ALL {
        takes_at_most(Duration::from_millis(30) + GRACE, || {
            let control = Control::new(Limits { time: Some(Duration::from_millis(30)), ..Limits::default() });
            let made = supply.make(Key::of(&puzzle, extent), 2, &control);
            assert_eq!(made.break_value(), Some(Stop::Time));
            control.elapsed()
        });
        let small = Control::new(Limits { memory: Some(1 << 20), ..Limits::default() });
        assert_eq!(supply.make(Key::of(&puzzle, extent), 2, &small).break_value(), Some(Stop::Memory));
    }
}
