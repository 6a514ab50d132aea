//! The page's calls as JSON: bodies become requests, and answers and progress become JSON. The server and a browser's
//! worker both answer by this module.
//!
//! A body is composed of parts that several calls share, and [`NothingElse`], which refuses unknown fields.

mod board;
mod examine;
mod map;
mod maps;
mod path;
mod race;
mod trace;

use std::{
    fmt::{self, Display},
    str::FromStr,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use pintu_search::{Control, Limits, Weight};
use pintu_tiles::{Moves, Puzzle};
use schemars::JsonSchema;
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error, MapAccess, Visitor},
};
use serde_json::{Value, json};

pub use self::{
    board::Board,
    examine::{CheckBody, ExamineBody, Understood},
    map::{MapBody, MapRequest},
    maps::{MapText, Maps, PreparedMap},
    path::{PathCall, PathReply},
    race::{RaceBody, RaceRequest, RunningRace, values},
    trace::{Subject, TraceRequest, record, recording_progress},
};
use crate::{
    Algorithm, Answer, HeuristicName, Request, RequestError, device::Device, path::PathError, solve::solve_telling,
    tables::Store,
};

/// Upper bounds of a caller's requests.
#[derive(Clone, Debug)]
pub struct CallBounds {
    /// The longest time of a search, and the time of one that names none.
    pub search_time: Duration,
    pub usual_search_time: Duration,
    /// The memory of a search.
    pub search_bytes: u64,
    pub contestants: usize,
    pub scrambles: usize,
    /// The most events of a recording.
    pub events: usize,
    pub map_cells: u64,
    pub tables: Store,
}

impl CallBounds {
    /// The bounds of the page, wherever its calls are answered; a server's operator can set others.
    pub const USUAL_SEARCH_TIME: Duration = Duration::from_secs(10);
    pub const SEARCH_TIME: Duration = Duration::from_mins(1);
    pub const CONTESTANTS: usize = 8;
    pub const SCRAMBLES: usize = 1000;
    pub const EVENTS: usize = 200_000;
    pub const MAP_CELLS: u64 = 1 << 20;

    /// The usual bounds, with `search_bytes` of memory for a search.
    pub fn usual(search_bytes: u64, tables: Store) -> Self {
        Self {
            search_time: Self::SEARCH_TIME,
            usual_search_time: Self::USUAL_SEARCH_TIME,
            search_bytes,
            contestants: Self::CONTESTANTS,
            scrambles: Self::SCRAMBLES,
            events: Self::EVENTS,
            map_cells: Self::MAP_CELLS,
            tables,
        }
    }
}

/// Why a call is refused: a sentence, and a code for which the page has its own words.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct CallError {
    pub code: &'static str,
    pub message: String,
}

/// The code of a call that names a map which is not kept any more.
pub const UNKNOWN_MAP: &str = "unknown-map";

impl CallError {
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

impl From<RequestError> for CallError {
    fn from(error: RequestError) -> Self {
        Self::new("bad-field", error.to_string())
    }
}

impl From<PathError> for CallError {
    fn from(error: PathError) -> Self {
        let message = match &error {
            PathError::Overestimates { .. } => format!("{error} (\"inadmissible\": true allows it)"),
            PathError::NearestOnGraph => "nearest: found it for a graph, expected a map".to_owned(),
            _ => error.to_string(),
        };
        Self::new("bad-field", message)
    }
}

/// Parses JSON; the error tells the position.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CallError> {
    serde_json::from_slice(bytes).map_err(|error| {
        let code = if error.is_data() { "bad-field" } else { "bad-json" };
        CallError::new(code, format!("the body is not what was expected: {error}"))
    })
}

/// The progress of a search; `bound` is a lower bound of all solutions.
pub fn progress(control: &Control, bound: u64) -> Value {
    let counters = control.counters();
    json!({
        "expanded": counters.expanded,
        "generated": counters.generated,
        "bound": bound,
        "seconds": control.elapsed().as_secs_f64(),
    })
}

/// The shortest solution so far, until it has been told.
#[derive(Debug, Default)]
pub struct Best(Mutex<Option<Moves>>);

