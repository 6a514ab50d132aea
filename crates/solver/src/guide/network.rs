//! A small network on top of the tables: what lies where → 128 → 32 → what the tables miss.
//!
//! The first layer's sums change by two rows of weights when a tile moves, so that they are made once for a state and serve
//! all its moves. Weights and sums are whole numbers: every machine says the same.

use super::evaluation::SCALE;

/// What the hidden layers have.
pub(crate) const FIRST: usize = 128;
pub(crate) const SECOND: usize = 32;

/// A first layer's sums or weights of a row, this many to one.
#[cfg(any(feature = "training", test))]
const ROW_UNIT: f32 = 256.0;
/// The second layer's weights.
const DEEP_BITS: u32 = 9;
const DEEP_UNIT: f32 = (1 << DEEP_BITS) as f32;
/// The last layer's.
const LAST_UNIT: f32 = 256.0;
/// The most that a hidden value may be, so that no sum overflows.
const MOST: i16 = 8191;
/// The greatest weight of a layer after the first, for the same reason.
#[cfg(any(feature = "training", test))]
const MOST_WEIGHT: f32 = 1023.0;
/// What one of the network's output is in moves.
pub(crate) const OUTPUT_MOVES: f32 = 10.0;

/// The same as scores have it.
const OUTPUT_SCALE: i64 = OUTPUT_MOVES as i64 * SCALE as i64;

/// A network for boards of `cells` cells, whose goal's blank is in the corner of a plain square.
pub(crate) struct Network {
    cells: usize,
    /// For each tile in each cell; the blank's are zero.
    rows: Vec<[i16; FIRST]>,
    bias: [i16; FIRST],
    deep: Vec<[i16; FIRST]>,
    deep_bias: [i32; SECOND],
    last: [i32; SECOND],
    last_bias: i32,
    /// What the tables' score counts, in 1/256.
    share: i32,
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "other processors have no such instructions"))]
    has_avx2: bool,
}

/// A network as it is trained.
#[cfg(feature = "training")]
pub(crate) struct Weights {
    pub(crate) cells: usize,
    /// All in one array, so that training may treat them alike: rows, bias, deep (by input), its bias, last, its bias.
    pub(crate) all: Vec<f32>,
    /// What the tables' score counts.
    pub(crate) share: f32,
}

/// The sums of the first layer.
pub(super) type Sums = [i16; FIRST];

/// The number of weights of a network for `cells` cells.
pub(crate) const fn weights(cells: usize) -> usize {
    cells * cells * FIRST + FIRST + FIRST * SECOND + SECOND + SECOND + 1
}

#[cfg(feature = "training")]
impl Weights {
    /// Where each layer begins: bias, deep, its bias, last, its bias.
    pub(crate) fn parts(cells: usize) -> [usize; 5] {
        let bias = cells * cells * FIRST;
        let deep = bias + FIRST;
        let deep_bias = deep + FIRST * SECOND;
        [bias, deep, deep_bias, deep_bias + SECOND, deep_bias + 2 * SECOND]
    }

    /// What [`rounded`](Self::rounded) made, to go on with it.
    pub(crate) fn from_rounded(cells: usize, numbers: &[i16]) -> Option<Self> {
        let [_, deep, _, last, last_bias] = Self::parts(cells);
        let (&share, weights) = numbers.split_last()?;
        if weights.len() != self::weights(cells) {
            return None;
        }
        let unit = |at: usize| if (last..last_bias).contains(&at) { LAST_UNIT } else { ROW_UNIT };
        let mut all: Vec<f32> = weights.iter().enumerate().map(|(at, &number)| f32::from(number) / unit(at)).collect();
        for from in 0..FIRST {
            for to in 0..SECOND {
                all[deep + from * SECOND + to] = f32::from(weights[deep + to * FIRST + from]) / DEEP_UNIT;
            }
        }
        Some(Self { cells, all, share: f32::from(share) / 256.0 })
    }

    /// The weights as whole numbers of 16 bits.
    pub(crate) fn rounded(&self) -> Vec<i16> {
        let [_, deep, deep_bias, last, last_bias] = Self::parts(self.cells);
        let whole = |value: f32, unit: f32, most: f32| (value * unit).round().clamp(-most, most) as i16;
        let mut numbers: Vec<i16> = Vec::new();
        numbers.extend(self.all[..deep].iter().map(|&weight| whole(weight, ROW_UNIT, 8191.0)));
        for to in 0..SECOND {
            let column = (0..FIRST).map(|from| self.all[deep + from * SECOND + to]);
            numbers.extend(column.map(|weight| whole(weight, DEEP_UNIT, MOST_WEIGHT)));
        }
        numbers.extend(self.all[deep_bias..last].iter().map(|&weight| whole(weight, ROW_UNIT, 32767.0)));
        numbers.extend(self.all[last..last_bias].iter().map(|&weight| whole(weight, LAST_UNIT, MOST_WEIGHT)));
        numbers.push(whole(self.all[last_bias], ROW_UNIT, 32767.0));
        numbers.push(whole(self.share, 256.0, 32767.0));
        numbers
    }
}

