use std::{fmt, str::FromStr};

/// The direction in which the blank moves; through a wrap, the edge by which it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// To the row above.
    Up,
    /// To the column on the left.
    Left,
    /// To the column on the right.
    Right,
    /// To the row below.
    Down,
}

impl Direction {
    /// All four, in the order in which successors are generated.
    pub const ALL: [Self; 4] = [Self::Up, Self::Left, Self::Right, Self::Down];

    /// The opposite direction, in which the tile moves when the blank moves in this one.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            Self::Down => Self::Up,
        }
    }

    /// `U`, `L`, `R` or `D`.
    pub fn letter(self) -> char {
        match self {
            Self::Up => 'U',
            Self::Left => 'L',
            Self::Right => 'R',
            Self::Down => 'D',
        }
    }

    /// The direction of a letter, capital or small.
    fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|direction| direction.letter() == letter.to_ascii_uppercase())
    }
}

/// Whether a move's letter names the direction of the blank or of the tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Notation {
    /// The blank's.
    #[default]
    Blank,
    /// The tile's, as speed-solvers write it.
    Tile,
}

impl Notation {
    /// Converts between the direction that a letter names and the blank's.
    fn direction(self, direction: Direction) -> Direction {
        match self {
            Self::Blank => direction,
            Self::Tile => direction.opposite(),
        }
    }

    fn letter(self, direction: Direction) -> char {
        self.direction(direction).letter()
    }
}

/// The largest number of moves after a letter.
const MAX_REPEAT: u8 = u8::MAX;

/// Moves, one after the other.
///
/// ```
/// use pintu_tiles::{Moves, Notation};
///
/// let moves: Moves = "ULDR".parse().unwrap();
/// assert_eq!(moves.to_text(Notation::Tile), "DRUL");
/// assert_eq!("ULLD".parse::<Moves>().unwrap().to_runs(Notation::Tile), "DR2U");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moves(pub Vec<Direction>);

impl Moves {
    /// The number of moves.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The moves' letters.
    pub fn to_text(&self, notation: Notation) -> String {
        self.0.iter().map(|direction| notation.letter(*direction)).collect()
    }

    /// The same with runs counted, as speed-solvers write it: `R2D` for `RRD`.
    pub fn to_runs(&self, notation: Notation) -> String {
        let same = self.0.chunk_by(|one, next| one == next);
        // Longer runs could not be read again.
        let runs = same.flat_map(|run| run.chunks(MAX_REPEAT.into()));
        let shown = |run: &[Direction]| match run.len() {
            1 => notation.letter(run[0]).to_string(),
            many => format!("{}{many}", notation.letter(run[0])),
        };
        runs.map(shown).collect()
    }

    /// Reads letters, each perhaps with a number of repetitions: `R2D` is `RRD`. White space between them is ignored.
    pub fn from_text(text: &str, notation: Notation) -> Result<Self, MovesError> {
        let mut moves = Vec::new();
        let mut letters = text.chars().zip(1..).filter(|(letter, _)| !letter.is_whitespace()).peekable();
        while let Some((found, position)) = letters.next() {
            let direction = Direction::from_letter(found).ok_or(MovesError::Letter { found, position })?;
            let direction = notation.direction(direction);
            let mut times = String::new();
            while let Some((digit, _)) = letters.next_if(|(letter, _)| letter.is_ascii_digit()) {
                times.push(digit);
            }
            let many = if times.is_empty() { Some(1) } else { times.parse::<u8>().ok().filter(|&many| many > 0) };
            let many = many.ok_or(MovesError::Times { found: times, letter: found, position })?;
            moves.extend(std::iter::repeat_n(direction, many.into()));
        }
        Ok(Self(moves))
    }
}

impl FromStr for Moves {
    type Err = MovesError;

    fn from_str(text: &str) -> Result<Self, MovesError> {
        Self::from_text(text, Notation::Blank)
    }
}

impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text(Notation::Blank))
    }
}

/// A text that names no moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what each means")]
pub enum MovesError {
    #[error("found `{found}` at position {position} of the moves, expected U, D, L or R")]
    Letter { found: char, position: usize },
    #[error(
        "found `{found}` after the {letter} at position {position} of the moves, expected a number from 1 to {MAX_REPEAT}"
    )]
    Times { found: String, letter: char, position: usize },
}
