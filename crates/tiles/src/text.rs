//! Puzzles as people write them: recognised by their shape.

mod lex;

use std::str::FromStr;

use self::lex::{Row, lex};
use crate::{Arrangement, ArrangementError, MAX_CELLS, MAX_SIDE, Size, SizeError};

/// A board, and perhaps its goal, as a text holds them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct StartAndGoal {
    /// The first board.
    pub start: Arrangement,
    /// The second, where a blank line separates two of one size.
    pub goal: Option<Arrangement>,
}

/// Reads one board, or two with a blank line between them: where the tiles lie, and where they should.
///
/// A board is written as a size and its numbers (`3` or `3 4` on the first line), as bare rows, as one
/// line of numbers, or as digits without spaces. `/` and `;` end a row as the end of a line does, commas separate
/// numbers as spaces do, and the blank is 0 or `_`. `#` starts a comment. `size` is the size where it is
/// known already: one line needs it unless it is a square, and everything else must agree with it.
///
/// ```
/// use pintu_tiles::read_start_and_goal;
///
/// let text = read_start_and_goal("3\n0 1 3\n4 2 5\n7 8 6 # four moves\n", None).unwrap();
/// assert_eq!(text.start.to_string(), "0 1 3 4 2 5 7 8 6");
/// assert_eq!(read_start_and_goal("_ 1 3/4 2 5/7 8 6", None).unwrap(), text);
/// assert_eq!(read_start_and_goal("283104765\n\n123804765", None).unwrap().goal.unwrap().to_string(), "1 2 3 8 0 4 7 6 5");
/// ```
pub fn read_start_and_goal(text: &str, size: Option<Size>) -> Result<StartAndGoal, TextError> {
    let rows = lex(text)?;
    let whole = match board(&rows, size) {
        Ok(start) => return Ok(StartAndGoal { start, goal: None }),
        Err(error) => error,
    };
    let gaps: Vec<usize> = (1..rows.len()).filter(|&index| rows[index].after_gap).collect();
    for &gap in &gaps {
        let (first, second) = rows.split_at(gap);
        let Ok(start) = board(first, size) else { continue };
        if let Ok(goal) = board(second, Some(start.size())) {
            return Ok(StartAndGoal { start, goal: Some(goal) });
        }
    }
    match gaps.as_slice() {
        [gap] => Err(halves_error(&rows, *gap, size)),
        _ => Err(whole),
    }
}

/// Reads one board, as [`read_start_and_goal`] does. Without a size it is `str::parse`.
pub fn read_board(text: &str, size: Option<Size>) -> Result<Arrangement, TextError> {
    board(&lex(text)?, size)
}

impl FromStr for Arrangement {
    type Err = TextError;

    /// Reads a board in any of the shapes that [`read_start_and_goal`] names; one line of numbers is a square.
    fn from_str(text: &str) -> Result<Self, TextError> {
        read_board(text, None)
    }
}

/// An error in a text, and its line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct TextError {
    /// The line, from 1 on.
    pub line: usize,
    /// The error.
    pub problem: TextProblem,
}

