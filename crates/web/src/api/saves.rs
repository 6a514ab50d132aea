use axum::{
    body::Body,
    http::{StatusCode, Uri},
    response::{IntoResponse, Response},
};
use pintu_game::{Game, Picture, Save};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, value::RawValue};

use super::{
    Caller, PREPAID_BYTES, PathId, json, new_id,
    query::{self, REVISION},
    to_text,
};
use crate::{
    body,
    config::Bounds,
    error::ApiError,
    id::Id,
    store::{Changed, FIRST_REVISION, NewSave, StoreError, StoredSave},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Posted {
    #[serde(default)]
    name: String,
    game: Save,
    /// The revision that the save must be at.
    revision: Option<u64>,
}

pub(super) async fn list(caller: Caller) -> Result<Response, ApiError> {
    let saves = caller.app.store.saves(caller.device.clone()).await?;
    let items = saves.into_iter().map(list_item).collect::<Result<Vec<_>, _>>()?;
    caller.long_json(&items)
}

pub(super) async fn create(caller: Caller, body: Body) -> Result<Response, ApiError> {
    let (save, _) = read(body, &caller.app.config.bounds).await?;
    let (charge, id) = (caller.charge(save.game.len()).await?, new_id()?);
    charge.unless_failed(caller.app.store.add_save(caller.device, id.clone(), save).await)?;
    Ok(json(StatusCode::CREATED, &id_and_revision(&id, FIRST_REVISION)))
}

pub(super) async fn load(caller: Caller, PathId(id): PathId) -> Result<Response, ApiError> {
    let save = caller.app.store.save(caller.device, id).await?.ok_or_else(no_save)?;
    let StoredSave { id, name, json: game, revision, created: created_millis, updated: updated_millis } = save;
    let game = RawValue::from_string(game).map_err(|_| ApiError::internal())?;
    Ok(json(StatusCode::OK, &Loaded { id, name, game, revision, created_millis, updated_millis }))
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "LoadedSave")]
pub(super) struct Loaded {
    id: String,
    name: String,
    #[schemars(with = "Save")]
    game: Box<RawValue>,
    revision: u64,
    created_millis: i64,
    updated_millis: i64,
}

/// Overwrites a save, or makes it under the client's id. One that has to be at a revision is not made.
pub(super) async fn put(caller: Caller, PathId(id): PathId, body: Body) -> Result<Response, ApiError> {
    let (save, expected) = read(body, &caller.app.config.bounds).await?;
    let (store, device) = (&caller.app.store, &caller.device);
    let mut before = PREPAID_BYTES;
    if save.game.len() > PREPAID_BYTES {
        before = store.save(device.clone(), id.clone()).await?.map_or(save.game.len(), |save| save.json.len());
    }
    let charge = caller.charge_growth(before, save.game.len()).await?;
    let changed = store.replace_save(device.clone(), id.clone(), save.clone(), expected).await;
    let mut changed = charge.if_stored(changed, |changed| matches!(changed, Changed::Done(_)))?;
    if changed == Changed::Absent && expected.is_none() {
        let charge = caller.charge(save.game.len()).await?;
        let added = store.add_save(device.clone(), id.clone(), save.clone()).await;
        if charge.if_stored(added, |&is_added| is_added)? {
            return Ok(json(StatusCode::CREATED, &id_and_revision(&id, FIRST_REVISION)));
        }
        // The same request, sent twice, may have made it in the meantime.
        changed = store.replace_save(device.clone(), id.clone(), save, expected).await?;
    }
    Ok(json(StatusCode::OK, &id_and_revision(&id, new_revision(changed)?)))
}

pub(super) async fn delete(caller: Caller, PathId(id): PathId, uri: Uri) -> Result<Response, ApiError> {
    let expected = query::value(&uri, REVISION).map(revision).transpose()?;
    new_revision(caller.app.store.delete_save(caller.device, id, expected).await?)?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

#[derive(Serialize, JsonSchema)]
pub(super) struct IdAndRevision {
    id: String,
    revision: u64,
}

fn id_and_revision(id: &Id, revision: u64) -> IdAndRevision {
    IdAndRevision { id: id.to_string(), revision }
}

/// The revision after a change, or the error that there was none.
fn new_revision(changed: Changed) -> Result<u64, ApiError> {
    match changed {
        Changed::Done(revision) => Ok(revision),
        Changed::Absent => Err(no_save()),
        Changed::Stale(current) => Err(ApiError::stale(current)),
    }
}

fn revision(text: &str) -> Result<u64, ApiError> {
    text.parse().map_err(|_| ApiError::bad("bad-field", format!("revision: found `{text}`, expected a number")))
}

fn no_save() -> ApiError {
    ApiError::not_found("such save")
}

/// Reads a save and replays it, so that every stored save can be loaded; and the revision that it replaces.
async fn read(body: Body, bounds: &Bounds) -> Result<(NewSave, Option<u64>), ApiError> {
    let Posted { name, game: save, revision } = body::read_json(body, bounds).await?;
    check_name(&name)?;
    let game = Game::load(&save)?;
    let save = game.save().clone();
    let line = to_text(&summary(&game, &save))?;
    let new = NewSave { name, game: to_text(&save)?, line, picture: save.picture };
    Ok((new, revision))
}

fn check_name(name: &str) -> Result<(), ApiError> {
    const MAX_CHARACTERS: usize = 100;
    let length = name.chars().count();
    if length > MAX_CHARACTERS || name.chars().any(char::is_control) {
        let expected = format!("at most {MAX_CHARACTERS} and no control characters");
        return Err(ApiError::bad("bad-field", format!("name: found {length} characters, expected {expected}")));
    }
    Ok(())
}

/// A game in the list of saves: enough to draw it without loading it.
#[derive(Serialize, JsonSchema)]
struct Summary<'a> {
    rows: usize,
    cols: usize,
    wrap_rows: &'a [usize],
    wrap_cols: &'a [usize],
    blank: usize,
    tiles: &'a [u8],
    moves: usize,
    millis: u64,
    helped: bool,
    solved: bool,
    picture: &'a Picture,
}

fn summary<'a>(game: &'a Game, save: &'a Save) -> Summary<'a> {
    Summary {
        rows: save.rows,
        cols: save.cols,
        wrap_rows: &save.wrap_rows,
        wrap_cols: &save.wrap_cols,
        blank: save.blank,
        tiles: game.tiles(),
        moves: game.moves().len(),
        millis: save.millis,
        helped: save.helped,
        solved: game.is_solved(),
        picture: &save.picture,
    }
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Listed {
    #[serde(flatten)]
    #[schemars(with = "Summary")]
    summary: Map<String, Value>,
    id: String,
    name: String,
    revision: u64,
    created_millis: i64,
    updated_millis: i64,
}

fn list_item(save: StoredSave) -> Result<Listed, ApiError> {
    let StoredSave { id, name, json, revision, created: created_millis, updated: updated_millis } = save;
    let summary = serde_json::from_str(&json)
        .map_err(|error| StoreError::Failed(format!("save {id} has a bad line: {error}")))?;
    Ok(Listed { summary, id, name, revision, created_millis, updated_millis })
}
