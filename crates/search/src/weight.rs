use std::{fmt, str::FromStr};

/// The factor of weighted A*: a decimal of at least 1 and at most 1000, in whole thousandths.
///
/// ```
/// use pintu_search::Weight;
///
/// let weight: Weight = "1.5".parse().unwrap();
/// assert_eq!(weight.ratio(), (3, 2));
/// assert!("0.9".parse::<Weight>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    thousandths: u32,
}

const ONE: u32 = 1000;
const MOST: u32 = 1000 * ONE;

impl Weight {
    /// The weight 1, with which weighted A* is A*.
    pub const ONE: Self = Self { thousandths: ONE };

    /// The greatest weight of whole thousandths that is not above `value`, which must lie between 1 and 1000.
    pub fn new(value: f64) -> Result<Self, WeightError> {
        if !(1.0..=f64::from(MOST / ONE)).contains(&value) {
            return Err(WeightError);
        }
        // The product may be rounded up or down; the quotient is the number nearest to the thousandths.
        let nearest = Self { thousandths: (value * f64::from(ONE)).round() as u32 };
        let is_above = nearest.value() > value;
        Ok(Self { thousandths: nearest.thousandths - u32::from(is_above) })
    }

    /// The weight as a number.
    pub fn value(self) -> f64 {
        f64::from(self.thousandths) / f64::from(ONE)
    }

    /// The weight as a reduced fraction, numerator first.
    pub fn ratio(self) -> (u64, u64) {
        let divisor = gcd(self.thousandths, ONE);
        (u64::from(self.thousandths / divisor), u64::from(ONE / divisor))
    }
}

impl FromStr for Weight {
    type Err = WeightError;

    fn from_str(text: &str) -> Result<Self, WeightError> {
        text.parse().map_err(|_| WeightError).and_then(Self::new)
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value().fmt(f)
    }
}

/// A weight that is not a number from 1 to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightError;

impl fmt::Display for WeightError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a weight is a decimal from 1 to 1000")
    }
}

impl std::error::Error for WeightError {}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_is_never_above_what_was_asked_for() {
        let thousandths = |text: &str| text.parse::<Weight>().map(|weight| weight.thousandths);
        for (text, expected) in [
            ("1", 1000),
            ("1.0005", 1000),
            ("1.0009999", 1000),
            ("1.001", 1001),
            ("1.9999", 1999),
            ("999.9996", 999_999),
            ("1000", 1_000_000),
        ] {
            assert_eq!(thousandths(text), Ok(expected), "{text}");
        }
        for text in ["0.9999", "1000.0001", "NaN", "inf", "-2", ""] {
            assert_eq!(thousandths(text), Err(WeightError), "{text}");
        }
    }

    #[test]
    fn every_thousandth_is_exact() {
        for thousandths in ONE..=MOST {
            assert_eq!(Weight::new(f64::from(thousandths) / f64::from(ONE)), Ok(Weight { thousandths }));
        }
    }
}
