//! How a pattern's table is laid out, for an engine of its own kind that builds such tables and looks boards up in them.

use std::ops::ControlFlow::{self, Continue};

use pintu_search::{Control, Stop};
use pintu_tiles::{Kind, Topology};

use super::{
    build::turn,
    packing::Packing,
    rank::{HalfRanks, SetRanks, factorial, order_of},
    residue::Residue,
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
    /// How many rows there are.
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
    /// For each cell of the blank, by how much its row comes after the set's first.
    pub map: u64,
    /// The row of the first region.
    pub first_row: u32,
    /// How many rows the set has.
    pub rows: u32,
}

/// The most cells of a board that can be planned.
pub const MOST_PLANNED_CELLS: usize = 26;

/// The numbers of sets: the first one's index is a set's lower cells, the second one's its other cells, and their sum
/// is its rank.
#[derive(Clone, Debug)]
pub struct PlannedRanks {
    /// By the lower [`PlannedRanks::LOW_CELLS`] cells of a set.
    pub low: Vec<u16>,
    /// By the cells above them.
    pub high: Vec<u32>,
}

impl PlannedRanks {
    /// Cells that the lower part of a set has.
    pub const LOW_CELLS: usize = HalfRanks::<{ 1 << 13 }>::CELLS / 2;

    /// For patterns of so many tiles.
    pub fn new(tiles: usize) -> Self {
        let (low, high) = HalfRanks::<{ 1 << 13 }>::new(tiles).parts();
        Self { low, high }
    }
}

impl Plan {
    /// For patterns of so many tiles on a board, unless the control ends that. Nothing if the board has too many cells
    /// or the table too many rows.
    pub fn under(topology: Topology, tiles: usize, control: &Control) -> ControlFlow<Stop, Option<Self>> {
        match topology.cells() {
            0..=16 => Self::with::<{ 1 << 8 }>(topology, tiles, control),
            17..=MOST_PLANNED_CELLS => Self::with::<{ 1 << 13 }>(topology, tiles, control),
            _ => Continue(None),
        }
    }

    fn with<const N: usize>(topology: Topology, tiles: usize, control: &Control) -> ControlFlow<Stop, Option<Self>> {
        let beside = neighbour_masks(topology);
        let ranks = SetRanks::new(topology.cells(), tiles);
        let mut sets = Vec::with_capacity(ranks.count());
        let mut rows = 0_usize;
        for (at, mask) in ranks.masks().enumerate() {
            if at.is_multiple_of(rows::LOOK) {
                control.check()?;
            }
            let regions: Vec<u64> = rows::regions(rows::all(topology.cells()) & !mask, &beside).collect();
            let count = regions.len().min(MappedSets::<N>::MAX_REGIONS);
            let Ok(first_row) = u32::try_from(rows) else { return Continue(None) };
            sets.push(PlannedSet { mask, map: MappedSets::<N>::map(&regions), first_row, rows: count as u32 });
            rows += count;
        }
        let residue = Residue::of(topology.kind());
        let Packing { bits, stride } = Packing::new(rows, residue);
        let cell_bits = MappedSets::<N>::CELL_BITS;
        Continue(Some(Self { tiles, orders: factorial(tiles), bits, stride, rows, sets, cell_bits }))
    }

    /// The bytes of a table.
    pub fn bytes(&self) -> u64 {
        (self.orders as u64 * self.stride as u64) / 8
    }

    /// What each order becomes when the tile in place `from` goes to place `to`: for all pairs of places, `to` first,
    /// one order after the other. Nothing changes where both places are one.
    pub fn turns(&self) -> Vec<u16> {
        let orders: Vec<Vec<u8>> = (0..self.orders).map(|rank| order_of(rank, self.tiles)).collect();
        let pairs = (0..self.tiles).flat_map(|from| (0..self.tiles).map(move |to| (from, to)));
        pairs.flat_map(|(from, to)| turn(&orders, from, to)).collect()
    }
}

/// Whether every move of a tile changes the moves that are left by exactly one, so that a bit tells them apart.
pub fn is_told_by_one_bit(kind: Kind) -> bool {
    Residue::of(kind) == Residue::Parity
}
