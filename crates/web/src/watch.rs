//! What is noted of each request: an id, a line in the log, and counts.

use std::{
    any::Any,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Instant,
};

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderName, HeaderValue},
    middleware::Next,
    response::{IntoResponse, Response},
};
use tower_http::classify::{ServerErrorsAsFailures, SharedClassifier};
use tower_http::trace::{MakeSpan, TraceLayer};
use tracing::Span;

use crate::{
    app::App,
    error::{ApiError, Code},
};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The id of a request: unlike every other of this process, and short enough to read out.
#[derive(Clone, Debug)]
struct RequestId(HeaderValue);

/// Gives each request an id, which its response has, too, and counts it.
pub(crate) async fn count(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    static NUMBERS: AtomicU64 = AtomicU64::new(1);
    let number = NUMBERS.fetch_add(1, Relaxed);
    let id = HeaderValue::try_from(format!("{:08x}-{number}", std::process::id()));
    let id = id.unwrap_or(HeaderValue::from_static("?"));
    request.extensions_mut().insert(RequestId(id.clone()));
    let (began, method) = (Instant::now(), request.method().clone());
    let mut response = next.run(request).await;
    app.metrics.count(&method, response.status(), began.elapsed());
    if let Some(&Code(code)) = response.extensions().get() {
        app.metrics.refuse(code);
    }
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

/// A span a request, and a line when its response begins: method, path, status, time. Not the query nor any
/// header, for there may be secrets in them.
pub(crate) fn trace() -> TraceLayer<SharedClassifier<ServerErrorsAsFailures>, RequestSpan, (), OnResponse, (), (), ()> {
    TraceLayer::new_for_http()
        .make_span_with(RequestSpan)
        .on_request(())
        .on_response(OnResponse)
        .on_body_chunk(())
        .on_eos(())
        .on_failure(())
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestSpan;

impl MakeSpan<Body> for RequestSpan {
    fn make_span(&mut self, request: &Request) -> Span {
        let id = request.extensions().get::<RequestId>().map_or("?", |id| id.0.to_str().unwrap_or("?"));
        tracing::info_span!("request", id, method = %request.method(), path = masked(request.uri().path()))
    }
}

/// A path without the token of a link that lets one in.
fn masked(path: &str) -> &str {
    if path.starts_with("/enter/") { "/enter/…" } else { path }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct OnResponse;

impl tower_http::trace::OnResponse<Body> for OnResponse {
    fn on_response(self, response: &Response, latency: std::time::Duration, _: &Span) {
        let code = response.extensions().get().map_or("", |&Code(code)| code);
        tracing::info!(status = response.status().as_u16(), code, micros = latency.as_micros() as u64, "answered");
    }
}

/// What becomes of a request whose handler panicked.
pub(crate) fn panicked(app: &App, panic: &(dyn Any + Send)) -> Response {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    tracing::error!(panic = text.unwrap_or("no text"), "a request panicked");
    app.metrics.panicked();
    ApiError::internal().into_response()
}
