//! Bodies, read within bounds.

use axum::{
    body::{Body, Bytes},
    http::StatusCode,
};
use serde::de::DeserializeOwned;
use tokio::time::timeout;
use tokio_stream::StreamExt;

use crate::{
    app::App,
    client::Client,
    config::Bounds,
    error::ApiError,
    traffic::{Displaced, Load},
};

/// Reads at most `most` bytes within the time for it.
pub(crate) async fn read(body: Body, most: usize, bounds: &Bounds) -> Result<Bytes, ApiError> {
    in_time(bounds, collect(body, most, |_| Ok(()))).await
}

/// What is large, on its way here: how much of it counts, and what tells that it has to make room.
#[derive(Debug)]
pub(crate) struct Arriving {
    pub(crate) load: Load,
    pub(crate) displaced: Displaced,
}

impl Arriving {
    pub(crate) fn begin(app: &App, client: &Client) -> Self {
        let (load, displaced) = app.uploads.begin_yielding(client.address, app.config.bounds.upload_pause);
        Self { load, displaced }
    }

    /// Reads what may be large, as long as there is room for what arrives. What any body may have stands in no queue: only
    /// what is beyond that counts.
    pub(crate) async fn read(&mut self, body: Body, most: usize, bounds: &Bounds) -> Result<Bytes, ApiError> {
        let (load, mut free) = (&mut self.load, bounds.json_bytes);
        let room_for = |bytes: usize| {
            let counted = bytes.saturating_sub(free);
            free -= bytes - counted;
            if counted == 0 { Ok(()) } else { load.add(counted) }
        };
        self.displaced.unless(in_time(bounds, collect(body, most, room_for))).await
    }
}

async fn in_time<T>(bounds: &Bounds, reading: impl Future<Output = Result<T, ApiError>>) -> Result<T, ApiError> {
    let late = |_| ApiError::timeout(format!("the body did not arrive within {:?}", bounds.body_time));
    timeout(bounds.body_time, reading).await.map_err(late)?
}

/// Reads JSON, and says where it is wrong.
pub(crate) async fn read_json<T: DeserializeOwned>(body: Body, bounds: &Bounds) -> Result<T, ApiError> {
    parse(&read(body, bounds.json_bytes, bounds).await?)
}

/// Reads JSON that may hold a map, as long as there is room for what arrives.
pub(crate) async fn read_large_json<T: DeserializeOwned>(
    body: Body,
    app: &App,
    client: &Client,
) -> Result<T, ApiError> {
    parse(&read_map(body, app, client).await?)
}

/// Reads a body that may hold a map.
pub(crate) async fn read_map(body: Body, app: &App, client: &Client) -> Result<Bytes, ApiError> {
    let bounds = &app.config.bounds;
    Arriving::begin(app, client).read(body, bounds.map_bytes, bounds).await
}

/// What a body says, or where it is wrong.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    serde_json::from_slice(bytes).map_err(|error| {
        let code = if error.is_data() { "bad-field" } else { "bad-json" };
        ApiError::bad(code, format!("the body is not what was expected: {error}"))
    })
}

/// A client that is told "too large" while it still writes may never read it, so somewhat more than
/// what is allowed is read and thrown away first.
async fn collect(
    body: Body,
    most: usize,
    mut room_for: impl FnMut(usize) -> Result<(), ApiError>,
) -> Result<Bytes, ApiError> {
    const PATIENCE: usize = 3;
    const STEP: usize = 16 << 10;
    let mut chunks = body.into_data_stream();
    let mut kept: Vec<u8> = Vec::new();
    let mut length = 0;
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|error| ApiError::bad("bad-body", format!("the body ended early: {error}")))?;
        length += chunk.len();
        if length <= most {
            if length > kept.capacity() {
                // What is asked for is what it takes, which is little more than what has come.
                let capacity = length.max(kept.capacity() + STEP).min(most);
                room_for(capacity - kept.capacity())?;
                kept.reserve_exact(capacity - kept.len());
            }
            kept.extend_from_slice(&chunk);
        } else if length > most * PATIENCE {
            break;
        } else {
            kept = Vec::new();
        }
    }
    if length > most {
        return Err(ApiError::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too-large",
            format!("found a body of {length} bytes or more, expected at most {most}"),
        ));
    }
    Ok(kept.into())
}
