//! What a search on pattern tables is given, and what it hands back.

use std::time::Instant;

use pintu_search::{Cancel, Counters, Limits, Stop};
use pintu_tiles::{Moves, Puzzle};

use super::{
    layout::{Cells, Layout},
    lookup::{Access, Mask, SLOTS},
    state::State,
};
use crate::{
    control::{Control, Watch},
    tables::{MAX_LANES, Tables, Turned},
};

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

/// What a search ends with.
pub(crate) struct Harvest {
    /// The cells that the blank goes to on the shortest way that was found.
    pub(crate) cells: Option<Vec<u8>>,
    /// No solution is shorter than this.
    pub(crate) bound: u32,
    pub(crate) peak_states: u64,
    pub(crate) peak_bytes: u64,
}

/// Turns a puzzle as its tables need it, has it searched, and turns what is found back.
///
/// # Panics
/// If the tables serve another board or blank cell.
pub(crate) fn search(
    puzzle: &Puzzle,
    tables: &Tables,
    options: &Options,
    cancel: &Cancel,
    watch: Watch<'_>,
    run: impl FnOnce(Task<'_>) -> Harvest,
) -> Deepened {
    assert!(tables.serve(puzzle), "the tables belong to another board or blank cell");
    let layout = Layout::new(tables, tables.first_aspects());
    let turned = Turned::new(puzzle);
    let board = layout.board(&turned.board);
    let blank = turned.board.iter().position(|&tile| tile == layout.blank).expect("a board has a blank");
    let control = Control::new(options.limits, cancel, options.started, watch);
    let found =
        run(Task { tables, layout: &layout, rounds: &layout, control: &control, options, board: &board, blank });
    let through = |cells: Vec<u8>| {
        let cells: Vec<u8> = cells.iter().map(|&cell| turned.origins[usize::from(cell)]).collect();
        puzzle.moves_through(&cells)
    };
    let Counters { expanded, generated, .. } = control.counters();
    Deepened {
        moves: found.cells.map(through),
        lower_bound: found.bound,
        stopped: control.stopped(),
        counters: Counters { expanded, generated, peak_states: found.peak_states, peak_bytes: found.peak_bytes },
    }
}

/// What is to be solved, and with which views.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) tables: &'a Tables,
    /// The first partition's views, by which beams compare states.
    pub(crate) layout: &'a Layout<'a>,
    /// The views that rounds ask.
    pub(crate) rounds: &'a Layout<'a>,
    pub(crate) control: &'a Control<'a>,
    pub(crate) options: &'a Options,
    pub(crate) board: &'a Cells,
    pub(crate) blank: usize,
}

/// What is to be done about a task, on states whose arrays are as short as the board and the tables allow.
pub(crate) trait Errand: Copy {
    /// What comes of it.
    type End;

    /// Does it. Nothing if the tables are not laid out for such states.
    fn run<M: Mask, const CELLS: usize, const LANES: usize>(self, task: Task<'_>) -> Option<Self::End>;
}

impl Task<'_> {
    pub(crate) fn run<E: Errand>(self, errand: E) -> E::End {
        let end = match (self.layout.cells, self.layout.lanes.len().max(self.rounds.lanes.len())) {
            (..=16, ..=8) => errand.run::<u16, 16, 8>(self),
            (..=26, ..=8) => errand.run::<u32, 32, 8>(self),
            (..=26, ..=16) => errand.run::<u32, 32, 16>(self),
            _ => None,
        };
        end.or_else(|| errand.run::<u64, SLOTS, MAX_LANES>(self)).expect("made for all tables")
    }

    /// The start, with so many moves to be made. Nothing if the tables are not laid out for such states.
    pub(crate) fn start<M: Mask, const CELLS: usize, const LANES: usize>(
        self,
        left: u32,
    ) -> Option<State<M, CELLS, LANES>> {
        self.layout.lanes.iter().try_for_each(|table| Access::<M>::new(table).map(|_| ()))?;
        let mut start = State::new(self.layout, self.board, &self.layout.moves(self.board), left as u16);
        start.machine = self.tables.machine(0).start(self.blank);
        Some(start)
    }

    /// What can be seen at the start: no solution is shorter than this.
    pub(crate) fn least(self) -> u32 {
        self.layout.sums(&self.layout.moves(self.board)).max().unwrap_or(0).into()
    }

    /// The bytes that may be held apart from the tables.
    pub(crate) fn room(self) -> u64 {
        let used = self.tables.bytes();
        self.options.limits.memory.map_or(u64::MAX, |most| most.saturating_sub(used))
    }
}
