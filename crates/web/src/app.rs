use std::{
    any::Any,
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use axum::{
    Extension, Router,
    extract::{Request, State},
    http::{HeaderValue, Method, StatusCode, Uri, header},
    middleware,
    response::{IntoResponse, Response},
};
use pintu_engine::calls::Maps;
use pintu_game::Day;
use pintu_search::Cancel;
use sha2::{Digest, Sha256};
use tower_http::catch_panic::CatchPanicLayer;

use crate::{
    api::{self, Waiting},
    assets::{self, File},
    auth,
    budget::Budget,
    client::{self, Client},
    config::{Bounds, Config},
    connections::Connections,
    device::{self, IsPage},
    error::ApiError,
    guard::{self, Host},
    html,
    id::{Id, hex},
    keys::Keys,
    ledger::{Ledger, Limits, Payer},
    metrics::Metrics,
    pool::Pool,
    ranking::{self, Rankings},
    request_log,
    store::{self, OpenError, Store},
};

/// The state that all requests share.
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) store: Box<dyn Store>,
    pub(crate) keys: Keys,
    pub(crate) searches: Pool,
    /// Searches, running and queued, by the id in a stream's `X-Search` header: whoever knows it can stop the search.
    running: Mutex<HashMap<Id, Cancel>>,
    /// Recordings of streamed searches that nobody has fetched yet.
    results: Mutex<HashMap<Id, Waiting>>,
    pub(crate) decodes: Pool,
    pub(crate) uploads: Budget,
    pub(crate) downloads: Budget,
    /// Unread answers of searches.
    pub(crate) answers: Budget,
    /// Bytes that are added to the store.
    pub(crate) growth: Ledger,
    /// Wrong passwords.
    pub(crate) passwords: Ledger,
    /// Wrong pairing codes and recovery phrases.
    pub(crate) codes: Ledger,
    /// Whether the store had plenty of room, and when that was.
    room: Mutex<Option<(Instant, bool)>>,
    pub(crate) metrics: Metrics,
    pub(crate) connections: Connections,
    pub(crate) maps: Maps,
    pub(crate) rankings: Rankings,
}

impl App {
    pub(crate) fn running(&self) -> MutexGuard<'_, HashMap<Id, Cancel>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn results(&self) -> MutexGuard<'_, HashMap<Id, Waiting>> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn now(&self) -> SystemTime {
        self.config.fixed_time.unwrap_or_else(SystemTime::now)
    }

    pub(crate) fn today(&self) -> Day {
        date_of(self.now())
    }

    /// The payer of what a client does: its player, if the store knows one.
    pub(crate) async fn payer(&self, client: &Client) -> Result<Payer, ApiError> {
        let own = match client.device.clone() {
            Some(device) => self.store.player_of(device).await?,
            None => None,
        };
        Ok(Payer { address: client.address, is_known: own.is_some(), own })
    }

    /// Whether less than half of the database is in use.
    pub(crate) async fn has_plenty_of_room(&self) -> Result<bool, ApiError> {
        const MAX_AGE: Duration = Duration::from_secs(5);
        let last = *self.room.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, is_plenty)) = last.filter(|(at, _)| at.elapsed() < MAX_AGE) {
            return Ok(is_plenty);
        }
        let is_plenty = self.store.bytes().await? < self.config.bounds.database_bytes / 2;
        *self.room.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), is_plenty));
        Ok(is_plenty)
    }
}

/// The date in Greenwich.
pub(crate) fn date_of(time: SystemTime) -> Day {
    let days = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() / (24 * 60 * 60);
    i32::try_from(days).ok().and_then(Day::new).unwrap_or(Day::EPOCH)
}

/// No larger limit for a network, so that it cannot fill the database either.
fn growth_limits(bounds: &Bounds) -> Limits {
    let address = bounds.growth_bytes_of_address as f64;
    Limits {
        own: bounds.growth_bytes as f64,
        others: address,
        address,
        network: address,
        newcomers: bounds.growth_bytes_of_newcomers as f64,
        known: f64::MAX,
        is_address_shared: true,
    }
}

