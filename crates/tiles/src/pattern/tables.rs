use std::sync::OnceLock;

use super::{
    Table,
    symmetry::{Symmetry, stabiliser, to_normal_form},
};
use crate::{Puzzle, Topology, deepening::Machine};

/// Tables of patterns that share no tile, and the ways to look a board up in them.
///
/// They belong to a board and a blank cell in normal form: one that stands for all its rotations and
/// reflections. Every goal with that blank cell is a relabelling of the tiles.
#[derive(Debug)]
pub struct Tables {
    topology: Topology,
    blank: usize,
    all: Vec<Table>,
    views: Vec<Symmetry>,
    quick: OnceLock<Machine>,
    deep: OnceLock<Machine>,
}

/// The most tables of a set: a power of two, so that no index needs a check.
pub(crate) const MAX_GROUPS: usize = 32;
/// More views cost more than they save.
pub(crate) const MAX_VIEWS: usize = 4;
/// The most pairs of a view and a table.
pub(crate) const MAX_LANES: usize = MAX_VIEWS * MAX_GROUPS;

impl Tables {
    /// Puts tables together.
    pub fn new(tables: Vec<Table>) -> Result<Self, TablesError> {
        let first = tables.first().ok_or(TablesError::None)?.pattern();
        let (topology, blank) = (first.topology(), first.blank());
        if tables.len() > MAX_GROUPS {
            return Err(TablesError::TooMany { found: tables.len() });
        }
        let mut seen = 0;
        for table in &tables {
            let pattern = table.pattern();
            if pattern.topology() != topology || pattern.blank() != blank {
                return Err(TablesError::Mixed);
            }
            if seen & pattern.mask() != 0 {
                return Err(TablesError::Overlap);
            }
            seen |= pattern.mask();
        }
        let expected = ((1_u64 << topology.cells()) - 1) & !(1 << blank);
        if seen != expected {
            return Err(TablesError::Missing { found: seen.count_ones(), expected: expected.count_ones() });
        }
        let views = useful_views(topology, blank, &tables);
        Ok(Self { topology, blank, all: tables, views, quick: OnceLock::new(), deep: OnceLock::new() })
    }

    /// The board they are for.
    pub fn topology(&self) -> Topology {
        self.topology
    }

    /// The blank's goal cell on it.
    pub fn blank(&self) -> usize {
        self.blank
    }

    /// The tables.
    pub fn tables(&self) -> &[Table] {
        &self.all
    }

    /// The bytes they hold.
    pub fn bytes(&self) -> u64 {
        self.all.iter().map(Table::bytes).sum()
    }

    /// Whether these tables serve a puzzle's board and goal.
    pub fn serve(&self, puzzle: &Puzzle) -> bool {
        let normal = to_normal_form(puzzle.topology(), puzzle.goal().blank());
        normal.topology() == self.topology && normal.of(puzzle.goal().blank()) == self.blank
    }

    /// The symmetries under which a board is looked up. The first is the identity.
    pub(crate) fn views(&self) -> &[Symmetry] {
        &self.views
    }

    /// The machine for a search that has expanded so many states.
    pub(crate) fn machine(&self, expanded: u64) -> &Machine {
        // From here on, the better machine wins back the time that it takes to make.
        const MUCH: u64 = 2_000_000;
        if expanded < MUCH && self.deep.get().is_none() {
            self.quick.get_or_init(|| Machine::quick(self.topology))
        } else {
            self.deep.get_or_init(|| Machine::deep(self.topology))
        }
    }
}

/// The symmetries that look at other tables' entries than those before them.
fn useful_views(topology: Topology, blank: usize, tables: &[Table]) -> Vec<Symmetry> {
    let mut known: Vec<Vec<u64>> = Vec::new();
    let mut views = Vec::new();
    for symmetry in stabiliser(topology, blank) {
        let image = |table: &Table| {
            table.pattern().tiles().iter().fold(0_u64, |mask, &tile| mask | 1 << symmetry.of(usize::from(tile)))
        };
        let mut masks: Vec<u64> = tables.iter().map(image).collect();
        masks.sort_unstable();
        if !known.contains(&masks) {
            known.push(masks);
            views.push(symmetry);
        }
    }
    views.truncate(MAX_VIEWS);
    views
}

/// Why tables do not add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TablesError {
    /// There are none.
    #[error("found no table, expected at least one")]
    None,
    /// There are too many.
    #[error("found {found} tables, expected at most {MAX_GROUPS}")]
    TooMany {
        /// How many.
        found: usize,
    },
    /// They are for different boards or blank cells.
    #[error("found tables for different boards or blank cells, expected one board and one blank cell")]
    Mixed,
    /// A tile is in two patterns, so that its moves would count twice.
    #[error("found a tile in two patterns, expected patterns that share none")]
    Overlap,
    /// Some tiles are in no pattern.
    #[error("found {found} tiles in the patterns, expected all {expected} of the board")]
    Missing {
        /// Tiles in a pattern.
        found: u32,
        /// Tiles of the board.
        expected: u32,
    },
}

/// A puzzle turned into its normal form. A tile is named by its goal cell, the blank by its own.
#[derive(Debug)]
pub(crate) struct Turned {
    /// What lies in each cell.
    pub(crate) board: Vec<u8>,
    /// The cell of the puzzle that each cell of the normal form stands for.
    pub(crate) origins: Vec<u8>,
}

impl Turned {
    pub(crate) fn new(puzzle: &Puzzle) -> Self {
        let symmetry = to_normal_form(puzzle.topology(), puzzle.goal().blank());
        let mut home = vec![0; puzzle.size().cells()];
        for (cell, &tile) in puzzle.goal().tiles().iter().enumerate() {
            home[usize::from(tile)] = symmetry.of(cell) as u8;
        }
        let mut board = vec![0; home.len()];
        for (cell, &tile) in puzzle.start().tiles().iter().enumerate() {
            board[symmetry.of(cell)] = home[usize::from(tile)];
        }
        Self { board, origins: symmetry.origins() }
    }
}

/// The board and blank cell in normal form that serve a puzzle.
pub fn normal_form(puzzle: &Puzzle) -> (Topology, usize) {
    normal_form_of(puzzle.topology(), puzzle.goal().blank())
}

/// The normal form of a board and its goal's blank cell.
pub fn normal_form_of(topology: Topology, blank: usize) -> (Topology, usize) {
    let symmetry = to_normal_form(topology, blank);
    (symmetry.topology(), symmetry.of(blank))
}
