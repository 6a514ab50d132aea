use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use pintu_engine::calls::{CallError, UNKNOWN_MAP};
use pintu_game::{RecordError, SaveError};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{api::json, store::StoreError};

/// An error response: a status, a sentence, and a code by which the page finds its own words.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct ApiError {
    status: StatusCode,
    code: &'static str,
    message: String,
    retry_after: Option<u32>,
    revision: Option<u64>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Error")]
pub(crate) struct Body {
    error: String,
    code: &'static str,
    /// The save's, where another was expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<u64>,
}

/// Marks a response with the code of its error, for the log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Code(pub(crate) &'static str);

impl ApiError {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), retry_after: None, revision: None }
    }

    pub(crate) fn bad(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    pub(crate) fn not_found(what: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", format!("there is no {what} here"))
    }

    pub(crate) fn busy(message: &str, seconds: u32) -> Self {
        let busy = Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message);
        Self { retry_after: Some(seconds), ..busy }
    }

    pub(crate) fn rate(seconds: u32) -> Self {
        let message = format!("too many requests of this kind: try again in {seconds} seconds");
        Self { retry_after: Some(seconds), ..Self::new(StatusCode::TOO_MANY_REQUESTS, "rate", message) }
    }

    pub(crate) fn stale(current: u64) -> Self {
        let message = format!("the save is at revision {current} by now, expected the revision that was named");
        Self { revision: Some(current), ..Self::new(StatusCode::CONFLICT, "stale-revision", message) }
    }

    pub(crate) fn timeout(message: impl Into<String>) -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "timeout", message)
    }

    pub(crate) fn unanswered(message: &str) -> Self {
        Self::new(StatusCode::GATEWAY_TIMEOUT, "timeout", message)
    }

    pub(crate) fn password() -> Self {
        let message = "found no pass, expected a browser that came in with the password or by a link: open the page";
        Self::new(StatusCode::UNAUTHORIZED, "password", message)
    }

    pub(crate) fn internal() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "the server made a mistake; it goes on")
    }

    pub(crate) fn code(&self) -> &'static str {
        self.code
    }

    pub(crate) fn body(&self) -> Body {
        Body { error: self.message.clone(), code: self.code, revision: self.revision }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = json(self.status, &self.body());
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.extensions_mut().insert(Code(self.code));
        response
    }
}

impl From<SaveError> for ApiError {
    fn from(error: SaveError) -> Self {
        Self::bad(error.code(), format!("game: {error}"))
    }
}

impl From<RecordError> for ApiError {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::Save(error) => error.into(),
            _ => Self::bad(error.code(), error.to_string()),
        }
    }
}

impl From<CallError> for ApiError {
    fn from(CallError { code, message }: CallError) -> Self {
        let status = if code == UNKNOWN_MAP { StatusCode::NOT_FOUND } else { StatusCode::BAD_REQUEST };
        Self::new(status, code, message)
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        let full = |code| Self::new(StatusCode::INSUFFICIENT_STORAGE, code, error.to_string());
        match error {
            StoreError::Quota { count, most_count, what, .. } if count > most_count => full(match what {
                "saves" => "quota-saves",
                "pictures" => "quota-pictures",
                _ => "quota-records",
            }),
            StoreError::Quota { .. } => full("quota-bytes"),
            StoreError::Full => full("storage-full"),
            StoreError::NoPicture { .. } => Self::bad("no-picture", error.to_string()),
            StoreError::Banned => Self::new(StatusCode::FORBIDDEN, "banned", error.to_string()),
            StoreError::Busy => Self::busy("the store has too much to write; play goes on, save again", 1),
            StoreError::Away(_) => {
                tracing::error!(%error, "the database is away");
                Self::busy("the server's database cannot be reached; play goes on, save again", 1)
            }
            StoreError::Disk(_) => {
                tracing::error!(%error, "the disk fails");
                let message = "the server's disk cannot be written; nothing was saved";
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, "storage-failed", message)
            }
            StoreError::Failed(_) | StoreError::Version { .. } => {
                tracing::error!(%error, "the store fails");
                Self::internal()
            }
        }
    }
}
