use std::collections::BTreeMap;

use axum::{
    body::Body,
    http::{StatusCode, Uri},
    response::{IntoResponse, Response},
};
use pintu_game::{BoardKind, Game, Origin, Save, Score, Standing, score};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{
    Caller, Made, PathId, json, new_id,
    query::{self, ALL},
    to_text,
};
use crate::{
    body,
    error::ApiError,
    store::{NewRecord, StoreError, StoredRecord},
};

/// One kind of board in the list of records.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Records")]
pub(super) struct Board<'a> {
    #[serde(flatten)]
    kind: BoardKind,
    games: usize,
    best_time: Option<Item<'a>>,
    best_moves: Option<Item<'a>>,
    average_of_5: Option<u64>,
    average_of_12: Option<u64>,
    best_average_of_5: Option<u64>,
    best_average_of_12: Option<u64>,
    /// The last games, the latest first.
    recent: Vec<Item<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Record")]
struct Item<'a> {
    id: &'a str,
    #[serde(flatten)]
    score: Score,
    created_millis: i64,
}

/// Games listed per board, unless all are asked for.
const RECENT_GAMES: usize = 12;

/// The records of a player by kind of board; with `?all`, every game of each, for a browser that has lost its own.
pub(super) async fn list(caller: Caller, uri: Uri) -> Result<Response, ApiError> {
    let most = match query::value(&uri, ALL) {
        None => RECENT_GAMES,
        Some("") => usize::MAX,
        Some(value) => {
            return Err(ApiError::bad("bad-field", format!("all: found `{value}`, expected the name alone")));
        }
    };
    let records = caller.app.store.records(caller.device.clone()).await?;
    let mut boards: BTreeMap<BoardKind, Vec<&StoredRecord>> = BTreeMap::new();
    for record in &records {
        let kind = serde_json::from_str(&record.board)
            .map_err(|error| StoreError::Failed(format!("record {} has a bad board: {error}", record.id)))?;
        boards.entry(kind).or_default().push(record);
    }
    let boards: Vec<Board<'_>> = boards.into_iter().map(|(kind, records)| board(kind, &records, most)).collect();
    caller.long_json(&boards)
}

/// Replays a finished game, and stores it if that is the game it claims to be.
pub(super) async fn create(caller: Caller, body: Body) -> Result<Response, ApiError> {
    let Finished { game: mut save, origin, .. } = body::read_json(body, &caller.app.config.bounds).await?;
    if let Some(origin) = origin.filter(|origin| !origin.is_ranked()) {
        save.origin = origin;
    }
    let (kind, score) = score(&save)?;
    let save = Game::load(&save)?.save().clone();
    let (board, game) = (to_text(&kind)?, to_text(&save)?);
    let (charge, new) = (caller.charge(game.len()).await?, new_id()?);
    let added = caller.app.store.add_record(caller.device, new.clone(), NewRecord { board, score, save, game }).await;
    // Otherwise the game was there already.
    let id = charge.if_stored(added, |id| id == new.as_str())?;
    Ok(json(StatusCode::CREATED, &Made { id }))
}

/// The body of `POST`: a finished game. Its origin may also stand beside it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Finished {
    #[serde(default, rename = "name")]
    _name: String,
    game: Save,
    origin: Option<Origin>,
}

pub(super) async fn load(caller: Caller, PathId(id): PathId) -> Result<Response, ApiError> {
    let game = caller.app.store.record(caller.device, id.clone()).await?.ok_or_else(no_record)?;
    let game = RawValue::from_string(game).map_err(|_| ApiError::internal())?;
    Ok(json(StatusCode::OK, &Loaded { id: id.to_string(), game }))
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "LoadedRecord")]
pub(super) struct Loaded {
    id: String,
    #[schemars(with = "Save")]
    game: Box<RawValue>,
}

pub(super) async fn delete(caller: Caller, PathId(id): PathId) -> Result<Response, ApiError> {
    if !caller.app.store.delete_record(caller.device, id).await? {
        return Err(no_record());
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}

fn no_record() -> ApiError {
    ApiError::not_found("such record")
}

fn board<'a>(kind: BoardKind, records: &[&'a StoredRecord], most: usize) -> Board<'a> {
    let scores: Vec<Score> = records.iter().map(|record| record.score).collect();
    let standing = Standing::of(&scores);
    let item = |record: &'a StoredRecord| Item { id: &record.id, score: record.score, created_millis: record.created };
    Board {
        kind,
        games: standing.games,
        best_time: standing.best_time.map(|index| item(records[index])),
        best_moves: standing.best_moves.map(|index| item(records[index])),
        average_of_5: standing.average_of_5,
        average_of_12: standing.average_of_12,
        best_average_of_5: standing.best_average_of_5,
        best_average_of_12: standing.best_average_of_12,
        recent: records.iter().rev().take(most).map(|record| item(record)).collect(),
    }
}
