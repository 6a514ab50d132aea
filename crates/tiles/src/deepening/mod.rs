//! IDA* on pattern tables.

mod control;
mod dive;
mod layout;
mod machine;
#[cfg(test)]
mod tests;

use std::{
    ops::ControlFlow::{Break, Continue},
    sync::atomic::Ordering::Relaxed,
    time::Instant,
};

use pintu_search::{Cancel, Counters, Limits, Stop};

use crate::{
    Moves, Puzzle,
    pattern::{Tables, Turned},
};
use control::Control;
pub use control::{Tally, Watch};
use dive::{Dive, Halt, Root};
use layout::Layout;
pub(crate) use machine::Machine;

/// How a search on pattern tables ended, and what it took.
#[derive(Clone, Debug)]
pub struct Deepened {
    /// Solved or stopped.
    pub ending: Ending,
    /// What the search did until then.
    pub counters: Counters,
}

/// How a search on pattern tables ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// No solution is shorter than these moves.
    Solved(Moves),
    /// A limit was reached, or somebody cancelled it.
    Stopped {
        /// What ended it.
        why: Stop,
        /// No solution is shorter than this.
        lower_bound: u32,
    },
}

/// How a search may go about it.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What it may spend.
    pub limits: Limits,
    /// When its clock started.
    pub started: Instant,
    /// On how many threads it may run.
    pub threads: usize,
}

/// Solves a puzzle, which must be solvable, with the fewest moves, by IDA* on tables that
/// [serve](Tables::serve) it.
pub fn deepen(puzzle: &Puzzle, tables: &Tables, options: &Options, cancel: &Cancel, watch: Watch<'_>) -> Deepened {
    assert!(tables.serve(puzzle), "the tables belong to another board or blank cell");
    let layout = Layout::new(tables);
    let turned = Turned::new(puzzle);
    let blank = turned.board.iter().position(|&tile| usize::from(tile) == tables.blank()).expect("a board has a blank");
    let board = layout.board(&turned.board);
    let lanes = layout.lanes(&board);
    let mut bound = layout.sums(&lanes).max().unwrap_or(0);
    let root = Root { board, lanes: lanes.into(), blank: blank as u8, paid: 0 };
    let control = Control::new(options.limits, cancel, options.started, watch);
    let ending = loop {
        control.bound.store(u64::from(bound), Relaxed);
        let machine = tables.machine(control.counters().expanded);
        let mut dive = Dive::new(&layout, machine, &control);
        match dive.within(&root, bound) {
            Continue(()) => bound += dive.shortfall,
            Break(Halt::Goal) => {
                let cells: Vec<u8> = dive.trail.iter().rev().map(|&cell| turned.origins[usize::from(cell)]).collect();
                break Ending::Solved(moves_through(puzzle, &cells));
            }
            Break(Halt::Stopped) => {
                break Ending::Stopped { why: control.stopped().unwrap_or(Stop::Cancelled), lower_bound: bound };
            }
        }
    };
    Deepened { ending, counters: control.counters() }
}

/// The moves of the blank through these cells.
fn moves_through(puzzle: &Puzzle, cells: &[u8]) -> Moves {
    let mut blank = puzzle.start().blank();
    let step = |&to: &u8| {
        let to = usize::from(to);
        let direction = puzzle.topology().direction(blank, to).expect("the blank goes to a neighbour");
        blank = to;
        direction
    };
    Moves(cells.iter().map(step).collect())
}
