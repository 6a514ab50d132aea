//! The addresses under `/api`.

mod examine;
mod path;
mod pictures;
mod query;
mod race;
mod records;
mod saves;
mod search;
mod solve;
mod trace;

use std::sync::Arc;

use axum::{
    Extension, Router,
    body::Body,
    extract::{FromRequestParts, Request, State},
    http::{HeaderValue, StatusCode, header, request::Parts},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{delete, get, post},
};
use pintu_engine::memory;
use serde::Serialize;
use tokio::time::timeout;

use crate::{
    app::App,
    browser::{Browser, IsFarewell},
    client::Client,
    connections::Connections,
    error::ApiError,
    id::Id,
    metrics::Now,
};

pub(crate) fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    let timely = Router::new()
        .route("/api/health", get(health))
        .route("/api/saves", get(saves::list).post(saves::create).delete(saves::delete_all))
        .route("/api/saves/{id}", get(saves::load).put(saves::replace).delete(saves::delete))
        .route("/api/pictures", post(pictures::create))
        .route("/api/pictures/{id}", get(pictures::load).delete(pictures::delete))
        .route("/api/records", get(records::list).post(records::create).delete(records::delete_all))
        .route("/api/records/{id}", get(records::load).delete(records::delete))
        .route("/api/data", delete(forget))
        .route("/api/check", post(examine::check))
        .route("/api/searches/{id}", delete(search::end))
        .route_layer(middleware::from_fn_with_state(Arc::clone(app), in_time));
    // Searches have limits of their own.
    let routes = timely
        .route("/api/solve", post(solve::solve))
        .route("/api/path", post(path::path))
        .route("/api/trace", post(trace::trace))
        .route("/api/race", post(race::race))
        .route("/api/examine", post(examine::examine))
        .route_layer(middleware::from_fn(query::check));
    if app.config.metrics { routes.route("/metrics", get(metrics)) } else { routes }
}

/// Gives up on what takes too long. (Searches have limits of their own.)
async fn in_time(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let most = app.config.bounds.request_time;
    match timeout(most, next.run(request)).await {
        Ok(response) => response,
        Err(_) => ApiError::timeout(format!("this was not done within {most:?}")).into_response(),
    }
}

async fn metrics(State(app): State<Arc<App>>, connections: Option<Extension<Connections>>) -> Response {
    let now = Now {
        census: app.store.census().await.ok(),
        searches: app.searches.load(),
        connections: connections.map(|Extension(connections)| connections.count()),
        resident: memory::resident(),
    };
    let media_type = "text/plain; version=0.0.4; charset=utf-8";
    ([(header::CONTENT_TYPE, media_type), (header::CACHE_CONTROL, "no-store")], app.metrics.text(&now)).into_response()
}

async fn health() -> Response {
    json(StatusCode::OK, &serde_json::json!({ "status": "ok" }))
}

/// Deletes everything of the browser that asks, its cookie included.
async fn forget(
    State(app): State<Arc<App>>,
    Extension(Browser(browser)): Extension<Browser>,
) -> Result<Response, ApiError> {
    app.store.forget(browser).await?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    response.extensions_mut().insert(IsFarewell);
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

/// What grows with each change costs, when it is made, as much as most grow to.
const PAID_AT_FIRST: usize = 16 << 10;

/// Charges an address for something new that it has kept.
fn charge(app: &App, client: &Client, bytes: usize) -> Result<(), ApiError> {
    app.growth.take(client.address, bytes.max(PAID_AT_FIRST) as f64)
}

/// Charges an address for what something grows by, beyond what is paid for.
fn charge_growth(app: &App, client: &Client, before: usize, bytes: usize) -> Result<(), ApiError> {
    match bytes.saturating_sub(before.max(PAID_AT_FIRST)) {
        0 => Ok(()),
        more => app.growth.take(client.address, more as f64),
    }
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
