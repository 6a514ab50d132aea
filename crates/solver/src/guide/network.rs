//! A small network on top of the tables: tiles in cells → 256 → 32 → the moves that the tables miss.
//!
//! A tile's move changes the first layer's sums by two rows of weights. So a state's sums serve all its moves, and become
//! another state's by the rows of the tiles that lie elsewhere there. All are integers: every machine agrees.

use super::evaluation::SCALE;

/// The number of values of the first hidden layer.
pub(crate) const FIRST: usize = 256;
/// The number of values of the second hidden layer.
pub(crate) const SECOND: usize = 32;

/// The unit of the first layer's weights and sums: this many are one.
#[cfg(any(feature = "training", test))]
const ROW_UNIT: f32 = 256.0;
/// The unit of the second layer's weights.
const DEEP_BITS: u32 = 9;
const DEEP_UNIT: f32 = (1 << DEEP_BITS) as f32;
/// The unit of the last layer's weights.
const LAST_UNIT: f32 = 256.0;
/// The most that a hidden value may be, so that no sum overflows.
const MOST: i16 = 8191;
/// The most that a value of the second layer may be.
const MOST_DEEP: i32 = 32767;
/// The greatest weight of a layer after the first, for the same reason.
#[cfg(any(feature = "training", test))]
const MOST_WEIGHT: f32 = 1000.0;
/// Moves for one unit of the network's output.
pub(crate) const OUTPUT_MOVES: f32 = 10.0;

/// The same in the unit of scores.
const OUTPUT_SCALE: i64 = OUTPUT_MOVES as i64 * SCALE as i64;

/// A network for boards of `cells` cells, whose goal's blank is in the corner of a plain square.
pub struct Network {
    cells: usize,
    /// The row of weights of each tile in each cell; the blank's are zero.
    pub rows: Vec<[i16; FIRST]>,
    /// The first layer's bias.
    pub bias: [i16; FIRST],
    /// The second layer's weights, for each of its values.
    pub deep: Vec<[i16; FIRST]>,
    /// The second layer's bias.
    pub deep_bias: [i32; SECOND],
    /// The last layer's weights.
    pub last: [i32; SECOND],
    /// The last layer's bias.
    pub last_bias: i32,
    /// The weight of the tables' score, in 1/256.
    pub share: i32,
    /// The second layer's weights once more, for instructions that make all of its values at once: for each two of the first
    /// layer's values, the two weights of each value.
    #[cfg(target_arch = "x86_64")]
    pairs: Vec<Pairs>,
    #[cfg(target_arch = "x86_64")]
    instructions: Instructions,
}

#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Pairs([i16; 2 * SECOND]);

/// The processor's vector instructions.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instructions {
    Plain,
    Avx2,
    Avx512,
}

#[cfg(target_arch = "x86_64")]
impl Instructions {
    fn of_processor() -> Self {
        if is_x86_feature_detected!("avx512vnni") && is_x86_feature_detected!("avx512bw") {
            Self::Avx512
        } else if is_x86_feature_detected!("avx2") {
            Self::Avx2
        } else {
            Self::Plain
        }
    }
}

/// A network as it is trained.
#[cfg(any(feature = "training", test))]
pub(crate) struct Weights {
    pub(crate) cells: usize,
    /// All in one array, so that training may treat them alike: rows, bias, deep (by input), its bias, last, its bias.
    pub(crate) all: Vec<f32>,
    /// The weight of the tables' score.
    pub(crate) share: f32,
}

/// The sums of the first layer.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Sums([i16; FIRST]);

/// A tile's move into the blank's cell.
#[derive(Clone, Copy)]
pub(super) struct Moved {
    /// The index of the state from which it is made.
    pub(super) of: u32,
    pub(super) tile: u8,
    pub(super) from: u8,
    pub(super) blank: u8,
}

/// The number of weights of a network for `cells` cells.
pub(crate) const fn weights(cells: usize) -> usize {
    cells * cells * FIRST + FIRST + FIRST * SECOND + SECOND + SECOND + 1
}

