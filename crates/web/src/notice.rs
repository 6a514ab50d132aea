//! Small pages for people who cannot be shown the game, in their language.

use axum::{
    body::Body,
    extract::Request,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};

/// In which language somebody is spoken to.
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

    fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh-CN",
        }
    }
}

/// Whether it is a person at a browser who asks, and not a program.
pub(crate) fn wants_page(request: &Request) -> bool {
    let accepts = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or("");
    request.method() == Method::GET && accepts.contains("text/html") && !request.uri().path().starts_with("/api")
}

/// A page with this content, which is HTML, and with a style sheet if one is named.
pub(crate) fn page(status: StatusCode, language: Language, style: Option<&str>, content: &str) -> Response {
    let style = style.map_or_else(String::new, |path| format!("<link rel=\"stylesheet\" href=\"{path}\">"));
    let page = format!(
        "<!doctype html><html lang=\"{}\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>拼图 Pintu</title>{style}<main><h1>拼图 Pintu</h1>{content}</main></html>",
        language.tag()
    );
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(
                "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
            ),
        ),
    ];
    (status, headers, Body::from(page)).into_response()
}

/// A text of somebody else's, as it can stand in a page.
pub(crate) fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut safe, letter| {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            _ => safe.push(letter),
        }
        safe
    })
}
