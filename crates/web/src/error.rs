use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use pintu_engine::RequestError;
use pintu_game::{RecordError, SaveError};
use serde::Serialize;

use crate::{api::json, store::StoreError};

/// What a client is told when it does not get what it asked for: a status, a sentence, and a code by
/// which the page finds its own words.
#[derive(Clone, Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    code: &'static str,
    message: String,
    retry_after: Option<u32>,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), retry_after: None }
    }

    pub(crate) fn bad(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    pub(crate) fn not_found(what: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", format!("there is no {what} here"))
    }

    /// Everything that could do it is at work; it is worth asking again.
    pub(crate) fn busy(message: &str, seconds: u32) -> Self {
        let busy = Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message);
        Self { retry_after: Some(seconds), ..busy }
    }

    pub(crate) fn internal() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "the server made a mistake; it goes on")
    }

    /// The object that is sent.
    pub(crate) fn body(&self) -> impl Serialize {
        #[derive(Serialize)]
        struct Body {
            error: String,
            code: &'static str,
        }
        Body { error: self.message.clone(), code: self.code }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = json(self.status, &self.body());
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
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

impl From<RequestError> for ApiError {
    fn from(error: RequestError) -> Self {
        Self::bad("bad-field", error.to_string())
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Quota { .. } => Self::new(StatusCode::PAYLOAD_TOO_LARGE, "quota", error.to_string()),
            StoreError::Full => Self::new(StatusCode::PAYLOAD_TOO_LARGE, "storage-full", error.to_string()),
            StoreError::NoPicture { .. } => Self::bad("no-picture", error.to_string()),
            StoreError::Busy => Self::busy("the store has too much to write; play goes on, save again", 1),
            StoreError::Failed(_) | StoreError::Newer { .. } => {
                eprintln!("pintu: {error}");
                Self::internal()
            }
        }
    }
}
