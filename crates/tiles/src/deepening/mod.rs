//! Searches on pattern tables: IDA* for the shortest solutions, and beams for short ones.

mod batch;
mod choice;
mod control;
mod dive;
mod frontier;
mod improve;
mod layer;
mod layout;
mod lookup;
mod machine;
mod rounds;
mod seen;
mod state;
mod sweep;
#[cfg(test)]
mod tests;

use std::time::Instant;

use pintu_search::{Cancel, Counters, Limits, Stop};

use crate::{
    Moves, Puzzle,
    pattern::{MAX_LANES, Tables, Turned},
};
use control::Control;
pub use control::{Tally, Watch};
pub(crate) use layout::{Cells, Layout};
use lookup::{Access, Mask, SLOTS};
pub(crate) use machine::Machine;
use rounds::Rounds;
use state::State;

/// What a search on pattern tables found, and what it took.
#[derive(Clone, Debug)]
pub struct Deepened {
    /// The shortest solution that was found, if one was that is shorter than what is [known](Options::known).
    pub moves: Option<Moves>,
    /// No solution is shorter than this.
    pub lower_bound: u32,
    /// The limit that was reached, or that somebody cancelled the search.
    pub stopped: Option<Stop>,
    /// What the search did.
    pub counters: Counters,
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
    /// The length of a solution that is known: only shorter ones are looked for.
    pub known: Option<u32>,
}

/// Solves a puzzle, which must be solvable, with the fewest moves, by IDA* on tables that
/// [serve](Tables::serve) it. Unless it is stopped, the solution found or known is as short as the lower bound.
///
/// # Panics
/// If the tables serve another board or blank cell.
pub fn deepen(puzzle: &Puzzle, tables: &Tables, options: &Options, cancel: &Cancel, watch: Watch<'_>) -> Deepened {
    search(puzzle, tables, options, cancel, watch, Aim::Prove)
}

/// Solves a puzzle, which must be solvable, with few moves, by beams on tables that [serve](Tables::serve) it, each
/// wider than the one before it, until the limits are reached, nothing wider fits into memory, or the solution found
/// or known is as short as the lower bound.
///
/// # Panics
/// If the tables serve another board or blank cell.
pub fn improve(puzzle: &Puzzle, tables: &Tables, options: &Options, cancel: &Cancel, watch: Watch<'_>) -> Deepened {
    search(puzzle, tables, options, cancel, watch, Aim::Improve)
}

/// What a search is for.
#[derive(Clone, Copy)]
enum Aim {
    Prove,
    Improve,
}

fn search(
    puzzle: &Puzzle,
    tables: &Tables,
    options: &Options,
    cancel: &Cancel,
    watch: Watch<'_>,
    aim: Aim,
) -> Deepened {
    assert!(tables.serve(puzzle), "the tables belong to another board or blank cell");
    let layout = Layout::new(tables, tables.first_aspects());
    let turned = Turned::new(puzzle);
    let board = layout.board(&turned.board);
    let blank = turned.board.iter().position(|&tile| tile == layout.blank).expect("a board has a blank");
    let control = Control::new(options.limits, cancel, options.started, watch);
    let task = Task { tables, layout: &layout, rounds: &layout, control: &control, options, board: &board, blank };
    let found = match aim {
        Aim::Prove => choice::prove(task),
        Aim::Improve => task.run(Job::Improve),
    };
    let through = |cells: Vec<u8>| {
        let cells: Vec<u8> = cells.iter().map(|&cell| turned.origins[usize::from(cell)]).collect();
        puzzle.moves_through(&cells)
    };
    let Counters { expanded, generated, .. } = control.counters();
    Deepened {
        moves: found.cells.map(through),
        lower_bound: found.progress.bound,
        stopped: control.stopped(),
        counters: Counters { expanded, generated, peak_states: found.peak_states, peak_bytes: found.peak_bytes },
    }
}

/// What is to be solved, and with which views.
#[derive(Clone, Copy)]
struct Task<'a> {
    tables: &'a Tables,
    /// The first partition's views, by which beams compare states.
    layout: &'a Layout<'a>,
    /// The views that rounds ask.
    rounds: &'a Layout<'a>,
    control: &'a Control<'a>,
    options: &'a Options,
    board: &'a Cells,
    blank: usize,
}

/// What is to be done about it.
#[derive(Clone, Copy)]
enum Job {
    /// Rounds from here on, to the end, or until one expands so many states.
    Rounds(Progress, u64),
    /// One round as far as this bound.
    Round(u32),
    Improve,
}

/// How far rounds have come.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    /// No solution is shorter than this, which is the next round's bound.
    bound: u32,
    /// The last round's.
    last: u32,
    /// The states that the last two rounds have expanded.
    sizes: [u64; 2],
}

/// What a search ends with.
struct Found {
    /// The cells that the blank goes to on the shortest way that was found.
    cells: Option<Vec<u8>>,
    progress: Progress,
    peak_states: u64,
    peak_bytes: u64,
}

impl Task<'_> {
    fn run(self, job: Job) -> Found {
        // The states' arrays are as short as the board and the tables allow.
        let found = match (self.layout.cells, self.layout.lanes.len().max(self.rounds.lanes.len())) {
            (..=16, ..=8) => self.run_on::<u16, 16, 8>(job),
            (..=26, ..=8) => self.run_on::<u32, 32, 8>(job),
            (..=26, ..=16) => self.run_on::<u32, 32, 16>(job),
            _ => None,
        };
        found.or_else(|| self.run_on::<u64, SLOTS, MAX_LANES>(job)).expect("made for all tables")
    }

    /// Nothing if the tables are not laid out for such states.
    fn run_on<M: Mask, const CELLS: usize, const LANES: usize>(self, job: Job) -> Option<Found> {
        match job {
            Job::Rounds(from, most) => Some(Rounds::<M, CELLS, LANES>::new(self, from)?.run(most)),
            Job::Round(bound) => {
                let from = Progress { bound, ..Progress::default() };
                Some(Rounds::<M, CELLS, LANES>::new(self, from)?.run_one())
            }
            Job::Improve => improve::improve::<M, CELLS, LANES>(self),
        }
    }

    /// The start, with so many moves to be made. Nothing if the tables are not laid out for such states.
    fn start<M: Mask, const CELLS: usize, const LANES: usize>(self, left: u32) -> Option<State<M, CELLS, LANES>> {
        self.layout.lanes.iter().try_for_each(|table| Access::<M>::new(table).map(|_| ()))?;
        let mut start = State::new(self.layout, self.board, &self.layout.moves(self.board), left as u16);
        start.machine = self.tables.machine(0).start(self.blank);
        Some(start)
    }

    /// What can be seen at the start: no solution is shorter than this.
    fn least(self) -> u32 {
        self.layout.sums(&self.layout.moves(self.board)).max().unwrap_or(0).into()
    }

    /// The bytes that may be held apart from the tables.
    fn room(self) -> u64 {
        let used = self.tables.bytes();
        self.options.limits.memory.map_or(u64::MAX, |most| most.saturating_sub(used))
    }
}
