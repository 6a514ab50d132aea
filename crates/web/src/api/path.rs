use axum::{body::Body, response::Response};
use pintu_engine::calls::{PathCall, progress};
use pintu_search::Control;

use super::search::{Begin, Kind, Reply, SearchCaller};
use crate::{body, error::ApiError, response_body::BodyWriter};

pub(super) async fn path(caller: SearchCaller, body: Body) -> Result<Response, ApiError> {
    let app = caller.app.clone();
    let bytes = body::read_map(body, &app, &caller.client).await?;
    let (text, call) = PathCall::read(&bytes, &app.config.call_bounds())?;
    drop(bytes);
    // Bounds on maps are in units of the algorithm, not in costs of paths.
    let progress = |control: &Control| progress(control, 0);
    let memory = call.question.request.limits.memory;
    let work = move |control: &Control, writer: BodyWriter| {
        let map = app.maps.prepare(text, &call.question, app.config.bounds.map_cells)?;
        let body = writer.json(&call.answer(&map, control)?)?;
        Ok(Reply { body, kind: Kind::Json, map_id: Some(map.id.clone()) })
    };
    caller.run(Begin::WithSearch, memory, progress, work).await
}
