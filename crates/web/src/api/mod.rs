//! The addresses under `/api`.

mod pictures;
mod records;
mod saves;
mod solve;

use std::sync::Arc;

use axum::{
    Extension, Router,
    body::Body,
    extract::{FromRequestParts, State},
    http::{HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
    routing::{delete, get, post},
};
use serde::Serialize;

use crate::{
    app::App,
    browser::{self, Browser},
    error::ApiError,
    id::Id,
};

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/health", get(health))
        .route("/api/solve", post(solve::solve))
        .route("/api/saves", get(saves::list).post(saves::create).delete(saves::delete_all))
        .route("/api/saves/{id}", get(saves::load).put(saves::replace).delete(saves::delete))
        .route("/api/pictures", post(pictures::create))
        .route("/api/pictures/{id}", get(pictures::load))
        .route("/api/records", get(records::list).post(records::create).delete(records::delete_all))
        .route("/api/records/{id}", get(records::load))
        .route("/api/data", delete(forget))
}

async fn health() -> Response {
    json(StatusCode::OK, &serde_json::json!({ "status": "ok" }))
}

/// Deletes everything of the browser that asks, its cookie included.
async fn forget(
    State(app): State<Arc<App>>,
    Extension(Browser(browser)): Extension<Browser>,
) -> Result<Response, ApiError> {
    app.store.forget(browser.to_string()).await?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    browser::forget(&mut response);
    Ok(response)
}

/// A JSON response that nobody keeps.
pub(crate) fn json(status: StatusCode, value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(bytes) => {
            let headers = [
                (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
                (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
            ];
            (status, headers, Body::from(bytes)).into_response()
        }
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// `201` and where the new thing is.
fn created(id: &str) -> Response {
    json(StatusCode::CREATED, &serde_json::json!({ "id": id }))
}

fn new_id() -> Result<Id, ApiError> {
    Id::random().ok_or_else(ApiError::internal)
}

/// The id at the end of an address. What is no id is not found.
struct PathId(Id);

impl<S: Send + Sync> FromRequestParts<S> for PathId {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let last = parts.uri.path().rsplit('/').next().unwrap_or_default();
        Id::parse(last).map(Self).ok_or_else(|| ApiError::not_found("such id"))
    }
}