#[cfg(any(feature = "training", test))]
impl Weights {
    /// The index at which each part begins: bias, deep, its bias, last, its bias.
    pub(crate) fn parts(cells: usize) -> [usize; 5] {
        let bias = cells * cells * FIRST;
        let deep = bias + FIRST;
        let deep_bias = deep + FIRST * SECOND;
        [bias, deep, deep_bias, deep_bias + SECOND, deep_bias + 2 * SECOND]
    }

    /// Weights from the numbers that [`rounded`](Self::rounded) made; `None` unless their number is right.
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
    /// A network from the numbers that [`Weights::rounded`] makes, two bytes each, little-endian. `None` unless their
    /// number is right.
    pub(crate) fn new(cells: usize, bytes: &[u8]) -> Option<Self> {
        let (words, rest) = bytes.as_chunks::<2>();
        if words.len() != weights(cells) + 1 || !rest.is_empty() {
            return None;
        }
        let mut words = words.iter().map(|&word| i16::from_le_bytes(word));
        let mut row = || -> [i16; FIRST] { std::array::from_fn(|_| words.next().unwrap_or(0)) };
        let rows = (0..cells * cells).map(|_| row()).collect();
        let bias = row();
        let deep: Vec<_> = (0..SECOND).map(|_| row()).collect();
        let mut layer = || -> [i32; SECOND] { std::array::from_fn(|_| words.next().unwrap_or(0).into()) };
        let deep_bias = layer().map(|weight| weight * DEEP_UNIT as i32);
        let last = layer();
        let last_bias = i32::from(words.next()?) * LAST_UNIT as i32;
        let share = words.next()?.into();
        #[cfg(target_arch = "x86_64")]
        let pairs = (0..FIRST / 2).map(|at| Pairs(std::array::from_fn(|to| deep[to / 2][2 * at + to % 2]))).collect();
        Some(Self {
            cells,
            rows,
            bias,
            deep,
            deep_bias,
            last,
            last_bias,
            share,
            #[cfg(target_arch = "x86_64")]
            pairs,
            #[cfg(target_arch = "x86_64")]
            instructions: Instructions::of_processor(),
        })
    }

    /// The tables' score times its weight.
    #[inline]
    pub(super) fn scaled(&self, score: i32) -> i32 {
        (score * self.share) >> 8
    }

