use std::sync::Arc;

use axum::{body::Body, extract::State, http::StatusCode, response::Response};
use pintu_search::Control;
use pintu_tiles::Puzzle;
use serde::{Deserialize, Serialize};

use super::{
    json,
    search::{Begin, Reply, SearchCaller, progress_of},
};
use crate::{
    app::App,
    body,
    error::ApiError,
    requests::{Board, LimitsBody, NothingElse, SearchBody},
};

#[derive(Debug, Deserialize)]
struct CheckBody {
    #[serde(flatten)]
    board: Board,
    #[serde(flatten)]
    _rest: NothingElse,
}

#[derive(Debug, Deserialize)]
struct ExamineBody {
    #[serde(flatten)]
    board: Board,
    limits: Option<LimitsBody>,
    #[serde(flatten)]
    _rest: NothingElse,
}

/// The board as it was understood, with the answer about it.
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

/// Whether a board can be solved, which takes no search.
pub(super) async fn check(State(app): State<Arc<App>>, body: Body) -> Result<Response, ApiError> {
    let puzzle = body::read_json::<CheckBody>(body, &app.config.bounds).await?.board.puzzle()?;
    Ok(json(StatusCode::OK, &Understood::of(&puzzle, pintu_engine::check(&puzzle))))
}

pub(super) async fn examine(caller: SearchCaller, body: Body) -> Result<Response, ApiError> {
    let config = &caller.app.config;
    let ExamineBody { board, limits, .. } = body::read_json(body, &config.bounds).await?;
    let request = SearchBody::within(limits).request(board.puzzle()?, config)?;
    let memory = request.limits.memory;
    let progress = |control: &Control| progress_of(control, control.bound());
    let work = move |control: &Control, writer| {
        Reply::json(writer, &Understood::of(&request.puzzle, pintu_engine::examine(&request, control)))
    };
    caller.run(Begin::Soon, memory, progress, work).await
}
