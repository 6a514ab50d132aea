use std::sync::Arc;

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use pintu_engine::{Check, check as checked, examine as examined};
use pintu_tiles::Puzzle;
use serde::{Deserialize, Serialize};

use super::{
    json,
    search::{Asked, Job, Reply, control, so_far},
};
use crate::{
    app::App,
    ask::{Board, NothingElse, Search, Spend},
    body,
    client::Client,
    error::ApiError,
};

/// What `POST /api/check` takes.
#[derive(Debug, Deserialize)]
struct Asking {
    #[serde(flatten)]
    board: Board,
    #[serde(flatten)]
    _rest: NothingElse,
}

/// What `POST /api/examine` takes.
#[derive(Debug, Deserialize)]
struct Examining {
    #[serde(flatten)]
    board: Board,
    limits: Option<Spend>,
    #[serde(flatten)]
    _rest: NothingElse,
}

/// A board as it was understood, with what was found out about it.
#[derive(Serialize)]
struct Understood<T> {
    #[serde(flatten)]
    found: T,
    rows: usize,
    cols: usize,
    tiles: Vec<u8>,
    goal: Vec<u8>,
    wrap_rows: Vec<usize>,
    wrap_cols: Vec<usize>,
}

impl<T> Understood<T> {
    fn of(puzzle: &Puzzle, found: T) -> Self {
        let (size, topology) = (puzzle.size(), puzzle.topology());
        Self {
            found,
            rows: size.rows(),
            cols: size.cols(),
            tiles: puzzle.start().tiles().to_vec(),
            goal: puzzle.goal().tiles().to_vec(),
            wrap_rows: topology.wrap_rows().collect(),
            wrap_cols: topology.wrap_cols().collect(),
        }
    }
}

/// Whether a board can be solved. (Nothing is searched for that.)
pub(super) async fn check(State(app): State<Arc<App>>, body: Body) -> Result<Response, ApiError> {
    let asking: Asking = body::read_json(body, &app.config.bounds).await?;
    let puzzle = asking.board.puzzle()?;
    let found: Check = checked(&puzzle);
    Ok(json(StatusCode::OK, &Understood::of(&puzzle, found)))
}

/// What each heuristic says of a board, and why.
pub(super) async fn examine(
    State(app): State<Arc<App>>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let asking: Examining = body::read_json(body, &app.config.bounds).await?;
    let request = Search::within(asking.limits).request(asking.board.puzzle()?, &app.config)?;
    let control = control(&request.limits);
    let (watched, own) = (control.clone(), control.clone());
    let progress = move || so_far(&watched);
    let work = move |packer| Reply::json(packer, &Understood::of(&request.puzzle, examined(&request, &own)));
    Job { control, progress, work }.run(&app, Asked::by(client, &headers)).await
}
