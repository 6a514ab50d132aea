use serde::{Deserialize, Serialize};

use crate::{Game, Origin, Save, SaveError};

/// What boards are compared by: their sides and their wraps. Where the blank ends makes no difference.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BoardKind {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub cols: usize,
    /// The rows that wrap.
    pub wrap_rows: Vec<usize>,
    /// The columns that wrap.
    pub wrap_cols: Vec<usize>,
}

/// What a finished game took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// The time played, in milliseconds.
    pub millis: u64,
    /// The moves made; each tile of a run counts.
    pub moves: usize,
}

/// Replays a finished game: its board and its score, or why it sets no record.
pub fn score(save: &Save) -> Result<(BoardKind, Score), RecordError> {
    let game = Game::load(save)?;
    if !game.origin().is_ranked() {
        return Err(RecordError::NotRanked(game.origin()));
    }
    if game.is_helped() {
        return Err(RecordError::Helped);
    }
    if game.moves().is_empty() {
        return Err(RecordError::NoMoves);
    }
    if !game.is_solved() {
        return Err(RecordError::NotSolved { misplaced: game.misplaced() });
    }
    if !game.undone().is_empty() {
        return Err(RecordError::Undone);
    }
    let steps = game.steps() as u64;
    if save.millis < (steps - 1) * QUICKEST_STEP_MILLIS {
        return Err(RecordError::TooQuick { steps, millis: save.millis });
    }
    let topology = game.topology();
    let board = BoardKind {
        rows: save.rows,
        cols: save.cols,
        wrap_rows: topology.wrap_rows().collect(),
        wrap_cols: topology.wrap_cols().collect(),
    };
    Ok((board, Score { millis: save.millis, moves: game.moves().len() }))
}

/// No input device delivers more than 500 steps a second.
const QUICKEST_STEP_MILLIS: u64 = 2;

/// Why a game sets no record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// It is no game at all.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// The start was not scrambled here.
    #[error("found a start from {}, expected {}: such a game sets no record", .0.name(), Origin::Scramble.name())]
    NotRanked(Origin),
    /// Auto-solve or a hint took part.
    #[error("a game with help sets no record")]
    Helped,
    /// Nothing was done.
    #[error("found no moves, expected a game that was played")]
    NoMoves,
    /// The picture is not whole.
    #[error("replayed, the moves leave {misplaced} tiles misplaced, expected the whole picture")]
    NotSolved {
        /// The tiles that are not in their cells.
        misplaced: usize,
    },
    /// Moves are left to redo.
    #[error("found moves to redo, expected a game that ended with its last move")]
    Undone,
    /// Nobody is that quick.
    #[error("found {steps} steps in {millis} ms, expected at least {QUICKEST_STEP_MILLIS} ms a step")]
    TooQuick {
        /// Moves, a run counting once.
        steps: u64,
        /// The time claimed.
        millis: u64,
    },
}

impl RecordError {
    /// The word by which a page finds its own sentence for this.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Save(error) => error.code(),
            Self::NotRanked(_) => "not_ranked",
            Self::Helped => "record-helped",
            _ => "record-refused",
        }
    }
}