    /// The first layer's sums of a board.
    pub(super) fn sums(&self, tiles: &[u8]) -> Sums {
        let mut sums = self.bias;
        for (cell, &tile) in tiles[..self.cells].iter().enumerate() {
            let row = &self.rows[usize::from(tile) * self.cells + cell];
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum = sum.wrapping_add(*weight);
            }
        }
        Sums(sums)
    }

    /// Turns a board's sums into those of another one that differs in these cells.
    #[inline]
    pub(super) fn change(&self, sums: &mut Sums, before: &[u8], after: &[u8], cells: &[u8]) {
        #[cfg(target_arch = "x86_64")]
        if self.instructions != Instructions::Plain {
            // SAFETY: `instructions` says that the processor has AVX2.
            #[expect(unsafe_code, reason = "more numbers at once take a part of the time")]
            return unsafe { self.change_avx2(sums, before, after, cells) };
        }
        self.change_plain(sums, before, after, cells);
    }

    /// The network's judgement of each move, in 1/64 of a move; `sums` are those of the states before.
    #[inline]
    pub(super) fn judge(&self, sums: &[Sums], moves: &[Moved], tell: impl FnMut(usize, i32)) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `instructions` says what the processor has.
        #[expect(unsafe_code, reason = "more numbers at once take a part of the time")]
        unsafe {
            match self.instructions {
                Instructions::Avx512 => return self.judge_avx512(sums, moves, tell),
                Instructions::Avx2 => return self.judge_avx2(sums, moves, tell),
                Instructions::Plain => {}
            }
        }
        self.judge_plain(sums, moves, tell);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn change_avx2(&self, sums: &mut Sums, before: &[u8], after: &[u8], cells: &[u8]) {
        use std::arch::x86_64::{_mm256_add_epi16, _mm256_sub_epi16};
        let mut now: [_; FIRST / 16] = std::array::from_fn(|at| wide::load(&sums.0, at));
        for &cell in cells {
            let row = |tiles: &[u8]| usize::from(tiles[usize::from(cell)]) * self.cells + usize::from(cell);
            let (left, entered) = (&self.rows[row(before)], &self.rows[row(after)]);
            for (at, now) in now.iter_mut().enumerate() {
                *now = _mm256_add_epi16(_mm256_sub_epi16(*now, wide::load(left, at)), wide::load(entered, at));
            }
        }
        for (at, now) in now.into_iter().enumerate() {
            wide::store(&mut sums.0, at, now);
        }
    }

    /// The same as [`judge_plain`](Self::judge_plain), two moves and all values of the second layer at once.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn judge_avx2(&self, sums: &[Sums], moves: &[Moved], mut tell: impl FnMut(usize, i32)) {
        use std::arch::x86_64::{
            _mm256_add_epi16, _mm256_add_epi32, _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16,
            _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_sub_epi16,
        };
        const AT_ONCE: usize = 2;
        let (zero, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(MOST));
        let mut hidden = [Sums([0; FIRST]); AT_ONCE];
        for (first, moves) in (0..).step_by(AT_ONCE).zip(moves.chunks(AT_ONCE)) {
            for (&moved, hidden) in moves.iter().zip(&mut hidden) {
                let (sums, left, entered) = self.of_move(sums, moved);
                for at in 0..FIRST / 16 {
                    let sum = _mm256_sub_epi16(wide::load(&sums.0, at), wide::load(left, at));
                    let sum = _mm256_add_epi16(sum, wide::load(entered, at));
                    wide::store(&mut hidden.0, at, _mm256_min_epi16(_mm256_max_epi16(sum, zero), most));
                }
            }
            let mut second = [[zero; SECOND / 8]; AT_ONCE];
            for (at, pairs) in self.pairs.iter().enumerate() {
                for (hidden, second) in hidden.iter().zip(&mut second) {
                    let two = _mm256_set1_epi32(two(&hidden.0, at));
                    for (part, second) in second.iter_mut().enumerate() {
                        let product = _mm256_madd_epi16(two, wide::load(&pairs.0, part));
                        *second = _mm256_add_epi32(*second, product);
                    }
                }
            }
            for (at, second) in (first..).zip(&second[..moves.len()]) {
                let mut values = [0_i32; SECOND];
                for (part, &second) in second.iter().enumerate() {
                    wide::store_values(&mut values, part, second);
                }
                tell(at, self.last_layer(&values));
            }
        }
    }

    /// The same, four moves at once.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    fn judge_avx512(&self, sums: &[Sums], moves: &[Moved], mut tell: impl FnMut(usize, i32)) {
        use std::arch::x86_64::{
            _mm512_add_epi16, _mm512_add_epi32, _mm512_dpwssd_epi32, _mm512_max_epi16, _mm512_max_epi32,
            _mm512_min_epi16, _mm512_min_epi32, _mm512_mullo_epi32, _mm512_reduce_add_epi32, _mm512_set1_epi16,
            _mm512_set1_epi32, _mm512_setzero_si512, _mm512_srai_epi32, _mm512_sub_epi16,
        };
        const AT_ONCE: usize = 4;
        let (zero, most) = (_mm512_setzero_si512(), _mm512_set1_epi16(MOST));
        let bias: [_; SECOND / 16] = std::array::from_fn(|part| wider::load_values(&self.deep_bias, part));
        let last: [_; SECOND / 16] = std::array::from_fn(|part| wider::load_values(&self.last, part));
        let mut hidden = [Sums([0; FIRST]); AT_ONCE];
        for (first, moves) in (0..).step_by(AT_ONCE).zip(moves.chunks(AT_ONCE)) {
            for (&moved, hidden) in moves.iter().zip(&mut hidden) {
                let (sums, left, entered) = self.of_move(sums, moved);
                for at in 0..FIRST / 32 {
                    let sum = _mm512_sub_epi16(wider::load(&sums.0, at), wider::load(left, at));
                    let sum = _mm512_add_epi16(sum, wider::load(entered, at));
                    wider::store(&mut hidden.0, at, _mm512_min_epi16(_mm512_max_epi16(sum, zero), most));
                }
            }
            let mut second = [bias; AT_ONCE];
            for (at, pairs) in self.pairs.iter().enumerate() {
                let weights: [_; SECOND / 16] = std::array::from_fn(|part| wider::load(&pairs.0, part));
                for (hidden, second) in hidden.iter().zip(&mut second) {
                    let two = _mm512_set1_epi32(two(&hidden.0, at));
                    for (second, &weights) in second.iter_mut().zip(&weights) {
                        *second = _mm512_dpwssd_epi32(*second, two, weights);
                    }
                }
            }
            let most = _mm512_set1_epi32(MOST_DEEP);
            for (at, second) in (first..).zip(&second[..moves.len()]) {
                let mut out = zero;
                for (&second, &last) in second.iter().zip(&last) {
                    let value = _mm512_srai_epi32::<DEEP_BITS>(second);
                    let value = _mm512_min_epi32(_mm512_max_epi32(value, zero), most);
                    out = _mm512_add_epi32(out, _mm512_mullo_epi32(value, last));
                }
                tell(at, self.output(_mm512_reduce_add_epi32(out)));
            }
        }
    }

    fn change_plain(&self, sums: &mut Sums, before: &[u8], after: &[u8], cells: &[u8]) {
        for &cell in cells {
            let row = |tiles: &[u8]| usize::from(tiles[usize::from(cell)]) * self.cells + usize::from(cell);
            let (left, entered) = (&self.rows[row(before)], &self.rows[row(after)]);
            for at in 0..FIRST {
                sums.0[at] = sums.0[at].wrapping_sub(left[at]).wrapping_add(entered[at]);
            }
        }
    }

    fn judge_plain(&self, sums: &[Sums], moves: &[Moved], mut tell: impl FnMut(usize, i32)) {
        for (index, &moved) in moves.iter().enumerate() {
            let (sums, left, entered) = self.of_move(sums, moved);
            let mut hidden = [0_i16; FIRST];
            for at in 0..FIRST {
                hidden[at] = sums.0[at].wrapping_sub(left[at]).wrapping_add(entered[at]).clamp(0, MOST);
            }
            let value = |weights: &[i16; FIRST]| -> i32 {
                hidden.iter().zip(weights).map(|(&hidden, &weight)| i32::from(hidden) * i32::from(weight)).sum()
            };
            let second = std::array::from_fn(|to| value(&self.deep[to]));
            tell(index, self.last_layer(&second));
        }
    }

    /// The sums before a move, and the rows that leave them and enter them.
    #[inline]
    fn of_move<'a>(&'a self, sums: &'a [Sums], moved: Moved) -> (&'a Sums, &'a [i16; FIRST], &'a [i16; FIRST]) {
        let rows = &self.rows[usize::from(moved.tile) * self.cells..][..self.cells];
        (&sums[moved.of as usize], &rows[usize::from(moved.from)], &rows[usize::from(moved.blank)])
    }

    /// The output for the second layer's sums.
    #[inline]
    fn last_layer(&self, second: &[i32; SECOND]) -> i32 {
        let value = |to: usize| ((second[to] + self.deep_bias[to]) >> DEEP_BITS).clamp(0, MOST_DEEP);
        self.output((0..SECOND).map(|to| value(to) * self.last[to]).sum::<i32>())
    }

    /// The output for the last layer's sum, in 1/64 of a move.
    #[inline]
    fn output(&self, sum: i32) -> i32 {
        // The units of the rows and of the last layer together are 16 bits.
        ((i64::from(sum + self.last_bias) * OUTPUT_SCALE) >> 16) as i32
    }
}

