use crate::{Arrangement, Size};

/// The goals that have a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NamedGoal {
    /// `1 2 3 … 0`: the blank is last.
    Standard,
    /// `0 1 2 3 …`: the blank is first.
    BlankFirst,
    /// A clockwise spiral from the first cell, the blank at its end.
    Snail,
}

impl NamedGoal {
    /// All named goals.
    pub const ALL: [Self; 3] = [Self::Standard, Self::BlankFirst, Self::Snail];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::BlankFirst => "blank-first",
            Self::Snail => "snail",
        }
    }

    /// The goal with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|goal| goal.name().eq_ignore_ascii_case(name))
    }

    /// The goal on a board of this size.
    pub fn on(self, size: Size) -> Arrangement {
        let last = size.cells() - 1;
        match self {
            Self::Standard => with_blank(size, last),
            Self::BlankFirst => with_blank(size, 0),
            Self::Snail => {
                let mut tiles = vec![0; size.cells()];
                for (cell, tile) in spiral(size).into_iter().zip(1..=last) {
                    tiles[cell] = tile as u8;
                }
                Arrangement::from_tiles(size, &tiles)
            }
        }
    }
}

/// The goal whose blank is in `cell`, and whose other cells hold 1, 2, 3, … in reading order.
pub fn goal_with_blank(size: Size, cell: usize) -> Result<Arrangement, NoSuchCell> {
    let last = size.cells() - 1;
    if cell > last { Err(NoSuchCell { found: cell, last }) } else { Ok(with_blank(size, cell)) }
}

/// The same for a cell that is known to be on the board.
pub(crate) fn with_blank(size: Size, cell: usize) -> Arrangement {
    let mut tiles: Vec<u8> = (1..size.cells()).map(|tile| tile as u8).collect();
    tiles.insert(cell, 0);
    Arrangement::from_tiles(size, &tiles)
}

/// A cell for the blank that the board does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found the blank cell {found}, expected one from 0 to {last}")]
pub struct NoSuchCell {
    /// The cell.
    pub found: usize,
    /// The board's last cell.
    pub last: usize,
}

/// The cells along the clockwise spiral from the first.
fn spiral(size: Size) -> Vec<usize> {
    let (mut top, mut bottom) = (0, size.rows());
    let (mut left, mut right) = (0, size.cols());
    let mut cells = Vec::with_capacity(size.cells());
    while top < bottom && left < right {
        cells.extend((left..right).map(|col| size.cell(top, col)));
        top += 1;
        cells.extend((top..bottom).map(|row| size.cell(row, right - 1)));
        right -= 1;
        if top < bottom {
            cells.extend((left..right).rev().map(|col| size.cell(bottom - 1, col)));
            bottom -= 1;
        }
        if left < right {
            cells.extend((top..bottom).rev().map(|row| size.cell(row, left)));
            left += 1;
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snails_wind_inwards() {
        for (rows, cols, expected) in [
            (3, 3, "1 2 3 8 0 4 7 6 5"),
            (4, 4, "1 2 3 4 12 13 14 5 11 0 15 6 10 9 8 7"),
            (2, 3, "1 2 3 0 5 4"),
            (3, 2, "1 2 0 3 5 4"),
            (1, 4, "1 2 3 0"),
        ] {
            assert_eq!(NamedGoal::Snail.on(Size::new(rows, cols).unwrap()).to_string(), expected);
        }
    }

    #[test]
    fn the_blank_is_in_the_given_cell_or_the_cell_is_refused() {
        let size = Size::new(2, 2).unwrap();
        assert_eq!(goal_with_blank(size, 1).unwrap().to_string(), "1 0 2 3");
        assert_eq!(goal_with_blank(size, 3).unwrap(), NamedGoal::Standard.on(size));
        assert_eq!(goal_with_blank(size, 0).unwrap(), NamedGoal::BlankFirst.on(size));
        let error = goal_with_blank(Size::new(3, 3).unwrap(), 9).unwrap_err();
        assert_eq!(error.to_string(), "found the blank cell 9, expected one from 0 to 8");
    }
}
