//! Lengths as costs of the search library.

use std::cmp::Ordering;

use pintu_search::Cost;

use crate::Length;

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

    /// No length is the least one: between any two there are others. It is one that is barely less, or just as great.
    fn at_least(rank: LengthRank, divisor: u64) -> Self {
        let part = |sum: u128| u64::try_from(sum / u128::from(divisor)).unwrap_or(u64::MAX);
        Self::new(part(rank.straight), part(rank.diagonal))
    }

    #[inline]
    fn from_rank(rank: LengthRank) -> Option<Self> {
        Some(Self::new(rank.straight.try_into().ok()?, rank.diagonal.try_into().ok()?))
    }

    /// Whole lengths stand between others.
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
