//! The addresses under `/api`.

mod daily;
mod examine;
mod export;
mod interface;
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

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, UNIX_EPOCH},
};

use axum::{
    Extension, Router,
    body::{Body, Bytes},
    extract::{FromRequestParts, Request, State},
    http::{HeaderName, Method, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
    routing::get,
};
use interface::{Interface, says};
use pintu_engine::{
    Check,
    calls::{CheckBody, ExamineBody, PathCall, RaceBody, SolveBody, TraceRequest, Understood},
    memory,
};
pub(crate) use players::check_nickname;
use schemars::JsonSchema;
pub(crate) use search::Waiting;
use serde::Serialize;
use serde_json::{Map, Value, json};
use tokio::time::timeout;

use crate::{
    app::App,
    client::Client,
    device::ForgetCookie,
    error::ApiError,
    id::Id,
    ledger::Payer,
    metrics::Now,
    picture::MEDIA_TYPE,
    response_body::Held,
    store::{Device, StoreError},
};

// A table.
#[rustfmt::skip]
pub(crate) fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    const GET: &Method = &Method::GET;
    const POST: &Method = &Method::POST;
    const PUT: &Method = &Method::PUT;
    const DELETE: &Method = &Method::DELETE;
    let revision = (query::REVISION, json!({ "type": "integer", "minimum": 0 }));
    let all = (query::ALL, json!({ "type": "string", "enum": [""] }));
    let days = (query::DAYS, json!({ "type": "integer", "minimum": 1, "maximum": daily::MAX_DAYS }));
    let board = json!({ "rows": 3, "cols": 3, "tiles": [8, 1, 3, 4, 0, 2, 7, 6, 5] });
    let with = |name: &str, value: Value| {
        let mut board = board.clone();
        board[name] = value;
        board
    };
    let game = json!({ "version": 1, "rows": 2, "cols": 2, "blank": 3, "start": [1, 2, 0, 3], "moves": "R",
        "millis": 1234, "picture": "builtin:spring" });
    let map = json!({ "map": "S.#\n..G\n", "algorithm": "astar" });
    Interface::new(app)
        .add(GET, "/api/health", health, says("Whether the store can be read, and locked.").answers::<Health>(200))
        .add(GET, "/api/limits", limits, says("The limits of a search.").answers::<SearchLimits>(200))
        .add(GET, "/api/saves", saves::list, says("The saves, the latest first.").answers::<Vec<saves::Listed>>(200))
        .add(POST, "/api/saves", saves::create, says("Makes a save.").takes::<saves::Posted>()
            .for_example(json!({ "name": "one", "game": game })).answers::<saves::IdAndRevision>(201).refuses(STORES))
        .add(GET, "/api/saves/{id}", saves::load, says("A save.").answers::<saves::Loaded>(200))
        .add(PUT, "/api/saves/{id}", saves::put, says("Overwrites a save, or makes it under the client's id.")
            .takes::<saves::Posted>().for_example(json!({ "name": "one", "game": game }))
            .answers::<saves::IdAndRevision>(200).or(201).refuses(&[409, 507]))
        .add(DELETE, "/api/saves/{id}", saves::delete, says("Deletes a save.").asks(revision)
            .refuses(&[409]))
        .add(POST, "/api/pictures", pictures::create, says("Stores a picture.").takes_bytes(MEDIA_TYPE)
            .answers::<Made>(201).refuses(&[415, 507]))
        .add(GET, "/api/pictures/{id}", pictures::load, says("A picture.").answers_bytes(MEDIA_TYPE))
        .add(DELETE, "/api/pictures/{id}", pictures::delete, says("Deletes a picture that nothing shows.")
            .refuses(&[409]))
        .add(GET, "/api/records", records::list, says("The records by kind of board; with `all`, every game.").asks(all)
            .answers::<Vec<records::Board>>(200))
        .add(POST, "/api/records", records::create, says("Stores a finished game, which is replayed.")
            .takes::<records::Finished>().for_example(json!({ "game": game })).answers::<Made>(201).refuses(STORES))
        .add(GET, "/api/records/{id}", records::load, says("A record, to be replayed.").answers::<records::Loaded>(200))
        .add(DELETE, "/api/records/{id}", records::delete, says("Deletes a record."))
        .add(GET, "/api/deletions", players::deletions, says("What devices of the player have deleted, by ids.")
            .answers::<Vec<String>>(200))
        .add(GET, "/api/player", players::show, says("The player.").answers::<players::Shown>(200))
        .add(PUT, "/api/player", players::rename, says("Sets the nickname, or removes it.").takes::<players::Named>()
            .answers::<players::Shown>(200).refuses(STORES))
        .add(POST, "/api/player/code", players::make_code, says("Makes a pairing code.")
            .answers::<players::MadeCode>(201).refuses(STORES))
        .add(POST, "/api/player/phrase", players::make_phrase, says("Makes a recovery phrase.")
            .answers::<players::MadePhrase>(201).refuses(STORES))
        .add(POST, "/api/player/join", players::join, says("Makes this a device of the player of a code or phrase.")
            .takes::<players::Joining>().answers::<players::Shown>(200).refuses(&[404, 507]))
        .add(PUT, "/api/devices/{id}", players::rename_device, says("Renames a device.").takes::<players::Renamed>()
            .answers::<players::Shown>(200))
        .add(DELETE, "/api/devices/{id}", players::send_away, says("Sends a device away.").refuses(&[409]))
        .add(GET, "/api/daily/{date}", daily::rankings, says("The rankings of a day, or of several up to it.")
            .asks(days).answers::<daily::Rankings>(200))
        .add(POST, "/api/daily/{date}/start", daily::begin, says("Begins a run of the day.")
            .answers::<daily::Begun>(201).refuses(&[409, 507]))
        .add(POST, "/api/daily/{date}/finish", daily::end, says("Ends a run of the day.").takes::<daily::Ended>()
            .for_example(json!({ "game": game })).answers::<daily::ShownRun>(200).refuses(&[409, 507]))
        .add(GET, "/api/data", export::export, says("Everything that is stored for the player.")
            .answers::<export::Exported>(200))
        .add(DELETE, "/api/data", delete_everything, says("Deletes everything of the player."))
        .add(POST, "/api/check", examine::check, says("Whether a board can be solved.").takes::<CheckBody>()
            .for_example(board.clone()).answers::<Understood<Check>>(200))
        .add(POST, "/api/examine", examine::examine, says("Each heuristic's estimate of a board.")
            .takes::<ExamineBody>().for_example(board.clone()).answers::<Understood<Examined>>(200).streams())
        .add(POST, "/api/solve", solve::solve, says("Solves a board.").takes::<SolveBody>()
            .for_example(with("algorithm", json!("astar"))).answers::<Answered>(200).streams())
        .add(POST, "/api/race", race::race, says("Has algorithms race at a board.").takes::<RaceBody>()
            .for_example(with("contestants", json!([{ "algorithm": "astar" }, { "algorithm": "ida" }])))
            .answers::<Vec<Answered>>(200).streams())
        .add(POST, "/api/path", path::path, says("Finds a path on a map or a graph.").takes::<PathCall>()
            .for_example(map.clone()).answers::<Pathed>(200).streams().refuses(&[404]))
        .add(POST, "/api/trace", trace::trace, says("Records a search.").takes::<TraceRequest>().for_example(map)
            .answers::<Posthoc>(200).answers_bytes(search::RECORDING_TYPE).streams().refuses(&[404]))
        .add(GET, "/api/searches/{id}", search::result, says("The recording of a streamed search, once.")
            .answers::<Posthoc>(200).answers_bytes(search::RECORDING_TYPE))
        .add(DELETE, "/api/searches/{id}", search::stop, says("Ends a streamed search with what it has found."))
        .routes("/api/openapi.json")
}

