use std::fmt;

use pintu_grid::{Graph, Length};
use serde::{Serialize, Serializer};

/// The cost of a path, or of a part of it. Maps and graphs allow only costs that floating-point numbers represent
/// distinctly: whole numbers up to 2⁵³, decimals of up to 15 digits.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct PathCost(f64);

impl From<Length> for PathCost {
    fn from(length: Length) -> Self {
        Self(length.value())
    }
}

impl PathCost {
    /// A cost, which may be infinite.
    pub const fn of(value: f64) -> Self {
        Self(value)
    }

    /// A whole number, at most 2⁵³.
    pub const fn whole(number: u64) -> Self {
        Self(number as f64)
    }

    /// A cost of a graph's, in the graph's own units.
    pub(crate) fn on(graph: &Graph, cost: u64) -> Self {
        Self(graph.cost(cost))
    }

    pub const fn value(self) -> f64 {
        self.0
    }

    /// The sum; for numbers with up to six decimals, rounded to such a number.
    #[must_use]
    pub(crate) fn plus(self, other: Self) -> Self {
        match (self.millionths(), other.millionths()) {
            (Some(a), Some(b)) => Self((a + b) / MILLION),
            _ => Self(self.0 + other.0),
        }
    }

    fn millionths(self) -> Option<f64> {
        const MAX_EXACT: f64 = 1e15;
        let millionths = (self.0 * MILLION).round();
        (millionths < MAX_EXACT && (millionths / MILLION).to_bits() == self.0.to_bits()).then_some(millionths)
    }

    fn as_whole(self) -> Option<u64> {
        (self.0.fract() == 0.0 && self.0 <= pintu_grid::MAX_COST as f64).then_some(self.0 as u64)
    }
}

const MILLION: f64 = 1e6;

impl fmt::Display for PathCost {
    /// In full precision, with six decimals at least where it is not whole.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(whole) = self.as_whole() {
            return whole.fmt(f);
        }
        if !self.0.is_finite() {
            return self.0.fmt(f);
        }
        // Zeros are appended to the shortest text: `{:.6}` would show digits that no input had.
        let short = self.0.to_string();
        let (whole, decimals) = short.split_once('.').unwrap_or((&short, ""));
        write!(f, "{whole}.{decimals:0<6}")
    }
}

/// A number; `null` if it is infinite.
impl Serialize for PathCost {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_whole() {
            Some(whole) => serializer.serialize_u64(whole),
            None => serializer.serialize_f64(self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PathCost;

    #[test]
    fn every_digit_is_printed() {
        for (cost, shown, json) in [
            (10.5, "10.500000", "10.5"),
            (7.0, "7", "7"),
            (0.1, "0.100000", "0.1"),
            (999_999_999.999_999, "999999999.999999", "999999999.999999"),
            (99_999_999_999_999.9, "99999999999999.900000", "99999999999999.9"),
            (0.000_001, "0.000001", "1e-6"),
            (9_007_199_254_740_992.0, "9007199254740992", "9007199254740992"),
            (f64::INFINITY, "inf", "null"),
        ] {
            let cost = PathCost::of(cost);
            assert_eq!((cost.to_string().as_str(), serde_json::to_string(&cost).unwrap().as_str()), (shown, json));
        }
    }

    #[test]
    fn sums_of_decimals_are_decimals() {
        for (a, b, sum) in [
            (1.0, 2.5, "3.5"),
            (0.1, 0.2, "0.3"),
            (0.3, 0.6, "0.9"),
            (0.5, 0.5, "1"),
            (999_999_998.000_001, 1.0, "999999999.000001"),
            (9_007_199_254_740_991.0, 1.0, "9007199254740992"),
            (1.0, f64::INFINITY, "null"),
        ] {
            assert_eq!(serde_json::to_string(&PathCost::of(a).plus(PathCost::of(b))).unwrap(), sum);
        }
    }
}
