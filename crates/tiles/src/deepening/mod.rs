//! IDA* on pattern tables.

mod batch;
mod control;
mod dive;
mod frontier;
mod layout;
mod lookup;
mod machine;
mod state;
#[cfg(test)]
mod tests;

use std::{
    ops::ControlFlow::{self, Break, Continue},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
    time::Instant,
};

use pintu_search::{Cancel, Counters, Limits, Stop};

use crate::{
    Moves, Puzzle,
    pattern::{MAX_LANES, Tables, Turned},
};
use control::{Allowance, Control};
pub use control::{Tally, Watch};
use dive::{Dive, Halt};
use frontier::{Frontier, Grown};
pub(crate) use layout::{Cells, Layout};
use lookup::{Mask, SLOTS};
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
///
/// # Panics
/// If the tables serve another board or blank cell.
pub fn deepen(puzzle: &Puzzle, tables: &Tables, options: &Options, cancel: &Cancel, watch: Watch<'_>) -> Deepened {
    assert!(tables.serve(puzzle), "the tables belong to another board or blank cell");
    let layout = Layout::new(tables);
    let turned = Turned::new(puzzle);
    let board = layout.board(&turned.board);
    let blank = turned.board.iter().position(|&tile| tile == layout.blank).expect("a board has a blank");
    let control = Control::new(options.limits, cancel, options.started, watch);
    let task = Task { tables, layout: &layout, control: &control, options, board: &board, blank };
    let mut counters = Counters::default();
    // The states' arrays are as short as the board and the tables allow.
    let solved = match (layout.cells, layout.lanes.len()) {
        (..=16, ..=8) => task.solve::<u16, 16, 8>(&mut counters),
        (..=26, ..=8) => task.solve::<u32, 32, 8>(&mut counters),
        (..=26, ..=16) => task.solve::<u32, 32, 16>(&mut counters),
        _ => None,
    };
    let solved = solved.or_else(|| task.solve::<u64, SLOTS, MAX_LANES>(&mut counters)).expect("made for all tables");
    let ending = match solved {
        Ok(cells) => {
            let cells: Vec<u8> = cells.iter().map(|&cell| turned.origins[usize::from(cell)]).collect();
            Ending::Solved(puzzle.moves_through(&cells))
        }
        Err(lower_bound) => Ending::Stopped { why: control.stopped().unwrap_or(Stop::Cancelled), lower_bound },
    };
    let Counters { expanded, generated, .. } = control.counters();
    Deepened { ending, counters: Counters { expanded, generated, ..counters } }
}

/// What is to be done.
#[derive(Clone, Copy)]
struct Task<'a> {
    tables: &'a Tables,
    layout: &'a Layout<'a>,
    control: &'a Control<'a>,
    options: &'a Options,
    board: &'a Cells,
    blank: usize,
}

impl Task<'_> {
    /// Nothing if the tables are not laid out for such states.
    fn solve<M: Mask, const CELLS: usize, const LANES: usize>(
        self,
        counters: &mut Counters,
    ) -> Option<Result<Vec<u8>, u32>> {
        let frontier = Frontier::<M, CELLS, LANES>::new(self.layout, self.board, self.blank)?;
        Some(Search { task: self, frontier }.run(counters))
    }
}

struct Search<'a, M: Mask, const CELLS: usize, const LANES: usize> {
    task: Task<'a>,
    frontier: Frontier<'a, M, CELLS, LANES>,
}

