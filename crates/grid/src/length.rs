use std::{cmp::Ordering, f64::consts::SQRT_2, fmt};

use pintu_search::Cost;

/// The greatest cost of a cell, and of a path: 2⁵³. Whole numbers up to here are exact as floating-point numbers (and so in
/// JSON), too.
pub const MAX_COST: u64 = 1 << 53;

/// The greatest cost of a path where diagonal steps are allowed and the costs of all cells have no common divisor: 64-bit
/// sums of straight and diagonal steps are exact up to here.
pub const MAX_DIAGONAL_COST: u64 = 1_855_077_840;

/// The exact length or cost of a path on a map: `straight + diagonal × √2`.
///
/// A straight step adds what it costs to enter its cell to `straight`, a diagonal step to `diagonal`.
/// Lengths are compared exactly.
///
/// ```
/// use pintu_grid::Length;
///
/// // 70 and 99 are the usual integers for 1 and √2; with them these two tie.
/// let (a, b) = (Length::new(99, 0), Length::new(0, 70));
/// assert!(a > b);
/// assert_eq!(b.to_string(), "98.99494936611666");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Length {
    /// The sum over the straight steps.
    pub straight: u64,
    /// The sum over the diagonal steps, each of which counts √2 times.
    pub diagonal: u64,
}

impl Length {
    /// `straight + diagonal × √2`.
    pub const fn new(straight: u64, diagonal: u64) -> Self {
        Self { straight, diagonal }
    }

    /// The length as a floating-point number: exact if it is whole, else the nearest number or one beside it.
    pub fn value(self) -> f64 {
        self.straight as f64 + self.diagonal as f64 * SQRT_2
    }

    /// The sum, unless it exceeds [`MAX_COST`].
    pub fn checked_add(self, other: Self) -> Option<Self> {
        Self::new(self.straight.checked_add(other.straight)?, self.diagonal.checked_add(other.diagonal)?).checked()
    }

    /// The length times `factor`, unless it exceeds [`MAX_COST`].
    pub fn times(self, factor: u64) -> Option<Self> {
        Self::new(self.straight.checked_mul(factor)?, self.diagonal.checked_mul(factor)?).checked()
    }

    fn checked(self) -> Option<Self> {
        let is_small = (self.straight | self.diagonal) < MAX_COST / 4;
        (is_small || self <= Self::new(MAX_COST, 0)).then_some(self)
    }

    /// Whether the rounding error of [`value`](Self::value) is smaller than the difference to any other length.
    pub(crate) fn is_plain(self) -> bool {
        const FEW: u64 = 1 << 20;
        self.diagonal == 0 || (self.straight < FEW && self.diagonal < FEW)
    }

    /// The length as a whole number, if it is one.
    pub fn whole(self) -> Option<u64> {
        (self.diagonal == 0).then_some(self.straight)
    }
}

impl Ord for Length {
    fn cmp(&self, other: &Self) -> Ordering {
        self.total(Self::default()).cmp(&other.total(Self::default()))
    }
}

impl PartialOrd for Length {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Length {
    /// A whole number as such, any other in full precision and with six decimals at least.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.whole() {
            Some(whole) => whole.fmt(f),
            None => decimals(self.value()).fmt(f),
        }
    }
}

/// A number in full precision, with six decimals at least.
pub(crate) fn decimals(value: f64) -> String {
    let short = value.to_string();
    let (whole, decimals) = short.split_once('.').unwrap_or((&short, ""));
    format!("{whole}.{decimals:0<6}")
}

/// Sums and multiples of lengths, `straight + diagonal × √2`, which do not wrap and are compared exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LengthRank {
    straight: u128,
    diagonal: u128,
}

impl Ord for LengthRank {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        let straight = self.straight.cmp(&other.straight);
        let diagonal = self.diagonal.cmp(&other.diagonal);
        if straight != diagonal.reverse() || straight.is_eq() {
            return straight.then(diagonal);
        }
        // One has more straights and the other more diagonals: compare the squares of the differences. (Half a square is
        // never a square, so that rounding it down does no harm.)
        let (high, low) = square(self.straight.abs_diff(other.straight));
        let half = (high >> 1, high << 127 | low >> 1);
        if half >= square(self.diagonal.abs_diff(other.diagonal)) { straight } else { diagonal }
    }
}

impl PartialOrd for LengthRank {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The square of a number in two halves.
fn square(number: u128) -> (u128, u128) {
    let (high, low) = (number >> 64, number & u128::from(u64::MAX));
    let across = high * low;
    let (sum, carry) = (low * low).overflowing_add(across << 65);
    (high * high + (across >> 63) + u128::from(carry), sum)
}

impl Cost for Length {
    const ZERO: Self = Self::new(0, 0);
    const ONE: Self = Self::new(1, 0);
    type Rank = LengthRank;
    const MOST_RANK: LengthRank = LengthRank { straight: u128::MAX, diagonal: u128::MAX };
    // A sum is refused by its exact value, or because one part of it, and so the whole, is above 2⁶⁴: in either case it
    // exceeds every length that is not refused, as `Cost` wants it.

