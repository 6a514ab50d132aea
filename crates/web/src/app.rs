use std::sync::Arc;

use axum::{
    Extension, Router,
    extract::{Request, State},
    http::{HeaderValue, Method, StatusCode, Uri, header},
    middleware,
    response::{IntoResponse, Response},
};
use rust_embed::RustEmbed;

use crate::{
    api,
    assets::{self, Compressed, Page},
    browser::{self, IsPage},
    config::Config,
    error::ApiError,
    guard::{self, Host},
    pool::Pool,
    store::{OpenError, Store},
};

/// What every request can reach.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) store: Store,
    pub(crate) searches: Pool,
    pub(crate) decodes: Pool,
    compressed: Compressed,
}

/// The whole server but for the socket. Opens the store.
pub fn app(config: Config) -> Result<Router, StartError> {
    let app = Arc::new(App {
        store: Store::open(&config.data, &config.bounds).map_err(StartError)?,
        searches: Pool::new("worker", config.workers, config.waiting),
        decodes: Pool::new("picture decoder", config.bounds.picture_decodes, config.bounds.picture_decodes),
        compressed: Compressed::default(),
        config,
    });
    Ok(router::<Page>(app))
}

/// The addresses, with the page's files from `F`.
fn router<F: RustEmbed + 'static>(app: Arc<App>) -> Router {
    api::routes()
        .fallback(page::<F>)
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn(browser::identify))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard::check))
        .layer(middleware::from_fn(guard::harden))
        .with_state(app)
}

/// The addresses of the page's places, all of which are the one page.
const PLACES: [&str; 2] = ["/", "/records"];

async fn page<F: RustEmbed>(
    State(app): State<Arc<App>>,
    Extension(host): Extension<Host>,
    request: Request,
) -> Response {
    let path = request.uri().path();
    if path == "/api" || path.starts_with("/api/") {
        return ApiError::not_found("such address").into_response();
    }
    let is_place = PLACES.contains(&path);
    let name = if is_place { "index.html" } else { path.trim_start_matches('/') };
    if is_place && host.is_localhost() {
        return redirect(&app, &host, request.uri());
    }
    match assets::file::<F>(name, request.headers(), &app.compressed) {
        None => ApiError::not_found("such file").into_response(),
        Some(_) if ![Method::GET, Method::HEAD].contains(request.method()) => wrong_method().await,
        Some(mut response) => {
            if is_place {
                response.extensions_mut().insert(IsPage);
            }
            response
        }
    }
}

fn redirect(app: &App, host: &Host, uri: &Uri) -> Response {
    let place = uri.path_and_query().map_or("/", |place| place.as_str());
    let target = format!("http://{}{place}", host.at(app.config.loopback));
    match HeaderValue::try_from(target) {
        Ok(target) => (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, target)]).into_response(),
        Err(_) => ApiError::internal().into_response(),
    }
}

async fn wrong_method() -> Response {
    let message = "this address does not take that method; the Allow header, if any, says which";
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", message).into_response()
}

/// Why a server does not start: its data cannot be opened.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct StartError(OpenError);