impl Network {
    /// From what [`Weights::rounded`] makes, two bytes a number, the lower first. `None` unless they are as many as they
    /// must be.
    pub(crate) fn new(cells: usize, bytes: &[u8]) -> Option<Self> {
        let (words, rest) = bytes.as_chunks::<2>();
        if words.len() != weights(cells) + 1 || !rest.is_empty() {
            return None;
        }
        let mut words = words.iter().map(|&word| i16::from_le_bytes(word));
        let mut row = || -> [i16; FIRST] { std::array::from_fn(|_| words.next().unwrap_or(0)) };
        let rows = (0..cells * cells).map(|_| row()).collect();
        let bias = row();
        let deep = (0..SECOND).map(|_| row()).collect();
        let mut layer = || -> [i32; SECOND] { std::array::from_fn(|_| words.next().unwrap_or(0).into()) };
        let deep_bias = layer().map(|weight| weight * DEEP_UNIT as i32);
        let last = layer();
        let last_bias = i32::from(words.next()?) * LAST_UNIT as i32;
        let share = words.next()?.into();
        #[cfg(target_arch = "x86_64")]
        let has_avx2 = is_x86_feature_detected!("avx2");
        #[cfg(not(target_arch = "x86_64"))]
        let has_avx2 = false;
        Some(Self { cells, rows, bias, deep, deep_bias, last, last_bias, share, has_avx2 })
    }

    /// What the tables' score counts beside the network.
    #[inline]
    pub(super) fn scaled(&self, score: i32) -> i32 {
        (score * self.share) >> 8
    }

    /// The first layer's sums of a board.
    #[inline]
    pub(super) fn sums(&self, tiles: &[u8]) -> Sums {
        #[cfg(target_arch = "x86_64")]
        if self.has_avx2 {
            // SAFETY: the processor has it.
            #[expect(unsafe_code, reason = "twice as many numbers at once take half the time")]
            return unsafe { self.sums_avx2(tiles) };
        }
        self.sums_plain(tiles)
    }

