//! What a search on pattern tables is given, and what it hands back.

use std::{cell::OnceCell, ops::ControlFlow::Break};

use pintu_search::{Control, Limits, Stop};
use pintu_tiles::{Moves, Puzzle};

use super::{
    layout::{Cells, Layout},
    lookup::{Access, Mask, SLOTS},
    state::State,
};
use crate::{
    machine::Machine,
    pace::count_start,
    tables::{MAX_LANES, Tables, Turned},
};

/// What a search on pattern tables found.
#[derive(Clone, Debug)]
pub struct Deepened {
    /// The shortest solution that was found, if one was that is shorter than what is [known](Options::known).
    pub moves: Option<Moves>,
    /// No solution is shorter than this.
    pub lower_bound: u32,
    /// The limit that was reached, or that somebody cancelled the search.
    pub stopped: Option<Stop>,
}

/// How a search may go about it.
#[derive(Clone, Copy, Debug)]
pub struct Options {
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
    /// What it asked for and was refused, if that ended it.
    pub(crate) refused: Option<Stop>,
}

/// Turns a puzzle as its tables need it, has it searched, and turns what is found back; the search can do the same with
/// the cells of a solution on its way. The tables are held while the search looks at them.
///
/// # Panics
/// If the tables serve another board or blank cell.
pub(crate) fn search(
    puzzle: &Puzzle,
    tables: &Tables,
    control: &Control,
    options: &Options,
    run: impl FnOnce(Task<'_>, &dyn Fn(&[u8]) -> Moves) -> Harvest,
) -> Deepened {
    assert!(tables.serve(puzzle), "the tables belong to another board or blank cell");
    count_start(control);
    // A solution ends this search, not all that it is a part of.
    let control = &control.part(Limits::default());
    let layout = Layout::new(tables, tables.first_aspects());
    let turned = Turned::new(puzzle);
    let board = layout.board(&turned.board);
    let blank = turned.board.iter().position(|&tile| tile == layout.blank).expect("a board has a blank");
    let mut loan = control.hold();
    if let Break(why) = loan.more(tables.bytes()) {
        let lower_bound = least(&layout, &board);
        return Deepened { moves: None, lower_bound, stopped: Some(why) };
    }
    let makeshift = OnceCell::new();
    let quick = tables.quick_machine(&mut loan).continue_value();
    let machine = quick.unwrap_or_else(|| makeshift.get_or_init(|| Machine::least(tables.topology())));
    let task = Task { tables, machine, layout: &layout, rounds: &layout, control, options, board: &board, blank };
    let through = |cells: &[u8]| {
        let cells: Vec<u8> = cells.iter().map(|&cell| turned.origins[usize::from(cell)]).collect();
        let moves = puzzle.moves_through(&cells);
        assert!(
            puzzle.is_solved_by(&moves),
            "its tables were changed while they were in use: what they led to is no solution"
        );
        moves
    };
    let found = run(task, &through);
    let moves = found.cells.as_deref().map(through);
    Deepened { moves, lower_bound: found.bound, stopped: control.stopped().or(found.refused) }
}

/// What is to be solved, and with which views.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) tables: &'a Tables,
    /// Which moves are made after which, until a search is so long that a better machine pays.
    pub(crate) machine: &'a Machine,
    /// The first partition's views, by which beams compare states.
    pub(crate) layout: &'a Layout<'a>,
    /// The views that rounds ask.
    pub(crate) rounds: &'a Layout<'a>,
    pub(crate) control: &'a Control,
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
        start.machine = self.machine.start(self.blank);
        Some(start)
    }

    /// What can be seen at the start: no solution is shorter than this.
    pub(crate) fn least(self) -> u32 {
        least(self.layout, self.board)
    }

    /// The states that this search has expanded so far.
    pub(crate) fn expanded(self) -> u64 {
        self.control.counters().expanded
    }
}

/// What a layout sees in a board: no solution is shorter.
fn least(layout: &Layout<'_>, board: &Cells) -> u32 {
    layout.sums(&layout.moves(board)).max().unwrap_or(0).into()
}
