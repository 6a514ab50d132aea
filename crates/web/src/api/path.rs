use std::sync::Arc;

use axum::{Extension, body::Body, extract::State, http::HeaderMap, response::Response};
use pintu_engine::{
    path::{CostsRecord, DistancesRecord, Ground, PathAnswer, distances, find_path, find_route, route_costs},
    stop_name,
};
use pintu_grid::{Scratch, Toward};
use pintu_search::{Control, Stop};
use serde::Deserialize;

use super::search::{Asked, Job, Kind, Reply, control, so_far_on_map};
use crate::{
    app::App,
    ask::{MapBody, NothingElse, Question, field},
    body,
    client::Client,
    error::ApiError,
    maps::Prepared,
    parcel::{Packer, Parcel},
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
    let text = app.maps.text(text)?;
    let control = control(&question.request.limits);
    let (watched, own, app_of_work) = (control.clone(), control.clone(), Arc::clone(&app));
    let progress = move || so_far_on_map(&watched);
    let work = move |packer| {
        let map = app_of_work.maps.prepare(text, &question, app_of_work.config.bounds.map_cells)?;
        let parcel = wants.answer(&map, &question, &own, packer)?;
        Ok(Reply { parcel, kind: Kind::Json, map: Some(map.id.clone()) })
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
    fn answer(
        self,
        map: &Prepared,
        question: &Question,
        control: &Control,
        packer: Packer,
    ) -> Result<Parcel, ApiError> {
        match self {
            Self::Path => packer.json(&route(map, question, control)?),
            Self::Distances { directions } => matrix(map, question, directions, control, packer),
        }
    }
}

fn route(map: &Prepared, question: &Question, control: &Control) -> Result<PathAnswer, ApiError> {
    let request = &question.request;
    Ok(match &map.ground {
        Ground::Map { terrain, map: cells } => {
            let (from, to) = (question.start(terrain)?, question.goals(terrain)?);
            // Memory of its own: what an answer says it took is what the same question takes anywhere, whatever ran before.
            find_path(cells, from, &to, request, &mut Scratch::new(), control)?
        }
        Ground::Graph(graph) => find_route(graph, question.start_name()?, &question.goal_names()?, request, control)?,
    })
}

/// How far everything is, as `pintu path --distances` prints it.
fn matrix(
    map: &Prepared,
    question: &Question,
    directions: bool,
    control: &Control,
    packer: Packer,
) -> Result<Parcel, ApiError> {
    let request = &question.request;
    match &map.ground {
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
                Ok(found) if found.too_dear().is_empty() => packer.json(&DistancesRecord { found: &found, directions }),
                Ok(_) => limit(Stop::Overflow, packer),
                Err(why) => limit(why, packer),
            }
        }
        Ground::Graph(_) if directions => Err(field("directions", "found it for a graph, expected a map")),
        Ground::Graph(graph) => match route_costs(graph, question.start_name()?, request, control)? {
            Ok(found) if found.too_dear.is_empty() => packer.json(&CostsRecord { graph, costs: &found.costs }),
            Ok(_) => limit(Stop::Overflow, packer),
            Err(why) => limit(why, packer),
        },
    }
}

fn limit(why: Stop, packer: Packer) -> Result<Parcel, ApiError> {
    packer.json(&serde_json::json!({ "status": "limit", "reason": stop_name(why) }))
}
