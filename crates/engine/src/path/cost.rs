use std::fmt;

use pintu_grid::{Length, Measure};
use serde::{Serialize, Serializer, ser::Error};
use serde_json::value::RawValue;

/// What a path costs, or a part of it: a whole number where it is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PathCost {
    /// A whole number.
    Whole(u64),
    /// An exact decimal: so many units, so many of which digits are decimals.
    Exact {
        /// All its digits.
        digits: u64,
        /// How many of them are decimals.
        decimals: u32,
    },
    /// Any other.
    Decimal(f64),
}

impl From<Length> for PathCost {
    fn from(length: Length) -> Self {
        length.whole().map_or_else(|| Self::Decimal(length.value()), Self::Whole)
    }
}

impl From<Measure> for PathCost {
    fn from(measure: Measure) -> Self {
        match measure {
            Measure::Whole(whole) => Self::Whole(whole),
            Measure::Real(value) => Self::of(value),
        }
    }
}

/// Whole numbers up to this are floating-point numbers, too.
const MOST_WHOLE: u64 = 1 << 53;
/// Decimals of fewer digits are told apart by floating-point numbers.
const MANY_DIGITS: u64 = 10_u64.pow(15);
const MILLION: f64 = 1e6;

impl PathCost {
    /// A number that may be whole.
    pub fn of(value: f64) -> Self {
        let is_whole = value.fract() == 0.0 && value <= MOST_WHOLE as f64;
        if is_whole { Self::Whole(value as u64) } else { Self::Decimal(value) }
    }

    /// The nearest floating-point number, or one beside it.
    pub fn value(self) -> f64 {
        match self {
            Self::Whole(whole) => whole as f64,
            Self::Exact { digits, decimals } => digits as f64 / 10_f64.powi(decimals as i32),
            Self::Decimal(value) => value,
        }
    }

    /// Whether its [value](Self::value) says less than it does.
    pub(crate) fn exceeds_floats(self) -> bool {
        match self {
            Self::Whole(whole) => whole > MOST_WHOLE,
            Self::Exact { digits, .. } => digits >= MANY_DIGITS,
            Self::Decimal(_) => false,
        }
    }

    /// What both cost together: exactly, if that fits.
    #[must_use]
    pub(crate) fn plus(self, other: Self) -> Self {
        let exact = || {
            let ((a, a_decimals), (b, b_decimals)) = (self.digits()?, other.digits()?);
            let decimals = a_decimals.max(b_decimals);
            let of = |digits: u64, have: u32| digits.checked_mul(10_u64.checked_pow(decimals - have)?);
            let digits = of(a, a_decimals)?.checked_add(of(b, b_decimals)?)?;
            Some(Self::trimmed(digits, decimals))
        };
        exact().unwrap_or_else(|| Self::of(self.value() + other.value()))
    }

    /// Its digits, and how many of them are decimals, where they say all.
    fn digits(self) -> Option<(u64, u32)> {
        match self {
            Self::Whole(whole) => Some((whole, 0)),
            Self::Exact { digits, decimals } => Some((digits, decimals)),
            // With up to six decimals it stands for one number that has no more.
            Self::Decimal(value) => {
                let digits = (value * MILLION).round();
                (digits < MANY_DIGITS as f64 && (digits / MILLION).to_bits() == value.to_bits())
                    .then_some((digits as u64, 6))
            }
        }
    }

    /// So many digits, some of them decimals, without zeros at their end.
    fn trimmed(mut digits: u64, mut decimals: u32) -> Self {
        while decimals > 0 && digits.is_multiple_of(10) {
            digits /= 10;
            decimals -= 1;
        }
        if decimals == 0 { Self::Whole(digits) } else { Self::Exact { digits, decimals } }
    }

