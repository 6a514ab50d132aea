//! Small HTML pages (login, errors) in the language of the browser.

use axum::{
    body::Body,
    extract::Request,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    Chinese,
}

impl Language {
    /// The one that a browser asks for first.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let wanted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or("");
        if wanted.trim_start().starts_with("zh") { Self::Chinese } else { Self::English }
    }
}

/// Whether a request is a browser's for a page, and not a program's.
pub(crate) fn wants_page(request: &Request) -> bool {
    let accepts = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or("");
    request.method() == Method::GET && accepts.contains("text/html") && !request.uri().path().starts_with("/api")
}

const POLICY: &str =
    "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// A page with this content, which is HTML, and with a style sheet if one is named.
pub(crate) fn page(status: StatusCode, language: Language, style: Option<&str>, content: &str) -> Response {
    let style = style.map_or_else(String::new, |path| format!("<link rel=\"stylesheet\" href=\"{path}\">"));
    let code = if language == Language::Chinese { "zh-CN" } else { "en" };
    let page = format!(
        "<!doctype html><html lang=\"{code}\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>拼图 Pintu</title>{style}<main><h1>拼图 Pintu</h1>{content}</main></html>"
    );
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ];
    (status, headers.map(|(name, value)| (name, HeaderValue::from_static(value))), Body::from(page)).into_response()
}

/// The style of such pages. Those who have not logged in get it, too.
pub(crate) const STYLE_PATH: &str = "/enter.css";

pub(crate) fn style() -> Response {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], CSS).into_response()
}

const CSS: &str = "\
:root{color-scheme:light dark}
body{font:1.125rem/1.5 system-ui,sans-serif;max-width:22rem;margin:15vh auto;padding:0 1rem}
input,button,a{display:block;font:inherit;width:100%;box-sizing:border-box;padding:.6rem;margin:.4rem 0;border-radius:.5rem;border:1px solid #888}
button,a{background:#c8402a;color:#fff;border:0;cursor:pointer;text-align:center;text-decoration:none}
p[role=alert]{color:#b3261e}
";

/// The page about an address at which there is nothing, with the way to the game.
pub(crate) fn nothing_here(headers: &HeaderMap) -> Response {
    let language = Language::of(headers);
    let [nothing, play] = match language {
        Language::English => ["There is no page at this address.", "Play the game"],
        Language::Chinese => ["这个地址没有页面。", "去玩游戏"],
    };
    page(StatusCode::NOT_FOUND, language, Some(STYLE_PATH), &format!("<p>{nothing}</p><a href=\"/\">{play}</a>"))
}

pub(crate) fn escaped(text: &str) -> String {
    let mut safe = text.replace('&', "&amp;");
    for (letter, entity) in [('<', "&lt;"), ('>', "&gt;"), ('"', "&quot;"), ('\'', "&#39;")] {
        safe = safe.replace(letter, entity);
    }
    safe
}
