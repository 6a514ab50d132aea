//! Exact lengths as single integers.

use crate::Length;

/// Two integers that stand for 1 and √2.
///
/// With `p² − 2q² = ±1`, the length `a + b√2` is written as `a·q + b·p`. Two lengths whose numbers lie
/// below `p·q` compare as their numbers do, and are equal only if they have as many straights and as
/// many diagonals. For both have `b < q`, so their difference `x + y√2` has `|y| < q`:
/// - `x·q + y·p = 0` would need `q` to divide `y` (`p` and `q` have no common factor), so `x = y = 0`;
/// - if `x + y√2` and `x + y·p/q` had different signs, `−x/y` would lie between `√2` and `p/q`, nearer to
///   `p/q` than `1/(q²(√2 + p/q)) < 1/q²`; but two different fractions with the denominators `|y| < q` and
///   `q` are at least `1/(|y|·q) > 1/q²` apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scale {
    /// What a straight step of cost 1 counts: `q`.
    pub(crate) straight: u64,
    /// What a diagonal step of cost 1 counts: `p`.
    pub(crate) diagonal: u64,
    /// The number that gives 1 when multiplied by `p`, modulo `q`.
    inverse: u64,
    /// Numbers below this are exact.
    pub(crate) exact_below: u64,
}

impl Scale {
    /// For four-way movement: lengths are whole.
    pub(crate) const WHOLE: Self = Self { straight: 1, diagonal: 0, inverse: 0, exact_below: 1 << 62 };
    /// For numbers of 32 bits: lengths below 47,321.
    pub(crate) const NARROW: Self = Self::of(47_321, 33_461);
    /// For numbers of 64 bits: lengths below 1,855,077,841.
    pub(crate) const WIDE: Self = Self::of(1_855_077_841, 1_311_738_121);

    const fn of(p: u64, q: u64) -> Self {
        // p² ≡ ±1 (mod q), so p's inverse is p or −p.
        let rest = p % q;
        let square = (rest as u128 * rest as u128 % q as u128) as u64;
        let inverse = if square == 1 { rest } else { q - rest };
        Self { straight: q, diagonal: p, inverse, exact_below: p * q }
    }

    /// The length that a number below [`exact_below`](Self::exact_below) stands for.
    pub(crate) fn decode(&self, number: u64) -> Length {
        if self.diagonal == 0 {
            return Length::new(number, 0);
        }
        let product = u128::from(number % self.straight) * u128::from(self.inverse);
        let diagonal = (product % u128::from(self.straight)) as u64;
        Length::new((number - diagonal * self.diagonal) / self.straight, diagonal)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_ratios_are_convergents() {
        for scale in [Scale::NARROW, Scale::WIDE] {
            let (p, q) = (i128::from(scale.diagonal), i128::from(scale.straight));
            assert_eq!((p * p - 2 * q * q).abs(), 1);
            assert_eq!(p * i128::from(scale.inverse) % q, 1);
        }
        assert!(u32::try_from(Scale::NARROW.exact_below).is_ok());
        assert!(i64::try_from(Scale::WIDE.exact_below).is_ok());
    }

    fn encode(scale: Scale, length: Length) -> u64 {
        length.straight * scale.straight + length.diagonal * scale.diagonal
    }

    proptest! {
        #[test]
        fn numbers_compare_as_lengths(a in 0..20_000_u64, b in 0..14_000_u64, c in 0..20_000_u64, d in 0..14_000_u64) {
            let (x, y) = (Length::new(a, b), Length::new(c, d));
            for scale in [Scale::NARROW, Scale::WIDE] {
                prop_assert_eq!(encode(scale, x).cmp(&encode(scale, y)), x.cmp(&y));
                prop_assert_eq!(scale.decode(encode(scale, x)), x);
            }
        }
    }
}
