//! The states that are searched: boards packed as tightly as their size allows.

use std::{
    fmt,
    hash::{Hash, Hasher},
};

/// A board as a search holds it. Tiles are canonical: see
/// [`Puzzle::canonical_start`](crate::Puzzle::canonical_start).
pub trait Board: Clone + Eq + Hash + fmt::Debug {
    /// Packs tiles in reading order.
    ///
    /// # Panics
    /// If there are more than the board holds.
    fn pack(tiles: &[u8]) -> Self;
    /// The tile in a cell.
    fn tile(&self, cell: usize) -> usize;
    /// The blank's cell.
    fn blank(&self) -> usize;
    /// Moves the blank from its cell to another.
    fn slide(&mut self, blank: usize, to: usize);
}

/// Up to 16 cells, four bits each. Cells that the board does not have hold 15, so that the only
/// zero is the blank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nibbles(u64);

const LOW_BITS: u64 = 0x1111_1111_1111_1111;

impl Hash for Nibbles {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.0);
    }
}

impl Board for Nibbles {
    fn pack(tiles: &[u8]) -> Self {
        assert!(tiles.len() <= 16, "{} cells do not fit into 16 nibbles", tiles.len());
        let unused = if tiles.len() == 16 { 0 } else { u64::MAX << (4 * tiles.len()) };
        Self(tiles.iter().enumerate().fold(unused, |bits, (cell, &tile)| bits | u64::from(tile) << (4 * cell)))
    }

    #[inline]
    fn tile(&self, cell: usize) -> usize {
        (self.0 >> (4 * cell) & 15) as usize
    }

    #[inline]
    fn blank(&self) -> usize {
        let pairs = self.0 | self.0 >> 1;
        let zero = !(pairs | pairs >> 2) & LOW_BITS;
        zero.trailing_zeros() as usize / 4
    }

    #[inline]
    fn slide(&mut self, blank: usize, to: usize) {
        let tile = self.0 >> (4 * to) & 15;
        self.0 ^= tile << (4 * to) | tile << (4 * blank);
    }
}

/// Up to `N` cells, a byte each, and the blank's cell: `Bytes<25>` for 5×5.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bytes<const N: usize> {
    cells: [u8; N],
    blank: u8,
}

impl<const N: usize> Hash for Bytes<N> {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write(&self.cells);
    }
}

impl<const N: usize> Board for Bytes<N> {
    fn pack(tiles: &[u8]) -> Self {
        let mut cells = [u8::MAX; N];
        cells[..tiles.len()].copy_from_slice(tiles);
        let blank = tiles.iter().position(|&tile| tile == 0).expect("a board has a blank");
        Self { cells, blank: blank as u8 }
    }

    #[inline]
    fn tile(&self, cell: usize) -> usize {
        usize::from(self.cells[cell])
    }

    #[inline]
    fn blank(&self) -> usize {
        usize::from(self.blank)
    }

    #[inline]
    fn slide(&mut self, blank: usize, to: usize) {
        self.cells[blank] = self.cells[to];
        self.cells[to] = 0;
        self.blank = to as u8;
    }
}
