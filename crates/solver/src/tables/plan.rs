//! The layout of a pattern's table, for the solver on a GPU.

use pintu_search::{Control, Stop};
use pintu_tiles::{Kind, Topology};

use super::{
    build::reorderings,
    packing::{Packing, Residue},
    rank::{HalfRanks, SetRanks, factorial},
    rows::{self, MappedSets, neighbour_masks},
};

/// A layout of rows, orders and entries. Where the solver's own tables have maps of their sets' regions (on boards of
/// 16 cells and on most of up to 26), it is theirs, to the bit.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The tiles of a pattern.
    pub tiles: usize,
    /// Orders of the tiles.
    pub orders: usize,
    /// Bits of an entry: the second bit of a number of moves, or its remainder by three.
    pub bits: usize,
    /// Bits of the entries of one order, which lie side by side.
    pub stride: usize,
    /// The number of rows.
    pub rows: usize,
    /// For each set of cells, in the order of their ranks.
    pub sets: Vec<PlannedSet>,
    /// Bits of a map that say which of its set's rows is a cell's.
    pub cell_bits: usize,
}

/// A set of cells that a pattern's tiles lie in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedSet {
    /// The cells.
    pub mask: u64,
    /// For each cell of the blank, the offset of its row from the set's first.
    pub map: u64,
    /// The row of the first region.
    pub first_row: u32,
    /// The number of the set's rows.
    pub rows: u32,
}

/// The most cells of a board that can be planned.
pub const MAX_PLANNED_CELLS: usize = 26;

/// The ranks of sets on a device, whatever the board.
pub type PlannedRanks = HalfRanks<{ 1 << 13 }>;

impl Plan {
    /// Lays out patterns of `tiles` tiles on at most [`MAX_PLANNED_CELLS`] cells, unless the control ends it.
    pub fn under(topology: Topology, tiles: usize, control: &Control) -> Result<Self, Stop> {
        if topology.cells() <= 16 {
            Self::with::<{ 1 << 8 }>(topology, tiles, control)
        } else {
            Self::with::<{ 1 << 13 }>(topology, tiles, control)
        }
    }

    fn with<const N: usize>(topology: Topology, tiles: usize, control: &Control) -> Result<Self, Stop> {
        let beside = neighbour_masks(topology);
        let ranks = SetRanks::new(topology.cells(), tiles);
        let mut sets = Vec::with_capacity(ranks.count());
        let mut rows = 0_usize;
        for (at, mask) in ranks.masks().enumerate() {
            if at.is_multiple_of(rows::CHECK_INTERVAL) {
                control.check()?;
            }
            let regions: Vec<u64> = rows::regions(rows::all(topology.cells()) & !mask, &beside).collect();
            let count = regions.len().min(MappedSets::<N>::MAX_REGIONS);
            let map = MappedSets::<N>::map(&regions);
            sets.push(PlannedSet { mask, map, first_row: rows as u32, rows: count as u32 });
            rows += count;
        }
        let residue = Residue::of(topology.kind());
        let Packing { bits, stride } = Packing::new(rows, residue);
        let cell_bits = MappedSets::<N>::CELL_BITS;
        Ok(Self { tiles, orders: factorial(tiles), bits, stride, rows, sets, cell_bits })
    }

    /// The bytes of a table.
    pub fn bytes(&self) -> u64 {
        (self.orders as u64 * self.stride as u64) / 8
    }

    /// The rank of each order after the tile at position `from` has gone to position `to`: for all pairs, `from` first,
    /// one order after the other.
    pub fn reorderings(&self) -> Vec<u16> {
        reorderings(self.tiles).concat()
    }
}

/// Whether every move of a tile changes the moves that are left by exactly one, so that a bit tells them apart.
pub fn is_told_by_one_bit(kind: Kind) -> bool {
    Residue::of(kind) == Residue::Parity
}
