use std::sync::Arc;

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};

use super::{PathId, created, new_id};
use crate::{
    app::App,
    body,
    browser::Browser,
    error::ApiError,
    picture::{self, MEDIA_TYPE},
};

/// Takes a picture's bytes. Its place in the queue is taken before they are read, so that there are never
/// more of them in memory than may be decoded or wait.
pub(super) async fn create(
    State(app): State<Arc<App>>,
    Extension(Browser(browser)): Extension<Browser>,
    body: Body,
) -> Result<Response, ApiError> {
    let ticket = app.decodes.admit()?;
    let bounds = app.config.bounds.clone();
    let bytes = body::read(body, bounds.picture_bytes, &bounds).await?;
    let kept = ticket.run(move || picture::keep(&bytes, &bounds)).await??;
    let id = app.store.add_picture(browser.to_string(), new_id()?, kept).await?;
    Ok(created(&id))
}

pub(super) async fn load(
    State(app): State<Arc<App>>,
    Extension(Browser(browser)): Extension<Browser>,
    PathId(id): PathId,
) -> Result<Response, ApiError> {
    let bytes = app.store.picture(browser.to_string(), id).await?;
    let bytes = bytes.ok_or_else(|| ApiError::not_found("such picture"))?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE)),
        // What an id names never changes; but it is this browser's alone.
        (header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=31536000, immutable")),
    ];
    Ok((headers, Body::from(bytes)).into_response())
}
