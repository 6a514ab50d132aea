//! The id, the log line and the metrics of each request.

use std::{
    any::Any,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Instant,
};

use axum::{
    extract::{Request, State},
    http::{HeaderName, HeaderValue},
    middleware::Next,
    response::{IntoResponse, Response},
};
use tracing::Instrument;

use crate::{
    app::App,
    client::Client,
    error::{ApiError, Code},
};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Gives each request an id, which its response has, too; counts it; and logs a line when its response begins: the client's
/// address (of IPv6 its /64), method, path, status, time. Not the query nor any header, for there may be secrets in them.
pub(crate) async fn log(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    static LAST_NUMBER: AtomicU64 = AtomicU64::new(0);
    let id = format!("{:08x}-{}", std::process::id(), LAST_NUMBER.fetch_add(1, Relaxed) + 1);
    let (began, method) = (Instant::now(), request.method().clone());
    let client = request.extensions().get().map_or_else(String::new, |client: &Client| client.address.to_string());
    let span = tracing::info_span!("request", id, client, %method, path = masked(request.uri().path()));
    let mut response = next.run(request).instrument(span.clone()).await;
    let (status, time) = (response.status(), began.elapsed());
    let code = response.extensions().get().map_or("", |&Code(code)| code);
    span.in_scope(|| tracing::info!(status = status.as_u16(), code, micros = time.as_micros() as u64, "answered"));
    app.metrics.count(&method, status, time);
    if !code.is_empty() {
        app.metrics.refuse(code);
    }
    response.headers_mut().extend(HeaderValue::try_from(id).ok().map(|id| (REQUEST_ID, id)));
    response
}

/// A path without the token of an invitation.
fn masked(path: &str) -> &str {
    if path.starts_with("/enter/") { "/enter/…" } else { path }
}

/// The response to a request whose handler panicked.
pub(crate) fn panicked(app: &App, panic: &(dyn Any + Send)) -> Response {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    tracing::error!(panic = text.unwrap_or("no text"), "a request panicked");
    app.metrics.panicked();
    ApiError::internal().into_response()
}
