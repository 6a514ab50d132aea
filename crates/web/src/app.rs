use std::{any::Any, sync::Arc, time::Duration};

use axum::{
    Extension, Router,
    extract::{Request, State},
    http::{HeaderValue, Method, StatusCode, Uri, header},
    middleware,
    response::{IntoResponse, Response},
};
use tower_http::catch_panic::CatchPanicLayer;

use crate::{
    api,
    assets::{self, Compressed, Files, PAGE},
    browser::{self, IsPage},
    client,
    config::Config,
    error::ApiError,
    gate,
    guard::{self, Host},
    keys::Keys,
    maps::Maps,
    metrics::Metrics,
    ongoing::Ongoing,
    pool::Pool,
    rate::Rate,
    store::{OpenError, Setup, Sqlite, Store},
    traffic::Traffic,
    watch,
};

/// What every request can reach.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) store: Box<dyn Store>,
    pub(crate) keys: Keys,
    pub(crate) searches: Pool,
    /// Those of them whose streams can be ended with what was found.
    pub(crate) ongoing: Ongoing,
    pub(crate) decodes: Pool,
    pub(crate) uploads: Traffic,
    pub(crate) downloads: Traffic,
    /// Answers of searches that clients have not read yet.
    pub(crate) answers: Traffic,
    /// Bytes that addresses add to what is kept.
    pub(crate) growth: Rate,
    /// Wrong passwords.
    pub(crate) guesses: Rate,
    pub(crate) metrics: Metrics,
    /// Maps that were asked about before.
    pub(crate) maps: Maps,
    compressed: Compressed,
}

/// The whole server but for the socket. Opens the store.
pub fn app(config: Config) -> Result<Router, StartError> {
    let app = Arc::new(open(config)?);
    if tokio::runtime::Handle::try_current().is_ok() {
        forget_every_hour(&app);
    }
    Ok(router(PAGE, app))
}

fn open(config: Config) -> Result<App, StartError> {
    const A_DAY: Duration = Duration::from_hours(24);
    let (bounds, clock, vfs) = (config.bounds.clone(), config.clock.clone(), config.vfs.clone());
    let setup = Setup { directory: config.data.clone(), bounds, clock, vfs };
    let (store, secret) = Sqlite::open(setup).map_err(StartError)?;
    let bounds = &config.bounds;
    Ok(App {
        store: Box::new(store),
        keys: Keys::new(secret),
        searches: Pool::new("worker", config.workers, config.waiting, bounds.usual_search_time),
        ongoing: Ongoing::default(),
        decodes: Pool::new("picture decoder", bounds.picture_decodes, bounds.picture_waiting, Duration::MAX),
        uploads: Traffic::new("too much arrives at once", bounds.uploads_bytes, bounds.uploads_bytes_of_address),
        downloads: Traffic::new(
            "too many pictures are asked for and not read",
            bounds.downloads,
            bounds.downloads_of_address,
        ),
        answers: Traffic::new(
            "too many long answers are asked for and not read",
            bounds.answers_bytes,
            bounds.answers_bytes_of_address,
        ),
        growth: Rate::new(bounds.growth_bytes as f64, A_DAY),
        guesses: Rate::new(f64::from(bounds.guesses), Duration::from_mins(1)),
        metrics: Metrics::default(),
        maps: Maps::new(bounds.maps, bounds.maps_bytes),
        compressed: Compressed::default(),
        config,
    })
}

/// The addresses, with the page's files.
fn router(files: Files, app: Arc<App>) -> Router {
    let page = move |app, host, request| page(files, app, host, request);
    let routes = api::routes(&app).fallback(page).method_not_allowed_fallback(wrong_method);
    layered(routes, app)
}

/// Addresses behind everything that a request goes through before it is answered.
fn layered(routes: Router<Arc<App>>, app: Arc<App>) -> Router {
    let panicking = Arc::clone(&app);
    let caught = move |panic: Box<dyn Any + Send>| watch::panicked(&panicking, &*panic);
    let with = || Arc::clone(&app);
    routes
        .layer(middleware::from_fn_with_state(with(), browser::identify))
        .layer(middleware::from_fn_with_state(with(), gate::keep))
        .layer(middleware::from_fn_with_state(with(), client::note))
        .layer(middleware::from_fn_with_state(with(), guard::check))
        .layer(CatchPanicLayer::custom(caught))
        .layer(middleware::from_fn(guard::harden))
        .layer(watch::trace())
        .layer(middleware::from_fn_with_state(with(), watch::count))
        .with_state(app)
}