/// Known players have nothing in common with newcomers, whose guesses cannot keep them out.
fn guess_limits(bounds: &Bounds) -> Limits {
    let own = f64::from(bounds.guesses);
    let (address, total) = (f64::from(bounds.guesses_of_address), f64::from(bounds.guesses_in_total));
    Limits {
        own,
        others: own,
        address,
        network: address * bounds.network_share as f64,
        newcomers: total,
        known: total,
        is_address_shared: false,
    }
}

/// The whole server but for its sockets. Clones share everything.
#[derive(Clone)]
pub struct Service(pub(crate) Arc<App>);

impl Service {
    /// Opens the store. To be called within a runtime of Tokio.
    pub fn open(config: Config) -> Result<Self, StartError> {
        let app = Arc::new(open(config)?);
        forget_unused_every_hour(&app);
        auth::keep_inviting(&app);
        Ok(Self(app))
    }

    /// The routes of clients.
    pub fn router(&self) -> Router {
        let routes = api::routes(&self.0).fallback(page).method_not_allowed_fallback(wrong_method);
        layered(routes, Arc::clone(&self.0))
    }

    /// The routes of the operator, at an address of their own.
    pub fn metrics(&self) -> Router {
        api::operator_routes().with_state(Arc::clone(&self.0))
    }
}

/// The requests of clients, without a socket.
pub fn app(config: Config) -> Result<Router, StartError> {
    Service::open(config).map(|service| service.router())
}

pub(crate) fn open(config: Config) -> Result<App, StartError> {
    const DAY: Duration = Duration::from_hours(24);
    let (store, secret) = store::open(&config).map_err(StartError)?;
    let bounds = &config.bounds;
    Ok(App {
        store,
        keys: Keys::new(secret),
        searches: Pool::new("worker", bounds.workers, bounds.waiting, bounds.usual_search_time),
        running: Mutex::default(),
        results: Mutex::default(),
        decodes: Pool::new("picture decoder", bounds.picture_decodes, bounds.picture_waiting, Duration::MAX),
        uploads: Budget::new(
            "too much arrives at once",
            bounds.uploads_bytes,
            bounds.uploads_bytes_of_address,
            bounds.network_share,
        ),
        downloads: Budget::new(
            "too many pictures are asked for and not read",
            bounds.downloads,
            bounds.downloads_of_address,
            bounds.network_share,
        ),
        answers: Budget::new(
            "too many long answers are asked for and not read",
            bounds.answers_bytes,
            bounds.answers_bytes_of_address,
            bounds.network_share,
        ),
        growth: Ledger::new(growth_limits(bounds), DAY),
        passwords: Ledger::new(guess_limits(bounds), Duration::from_mins(1)),
        codes: Ledger::new(guess_limits(bounds), Duration::from_mins(1)),
        room: Mutex::default(),
        metrics: Metrics::default(),
        connections: Connections::new(&config),
        maps: Maps::new(bounds.cached_maps, bounds.maps_bytes, secret_id),
        rankings: Rankings::new(ranking::MAX_AGE),
        config,
    })
}

/// A hash of a text, which only clients that have the text can know.
fn secret_id(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes())[..16])
}

/// Routes behind the middleware. The last layer sees a request first.
fn layered(routes: Router<Arc<App>>, app: Arc<App>) -> Router {
    let panicking = Arc::clone(&app);
    let caught = move |panic: Box<dyn Any + Send>| request_log::panicked(&panicking, &*panic);
    let with = || Arc::clone(&app);
    routes
        .layer(middleware::from_fn_with_state(with(), device::identify))
        .layer(middleware::from_fn_with_state(with(), auth::authenticate))
        .layer(middleware::from_fn_with_state(with(), guard::check))
        .layer(CatchPanicLayer::custom(caught))
        .layer(middleware::from_fn(guard::harden))
        .layer(middleware::from_fn_with_state(with(), request_log::log))
        .layer(middleware::from_fn_with_state(with(), client::identify))
        .with_state(app)
}