/// Two neighbouring values as a word.
#[cfg(target_arch = "x86_64")]
#[inline]
fn two(values: &[i16; FIRST], at: usize) -> i32 {
    let [first, second] = [values[2 * at], values[2 * at + 1]].map(|value| i32::from(value as u16));
    first | second << 16
}

/// Sixteen numbers at once.
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "it is how numbers get to such instructions and come from them")]
mod wide {
    use std::arch::x86_64::{__m256i, _mm256_loadu_si256, _mm256_storeu_si256};

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn load<const N: usize>(numbers: &[i16; N], at: usize) -> __m256i {
        // SAFETY: sixteen numbers from there on are in the array, as the slice has shown.
        unsafe { _mm256_loadu_si256(numbers[16 * at..16 * at + 16].as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn store<const N: usize>(numbers: &mut [i16; N], at: usize, values: __m256i) {
        // SAFETY: as above.
        unsafe { _mm256_storeu_si256(numbers[16 * at..16 * at + 16].as_mut_ptr().cast(), values) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn store_values<const N: usize>(numbers: &mut [i32; N], at: usize, values: __m256i) {
        // SAFETY: as above, eight numbers.
        unsafe { _mm256_storeu_si256(numbers[8 * at..8 * at + 8].as_mut_ptr().cast(), values) }
    }
}

/// Thirty-two numbers at once.
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "it is how numbers get to such instructions and come from them")]
mod wider {
    use std::arch::x86_64::{__m512i, _mm512_loadu_si512, _mm512_storeu_si512};

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn load<const N: usize>(numbers: &[i16; N], at: usize) -> __m512i {
        // SAFETY: thirty-two numbers from there on are in the array, as the slice has shown.
        unsafe { _mm512_loadu_si512(numbers[32 * at..32 * at + 32].as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn load_values<const N: usize>(numbers: &[i32; N], at: usize) -> __m512i {
        // SAFETY: as above, sixteen numbers.
        unsafe { _mm512_loadu_si512(numbers[16 * at..16 * at + 16].as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn store<const N: usize>(numbers: &mut [i16; N], at: usize, values: __m512i) {
        // SAFETY: as above.
        unsafe { _mm512_storeu_si512(numbers[32 * at..32 * at + 32].as_mut_ptr().cast(), values) }
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

    /// After random moves, sums that were made from other ones are those made from scratch; and what all instructions say of
    /// the moves is the same.
    #[test]
    fn sums_change_by_rows_and_all_instructions_agree() {
        let plain = Network::new(36, include_bytes!("../../weights/6.bin")).unwrap();
        let mut tiles: Vec<u8> = (0..36).collect();
        let mut boards = vec![tiles.clone()];
        let mut moves = Vec::new();
        let mut blank = 0_usize;
        for number in crate::beam::spread_numbers(3).take(300) {
            let (row, col) = (blank / 6, blank % 6);
            let beside = [(row > 0, 6_isize), (row < 5, -6), (col > 0, 1), (col < 5, -1)];
            let (is_there, step) = beside[(number >> 33) as usize % 4];
            if !is_there {
                continue;
            }
            let from = blank.wrapping_add_signed(-step);
            let of = boards.len() as u32 - 1;
            moves.push(Moved { of, tile: tiles[from], from: from as u8, blank: blank as u8 });
            tiles.swap(from, blank);
            blank = from;
            boards.push(tiles.clone());
        }
        let sums: Vec<Sums> = boards.iter().map(|tiles| plain.sums(tiles)).collect();
        let said = |network: &Network| {
            let mut all = Vec::new();
            network.judge(&sums, &moves, |at, said| {
                assert_eq!(at, all.len());
                all.push(said);
            });
            all
        };
        let mut expected = Vec::new();
        plain.judge_plain(&sums, &moves, |_, said| expected.push(said));
        // A tile that does not move changes nothing.
        for (&said, sums) in expected.iter().zip(&sums[1..]) {
            let stays = Moved { of: 0, tile: 1, from: 7, blank: 7 };
            plain.judge_plain(&[*sums], &[stays], |_, still| assert_eq!(said, still));
        }
        let mut networks = vec![Network::new(36, include_bytes!("../../weights/6.bin")).unwrap()];
        #[cfg(target_arch = "x86_64")]
        for instructions in [Instructions::Plain, Instructions::Avx2] {
            if instructions == Instructions::Plain || is_x86_feature_detected!("avx2") {
                networks
                    .push(Network { instructions, ..Network::new(36, include_bytes!("../../weights/6.bin")).unwrap() });
            }
        }
        for network in &networks {
            assert_eq!(said(network), expected);
            for (at, tiles) in boards.iter().enumerate().step_by(7) {
                let before = &boards[at / 2];
                let differ: Vec<u8> = (0..36).filter(|&c| before[usize::from(c)] != tiles[usize::from(c)]).collect();
                let mut changed = sums[at / 2];
                network.change(&mut changed, before, tiles, &differ);
                assert_eq!(changed.0, sums[at].0);
            }
        }
    }
}
