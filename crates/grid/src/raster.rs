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
    pub(crate) fn steps_from(&self, row: usize, at: usize, cells: u64) -> u64 {
        let mut steps = Ones::default();
        steps.add(self.ways(row, at, cells));
        steps.count()
    }

    /// From which of some cells of a word, which are free, a step leads up, down, back and on.
    #[inline]
    pub(crate) fn ways(&self, row: usize, at: usize, cells: u64) -> [u64; 4] {
        let (above, here, below) = (self.row(row - 1), self.row(row), self.row(row + 1));
        let earlier = here[at] << 1 | at.checked_sub(1).map_or(0, |at| here[at] >> 63);
        let later = here[at] >> 1 | here.get(at + 1).map_or(0, |next| next << 63);
        [above[at], below[at], earlier, later].map(|free| free & cells)
    }

    /// How many steps lead from the free cells of each word of a row.
    #[inline]
    pub(crate) fn steps(&self, row: usize) -> &[u16] {
        &self.steps[row * self.words..][..self.words]
    }

    /// How many rows there are, the blocked ones included.
    pub(crate) fn rows(&self) -> usize {
        self.free.len() / self.words
    }

    /// The free cells of a row; row 0 of the map is row 1 here.
    #[inline]
    pub(crate) fn row(&self, row: usize) -> &[u64] {
        &self.free[row * self.words..][..self.words]
    }

    /// One word of all rows one after the other.
    #[inline]
    pub(crate) fn word(&self, place: usize) -> u64 {
        self.free[place]
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

/// Counts the ones of many words, four at a time: each bit is a column of a sum, whose lower digits are kept as they are, so
/// that only what is carried over from them must be counted.
#[derive(Default)]
pub(crate) struct Ones {
    single: u64,
    twos: u64,
    fours: u64,
}

impl Ones {
    #[inline]
    pub(crate) fn add(&mut self, [a, b, c, d]: [u64; 4]) {
        let (ones, two) = sum(self.single, a, b);
        let (ones, other) = sum(ones, c, d);
        let (twos, four) = sum(self.twos, two, other);
        (self.single, self.twos) = (ones, twos);
        self.fours += u64::from(four.count_ones());
    }

    pub(crate) fn count(&self) -> u64 {
        4 * self.fours + 2 * u64::from(self.twos.count_ones()) + u64::from(self.single.count_ones())
    }
}

/// The sum of three bits, in each column: its lower digit and its higher one.
#[inline]
fn sum(a: u64, b: u64, c: u64) -> (u64, u64) {
    let differ = a ^ b;
    (differ ^ c, (a & b) | (differ & c))
}

#[cfg(test)]
mod tests {
    use super::Ones;

    #[test]
    fn ones_are_counted_whatever_the_words() {
        let (mut ones, mut plain, mut random) = (Ones::default(), 0, 1_u64);
        for round in 0..1000 {
            let words = [0; 4].map(|_: u64| {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                if round % 7 == 0 { u64::MAX } else { random }
            });
            ones.add(words);
            plain += words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
            assert_eq!(ones.count(), plain);
        }
    }
}