/// Deletes the data of players that are not used any more: now, and every hour while the server runs.
fn forget_unused_every_hour(app: &Arc<App>) {
    let app = Arc::downgrade(app);
    tokio::spawn(async move {
        loop {
            let Some(app) = app.upgrade() else { return };
            let pause = match app.store.forget_unused().await {
                Ok(true) => Duration::from_millis(100),
                Ok(false) => Duration::from_hours(1),
                Err(error) => {
                    tracing::error!(%error, "the data of unused players was not deleted");
                    Duration::from_hours(1)
                }
            };
            drop(app);
            tokio::time::sleep(pause).await;
        }
    });
}

/// The paths of the page's places, all of which are one document.
pub(crate) const PAGES: [&str; 5] = ["/", "/lab", "/paths", "/records", "/guide"];

async fn page(State(app): State<Arc<App>>, Extension(host): Extension<Host>, request: Request) -> Response {
    let path = request.uri().path();
    if path == "/api" || path.starts_with("/api/") {
        return ApiError::not_found("such address").into_response();
    }
    let is_page = PAGES.contains(&path);
    let name = if is_page { "index.html" } else { path.trim_start_matches('/') };
    if is_page && host.is_localhost() {
        return redirect(&app, &host, request.uri());
    }
    match asset(&app, name) {
        None if path == html::STYLE_PATH => html::style(),
        None if html::wants_page(&request) => html::nothing_here(request.headers()),
        None => ApiError::not_found("such file").into_response(),
        Some(_) if ![Method::GET, Method::HEAD].contains(request.method()) => wrong_method().await,
        Some((file, is_kept)) => {
            let (name, headers) = (name.to_owned(), request.headers().clone());
            // Compressing the engine takes a while, once.
            let made = tokio::task::spawn_blocking(move || assets::response(&name, &file, is_kept, &headers)).await;
            let Ok(mut response) = made else { return ApiError::internal().into_response() };
            if is_page {
                response.extensions_mut().insert(IsPage);
            }
            response
        }
    }
}

/// A file of the page or of the engine for browsers, if there is one, and whether a browser may keep it.
fn asset(app: &App, name: &str) -> Option<(Arc<File>, bool)> {
    let Some(engine) = &app.config.engine else { return assets::served(name) };
    if let Some(file) = engine.file(name) {
        return Some((file, true));
    }
    let (file, is_kept) = assets::served(name)?;
    Some((if name == "index.html" { engine.document(&file) } else { file }, is_kept))
}

fn redirect(app: &App, host: &Host, uri: &Uri) -> Response {
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    let target = format!("http://{}{path}", host.at(app.config.loopback));
    match HeaderValue::try_from(target) {
        Ok(target) => (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, target)]).into_response(),
        Err(_) => ApiError::internal().into_response(),
    }
}

async fn wrong_method() -> Response {
    let message = "this address does not take that method; the Allow header, if any, says which";
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", message).into_response()
}

/// The server does not start: its data cannot be opened.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct StartError(pub(crate) OpenError);

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use tower::ServiceExt;

    use super::*;

    #[tokio::test]
    async fn a_panic_is_an_error_like_any_other() {
        let directory = tempfile::tempdir().unwrap();
        let app = Arc::new(open(Config::new(directory.path())).unwrap());
        let panics = axum::routing::get(async || -> &'static str { panic!("on purpose") });
        let router = layered(Router::new().route("/panics", panics), Arc::clone(&app));
        for _ in 0..2 {
            let request = Request::get("/panics").header("host", "127.0.0.1").body(Body::empty()).unwrap();
            let response = router.clone().oneshot(request).await.unwrap();
            assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
            assert!(response.headers().contains_key("x-request-id"));
            assert!(response.headers().contains_key("content-security-policy"));
            let body = to_bytes(response.into_body(), 1000).await.unwrap();
            assert!(body.starts_with(b"{\"error\":") && !body.windows(10).any(|part| part == b"on purpose"));
        }
        let now = crate::metrics::Now { census: None, searches: (0, 0), connections: 0, resident: 0 };
        assert!(app.metrics.text(&now).contains("pintu_panics_total 2\n"));
    }
}
