use std::sync::{Arc, Mutex, PoisonError};

use axum::{body::Body, response::Response};
use pintu_search::Control;
use pintu_tiles::Moves;
use serde_json::json;

use super::search::{Begin, Reply, SearchCaller, progress_of};
use crate::{body, error::ApiError, requests::SolveBody};

pub(super) async fn solve(caller: SearchCaller, body: Body) -> Result<Response, ApiError> {
    let config = &caller.app.config;
    let request = body::read_json::<SolveBody>(body, &config.bounds).await?.request(config)?;
    // The shortest solution so far, until it has been sent.
    let best: Arc<Mutex<Option<Moves>>> = Arc::default();
    let found = Arc::clone(&best);
    let progress = move |control: &Control| {
        let mut row = progress_of(control, control.bound());
        if let Some(moves) = best.lock().unwrap_or_else(PoisonError::into_inner).take() {
            row["solution"] = json!({ "moves": moves.to_string(), "length": moves.len() });
        }
        row
    };
    let (memory, is_streamed) = (request.limits.memory, caller.wants_events);
    let work = move |control: &Control, writer| {
        let answer = if is_streamed {
            pintu_engine::solve_telling(&request, control, &mut |moves, _| {
                *found.lock().unwrap_or_else(PoisonError::into_inner) = Some(moves.clone());
            })
        } else {
            pintu_engine::solve(&request, control)
        };
        Reply::json(writer, &answer?)
    };
    caller.run(Begin::Soon, memory, progress, work).await
}
