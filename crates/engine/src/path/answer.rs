use pintu_grid::{Cell, Heuristic};
use pintu_search::{Counters, Stop};
use serde::{Serialize, Serializer, ser::SerializeMap};

use super::{PathAlgorithm, PathCost};
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
