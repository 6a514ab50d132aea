//! What stands behind the `?` of an address: names that are known there, each once. What is not known is refused, like a
//! field of a body: whoever misspells a condition must not be taken for one who made none.

use axum::{
    extract::Request,
    http::{Method, Uri},
    middleware::Next,
    response::{IntoResponse, Response},
};

use crate::error::ApiError;

/// The revision that a save must be at.
pub(super) const REVISION: &str = "revision";
/// Whether all are wanted.
pub(super) const ALL: &str = "all";

/// The names that an address knows.
fn known(method: &Method, path: &str) -> &'static [&'static str] {
    match (method.as_str(), path) {
        ("DELETE", path) if path.starts_with("/api/saves/") => &[REVISION],
        ("GET" | "HEAD", "/api/records") => &[ALL],
        _ => &[],
    }
}

/// Lets a request through if its query has nothing but what its address knows.
pub(super) async fn check(request: Request, next: Next) -> Response {
    let known = known(request.method(), request.uri().path());
    match check_names(request.uri().query().unwrap_or(""), known) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

fn check_names(query: &str, known: &[&str]) -> Result<(), ApiError> {
    let names: Vec<&str> = pairs(query).map(|(name, _)| name).collect();
    for (index, name) in names.iter().enumerate() {
        let expected = match known {
            [known] if name == known && !names[..index].contains(name) => continue,
            [known] => format!("nothing but `{known}`, once"),
            _ => "none here".to_owned(),
        };
        let name: String = name.chars().take(100).collect();
        return Err(ApiError::bad("bad-field", format!("found `{name}` in the query, expected {expected}")));
    }
    Ok(())
}

/// What a name of the query is said to be, if it is there: an empty text where it stands alone.
pub(super) fn value<'a>(uri: &'a Uri, name: &str) -> Option<&'a str> {
    pairs(uri.query()?).find(|&(found, _)| found == name).map(|(_, value)| value)
}

fn pairs(query: &str) -> impl Iterator<Item = (&str, &str)> {
    let parts = query.split('&').filter(|part| !part.is_empty());
    parts.map(|part| part.split_once('=').unwrap_or((part, "")))
}
