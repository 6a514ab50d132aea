//! Which browser asks: a random, persistent cookie that scripts cannot read.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, Method},
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
#[derive(Clone, Debug)]
pub(crate) struct Browser(pub(crate) Owner);

const COOKIE: Cookie = Cookie { name: "pintu" };
/// What browsers allow at most; each visit renews it.
const FOUR_HUNDRED_DAYS: u32 = 400 * 24 * 60 * 60;
/// What ids are signed for.
const PURPOSE: &str = "browser";

/// Finds out which browser asks. One without a cookie of ours is new; it gets its cookie with a page, or
/// with what it makes first. Answers to mere questions set none, so that nothing asked from elsewhere can
/// replace a cookie that was not sent along.
pub(crate) async fn identify(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let is_https = cookie::is_https(request.headers());
    let known = known(&app, request.headers()).await;
    let Some(id) = known.clone().or_else(Id::random) else { return ApiError::internal().into_response() };
    let makes = request.method() == Method::POST;
    let owner = Owner::of(&id);
    if let Some(client) = request.extensions_mut().get_mut::<Client>() {
        client.browser = known.is_some().then(|| owner.clone());
    }
    request.extensions_mut().insert(Browser(owner));
    let mut response = next.run(request).await;
    let is_page = response.extensions().get::<IsPage>().is_some();
    if is_page || (known.is_none() && makes && response.status().is_success()) {
        let signed = app.keys.issue(&*app.store, PURPOSE, id.as_str()).await;
        COOKIE.set(&mut response, &signed, FOUR_HUNDRED_DAYS, &app.keys, is_https);
    } else if response.extensions().get::<IsFarewell>().is_some() {
        COOKIE.unset(&mut response, &app.keys, is_https);
    }
    response
}

/// Marks a response as a page, which (re)news the cookie.
#[derive(Clone, Copy)]
pub(crate) struct IsPage;

/// Marks a response that makes the browser forget who it is.
#[derive(Clone, Copy)]
pub(crate) struct IsFarewell;

/// The id of a cookie that we issued.
async fn known(app: &App, headers: &HeaderMap) -> Option<Id> {
    for value in COOKIE.values(headers, &app.keys) {
        if let Some(id) = app.keys.check(&*app.store, PURPOSE, value).await.and_then(Id::parse) {
            return Some(id);
        }
        // Cookies were not always signed. One that names something here was issued here.
        if let Some(id) = Id::parse(value)
            && app.store.knows(Owner::of(&id)).await.unwrap_or(false)
        {
            return Some(id);
        }
    }
    None
}
