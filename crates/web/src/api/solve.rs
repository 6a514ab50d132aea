use std::sync::Arc;

use axum::{body::Body, response::Response};
use pintu_engine::calls::{Best, CallError, SolveBody};
use pintu_search::Control;

use super::search::{Begin, Reply, SearchCaller};
use crate::{body, error::ApiError};

pub(super) async fn solve(caller: SearchCaller, body: Body) -> Result<Response, ApiError> {
    let config = &caller.app.config;
    let request = body::read_json::<SolveBody>(body, &config.bounds).await?.request(&config.call_bounds())?;
    let best: Arc<Best> = Arc::default();
    let found = Arc::clone(&best);
    let progress = move |control: &Control| best.progress(control);
    let (memory, is_streamed) = (request.limits.memory, caller.wants_events);
    let work = move |control: &Control, writer| {
        let answer = if is_streamed {
            found.solve(&request, control)?
        } else {
            pintu_engine::solve(&request, control).map_err(CallError::from)?
        };
        Reply::json(writer, &answer)
    };
    caller.run(Begin::Soon, memory, progress, work).await
}
