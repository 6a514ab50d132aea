//! Devices: browsers, each known by a random persistent cookie that scripts cannot read.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, Method, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use crate::{
    app::App,
    client::Client,
    cookie::{self, Cookie},
    error::ApiError,
    id::Id,
    store::Device,
};

/// Each visit renews it.
const COOKIE: Cookie = Cookie { name: "pintu" };
const PURPOSE: &str = "browser";

/// The name of the cookie over http.
pub(crate) fn cookie_name(app: &App) -> String {
    COOKIE.name_at(app)
}

/// Identifies the device. One without a cookie of ours is new, and gets its cookie with a page or with the first thing that
/// it creates. Other responses set none, so that no request from another site can replace a cookie that it did not send.
pub(crate) async fn identify(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let is_https = cookie::is_https(request.headers());
    let known = COOKIE.read(&app, request.headers(), PURPOSE).await.and_then(Id::parse);
    let Some(id) = known.clone().or_else(Id::random) else { return ApiError::internal().into_response() };
    let creates = [Method::POST, Method::PUT].contains(request.method());
    let device = Device::of(&id, name_of(request.headers()));
    if let Some(client) = request.extensions_mut().get_mut::<Client>() {
        client.device = known.is_some().then(|| device.clone());
    }
    request.extensions_mut().insert(device);
    let mut response = next.run(request).await;
    let is_page = response.extensions().get::<IsPage>().is_some();
    if is_page || (known.is_none() && creates && response.status().is_success()) {
        COOKIE.issue(&app, &mut response, PURPOSE, id.as_str(), is_https).await;
    } else if response.extensions().get::<ForgetCookie>().is_some() {
        COOKIE.unset(&app, &mut response, is_https);
    }
    response
}

/// The device of a request that has a cookie of ours.
pub(crate) async fn known(app: &App, headers: &HeaderMap) -> Option<Device> {
    let id = COOKIE.read(app, headers, PURPOSE).await.and_then(Id::parse)?;
    Some(Device::of(&id, name_of(headers)))
}

/// Marks a response as a page, which renews the cookie.
#[derive(Clone, Copy)]
pub(crate) struct IsPage;

#[derive(Clone, Copy)]
pub(crate) struct ForgetCookie;

/// A name for a new device by what its browser says of itself, as in `Firefox · Android`; empty if that says nothing known.
fn name_of(headers: &HeaderMap) -> String {
    // Browsers claim to be others: the first that is found is meant.
    const BROWSERS: [(&str, &str); 6] = [
        ("Edg", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ];
    const SYSTEMS: [(&str, &str); 7] = [
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Android", "Android"),
        ("Windows", "Windows"),
        ("CrOS", "ChromeOS"),
        ("Mac OS X", "macOS"),
        ("Linux", "Linux"),
    ];
    let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or("");
    let find =
        |names: &[(&str, &'static str)]| names.iter().find(|(mark, _)| agent.contains(mark)).map(|&(_, name)| name);
    [find(&BROWSERS), find(&SYSTEMS)].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_named_by_browser_and_system() {
        let of = |agent: &str| name_of(&HeaderMap::from_iter([(header::USER_AGENT, agent.parse().unwrap())]));
        let chrome =
            "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";
        assert_eq!(of(chrome), "Chrome · Android");
        assert_eq!(of("Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0"), "Firefox · Windows");
        assert_eq!(of("curl/8.0"), "");
    }
}
