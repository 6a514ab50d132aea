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
            let (text, mut question) = map.question(config)?;
            let events = fitting(events, 1, &mut question.request.limits, config)?;
            return Ok(Self { watched: Watched::Map(text, question), events, form: form.unwrap_or_default().into() });
        }
        let OnBoard { board, search, events, form, .. } = body::parse(bytes)?;
        let mut request = search.request(board.puzzle()?, config)?;
        let events = fitting(events, request.puzzle.size().cells(), &mut request.limits, config)?;
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

/// So many of the events asked for as half the memory holds, with states of so many numbers; what they take is taken
/// off the search's memory.
fn fitting(events: Option<usize>, width: usize, limits: &mut Limits, config: &Config) -> Result<usize, ApiError> {
    let most = config.bounds.events;
    let asked = events.unwrap_or(most);
    if asked == 0 || asked > most {
        return Err(field("events", format!("found {asked}, expected 1 to {most}")));
    }
    // An event, its state and its place in the tree, in the arrays and as they are sent.
    let bytes_of_event = 256 + 6 * width as u64;
    let memory = limits.memory.unwrap_or(config.bounds.search_bytes);
    let events = (memory / 2 / bytes_of_event).min(asked as u64);
    limits.memory = Some(memory - events * bytes_of_event);
    Ok(events as usize)
}
