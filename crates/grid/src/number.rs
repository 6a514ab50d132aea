//! The integers that costs are kept in: 32 bits where they do, 64 or 128 where costs need them.

use pintu_search::Cost;

use crate::scale::Scale;

/// What costs are kept and added up in. Sums are only made of what is below a [limit](crate::scale::Scale::limit) that
/// leaves room for them.
pub(crate) trait Number: Cost + Default {
    /// The greatest number.
    const MOST: u128;

    /// The most that may have been paid: what is beyond is for estimates.
    const MOST_PAID: u128;

    /// A number, which must not be greater than [`MOST`](Self::MOST).
    fn new(number: u128) -> Self;

    fn get(self) -> u128;

    /// The sum, which must fit.
    fn plus(self, other: Self) -> Self;

    /// So many times this, which must fit.
    fn times(self, count: u32) -> Self;

    /// A real number, rounded down.
    fn floor(value: f64) -> Self;
}

macro_rules! number {
    ($number:ty) => {
        impl Number for $number {
            const MOST: u128 = Self::MAX as u128;
            const MOST_PAID: u128 = Self::MOST / 2 - 1;

            #[inline]
            fn new(number: u128) -> Self {
                number as Self
            }

            #[inline]
            fn get(self) -> u128 {
                u128::from(self)
            }

            #[inline]
            fn plus(self, other: Self) -> Self {
                self + other
            }

            #[inline]
            fn times(self, count: u32) -> Self {
                self * Self::from(count)
            }

            #[inline]
            fn floor(value: f64) -> Self {
                value as Self
            }
        }
    };
}

number!(u32);
number!(u64);

/// A cost of 128 bits: for maps on which single cells cost more than 64 bits have room for, once lengths are exact.
/// Estimates, which may be greater still, stay at the greatest number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Huge(pub(crate) u128);

/// A rank of huge costs: the high bits, then the low 64.
type HugeRank = (u128, u64);

impl Huge {
    /// The greatest sum: what is beyond does not fit, or is not exact.
    const MOST_SUM: u128 = Scale::HUGE.exact_below - 1;
}

impl Number for Huge {
    const MOST: u128 = u128::MAX;
    // Sums stay at the greatest number, which must be one more.
    const MOST_PAID: u128 = Self::MOST - 1;

    fn new(number: u128) -> Self {
        Self(number)
    }

    fn get(self) -> u128 {
        self.0
    }

    fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    fn times(self, count: u32) -> Self {
        Self(self.0.saturating_mul(u128::from(count)))
    }

    fn floor(value: f64) -> Self {
        Self(value as u128)
    }
}

fn wide_product(number: u128, factor: u64) -> HugeRank {
    let low = u128::from(number as u64) * u128::from(factor);
    ((number >> 64) * u128::from(factor) + (low >> 64), low as u64)
}

fn wide_sum(a: HugeRank, b: HugeRank) -> HugeRank {
    let (low, carry) = a.1.overflowing_add(b.1);
    (a.0 + b.0 + u128::from(carry), low)
}

impl Cost for Huge {
    const ZERO: Self = Self(0);
    const ONE: Self = Self(1);
    type Rank = HugeRank;
    const MOST_RANK: HugeRank = (u128::MAX, u64::MAX);

    fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).filter(|&sum| sum <= Self::MOST_SUM).map(Self)
    }

    fn steps(count: u64) -> Self {
        Self(count.into())
    }

    fn blend(self, paid: u64, left: Self, factor: u64) -> HugeRank {
        wide_sum(wide_product(self.0, paid), wide_product(left.0, factor))
    }

    fn total(self, left: Self) -> HugeRank {
        self.blend(1, left, 1)
    }

    fn at_least((high, low): HugeRank, divisor: u64) -> Self {
        let divisor = u128::from(divisor);
        let rest = (high % divisor) << 64 | u128::from(low);
        // A quotient that does not fit stands for the greatest number.
        let fits = high / divisor <= u128::from(u64::MAX);
        Self(if fits { ((high / divisor) << 64).saturating_add(rest.div_ceil(divisor)) } else { u128::MAX })
    }

    fn from_rank((high, low): HugeRank) -> Option<Self> {
        u64::try_from(high).ok().map(|high| Self(u128::from(high) << 64 | u128::from(low)))
    }

    fn index(_: HugeRank) -> Option<usize> {
        None
    }

    fn whole(self) -> u64 {
        u64::try_from(self.0).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn huge_ranks_do_not_wrap() {
        let most = Huge(u128::MAX);
        assert_eq!(Huge::at_least(most.blend(1000, most, 0), 1000), most);
        assert_eq!(Huge::at_least(most.blend(1000, most, 1_000_000), 1_001_000), most);
        assert_eq!(Huge::at_least(most.total(most), 1), most);
        assert!(most.blend(1000, Huge(1), 1) > most.blend(1000, Huge(0), 1));
        assert_eq!(Huge::at_least(Huge(7).total(Huge(0)), 2), Huge(4));
        assert_eq!(Huge::from_rank(most.total(Huge(0))), Some(most));
        assert_eq!(Huge::from_rank(most.total(Huge(1))), None);
        assert_eq!(Huge(Huge::MOST_SUM).checked_add(Huge(1)), None);
        // The quotient's low half carries.
        assert_eq!(Huge::at_least((1, u64::MAX), 2), Huge((1 << 64 | u128::from(u64::MAX)).div_ceil(2)));
        assert_eq!(Huge::at_least((3, u64::MAX - 1), 2), Huge((3 << 64 | u128::from(u64::MAX - 1)).div_ceil(2)));
    }
}
