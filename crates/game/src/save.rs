use std::time::{Duration, Instant};

use pintu_tiles::{Arrangement, ArrangementError, Direction, Size, SizeError, Topology, TopologyError};
use serde::{Deserialize, Serialize};

use crate::{Game, GameError, Origin, Picture, board::Board, history::History};

/// The version of the format that is written, and the only one so far.
pub const VERSION: u32 = 1;

/// A game as it is stored: parameters, start and moves, and nothing that follows from them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Save {
    /// [`VERSION`].
    pub version: u32,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
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
    /// Moves that are undone as one: the index of the first (in `moves` followed by `redo`) and how
    /// many. Every other move is a step by itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<(usize, usize)>,
    /// The time played, in milliseconds.
    pub millis: u64,
    /// Whether auto-solve or a hint took part.
    #[serde(default)]
    pub helped: bool,
    /// Which picture is played.
    pub picture: Picture,
    /// Where the start comes from; absent where that is a scramble made here.
    #[serde(default, skip_serializing_if = "Origin::is_usual")]
    pub origin: Origin,
}

/// More than a hundred years; what is above is no time played.
const MOST_MILLIS: u64 = 1 << 42;

impl Save {
    /// Whether this is the same game as another, so that both are one record: the same moves from the same
    /// start in the same time. The same solution played faster is another game; another picture is not.
    pub fn is_same_game(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }

    /// A text that two saves have in common if, and only if, they are the [same game](Self::is_same_game): by it, or a
    /// hash of it, the same game is found again among many.
    pub fn identity(&self) -> String {
        let Self { rows, cols, blank, wrap_rows, wrap_cols, start, moves, millis, .. } = self;
        format!("{rows}x{cols} {blank} {wrap_rows:?} {wrap_cols:?} {start:?} {moves} {millis}")
    }
}

impl Game {
    /// The game as it is stored.
    pub fn save(&self, now: Instant) -> Save {
        let size = self.topology().size();
        Save {
            version: VERSION,
            rows: size.rows(),
            cols: size.cols(),
            wrap_rows: self.topology().wrap_rows().collect(),
            wrap_cols: self.topology().wrap_cols().collect(),
            blank: self.goal().blank(),
            start: self.start().tiles().iter().map(|&tile| u32::from(tile)).collect(),
            moves: self.moves().to_string(),
            redo: self.undone().to_string(),
            runs: self.history().runs(),
            millis: self.played(now).as_millis() as u64,
            helped: self.is_helped(),
            picture: self.picture().clone(),
            origin: self.origin(),
        }
    }

    /// The game of a save, with its clock halted.
    pub fn load(save: &Save) -> Result<Self, SaveError> {
        if save.version != VERSION {
            return Err(SaveError::Version { found: save.version });
        }
        if save.millis > MOST_MILLIS {
            return Err(SaveError::Millis { found: save.millis });
        }
        let size = Size::new(save.rows, save.cols)?;
        let topology = Topology::wrapped(size, save.wrap_rows.iter().copied(), save.wrap_cols.iter().copied())?;
        let start = Arrangement::new(size, &save.start)?;
        let mut moves = letters("moves", &save.moves)?;
        let done = moves.len();
        moves.extend(letters("redo", &save.redo)?);
        check_legal(topology, &start, &moves, done)?;
        let history = History::restore(moves, done, &save.runs).ok_or(SaveError::Runs)?;
        let mut game = Self::new(topology, save.blank, start, save.picture.clone())?;
        game.set_origin(save.origin);
        game.restore(history, Duration::from_millis(save.millis), save.helped);
        Ok(game)
    }
}

fn letters(field: &'static str, text: &str) -> Result<Vec<Direction>, SaveError> {
    let direction = |(index, found): (usize, char)| {
        let known = Direction::ALL.into_iter().find(|direction| direction.letter() == found);
        known.ok_or(SaveError::Letter { field, found, position: index + 1 })
    };
    text.chars().enumerate().map(direction).collect()
}

fn check_legal(topology: Topology, start: &Arrangement, moves: &[Direction], done: usize) -> Result<(), SaveError> {
    let mut board = Board::new(topology, start);
    for (index, &direction) in moves.iter().enumerate() {
        let size = topology.size();
        let (row, col) = (size.row(board.blank()), size.col(board.blank()));
        if !board.step(direction) {
            let (field, number) = if index < done { ("moves", index + 1) } else { ("redo", index - done + 1) };
            return Err(SaveError::Illegal { field, number, letter: direction.letter(), row, col });
        }
    }
    Ok(())
}

/// Why a save is no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SaveError {
    /// It is written in a format of another time.
    #[error("found a save of version {found}, expected {VERSION}")]
    Version {
        /// The version.
        found: u32,
    },
    /// Nobody plays that long.
    #[error("found {found} milliseconds, expected at most {MOST_MILLIS}")]
    Millis {
        /// The milliseconds.
        found: u64,
    },
    /// No board has these sides.
    #[error(transparent)]
    Sides(#[from] SizeError),
    /// A row or column cannot wrap.
    #[error(transparent)]
    Wrap(#[from] TopologyError),
    /// The start's tiles are no arrangement.
    #[error("start: {0}")]
    Start(#[from] ArrangementError),
    /// The board or the blank cell cannot be played.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A letter is no move.
    #[error("found `{found}` at position {position} of `{field}`, expected U, D, L or R")]
    Letter {
        /// `moves` or `redo`.
        field: &'static str,
        /// The letter.
        found: char,
        /// Where it is, counted from 1.
        position: usize,
    },
    /// A move leads off the board.
    #[error("move {number} of `{field}` ({letter}) leads off the board: the blank is at {row},{col}")]
    Illegal {
        /// `moves` or `redo`.
        field: &'static str,
        /// Which one, counted from 1.
        number: usize,
        /// Its letter.
        letter: char,
        /// The blank's row.
        row: usize,
        /// The blank's column.
        col: usize,
    },
    /// The runs do not fit the moves.
    #[error(
        "`runs` do not fit the moves: expected [first, length] pairs in order, each of at least 2 moves, none \
         overlapping, none half done"
    )]
    Runs,
}

impl SaveError {
    /// The word by which a page finds its own sentence for this.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Version { .. } => "save-version",
            Self::Letter { .. } | Self::Illegal { .. } => "illegal-move",
            _ => "bad-field",
        }
    }
}