    /// A decimal as it is written, such as `10.5`.
    pub(crate) fn exactly(text: &str) -> Self {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let decimals = decimals.trim_end_matches('0');
        match format!("{whole}{decimals}").parse() {
            Ok(whole) if decimals.is_empty() => Self::Whole(whole),
            Ok(digits) => Self::Exact { digits, decimals: decimals.len() as u32 },
            Err(_) => Self::of(text.parse().unwrap_or(f64::NAN)),
        }
    }
}

impl fmt::Display for PathCost {
    /// In full precision, with six decimals at least where it is not whole.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Whole(whole) => whole.fmt(f),
            Self::Exact { digits, decimals } => {
                let unit = 10_u64.pow(decimals);
                let part = format!("{:0width$}", digits % unit, width = decimals as usize);
                write!(f, "{}.{part:0<6}", digits / unit)
            }
            Self::Decimal(value) => {
                let short = value.to_string();
                let decimals = short.split_once('.').map_or(0, |(_, decimals)| decimals.len());
                if decimals < 6 { write!(f, "{value:.6}") } else { f.write_str(&short) }
            }
        }
    }
}

/// As many digits as it has; `null` if it is infinite.
impl Serialize for PathCost {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Whole(whole) => serializer.serialize_u64(whole),
            Self::Decimal(value) => serializer.serialize_f64(value),
            Self::Exact { .. } => {
                let text = self.to_string();
                let short = text.trim_end_matches('0');
                // A floating-point number says it as well, unless it has too many digits.
                match short.parse::<f64>() {
                    Ok(value) if value.to_string() == short => serializer.serialize_f64(value),
                    _ => RawValue::from_string(short.to_owned()).map_err(S::Error::custom)?.serialize(serializer),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PathCost;

    #[test]
    fn decimals_are_exact_however_many_digits_they_have() {
        for (text, shown, json) in [
            ("10.5", "10.500000", "10.5"),
            ("7", "7", "7"),
            ("3.000000", "3", "3"),
            ("0.1", "0.100000", "0.1"),
            ("1000000000000.000001", "1000000000000.000001", "1000000000000.000001"),
            ("12345678901234.500000", "12345678901234.500000", "12345678901234.5"),
            ("0.000001", "0.000001", "1e-6"),
            ("99999999999999821", "99999999999999821", "99999999999999821"),
        ] {
            let cost = PathCost::exactly(text);
            assert_eq!((cost.to_string().as_str(), serde_json::to_string(&cost).unwrap().as_str()), (shown, json));
        }
    }

    #[test]
    fn sums_are_exact_as_long_as_they_fit() {
        for (a, b, sum) in [
            ("1", "2.5", "3.5"),
            ("0.1", "0.2", "0.3"),
            ("0.5", "0.5", "1"),
            ("1.50", "0.25", "1.75"),
            ("100000000000000.6", "0.4", "100000000000001"),
            ("999999999999.000001", "1", "1000000000000.000001"),
            ("99999999999999821", "1", "99999999999999822"),
            ("18446744073709551615", "1", "1.8446744073709552e+19"),
        ] {
            let cost = PathCost::exactly(a).plus(PathCost::exactly(b));
            assert_eq!(serde_json::to_string(&cost).unwrap(), sum);
        }
        let decimals = PathCost::of(0.3).plus(PathCost::of(0.6));
        assert_eq!(serde_json::to_string(&decimals).unwrap(), "0.9", "though floating-point numbers add up to less");
        let endless = PathCost::Whole(1).plus(PathCost::of(f64::INFINITY));
        assert_eq!(serde_json::to_string(&endless).unwrap(), "null");
    }

    #[test]
    fn what_floating_point_numbers_do_not_say_is_known() {
        for (text, exceeds) in [
            ("9007199254740992", false),
            ("9007199254740993", true),
            ("999999999.999999", false),
            ("999999999999.000001", true),
        ] {
            assert_eq!(PathCost::exactly(text).exceeds_floats(), exceeds, "{text}");
        }
    }
}
