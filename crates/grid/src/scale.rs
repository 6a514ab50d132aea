//! Exact lengths as single integers.

use crate::{Length, Measure, number::Number};

/// Two integers that stand for 1 and √2.
///
/// With `p² − 2q² = ±1`, the length `a + b√2` is written as `a·q + b·p`. Two lengths whose numbers lie
/// below `p·q` compare as their numbers do, and are equal only if they have as many straights and as
/// many diagonals. For both have `b < q`, so their difference `x + y√2` has `|y| < q`:
/// - `x·q + y·p = 0` would need `q` to divide `y` (`p` and `q` have no common factor), so `x = y = 0`;
/// - if `x + y√2` and `x + y·p/q` had different signs, `−x/y` would lie between `√2` and `p/q`, nearer to
///   `p/q` than `1/(q²(√2 + p/q)) < 1/q²`; but two different fractions with the denominators `|y| < q` and
///   `q` are at least `1/(|y|·q) > 1/q²` apart.
///
/// All these fractions `p/q` lie a little below √2, so that no length is shorter than its number divided by `q`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scale {
    /// What a straight step of cost 1 counts: `q`.
    pub(crate) straight: u64,
    /// What a diagonal step of cost 1 counts: `p`.
    pub(crate) diagonal: u64,
    /// The number that gives 1 when multiplied by `p`, modulo `q`.
    inverse: u64,
    /// Numbers below this are exact.
    exact_below: u128,
}

impl Scale {
    /// For four-way movement: lengths are whole.
    pub(crate) const WHOLE: Self = Self { straight: 1, diagonal: 0, inverse: 0, exact_below: 1 << 64 };
    /// For numbers of 32 bits: lengths below 47,321.
    pub(crate) const NARROW: Self = Self::of(47_321, 33_461);
    /// For numbers of 64 bits: lengths below 1,855,077,841.
    pub(crate) const WIDE: Self = Self::of(1_855_077_841, 1_311_738_121);
    /// For numbers of 128 bits: lengths below 14.4 × 10¹⁸. (Four fifths of what 64 bits hold: for all of it, exact numbers
    /// would need more than 128 bits.)
    pub(crate) const HUGE: Self = Self::of(16_616_132_878_186_749_607, 11_749_380_235_262_596_085);

    const fn of(p: u64, q: u64) -> Self {
        // p² ≡ ±1 (mod q), so p's inverse is p or −p.
        let rest = p % q;
        let square = (rest as u128 * rest as u128 % q as u128) as u64;
        let inverse = if square == 1 { rest } else { q - rest };
        Self { straight: q, diagonal: p, inverse, exact_below: p as u128 * q as u128 }
    }

    /// The greatest number that costs of type `N` may have, such that a price of one more can still be added.
    pub(crate) fn limit<N: Number>(&self) -> u128 {
        (self.exact_below - 1).min(N::MOST / 2 - 1)
    }

    /// The number of a straight and of a diagonal step that costs so much, or any that is beyond the limit.
    pub(crate) fn prices<N: Number>(&self, cost: u64) -> [N; 2] {
        let most = self.limit::<N>() + 1;
        [self.straight, self.diagonal].map(|unit| N::new((u128::from(unit) * u128::from(cost)).min(most)))
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
        let rest = number.checked_sub(diagonal * u128::from(self.diagonal))?;
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

/// Past what rounding may have added before.
const ROUNDED_DOWN: f64 = 1.0 - 8.0 * f64::EPSILON;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::number::Huge;

    #[test]
    fn the_ratios_are_convergents() {
        for scale in [Scale::NARROW, Scale::WIDE, Scale::HUGE] {
            let (p, q) = (u128::from(scale.diagonal), u128::from(scale.straight));
            // Each of the sums is below 2¹²⁸, if barely: p² = 2q² − 1.
            assert_eq!(p * p, q * q + (q * q - 1));
            assert_eq!(p * u128::from(scale.inverse) % q, 1);
        }
        assert!(u32::try_from(Scale::NARROW.exact_below).is_ok());
        assert!(i64::try_from(Scale::WIDE.exact_below).is_ok());
        assert_eq!(Scale::WHOLE.limit::<Huge>(), u128::from(u64::MAX));
    }

    fn encode(scale: Scale, length: Length) -> u128 {
        u128::from(length.straight) * u128::from(scale.straight)
            + u128::from(length.diagonal) * u128::from(scale.diagonal)
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
        fn huge_numbers_compare_as_lengths(
            a in 0..1_u64 << 62, b in 0..1_u64 << 61, near in 0..5_u64, c in 0..1_u64 << 62,
        ) {
            // A second length that is nearly as long.
            let (x, d) = (Length::new(a, b), b.saturating_sub((c.saturating_sub(a) as f64 / std::f64::consts::SQRT_2) as u64) + near);
            for (x, y) in [(x, Length::new(c, d)), (x, Length::new(c, b))] {
                let scale = Scale::HUGE;
                prop_assert_eq!(encode(scale, x).cmp(&encode(scale, y)), x.cmp(&y));
                prop_assert_eq!(scale.decode(encode(scale, x)), x);
            }
        }
    }
}