impl Best {
    /// Solves, and keeps each better solution for the next [`progress`](Self::progress).
    pub fn solve(&self, request: &Request, control: &Control) -> Result<Answer, CallError> {
        let mut keep = |moves: &Moves, _| *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(moves.clone());
        Ok(solve_telling(request, control, &mut keep)?)
    }

    /// The progress, with a solution that was not reported yet.
    pub fn progress(&self, control: &Control) -> Value {
        let mut row = progress(control, control.bound());
        if let Some(moves) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            row["solution"] = json!({ "moves": moves.to_string(), "length": moves.len() });
        }
        row
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SolveBody {
    #[serde(flatten)]
    board: Board,
    #[serde(flatten)]
    search: SearchBody,
    #[serde(flatten)]
    #[schemars(skip)]
    _rest: NothingElse,
}

impl SolveBody {
    pub fn request(self, bounds: &CallBounds) -> Result<Request, CallError> {
        self.search.request(self.board.puzzle()?, bounds)
    }
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
pub struct SearchBody {
    algorithm: Option<String>,
    heuristic: Option<String>,
    weight: Option<f64>,
    limits: Option<LimitsBody>,
}

impl SearchBody {
    /// The usual search of a board, with limits.
    pub fn within(limits: Option<LimitsBody>) -> Self {
        Self { limits, ..Self::default() }
    }

    /// The request for a puzzle, within the caller's bounds.
    pub fn request(self, puzzle: Puzzle, bounds: &CallBounds) -> Result<Request, CallError> {
        let limits = self.limits.unwrap_or_default();
        let request = Request {
            puzzle,
            algorithm: parsed(self.algorithm, "algorithm")?.unwrap_or(Algorithm::Auto),
            heuristic: parsed::<HeuristicName>(self.heuristic, "heuristic")?,
            weight: weight(self.weight, "weight")?,
            max_depth: limits.max_depth,
            limits: limits.within(bounds)?,
            threads: 1,
            tables: bounds.tables.clone(),
            // A server has one GPU and many clients; a browser has none that this engine could use.
            device: Device::Cpu,
        };
        request.check()?;
        Ok(request)
    }
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitsBody {
    seconds: Option<f64>,
    nodes: Option<u64>,
    mebibytes: Option<f64>,
    max_depth: Option<u32>,
}

impl LimitsBody {
    /// The limits, cut to the caller's bounds.
    fn within(&self, bounds: &CallBounds) -> Result<Limits, CallError> {
        let seconds = positive(self.seconds, "limits.seconds")?;
        let mebibytes = positive(self.mebibytes, "limits.mebibytes")?;
        let most = bounds.search_time;
        let time =
            seconds.map_or(bounds.usual_search_time, |seconds| Duration::try_from_secs_f64(seconds).unwrap_or(most));
        let bytes = mebibytes.map_or(u64::MAX, |mebibytes| (mebibytes * f64::from(1 << 20)) as u64);
        Ok(Limits::none().nodes(self.nodes).time(time.min(most)).memory(bytes.min(bounds.search_bytes)))
    }
}

fn positive(number: Option<f64>, name: &str) -> Result<Option<f64>, CallError> {
    match number {
        Some(found) if found <= 0.0 || found.is_nan() => {
            Err(field(name, format!("found {found}, expected a number above 0")))
        }
        number => Ok(number),
    }
}

fn weight(number: Option<f64>, name: &str) -> Result<Option<Weight>, CallError> {
    number.map(Weight::new).transpose().map_err(|error| field(name, error))
}

fn parsed<T: FromStr<Err: Display>>(text: Option<String>, name: &str) -> Result<Option<T>, CallError> {
    text.map(|text| text.parse()).transpose().map_err(|error| field(name, error))
}

pub fn field(name: &str, error: impl Display) -> CallError {
    CallError::new("bad-field", format!("{name}: {error}"))
}

/// The last part of every body: takes the fields that no other part has taken, and refuses them.
#[derive(Debug)]
pub struct NothingElse;

impl<'de> Deserialize<'de> for NothingElse {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Self)
    }
}

impl<'de> Visitor<'de> for NothingElse {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no other field")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut others: A) -> Result<Self, A::Error> {
        match others.next_key::<String>()? {
            None => Ok(self),
            Some(name) => Err(A::Error::custom(format!("found the field `{name}`, which is not known here"))),
        }
    }
}
