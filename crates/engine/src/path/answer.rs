use pintu_grid::{Cell, Distances, Graph, Heuristic};
use pintu_search::{Control, Counters, Stop, Weight};
use serde::{Serialize, Serializer, ser::SerializeMap};

use super::{PathAlgorithm, PathCost};
use crate::answer::serialize_spent;

#[derive(Clone, Debug)]
pub struct PathAnswer {
    /// Found, impossible, or stopped by a limit.
    pub verdict: PathVerdict,
    pub algorithm: PathAlgorithm,
    pub heuristic: Heuristic,
    pub weight: Option<f64>,
    pub counters: Counters,
    /// The cells at which jump point search looked, where it ran.
    pub scanned: Option<u64>,
    pub seconds: f64,
}

/// A request that was checked against a map or a graph: the algorithm that will run.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub(super) algorithm: PathAlgorithm,
    pub(super) heuristic: Heuristic,
    pub(super) weight: Option<Weight>,
}

impl Choice {
    pub(super) fn answer(self, verdict: PathVerdict, counters: Counters, control: &Control) -> PathAnswer {
        let Self { algorithm, heuristic, weight } = self;
        let (weight, seconds) = (weight.map(Weight::value), control.elapsed().as_secs_f64());
        PathAnswer { verdict, algorithm, heuristic, weight, counters, scanned: None, seconds }
    }
}

#[derive(Clone, Debug)]
pub enum PathVerdict {
    Found {
        cost: PathCost,
        path: PathStates,
        /// Whether it is proved that no path is cheaper.
        optimal: bool,
        /// The cell where it ends instead of the goal, which is cut off.
        nearest: Option<Cell>,
    },
    Unreachable {
        reason: String,
    },
    Limit {
        why: Stop,
        /// No path costs less than this.
        lower_bound: Option<f64>,
    },
}

/// The states of a path, both ends included.
#[derive(Clone, Debug)]
pub enum PathStates {
    Cells(Vec<Cell>),
    Names(Vec<String>),
}

impl Serialize for PathStates {
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
            PathVerdict::Found { cost, path, optimal, nearest } => {
                object.serialize_entry("cost", cost)?;
                object.serialize_entry("path", path)?;
                object.serialize_entry("optimal", optimal)?;
                if let Some(cell) = nearest {
                    object.serialize_entry("nearest", &[cell.row, cell.col])?;
                }
            }
            PathVerdict::Unreachable { reason } => object.serialize_entry("reason", reason)?,
            PathVerdict::Limit { why, lower_bound } => {
                object.serialize_entry("reason", why.name())?;
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
        if let Some(scanned) = self.scanned {
            object.serialize_entry("scanned", &scanned)?;
        }
        serialize_spent(&mut object, &self.counters, self.seconds)?;
        object.end()
    }
}

/// Distances on a map as they are written: a matrix with `null` where there is no path; with directions, an object of
/// two matrices. Written row by row, because maps are large.
#[derive(Debug)]
pub struct DistancesRecord<'a> {
    pub found: &'a Distances,
    /// Whether to write the directions of the shortest paths.
    pub directions: bool,
}

impl Serialize for DistancesRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let found = self.found;
        let distances = Matrix { found, entry: |cell| found.length(cell).map(PathCost::from) };
        if !self.directions {
            return distances.serialize(serializer);
        }
        let mut object = serializer.serialize_map(Some(2))?;
        object.serialize_entry("distances", &distances)?;
        let steps = |cell| found.step(cell).map(|step| <[i32; 2]>::from(step.delta()));
        object.serialize_entry("directions", &Matrix { found, entry: steps })?;
        object.end()
    }
}

struct Matrix<'a, F> {
    found: &'a Distances,
    entry: F,
}

impl<T: Serialize, F: Fn(Cell) -> T> Serialize for Matrix<'_, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cols = self.found.cols();
        let row = |row| (0..cols).map(|col| (self.entry)(Cell::new(row, col))).collect::<Vec<T>>();
        serializer.collect_seq((0..self.found.rows()).map(row))
    }
}

/// Costs on a graph as they are written: by name, `null` where there is no path.
#[derive(Debug)]
pub struct CostsRecord<'a> {
    pub graph: &'a Graph,
    /// The cost of the cheapest path to each of its nodes.
    pub costs: &'a [Option<PathCost>],
}

impl Serialize for CostsRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = (0..self.graph.len() as u32).filter_map(|node| self.graph.name(node));
        serializer.collect_map(names.zip(self.costs))
    }
}
