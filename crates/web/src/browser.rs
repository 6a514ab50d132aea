//! Which browser asks: a random, persistent cookie that scripts cannot read.

use axum::{
    extract::Request,
    http::{HeaderMap, HeaderValue, Method, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use crate::{error::ApiError, id::Id};

/// The browser that a request comes from.
#[derive(Clone, Debug)]
pub(crate) struct Browser(pub(crate) Id);

const COOKIE: &str = "pintu";
/// What browsers allow at most; each visit renews it.
const FOUR_HUNDRED_DAYS: u32 = 400 * 24 * 60 * 60;

/// Finds out which browser asks. One without a cookie is new; it gets its cookie with a page, or with
/// what it makes first. Answers to mere questions set none, so that nothing asked from elsewhere can
/// replace a cookie that was not sent along.
pub(crate) async fn identify(mut request: Request, next: Next) -> Response {
    let known = cookie(request.headers());
    let Some(id) = known.clone().or_else(Id::random) else { return ApiError::internal().into_response() };
    let makes = request.method() == Method::POST;
    request.extensions_mut().insert(Browser(id.clone()));
    let mut response = next.run(request).await;
    let is_page = response.extensions().get::<IsPage>().is_some();
    if is_page || (known.is_none() && makes && response.status().is_success()) {
        set_cookie(&mut response, id.as_str(), FOUR_HUNDRED_DAYS);
    }
    response
}

/// Marks a response as a page, which (re)news the cookie.
#[derive(Clone, Copy)]
pub(crate) struct IsPage;

/// Makes the browser forget who it is.
pub(crate) fn forget(response: &mut Response) {
    set_cookie(response, "", 0);
}

fn set_cookie(response: &mut Response, value: &str, seconds: u32) {
    let text = format!("{COOKIE}={value}; Max-Age={seconds}; Path=/; HttpOnly; SameSite=Lax");
    if let Ok(value) = HeaderValue::try_from(text) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
}

fn cookie(headers: &HeaderMap) -> Option<Id> {
    let lines = headers.get_all(header::COOKIE).into_iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(|&(name, _)| name == COOKIE).find_map(|(_, value)| Id::parse(value))
}
