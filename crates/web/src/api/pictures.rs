use std::sync::Arc;

use axum::{
    Extension,
    body::{Body, Bytes},
    extract::State,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use super::{PathId, charge, json, new_id, search::in_parts};
use crate::{
    app::App,
    body::Arriving,
    browser::Browser,
    client::Client,
    error::ApiError,
    parcel::PART,
    picture::{self, MEDIA_TYPE},
    store::Removed,
};

/// Takes a picture's bytes. Its place in the queue is taken when they are there, so that nobody waits for a
/// slow client's; how much of those that arrive is in memory is bounded by itself.
pub(super) async fn create(
    State(app): State<Arc<App>>,
    Extension(Browser(browser)): Extension<Browser>,
    Extension(client): Extension<Client>,
    body: Body,
) -> Result<Response, ApiError> {
    let bounds = app.config.bounds.clone();
    let mut arriving = Arriving::begin(&app, &client);
    let bytes = arriving.read(body, bounds.picture_bytes, &bounds).await?;
    let ticket = app.decodes.admit(client.clone(), || ())?;
    let Arriving { mut load, mut displaced } = arriving;
    let keep = move || {
        // While it waits for its turn it may still have to make room.
        load.settle()?;
        let kept = picture::keep(&bytes, &bounds);
        drop(load);
        kept
    };
    let kept = displaced.unless(ticket.run(keep)).await??;
    charge(&app, &client, kept.jpeg.len())?;
    let id = app.store.add_picture(browser, new_id()?, kept).await?;
    Ok(json(StatusCode::CREATED, &serde_json::json!({ "id": id })))
}

/// Deletes a picture, unless a game still shows it.
pub(super) async fn delete(
    State(app): State<Arc<App>>,
    Extension(Browser(browser)): Extension<Browser>,
    PathId(id): PathId,
) -> Result<Response, ApiError> {
    match app.store.delete_picture(browser, id).await? {
        Removed::Done => Ok(StatusCode::NO_CONTENT.into_response()),
        Removed::Absent => Err(no_picture()),
        Removed::InUse => {
            let message = "a save or a record shows this picture: delete that first";
            Err(ApiError::new(StatusCode::CONFLICT, "picture_in_use", message))
        }
    }
}

fn no_picture() -> ApiError {
    ApiError::not_found("such picture")
}

pub(super) async fn load(
    State(app): State<Arc<App>>,
    Extension(Browser(browser)): Extension<Browser>,
    Extension(client): Extension<Client>,
    PathId(id): PathId,
) -> Result<Response, ApiError> {
    // Counted until the client has read it, or is given up: clients that do not read hold what they asked for.
    let mut leaving = app.downloads.begin(client.address);
    leaving.add(1)?;
    let bytes = app.store.picture(browser, id).await?;
    let bytes = bytes.ok_or_else(no_picture)?;
    let (length, bytes) = (HeaderValue::from(bytes.len()), Bytes::from(bytes));
    let parts = (0..bytes.len()).step_by(PART).map(move |at| {
        let _until_read = &leaving;
        bytes.slice(at..bytes.len().min(at + PART))
    });
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE)),
        (header::CONTENT_LENGTH, length),
        // What an id names never changes; but it is this browser's alone.
        (header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=31536000, immutable")),
    ];
    Ok((headers, in_parts(parts)).into_response())
}
