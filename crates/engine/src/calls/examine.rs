use pintu_tiles::Puzzle;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Board, CallBounds, CallError, LimitsBody, NothingElse, SearchBody};
use crate::{Check, Request, check};

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct CheckBody {
    #[serde(flatten)]
    board: Board,
    #[serde(flatten)]
    #[schemars(skip)]
    _rest: NothingElse,
}

impl CheckBody {
    /// Whether the board can be solved, which takes no search.
    pub fn answer(self) -> Result<Understood<Check>, CallError> {
        let puzzle = self.board.puzzle()?;
        Ok(Understood::of(&puzzle, check(&puzzle)))
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ExamineBody {
    #[serde(flatten)]
    board: Board,
    limits: Option<LimitsBody>,
    #[serde(flatten)]
    #[schemars(skip)]
    _rest: NothingElse,
}

impl ExamineBody {
    pub fn request(self, bounds: &CallBounds) -> Result<Request, CallError> {
        SearchBody::within(self.limits).request(self.board.puzzle()?, bounds)
    }
}

/// The board as it was understood, with the answer about it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Understood<T> {
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
    pub fn of(puzzle: &Puzzle, found: T) -> Self {
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
