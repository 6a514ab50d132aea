//! A search on pattern tables, prepared.

use std::cell::OnceCell;

use pintu_search::{Control, Limits, Stop};
use pintu_tiles::{Moves, Puzzle};

use super::{
    layout::{Cells, Layout},
    lookup::{Mask, SLOTS},
    state::State,
};
use crate::{
    budget::count_start,
    pruning::{Automaton, LEAST_DEPTH},
    solved::{BestKnown, FoundBy, Solved},
    tables::{MAX_GROUPS, NormalForm, Tables},
};

/// The options of a search on tables.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The number of threads.
    pub threads: usize,
    /// The length of the incumbent: only shorter solutions are looked for.
    pub known: Option<u32>,
}

/// Brings a puzzle into the normal form of its tables and runs a search on it. The tables' bytes are held while the search
/// looks at them.
///
/// # Panics
/// If the tables serve another board or blank cell.
pub(crate) fn search(
    puzzle: &Puzzle,
    tables: &Tables,
    control: &Control,
    options: &Options,
    run: impl FnOnce(Task<'_>) -> Solved,
) -> Solved {
    assert!(tables.serve(puzzle), "the tables belong to another board or blank cell");
    count_start(control);
    with_task(puzzle, tables, control, options, |task| {
        let found = run(task);
        Solved { stopped: task.control.stopped().or(found.stopped), ..found }
    })
    .unwrap_or_else(|(why, least)| Solved {
        known: BestKnown::at_least(least),
        stopped: Some(why),
        by: FoundBy::Nothing,
    })
}

/// The same for any search. The start is not counted. If there is no memory for the tables, returns the least length of a
/// solution.
pub(crate) fn with_task<T>(
    puzzle: &Puzzle,
    tables: &Tables,
    control: &Control,
    options: &Options,
    run: impl FnOnce(Task<'_>) -> T,
) -> Result<T, (Stop, u32)> {
    // A solution ends this search, not all that it is a part of.
    let control = &control.part(Limits::default());
    let layout = Layout::new(tables, tables.first_views());
    let normal = NormalForm::new(puzzle);
    let board = layout.board(&normal.board);
    let blank = normal.board.iter().position(|&tile| tile == layout.blank).expect("a board has a blank");
    let mut hold = control.hold();
    if let Err(why) = hold.more(tables.uncharged_bytes()) {
        return Err((why, layout.least(&board)));
    }
    let makeshift = OnceCell::new();
    let quick = tables.quick_automaton(&mut hold).ok();
    let automaton =
        quick.unwrap_or_else(|| makeshift.get_or_init(|| Automaton::unbounded(tables.topology(), LEAST_DEPTH)));
    let task = Task {
        puzzle,
        origins: &normal.origins,
        tables,
        automaton,
        layout: &layout,
        rounds: &layout,
        control,
        options,
        board: &board,
        blank,
    };
    Ok(run(task))
}

#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) puzzle: &'a Puzzle,
    /// The puzzle's cell for each cell of the normal form.
    pub(crate) origins: &'a [u8],
    pub(crate) tables: &'a Tables,
    /// The move-pruning automaton, until a search is so long that a deeper one pays.
    pub(crate) automaton: &'a Automaton,
    /// The first partition's views, by which beams compare states.
    pub(crate) layout: &'a Layout<'a>,
    pub(crate) rounds: &'a Layout<'a>,
    pub(crate) control: &'a Control,
    pub(crate) options: &'a Options,
    pub(crate) board: &'a Cells,
    pub(crate) blank: usize,
}

/// A search for states whose arrays are as short as the board and the tables allow.
pub(crate) trait SizedSearch: Copy {
    type End;

    fn run<M: Mask, const CELLS: usize, const GROUPS: usize>(self, task: Task<'_>) -> Self::End;
}

impl Task<'_> {
    pub(crate) fn run<E: SizedSearch>(self, search: E) -> E::End {
        match (self.layout.cells, self.layout.groups.len().max(self.rounds.groups.len())) {
            (..=16, ..=8) if self.suits::<u16>() => search.run::<u16, 16, 8>(self),
            (..=26, ..=8) if self.suits::<u32>() => search.run::<u32, 32, 8>(self),
            (..=26, ..=16) if self.suits::<u32>() => search.run::<u32, 32, 16>(self),
            _ => search.run::<u64, SLOTS, MAX_GROUPS>(self),
        }
    }

    /// Whether the rows of all tables are laid out for such masks.
    fn suits<M: Mask>(self) -> bool {
        self.layout.groups.iter().chain(&self.rounds.groups).all(|table| M::sets(&table.rows).is_some())
    }

    /// The start, with `left` moves to be made.
    pub(crate) fn start<M: Mask, const CELLS: usize, const GROUPS: usize>(self, left: u32) -> State<M, CELLS, GROUPS> {
        let mut start = State::new(self.layout, self.board, &self.layout.moves(self.board), left as u16);
        start.automaton = Automaton::start(self.blank);
        start
    }

    /// The puzzle's moves for a path of the blank through cells of the normal form.
    pub(crate) fn moves(self, path: &[u8]) -> Moves {
        let moves = self.moves_so_far(path);
        assert!(
            self.puzzle.is_solved_by(&moves),
            "its tables were changed while they were in use: what they led to is no solution"
        );
        moves
    }

    /// The same for a path that need not end at the goal.
    pub(crate) fn moves_so_far(self, path: &[u8]) -> Moves {
        let cells: Vec<u8> = path.iter().map(|&cell| self.origins[usize::from(cell)]).collect();
        self.puzzle.moves_through(&cells)
    }

    /// Whether the incumbent is as short as a bound.
    pub(crate) fn is_known(self, bound: u32) -> bool {
        self.options.known.is_some_and(|known| known <= bound)
    }

    /// The estimate of the start: no solution is shorter.
    pub(crate) fn least(self) -> u32 {
        self.layout.least(self.board)
    }

    pub(crate) fn expanded(self) -> u64 {
        self.control.counters().expanded
    }
}
