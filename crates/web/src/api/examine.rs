use std::sync::Arc;

use axum::{body::Body, extract::State, http::StatusCode, response::Response};
use pintu_engine::calls::{CheckBody, ExamineBody, Understood, progress};
use pintu_search::Control;

use super::{
    json,
    search::{Begin, Reply, SearchCaller},
};
use crate::{app::App, body, error::ApiError};

/// Whether a board can be solved, which takes no search.
pub(super) async fn check(State(app): State<Arc<App>>, body: Body) -> Result<Response, ApiError> {
    let found = body::read_json::<CheckBody>(body, &app.config.bounds).await?.answer()?;
    Ok(json(StatusCode::OK, &found))
}

pub(super) async fn examine(caller: SearchCaller, body: Body) -> Result<Response, ApiError> {
    let config = &caller.app.config;
    let request = body::read_json::<ExamineBody>(body, &config.bounds).await?.request(&config.call_bounds())?;
    let memory = request.limits.memory;
    let progress = |control: &Control| progress(control, control.bound());
    let work = move |control: &Control, writer| {
        Reply::json(writer, &Understood::of(&request.puzzle, pintu_engine::examine(&request, control)))
    };
    caller.run(Begin::Soon, memory, progress, work).await
}
