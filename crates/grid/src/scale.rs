//! Exact lengths as single integers.

use crate::{Length, Measure, number::Number};

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
    /// What a straight step of cost 1 counts: `q`.
    pub(crate) straight: u64,
    /// What a diagonal step of cost 1 counts: `p`.
    pub(crate) diagonal: u128,
    /// The number that gives 1 when multiplied by `p`, modulo `q`.
    inverse: u64,
    /// Numbers below this are exact.
    pub(crate) exact_below: u128,
}

impl Scale {
    /// For four-way movement: lengths are whole.
    pub(crate) const WHOLE: Self = Self { straight: 1, diagonal: 0, inverse: 0, exact_below: 1 << 64 };
    /// For numbers of 32 bits: lengths below 47,321.
    pub(crate) const NARROW: Self = Self::of(47_321, 33_461);
    /// For numbers of 64 bits: lengths below 1,855,077,841.
    pub(crate) const WIDE: Self = Self::of(1_855_077_841, 1_311_738_121);
    /// For numbers of 128 bits: lengths below 2⁶⁴. (Of the fractions that tell all of these apart, the one with the least
    /// denominator: of the next that comes from `p² − 2q² = ±1`, sums would not fit.)
    pub(crate) const HUGE: Self = Self::of(23_498_760_470_525_192_170, 16_616_132_878_186_749_607);

    const fn of(p: u128, q: u64) -> Self {
        let (q, most) = (q as u128, 1 << 64);
        let exact_below = if p < most { p } else { most } * q;
        Self { straight: q as u64, diagonal: p, inverse: inverse(p, q) as u64, exact_below }
    }

    /// The greatest number that costs of type `N` may have, such that a price of one more can still be added.
    pub(crate) fn limit<N: Number>(&self) -> u128 {
        (self.exact_below - 1).min(N::MOST_PAID)
    }

    /// The number of a straight and of a diagonal step that costs so much, or any that is beyond the limit.
    pub(crate) fn prices<N: Number>(&self, cost: u64) -> [N; 2] {
        let most = self.limit::<N>() + 1;
        self.units(cost).map(|unit| N::new(unit.min(most)))
    }

    /// The same, or the greatest number of 128 bits.
    pub(crate) fn units(&self, cost: u64) -> [u128; 2] {
        [self.straight.into(), self.diagonal].map(|unit: u128| unit.saturating_mul(cost.into()))
    }

    /// The length that the number of a path stands for.
    pub(crate) fn decode(&self, number: u128) -> Length {
        self.decoded(number).unwrap_or_default()
    }

    /// The length that a number stands for, if it stands for one.
    fn decoded(&self, number: u128) -> Option<Length> {
        if self.diagonal == 0 {
            return u64::try_from(number).ok().map(|straight| Length::new(straight, 0));
        }
        let straight = u128::from(self.straight);
        let diagonal = number % straight * u128::from(self.inverse) % straight;
        let rest = number.checked_sub(diagonal.checked_mul(self.diagonal)?)?;
        Some(Length::new(u64::try_from(rest / straight).ok()?, diagonal as u64))
    }

    /// A number as a length, for those who watch: of paths the same as their [decoded](Self::decode) length, of estimates
    /// and bounds never more than the least length whose number is as large.
    pub(crate) fn measure(&self, number: u128, unit: u64) -> Measure {
        match self.length(number, unit).and_then(Length::whole) {
            Some(whole) => Measure::Whole(whole),
            None => Measure::Real(self.value(number, unit)),
        }
    }

    /// The same as a floating-point number.
    pub(crate) fn value(&self, number: u128, unit: u64) -> f64 {
        match self.length(number, unit) {
            Some(length) if length.is_plain() => length.value(),
            Some(length) => length.value() * ROUNDED_DOWN,
            None => number as f64 / self.straight as f64 * unit as f64 * ROUNDED_DOWN,
        }
    }

    /// The length that a number stands for, if it is known to. Where numbers stand for lengths, those compare as the numbers
    /// do.
    pub(crate) fn length(&self, number: u128, unit: u64) -> Option<Length> {
        let number = Some(number).filter(|&number| number < self.exact_below)?;
        self.decoded(number)?.times(unit)
    }

    /// A number in whole lengths, rounded down.
    pub(crate) fn whole(&self, number: u128, unit: u64) -> u64 {
        u64::try_from((number / u128::from(self.straight)).saturating_mul(u128::from(unit))).unwrap_or(u64::MAX)
    }
}

