use std::{cmp::Ordering, f64::consts::SQRT_2, fmt};

use pintu_search::Cost;

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

    /// The nearest floating point number, or one beside it.
    pub fn value(self) -> f64 {
        self.straight as f64 + self.diagonal as f64 * SQRT_2
    }

    /// The sum, if it fits.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        Some(Self::new(self.straight.checked_add(other.straight)?, self.diagonal.checked_add(other.diagonal)?))
    }

    /// So many times the length, if that fits.
    pub fn times(self, factor: u64) -> Option<Self> {
        Some(Self::new(self.straight.checked_mul(factor)?, self.diagonal.checked_mul(factor)?))
    }

    /// Whether it differs from all other such lengths by more than [`value`](Self::value) may be off.
    pub(crate) fn is_plain(self) -> bool {
        const EXACT: u64 = 1 << 53;
        const FEW: u64 = 1 << 20;
        (self.diagonal == 0 && self.straight <= EXACT) || (self.straight < FEW && self.diagonal < FEW)
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
    let have = short.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    if have < 6 { format!("{value:.6}") } else { short }
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
}
