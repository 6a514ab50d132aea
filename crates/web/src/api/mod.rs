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
    http::{StatusCode, header, request::Parts},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{delete, get, post},
};
use pintu_engine::memory;
use serde::Serialize;
use tokio::time::timeout;

use crate::{
    app::App,
    browser::{Browser, ForgetCookie},
    client::Client,
    connections::Connections,
    error::ApiError,
    id::Id,
    metrics::Now,
    store::Owner,
};

pub(crate) fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    let routes = Router::new()
        .route("/api/health", get(health))
        .route("/api/saves", get(saves::list).post(saves::create).delete(saves::delete_all))
        .route("/api/saves/{id}", get(saves::load).put(saves::replace).delete(saves::delete))
        .route("/api/pictures", post(pictures::create))
        .route("/api/pictures/{id}", get(pictures::load).delete(pictures::delete))
        .route("/api/records", get(records::list).post(records::create).delete(records::delete_all))
        .route("/api/records/{id}", get(records::load).delete(records::delete))
        .route("/api/data", delete(delete_everything))
        .route("/api/check", post(examine::check))
        .route("/api/searches/{id}", delete(search::stop))
        .route_layer(middleware::from_fn_with_state(Arc::clone(app), with_timeout))
        // Searches have time limits of their own.
        .route("/api/solve", post(solve::solve))
        .route("/api/path", post(path::path))
        .route("/api/trace", post(trace::trace))
        .route("/api/race", post(race::race))
        .route("/api/examine", post(examine::examine))
        .route_layer(middleware::from_fn(query::check));
    if app.config.metrics { routes.route("/metrics", get(metrics)) } else { routes }
}

async fn with_timeout(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
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

/// Deletes everything of the browser, its cookie included.
async fn delete_everything(caller: Caller) -> Result<Response, ApiError> {
    caller.app.store.forget(caller.browser).await?;
    Ok((Extension(ForgetCookie), StatusCode::NO_CONTENT).into_response())
}

/// A JSON response that is not cached.
pub(crate) fn json(status: StatusCode, value: &impl Serialize) -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    match serde_json::to_vec(value) {
        Ok(bytes) => (status, headers, Body::from(bytes)).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn to_text(value: &impl Serialize) -> Result<String, ApiError> {
    serde_json::to_string(value).map_err(|_| ApiError::internal())
}

fn new_id() -> Result<Id, ApiError> {
    Id::random().ok_or_else(ApiError::internal)
}

/// Where a request comes from, with everything that a handler needs to answer it.
struct Caller {
    app: Arc<App>,
    browser: Owner,
    client: Client,
}

/// A save grows with every move, so creating one is charged 16 KiB in advance.
const PREPAID_BYTES: usize = 16 << 10;

impl Caller {
    /// Charges the address for something new in the store.
    fn charge(&self, bytes: usize) -> Result<(), ApiError> {
        self.app.growth.take(self.client.address, bytes.max(PREPAID_BYTES) as f64)
    }

    /// Charges the address for the growth of something in the store, beyond the prepaid bytes.
    fn charge_growth(&self, before: usize, bytes: usize) -> Result<(), ApiError> {
        match bytes.saturating_sub(before.max(PREPAID_BYTES)) {
            0 => Ok(()),
            more => self.app.growth.take(self.client.address, more as f64),
        }
    }
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let (browser, client) = (parts.extensions.get::<Browser>(), parts.extensions.get::<Client>());
        let (Some(Browser(browser)), Some(client)) = (browser, client) else { return Err(ApiError::internal()) };
        Ok(Self { app: Arc::clone(app), browser: browser.clone(), client: client.clone() })
    }
}

/// The id at the end of a path; 404 if that is not an id.
struct PathId(Id);

impl<S: Send + Sync> FromRequestParts<S> for PathId {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let last = parts.uri.path().rsplit('/').next().unwrap_or_default();
        Id::parse(last).map(Self).ok_or_else(|| ApiError::not_found("such id"))
    }
}
