use std::{
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
};

/// The cost of a step, or of a whole path: `u32`, `u64`, `usize`, or [`Real`] for floating-point numbers.
///
/// Sums are checked. A path whose cost does not fit is dropped, and a search that then finds no goal ends with
/// [`Stop::Overflow`](crate::Stop::Overflow). A path that it does find is as cheap as it says, because a sum that does not
/// fit is greater than every cost.
///
/// Two costs of which the first matters more, such as changes and then minutes, are one number: `changes << 32 | minutes`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no cost",
    label = "expected `u32`, `u64`, `usize` or `Real`",
    note = "costs are never negative: write `1_u32` or `1_u64`, and wrap floating-point numbers as `Real::new(1.5)` does"
)]
pub trait Cost: Copy + Ord + Hash + fmt::Debug + Send + Sync + 'static {
    /// The cost of no step.
    const ZERO: Self;
    /// The cost of a unit step.
    const ONE: Self;
    /// The type of weighted sums of costs, in which they do not overflow.
    type Rank: Copy + Ord + fmt::Debug + Send + Sync;
    /// Upper bound of all ranks; no cost has this rank.
    const MOST_RANK: Self::Rank;

    /// The sum, if it fits. A sum that does not fit is greater than every cost.
    fn checked_add(self, other: Self) -> Option<Self>;

    /// The cost of `count` unit steps; the greatest cost if that does not fit.
    fn steps(count: u64) -> Self;

    /// `self × paid + left × factor`, with factors of at most a million.
    fn blend(self, paid: u64, left: Self, factor: u64) -> Self::Rank;

    /// `self + left`, which need not fit a cost.
    #[inline]
    fn total(self, left: Self) -> Self::Rank {
        self.blend(1, left, 1)
    }

    /// The least cost that is `rank / divisor` or more; the greatest if none is.
    fn at_least(rank: Self::Rank, divisor: u64) -> Self;

    /// The cost equal to a rank, if there is one.
    fn from_rank(rank: Self::Rank) -> Option<Self>;

    /// A rank as an index, if it is a small whole number.
    fn index(rank: Self::Rank) -> Option<usize>;

    /// In whole units, rounded down, for [`Control::bound`](crate::Control::bound).
    fn whole(self) -> u64;
}

macro_rules! whole_cost {
    ($cost:ty, $rank:ty) => {
        #[expect(clippy::allow_attributes, reason = "which casts are needless depends on the type")]
        #[allow(clippy::cast_lossless, clippy::unnecessary_cast, reason = "one text for all types")]
        impl Cost for $cost {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            type Rank = $rank;
            const MOST_RANK: $rank = <$rank>::MAX;

            #[inline]
            fn checked_add(self, other: Self) -> Option<Self> {
                self.checked_add(other)
            }

            #[inline]
            fn steps(count: u64) -> Self {
                Self::try_from(count).unwrap_or(Self::MAX)
            }

            #[inline]
            fn blend(self, paid: u64, left: Self, factor: u64) -> $rank {
                self as $rank * <$rank>::from(paid) + left as $rank * <$rank>::from(factor)
            }

            #[inline]
            fn at_least(rank: $rank, divisor: u64) -> Self {
                Self::try_from(rank.div_ceil(<$rank>::from(divisor))).unwrap_or(Self::MAX)
            }

            #[inline]
            fn from_rank(rank: $rank) -> Option<Self> {
                Self::try_from(rank).ok()
            }

            #[inline]
            fn index(rank: $rank) -> Option<usize> {
                usize::try_from(rank).ok()
            }

            #[inline]
            fn whole(self) -> u64 {
                self as u64
            }
        }
    };
}

whole_cost!(u32, u64);
whole_cost!(u64, u128);
whole_cost!(usize, u128);

/// A floating-point cost: finite and not negative, so that costs can be ordered and sums only grow.
///
/// Sums are rounded: of paths whose costs differ by less than the rounding error, any may be called the cheapest.
///
/// ```
/// use pintu_search::{dijkstra, from_fn, Real};
///
/// let real = |cost| Real::new(cost).unwrap();
/// let line = from_fn(|&n: &u32| [(n + 1, real(0.5)), (n + 3, real(1.25))], |&n| n == 7);
/// assert_eq!(dijkstra(&line, &0, ()).solution().unwrap().cost.get(), 3.0);
/// assert_eq!(Real::try_from(0.25).map(f64::from), Ok(0.25));
/// assert_eq!(Real::new(f64::NAN), None);
/// assert_eq!(Real::new(-1.0), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "f64", into = "f64"))]
pub struct Real(f64);

impl Real {
    /// The cost, if it is finite and not negative.
    pub fn new(cost: f64) -> Option<Self> {
        // Adding zero turns -0.0 into 0.0.
        (cost.is_finite() && cost >= 0.0).then_some(Self(cost + 0.0))
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Real {
    type Error = &'static str;

    fn try_from(cost: f64) -> Result<Self, &'static str> {
        Self::new(cost).ok_or("found a negative, infinite or undefined number, expected a cost")
    }
}

impl From<Real> for f64 {
    fn from(cost: Real) -> Self {
        cost.0
    }
}

impl Eq for Real {}

impl Hash for Real {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        // Equal numbers have equal bits: there is no -0.0 and no NaN.
        self.0.to_bits().hash(hasher);
    }
}

impl PartialOrd for Real {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Real {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// A rank may be infinite, which orders well; a cost may not.
impl Cost for Real {
    const ZERO: Self = Self(0.0);
    const ONE: Self = Self(1.0);
    type Rank = Self;
    const MOST_RANK: Self = Self(f64::INFINITY);

    #[inline]
    fn checked_add(self, other: Self) -> Option<Self> {
        Self::new(self.0 + other.0)
    }

    fn steps(count: u64) -> Self {
        Self(count as f64)
    }

    #[inline]
    fn blend(self, paid: u64, left: Self, factor: u64) -> Self {
        Self(self.0 * paid as f64 + left.0 * factor as f64)
    }

    fn at_least(rank: Self, divisor: u64) -> Self {
        // Rounded down by more than the division's error, because the rank is itself a rounded sum.
        const ROUNDING: f64 = 1.0 - 1e-12;
        Self((rank.0 / divisor as f64 * ROUNDING).min(f64::MAX))
    }

    #[inline]
    fn from_rank(rank: Self) -> Option<Self> {
        Self::new(rank.0)
    }

    fn index(_: Self) -> Option<usize> {
        None
    }

    fn whole(self) -> u64 {
        self.0 as u64
    }
}

/// A lower bound of the sum of two costs: the sum itself but for rounding, and the greatest cost if it does not fit.
pub(crate) fn least_sum<C: Cost>(paid: C, left: C) -> C {
    if left == C::ZERO { paid } else { C::at_least(paid.total(left), 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_do_not_wrap() {
        assert_eq!(u32::MAX.blend(1000, u32::MAX, 1_000_000), u64::from(u32::MAX) * 1_001_000);
        assert_eq!(u64::MAX.blend(1000, u64::MAX, 1_000_000), u128::from(u64::MAX) * 1_001_000);
        assert_eq!(u32::at_least(u64::from(u32::MAX) + 1, 1), u32::MAX);
        assert_eq!(u32::at_least(7, 2), 4);
        assert_eq!(Real(f64::MAX).blend(1000, Real(f64::MAX), 1000), Real(f64::INFINITY));
        assert_eq!(Real(f64::MAX).checked_add(Real(f64::MAX)), None);
    }
}
