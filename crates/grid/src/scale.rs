//! Exact lengths as single integers of 32 or 64 bits.

use pintu_search::Cost;

use crate::{Length, MAX_COST, MAX_DIAGONAL_COST};

/// The integers that searches add up costs in. Only numbers up to a [limit](Scale::limit) that leaves room for one more
/// step are added.
pub(crate) trait Number: Cost + Default {
    const MAX: u64;
    /// The integers for straight and diagonal steps.
    const SCALE: Scale;
    /// The greatest cost of a path; the rest of the range is for estimates.
    const MAX_PAID: u64 = Self::MAX / 2 - 1;

    /// `number` must not exceed [`MAX`](Self::MAX).
    fn new(number: u64) -> Self;

    fn get(self) -> u64;

    /// The sum, which must fit.
    fn plus(self, other: Self) -> Self;

    /// The product, which must fit.
    fn times(self, count: u32) -> Self;
}

macro_rules! number {
    ($number:ty, $scale:expr) => {
        impl Number for $number {
            const MAX: u64 = <$number>::MAX as u64;
            const SCALE: Scale = $scale;

            #[inline]
            fn new(number: u64) -> Self {
                number as Self
            }

            #[inline]
            fn get(self) -> u64 {
                u64::from(self)
            }

            #[inline]
            fn plus(self, other: Self) -> Self {
                self + other
            }

            #[inline]
            fn times(self, count: u32) -> Self {
                self * Self::from(count)
            }
        }
    };
}

number!(u32, Scale::NARROW);
number!(u64, Scale::WIDE);

/// Two integers that stand for 1 and √2.
///
/// The length `a + b√2` is written as `a·q + b·p`, where `p/q` is near √2, and next to a fraction `r/s` on the other side
/// of √2 with `p·s − q·r = ±1`. Two lengths that both have `b < q` then compare as their numbers do, and have the same
/// number only if they have as many straights and as many diagonals. For their difference `x + y√2` has `|y| < q`:
/// - `x·q + y·p = 0` would need `q` to divide `y` (`p` and `q` have no common factor), so `x = y = 0`;
/// - if `x + y√2` and `x + y·p/q` had different signs, `−x/y` would lie between `√2` and `p/q`; but fractions between
///   `r/s` and `p/q`, whose cross product is 1, have denominators of `q + s` at least.
///
/// For the same reason no whole number lies between a length and its number divided by `q`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scale {
    /// The number of a straight step of cost 1: `q`.
    pub(crate) straight: u64,
    /// The number of a diagonal step of cost 1: `p`.
    pub(crate) diagonal: u64,
    /// The inverse of `p` modulo `q`.
    inverse: u64,
    /// Numbers below this are exact.
    pub(crate) exact_below: u64,
}

impl Scale {
    /// For four-way movement: lengths are whole, up to [`MAX_COST`].
    pub(crate) const WHOLE: Self = Self { straight: 1, diagonal: 0, inverse: 0, exact_below: MAX_COST + 1 };
    /// For numbers of 32 bits: lengths below 47,321.
    const NARROW: Self = Self::of(47_321, 33_461);
    /// For numbers of 64 bits: lengths up to [`MAX_DIAGONAL_COST`].
    const WIDE: Self = Self::of(MAX_DIAGONAL_COST + 1, 1_311_738_121);

    const fn of(p: u64, q: u64) -> Self {
        Self { straight: q, diagonal: p, inverse: inverse(p, q), exact_below: p * q }
    }

    /// The greatest number that a path's cost of type `N` may have, such that a step of one more can still be added.
    pub(crate) fn limit<N: Number>(&self) -> u64 {
        (self.exact_below - 1).min(N::MAX_PAID)
    }

    /// The numbers of a straight and of a diagonal step of this cost, or numbers above the limit.
    pub(crate) fn prices<N: Number>(&self, cost: u64) -> [N; 2] {
        let most = self.limit::<N>() + 1;
        self.units(cost).map(|unit| N::new(unit.min(most)))
    }

