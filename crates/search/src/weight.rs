use std::{fmt, str::FromStr};

/// The factor of weighted A*: a decimal of at least 1 and at most 1000, exact to a thousandth.
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

    /// The weight nearest to `value`, which must lie between 1 and 1000.
    pub fn new(value: f64) -> Result<Self, WeightError> {
        let thousandths = (value * f64::from(ONE)).round();
        if value >= 1.0 && thousandths <= f64::from(MOST) {
            Ok(Self { thousandths: thousandths as u32 })
        } else {
            Err(WeightError)
        }
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
