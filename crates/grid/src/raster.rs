//! Which cells are free, a bit each, rows beginning with a word of their own.

use crate::{Cell, Map};

/// The free cells of a map, with a blocked row above and below.
#[derive(Clone)]
pub(crate) struct Raster {
    free: Vec<u64>,
    /// How many steps lead from the free cells of each word, all together.
    steps: Vec<u16>,
    /// Words a row.
    pub(crate) words: usize,
}

impl Raster {
    pub(crate) fn new(map: &Map) -> Self {
        let words = words_of(map);
        let mut free = vec![0; words * (map.rows as usize + 2)];
        for row in 0..map.rows {
            for col in 0..map.cols {
                let is_free = map.pieces.of(map.index(Cell::new(row, col))) != 0;
                free[(row as usize + 1) * words + col as usize / 64] |= u64::from(is_free) << (col % 64);
            }
        }
        let mut raster = Self { steps: vec![0; free.len()], free, words };
        for row in 1..=map.rows as usize {
            for at in 0..words {
                let free = raster.row(row)[at];
                raster.steps[row * words + at] = raster.steps_from(row, at, free) as u16;
            }
        }
        raster
    }

    /// The bytes that it takes for a map.
    pub(crate) fn bytes_of(map: &Map) -> u64 {
        (words_of(map) * (map.rows as usize + 2) * WORD_BYTES) as u64
    }

    /// How many steps lead from some cells of a word, which are free, to free cells.
    #[inline]
    pub(crate) fn steps_from(&self, row: usize, at: usize, cells: u64) -> u32 {
        let (above, here, below) = (self.row(row - 1), self.row(row), self.row(row + 1));
        let earlier = here[at] << 1 | at.checked_sub(1).map_or(0, |at| here[at] >> 63);
        let later = here[at] >> 1 | here.get(at + 1).map_or(0, |next| next << 63);
        let [up, down, left, right] = [above[at], below[at], earlier, later].map(|free| free & cells);
        // The ones of four words in three: a cell has one way, or two, or both.
        let (one, other) = (up ^ down, left ^ right);
        let twos = ((up & down) | (one & other)).count_ones() + (left & right).count_ones();
        (one ^ other).count_ones() + 2 * twos
    }

    /// How many steps lead from the free cells of each word of a row.
    #[inline]
    pub(crate) fn steps(&self, row: usize) -> &[u16] {
        &self.steps[row * self.words..(row + 1) * self.words]
    }

    /// How many rows there are, the blocked ones included.
    pub(crate) fn rows(&self) -> usize {
        self.free.len() / self.words
    }

    /// The free cells of a row; row 0 of the map is row 1 here.
    #[inline]
    pub(crate) fn row(&self, row: usize) -> &[u64] {
        &self.free[row * self.words..(row + 1) * self.words]
    }

    pub(crate) fn bytes(&self) -> usize {
        self.free.capacity() * size_of::<u64>() + self.steps.capacity() * size_of::<u16>()
    }
}

/// What each word takes.
const WORD_BYTES: usize = size_of::<u64>() + size_of::<u16>();

/// Words a row.
fn words_of(map: &Map) -> usize {
    (map.cols as usize).div_ceil(64)
}
