use std::{fmt, ops::ControlFlow, sync::Arc};

use super::{
    build::{self, Built},
    rank::{MAX_PATTERN_CELLS, MAX_TILES, choose, factorial},
    rows::Rows,
};
use crate::{Kind, Topology};

/// Some of a board's tiles, each named by its goal cell, and the cell where the blank belongs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    topology: Topology,
    blank: u8,
    tiles: Box<[u8]>,
}

impl Pattern {
    /// The pattern of the tiles whose goal cells are `tiles`.
    pub fn new(topology: Topology, blank: usize, tiles: &[u8]) -> Result<Self, PatternError> {
        let cells = topology.cells();
        if cells > MAX_PATTERN_CELLS {
            return Err(PatternError::Board { found: cells });
        }
        if !(1..=MAX_TILES).contains(&tiles.len()) {
            return Err(PatternError::Count { found: tiles.len() });
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

    /// By what the moves of the pattern's tiles can differ from the sum of their distances: always by
    /// an even number where every move changes the colour of a tile's cell.
    pub(crate) fn step(&self) -> u32 {
        if self.topology.kind() == Kind::TwoColoured { 2 } else { 1 }
    }

    /// An upper bound on the bytes of its table, without laying it out.
    pub fn estimated_bytes(&self) -> u64 {
        estimated_rows(self.topology.cells(), self.tiles.len()) * build::row_bytes(self.tiles.len()) as u64
    }

    /// An upper bound on the bytes that building its table takes.
    pub fn estimated_build_bytes(&self) -> u64 {
        let rows = estimated_rows(self.topology.cells(), self.tiles.len());
        build::peak_bytes(rows, self.tiles.len()) + rows * 4 * self.topology.cells() as u64
    }
}

/// The more of a board a pattern covers, the more often it cuts the rest into regions; on the boards
/// up to 64 cells never into more than 1.8 on average.
fn estimated_rows(cells: usize, tiles: usize) -> u64 {
    choose(cells, tiles) as u64 * 9 / 5 + 1
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
    pub(crate) entries: Entries,
}

/// Where a table's bytes are: in memory, or in a file that is mapped.
pub type Entries = Arc<dyn AsRef<[u8]> + Send + Sync>;

impl Table {
    /// Builds the table on so many threads, unless `watch` breaks it off.
    pub fn build(
        pattern: &Pattern,
        rows: &SharedRows,
        threads: usize,
        watch: &mut dyn FnMut(Built) -> ControlFlow<()>,
    ) -> Option<Self> {
        let rows = rows.get(pattern);
        let entries = build::build(pattern, &rows, threads.max(1), watch)?;
        Some(Self { pattern: pattern.clone(), rows, entries: Arc::new(entries) })
    }

    /// The table whose packed entries were built before, if they are as many as they should be.
    pub fn from_entries(pattern: &Pattern, rows: &SharedRows, entries: Entries) -> Result<Self, TableError> {
        let rows = rows.get(pattern);
        let expected = rows.count() * build::row_bytes(pattern.tiles().len());
        let found = (*entries).as_ref().len();
        if found == expected {
            Ok(Self { pattern: pattern.clone(), rows, entries })
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

    /// The entry of a place: `mask` and `order` are the ranks' arguments, `blank` the blank's cell.
    #[inline]
    pub(crate) fn entry(&self, mask: u64, order: u32, blank: usize) -> u32 {
        let row = self.rows.row(mask, blank);
        let at = row * build::row_bytes(self.pattern.tiles.len()) * 2 + order as usize;
        u32::from(self.entries()[at / 2] >> (4 * (at % 2)) & 15)
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("pattern", &self.pattern).field("bytes", &self.entries().len()).finish()
    }
}

/// Entries that do not belong to a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found {found} bytes of entries, expected {expected} for this pattern")]
pub struct TableError {
    found: usize,
    expected: usize,
}

/// Layouts of rows, each computed once: patterns of as many tiles on the same board share it.
#[derive(Default)]
pub struct SharedRows(std::sync::Mutex<Vec<((Topology, usize), Arc<Rows>)>>);

impl SharedRows {
    /// Nothing computed yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn get(&self, pattern: &Pattern) -> Arc<Rows> {
        let key = (pattern.topology(), pattern.tiles().len());
        let mut known = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((_, rows)) = known.iter().find(|(other, _)| *other == key) {
            return Arc::clone(rows);
        }
        let rows = Arc::new(Rows::new(key.0, key.1));
        known.push((key, Arc::clone(&rows)));
        rows
    }
}

/// The states of a pattern's table: places of the tiles, for the blank anywhere.
pub fn places(cells: usize, tiles: usize) -> u64 {
    choose(cells, tiles) as u64 * factorial(tiles) as u64
}
