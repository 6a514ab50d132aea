//! Which cells are free, a bit each, rows beginning with a word of their own.

use crate::{Cell, Map};

/// The free cells of a map, with a blocked row above and below.
#[derive(Clone)]
pub(crate) struct Raster {
    free: Vec<u64>,
    /// How many steps there are from the free cells of each word together.
    steps: Vec<u16>,
    /// Words a row.
    pub(crate) words: usize,
}

impl Raster {
    pub(crate) fn new(map: &Map) -> Self {
        let words = (map.cols as usize).div_ceil(64);
        let mut free = vec![0; words * (map.rows as usize + 2)];
        for row in 0..map.rows {
            for col in 0..map.cols {
                let is_free = map.pieces.of(map.index(Cell::new(row, col))) != 0;
                free[(row as usize + 1) * words + col as usize / 64] |= u64::from(is_free) << (col % 64);
            }
        }
        let mut raster = Self { free, words, steps: Vec::new() };
        let mut steps = vec![0; raster.free.len()];
        for row in 1..=map.rows as usize {
            for at in 0..words {
                steps[row * words + at] = raster.steps_from(row, at, raster.row(row)[at]) as u16;
            }
        }
        raster.steps = steps;
        raster
    }

    /// How many steps there are from some of the free cells of a word together.
    #[inline]
    pub(crate) fn steps(&self, row: usize, at: usize, from: u64) -> u32 {
        let word = row * self.words + at;
        if from == self.free[word] { u32::from(self.steps[word]) } else { self.steps_from(row, at, from) }
    }

    fn steps_from(&self, row: usize, at: usize, from: u64) -> u32 {
        let (above, here, below) = (self.row(row - 1), self.row(row), self.row(row + 1));
        let earlier = here[at] << 1 | at.checked_sub(1).map_or(0, |at| here[at] >> 63);
        let later = here[at] >> 1 | here.get(at + 1).map_or(0, |next| next << 63);
        [above[at], below[at], earlier, later].map(|free| (free & from).count_ones()).iter().sum()
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
        self.free.capacity() * 8 + self.steps.capacity() * 2
    }
}
