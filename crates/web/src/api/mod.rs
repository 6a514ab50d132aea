//! The addresses under `/api`.

mod daily;
mod examine;
mod export;
mod path;
mod pictures;
mod players;
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
    body::{Body, Bytes},
    extract::{FromRequestParts, Request, State},
    http::{HeaderName, StatusCode, header, request::Parts},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{delete, get, post, put},
};
use pintu_engine::memory;
pub(crate) use players::check_nickname;
use serde::Serialize;
use tokio::time::timeout;

use crate::{
    app::App,
    client::Client,
    device::ForgetCookie,
    error::ApiError,
    id::Id,
    ledger::Payer,
    metrics::Now,
    response_body::Held,
    store::{Device, StoreError},
};

pub(crate) fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    Router::new()
        .route("/api/health", get(health))
        .route("/api/saves", get(saves::list).post(saves::create).delete(saves::delete_all))
        .route("/api/saves/{id}", get(saves::load).put(saves::put).delete(saves::delete))
        .route("/api/pictures", post(pictures::create))
        .route("/api/pictures/{id}", get(pictures::load).delete(pictures::delete))
        .route("/api/records", get(records::list).post(records::create).delete(records::delete_all))
        .route("/api/records/{id}", get(records::load).delete(records::delete))
        .route("/api/player", get(players::show).put(players::rename))
        .route("/api/player/code", post(players::make_code))
        .route("/api/player/phrase", post(players::make_phrase))
        .route("/api/player/join", post(players::join))
        .route("/api/devices/{id}", put(players::rename_device).delete(players::send_away))
        .route("/api/daily/{date}", get(daily::rankings))
        .route("/api/daily/{date}/start", post(daily::begin))
        .route("/api/daily/{date}/finish", post(daily::end))
        .route("/api/data", get(export::export).delete(delete_everything))
        .route("/api/check", post(examine::check))
        .route("/api/searches/{id}", delete(search::stop))
        .route_layer(middleware::from_fn_with_state(Arc::clone(app), with_timeout))
        // Searches have time limits of their own.
        .route("/api/solve", post(solve::solve))
        .route("/api/path", post(path::path))
        .route("/api/trace", post(trace::trace))
        .route("/api/race", post(race::race))
        .route("/api/examine", post(examine::examine))
        .route_layer(middleware::from_fn(query::check))
}

pub(crate) fn operator_routes() -> Router<Arc<App>> {
    Router::new().route("/metrics", get(metrics))
}

async fn with_timeout(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let most = app.config.bounds.request_time;
    match timeout(most, next.run(request)).await {
        Ok(response) => response,
        // A write that was begun goes on.
        Err(_) => ApiError::unanswered(&format!("this is not answered within {most:?}, and may be done or not"))
            .into_response(),
    }
}

async fn metrics(State(app): State<Arc<App>>) -> Response {
    let now = Now {
        census: app.store.census().await.ok(),
        searches: app.searches.load(),
        connections: app.connections.count(),
        resident: memory::resident(),
    };
    let media_type = "text/plain; version=0.0.4; charset=utf-8";
    ([(header::CONTENT_TYPE, media_type), (header::CACHE_CONTROL, "no-store")], app.metrics.text(&now)).into_response()
}

/// Whether the store can be read, and would take a write.
async fn health(State(app): State<Arc<App>>) -> Result<Response, ApiError> {
    app.store.check().await?;
    Ok(json(StatusCode::OK, &serde_json::json!({ "status": "ok" })))
}

async fn delete_everything(caller: Caller) -> Result<Response, ApiError> {
    caller.app.store.forget(caller.device).await?;
    // Pictures are immutable, and would stay in the browser's cache. The page deletes its own database.
    let clear = [(HeaderName::from_static("clear-site-data"), "\"cache\"")];
    Ok((Extension(ForgetCookie), clear, StatusCode::NO_CONTENT).into_response())
}

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
    device: Device,
    client: Client,
}

/// A save grows with every move, so creating one is charged 16 KiB in advance.
const PREPAID_BYTES: usize = 16 << 10;

impl Caller {
    /// Charges for something new in the store.
    async fn charge(&self, bytes: usize) -> Result<Charge, ApiError> {
        self.take(bytes.max(PREPAID_BYTES)).await
    }

    /// Charges for the growth of something in the store, beyond the prepaid bytes.
    async fn charge_growth(&self, before: usize, bytes: usize) -> Result<Charge, ApiError> {
        self.take(bytes.saturating_sub(before.max(PREPAID_BYTES))).await
    }

    /// Charges for a player who is new.
    async fn charge_if_new(&self) -> Result<Charge, ApiError> {
        let payer = self.payer().await?;
        let bytes = if payer.player.is_none() { PREPAID_BYTES } else { 0 };
        self.take_from(payer, bytes).await
    }

    async fn take(&self, bytes: usize) -> Result<Charge, ApiError> {
        let payer = self.payer().await?;
        self.take_from(payer, bytes).await
    }

    async fn take_from(&self, payer: Payer, bytes: usize) -> Result<Charge, ApiError> {
        if bytes > 0 {
            let is_plenty = self.app.has_plenty_of_room().await?;
            self.app.growth.take(&payer, bytes as f64, is_plenty)?;
        }
        Ok(Charge { app: Arc::clone(&self.app), payer, bytes })
    }

    /// Counts as a wrong guess of a secret, unless it turns out to be right.
    async fn guess(&self) -> Result<Guess, ApiError> {
        let payer = self.payer().await?;
        self.app.guesses.take(&payer, 1.0, false)?;
        Ok(Guess { app: Arc::clone(&self.app), payer })
    }

    /// Who pays for what this request does: the player, if there is one.
    async fn payer(&self) -> Result<Payer, ApiError> {
        self.app.payer(&self.client).await
    }

    /// A list as JSON. What it has beyond the bytes of any body counts as an unread answer until it is read.
    fn long_json(&self, value: &impl Serialize) -> Result<Response, ApiError> {
        let bytes = serde_json::to_vec(value).map_err(|_| ApiError::internal())?;
        let mut in_flight = self.app.answers.begin(self.client.address);
        in_flight.add(bytes.len().saturating_sub(self.app.config.bounds.json_bytes))?;
        let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
        Ok((headers, Bytes::from_owner(Held { bytes, in_flight })).into_response())
    }
}

/// Bytes that a payer was charged for. It gets them back where the store says that they were not stored: a client who hangs
/// up has no answer of it, and what was asked may be done.
#[must_use]
struct Charge {
    app: Arc<App>,
    payer: Payer,
    bytes: usize,
}

impl Charge {
    /// What the store answered.
    fn unless_failed<T>(self, result: Result<T, StoreError>) -> Result<T, StoreError> {
        self.if_stored(result, |_| true)
    }

    /// What the store answered, which says whether something was stored.
    fn if_stored<T>(self, result: Result<T, StoreError>, is_stored: impl Fn(&T) -> bool) -> Result<T, StoreError> {
        if !result.as_ref().is_ok_and(is_stored) && self.bytes > 0 {
            self.app.growth.give_back(&self.payer, self.bytes as f64);
        }
        result
    }
}

struct Guess {
    app: Arc<App>,
    payer: Payer,
}

impl Guess {
    fn was_right(self) {
        self.app.guesses.give_back(&self.payer, 1.0);
    }
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let (device, client) = (parts.extensions.get::<Device>(), parts.extensions.get::<Client>());
        let (Some(device), Some(client)) = (device, client) else { return Err(ApiError::internal()) };
        Ok(Self { app: Arc::clone(app), device: device.clone(), client: client.clone() })
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
