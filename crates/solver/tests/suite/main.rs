//! The solver from outside: every board that has a solution is answered, nothing is called proved that is not, no bound is
//! above a solution, and limits hold.

#[path = "../../src/testing/oracle.rs"]
mod oracle;
mod records;
mod rounds;
mod solve;
mod without_tables;

use std::time::Duration;

use pintu_search::{Control, Limits};
use pintu_solver::{SolveOptions, Solved, store::TableSource};
use pintu_tiles::{Moves, Puzzle, Scrambler, Size, Topology, goal_with_blank};

/// How long after its end a solve may return, on a computer that is busy with other tests.
const GRACE: Duration = Duration::from_millis(if cfg!(debug_assertions) { 400 } else { 150 });

fn nodes(most: u64) -> Limits {
    Limits::none().nodes(most)
}

fn millis(time: u64) -> Limits {
    Limits::none().time(Duration::from_millis(time))
}

fn board(rows: usize, cols: usize) -> Topology {
    Topology::plain(Size::new(rows, cols).unwrap())
}

/// The board whose rows, and after them columns, wrap where their bits in `wraps` are set and their length allows it.
fn wrapped(rows: usize, cols: usize, wraps: usize) -> Topology {
    let picked =
        |bits: usize, lines: usize, length: usize| (0..lines).filter(move |line| length >= 3 && bits >> line & 1 == 1);
    let size = Size::new(rows, cols).unwrap();
    Topology::wrapped(size, picked(wraps, rows, cols), picked(wraps >> rows, cols, rows)).unwrap()
}

/// Solves a puzzle, and checks each solution that is reported on the way.
fn run(puzzle: &Puzzle, tables: Option<&dyn TableSource>, control: &Control, threads: usize) -> Solved {
    let mut last = usize::MAX;
    let mut on_better = |moves: &Moves, bound| {
        assert!(puzzle.is_solved_by(moves) && moves.len() < last && bound as usize <= moves.len());
        last = moves.len();
    };
    let options = SolveOptions { threads, tables, on_better: &mut on_better, ..SolveOptions::default() };
    let solved = pintu_solver::solve(puzzle, control, options).expect("it can be solved");
    let moves = solved.known.moves().expect("there is always a solution");
    assert!(puzzle.is_solved_by(moves), "{:?}", puzzle.start());
    assert_eq!(moves.len(), last, "the last solution reported is the one returned");
    solved
}

/// A random board whose goal has its blank in this cell.
fn scrambled(topology: Topology, blank: usize, seed: u64) -> Puzzle {
    let goal = goal_with_blank(topology.size(), blank).unwrap();
    let start = Scrambler::new(topology, goal.clone(), seed).uniform();
    Puzzle::new(topology, start, goal).unwrap()
}
