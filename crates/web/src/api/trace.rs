use axum::{body::Body, response::Response};
use pintu_engine::{
    Algorithm,
    calls::{Subject, TraceRequest, record, recording_progress},
    trace::{EventBudget, Form},
};
use pintu_search::Control;

use super::search::{Begin, Kind, Reply, SearchCaller};
use crate::{
    body,
    error::ApiError,
    response_body::{BodyWriter, write_error},
};

pub(super) async fn trace(caller: SearchCaller, body: Body) -> Result<Response, ApiError> {
    let bytes = body::read_map(body, &caller.app, &caller.client).await?;
    let TraceRequest { subject, max_events, form } = TraceRequest::read(&bytes, &caller.app.config.call_bounds())?;
    drop(bytes);
    // A stream has the recording compressed, however short it is.
    let (budget, compressed) = (EventBudget::new(max_events, form), caller.wants_events || caller.accepts_gzip);
    let (memory, watched_budget) = (subject.limits().memory, budget.clone());
    let is_map = matches!(subject, Subject::Map(..));
    // Whether `auto` can be recorded depends on the memory.
    let subject_is_checked = matches!(&subject, Subject::Puzzle(request) if request.algorithm != Algorithm::Auto);
    let progress = move |control: &Control| recording_progress(control, is_map, &watched_budget);
    let app = caller.app.clone();
    let work = move |control: &Control, mut writer: BodyWriter| {
        let (traced, map_id) = record(subject, &app.maps, app.config.bounds.map_cells, &budget, control)?;
        traced.write(form, &mut writer).map_err(write_error)?;
        let kind = if form == Form::Posthoc { Kind::Posthoc } else { Kind::Recording };
        Ok(Reply { body: writer.finish(compressed)?, kind, map_id })
    };
    let begin = if subject_is_checked { Begin::Soon } else { Begin::WithSearch };
    caller.run(begin, memory, progress, work).await
}
