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
    /// All of them.
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
        let cells = size.cells();
        let mut tiles = vec![0; cells];
        match self {
            Self::Standard => (0..cells - 1).for_each(|cell| tiles[cell] = (cell + 1) as u8),
            Self::BlankFirst => (0..cells).for_each(|cell| tiles[cell] = cell as u8),
            Self::Snail => {
                for (index, cell) in spiral(size).into_iter().enumerate().take(cells - 1) {
                    tiles[cell] = (index + 1) as u8;
                }
            }
        }
        Arrangement::from_tiles(size, &tiles)
    }
}

/// The goal in reading order whose blank is in `cell`: 1, 2, 3, … in the others.
pub fn goal_with_blank(size: Size, cell: usize) -> Arrangement {
    let tiles: Vec<u8> = (0..size.cells())
        .map(|at| match at.cmp(&cell) {
            std::cmp::Ordering::Less => at as u8 + 1,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Greater => at as u8,
        })
        .collect();
    Arrangement::from_tiles(size, &tiles)
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

    fn goal(name: NamedGoal, rows: usize, cols: usize) -> String {
        name.on(Size::new(rows, cols).unwrap()).to_string()
    }

    #[test]
    fn snails_wind_inwards() {
        assert_eq!(goal(NamedGoal::Snail, 3, 3), "1 2 3 8 0 4 7 6 5");
        assert_eq!(goal(NamedGoal::Snail, 4, 4), "1 2 3 4 12 13 14 5 11 0 15 6 10 9 8 7");
        assert_eq!(goal(NamedGoal::Snail, 2, 3), "1 2 3 0 5 4");
        assert_eq!(goal(NamedGoal::Snail, 3, 2), "1 2 0 3 5 4");
        assert_eq!(goal(NamedGoal::Snail, 1, 4), "1 2 3 0");
    }

    #[test]
    fn the_blank_goes_where_it_is_told() {
        let size = Size::new(2, 2).unwrap();
        assert_eq!(goal_with_blank(size, 1).to_string(), "1 0 2 3");
        assert_eq!(goal_with_blank(size, 3), NamedGoal::Standard.on(size));
        assert_eq!(goal_with_blank(size, 0), NamedGoal::BlankFirst.on(size));
    }
}
