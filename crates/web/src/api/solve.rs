use std::sync::Arc;

use axum::{Extension, body::Body, extract::State, http::HeaderMap, response::Response};

use super::search::{Asked, Job, Reply, control, so_far};
use crate::{app::App, ask::Problem, body, client::Client, error::ApiError};

pub(super) async fn solve(
    State(app): State<Arc<App>>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let problem: Problem = body::read_json(body, &app.config.bounds).await?;
    let request = problem.request(&app.config)?;
    let control = control(&request.limits);
    let (watched, own) = (control.clone(), control.clone());
    let progress = move || so_far(&watched);
    let work = move |packer| Reply::json(packer, &pintu_engine::solve(&request, &own)?);
    Job { control, progress, work }.run(&app, Asked::by(client, &headers)).await
}