    /// What the network says, in 1/64 of a move, after a tile has moved from a cell to the blank's.
    #[inline]
    pub(super) fn after(&self, sums: &Sums, tile: usize, from: usize, blank: usize) -> i32 {
        #[cfg(target_arch = "x86_64")]
        if self.has_avx2 {
            // SAFETY: the processor has it.
            #[expect(unsafe_code, reason = "twice as many numbers at once take half the time")]
            return unsafe { self.after_avx2(sums, tile, from, blank) };
        }
        self.after_plain(sums, tile, from, blank)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn sums_avx2(&self, tiles: &[u8]) -> Sums {
        self.sums_plain(tiles)
    }

    /// The same as [`after_plain`](Self::after_plain), by instructions for sixteen numbers at once, which the compiler does
    /// not find for the products of the second layer.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn after_avx2(&self, sums: &Sums, tile: usize, from: usize, blank: usize) -> i32 {
        use std::arch::x86_64::{
            __m256i, _mm256_add_epi16, _mm256_add_epi32, _mm256_hadd_epi32, _mm256_loadu_si256, _mm256_madd_epi16,
            _mm256_max_epi16, _mm256_min_epi16, _mm256_set1_epi16, _mm256_setzero_si256, _mm256_storeu_si256,
            _mm256_sub_epi16,
        };
        #[inline]
        #[target_feature(enable = "avx2")]
        fn load(row: &[i16; FIRST], at: usize) -> __m256i {
            const { assert!(FIRST.is_multiple_of(16)) };
            // SAFETY: sixteen numbers from there on are in the row, as the slice has shown.
            #[expect(unsafe_code, reason = "it is how numbers get to such instructions")]
            unsafe {
                _mm256_loadu_si256(row[16 * at..16 * at + 16].as_ptr().cast())
            }
        }
        let rows = &self.rows[tile * self.cells..][..self.cells];
        let (left, entered) = (&rows[from], &rows[blank]);
        let (zero, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(MOST));
        let mut hidden = [zero; FIRST / 16];
        for (at, hidden) in hidden.iter_mut().enumerate() {
            let sum = _mm256_add_epi16(_mm256_sub_epi16(load(sums, at), load(left, at)), load(entered, at));
            *hidden = _mm256_min_epi16(_mm256_max_epi16(sum, zero), most);
        }
        let mut second = [0_i32; SECOND];
        for (four, values) in self.deep.chunks_exact(4).zip(second.chunks_exact_mut(4)) {
            let mut products = [zero; 4];
            for (weights, product) in four.iter().zip(&mut products) {
                let mut even = zero;
                let mut odd = zero;
                for at in 0..FIRST / 32 {
                    even = _mm256_add_epi32(even, _mm256_madd_epi16(hidden[2 * at], load(weights, 2 * at)));
                    odd = _mm256_add_epi32(odd, _mm256_madd_epi16(hidden[2 * at + 1], load(weights, 2 * at + 1)));
                }
                *product = _mm256_add_epi32(even, odd);
            }
            let pairs = _mm256_hadd_epi32(
                _mm256_hadd_epi32(products[0], products[1]),
                _mm256_hadd_epi32(products[2], products[3]),
            );
            let mut halves = [0_i32; 8];
            // SAFETY: eight numbers fit.
            #[expect(unsafe_code, reason = "it is how numbers come from such instructions")]
            unsafe {
                _mm256_storeu_si256(halves.as_mut_ptr().cast(), pairs);
            }
            for (at, value) in values.iter_mut().enumerate() {
                *value = halves[at] + halves[at + 4];
            }
        }
        self.last_layer(&second)
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled anew for each set of instructions")]
    fn sums_plain(&self, tiles: &[u8]) -> Sums {
        let mut sums = self.bias;
        for (cell, &tile) in tiles[..self.cells].iter().enumerate() {
            let row = &self.rows[usize::from(tile) * self.cells + cell];
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum = sum.wrapping_add(*weight);
            }
        }
        sums
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled anew for each set of instructions")]
    fn after_plain(&self, sums: &Sums, tile: usize, from: usize, blank: usize) -> i32 {
        let rows = &self.rows[tile * self.cells..][..self.cells];
        let (left, entered) = (&rows[from], &rows[blank]);
        let mut hidden = [0_i16; FIRST];
        for at in 0..FIRST {
            hidden[at] = sums[at].wrapping_sub(left[at]).wrapping_add(entered[at]).clamp(0, MOST);
        }
        let mut second = [0; SECOND];
        for (value, weights) in second.iter_mut().zip(&self.deep) {
            *value = hidden.iter().zip(weights).map(|(&hidden, &weight)| i32::from(hidden) * i32::from(weight)).sum();
        }
        self.last_layer(&second)
    }

    /// From the sums of the second layer.
    #[inline]
    fn last_layer(&self, second: &[i32; SECOND]) -> i32 {
        let value = |to: usize| ((second[to] + self.deep_bias[to]) >> DEEP_BITS).clamp(0, 32767);
        let out = (0..SECOND).map(|to| value(to) * self.last[to]).sum::<i32>() + self.last_bias;
        // Sixteen bits are the units of the rows and of the last layer.
        ((i64::from(out) * OUTPUT_SCALE) >> 16) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_as_many_as_they_must_be() {
        for (side, bytes) in
            [(6, include_bytes!("../../weights/6.bin") as &[u8]), (7, include_bytes!("../../weights/7.bin"))]
        {
            assert!(Network::new(side * side, bytes).is_some(), "{side}");
            assert!(Network::new(side * side, &bytes[2..]).is_none() && bytes.len() <= 2_000_000, "{side}");
            let network = Network::new(side * side, bytes).unwrap();
            assert!(
                network.rows[..side * side].iter().flatten().all(|&weight| weight == 0),
                "the blank has no weights"
            );
            let greatest = network.deep.iter().flatten().map(|weight| weight.unsigned_abs()).max();
            assert!(greatest <= Some(MOST_WEIGHT as u16), "no sum overflows");
        }
        assert_eq!((ROW_UNIT * LAST_UNIT) as u32, 1 << 16);
    }

    /// After random moves, sums that were made from the ones before say what those made from scratch say, and so do the
    /// instructions for many numbers at once.
    #[test]
    fn a_move_changes_two_rows() {
        let network = Network::new(36, include_bytes!("../../weights/6.bin")).unwrap();
        let plain = Network { has_avx2: false, ..Network::new(36, include_bytes!("../../weights/6.bin")).unwrap() };
        let mut tiles: Vec<u8> = (0..36).collect();
        let mut blank = 0_usize;
        for number in crate::beam::spread_numbers(3).take(300) {
            let (row, col) = (blank / 6, blank % 6);
            let beside = [(row > 0, 6_isize), (row < 5, -6), (col > 0, 1), (col < 5, -1)];
            let (is_there, step) = beside[(number >> 33) as usize % 4];
            if !is_there {
                continue;
            }
            let from = blank.wrapping_add_signed(-step);
            let sums = network.sums(&tiles);
            let said = network.after(&sums, tiles[from].into(), from, blank);
            assert_eq!(said, plain.after(&plain.sums(&tiles), tiles[from].into(), from, blank));
            tiles.swap(from, blank);
            blank = from;
            // A tile that does not move changes nothing.
            assert_eq!(said, network.after(&network.sums(&tiles), 1, 7, 7));
        }
    }
}