/// The number that gives 1 when multiplied by `p`, modulo `q`; the two have no common factor.
const fn inverse(p: u128, q: u128) -> u128 {
    // Euclid's: each remainder is so many times p, modulo q.
    let (mut rest, mut next) = (q, p % q);
    let (mut times, mut next_times) = (0, 1);
    while next != 0 {
        let quotient = rest / next;
        (rest, next) = (next, rest % next);
        (times, next_times) = (next_times, (times + (q - quotient * next_times % q)) % q);
    }
    times
}

/// Past what rounding may have added before.
const ROUNDED_DOWN: f64 = 1.0 - 8.0 * f64::EPSILON;

#[cfg(test)]
mod tests {
    use pintu_search::Cost;
    use proptest::prelude::*;

    use super::*;
    use crate::number::Huge;

    #[test]
    fn the_ratios_tell_lengths_apart() {
        // The fractions beside them, on the other side of √2.
        let beside: [(u64, u64); 3] =
            [(19_601, 13_860), (768_398_401, 543_339_720), (16_616_132_878_186_749_607, 11_749_380_235_262_596_085)];
        let is_below = |p: u128, q: u64| {
            let (half, odd) = (Length::new((p / 2) as u64, 0), Length::new((p % 2) as u64, 0));
            half.blend(2, odd, 1) < Length::new(0, q).total(Length::ZERO)
        };
        for (scale, (r, s)) in [Scale::NARROW, Scale::WIDE, Scale::HUGE].into_iter().zip(beside) {
            let (p, q) = (scale.diagonal, scale.straight);
            assert_ne!(is_below(p, q), is_below(r.into(), s));
            // (The products have more than 128 bits, their difference has one.)
            let across = p.wrapping_mul(s.into()).wrapping_sub(u128::from(q).wrapping_mul(r.into()));
            assert!([1, u128::MAX].contains(&across), "{across}");
            assert_eq!(p % u128::from(q) * u128::from(scale.inverse) % u128::from(q), 1);
            // Below the limit, no length has as many diagonals as the denominator.
            assert!((scale.exact_below - 1) / p < q.into());
        }
        assert!(u32::try_from(Scale::NARROW.exact_below).is_ok());
        assert!(i64::try_from(Scale::WIDE.exact_below).is_ok());
        assert_eq!(Scale::WHOLE.limit::<Huge>(), u128::from(u64::MAX));
        assert_eq!(Scale::HUGE.whole(Scale::HUGE.limit::<Huge>(), 1), u64::MAX);
    }

    fn encode(scale: Scale, length: Length) -> u128 {
        u128::from(length.straight) * u128::from(scale.straight) + u128::from(length.diagonal) * scale.diagonal
    }

    proptest! {
        #[test]
        fn numbers_compare_as_lengths(a in 0..20_000_u64, b in 0..14_000_u64, c in 0..20_000_u64, d in 0..14_000_u64) {
            let (x, y) = (Length::new(a, b), Length::new(c, d));
            for scale in [Scale::NARROW, Scale::WIDE, Scale::HUGE] {
                prop_assert_eq!(encode(scale, x).cmp(&encode(scale, y)), x.cmp(&y));
                prop_assert_eq!(scale.decode(encode(scale, x)), x);
            }
        }

        #[test]
        fn huge_numbers_compare_as_lengths(a in 0..u64::MAX, b in 0..u64::MAX, near in 0..5_u64, c in 0..u64::MAX) {
            let scale = Scale::HUGE;
            // As many diagonals as there is room for beside so many straights, or fewer.
            let most = |straight: u64| ((u64::MAX - straight) as f64 / std::f64::consts::SQRT_2 * 0.999_999) as u64;
            let x = Length::new(a, b.min(most(a)));
            // A second length that is nearly as long.
            let longer = a as f64 - c as f64 + x.diagonal as f64 * std::f64::consts::SQRT_2;
            let y = Length::new(c, ((longer / std::f64::consts::SQRT_2) as u64).min(most(c)).saturating_sub(near));
            for (x, y) in [(x, y), (x, Length::new(c, x.diagonal.min(most(c))))] {
                prop_assert_eq!(encode(scale, x).cmp(&encode(scale, y)), x.cmp(&y));
                prop_assert_eq!(scale.decode(encode(scale, x)), x);
                prop_assert!(encode(scale, x) <= scale.limit::<Huge>());
            }
        }
    }
}
