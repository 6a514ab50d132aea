use pintu_tiles::{
    Arrangement, ArrangementError, Direction, IllegalMove, Moves, NoSuchCell, Size, SizeError, Topology, TopologyError,
    goal_with_blank,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Origin, Picture};

/// The shortest side of a board that is played.
pub const MIN_SIDE: usize = 2;
/// The longest side of a board that is played.
pub const MAX_SIDE: usize = 10;

/// The version of the format that is written, and the only one so far.
pub const VERSION: u32 = 1;

/// A game as it is stored: parameters, start and moves, and nothing that follows from them.
///
/// Tiles are numbered in reading order of the whole picture, without the cell that is blank in the end; 0 is the blank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Save {
    /// [`VERSION`].
    pub version: u32,
    pub rows: usize,
    pub cols: usize,
    /// The rows that wrap left to right.
    #[serde(default)]
    pub wrap_rows: Vec<usize>,
    /// The columns that wrap top to bottom.
    #[serde(default)]
    pub wrap_cols: Vec<usize>,
    /// The cell that is blank when the picture is whole.
    pub blank: usize,
    /// The scramble: tiles in reading order, 0 for the blank.
    pub start: Vec<u32>,
    /// The moves made since, as letters of the blank's directions.
    pub moves: String,
    /// The moves that can be redone, the next one first.
    #[serde(default)]
    pub redo: String,
    /// Runs, which are undone as one step: the index of the first move (in `moves` followed by `redo`) and the number of
    /// moves. Every other move is a step by itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<(usize, usize)>,
    pub millis: u64,
    #[serde(default)]
    pub helped: bool,
    /// Whether the scramble had been played before this game began, or was played anew beside it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restarted: bool,
    pub picture: Picture,
    /// Where the start comes from; absent for a uniform scramble made by the page.
    #[serde(default, skip_serializing_if = "Origin::is_default")]
    pub origin: Origin,
}

/// The longest time played that is accepted: more than a hundred years.
const MAX_MILLIS: u64 = 1 << 42;

impl Save {
    /// A text that two saves share exactly if they are the same game, and so one record: the same moves from the same start
    /// in the same time. The same solution played faster is another game; the picture makes no difference.
    pub fn identity(&self) -> String {
        let Self { rows, cols, blank, wrap_rows, wrap_cols, start, moves, millis, .. } = self;
        format!("{rows}x{cols} {blank} {wrap_rows:?} {wrap_cols:?} {start:?} {moves} {millis}")
    }
}

#[derive(Clone, Debug)]
pub struct Game {
    save: Save,
    goal: Arrangement,
    tiles: Arrangement,
    steps: usize,
}

impl Game {
    /// Replays a save. Its moves, and then those to redo, must be legal from its start.
    pub fn load(save: &Save) -> Result<Self, SaveError> {
        if save.version != VERSION {
            return Err(SaveError::Version(save.version));
        }
        if save.millis > MAX_MILLIS {
            return Err(SaveError::Millis(save.millis));
        }
        let size = Size::new(save.rows, save.cols)?;
        let topology = Topology::wrapped(size, save.wrap_rows.iter().copied(), save.wrap_cols.iter().copied())?;
        let mut tiles = Arrangement::new(size, &save.start)?;
        let (moves, redo) = (letters("moves", &save.moves)?, letters("redo", &save.redo)?);
        let illegal = |field| move |found| SaveError::Illegal { field, found };
        tiles.play(topology, &moves).map_err(illegal("moves"))?;
        tiles.clone().play(topology, &redo).map_err(illegal("redo"))?;
        let steps = steps(moves.len(), moves.len() + redo.len(), &save.runs).ok_or(SaveError::Runs)?;
        let is_played = |side| (MIN_SIDE..=MAX_SIDE).contains(&side);
        if !is_played(size.rows()) || !is_played(size.cols()) {
            return Err(SaveError::Size(size));
        }
        let goal = goal_with_blank(size, save.blank)?;
        let (wrap_rows, wrap_cols) = (topology.wrap_rows().collect(), topology.wrap_cols().collect());
        Ok(Self { save: Save { wrap_rows, wrap_cols, ..save.clone() }, goal, tiles, steps })
    }

    /// The save, with the lines that wrap in order and each once.
    pub fn save(&self) -> &Save {
        &self.save
    }

    /// Where the tiles lie now, in reading order.
    pub fn tiles(&self) -> &[u8] {
        self.tiles.tiles()
    }

    /// The letters of the moves made so far. Each tile of a run counts.
    pub fn moves(&self) -> &str {
        &self.save.moves
    }

    /// The number of steps made so far: moves, a run of them counting once.
    pub fn steps(&self) -> usize {
        self.steps
    }

    pub fn is_solved(&self) -> bool {
        self.tiles == self.goal
    }

    /// The number of tiles that are not in their goal cells.
    pub fn misplaced(&self) -> usize {
        let pairs = self.tiles().iter().zip(self.goal.tiles());
        pairs.filter(|&(&tile, &wanted)| tile != 0 && tile != wanted).count()
    }
}

/// Reads moves letter by letter: a save has neither small letters nor numbers.
fn letters(field: &'static str, text: &str) -> Result<Moves, SaveError> {
    let direction = |(index, found): (usize, char)| {
        let known = Direction::ALL.into_iter().find(|direction| direction.letter() == found);
        known.ok_or(SaveError::Letter { field, found, position: index + 1 })
    };
    Ok(Moves(text.chars().enumerate().map(direction).collect::<Result<_, _>>()?))
}

/// The number of steps that the first `done` of `count` moves make. `None` where runs are shorter than two moves, overlap,
/// are out of order, reach beyond the moves, or where one is done in part.
fn steps(done: usize, count: usize, runs: &[(usize, usize)]) -> Option<usize> {
    let mut steps = done;
    let mut end = 0;
    for &(first, length) in runs {
        if first < end || length < 2 {
            return None;
        }
        end = first.checked_add(length).filter(|&end| end <= count && (first >= done || end <= done))?;
        if first < done {
            steps -= length - 1;
        }
    }
    Some(steps)
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SaveError {
    #[error("found a save of version {0}, expected {VERSION}")]
    Version(u32),
    #[error("found {0} milliseconds, expected at most {MAX_MILLIS}")]
    Millis(u64),
    #[error(transparent)]
    Sides(#[from] SizeError),
    #[error(transparent)]
    Wrap(#[from] TopologyError),
    #[error("start: {0}")]
    Start(#[from] ArrangementError),
    #[error("found a board of {0}, expected sides from {MIN_SIDE} to {MAX_SIDE}")]
    Size(Size),
    #[error(transparent)]
    Blank(#[from] NoSuchCell),
    #[error("found `{found}` at position {position} of `{field}`, expected U, D, L or R")]
    Letter {
        /// `moves` or `redo`.
        field: &'static str,
        found: char,
        /// Its position, from 1 on.
        position: usize,
    },
    #[error(
        "move {} of `{field}` ({}) leads off the board: the blank is at {},{}",
        found.number, found.direction.letter(), found.row, found.col
    )]
    Illegal {
        /// `moves` or `redo`.
        field: &'static str,
        /// The move, counted within the field.
        found: IllegalMove,
    },
    #[error(
        "`runs` do not fit the moves: expected [first, length] pairs in order, each of at least 2 moves, none \
         overlapping, none half done"
    )]
    Runs,
}

impl SaveError {
    /// The word by which the page finds its own sentence for this error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Version(_) => "save-version",
            Self::Letter { .. } | Self::Illegal { .. } => "illegal-move",
            _ => "bad-field",
        }
    }
}
