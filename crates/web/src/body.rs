//! Reading request bodies within bounds.

use axum::{
    body::{Body, Bytes},
    http::StatusCode,
};
use pintu_engine::calls::parse;
use serde::de::DeserializeOwned;
use tokio::time::timeout;
use tokio_stream::StreamExt;

use crate::{app::App, budget::Reservation, client::Client, config::Bounds, error::ApiError};

/// Reads at most `most` bytes within the time for a body.
pub(crate) async fn read(body: Body, most: usize, bounds: &Bounds) -> Result<Bytes, ApiError> {
    in_time(bounds, collect(body, most, |_| Ok(()))).await
}

/// The same for a large body. Bytes beyond what every body may have count as in flight.
pub(crate) async fn read_upload(
    body: Body,
    most: usize,
    bounds: &Bounds,
    in_flight: &mut Reservation,
) -> Result<Bytes, ApiError> {
    let mut free = bounds.json_bytes;
    let reserve = |bytes: usize| {
        let counted = bytes.saturating_sub(free);
        free -= bytes - counted;
        if counted == 0 { Ok(()) } else { in_flight.add(counted) }
    };
    in_time(bounds, collect(body, most, reserve)).await
}

async fn in_time<T>(bounds: &Bounds, reading: impl Future<Output = Result<T, ApiError>>) -> Result<T, ApiError> {
    let late = |_| ApiError::timeout(format!("the body did not arrive within {:?}", bounds.body_time));
    timeout(bounds.body_time, reading).await.map_err(late)?
}

pub(crate) async fn read_json<T: DeserializeOwned>(body: Body, bounds: &Bounds) -> Result<T, ApiError> {
    Ok(parse(&read(body, bounds.json_bytes, bounds).await?)?)
}

pub(crate) async fn read_map(body: Body, app: &App, client: &Client) -> Result<Bytes, ApiError> {
    let bounds = &app.config.bounds;
    read_upload(body, bounds.map_bytes, bounds, &mut app.uploads.begin(client.address)).await
}

const DISCARD_FACTOR: usize = 3;

/// Reads a whole body, for which `reserve` reserves memory. A client that is refused while it still writes may never read the
/// response, so up to [`DISCARD_FACTOR`] times the bound are read and discarded before a refusal.
async fn collect(
    body: Body,
    most: usize,
    mut reserve: impl FnMut(usize) -> Result<(), ApiError>,
) -> Result<Bytes, ApiError> {
    const GROWTH_BYTES: usize = 16 << 10;
    let mut chunks = body.into_data_stream();
    let (mut bytes, mut length, mut reserved) = (Vec::new(), 0, Ok(()));
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|error| ApiError::bad("bad-body", format!("the body ended early: {error}")))?;
        length += chunk.len();
        if length > most * DISCARD_FACTOR {
            break;
        }
        if reserved.is_ok() && length <= most && length > bytes.capacity() {
            let capacity = length.max(bytes.capacity() + GROWTH_BYTES).min(most);
            reserved = reserve(capacity - bytes.capacity());
            if reserved.is_ok() {
                bytes.reserve_exact(capacity - bytes.len());
            }
        }
        if length > most || reserved.is_err() {
            bytes = Vec::new();
        } else {
            bytes.extend_from_slice(&chunk);
        }
    }
    if length > most {
        return Err(ApiError::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too-large",
            format!("found a body of {length} bytes or more, expected at most {most}"),
        ));
    }
    reserved.map(|()| bytes.into())
}