    /// The numbers of a straight and of a diagonal step of this cost; `u64::MAX` if they do not fit.
    pub(crate) fn units(&self, cost: u64) -> [u64; 2] {
        [self.straight, self.diagonal].map(|unit| unit.saturating_mul(cost))
    }

    /// The length that the number of a path stands for.
    pub(crate) fn decode(&self, number: u64) -> Length {
        self.decoded(number).unwrap_or_default()
    }

    /// The length that a number stands for, if it stands for one.
    fn decoded(&self, number: u64) -> Option<Length> {
        if self.diagonal == 0 {
            return Some(Length::new(number, 0));
        }
        let diagonal = number % self.straight * self.inverse % self.straight;
        let rest = number.checked_sub(diagonal.checked_mul(self.diagonal)?)?;
        Some(Length::new(rest / self.straight, diagonal))
    }

    /// A number as a length, for observers and bounds. The number of a path gives the value of its
    /// [length](Self::decode); that of an estimate or a bound never more than the least length with as large a number.
    pub(crate) fn value(&self, number: u64, unit: u64) -> f64 {
        /// Makes up for all rounding errors before.
        const ROUNDED_DOWN: f64 = 1.0 - 8.0 * f64::EPSILON;
        match self.length(number, unit) {
            Some(length) if length.is_plain() => length.value(),
            Some(length) => length.value() * ROUNDED_DOWN,
            None => number as f64 / self.straight as f64 * unit as f64 * ROUNDED_DOWN,
        }
    }

    /// The length that a number stands for, if it is exact. Such lengths compare as their numbers do.
    pub(crate) fn length(&self, number: u64, unit: u64) -> Option<Length> {
        let number = Some(number).filter(|&number| number < self.exact_below)?;
        self.decoded(number)?.times(unit)
    }

    /// A number in whole lengths, rounded down.
    pub(crate) fn whole(&self, number: u64, unit: u64) -> u64 {
        (number / self.straight).saturating_mul(unit)
    }
}

/// The inverse of `p` modulo `q`, by Euclid's algorithm; the two have no common factor.
const fn inverse(p: u64, q: u64) -> u64 {
    let (mut rest, mut next) = (q, p % q);
    // Modulo q, each remainder is this multiple of p.
    let (mut times, mut next_times) = (0, 1);
    while next != 0 {
        let quotient = rest / next;
        (rest, next) = (next, rest % next);
        (times, next_times) = (next_times, (times + (q - quotient * next_times % q)) % q);
    }
    times
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_ratios_tell_lengths_apart() {
        // The fractions beside them, on the other side of √2.
        let beside = [(19_601, 13_860), (768_398_401, 543_339_720)];
        let is_below = |p: u64, q: u64| Length::new(p, 0) < Length::new(0, q);
        for (scale, (r, s)) in [Scale::NARROW, Scale::WIDE].into_iter().zip(beside) {
            let (p, q) = (scale.diagonal, scale.straight);
            assert_ne!(is_below(p, q), is_below(r, s));
            assert_eq!((p * s).abs_diff(q * r), 1);
            assert_eq!(p % q * scale.inverse % q, 1);
            // Below the limit, no length has as many diagonals as the denominator.
            assert!((scale.exact_below - 1) / p < q);
        }
        assert!(u32::try_from(Scale::NARROW.exact_below).is_ok());
        assert!(i64::try_from(Scale::WIDE.exact_below).is_ok());
        assert_eq!(Scale::WHOLE.limit::<u64>(), MAX_COST);
    }

    proptest! {
        #[test]
        fn numbers_compare_as_lengths(a in 0..20_000_u64, b in 0..14_000_u64, c in 0..20_000_u64, d in 0..14_000_u64) {
            let (x, y) = (Length::new(a, b), Length::new(c, d));
            for scale in [Scale::NARROW, Scale::WIDE] {
                let encode = |length: Length| length.straight * scale.straight + length.diagonal * scale.diagonal;
                prop_assert_eq!(encode(x).cmp(&encode(y)), x.cmp(&y));
                prop_assert_eq!(scale.decode(encode(x)), x);
            }
        }
    }
}
