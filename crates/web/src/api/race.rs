use std::sync::Arc;

use axum::{body::Body, response::Response};
use pintu_engine::calls::{CallError, RaceBody, RunningRace, values};
use pintu_search::Control;

use super::search::{Begin, Reply, SearchCaller};
use crate::{body, error::ApiError, priority::Thread};

pub(super) async fn race(caller: SearchCaller, body: Body) -> Result<Response, ApiError> {
    let config = &caller.app.config;
    let request = body::read_json::<RaceBody>(body, &config.bounds).await?.request(&config.call_bounds())?;
    // Contestants that cannot take part are refused before the race waits for a worker.
    let waiting = request.race(&Control::unlimited()).map_err(CallError::from)?.rows();
    let running: Arc<RunningRace> = Arc::default();
    let (watched, memory) = (Arc::clone(&running), request.request.limits.memory);
    let progress = move |_: &Control| values(watched.rows().unwrap_or_else(|| waiting.clone()).iter());
    let work = move |control: &Control, writer| {
        // Contestants run on threads of their own, which inherit the priority.
        Thread::current().lower_priority();
        Reply::json(writer, &running.run(&request, control)?)
    };
    caller.run(Begin::Soon, memory, progress, work).await
}
