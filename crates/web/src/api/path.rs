use axum::{body::Body, response::Response};
use pintu_engine::{
    path::{
        CostsRecord, DistancesRecord, MapOrGraph, PathAnswer, PathError, distances, find_path, find_route, route_costs,
    },
    stop_name,
};
use pintu_grid::{Scratch, Toward};
use pintu_search::{Control, Stop};
use serde::Deserialize;

use super::search::{Begin, Kind, Reply, SearchCaller, progress_of};
use crate::{
    body,
    error::ApiError,
    maps::PreparedMap,
    requests::{MapBody, MapRequest, NothingElse, field},
    response_body::{BodyWriter, ResponseBody},
};

#[derive(Debug, Deserialize)]
struct PathBody {
    #[serde(flatten)]
    map: MapBody,
    distances: Option<bool>,
    directions: Option<bool>,
    #[serde(flatten)]
    _rest: NothingElse,
}

pub(super) async fn path(caller: SearchCaller, body: Body) -> Result<Response, ApiError> {
    let app = caller.app.clone();
    let PathBody { map, distances, directions, .. } = body::parse(&body::read_map(body, &app, &caller.client).await?)?;
    let (distances, directions) = (distances.unwrap_or(false), directions.unwrap_or(false));
    if directions && !distances {
        return Err(field("directions", "found it without distances, expected both"));
    }
    let (text, question) = map.request(&app.config)?;
    // Bounds on maps are in units of the algorithm, not in costs of paths.
    let progress = |control: &Control| progress_of(control, 0);
    let memory = question.request.limits.memory;
    let work = move |control: &Control, writer: BodyWriter| {
        let map = app.maps.prepare(text, &question, app.config.bounds.map_cells)?;
        let body = if distances {
            all_distances(&map, &question, directions, control, writer)?
        } else {
            writer.json(&route(&map, &question, control)?)?
        };
        Ok(Reply { body, kind: Kind::Json, map_id: Some(map.id.clone()) })
    };
    caller.run(Begin::WithSearch, memory, progress, work).await
}

fn route(map: &PreparedMap, question: &MapRequest, control: &Control) -> Result<PathAnswer, ApiError> {
    let request = &question.request;
    Ok(match &map.content {
        MapOrGraph::Map { terrain, map: cells } => {
            let (from, to) = (question.start(terrain)?, question.goals(terrain)?);
            // New scratch memory: an answer reports the memory that the same request takes anywhere.
            find_path(cells, from, &to, request, &mut Scratch::new(), control)?
        }
        MapOrGraph::Graph(graph) => {
            find_route(graph, question.start_name()?, &question.goal_names()?, request, control)?
        }
    })
}

/// The distances of all cells or nodes, as `pintu path --distances` prints them.
fn all_distances(
    map: &PreparedMap,
    question: &MapRequest,
    directions: bool,
    control: &Control,
    writer: BodyWriter,
) -> Result<ResponseBody, ApiError> {
    let request = &question.request;
    match &map.content {
        MapOrGraph::Map { terrain, map } => {
            let (cell, toward) = if question.is_toward() {
                let goals = question.goals(terrain)?;
                let &[goal] = goals.as_slice() else {
                    return Err(field("to", format!("found {} goals, expected one for distances", goals.len())));
                };
                (goal, Toward::Cell)
            } else {
                (question.start(terrain)?, Toward::Others)
            };
            match distances(map, cell, toward, request, control) {
                Ok(found) => writer.json(&DistancesRecord { found: &found, directions }),
                Err(PathError::Stopped(why)) => limit(why, writer),
                Err(error) => Err(error.into()),
            }
        }
        MapOrGraph::Graph(_) if directions => Err(field("directions", "found it for a graph, expected a map")),
        MapOrGraph::Graph(graph) => match route_costs(graph, question.start_name()?, request, control) {
            Ok(costs) => writer.json(&CostsRecord { graph, costs: &costs }),
            Err(PathError::Stopped(why)) => limit(why, writer),
            Err(error) => Err(error.into()),
        },
    }
}

fn limit(why: Stop, writer: BodyWriter) -> Result<ResponseBody, ApiError> {
    writer.json(&serde_json::json!({ "status": "limit", "reason": stop_name(why) }))
}
