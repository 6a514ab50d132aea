use std::{sync::Arc, time::Instant};

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{StatusCode, Uri},
    response::{IntoResponse, Response},
};
use pintu_game::{Game, Save};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, value::RawValue};

use super::{
    PAID_AT_FIRST, PathId, charge, charge_growth, json, new_id,
    query::{self, REVISION},
};
use crate::{
    app::App,
    body,
    browser::Browser,
    client::Client,
    config::Bounds,
    error::ApiError,
    id::Id,
    store::{Changed, FIRST_REVISION, NewSave, SaveLine, StoreError, StoredSave},
};

/// What is posted and put.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Posted {
    #[serde(default)]
    name: String,
    game: Save,
    /// The revision that the save must be at.
    revision: Option<u64>,
}

pub(super) async fn list(
    State(app): State<Arc<App>>,
    Extension(Browser(browser)): Extension<Browser>,
) -> Result<Response, ApiError> {
    let lines = app.store.saves(browser).await?;
    let lines = lines.into_iter().map(list_item).collect::<Result<Vec<_>, _>>()?;
    Ok(json(StatusCode::OK, &lines))
}

pub(super) async fn create(
    State(app): State<Arc<App>>,
    Extension(Browser(browser)): Extension<Browser>,
    Extension(client): Extension<Client>,
    body: Body,
) -> Result<Response, ApiError> {
    let (save, _) = read(body, &app.config.bounds).await?;
    charge(&app, &client, save.game.len())?;
    let id = new_id()?;
    app.store.add_save(browser, id.clone(), save).await?;
    Ok(json(StatusCode::CREATED, &stands(&id, FIRST_REVISION)))
}

pub(super) async fn load(
    State(app): State<Arc<App>>,
    Extension(Browser(browser)): Extension<Browser>,
    PathId(id): PathId,
) -> Result<Response, ApiError> {
    #[derive(Serialize)]
    struct Loaded<'a> {
        id: &'a str,
        name: String,
        game: Box<RawValue>,
        revision: u64,
        created_millis: i64,
        updated_millis: i64,
    }
    let StoredSave { name, game, revision, created, updated } =
        app.store.save(browser, id.clone()).await?.ok_or_else(no_save)?;
    let game = RawValue::from_string(game).map_err(|_| ApiError::internal())?;
    let id = id.as_str();
    let loaded = Loaded { id, name, game, revision, created_millis: created, updated_millis: updated };
    Ok(json(StatusCode::OK, &loaded))
}

pub(super) async fn replace(
    State(app): State<Arc<App>>,
    Extension(Browser(browser)): Extension<Browser>,
    Extension(client): Extension<Client>,
    PathId(id): PathId,
    body: Body,
) -> Result<Response, ApiError> {
    let (save, expected) = read(body, &app.config.bounds).await?;
    if save.game.len() > PAID_AT_FIRST {
        let before = app.store.save(browser.clone(), id.clone()).await?.ok_or_else(no_save)?;
        charge_growth(&app, &client, before.game.len(), save.game.len())?;
    }
    let revision = done(app.store.replace_save(browser, id.clone(), save, expected).await?)?;
    Ok(json(StatusCode::OK, &stands(&id, revision)))
}

pub(super) async fn delete(
    State(app): State<Arc<App>>,
    Extension(Browser(browser)): Extension<Browser>,
    PathId(id): PathId,
    uri: Uri,
) -> Result<Response, ApiError> {
    let expected = query::value(&uri, REVISION).map(revision).transpose()?;
    done(app.store.delete_save(browser, id, expected).await?)?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

pub(super) async fn delete_all(
    State(app): State<Arc<App>>,
    Extension(Browser(browser)): Extension<Browser>,
) -> Result<Response, ApiError> {
    app.store.delete_saves(browser).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// A save and the revision it is at now.
fn stands(id: &Id, revision: u64) -> impl Serialize {
    serde_json::json!({ "id": id.as_str(), "revision": revision })
}

/// The revision after a change, or why there was none.
fn done(changed: Changed) -> Result<u64, ApiError> {
    match changed {
        Changed::Done(revision) => Ok(revision),
        Changed::Absent => Err(no_save()),
        Changed::Stale(current) => Err(ApiError::stale(current)),
    }
}

/// The revision that a query names.
fn revision(text: &str) -> Result<u64, ApiError> {
    text.parse().map_err(|_| ApiError::bad("bad-field", format!("revision: found `{text}`, expected a number")))
}

fn no_save() -> ApiError {
    ApiError::not_found("such save")
}

/// Reads a save and replays it, so that nothing is stored that cannot be loaded; and the revision that is
/// to be replaced.
async fn read(body: Body, bounds: &Bounds) -> Result<(NewSave, Option<u64>), ApiError> {
    let Posted { name, game: save, revision } = body::read_json(body, bounds).await?;
    check_name(&name)?;
    let game = Game::load(&save)?;
    let save = game.save(Instant::now());
    let text = |value: Result<String, serde_json::Error>| value.map_err(|_| ApiError::internal());
    let line = text(serde_json::to_string(&Line::of(&game, &save)))?;
    let new = NewSave { name, game: text(serde_json::to_string(&save))?, line, picture: save.picture };
    Ok((new, revision))
}

fn check_name(name: &str) -> Result<(), ApiError> {
    const LONGEST: usize = 100;
    let length = name.chars().count();
    if length > LONGEST || name.chars().any(char::is_control) {
        let expected = format!("at most {LONGEST} and no control characters");
        return Err(ApiError::bad("bad-field", format!("name: found {length} characters, expected {expected}")));
    }
    Ok(())
}

/// What a list shows of a save: enough to draw it without loading it.
#[derive(Debug, Serialize)]
struct Line {
    rows: usize,
    cols: usize,
    wrap_rows: Vec<usize>,
    wrap_cols: Vec<usize>,
    blank: usize,
    tiles: Vec<u8>,
    moves: usize,
    millis: u64,
    helped: bool,
    solved: bool,
    picture: String,
}

impl Line {
    fn of(game: &Game, save: &Save) -> Self {
        Self {
            rows: save.rows,
            cols: save.cols,
            wrap_rows: save.wrap_rows.clone(),
            wrap_cols: save.wrap_cols.clone(),
            blank: save.blank,
            tiles: game.tiles().to_vec(),
            moves: game.moves().len(),
            millis: save.millis,
            helped: save.helped,
            solved: game.is_solved(),
            picture: save.picture.to_string(),
        }
    }
}

fn list_item(line: SaveLine) -> Result<Map<String, Value>, ApiError> {
    let mut item: Map<String, Value> = serde_json::from_str(&line.line)
        .map_err(|error| StoreError::Failed(format!("save {} has a bad line: {error}", line.id)))?;
    item.insert("id".to_owned(), line.id.into());
    item.insert("name".to_owned(), line.name.into());
    item.insert("revision".to_owned(), line.revision.into());
    item.insert("updated".to_owned(), line.updated.into());
    item.insert("created_millis".to_owned(), line.created.into());
    item.insert("updated_millis".to_owned(), line.updated.into());
    Ok(item)
}