/// Whatever is stored may find no room.
const STORES: &[u16] = &[507];

/// The field that every answer of a search has; the rest depends on how it ended.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "it stands for what the engine writes")]
struct Answered {
    status: String,
}

/// A path's answer, or with `distances` those of all cells.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "it stands for what the engine writes")]
enum Pathed {
    Answer(Answered),
    Distances(Vec<Vec<Option<f64>>>),
}

/// The heuristics' estimates of a board, each with its own details.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "it stands for what the engine writes")]
struct Examined {
    heuristics: Map<String, Value>,
    refused: HashMap<String, String>,
    refusals: Map<String, Value>,
    distance: Option<u64>,
    solvable: bool,
    reason: Option<String>,
}

/// A recording in the form that Posthoc reads.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "it stands for what the engine writes")]
struct Posthoc {
    version: String,
    views: Map<String, Value>,
    pivot: Map<String, Value>,
    events: Vec<Map<String, Value>>,
}

#[derive(Serialize, JsonSchema)]
struct Health {
    status: &'static str,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Limits")]
struct SearchLimits {
    /// The memory that a search may use.
    search_bytes: u64,
}

/// Something new in the store, or something that was there already.
#[derive(Serialize, JsonSchema)]
struct Made {
    id: String,
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
    Ok(json(StatusCode::OK, &Health { status: "ok" }))
}

async fn limits(State(app): State<Arc<App>>) -> Response {
    json(StatusCode::OK, &SearchLimits { search_bytes: app.config.bounds.search_bytes })
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

/// The age at which a player counts as known where secrets are guessed: to make a thousand players takes a second.
const KNOWN_AFTER: Duration = Duration::from_hours(24);

/// A save grows with every move, so creating one is charged 16 KiB in advance.
const PREPAID_BYTES: usize = 16 << 10;

impl Caller {
    /// Charges for something new in the store.
    async fn charge(&self, bytes: usize) -> Result<Charge, ApiError> {
        self.take(|_| bytes.max(PREPAID_BYTES)).await
    }

    /// Charges for the growth of something in the store, beyond the prepaid bytes.
    async fn charge_growth(&self, before: usize, bytes: usize) -> Result<Charge, ApiError> {
        self.take(|_| bytes.saturating_sub(before.max(PREPAID_BYTES))).await
    }

    /// Charges for a player who is new.
    async fn charge_if_new(&self) -> Result<Charge, ApiError> {
        self.take(|payer| if payer.is_known { 0 } else { PREPAID_BYTES }).await
    }

    async fn take(&self, bytes: impl FnOnce(&Payer) -> usize) -> Result<Charge, ApiError> {
        let mut payer = self.payer().await?;
        let bytes = bytes(&payer);
        if bytes > 0 {
            let is_plenty = self.app.has_plenty_of_room().await?;
            // A player of this age was not made only to fill the store.
            payer.is_known = is_plenty || self.is_older(self.app.config.bounds.unused_time_when_full).await?;
            self.app.growth.take(&payer, bytes as f64, is_plenty)?;
        }
        Ok(Charge { app: Arc::clone(&self.app), payer, bytes })
    }

    /// Whether the player was made longer ago than this.
    async fn is_older(&self, age: Duration) -> Result<bool, ApiError> {
        let player = self.app.store.player(self.device.clone()).await?;
        let first = player.and_then(|player| player.devices.iter().map(|device| device.created).min());
        let now = self.app.now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let least = now.saturating_sub(age).as_millis();
        Ok(first.is_some_and(|first| u128::try_from(first).is_ok_and(|first| first <= least)))
    }

    /// Counts as a wrong guess of a secret, unless it turns out to be right. A browser that has a cookie of ours pays by itself. A client
    /// that guesses with many cookies, or with players made for that, keeps only newcomers of the address from joining.
    async fn guess(&self) -> Result<Guess, ApiError> {
        let mut payer = self.payer().await?;
        payer.is_known = self.is_older(KNOWN_AFTER).await?;
        payer.own = payer.own.or_else(|| Some(self.client.device.as_ref()?.key().to_owned()));
        self.app.codes.take(&payer, 1.0, false)?;
        Ok(Guess { app: Arc::clone(&self.app), payer })
    }

    /// The payer of this request: the player, if there is one.
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
    /// The store's answer.
    fn unless_failed<T>(self, result: Result<T, StoreError>) -> Result<T, StoreError> {
        self.if_stored(result, |_| true)
    }

    /// The store's answer, which says whether something was stored.
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
        self.app.codes.give_back(&self.payer, 1.0);
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
