use std::{fmt, ops::ControlFlow, sync::Arc, time::Duration};

use pintu_search::{Control, Stop};
use pintu_tiles::Topology;

use super::{
    build::{self, Built},
    packing::Packing,
    rank::{MAX_PATTERN_CELLS, MAX_RANK, MAX_TILES, choose, factorial},
    residue::Residue,
    rows::Rows,
    walk::WalkHome,
};

/// Some of a board's tiles, each named by its goal cell, and the cell where the blank belongs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    topology: Topology,
    blank: u8,
    tiles: Box<[u8]>,
}

impl Pattern {
    /// The most cells of a board that can have patterns.
    pub const MOST_CELLS: usize = MAX_PATTERN_CELLS;

    /// Whether a board can have patterns at all.
    pub fn check(topology: Topology) -> Result<(), PatternError> {
        match topology.cells() {
            ..=MAX_PATTERN_CELLS => Ok(()),
            found => Err(PatternError::Board { found }),
        }
    }

    /// The pattern of the tiles whose goal cells are `tiles`.
    pub fn new(topology: Topology, blank: usize, tiles: &[u8]) -> Result<Self, PatternError> {
        Self::check(topology)?;
        let cells = topology.cells();
        if !(1..=MAX_TILES).contains(&tiles.len()) {
            return Err(PatternError::Count { found: tiles.len() });
        }
        if choose(cells, tiles.len()) > MAX_RANK {
            return Err(PatternError::Size { tiles: tiles.len(), cells });
        }
        let mut tiles = tiles.to_vec();
        tiles.sort_unstable();
        let repeated = tiles.windows(2).any(|pair| pair[0] == pair[1]);
        let fits = |tile: &u8| usize::from(*tile) < cells && usize::from(*tile) != blank;
        if repeated || blank >= cells || !tiles.iter().all(fits) {
            return Err(PatternError::Tiles { tiles, blank });
        }
        Ok(Self { topology, blank: blank as u8, tiles: tiles.into() })
    }

    /// The board.
    pub fn topology(&self) -> Topology {
        self.topology
    }

    /// The blank's goal cell.
    pub fn blank(&self) -> usize {
        usize::from(self.blank)
    }

    /// The tiles, each named by its goal cell, from the lowest.
    pub fn tiles(&self) -> &[u8] {
        &self.tiles
    }

    /// The tiles' goal cells as a mask.
    pub(crate) fn mask(&self) -> u64 {
        self.tiles.iter().fold(0, |mask, tile| mask | 1 << tile)
    }

    /// What its table holds of each number of moves.
    pub(crate) fn residue(&self) -> Residue {
        Residue::of(self.topology.kind())
    }

    /// About how many bytes its table holds, without laying it out.
    pub fn estimated_bytes(&self) -> u64 {
        let (rows, tiles) = (estimated_rows(self.topology.cells(), self.tiles.len()), self.tiles.len());
        Packing::new(rows as usize, self.residue()).bytes(factorial(tiles)) as u64
    }

    /// About how long building its table takes on one thread, measured on boards from 3×4 to 6×6.
    pub fn estimated_build_time(&self) -> Duration {
        // Every level looks whence each tile of each row may have come: some thirty levels, and two ways.
        let looks = 60 * estimated_rows(self.topology.cells(), self.tiles.len()) * self.tiles.len() as u64;
        let words = build::plane_bytes(self.tiles.len()) as u64 / 8;
        Duration::from_nanos(looks * (15 + words / 2))
    }

    /// About how many bytes building its table takes.
    pub fn estimated_build_bytes(&self) -> u64 {
        let rows = estimated_rows(self.topology.cells(), self.tiles.len());
        build::peak_bytes(rows, self.tiles.len(), self.residue()) + rows * 20
    }
}

/// The more of a board a pattern covers, the more often it cuts the rest into regions: 1.4 on average
/// for 6 tiles of 25, 2.05 for 6 of 16, 2.75 for 8 of 16.
fn estimated_rows(cells: usize, tiles: usize) -> u64 {
    choose(cells, tiles) as u64 * (cells + 4 * tiles) as u64 / cells as u64
}

/// Why there is no such pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// The board is too large.
    #[error("found a board of {found} cells, expected at most {MAX_PATTERN_CELLS} for pattern tables")]
    Board {
        /// Its cells.
        found: usize,
    },
    /// Too many tiles, or none.
    #[error("found a pattern of {found} tiles, expected 1 to {MAX_TILES}")]
    Count {
        /// How many were given.
        found: usize,
    },
    /// There are too many places for so many tiles.
    #[error("found a pattern of {tiles} tiles on {cells} cells, expected at most {MAX_RANK} sets of cells")]
    Size {
        /// How many tiles were given.
        tiles: usize,
        /// The board's cells.
        cells: usize,
    },
    /// The tiles are not different goal cells on the board without the blank's.
    #[error("found the goal cells {tiles:?} for a pattern, expected different cells of the board other than {blank}")]
    Tiles {
        /// What was given.
        tiles: Vec<u8>,
        /// The blank's goal cell.
        blank: usize,
    },
}

