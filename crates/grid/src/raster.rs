//! Bit sets of the free cells, in which each row begins with a new word.

use std::ops::Range;

/// The free cells of a map, with a blocked row above and below; or of the map with rows and columns exchanged.
#[derive(Clone)]
pub(crate) struct Raster {
    free: Vec<u64>,
    pub(crate) words: usize,
}

impl Raster {
    /// A raster of blocked cells.
    pub(crate) fn new(rows: u32, cols: u32) -> Self {
        let words = (cols as usize).div_ceil(64);
        Self { free: vec![0; words * (rows as usize + 2)], words }
    }

    /// The bytes that it takes for `rows` × `cols` cells.
    pub(crate) fn bytes_of(rows: u32, cols: u32) -> u64 {
        ((cols as usize).div_ceil(64) * (rows as usize + 2) * size_of::<u64>()) as u64
    }

    pub(crate) fn set(&mut self, row: u32, col: u32) {
        self.free[(row as usize + 1) * self.words + col as usize / 64] |= 1 << (col % 64);
    }

    /// The number of steps from some free cells of a word to free cells.
    pub(crate) fn steps_from(&self, row: usize, at: usize, cells: u64) -> u64 {
        let mut steps = Ones::default();
        steps.add(self.ways(row, at, cells));
        steps.count()
    }

    /// The cells among some free ones of a word from which a step leads up, down, back and on.
    #[inline]
    pub(crate) fn ways(&self, row: usize, at: usize, cells: u64) -> [u64; 4] {
        let (above, here, below) = (self.row(row - 1), self.row(row), self.row(row + 1));
        let earlier = here[at] << 1 | at.checked_sub(1).map_or(0, |at| here[at] >> 63);
        let later = here[at] >> 1 | here.get(at + 1).map_or(0, |next| next << 63);
        [above[at], below[at], earlier, later].map(|free| free & cells)
    }

    /// Whether all cells in some columns of a row are free. There is at least one.
    #[inline]
    pub(crate) fn is_open(&self, row: usize, cols: Range<u32>) -> bool {
        let line = self.row(row);
        let last = cols.end - 1;
        let (first_word, last_word) = (cols.start as usize / 64, last as usize / 64);
        (first_word..=last_word).all(|at| {
            let from = if at == first_word { u64::MAX << (cols.start % 64) } else { u64::MAX };
            let to = if at == last_word { u64::MAX >> (63 - last % 64) } else { u64::MAX };
            !line[at] & from & to == 0
        })
    }

    /// The number of rows, the blocked ones included.
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
        self.free.capacity() * size_of::<u64>()
    }
}

/// Counts the ones of many words, four at a time: each bit is a column of a sum, whose lower digits are stored, so that
/// only the carry must be counted.
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

/// The sum of three bits in each column: the lower digit and the carry.
#[inline]
fn sum(a: u64, b: u64, c: u64) -> (u64, u64) {
    let differ = a ^ b;
    (differ ^ c, (a & b) | (differ & c))
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn a_row_is_open_where_all_its_cells_are_free() {
        let blocked = [3, 64, 130, 199];
        let mut raster = Raster::new(1, 200);
        (0..200).filter(|col| !blocked.contains(col)).for_each(|col| raster.set(0, col));
        for (start, end) in (0..200).flat_map(|start| (start + 1..=200).map(move |end| (start, end))) {
            let is_open = !blocked.iter().any(|col| (start..end).contains(col));
            assert_eq!(raster.is_open(1, start..end), is_open, "{start}..{end}");
        }
    }
}
