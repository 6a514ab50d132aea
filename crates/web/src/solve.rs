//! From the body of a request to a search, and from a search to its answer.

use std::time::Duration;

use pintu_engine::{Algorithm, Answer, HeuristicName, Request, device::Device};
use pintu_search::{Control, Limits, Weight};
use pintu_tiles::{Arrangement, NamedGoal, Puzzle, Size, Topology};
use serde::Deserialize;

use crate::{
    config::{Bounds, Config},
    error::ApiError,
};

/// What `POST /api/solve` takes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Problem {
    rows: usize,
    cols: usize,
    tiles: Vec<u32>,
    goal: Option<Vec<u32>>,
    #[serde(default)]
    wrap_rows: Option<Vec<usize>>,
    #[serde(default)]
    wrap_cols: Option<Vec<usize>>,
    algorithm: Option<String>,
    heuristic: Option<String>,
    weight: Option<f64>,
    limits: Option<Spend>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Spend {
    seconds: Option<f64>,
    nodes: Option<u64>,
    mebibytes: Option<f64>,
    max_depth: Option<u32>,
}

impl Problem {
    /// The search that is asked for, cut to what the server allows.
    pub(crate) fn request(self, config: &Config) -> Result<Request, ApiError> {
        let spend = self.limits.unwrap_or_default();
        let size = Size::new(self.rows, self.cols).map_err(|error| field("rows and cols", error))?;
        let wraps = (self.wrap_rows.unwrap_or_default(), self.wrap_cols.unwrap_or_default());
        let topology = Topology::wrapped(size, wraps.0, wraps.1).map_err(|error| field("wraps", error))?;
        let start = Arrangement::new(size, &self.tiles).map_err(|error| field("tiles", error))?;
        let goal = match self.goal {
            Some(tiles) => Arrangement::new(size, &tiles).map_err(|error| field("goal", error))?,
            None => NamedGoal::Standard.on(size),
        };
        let puzzle = Puzzle::new(topology, start, goal).map_err(|error| field("goal", error))?;
        Ok(Request {
            puzzle,
            algorithm: named(self.algorithm, "algorithm")?.unwrap_or(Algorithm::Auto),
            heuristic: named::<HeuristicName>(self.heuristic, "heuristic")?,
            weight: self.weight.map(Weight::new).transpose().map_err(|error| field("weight", error))?,
            max_depth: spend.max_depth,
            limits: spend.limits(&config.bounds)?,
            threads: 1,
            tables: config.tables.clone(),
            // Whoever serves others has one GPU and many clients: their searches stay on the processor.
            device: Device::Cpu,
        })
    }
}

impl Spend {
    fn limits(&self, bounds: &Bounds) -> Result<Limits, ApiError> {
        let seconds = positive(self.seconds, "limits.seconds")?;
        let mebibytes = positive(self.mebibytes, "limits.mebibytes")?;
        let most = bounds.search_time;
        let time =
            seconds.map_or(bounds.usual_search_time, |seconds| Duration::try_from_secs_f64(seconds).unwrap_or(most));
        let bytes = mebibytes.map_or(u64::MAX, |mebibytes| (mebibytes * f64::from(1 << 20)) as u64);
        Ok(Limits { nodes: self.nodes, time: Some(time.min(most)), memory: Some(bytes.min(bounds.search_bytes)) })
    }
}

/// Carries a request out, within its own limits; what the control says of it can be read meanwhile.
pub(crate) fn run(request: &Request, control: &Control) -> Result<Answer, ApiError> {
    Ok(pintu_engine::solve(request, control)?)
}

fn named<T: std::str::FromStr>(name: Option<String>, what: &str) -> Result<Option<T>, ApiError>
where
    T::Err: std::fmt::Display,
{
    name.map(|name| name.parse()).transpose().map_err(|error| field(what, error))
}

fn positive(number: Option<f64>, what: &str) -> Result<Option<f64>, ApiError> {
    match number {
        Some(found) if found <= 0.0 || found.is_nan() => {
            Err(field(what, format!("found {found}, expected a number above 0")))
        }
        number => Ok(number),
    }
}

fn field(name: &str, error: impl std::fmt::Display) -> ApiError {
    ApiError::bad("bad-field", format!("{name}: {error}"))
}
