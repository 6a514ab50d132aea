use std::borrow::Cow;

use pintu_search::{Control, Limits};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, de::IgnoredAny};
use serde_json::{Value, json};

use super::{
    Board, CallBounds, CallError, MapBody, MapRequest, MapText, Maps, NothingElse, SearchBody, field, parse, progress,
};
use crate::{
    Request,
    path::{MapOrGraph, find_path_in_graph_traced, find_path_traced},
    solve_traced,
    trace::{EventBudget, Form, Traced},
};

#[derive(Debug)]
pub struct TraceRequest {
    pub subject: Subject,
    pub max_events: usize,
    pub form: Form,
}

#[derive(Debug)]
pub enum Subject {
    Puzzle(Request),
    Map(MapText, MapRequest),
}

impl Subject {
    pub fn limits(&self) -> &Limits {
        match self {
            Self::Puzzle(request) => &request.limits,
            Self::Map(_, request) => &request.request.limits,
        }
    }
}

/// The form of a recording, as a body names it.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum FormName {
    #[default]
    Packed,
    Posthoc,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct BoardBody {
    #[serde(flatten)]
    board: Board,
    #[serde(flatten)]
    search: SearchBody,
    events: Option<usize>,
    form: Option<FormName>,
    #[serde(flatten)]
    #[schemars(skip)]
    _rest: NothingElse,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct OnMapBody {
    #[serde(flatten)]
    map: MapBody,
    events: Option<usize>,
    form: Option<FormName>,
    #[serde(flatten)]
    #[schemars(skip)]
    _rest: NothingElse,
}

/// Tells a body of a map from one of a board.
#[derive(Debug, Deserialize)]
struct Peek {
    map: Option<IgnoredAny>,
    map_id: Option<IgnoredAny>,
}

impl JsonSchema for TraceRequest {
    fn schema_name() -> Cow<'static, str> {
        "TraceBody".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [generator.subschema_for::<BoardBody>(), generator.subschema_for::<OnMapBody>()] })
    }
}

impl TraceRequest {
    /// Reads the body of a call: that of a puzzle or of a map, with a number of events.
    pub fn read(bytes: &[u8], bounds: &CallBounds) -> Result<Self, CallError> {
        let Peek { map, map_id } = parse(bytes)?;
        let (subject, events, form) = if map.is_some() || map_id.is_some() {
            let OnMapBody { map, events, form, .. } = parse(bytes)?;
            let (text, request) = map.request(bounds)?;
            (Subject::Map(text, request), events, form)
        } else {
            let BoardBody { board, search, events, form, .. } = parse(bytes)?;
            (Subject::Puzzle(search.request(board.puzzle()?, bounds)?), events, form)
        };
        let most = bounds.events;
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

/// Records a search; with the id of the map, if it is of one.
pub fn record(
    subject: Subject,
    maps: &Maps,
    max_cells: u64,
    budget: &EventBudget,
    control: &Control,
) -> Result<(Traced<()>, Option<String>), CallError> {
    let (text, question) = match subject {
        Subject::Puzzle(request) => return Ok((solve_traced(&request, control, budget)?.without_answer(), None)),
        Subject::Map(text, question) => (text, question),
    };
    let map = maps.prepare(text, &question, max_cells)?;
    let request = &question.request;
    let traced = match &map.content {
        MapOrGraph::Map { terrain, map } => {
            let (from, to) = (question.start(terrain)?, question.goals(terrain)?);
            find_path_traced(map, from, &to, request, control, budget)?
        }
        MapOrGraph::Graph(graph) => {
            find_path_in_graph_traced(graph, question.start_name()?, &question.goal_names()?, request, control, budget)?
        }
    };
    Ok((traced.without_answer(), Some(map.id.clone())))
}

/// The progress of a recorded search.
pub fn recording_progress(control: &Control, is_map: bool, budget: &EventBudget) -> Value {
    let mut row = progress(control, if is_map { 0 } else { control.bound() });
    row["recorded"] = json!(budget.events());
    row["cut"] = json!(budget.is_cut());
    row
}
