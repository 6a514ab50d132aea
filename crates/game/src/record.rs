use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Game, Save, SaveError};

/// A kind of board that has records of its own: by its sides and its wraps, wherever the blank ends.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct BoardKind {
    pub rows: usize,
    pub cols: usize,
    pub wrap_rows: Vec<usize>,
    pub wrap_cols: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Score {
    pub millis: u64,
    /// The moves made; each tile of a run counts.
    pub moves: usize,
}

/// What a finished game claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    pub score: Score,
    /// The time that its steps take at least.
    pub least_millis: u64,
}

/// Where a game's start comes from. Only a uniform scramble made by the page sets records: any other start may have been
/// chosen because it is easy, or because its solution is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A scramble made by the page, uniform over the solvable boards.
    #[default]
    Scramble,
    /// A scramble by a random walk, which favours boards near the goal.
    Walk,
    Link,
    File,
    Lab,
    /// The puzzle of a day, which anybody can know beforehand.
    Daily,
}

impl Origin {
    pub fn is_ranked(self) -> bool {
        self == Self::Scramble
    }

    fn name(self) -> &'static str {
        match self {
            Self::Scramble => "a uniform scramble",
            Self::Walk => "a random walk",
            Self::Link => "a link",
            Self::File => "a file",
            Self::Lab => "the lab",
            Self::Daily => "the puzzle of a day",
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's `skip_serializing_if` passes a reference")]
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Replays a finished game: its board and its score, or why it sets no record.
pub fn score(save: &Save) -> Result<(BoardKind, Score), RecordError> {
    let game = Game::load(save)?;
    let save = game.save();
    if !save.origin.is_ranked() {
        return Err(RecordError::NotRanked(save.origin));
    }
    let score = game.finished()?.score;
    let (wrap_rows, wrap_cols) = (save.wrap_rows.clone(), save.wrap_cols.clone());
    Ok((BoardKind { rows: save.rows, cols: save.cols, wrap_rows, wrap_cols }, score))
}

impl Game {
    /// What a game that was played to its end without help claims, or what is missing for that.
    pub(crate) fn finished(&self) -> Result<Claim, RecordError> {
        let save = self.save();
        if save.helped {
            return Err(RecordError::Helped);
        }
        if save.restarted {
            return Err(RecordError::Restarted);
        }
        if self.moves().is_empty() {
            return Err(RecordError::NoMoves);
        }
        if !self.is_solved() {
            return Err(RecordError::NotSolved(self.misplaced()));
        }
        if !save.redo.is_empty() {
            return Err(RecordError::Undone);
        }
        let steps = self.steps() as u64;
        let least_millis = (steps - 1) * MIN_STEP_MILLIS;
        if save.millis < least_millis {
            return Err(RecordError::TooQuick { steps, millis: save.millis });
        }
        Ok(Claim { score: Score { millis: save.millis, moves: self.moves().len() }, least_millis })
    }
}

/// No input device delivers more than 500 steps a second.
const MIN_STEP_MILLIS: u64 = 2;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    #[error(transparent)]
    Save(#[from] SaveError),
    #[error("found a start from {}, expected {}: such a game sets no record", .0.name(), Origin::Scramble.name())]
    NotRanked(Origin),
    #[error("found another board, expected that of the day")]
    OtherDay,
    #[error("a game with help sets no record")]
    Helped,
    #[error("a game whose scramble was played before sets no record")]
    Restarted,
    #[error("found no moves, expected a game that was played")]
    NoMoves,
    #[error("replayed, the moves leave {0} tiles misplaced, expected the whole picture")]
    NotSolved(usize),
    #[error("found moves to redo, expected a game that ended with its last move")]
    Undone,
    #[error("found {steps} steps in {millis} ms, expected at least {MIN_STEP_MILLIS} ms a step")]
    TooQuick {
        /// Moves, a run counting once.
        steps: u64,
        millis: u64,
    },
}

impl RecordError {
    /// The word by which the page finds its own sentence for this error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Save(error) => error.code(),
            Self::NotRanked(_) | Self::Restarted => "not-ranked",
            Self::Helped => "record-helped",
            _ => "record-refused",
        }
    }
}
