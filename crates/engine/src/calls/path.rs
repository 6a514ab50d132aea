use std::borrow::Cow;

use pintu_grid::{Distances, Graph, Scratch, Toward};
use pintu_search::{Control, Stop};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::json;

use super::{CallBounds, CallError, MapBody, MapRequest, MapText, NothingElse, PreparedMap, field, parse};
use crate::path::{
    CostsRecord, DistancesRecord, MapOrGraph, PathAnswer, PathCost, PathError, costs_in_graph, distances, find_path,
    find_path_in_graph,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct PathBody {
    #[serde(flatten)]
    map: MapBody,
    distances: Option<bool>,
    directions: Option<bool>,
    #[serde(flatten)]
    #[schemars(skip)]
    _rest: NothingElse,
}

/// A path that is asked for, or all distances.
#[derive(Debug)]
pub struct PathCall {
    pub question: MapRequest,
    distances: bool,
    directions: bool,
}

impl JsonSchema for PathCall {
    fn schema_name() -> Cow<'static, str> {
        PathBody::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        PathBody::json_schema(generator)
    }
}

/// The answer, as it is written to JSON.
pub enum PathReply<'a> {
    Path(Box<PathAnswer>),
    Distances { found: Distances, directions: bool },
    Costs { graph: &'a Graph, costs: Vec<Option<PathCost>> },
    Limit(Stop),
}

impl Serialize for PathReply<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Path(answer) => answer.serialize(serializer),
            Self::Distances { found, directions } => {
                DistancesRecord { found, directions: *directions }.serialize(serializer)
            }
            Self::Costs { graph, costs } => CostsRecord { graph, costs }.serialize(serializer),
            Self::Limit(why) => json!({ "status": "limit", "reason": why.name() }).serialize(serializer),
        }
    }
}

impl PathCall {
    pub fn read(bytes: &[u8], bounds: &CallBounds) -> Result<(MapText, Self), CallError> {
        let PathBody { map, distances, directions, .. } = parse(bytes)?;
        let (distances, directions) = (distances.unwrap_or(false), directions.unwrap_or(false));
        if directions && !distances {
            return Err(field("directions", "found it without distances, expected both"));
        }
        let (text, question) = map.request(bounds)?;
        Ok((text, Self { question, distances, directions }))
    }

    pub fn answer<'a>(&self, map: &'a PreparedMap, control: &Control) -> Result<PathReply<'a>, CallError> {
        if self.distances { self.all_distances(map, control) } else { self.path(map, control) }
    }

    fn path(&self, map: &PreparedMap, control: &Control) -> Result<PathReply<'static>, CallError> {
        let (question, request) = (&self.question, &self.question.request);
        let answer = match &map.content {
            MapOrGraph::Map { terrain, map: cells } => {
                let (from, to) = (question.start(terrain)?, question.goals(terrain)?);
                // New scratch memory, so that an answer reports the same memory for the same request anywhere.
                find_path(cells, from, &to, request, &mut Scratch::new(), control)?
            }
            MapOrGraph::Graph(graph) => {
                find_path_in_graph(graph, question.start_name()?, &question.goal_names()?, request, control)?
            }
        };
        Ok(PathReply::Path(Box::new(answer)))
    }

    /// The distances of all cells or nodes, as `pintu path --distances` prints them.
    fn all_distances<'a>(&self, map: &'a PreparedMap, control: &Control) -> Result<PathReply<'a>, CallError> {
        let (question, request) = (&self.question, &self.question.request);
        match &map.content {
            MapOrGraph::Map { terrain, map } => {
                let (cell, toward) = if question.is_toward() {
                    let goals = question.goals(terrain)?;
                    let &[goal] = goals.as_slice() else {
                        let found = format!("found {} goals, expected one for distances", goals.len());
                        return Err(field("to", found));
                    };
                    (goal, Toward::Cell)
                } else {
                    (question.start(terrain)?, Toward::Others)
                };
                let reply = |found| PathReply::Distances { found, directions: self.directions };
                reply_or_limit(distances(map, cell, toward, request, control), reply)
            }
            MapOrGraph::Graph(_) if self.directions => Err(field("directions", "found it for a graph, expected a map")),
            MapOrGraph::Graph(graph) => {
                let reply = |costs| PathReply::Costs { graph, costs };
                reply_or_limit(costs_in_graph(graph, question.start_name()?, request, control), reply)
            }
        }
    }
}

/// What was found, or the limit that was reached before.
fn reply_or_limit<'a, T>(
    found: Result<T, PathError>,
    reply: impl FnOnce(T) -> PathReply<'a>,
) -> Result<PathReply<'a>, CallError> {
    match found {
        Ok(found) => Ok(reply(found)),
        Err(PathError::Stopped(why)) => Ok(PathReply::Limit(why)),
        Err(error) => Err(error.into()),
    }
}
