//! Which cells are free, a bit each, rows beginning with a word of their own.

use crate::{Cell, Map};

/// The free cells of a map, with a blocked row above and below.
#[derive(Clone)]
pub(crate) struct Raster {
    free: Vec<u64>,
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
        Self { free, words }
    }

    /// The bytes that it takes for a map.
    pub(crate) fn bytes_of(map: &Map) -> u64 {
        (words_of(map) * (map.rows as usize + 2) * 8) as u64
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
        self.free.capacity() * 8
    }
}

/// Words a row.
fn words_of(map: &Map) -> usize {
    (map.cols as usize).div_ceil(64)
}
