//! Heuristics that are a sum over the tiles, each looked up by its cell.

use std::ops::{Add, Sub};

use pintu_search::Heuristic;

use crate::{Board, Cell, NotApplicable, Puzzle, TileSpace};

/// A sum over the tiles: how far each one is from home, by some measure.
#[derive(Clone, Debug)]
pub struct PerTile<T> {
    /// For each tile, its part of the sum in each cell.
    table: Box<[T]>,
    stride: usize,
    cells: usize,
}

/// The number of tiles that are not in their goal cell (also called Hamming distance).
pub fn misplaced(puzzle: &Puzzle) -> PerTile<u8> {
    PerTile::new(puzzle, |cell, home| u8::from(cell != home))
}

/// The sum of the tiles' distances from their goal cells, each as if the other tiles were not there.
/// Where rows or columns wrap, distances are those of the wrapped board.
pub fn manhattan(puzzle: &Puzzle) -> PerTile<u8> {
    let distances = puzzle.topology().distances();
    PerTile::new(puzzle, |cell, home| distances.between(cell, home) as u8)
}

/// The sum of the tiles' distances as the crow flies, rounded down after summing.
pub fn euclidean(puzzle: &Puzzle) -> Result<PerTile<Fixed>, NotApplicable> {
    if !puzzle.topology().is_plain() {
        return Err(NotApplicable::Wraps {
            heuristic: "euclidean",
            why: "a tile may take the way around the edge, which is shorter than the straight line",
        });
    }
    let size = puzzle.size();
    Ok(PerTile::new(puzzle, |cell, home| {
        let rows = size.row(cell).abs_diff(size.row(home)) as u64;
        let cols = size.col(cell).abs_diff(size.col(home)) as u64;
        Fixed::sqrt(rows * rows + cols * cols)
    }))
}

/// A part of a sum over the tiles.
pub trait Term: Copy + Default + Into<Self::Sum> {
    /// The sum of the parts.
    type Sum: Copy + Default + Add<Output = Self::Sum> + Sub<Output = Self::Sum>;
    /// The sum as an estimate.
    fn whole(sum: Self::Sum) -> u32;
}

impl Term for u8 {
    type Sum = u32;

    #[inline]
    fn whole(sum: u32) -> u32 {
        sum
    }
}

/// A distance with 32 binary digits after the point, rounded down: sums of them are the same in
/// whatever order they are added and taken away, as sums of floats are not.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fixed(u64);

impl Fixed {
    /// As a decimal.
    pub fn value(self) -> f64 {
        self.0 as f64 / (1_u64 << 32) as f64
    }

    fn sqrt(square: u64) -> Self {
        Self((u128::from(square) << 64).isqrt() as u64)
    }
}

impl From<Fixed> for u64 {
    #[inline]
    fn from(distance: Fixed) -> Self {
        distance.0
    }
}

impl Term for Fixed {
    type Sum = u64;

    #[inline]
    fn whole(sum: u64) -> u32 {
        (sum >> 32) as u32
    }
}

impl<T: Term> PerTile<T> {
    fn new(puzzle: &Puzzle, part: impl Fn(usize, usize) -> T) -> Self {
        let cells = puzzle.size().cells();
        let stride = cells.next_power_of_two();
        let mut table = vec![T::default(); stride * stride].into_boxed_slice();
        for (home, tile) in puzzle.canonical_homes() {
            for cell in 0..cells {
                table[tile * stride + cell] = part(cell, home);
            }
        }
        Self { table, stride, cells }
    }

    /// The part of the tile in each cell; the blank has none.
    pub fn parts<B: Board>(&self, board: &B) -> impl Iterator<Item = T> {
        (0..self.cells).map(|cell| self.part(board.tile(cell), cell))
    }

    #[inline]
    fn part(&self, tile: usize, cell: usize) -> T {
        self.table[tile * self.stride + cell]
    }
}

impl<T: Term, B: Board> Heuristic<TileSpace<B>> for PerTile<T> {
    type Memo = T::Sum;

    fn start(&self, board: &B) -> T::Sum {
        self.parts(board).fold(T::Sum::default(), |sum, part| sum + part.into())
    }

    #[inline]
    fn step(&self, memo: T::Sum, before: &B, to: &Cell, _: &B) -> T::Sum {
        let (from, to) = (usize::from(*to), before.blank());
        let tile = before.tile(from);
        memo + self.part(tile, to).into() - self.part(tile, from).into()
    }

    #[inline]
    fn estimate(&self, memo: T::Sum) -> Option<u32> {
        Some(T::whole(memo))
    }
}
