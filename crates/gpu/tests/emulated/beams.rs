//! The processor's beams beside the device's rounds.

use std::time::Duration;

use pintu_gpu::{Beams, Event};
use pintu_search::{Control, Limits};
use pintu_solver::{
    Solved, Tables,
    internals::{Options, improve},
};
use pintu_testing::boards::korf100;
use pintu_tiles::Puzzle;

use crate::boards::{OPTIONS, gpu, searcher, small_tables, tables_in_reading_order};

/// They begin after the first round.
const AT_ONCE: Beams = Beams { after_nodes: 0, max_bytes: 1 << 28, tables: None };
const TOGETHER: Options = Options { threads: 3, known: None };

#[test]
fn with_beams_beside_them_rounds_end_with_the_same_lengths() {
    let boards = &korf100()[..12];
    let tables = small_tables(&boards[0].puzzle);
    let mut searcher = searcher(&gpu(), &tables).with_beams(AT_ONCE);
    for board in boards {
        let control = Control::unlimited();
        let mut lengths = Vec::new();
        let found = searcher.deepen(&board.puzzle, &tables, &control, &TOGETHER, &mut |event| {
            if let Event::Better(moves, bound) = event {
                assert!(board.puzzle.is_solved_by(moves) && bound as usize <= board.recorded());
                lengths.push(moves.len());
            }
        });
        let Solved { known, stopped, .. } = found.unwrap();
        assert!(board.puzzle.is_solved_by(known.moves().unwrap()));
        let length = Some(board.recorded() as u32);
        assert_eq!((known.length(), known.is_proved(), stopped), (length, true, None));
        assert!(lengths.is_sorted_by(|a, b| a > b), "each is shorter than the one before: {lengths:?}");
        assert!(!control.is_over(), "whoever asked may go on");
    }
}

/// A board for which a beam finds the shortest solution in a moment, and an emulated device takes long to meet it.
fn long_round() -> (Puzzle, Tables, usize) {
    let board = korf100().swap_remove(81);
    let tables = tables_in_reading_order(board.puzzle.topology(), 0, 5);
    let length = board.recorded();
    (board.puzzle, tables, length)
}

#[test]
fn a_solution_as_short_as_the_bound_makes_a_round_needless() {
    let (puzzle, tables, length) = long_round();
    let enough = 3_000_000;
    let limited = Control::new(Limits::none().nodes(enough));
    let found = improve(&puzzle, &tables, &limited, &OPTIONS);
    assert_eq!(found.known.length(), Some(length as u32), "beams find it with so many states");
    let mut searcher = searcher(&gpu(), &tables).with_beams(AT_ONCE);
    let mut without = 0;
    let mut sum = |event: Event<'_>| {
        if let Event::Round(report) = event {
            without += report.expanded;
        }
    };
    searcher.deepen(&puzzle, &tables, &Control::unlimited(), &OPTIONS, &mut sum).unwrap();
    let control = Control::unlimited();
    let (mut rounds, mut told) = (0, 0);
    let mut wait = |event: Event<'_>| match event {
        Event::Bound(_) => {}
        Event::Better(moves, _) => told = moves.len(),
        Event::Round(report) => {
            rounds += report.expanded;
            // Before the last round, beams get the time that they need: until they have nothing more to try.
            let mut before = 0;
            while report.bound as usize + 2 == length && control.counters().expanded > before {
                before = control.counters().expanded;
                std::thread::sleep(Duration::from_millis(500));
            }
        }
    };
    let found = searcher.deepen(&puzzle, &tables, &control, &TOGETHER, &mut wait).unwrap();
    assert!(found.known.is_proved() && found.known.bound() as usize == length);
    assert!(rounds < without, "{rounds} states with beams, {without} without; beams found {told} moves");
}

#[test]
fn where_nodes_are_limited_there_are_no_beams() {
    let (puzzle, tables, _) = long_round();
    let mut searcher = searcher(&gpu(), &tables).with_beams(AT_ONCE);
    let control = Control::new(Limits::none().nodes(200_000));
    let mut better = 0;
    let found = searcher
        .deepen(&puzzle, &tables, &control, &TOGETHER, &mut |event| {
            better += usize::from(matches!(event, Event::Better(..)));
        })
        .unwrap();
    assert_eq!((found.known.length(), better, control.counters().expanded), (None, 0, 200_000));
}
