use std::{fmt, str::FromStr};

/// The sides of a board: each from 1 to 16, and at least two cells in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    rows: u8,
    cols: u8,
}

/// The longest side of a board.
pub const MAX_SIDE: usize = 16;
/// The most cells of a board.
pub const MAX_CELLS: usize = MAX_SIDE * MAX_SIDE;

impl Size {
    /// A board of `rows` × `cols` cells.
    pub fn new(rows: usize, cols: usize) -> Result<Self, SizeError> {
        if (1..=MAX_SIDE).contains(&rows) && (1..=MAX_SIDE).contains(&cols) && rows * cols >= 2 {
            Ok(Self { rows: rows as u8, cols: cols as u8 })
        } else {
            Err(SizeError { rows, cols })
        }
    }

    /// The square board with this number of cells, if there is one.
    pub fn square(cells: usize) -> Option<Self> {
        let side = cells.isqrt();
        if side * side == cells { Self::new(side, side).ok() } else { None }
    }

    /// The board with this number of cells that is nearest to a square, and no higher than wide, if there is one.
    ///
    /// ```
    /// # use pintu_tiles::Size;
    /// assert_eq!(Size::rectangle(12), Size::new(3, 4).ok());
    /// assert_eq!(Size::rectangle(17), None, "a row of 17 would be too long");
    /// ```
    pub fn rectangle(cells: usize) -> Option<Self> {
        let sides = |rows: usize| (cells % rows == 0).then(|| Self::new(rows, cells / rows).ok()).flatten();
        (1..=cells.isqrt()).rev().find_map(sides)
    }

    /// The number of rows.
    pub fn rows(self) -> usize {
        usize::from(self.rows)
    }

    /// The number of columns.
    pub fn cols(self) -> usize {
        usize::from(self.cols)
    }

    /// The number of cells.
    pub fn cells(self) -> usize {
        self.rows() * self.cols()
    }

    /// The cell's row.
    pub fn row(self, cell: usize) -> usize {
        cell / self.cols()
    }

    /// The cell's column.
    pub fn col(self, cell: usize) -> usize {
        cell % self.cols()
    }

    /// The cell in this row and column. Cells are numbered in reading order.
    pub fn cell(self, row: usize, col: usize) -> usize {
        row * self.cols() + col
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

impl FromStr for Size {
    type Err = SizeParseError;

    /// Reads `RxC`, as in `4x4` and `3×5`, or one number for a square.
    fn from_str(text: &str) -> Result<Self, SizeParseError> {
        let shape = || SizeParseError::Shape(text.to_owned());
        let number = |side: &str| side.trim().parse::<usize>().map_err(|_| shape());
        let (rows, cols) = match text.split_once(['x', 'X', '×', '*']) {
            Some((rows, cols)) => (number(rows)?, number(cols)?),
            None => (number(text)?, number(text)?),
        };
        Ok(Self::new(rows, cols)?)
    }
}

/// Sides that no board has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found a board of {rows}x{cols}, expected sides from 1 to {MAX_SIDE} and at least two cells")]
pub struct SizeError {
    rows: usize,
    cols: usize,
}

/// Why a text is no size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SizeParseError {
    /// It does not look like one.
    #[error("found `{0}`, expected a size such as 4x4")]
    Shape(String),
    /// No board has these sides.
    #[error(transparent)]
    Sides(#[from] SizeError),
}