/// Forgets what browsers have here that are not used any more: now, and every hour as long as the server is.
fn forget_every_hour(app: &Arc<App>) {
    let app = Arc::downgrade(app);
    tokio::spawn(async move {
        loop {
            let Some(app) = app.upgrade() else { return };
            match app.store.forget_unused().await {
                Ok(true) => {
                    drop(app);
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
                Ok(false) => (),
                Err(error) => tracing::error!(%error, "what is unused was not forgotten"),
            }
            drop(app);
            tokio::time::sleep(Duration::from_hours(1)).await;
        }
    });
}

/// The addresses of the page's places, all of which are the one page.
const PLACES: [&str; 5] = ["/", "/lab", "/paths", "/records", "/guide"];

async fn page(
    files: Files,
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
    match assets::file(files, name, request.headers(), &app.compressed) {
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

#[cfg(test)]
mod tests {
    use axum::{body::Body, http::HeaderMap};
    use http_body_util::BodyExt;
    use tower::ServiceExt;

    use super::*;

    const SAMPLE: Files = Files::Folder("tests/page");

    struct Got {
        status: StatusCode,
        headers: HeaderMap,
        body: Vec<u8>,
    }

    async fn get(method: Method, path: &str, headers: &[(&'static str, &str)]) -> Got {
        let directory = tempfile::tempdir().unwrap();
        let router = router(SAMPLE, Arc::new(open(Config::new(directory.path())).unwrap()));
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|&(name, _)| name == "host") {
            request = request.header("host", "127.0.0.1:7468");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = router.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        let (parts, body) = response.into_parts();
        Got { status: parts.status, headers: parts.headers, body: body.collect().await.unwrap().to_bytes().to_vec() }
    }

    impl Got {
        fn header(&self, name: &str) -> &str {
            self.headers.get(name).map_or("", |value| value.to_str().unwrap())
        }
    }

    #[tokio::test]
    async fn each_place_is_the_page_and_brings_a_cookie() {
        for place in PLACES {
            let got = get(Method::GET, place, &[]).await;
            assert_eq!(got.status, StatusCode::OK);
            assert_eq!(got.header("content-type"), "text/html; charset=utf-8");
            let cookie = got.header("set-cookie");
            for part in ["pintu-", "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age="] {
                assert!(cookie.contains(part), "{cookie}");
            }
        }
    }

    #[tokio::test]
    async fn a_cookie_that_nobody_issued_is_replaced() {
        for forged in ["0123456789abcdef0123456789abcdef", &"0".repeat(64)] {
            let got = get(Method::GET, "/", &[("cookie", &format!("pintu={forged}"))]).await;
            assert!(got.header("set-cookie").starts_with("pintu-") && !got.header("set-cookie").contains(forged));
        }
    }

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
            let body = response.into_body().collect().await.unwrap().to_bytes();
            assert!(body.starts_with(b"{\"error\":") && !body.windows(10).any(|part| part == b"on purpose"));
        }
        let now = crate::metrics::Now { census: None, searches: (0, 0), connections: None, resident: 0 };
        assert!(app.metrics.text(&now).contains("pintu_panics_total 2\n"));
    }

    #[tokio::test]
    async fn files_have_types_and_set_no_cookie() {
        let got = get(Method::GET, "/js/main.js", &[]).await;
        assert_eq!(got.header("content-type"), "text/javascript; charset=utf-8");
        assert_eq!(got.body, include_bytes!("../tests/page/js/main.js"));
        assert_eq!(got.header("set-cookie"), "");
        let head = get(Method::HEAD, "/js/main.js", &[]).await;
        assert_eq!((head.status, head.body.len()), (StatusCode::OK, 0));
    }

    #[tokio::test]
    async fn the_guide_is_html_with_its_pictures_in_both_languages() {
        for (language, title) in [("en", "Which algorithm when"), ("zh", "什么时候用哪种算法")] {
            let got = get(Method::GET, &format!("/guide/{language}.html"), &[]).await;
            assert_eq!(got.header("content-type"), "text/html; charset=utf-8");
            let text = String::from_utf8(got.body).unwrap();
            assert!(text.starts_with(&format!("<h1>{title}</h1>")), "{language}");
            let pictures: Vec<&str> =
                text.split("<img src=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
            assert!(pictures.len() > 3, "{language}");
            for picture in pictures {
                assert_eq!(get(Method::GET, &format!("/{picture}"), &[]).await.status, StatusCode::OK, "{picture}");
            }
        }
        let outside = get(Method::GET, "/guide/../README.md", &[]).await;
        assert_eq!(outside.status, StatusCode::NOT_FOUND);
    }

    #[tokio::test]
    async fn a_file_that_is_known_is_not_sent_again() {
        let first = get(Method::GET, "/js/main.js", &[]).await;
        let again = get(Method::GET, "/js/main.js", &[("if-none-match", first.header("etag"))]).await;
        assert_eq!((again.status, again.body.len()), (StatusCode::NOT_MODIFIED, 0));
        let other = get(Method::GET, "/js/main.js", &[("if-none-match", "\"0\"")]).await;
        assert_eq!(other.status, StatusCode::OK);
    }

    #[tokio::test]
    async fn text_is_compressed_for_those_who_take_it() {
        let got = get(Method::GET, "/", &[("accept-encoding", "br, gzip;q=0.8")]).await;
        assert_eq!(got.header("content-encoding"), "gzip");
        let mut plain = String::new();
        std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(&*got.body), &mut plain).unwrap();
        assert_eq!(plain, include_str!("../tests/page/index.html"));
        assert_eq!(get(Method::GET, "/", &[("accept-encoding", "gzip;q=0")]).await.header("content-encoding"), "");
    }

    #[tokio::test]
    async fn pages_at_localhost_move_to_the_address() {
        let got = get(Method::GET, "/records?a=b", &[("host", "localhost:7468")]).await;
        assert_eq!(got.status, StatusCode::TEMPORARY_REDIRECT);
        assert_eq!(got.header("location"), "http://127.0.0.1:7468/records?a=b");
        let file = get(Method::GET, "/js/main.js", &[("host", "localhost:7468")]).await;
        assert_eq!(file.status, StatusCode::OK);
    }

    #[tokio::test]
    async fn what_is_not_there_is_not_found() {
        for path in
            ["/nothing", "/js", "/../Cargo.toml", "/js/../../../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd"]
        {
            let got = get(Method::GET, path, &[]).await;
            assert_eq!(got.status, StatusCode::NOT_FOUND, "{path}");
        }
        assert_eq!(get(Method::POST, "/js/main.js", &[]).await.status, StatusCode::METHOD_NOT_ALLOWED);
    }
}
