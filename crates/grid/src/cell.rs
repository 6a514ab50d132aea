use std::{fmt, str::FromStr};

/// A cell of a map: row and column from 0, counted from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The row.
    pub row: u32,
    /// The column.
    pub col: u32,
}

impl Cell {
    /// The cell in this row and column.
    pub const fn new(row: u32, col: u32) -> Self {
        Self { row, col }
    }

    /// The cell `rows` down and `cols` to the right, which must lie on the map.
    #[inline]
    pub(crate) fn moved(self, rows: i32, cols: i32) -> Self {
        Self { row: self.row.wrapping_add_signed(rows), col: self.col.wrapping_add_signed(cols) }
    }
}

impl From<(u32, u32)> for Cell {
    fn from((row, col): (u32, u32)) -> Self {
        Self { row, col }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.row, self.col)
    }
}

impl FromStr for Cell {
    type Err = CellError;

    fn from_str(text: &str) -> Result<Self, CellError> {
        let number = |part: &str| part.trim().parse().map_err(|_| CellError(text.to_owned()));
        let (row, col) = text.split_once(',').ok_or_else(|| CellError(text.to_owned()))?;
        Ok(Self { row: number(row)?, col: number(col)? })
    }
}

/// A text that is not a cell.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found `{0}`, expected a cell as `row,col`, both counted from 0")]
pub struct CellError(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        assert_eq!("3,14".parse(), Ok(Cell::new(3, 14)));
        assert_eq!(Cell::new(3, 14).to_string(), "3,14");
        for bad in ["", "3", "3,", "-1,2", "3,4,5", "a,b"] {
            assert!(bad.parse::<Cell>().is_err(), "{bad}");
        }
    }
}
