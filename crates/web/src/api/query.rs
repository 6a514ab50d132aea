//! Queries: each parameter is known to its operation, and given once. Unknown ones are refused, like unknown fields of a
//! body: a misspelt condition must not count as none.

use axum::{
    extract::Request,
    http::Uri,
    middleware::Next,
    response::{IntoResponse, Response},
};

use crate::error::ApiError;

/// The revision that a save must be at.
pub(super) const REVISION: &str = "revision";
pub(super) const ALL: &str = "all";
/// How many days a ranking is of.
pub(super) const DAYS: &str = "days";

/// Refuses requests with other parameters than the known one.
pub(super) async fn check(known: Option<&'static str>, request: Request, next: Next) -> Response {
    let names: Vec<&str> = pairs(request.uri().query().unwrap_or("")).map(|(name, _)| name).collect();
    let Some(name) = names.iter().find(|&&name| known != Some(name) || names.len() > 1) else {
        return next.run(request).await;
    };
    let name: String = name.chars().take(100).collect();
    let expected = known.map_or_else(|| "none here".to_owned(), |known| format!("nothing but `{known}`, once"));
    ApiError::bad("bad-field", format!("found `{name}` in the query, expected {expected}")).into_response()
}

/// The value of a parameter; empty where the name stands alone.
pub(super) fn value<'a>(uri: &'a Uri, name: &str) -> Option<&'a str> {
    pairs(uri.query()?).find(|&(found, _)| found == name).map(|(_, value)| value)
}

fn pairs(query: &str) -> impl Iterator<Item = (&str, &str)> {
    let parts = query.split('&').filter(|part| !part.is_empty());
    parts.map(|part| part.split_once('=').unwrap_or((part, "")))
}