    #[inline]
    fn checked_add(self, other: Self) -> Option<Self> {
        self.checked_add(other)
    }

    fn steps(count: u64) -> Self {
        Self::new(count, 0)
    }

    #[inline]
    fn blend(self, paid: u64, left: Self, factor: u64) -> LengthRank {
        let sum = |a: u64, b: u64| u128::from(a) * u128::from(paid) + u128::from(b) * u128::from(factor);
        LengthRank { straight: sum(self.straight, left.straight), diagonal: sum(self.diagonal, left.diagonal) }
    }

    #[inline]
    fn total(self, left: Self) -> LengthRank {
        self.blend(1, left, 1)
    }

    /// There is no least length, as there are others between any two. This one is equal, or less by very little.
    fn at_least(rank: LengthRank, divisor: u64) -> Self {
        let part = |sum: u128| u64::try_from(sum / u128::from(divisor)).unwrap_or(u64::MAX);
        Self::new(part(rank.straight), part(rank.diagonal))
    }

    #[inline]
    fn from_rank(rank: LengthRank) -> Option<Self> {
        Some(Self::new(rank.straight.try_into().ok()?, rank.diagonal.try_into().ok()?))
    }

    /// Other lengths lie between whole ones.
    fn index(_: LengthRank) -> Option<usize> {
        None
    }

    fn whole(self) -> u64 {
        self.value() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_that_of_the_numbers() {
        let lengths: Vec<Length> = (0..150).flat_map(|a| (0..150).map(move |b| Length::new(a, b))).collect();
        for x in lengths.iter().step_by(7) {
            for y in &lengths {
                // Two different lengths of this size differ by more than a rounding error.
                let by_value = if x == y { Ordering::Equal } else { x.value().total_cmp(&y.value()) };
                assert_eq!(x.cmp(y), by_value, "{x:?} {y:?}");
            }
        }
    }

    #[test]
    fn differences_beyond_floating_point_count() {
        // Consecutive convergents of √2: 1855077841 / 1311738121, on either side.
        assert!(Length::new(1_855_077_841, 0) < Length::new(0, 1_311_738_121));
        assert!(Length::new(768_398_401, 0) > Length::new(0, 543_339_720));
        assert!(Length::new(u64::MAX, 0) < Length::new(0, u64::MAX));
    }

    #[test]
    fn prints_whole_numbers_and_decimals() {
        assert_eq!(Length::new(10, 0).to_string(), "10");
        assert_eq!(Length::new(1, 1).to_string(), "2.414213562373095");
        assert_eq!(decimals(1.5), "1.500000");
    }

    /// Convergents of √2 lie on either side of it by turns, each nearer than the one before.
    #[test]
    fn sums_are_compared_exactly_up_to_the_last_bit() {
        let (mut p, mut q, mut is_above) = (1_u128, 1_u128, false);
        while p < 1 << 125 {
            let (straight, diagonal) =
                (LengthRank { straight: p, diagonal: 0 }, LengthRank { straight: 0, diagonal: q });
            assert_eq!(straight > diagonal, is_above, "{p}/{q}");
            assert_eq!(straight.cmp(&diagonal), diagonal.cmp(&straight).reverse());
            // The same on both sides changes nothing.
            let more = |rank: LengthRank| LengthRank { straight: rank.straight + p, diagonal: rank.diagonal + q };
            assert_eq!(more(straight).cmp(&more(diagonal)), straight.cmp(&diagonal));
            (p, q, is_above) = (p + 2 * q, p + q, !is_above);
        }
        assert!(Length::MOST_RANK > LengthRank { straight: u128::MAX, diagonal: 0 });
        assert_eq!(square(u128::MAX), (u128::MAX - 1, 1));
    }

    #[test]
    fn ranks_neither_wrap_nor_promise_too_much() {
        let most = Length::new(u64::MAX, u64::MAX);
        assert_eq!(Length::from_rank(most.total(Length::ZERO)), Some(most));
        assert_eq!(Length::from_rank(most.total(Length::ONE)), None);
        assert_eq!(Length::at_least(most.blend(1000, most, 1_000_000), 1_001_000), most);
        let rank = Length::new(7, 5).blend(1000, Length::new(1, 0), 1500);
        assert!(Length::at_least(rank, 1500).blend(1500, Length::ZERO, 1) <= rank);
        assert_eq!(Length::at_least(Length::new(7, 5).total(Length::ONE), 1), Length::new(8, 5));
        assert_eq!(Cost::whole(Length::new(1, 1)), 2);
    }
}