/// For every place of a pattern's tiles and every region of the blank: how many moves those tiles need
/// at least, moves of other tiles not counted. So the sum over patterns that share no tile never
/// exceeds the moves that are needed.
#[derive(Clone)]
pub struct Table {
    pub(crate) pattern: Pattern,
    pub(crate) rows: Arc<Rows>,
    pub(crate) packing: Packing,
    pub(crate) entries: Entries,
}

/// Where a table's bytes are: in memory, or in a file that is mapped.
pub type Entries = Arc<dyn AsRef<[u8]> + Send + Sync>;

impl Table {
    /// Builds the table on so many threads, unless the control ends the build, which counts towards its time and memory.
    /// `report` is called now and then.
    pub fn build(
        pattern: &Pattern,
        rows: &SharedRows,
        threads: usize,
        control: &Control,
        report: &mut dyn FnMut(Built),
    ) -> ControlFlow<Stop, Self> {
        let rows = rows.get(pattern, control)?;
        let entries = build::build(pattern, &rows, threads.max(1), control, report)?;
        let packing = Packing::new(rows.count(), pattern.residue());
        ControlFlow::Continue(Self { pattern: pattern.clone(), rows, packing, entries: Arc::new(entries) })
    }

    /// The table whose packed entries were built before, if they are as many as they should be.
    pub fn from_entries(pattern: &Pattern, rows: &SharedRows, entries: Entries) -> Result<Self, TableError> {
        let rows = rows.without_limits(pattern);
        let packing = Packing::new(rows.count(), pattern.residue());
        let expected = packing.bytes(factorial(pattern.tiles().len()));
        let found = (*entries).as_ref().len();
        if found == expected {
            Ok(Self { pattern: pattern.clone(), rows, packing, entries })
        } else {
            Err(TableError { found, expected })
        }
    }

    /// What it is a table of.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Its packed entries.
    pub fn entries(&self) -> &[u8] {
        (*self.entries).as_ref()
    }

    /// The bytes it holds, the layout of its rows included.
    pub fn bytes(&self) -> u64 {
        self.entries().len() as u64 + self.rows.bytes()
    }

    /// How many moves the pattern's tiles need when they lie in `cells` and the blank in `blank`.
    ///
    /// The table tells a place from its neighbours only by one more or less, so this walks to the goal.
    pub(crate) fn moves_left(&self, cells: &[u8], blank: usize) -> u32 {
        let mut walk = WalkHome::new(self, cells, blank);
        let mut moves = 0;
        // A table that is damaged may lead round and round.
        while moves < MOST_MOVES && !walk.is_home() && walk.approach() {
            moves += 1;
        }
        moves
    }

    /// What is held for a place.
    pub(crate) fn held(&self, row: usize, order: u32) -> u8 {
        let place = self.packing.place(row, order as usize);
        self.entries()[place / 8] >> (place % 8) & ((1 << self.packing.bits) - 1)
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table")
            .field("pattern", &self.pattern)
            .field("bytes", &self.entries().len())
            .finish_non_exhaustive()
    }
}

/// More than any pattern takes: moves are counted in eight bits.
const MOST_MOVES: u32 = 255;

/// Entries that do not belong to a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found {found} bytes of entries, expected {expected} for this pattern")]
pub struct TableError {
    found: usize,
    expected: usize,
}

/// Layouts of rows, each computed once: patterns of as many tiles on the same board share it.
#[derive(Default)]
pub struct SharedRows(std::sync::Mutex<Vec<(RowsKey, Arc<Rows>)>>);

/// What rows depend on: the board and how many tiles a pattern has.
type RowsKey = (Topology, usize);

impl SharedRows {
    /// Nothing computed yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the rows of a pattern's table are those of a [`Plan`](super::Plan), so that entries built by it are this
    /// solver's own; unless the control ends laying them out.
    pub fn are_planned(&self, pattern: &Pattern, control: &Control) -> ControlFlow<Stop, bool> {
        self.get(pattern, control).map_continue(|rows| rows.are_mapped())
    }

    fn without_limits(&self, pattern: &Pattern) -> Arc<Rows> {
        self.get(pattern, &Control::unlimited()).continue_value().expect("nothing ends it")
    }

    fn get(&self, pattern: &Pattern, control: &Control) -> ControlFlow<Stop, Arc<Rows>> {
        let key = (pattern.topology(), pattern.tiles().len());
        let mut known = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((_, rows)) = known.iter().find(|(other, _)| *other == key) {
            return ControlFlow::Continue(Arc::clone(rows));
        }
        let rows = Arc::new(Rows::new(key.0, key.1, control)?);
        known.push((key, Arc::clone(&rows)));
        ControlFlow::Continue(rows)
    }
}
