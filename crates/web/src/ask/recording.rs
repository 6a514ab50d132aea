use pintu_engine::{Request, trace::Form};
use pintu_search::Limits;
use serde::{Deserialize, de::IgnoredAny};

use super::{Board, MapBody, NothingElse, Question, Search, field};
use crate::{body, config::Config, error::ApiError, maps::MapText};

/// A search that is to be recorded.
#[derive(Debug)]
pub(crate) struct Recorded {
    pub(crate) watched: Watched,
    /// How many events at most.
    pub(crate) events: usize,
    pub(crate) form: Form,
}

/// The form that is wanted.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Wanted {
    #[default]
    Packed,
    Posthoc,
}

/// What is searched: a puzzle or a map.
#[derive(Debug)]
pub(crate) enum Watched {
    Puzzle(Request),
    Map(MapText, Question),
}

impl Watched {
    /// What may be spent.
    pub(crate) fn limits(&self) -> &Limits {
        match self {
            Self::Puzzle(request) => &request.limits,
            Self::Map(_, question) => &question.request.limits,
        }
    }
}

#[derive(Debug, Deserialize)]
struct OnBoard {
    #[serde(flatten)]
    board: Board,
    #[serde(flatten)]
    search: Search,
    events: Option<usize>,
    form: Option<Wanted>,
    #[serde(flatten)]
    _rest: NothingElse,
}

#[derive(Debug, Deserialize)]
struct OnMap {
    #[serde(flatten)]
    map: MapBody,
    events: Option<usize>,
    form: Option<Wanted>,
    #[serde(flatten)]
    _rest: NothingElse,
}

/// Which of the two a body is.
#[derive(Debug, Deserialize)]
struct Glance {
    map: Option<IgnoredAny>,
    map_id: Option<IgnoredAny>,
}

impl Recorded {
    /// What `POST /api/trace` takes: a puzzle's body or a map's, with a number of events.
    pub(crate) fn read(bytes: &[u8], config: &Config) -> Result<Self, ApiError> {
        let Glance { map, map_id } = body::parse(bytes)?;
        if map.is_some() || map_id.is_some() {
            let OnMap { map, events, form, .. } = body::parse(bytes)?;
            let (text, question) = map.question(config)?;
            let events = bounded(events, config)?;
            return Ok(Self { watched: Watched::Map(text, question), events, form: form.unwrap_or_default().into() });
        }
        let OnBoard { board, search, events, form, .. } = body::parse(bytes)?;
        let request = search.request(board.puzzle()?, config)?;
        let events = bounded(events, config)?;
        Ok(Self { watched: Watched::Puzzle(request), events, form: form.unwrap_or_default().into() })
    }
}

impl From<Wanted> for Form {
    fn from(wanted: Wanted) -> Self {
        match wanted {
            Wanted::Packed => Self::Packed,
            Wanted::Posthoc => Self::Posthoc,
        }
    }
}

/// As many events as are asked for, if a server records as many.
fn bounded(events: Option<usize>, config: &Config) -> Result<usize, ApiError> {
    let most = config.bounds.events;
    match events.unwrap_or(most) {
        asked if asked == 0 || asked > most => Err(field("events", format!("found {asked}, expected 1 to {most}"))),
        asked => Ok(asked),
    }
}
