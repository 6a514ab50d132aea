//! A board taken apart from its rim to the goal's blank, line by line.

use std::ops::Range;

use crate::Size;

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
        let (side, at) = match by_row {
            true => (&mut self.rows, self.size.row(self.blank)),
            false => (&mut self.cols, self.size.col(self.blank)),
        };
        let line = if at - side.start >= side.end - 1 - at {
            side.start += 1;
            side.start - 1
        } else {
            side.end -= 1;
            side.end
        };
        Some(match by_row {
            true => self.cols.clone().map(|col| self.size.cell(line, col)).collect(),
            false => self.rows.clone().map(|row| self.size.cell(row, line)).collect(),
        })
    }
}
