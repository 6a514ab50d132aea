//! Request bodies, and how they become requests to the engine.
//!
//! A body is composed of parts that several routes share, and [`NothingElse`], which refuses unknown fields.

mod board;
mod map;
mod race;
mod trace;

use std::{collections::BTreeMap, fmt::Display, str::FromStr, time::Duration};

use pintu_engine::{Algorithm, HeuristicName, Request, device::Device};
use pintu_search::{Limits, Weight};
use pintu_tiles::Puzzle;
use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny},
};

pub(crate) use self::{
    board::Board,
    map::{MapBody, MapRequest},
    race::{RaceBody, RaceRequest},
    trace::{Subject, TraceRequest},
};
use crate::{
    config::{Bounds, Config},
    error::ApiError,
};

#[derive(Debug, Deserialize)]
pub(crate) struct SolveBody {
    #[serde(flatten)]
    board: Board,
    #[serde(flatten)]
    search: SearchBody,
    #[serde(flatten)]
    _rest: NothingElse,
}

impl SolveBody {
    pub(crate) fn request(self, config: &Config) -> Result<Request, ApiError> {
        self.search.request(self.board.puzzle()?, config)
    }
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct SearchBody {
    algorithm: Option<String>,
    heuristic: Option<String>,
    weight: Option<f64>,
    limits: Option<LimitsBody>,
}

impl SearchBody {
    /// The usual search of a board, with limits.
    pub(crate) fn within(limits: Option<LimitsBody>) -> Self {
        Self { limits, ..Self::default() }
    }

    /// The request for a puzzle, within the server's bounds.
    pub(crate) fn request(self, puzzle: Puzzle, config: &Config) -> Result<Request, ApiError> {
        let limits = self.limits.unwrap_or_default();
        let request = Request {
            puzzle,
            algorithm: parsed(self.algorithm, "algorithm")?.unwrap_or(Algorithm::Auto),
            heuristic: parsed::<HeuristicName>(self.heuristic, "heuristic")?,
            weight: weight(self.weight, "weight")?,
            max_depth: limits.max_depth,
            limits: limits.within(&config.bounds)?,
            threads: 1,
            tables: config.tables.clone(),
            // One GPU cannot serve many clients.
            device: Device::Cpu,
        };
        request.check()?;
        Ok(request)
    }
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LimitsBody {
    seconds: Option<f64>,
    nodes: Option<u64>,
    mebibytes: Option<f64>,
    max_depth: Option<u32>,
}

impl LimitsBody {
    /// The limits, cut to the server's bounds.
    fn within(&self, bounds: &Bounds) -> Result<Limits, ApiError> {
        let seconds = positive(self.seconds, "limits.seconds")?;
        let mebibytes = positive(self.mebibytes, "limits.mebibytes")?;
        let most = bounds.search_time;
        let time =
            seconds.map_or(bounds.usual_search_time, |seconds| Duration::try_from_secs_f64(seconds).unwrap_or(most));
        let bytes = mebibytes.map_or(u64::MAX, |mebibytes| (mebibytes * f64::from(1 << 20)) as u64);
        Ok(Limits { nodes: self.nodes, time: Some(time.min(most)), memory: Some(bytes.min(bounds.search_bytes)) })
    }
}

fn positive(number: Option<f64>, name: &str) -> Result<Option<f64>, ApiError> {
    match number {
        Some(found) if found <= 0.0 || found.is_nan() => {
            Err(field(name, format!("found {found}, expected a number above 0")))
        }
        number => Ok(number),
    }
}

fn weight(number: Option<f64>, name: &str) -> Result<Option<Weight>, ApiError> {
    number.map(Weight::new).transpose().map_err(|error| field(name, error))
}

fn parsed<T: FromStr<Err: Display>>(text: Option<String>, name: &str) -> Result<Option<T>, ApiError> {
    text.map(|text| text.parse()).transpose().map_err(|error| field(name, error))
}

pub(crate) fn field(name: &str, error: impl Display) -> ApiError {
    ApiError::bad("bad-field", format!("{name}: {error}"))
}

/// The last part of every body: takes the fields that no other part has taken, and refuses them.
#[derive(Debug)]
pub(crate) struct NothingElse;

impl<'de> Deserialize<'de> for NothingElse {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match BTreeMap::<String, IgnoredAny>::deserialize(deserializer)?.pop_first() {
            None => Ok(Self),
            Some((name, _)) => Err(D::Error::custom(format!("found the field `{name}`, which is not known here"))),
        }
    }
}