/// The errors that a text can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what each means")]
pub enum TextProblem {
    #[error("found nothing, expected a board")]
    Empty,
    #[error("found `{0}`, expected a number from 0 on")]
    NotANumber(String),
    #[error("found the number {0}, expected at most {last}: no board has more tiles", last = MAX_CELLS - 1)]
    TooLarge(String),
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The numbers do not fill the board of that size.
    #[error("found {found} numbers after the size, expected {} for a board of {size}", size.cells())]
    Count { found: usize, size: Size },
    #[error("found a row of {found}, expected {expected}")]
    Ragged { found: usize, expected: usize },
    #[error("found {found} numbers on one line, {}", no_square(*.found))]
    NoSquare { found: usize },
    #[error("found {found} digits together, expected {}", together(*.size))]
    Digits { found: usize, size: Option<Size> },
    /// The board is not of the size that it should have.
    #[error("found a board of {found}, expected {expected}")]
    OtherSize { found: Size, expected: Size },
    #[error(transparent)]
    Tiles(#[from] ArrangementError),
}

/// Whether a text looks like a board, though perhaps not a valid one: several numbers, or many digits together.
pub fn looks_like_board(text: &str) -> bool {
    const MIN_DIGITS: usize = 4;
    lex(text).is_ok_and(|rows| match rows.as_slice() {
        [row] if row.values.len() == 1 => row.digits.as_ref().is_some_and(|digits| digits.len() >= MIN_DIGITS),
        _ => true,
    })
}

/// Reads all rows as one board.
fn board(rows: &[Row], size: Option<Size>) -> Result<Arrangement, TextError> {
    if let Some(board) = digits(rows, size) {
        return board;
    }
    let sized_error = match after_size(rows, size) {
        Some(Ok(board)) => return Ok(board),
        Some(Err(error)) => Some(error),
        None => None,
    };
    let plain = if rows.len() == 1 { one_row(&rows[0], size) } else { bare_rows(rows, size) };
    // Of two errors, report that of the form which the first line looks like.
    plain.map_err(|error| sized_error.filter(|_| looks_sized(rows)).unwrap_or(error))
}

fn looks_sized(rows: &[Row]) -> bool {
    let first = rows[0].values.len();
    rows[1..].iter().any(|row| row.values.len() > first)
}

/// No board with more cells can be written in digits without spaces.
pub const MOST_DIGITS: usize = 10;

/// Digits without spaces: `283104765`.
fn digits(rows: &[Row], size: Option<Size>) -> Option<Result<Arrangement, TextError>> {
    let [row] = rows else { return None };
    let word = row.digits.as_ref()?;
    let size = match size {
        Some(size) if size.cells() == word.len() => size,
        None if matches!(word.len(), 4 | 9) => Size::square(word.len())?,
        _ => return None,
    };
    let values: Vec<u32> = word.bytes().map(|digit| u32::from(digit - b'0')).collect();
    (size.cells() <= MOST_DIGITS).then(|| arrange(size, &values, rows))
}

/// How many digits make a board, in words.
fn together(size: Option<Size>) -> String {
    const APART: &str = "numbers with spaces between them";
    match size {
        Some(size) if size.cells() > MOST_DIGITS => format!("{APART} for a board of {size}"),
        Some(size) => format!("{} for a board of {size}, or {APART}", size.cells()),
        None => format!("4 or 9 for a board of 2x2 or 3x3, or {APART}"),
    }
}

/// Why this count of numbers on one line is no board, and what would help.
fn no_square(found: usize) -> String {
    match Size::rectangle(found) {
        Some(_) => "which is no square: the size is needed".to_owned(),
        None => format!("expected as many as a board has cells, with sides up to {MAX_SIDE}"),
    }
}

/// A size on the first line, and that many numbers after it. `None` if the first line is no size.
fn after_size(rows: &[Row], size: Option<Size>) -> Option<Result<Arrangement, TextError>> {
    let (first, rest) = rows.split_first()?;
    let (height, width) = match first.values.as_slice() {
        [both] if !rest.is_empty() => (*both, *both),
        [height, width] if !rest.is_empty() => (*height, *width),
        _ => return None,
    };
    let read = || {
        let found = Size::new(height as usize, width as usize).map_err(|error| first.error(error))?;
        let count = rest.iter().map(|row| row.values.len()).sum();
        if count != found.cells() {
            return Err(first.error(TextProblem::Count { found: count, size: found }));
        }
        if rest.len() > 1 {
            check_rows(rest, found.cols())?;
        }
        of_size(found, size, first, rest)
    };
    Some(read())
}

fn bare_rows(rows: &[Row], size: Option<Size>) -> Result<Arrangement, TextError> {
    let cols = rows[0].values.len();
    check_rows(rows, cols)?;
    let found = Size::new(rows.len(), cols).map_err(|error| rows[0].error(error))?;
    of_size(found, size, &rows[0], rows)
}

fn one_row(row: &Row, size: Option<Size>) -> Result<Arrangement, TextError> {
    if let Some(word) = row.digits.as_ref().filter(|word| word.len() > 1) {
        return Err(row.error(TextProblem::Digits { found: word.len(), size }));
    }
    let size = size.map_or_else(|| square(row.values.len()), Ok).map_err(|problem| row.error(problem))?;
    arrange(size, &row.values, std::slice::from_ref(row))
}

/// The square board with this number of cells.
fn square(found: usize) -> Result<Size, TextProblem> {
    let side = found.isqrt();
    if side * side == found { Ok(Size::new(side, side)?) } else { Err(TextProblem::NoSquare { found }) }
}

fn check_rows(rows: &[Row], expected: usize) -> Result<(), TextError> {
    let ragged = |row: &Row| row.error(TextProblem::Ragged { found: row.values.len(), expected });
    rows.iter().find(|row| row.values.len() != expected).map_or(Ok(()), |row| Err(ragged(row)))
}

/// The board of a size that the row `first` tells, and that must be the expected one.
fn of_size(found: Size, expected: Option<Size>, first: &Row, rows: &[Row]) -> Result<Arrangement, TextError> {
    if let Some(expected) = expected.filter(|&expected| expected != found) {
        return Err(first.error(TextProblem::OtherSize { found, expected }));
    }
    let values: Vec<u32> = rows.iter().flat_map(|row| row.values.iter().copied()).collect();
    arrange(found, &values, rows)
}

fn arrange(size: Size, values: &[u32], rows: &[Row]) -> Result<Arrangement, TextError> {
    Arrangement::new(size, values)
        .map_err(|error| TextError { line: offending_line(rows, &error), problem: error.into() })
}

/// The line of the first number that the board does not have or that is there already.
fn offending_line(rows: &[Row], error: &ArrangementError) -> usize {
    let ArrangementError::Tiles { foreign, repeated, .. } = error else { return rows[0].line };
    let mut earlier = Vec::new();
    for row in rows {
        for value in &row.values {
            if foreign.contains(value) || (repeated.contains(value) && earlier.contains(value)) {
                return row.line;
            }
            earlier.push(*value);
        }
    }
    rows[0].line
}

/// The error of a text that looks like a start and a goal.
fn halves_error(rows: &[Row], gap: usize, size: Option<Size>) -> TextError {
    let (first, second) = rows.split_at(gap);
    match (board(first, size), board(second, size)) {
        (Err(error), _) | (_, Err(error)) => error,
        (Ok(start), Ok(goal)) => second[0].error(TextProblem::OtherSize { found: goal.size(), expected: start.size() }),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use serde::Deserialize;

    use super::*;

    fn read(text: &str) -> Result<String, String> {
        let size_and_tiles = |board: &Arrangement| format!("{}: {board}", board.size());
        read_start_and_goal(text, None)
            .map(|boards| match &boards.goal {
                Some(goal) => format!("{} -> {}", size_and_tiles(&boards.start), size_and_tiles(goal)),
                None => size_and_tiles(&boards.start),
            })
            .map_err(|error| error.to_string())
    }

    type Golden = HashMap<String, String>;

    /// The texts that are read, and those that are refused. The page reads boards by the same rules, and its tests the
    /// same file.
    fn golden() -> [Vec<Golden>; 2] {
        #[derive(Deserialize)]
        struct File {
            read: Vec<Golden>,
            refused: Vec<Golden>,
        }
        let File { read, refused } = serde_json::from_str(include_str!("../golden/boards.json")).unwrap();
        assert!(read.len() > 10 && refused.len() > 10);
        [read, refused]
    }

    #[test]
    fn every_shape_is_read_and_every_error_says_where_and_what() {
        let [boards, refused] = golden();
        for golden in boards {
            assert_eq!(read(&golden["text"]).as_ref(), Ok(&golden["board"]), "{golden:?}");
        }
        for golden in refused {
            let text = &golden["text"];
            assert_eq!(read(text).as_ref(), Err(&golden["says"]), "{golden:?}");
            assert_eq!(kind(&read_start_and_goal(text, None).unwrap_err().problem), golden["problem"], "{golden:?}");
        }
        let large: Vec<String> = (0..289).map(|tile: u32| tile.to_string()).collect();
        let expected = "line 1: found a board of 17x17, expected sides from 1 to 16 and at least two cells";
        assert_eq!(read(&large.join(" ")), Err(expected.to_owned()));
    }

    fn kind(problem: &TextProblem) -> &'static str {
        match problem {
            TextProblem::Empty => "empty",
            TextProblem::NotANumber(_) => "not-a-number",
            TextProblem::TooLarge(_) => "too-large",
            TextProblem::Size(_) => "size",
            TextProblem::Count { .. } => "count",
            TextProblem::Ragged { .. } => "ragged",
            TextProblem::NoSquare { .. } => "no-square",
            TextProblem::Digits { .. } => "digits",
            TextProblem::OtherSize { .. } => "other-size",
            TextProblem::Tiles(_) => "tiles",
        }
    }

    #[test]
    fn what_looks_like_a_board_need_not_be_one() {
        for text in ["867254301", "1 2 0", "1,2,0", "0 1 3/4 2 5/7 8 6", "1 2/3 _", "123456"] {
            assert!(looks_like_board(text), "{text}");
        }
        for text in ["", "12", "_", "board.txt", "4x4-01.txt", "../1/2", "korf 100", "#p=2x2"] {
            assert!(!looks_like_board(text), "{text}");
        }
    }

    #[test]
    fn a_given_size_decides_and_must_agree() {
        let size = Some(Size::new(2, 3).unwrap());
        assert_eq!(read_board("1 2 3 4 5 0", size).unwrap().size(), Size::new(2, 3).unwrap());
        assert_eq!(read_board("123450", size).unwrap().to_string(), "1 2 3 4 5 0");
        let error = read_board("1 2\n3 4\n5 0", size).unwrap_err();
        assert_eq!(error.to_string(), "line 1: found a board of 3x2, expected 2x3");
        let error = read_board("0123456789", size).unwrap_err();
        let apart = "numbers with spaces between them";
        let expected = format!("line 1: found 10 digits together, expected 6 for a board of 2x3, or {apart}");
        assert_eq!(error.to_string(), expected);
        let error = read_board("1234567890123450", Some(Size::new(4, 4).unwrap())).unwrap_err();
        let expected = format!("line 1: found 16 digits together, expected {apart} for a board of 4x4");
        assert_eq!(error.to_string(), expected);
        let error = read_board("1 2 3 0", size).unwrap_err();
        assert_eq!(error.to_string(), "line 1: found 4 tiles, expected 6 for a board of 2x3");
    }
}
