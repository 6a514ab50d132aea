use std::{sync::Arc, time::Instant};

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use pintu_game::{Game, Save};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, value::RawValue};

use super::{PathId, created, json, new_id};
use crate::{
    app::App,
    body,
    browser::Browser,
    config::Bounds,
    error::ApiError,
    store::{NewSave, SaveLine, StoreError},
};

/// What is posted and put.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Posted {
    #[serde(default)]
    name: String,
    pub(super) game: Save,
}

pub(super) async fn list(
    State(app): State<Arc<App>>,
    Extension(Browser(browser)): Extension<Browser>,
) -> Result<Response, ApiError> {
    let lines = app.store.saves(browser.to_string()).await?;
    let lines = lines.into_iter().map(list_item).collect::<Result<Vec<_>, _>>()?;
    Ok(json(StatusCode::OK, &lines))
}

pub(super) async fn create(
    State(app): State<Arc<App>>,
    Extension(Browser(browser)): Extension<Browser>,
    body: Body,
) -> Result<Response, ApiError> {
    let save = read(body, &app.config.bounds).await?;
    let id = new_id()?;
    app.store.add_save(browser.to_string(), id.clone(), save).await?;
    Ok(created(id.as_str()))
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
        created_millis: i64,
        updated_millis: i64,
    }
    let save = app.store.save(browser.to_string(), id.clone()).await?.ok_or_else(no_save)?;
    let game = RawValue::from_string(save.game).map_err(|_| ApiError::internal())?;
    Ok(json(
        StatusCode::OK,
        &Loaded { id: id.as_str(), name: save.name, game, created_millis: save.created, updated_millis: save.updated },
    ))
}

pub(super) async fn replace(
    State(app): State<Arc<App>>,
    Extension(Browser(browser)): Extension<Browser>,
    PathId(id): PathId,
    body: Body,
) -> Result<Response, ApiError> {
    let save = read(body, &app.config.bounds).await?;
    if !app.store.replace_save(browser.to_string(), id.clone(), save).await? {
        return Err(no_save());
    }
    Ok(json(StatusCode::OK, &serde_json::json!({ "id": id.as_str() })))
}

pub(super) async fn delete(
    State(app): State<Arc<App>>,
    Extension(Browser(browser)): Extension<Browser>,
    PathId(id): PathId,
) -> Result<Response, ApiError> {
    if !app.store.delete_save(browser.to_string(), id).await? {
        return Err(no_save());
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}

pub(super) async fn delete_all(
    State(app): State<Arc<App>>,
    Extension(Browser(browser)): Extension<Browser>,
) -> Result<Response, ApiError> {
    app.store.delete_saves(browser.to_string()).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

fn no_save() -> ApiError {
    ApiError::not_found("such save")
}

/// Reads a save and replays it, so that nothing is stored that cannot be loaded.
async fn read(body: Body, bounds: &Bounds) -> Result<NewSave, ApiError> {
    let Posted { name, game: save } = body::read_json(body, bounds).await?;
    check_name(&name)?;
    let game = Game::load(&save)?;
    let save = game.save(Instant::now());
    let text = |value: Result<String, serde_json::Error>| value.map_err(|_| ApiError::internal());
    Ok(NewSave {
        name,
        game: text(serde_json::to_string(&save))?,
        line: text(serde_json::to_string(&Line::of(&game, &save)))?,
        picture: save.picture,
    })
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
    item.insert("created_millis".to_owned(), line.created.into());
    item.insert("updated_millis".to_owned(), line.updated.into());
    Ok(item)
}
