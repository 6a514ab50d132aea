//! A board taken apart from its rim to the goal's blank, line by line.

use std::ops::Range;

use pintu_tiles::Size;

/// What is left of a rectangle when outer lines have been taken off.
pub(super) struct Rim {
    size: Size,
    blank: usize,
    rows: Range<usize>,
    cols: Range<usize>,
}

impl Rim {
    pub(super) fn new(size: Size, blank: usize) -> Self {
        Self { size, blank, rows: 0..size.rows(), cols: 0..size.cols() }
    }

    /// The longer side of what is left.
    pub(super) fn side(&self) -> usize {
        self.rows.len().max(self.cols.len())
    }

    /// Takes off the row or column, across the longer side, that is farthest from the goal's blank, and
    /// returns its cells; none when only 2×3 cells are left, which have no line to spare.
    pub(super) fn peel(&mut self) -> Option<Vec<usize>> {
        if self.rows.len() * self.cols.len() <= 6 {
            return None;
        }
        let by_row = self.rows.len() >= self.cols.len();
        let (range, at) = if by_row {
            (&mut self.rows, self.size.row(self.blank))
        } else {
            (&mut self.cols, self.size.col(self.blank))
        };
        let line = if at - range.start >= range.end - 1 - at {
            range.start += 1;
            range.start - 1
        } else {
            range.end -= 1;
            range.end
        };
        let size = self.size;
        Some(if by_row {
            self.cols.clone().map(|col| size.cell(line, col)).collect()
        } else {
            self.rows.clone().map(|row| size.cell(row, line)).collect()
        })
    }
}
