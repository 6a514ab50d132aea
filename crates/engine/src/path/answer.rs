use std::fmt;

use pintu_grid::{Cell, Heuristic, Length};
use pintu_search::{Counters, Stop};
use serde::{
    Serialize, Serializer,
    ser::{Error, SerializeMap},
};
use serde_json::value::RawValue;

use super::PathAlgorithm;
use crate::stop_name;

/// What came of a request for a path.
#[derive(Clone, Debug)]
pub struct PathAnswer {
    /// Found, impossible, or given up.
    pub verdict: PathVerdict,
    /// What searched.
    pub algorithm: PathAlgorithm,
    /// What it was guided by.
    pub heuristic: Heuristic,
    /// The weight, of weighted A*.
    pub weight: Option<f64>,
    /// What it took.
    pub counters: Counters,
    /// How long it took.
    pub seconds: f64,
}

/// How a request for a path ended.
#[derive(Clone, Debug)]
pub enum PathVerdict {
    /// There is a path.
    Found {
        /// What it costs.
        cost: PathCost,
        /// Along what it leads, both ends included.
        way: Way,
        /// Whether it is proved that no path is cheaper.
        optimal: bool,
        /// Where it ends instead of at the goal, which is cut off.
        nearest: Option<Cell>,
    },
    /// There is none.
    Unreachable {
        /// Why not.
        reason: String,
    },
    /// A limit was reached first.
    Limit {
        /// Which one.
        why: Stop,
        /// No path costs less than this.
        lower_bound: Option<f64>,
    },
}

/// What a path leads along.
#[derive(Clone, Debug)]
pub enum Way {
    /// Cells of a map.
    Cells(Vec<Cell>),
    /// Nodes of a graph.
    Names(Vec<String>),
}

/// What a path costs: a whole number where it is one.
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

impl PathCost {
    /// A number that may be whole.
    pub fn of(value: f64) -> Self {
        if value.fract() == 0.0 && value < 1e15 { Self::Whole(value as u64) } else { Self::Decimal(value) }
    }

    /// A decimal as it is written, such as `10.5`.
    pub(super) fn exactly(text: &str) -> Self {
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

impl Serialize for Way {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Cells(cells) => serializer.collect_seq(cells.iter().map(|cell| [cell.row, cell.col])),
            Self::Names(names) => serializer.collect_seq(names),
        }
    }
}

impl PathAnswer {
    /// `found`, `unreachable` or `limit`.
    pub fn status(&self) -> &'static str {
        match self.verdict {
            PathVerdict::Found { .. } => "found",
            PathVerdict::Unreachable { .. } => "unreachable",
            PathVerdict::Limit { .. } => "limit",
        }
    }
}

/// The JSON object of the command line and the server.
impl Serialize for PathAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("status", self.status())?;
        match &self.verdict {
            PathVerdict::Found { cost, way, optimal, nearest } => {
                object.serialize_entry("cost", cost)?;
                object.serialize_entry("path", way)?;
                object.serialize_entry("optimal", optimal)?;
                if let Some(cell) = nearest {
                    object.serialize_entry("nearest", &[cell.row, cell.col])?;
                }
            }
            PathVerdict::Unreachable { reason } => object.serialize_entry("reason", reason)?,
            PathVerdict::Limit { why, lower_bound } => {
                object.serialize_entry("reason", stop_name(*why))?;
                if let Some(bound) = lower_bound {
                    object.serialize_entry("lower_bound", &PathCost::of(*bound))?;
                }
            }
        }
        object.serialize_entry("algorithm", &self.algorithm)?;
        object.serialize_entry("heuristic", &self.heuristic.to_string())?;
        if let Some(weight) = self.weight {
            object.serialize_entry("weight", &weight)?;
        }
        object.serialize_entry("expanded", &self.counters.expanded)?;
        object.serialize_entry("generated", &self.counters.generated)?;
        object.serialize_entry("peak_states", &self.counters.peak_states)?;
        object.serialize_entry("memory", &self.counters.peak_bytes)?;
        object.serialize_entry("seconds", &self.seconds)?;
        object.end()
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
        ] {
            let cost = PathCost::exactly(text);
            assert_eq!((cost.to_string().as_str(), serde_json::to_string(&cost).unwrap().as_str()), (shown, json));
        }
    }
}
