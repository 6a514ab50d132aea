use std::sync::Arc;

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode},
    response::{Response, sse::Event},
};
use pintu_engine::{
    path::{CostsRecord, DistancesRecord, Ground, PathAnswer, distances, find_path, find_route, route_costs},
    stop_name,
};
use pintu_grid::Toward;
use pintu_search::{Control, Stop};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    json,
    search::{Asked, Job, Outcome, event, so_far},
};
use crate::{
    app::App,
    ask::{MapBody, NothingElse, Question, field},
    body,
    client::Client,
    error::ApiError,
    maps::Prepared,
};

/// What `POST /api/path` takes.
#[derive(Debug, Deserialize)]
struct Asking {
    #[serde(flatten)]
    map: MapBody,
    distances: Option<bool>,
    directions: Option<bool>,
    #[serde(flatten)]
    _rest: NothingElse,
}

pub(super) async fn path(
    State(app): State<Arc<App>>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let asking: Asking = body::read_large_json(body, &app, &client).await?;
    let wants = match (asking.distances.unwrap_or(false), asking.directions.unwrap_or(false)) {
        (false, false) => Wants::Path,
        (true, directions) => Wants::Distances { directions },
        (false, true) => return Err(field("directions", "found it without distances, expected both")),
    };
    let (text, question) = asking.map.question(&app.config)?;
    let (id, text) = app.maps.text(text)?;
    let control = Control::unlimited();
    let (watched, own, app_of_work) = (control.clone(), control.clone(), Arc::clone(&app));
    let progress = move || so_far(&watched);
    let work = move || {
        let map = app_of_work.maps.prepare(id, &text, &question, app_of_work.config.bounds.map_cells)?;
        let answer = wants.answer(&map, &question, &own)?;
        Ok(Found { answer, map: map.id.clone() })
    };
    Job { control, progress, work }.run(&app, Asked::by(client, &headers)).await
}

/// What is asked about a map.
#[derive(Clone, Copy, Debug)]
enum Wants {
    /// A path.
    Path,
    /// How far everything is, and perhaps which way.
    Distances { directions: bool },
}

impl Wants {
    fn answer(self, map: &Prepared, question: &Question, control: &Control) -> Result<Box<RawValue>, ApiError> {
        let text = match self {
            Self::Path => serde_json::to_string(&route(map, question, control)?),
            Self::Distances { directions } => return matrix(map, question, directions, control),
        };
        raw(text)
    }
}

fn route(map: &Prepared, question: &Question, control: &Control) -> Result<PathAnswer, ApiError> {
    let request = &question.request;
    Ok(match &map.ground {
        Ground::Map { terrain, map: cells } => {
            let (from, to) = (question.start(terrain)?, question.goals(terrain)?);
            map.with_scratch(|scratch| find_path(cells, from, &to, request, scratch, control))?
        }
        Ground::Graph(graph) => find_route(graph, question.start_name()?, &question.goal_names()?, request, control)?,
    })
}

/// How far everything is, as `pintu path --distances` prints it.
fn matrix(map: &Prepared, question: &Question, directions: bool, control: &Control) -> Result<Box<RawValue>, ApiError> {
    let request = &question.request;
    let text = match &map.ground {
        Ground::Map { terrain, map } => {
            let (cell, toward) = if question.is_toward() {
                let goals = question.goals(terrain)?;
                let &[goal] = goals.as_slice() else {
                    return Err(field("to", format!("found {} goals, expected one for distances", goals.len())));
                };
                (goal, Toward::Cell)
            } else {
                (question.start(terrain)?, Toward::Others)
            };
            match distances(map, cell, toward, request, control)? {
                Ok(found) => serde_json::to_string(&DistancesRecord { found: &found, directions }),
                Err(why) => limit(why),
            }
        }
        Ground::Graph(_) if directions => return Err(field("directions", "found it for a graph, expected a map")),
        Ground::Graph(graph) => match route_costs(graph, question.start_name()?, request, control)? {
            Ok(costs) => serde_json::to_string(&CostsRecord { graph, costs: &costs }),
            Err(why) => limit(why),
        },
    };
    raw(text)
}

fn limit(why: Stop) -> serde_json::Result<String> {
    serde_json::to_string(&serde_json::json!({ "status": "limit", "reason": stop_name(why) }))
}

fn raw(text: serde_json::Result<String>) -> Result<Box<RawValue>, ApiError> {
    text.and_then(RawValue::from_string).map_err(|_| ApiError::internal())
}

/// An answer, and what to call the map from now on.
struct Found {
    answer: Box<RawValue>,
    map: String,
}

impl Outcome for Found {
    fn response(self) -> Response {
        let mut response = json(StatusCode::OK, &self.answer);
        if let Ok(name) = HeaderValue::try_from(self.map) {
            response.headers_mut().insert("x-map", name);
        }
        response
    }

    fn event(self) -> Event {
        event("result", &self.answer)
    }
}
