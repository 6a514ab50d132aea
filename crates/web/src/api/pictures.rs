use axum::{
    body::{Body, Bytes},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};

use super::{Caller, Made, PathId, json, new_id};
use crate::{
    body,
    error::ApiError,
    picture::{self, MEDIA_TYPE},
    response_body::Held,
    store::Removed,
};

/// Takes a picture's bytes. The upload enters the queue of the decoders when it is complete, so that a slow client holds
/// nobody up.
pub(super) async fn create(caller: Caller, body: Body) -> Result<Response, ApiError> {
    let bounds = caller.app.config.bounds.clone();
    let mut in_flight = caller.app.uploads.begin(caller.client.address);
    let bytes = body::read_upload(body, bounds.picture_bytes, &bounds, &mut in_flight).await?;
    let ticket = caller.app.decodes.admit(caller.client.clone())?;
    let decode = move || {
        let _until_decoded = in_flight;
        picture::reencode(&bytes, &bounds)
    };
    let picture = ticket.run(|| (), decode).await??;
    let (charge, new) = (caller.charge(picture.jpeg.len()).await?, new_id()?);
    let added = caller.app.store.add_picture(caller.device, new.clone(), picture).await;
    // Otherwise the picture was there already.
    let id = charge.if_stored(added, |id| id == new.as_str())?;
    Ok(json(StatusCode::CREATED, &Made { id }))
}

/// Deletes a picture, unless a game still shows it.
pub(super) async fn delete(caller: Caller, PathId(id): PathId) -> Result<Response, ApiError> {
    match caller.app.store.delete_picture(caller.device, id).await? {
        Removed::Done => Ok(StatusCode::NO_CONTENT.into_response()),
        Removed::Absent => Err(no_picture()),
        Removed::InUse => {
            let message = "a save or a record shows this picture: delete that first";
            Err(ApiError::new(StatusCode::CONFLICT, "picture-in-use", message))
        }
    }
}

fn no_picture() -> ApiError {
    ApiError::not_found("such picture")
}

pub(super) async fn load(caller: Caller, PathId(id): PathId) -> Result<Response, ApiError> {
    // In flight until the client has read it.
    let mut in_flight = caller.app.downloads.begin(caller.client.address);
    in_flight.add(1)?;
    let bytes = caller.app.store.picture(caller.device, id).await?.ok_or_else(no_picture)?;
    let headers = [
        (header::CONTENT_TYPE, MEDIA_TYPE),
        // An id's picture never changes, and is this player's alone.
        (header::CACHE_CONTROL, "private, max-age=31536000, immutable"),
    ];
    Ok((headers, Bytes::from_owner(Held { bytes, in_flight })).into_response())
}