impl<M: Mask, const CELLS: usize, const LANES: usize> Search<'_, M, CELLS, LANES> {
    /// The cells that the blank goes to, or, if the search was stopped, a lower bound on their number.
    fn run(mut self, counters: &mut Counters) -> Result<Vec<u8>, u32> {
        let mut bound = self.frontier.least();
        let solved = loop {
            self.task.control.bound.store(u64::from(bound), Relaxed);
            match self.grow() {
                Continue(Grown::Full) => {}
                Continue(Grown::Solved(id)) => break Ok(self.frontier.path(id)),
                Break(_) => break Err(bound),
            }
            let round = self.round(bound);
            match round.found {
                Some((root, trail)) => {
                    let mut cells = self.frontier.path(root);
                    cells.extend(trail.iter().rev());
                    break Ok(cells);
                }
                None if self.task.control.is_over() => break Err(bound),
                None => bound += round.shortfall.min(self.frontier.shortfall(bound)),
            }
        };
        counters.peak_states = self.frontier.len() as u64;
        counters.peak_bytes = self.task.tables.bytes() + self.frontier.bytes();
        solved
    }

    /// Makes the frontier as large as the search so far has been hard.
    fn grow(&mut self) -> ControlFlow<Halt, Grown> {
        let expanded = self.task.control.counters().expanded;
        let wanted = match expanded {
            0..SHORT => 1,
            SHORT..LONG if self.task.options.threads == 1 => 1,
            SHORT..LONG => ROOTS_A_THREAD * self.task.options.threads,
            LONG..VERY_LONG => 1 << 17,
            VERY_LONG..ENDLESS => 1 << 20,
            _ => 1 << 22,
        };
        let used = self.task.tables.bytes();
        let room = self.task.options.limits.memory.map_or(u64::MAX, |most| most.saturating_sub(used));
        // A rehash and a vector that grows hold twice as much for a moment, and what they leave is not given back
        // at once.
        let fits = room.min(MOST_BYTES) / (3 * Frontier::<M, CELLS, LANES>::BYTES_A_STATE as u64);
        let most = wanted.min(usize::try_from(fits).unwrap_or(usize::MAX));
        let mut allowance = Allowance::new(self.task.control);
        self.frontier.grow(most, self.task.tables.machine(0), &mut allowance)
    }

    /// Searches from every root as far as `bound`.
    fn round(&self, bound: u32) -> Round {
        let roots = self.frontier.roots(bound);
        let machine = self.task.tables.machine(self.task.control.counters().expanded);
        let shared =
            Shared { next: AtomicUsize::new(0), round: Mutex::new(Round { shortfall: u32::MAX, found: None }) };
        let run = || self.dive(&roots, machine, bound, &shared);
        thread::scope(|scope| {
            for _ in 1..self.task.options.threads.min(roots.len()) {
                scope.spawn(run);
            }
            run();
        });
        shared.round.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches from roots as long as there are some.
    fn dive(&self, roots: &[u32], machine: &Machine, bound: u32, shared: &Shared) {
        let dive = Dive::<M, CELLS, LANES>::new(self.task.layout, machine, self.task.control);
        let mut dive = dive.expect("there is a frontier of such states");
        let next = || {
            let id = *roots.get(shared.next.fetch_add(1, Relaxed))?;
            Some((id, self.frontier.root(id, bound, machine)))
        };
        if let Break(Halt::Goal) = dive.search(next) {
            self.task.control.solved();
            shared.lock().found = dive.found.take();
        }
        let mut round = shared.lock();
        round.shortfall = round.shortfall.min(dive.shortfall);
    }
}

/// What the threads of a round share.
struct Shared {
    /// The next root.
    next: AtomicUsize,
    round: Mutex<Round>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Round> {
        self.round.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What came of searching from every root.
struct Round {
    /// By how much at least the bound must rise.
    shortfall: u32,
    /// A root from which the goal was found, and the cells from the goal back to it.
    found: Option<(u32, Vec<u8>)>,
}

/// Expansions after which the next round, which takes about eight times as many, is worth sharing out among
/// threads, a small frontier, a large one and the largest. A state of the frontier takes as long as eight of a
/// round.
const SHORT: u64 = 20_000;
const LONG: u64 = 2_000_000;
const VERY_LONG: u64 = 16_000_000;
const ENDLESS: u64 = 100_000_000;
const ROOTS_A_THREAD: usize = 4096;
/// What a frontier may take where nothing is said.
const MOST_BYTES: u64 = 1 << 30;
