//! Browsers, known by a random persistent cookie that scripts cannot read.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::Method,
    middleware::Next,
    response::{IntoResponse, Response},
};

use crate::{
    app::App,
    client::Client,
    cookie::{self, Cookie},
    error::ApiError,
    id::Id,
    store::Owner,
};

/// The browser that a request comes from, as the store knows it.
#[derive(Clone)]
pub(crate) struct Browser(pub(crate) Owner);

/// Lives for 400 days, the most that browsers allow; each visit renews it.
const COOKIE: Cookie = Cookie { name: "pintu", seconds: 400 * 24 * 60 * 60 };
const PURPOSE: &str = "browser";

/// Identifies the browser. One without a cookie of ours is new, and gets its cookie with a page or with the first thing that
/// it creates. Other responses set none, so that no request from another site can replace a cookie that it did not send.
pub(crate) async fn identify(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let is_https = cookie::is_https(request.headers());
    let known = COOKIE.read(&app, request.headers(), PURPOSE).await.and_then(Id::parse);
    let Some(id) = known.clone().or_else(Id::random) else { return ApiError::internal().into_response() };
    let creates = [Method::POST, Method::PUT].contains(request.method());
    let owner = Owner::of(&id);
    if let Some(client) = request.extensions_mut().get_mut::<Client>() {
        client.browser = known.is_some().then(|| owner.clone());
    }
    request.extensions_mut().insert(Browser(owner));
    let mut response = next.run(request).await;
    let is_page = response.extensions().get::<IsPage>().is_some();
    if is_page || (known.is_none() && creates && response.status().is_success()) {
        COOKIE.issue(&app, &mut response, PURPOSE, &id, is_https).await;
    } else if response.extensions().get::<ForgetCookie>().is_some() {
        COOKIE.unset(&app, &mut response, is_https);
    }
    response
}

/// Marks a response as a page, which renews the cookie.
#[derive(Clone, Copy)]
pub(crate) struct IsPage;

#[derive(Clone, Copy)]
pub(crate) struct ForgetCookie;
