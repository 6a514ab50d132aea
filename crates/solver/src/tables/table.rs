use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use pintu_search::{Control, Stop};
use pintu_tiles::Topology;

use super::{
    build::{self, Built},
    packing::{Packing, Residue},
    rank::{MAX_PATTERN_CELLS, MAX_RANK, MAX_TILES, choose, factorial, order_rank},
    rows::{Rows, Sets, bits, neighbour_masks},
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
            found => Err(PatternError { found }),
        }
    }

    /// The pattern of the tiles whose goal cells are `tiles`. `None` unless they are different cells of the board without
    /// the blank's, few enough for a table.
    pub fn new(topology: Topology, blank: usize, tiles: &[u8]) -> Option<Self> {
        Self::check(topology).ok()?;
        let cells = topology.cells();
        let mut tiles = tiles.to_vec();
        tiles.sort_unstable();
        let is_table = (1..=MAX_TILES).contains(&tiles.len()) && choose(cells, tiles.len()) <= MAX_RANK;
        let is_tile = |tile: &u8| usize::from(*tile) < cells && usize::from(*tile) != blank;
        let are_tiles = blank < cells && tiles.iter().all(is_tile) && tiles.is_sorted_by(|a, b| a < b);
        (is_table && are_tiles).then(|| Self { topology, blank: blank as u8, tiles: tiles.into() })
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

    pub(crate) fn mask(&self) -> u64 {
        mask_of(&self.tiles)
    }

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
        // Every level looks at the cells from which each tile of each row may have come: about thirty levels, two cells.
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

pub(crate) fn mask_of(cells: &[u8]) -> u64 {
    cells.iter().fold(0, |mask, cell| mask | 1 << cell)
}

/// The more of a board a pattern covers, the more often it cuts the rest into regions: 1.4 on average
/// for 6 tiles of 25, 2.05 for 6 of 16, 2.75 for 8 of 16.
fn estimated_rows(cells: usize, tiles: usize) -> u64 {
    choose(cells, tiles) as u64 * (cells + 4 * tiles) as u64 / cells as u64
}

/// The board is too large for pattern tables.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found a board of {found} cells, expected at most {MAX_PATTERN_CELLS} for pattern tables")]
pub struct PatternError {
    found: usize,
}

/// For every position of a pattern's tiles and every region of the blank: how many moves those tiles need at least, moves
/// of other tiles not counted. So the sum over patterns that share no tile never
/// exceeds the moves that are needed.
#[derive(Clone)]
pub struct Table {
    pub(crate) pattern: Pattern,
    pub(crate) rows: Arc<Rows>,
    pub(crate) packing: Packing,
    pub(crate) entries: Entries,
}

/// A table's packed entries, in memory or in a mapped file.
pub type Entries = Arc<dyn AsRef<[u8]> + Send + Sync>;

impl Table {
    /// Builds the table on `threads` threads, unless the control ends the build. `report` is called after every level.
    pub fn build(
        pattern: &Pattern,
        rows: &SharedRows,
        threads: usize,
        control: &Control,
        report: &mut dyn FnMut(Built),
    ) -> Result<Self, Stop> {
        let rows = rows.get(pattern, control)?;
        let entries = build::build(pattern, &rows, threads.max(1), control, report)?;
        let packing = Packing::new(rows.count(), pattern.residue());
        Ok(Self { pattern: pattern.clone(), rows, packing, entries: Arc::new(entries) })
    }

    /// The table whose packed entries were built before, if they are as many as they should be.
    pub fn from_entries(pattern: &Pattern, rows: &SharedRows, entries: Entries) -> Option<Self> {
        let rows = rows.without_limits(pattern);
        let packing = Packing::new(rows.count(), pattern.residue());
        let expected = packing.bytes(factorial(pattern.tiles().len()));
        let is_whole = (*entries).as_ref().len() == expected;
        is_whole.then(|| Self { pattern: pattern.clone(), rows, packing, entries })
    }

    /// Its pattern.
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
    /// Entries only say whether a move leads nearer or farther, so this walks to the goal.
    pub(crate) fn moves_left(&self, cells: &[u8], blank: usize) -> u32 {
        let (pattern, rows) = (&self.pattern, &self.rows);
        let (beside, distances) = (neighbour_masks(pattern.topology()), pattern.topology().distances());
        // The moves left by a modulus. Where only the second bit is held, the first is that of the tiles' distances.
        let remainder = |cells: &[u8], row: usize| {
            let held = u32::from(self.held(row, order_rank(cells)));
            let pairs = cells.iter().zip(pattern.tiles());
            match pattern.residue() {
                Residue::Parity => {
                    let far: usize = pairs.map(|(&at, &home)| distances.between(at.into(), home.into())).sum();
                    2 * held + far as u32 % 2
                }
                Residue::Three => held,
            }
        };
        let modulus = if pattern.residue() == Residue::Parity { 4 } else { 3 };
        // A move after which one move less is left: the tile, its cell, and the row.
        let approach = |cells: &[u8], row: usize| {
            let (taken, wanted) = (mask_of(cells), (remainder(cells, row) + modulus - 1) % modulus);
            let from = |tile: usize| usize::from(cells[tile]);
            let moves = (0..cells.len()).flat_map(|tile| bits(beside[from(tile)] & !taken).map(move |to| (tile, to)));
            let mut reachable = moves.filter(|&(_, to)| rows.row(taken, to) == row);
            reachable.find_map(|(tile, to)| {
                let mut after = cells.to_vec();
                after[tile] = to as u8;
                let row = rows.row(mask_of(&after), from(tile));
                (remainder(&after, row) == wanted).then_some((after, row))
            })
        };
        let goal = (pattern.tiles().to_vec(), rows.row(pattern.mask(), pattern.blank()));
        let mut here = (cells.to_vec(), rows.row(mask_of(cells), blank));
        let mut moves = 0;
        // A damaged table may lead in circles, or nowhere.
        while moves < MAX_MOVES
            && here != goal
            && let Some(next) = approach(&here.0, here.1)
        {
            here = next;
            moves += 1;
        }
        moves
    }

    pub(crate) fn held(&self, row: usize, order: u32) -> u8 {
        let bit = self.packing.first_bit(row, order as usize);
        self.entries()[bit / 8] >> (bit % 8) & ((1 << self.packing.bits) - 1)
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
const MAX_MOVES: u32 = 255;

/// Layouts of rows, each computed once: patterns of as many tiles on the same board share it.
#[derive(Default)]
pub struct SharedRows(Mutex<HashMap<(Topology, usize), Arc<Rows>>>);

impl SharedRows {
    /// Nothing computed yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the rows of a pattern's table are those of a [`Plan`](super::Plan), so that entries built by it are this
    /// solver's own; unless the control ends laying them out.
    pub fn are_planned(&self, pattern: &Pattern, control: &Control) -> Result<bool, Stop> {
        self.get(pattern, control).map(|rows| !matches!(rows.sets, Sets::Wide { .. }))
    }

    fn without_limits(&self, pattern: &Pattern) -> Arc<Rows> {
        self.get(pattern, &Control::unlimited()).expect("nothing ends it")
    }

    fn get(&self, pattern: &Pattern, control: &Control) -> Result<Arc<Rows>, Stop> {
        let key = (pattern.topology(), pattern.tiles().len());
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rows) = known.get(&key) {
            return Ok(Arc::clone(rows));
        }
        let rows = Arc::new(Rows::new(key.0, key.1, control)?);
        known.insert(key, Arc::clone(&rows));
        Ok(rows)
    }
}
