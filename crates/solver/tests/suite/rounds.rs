//! IDA* and beams on tables: boards whose shortest solutions are on record, and the clock.

use std::time::Duration;

use pintu_search::{Cancel, Control, Limits, Stop};
use pintu_solver::{
    Solved, Tables,
    internals::{Options, deepen, improve},
    store::{Extent, Key},
};
use pintu_testing::{
    boards::{korf24, korf100},
    takes_at_most,
};
use pintu_tiles::Puzzle;

fn small_tables(puzzle: &Puzzle) -> Tables {
    Tables::build(Key::of(puzzle, Extent::Small), 2, &Control::unlimited()).unwrap()
}

fn options(threads: usize) -> Options {
    Options { threads, known: None }
}

fn shortest(puzzle: &Puzzle, tables: &Tables) -> usize {
    let known = deepen(puzzle, tables, &Control::unlimited(), &options(1)).known;
    let moves = known.moves().expect("nothing limits it");
    assert!(puzzle.is_solved_by(moves) && known.is_proved());
    moves.len()
}

#[test]
fn korfs_instances_are_solved_with_their_recorded_lengths() {
    let tables = small_tables(&korf100()[0].puzzle);
    for board in korf100() {
        assert_eq!(shortest(&board.puzzle, &tables), board.recorded());
    }
}

/// A 24-puzzle that takes minutes, with tables for it, and its length.
fn hard_24_puzzle() -> (Puzzle, Tables, usize) {
    let last = korf24().remove(49);
    let tables = small_tables(&last.puzzle);
    let length = last.recorded();
    (last.puzzle, tables, length)
}

#[test]
fn time_and_cancellation_stop_it_soon() {
    let (puzzle, tables, _) = hard_24_puzzle();
    let searches: [(fn(&_, &_, &_, &_) -> _, _); 2] = [(deepen, false), (improve, true)];
    for ((search, may_end), threads) in searches.into_iter().flat_map(|search| [(search, 1), (search, 2)]) {
        let most = Duration::from_millis(200);
        takes_at_most(most + Duration::from_millis(100), || {
            let timed = Control::new(Limits::none().time(most));
            let Solved { known, stopped, .. } = search(&puzzle, &tables, &timed, &options(threads));
            assert!(stopped == Some(Stop::Time) || may_end, "{stopped:?}");
            assert!(known.moves().is_none_or(|moves| may_end && puzzle.is_solved_by(moves)));
            timed.elapsed()
        });
        // In the middle.
        let cancel = Cancel::new();
        let control = Control::with_cancel(Limits::default(), cancel.clone());
        let Solved { known, stopped, .. } = std::thread::scope(|scope| {
            scope.spawn(|| {
                while control.counters().expanded < 5000 {
                    std::thread::yield_now();
                }
                cancel.cancel();
            });
            search(&puzzle, &tables, &control, &options(threads))
        });
        assert_eq!(stopped, Some(Stop::Cancelled));
        assert!(control.counters().expanded >= 5000 && known.bound() > 0);
    }
}

#[test]
fn beams_find_short_solutions_within_their_limits() {
    let (puzzle, tables, length) = hard_24_puzzle();
    let improved = |nodes, room: u64, threads| {
        let memory = tables.bytes() + room;
        let control = Control::new(Limits::none().nodes(nodes).memory(memory));
        (improve(&puzzle, &tables, &control, &options(threads)), control.counters())
    };
    let mut shortest = usize::MAX;
    // The last ones are wide enough for two threads to share their layers.
    for (nodes, threads) in [(50_000, 1), (400_000, 1), (2_000_000, 2)] {
        let (Solved { known, .. }, counters) = improved(nodes, 1 << 30, threads);
        let moves = known.moves().expect("the first beam gets there");
        assert!(puzzle.is_solved_by(moves));
        assert!((known.bound() as usize) < length && length <= moves.len());
        assert!(counters.expanded <= nodes);
        assert!(moves.len() <= shortest, "more states, a longer solution");
        shortest = moves.len();
    }
    assert!(shortest * 100 <= length * 110, "{shortest} moves where {length} are enough");
    let (_, narrow) = improved(10_000_000, 1 << 20, 1);
    assert!(narrow.peak_bytes <= tables.bytes() + (1 << 20));
    assert!(narrow.expanded < 200_000, "the beam was wider than fits");
}
