use axum::{body::Body, response::Response};
use pintu_engine::{
    Algorithm,
    path::{MapOrGraph, find_path_traced, find_route_traced},
    solve_traced,
    trace::{EventBudget, Form, Traced},
};
use pintu_search::Control;
use serde_json::json;

use super::search::{Begin, Kind, Reply, SearchCaller, progress_of};
use crate::{
    app::App,
    body,
    error::ApiError,
    requests::{Subject, TraceRequest},
    response_body::{BodyWriter, write_error},
};

pub(super) async fn trace(caller: SearchCaller, body: Body) -> Result<Response, ApiError> {
    let bytes = body::read_map(body, &caller.app, &caller.client).await?;
    let TraceRequest { subject, max_events, form } = TraceRequest::read(&bytes, &caller.app.config)?;
    drop(bytes);
    // A stream has the recording compressed, however short it is.
    let (budget, compressed) = (EventBudget::new(max_events, form), caller.wants_events || caller.accepts_gzip);
    let (memory, watched_budget) = (subject.limits().memory, budget.clone());
    let is_map = matches!(subject, Subject::Map(..));
    // Whether `auto` can be recorded depends on the memory.
    let subject_is_checked = matches!(&subject, Subject::Puzzle(request) if request.algorithm != Algorithm::Auto);
    let progress = move |control: &Control| {
        let mut row = progress_of(control, if is_map { 0 } else { control.bound() });
        row["recorded"] = json!(watched_budget.events());
        row["cut"] = json!(watched_budget.is_cut());
        row
    };
    let app = caller.app.clone();
    let work = move |control: &Control, mut writer: BodyWriter| {
        let (traced, map_id) = record(&app, subject, &budget, control)?;
        traced.write(form, &mut writer).map_err(write_error)?;
        let kind = if form == Form::Posthoc { Kind::Posthoc } else { Kind::Recording };
        Ok(Reply { body: writer.finish(compressed)?, kind, map_id })
    };
    let begin = if subject_is_checked { Begin::Soon } else { Begin::WithSearch };
    caller.run(begin, memory, progress, work).await
}

/// Records a search; with the id of the map, if it is of one.
fn record(
    app: &App,
    subject: Subject,
    budget: &EventBudget,
    control: &Control,
) -> Result<(Traced<()>, Option<String>), ApiError> {
    let (text, question) = match subject {
        Subject::Puzzle(request) => return Ok((solve_traced(&request, control, budget)?.without_answer(), None)),
        Subject::Map(text, question) => (text, question),
    };
    let map = app.maps.prepare(text, &question, app.config.bounds.map_cells)?;
    let request = &question.request;
    let traced = match &map.content {
        MapOrGraph::Map { terrain, map } => {
            let (from, to) = (question.start(terrain)?, question.goals(terrain)?);
            find_path_traced(map, from, &to, request, control, budget)?
        }
        MapOrGraph::Graph(graph) => {
            find_route_traced(graph, question.start_name()?, &question.goal_names()?, request, control, budget)?
        }
    };
    Ok((traced.without_answer(), Some(map.id.clone())))
}
