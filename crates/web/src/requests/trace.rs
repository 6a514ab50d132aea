use pintu_engine::{Request, trace::Form};
use pintu_search::Limits;
use serde::{Deserialize, de::IgnoredAny};

use super::{Board, MapBody, MapRequest, NothingElse, SearchBody, field};
use crate::{body, config::Config, error::ApiError, maps::MapText};

#[derive(Debug)]
pub(crate) struct TraceRequest {
    pub(crate) subject: Subject,
    pub(crate) max_events: usize,
    pub(crate) form: Form,
}

#[derive(Debug)]
pub(crate) enum Subject {
    Puzzle(Request),
    Map(MapText, MapRequest),
}

impl Subject {
    pub(crate) fn limits(&self) -> &Limits {
        match self {
            Self::Puzzle(request) => &request.limits,
            Self::Map(_, request) => &request.request.limits,
        }
    }
}

/// The form of a recording, as a body names it.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum FormName {
    #[default]
    Packed,
    Posthoc,
}

#[derive(Debug, Deserialize)]
struct BoardBody {
    #[serde(flatten)]
    board: Board,
    #[serde(flatten)]
    search: SearchBody,
    events: Option<usize>,
    form: Option<FormName>,
    #[serde(flatten)]
    _rest: NothingElse,
}

#[derive(Debug, Deserialize)]
struct OnMapBody {
    #[serde(flatten)]
    map: MapBody,
    events: Option<usize>,
    form: Option<FormName>,
    #[serde(flatten)]
    _rest: NothingElse,
}

/// Tells a body of a map from one of a board.
#[derive(Debug, Deserialize)]
struct Peek {
    map: Option<IgnoredAny>,
    map_id: Option<IgnoredAny>,
}

impl TraceRequest {
    /// Reads the body of `POST /api/trace`: that of a puzzle or of a map, with a number of events.
    pub(crate) fn read(bytes: &[u8], config: &Config) -> Result<Self, ApiError> {
        let Peek { map, map_id } = body::parse(bytes)?;
        let (subject, events, form) = if map.is_some() || map_id.is_some() {
            let OnMapBody { map, events, form, .. } = body::parse(bytes)?;
            let (text, request) = map.request(config)?;
            (Subject::Map(text, request), events, form)
        } else {
            let BoardBody { board, search, events, form, .. } = body::parse(bytes)?;
            (Subject::Puzzle(search.request(board.puzzle()?, config)?), events, form)
        };
        let most = config.bounds.events;
        let max_events = events.unwrap_or(most);
        if max_events == 0 || max_events > most {
            return Err(field("events", format!("found {max_events}, expected 1 to {most}")));
        }
        let form = match form.unwrap_or_default() {
            FormName::Packed => Form::Packed,
            FormName::Posthoc => Form::Posthoc,
        };
        Ok(Self { subject, max_events, form })
    }
}
