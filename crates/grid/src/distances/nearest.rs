//! The nearest of the cells that can be reached, as the crow flies.

use std::ops::ControlFlow::{self, Continue};

use pintu_search::{Control, Hold, Stop};

use crate::{Cell, Map};

impl Map {
    /// The cells that can be reached from `from` and are nearest to one of `to` as the crow flies, in
    /// reading order: where to go when the goal itself is cut off. The hold is asked for what the list takes, and the
    /// control looked at in every row.
    ///
    /// It takes a moment a cell, however many goals there are (Meijster, Roerdink and Hesselink's distance transform, a
    /// row at a time).
    pub fn nearest_reachable(
        &self,
        from: Cell,
        to: &[Cell],
        control: &Control,
        hold: &mut Hold,
    ) -> ControlFlow<Stop, Vec<Cell>> {
        let mut nearest = Vec::new();
        if !self.is_free(from) {
            return Continue(nearest);
        }
        let piece = self.pieces.of(self.index(from));
        let goals = Goals::new(to, self.cols as usize, hold)?;
        let (mut best, mut row_of) = (u64::MAX, Envelope::new(self.cols as usize, hold)?);
        for row in 0..self.rows {
            control.check()?;
            row_of.draw(|col| goals.rows_away(row, col));
            for col in 0..self.cols {
                let cell = Cell::new(row, col);
                if self.pieces.of(self.index(cell)) != piece {
                    continue;
                }
                let Some(distance) = row_of.at(col as usize) else { continue };
                if distance < best {
                    best = distance;
                    nearest.clear();
                }
                if distance == best {
                    if nearest.len() == nearest.capacity() {
                        let capacity = (2 * nearest.len()).max(16);
                        hold.reserve(&mut nearest, capacity)?;
                    }
                    nearest.push(cell);
                }
            }
        }
        Continue(nearest)
    }
}

/// The rows of the goals in each column, in order.
struct Goals {
    cells: Vec<Cell>,
    /// Where each column begins.
    firsts: Vec<usize>,
}

impl Goals {
    fn new(to: &[Cell], cols: usize, hold: &mut Hold) -> ControlFlow<Stop, Self> {
        let (mut cells, mut firsts) = (Vec::new(), Vec::new());
        hold.reserve(&mut cells, to.len())?;
        hold.reserve(&mut firsts, cols + 1)?;
        cells.extend(to.iter().copied().filter(|cell| (cell.col as usize) < cols));
        cells.sort_unstable_by_key(|cell| (cell.col, cell.row));
        firsts.extend((0..=cols).map(|col| cells.partition_point(|cell| (cell.col as usize) < col)));
        Continue(Self { cells, firsts })
    }

    /// How many rows it is to the nearest goal of a column, if that has one.
    fn rows_away(&self, row: u32, col: usize) -> Option<u64> {
        let column = &self.cells[self.firsts[col]..self.firsts[col + 1]];
        let next = column.partition_point(|cell| cell.row < row);
        let beside = column.get(next).into_iter().chain(next.checked_sub(1).map(|before| &column[before]));
        beside.map(|cell| u64::from(cell.row.abs_diff(row))).min()
    }
}

/// For each column of a row, in which column the nearest goal lies.
struct Envelope {
    /// How many rows away the nearest goal of each column is.
    away: Vec<Option<u64>>,
    /// The columns that are nearest to some place of the row, each with the first such place.
    parts: Vec<(usize, usize)>,
    /// The part that was asked for last.
    part: usize,
}

impl Envelope {
    fn new(cols: usize, hold: &mut Hold) -> ControlFlow<Stop, Self> {
        let (mut away, mut parts) = (Vec::new(), Vec::new());
        hold.reserve(&mut away, cols)?;
        hold.reserve(&mut parts, cols)?;
        away.resize(cols, None);
        Continue(Self { away, parts, part: 0 })
    }

    /// The square of the distance from a place of the row to the nearest goal of a column that has one.
    fn distance(&self, at: usize, col: usize) -> u64 {
        let rows = self.away[col].unwrap_or(0);
        (at.abs_diff(col) as u64).pow(2) + rows.pow(2)
    }

    fn draw(&mut self, rows_away: impl Fn(usize) -> Option<u64>) {
        self.parts.clear();
        self.part = 0;
        for col in 0..self.away.len() {
            self.away[col] = rows_away(col);
            let Some(rows) = self.away[col] else { continue };
            while self
                .parts
                .last()
                .is_some_and(|&(other, first)| self.distance(first, other) > self.distance(first, col))
            {
                self.parts.pop();
            }
            let Some(&(other, _)) = self.parts.last() else {
                self.parts.push((col, 0));
                continue;
            };
            // The last place at which the other column is no farther.
            let square = |number: u64| i128::from(number).pow(2);
            let rows_apart = square(rows) - square(self.away[other].unwrap_or(0));
            let cols_apart = square(col as u64) - square(other as u64);
            let last = (cols_apart + rows_apart).div_euclid(2 * (col - other) as i128);
            if let Some(first) = usize::try_from(last + 1).ok().filter(|&first| first < self.away.len()) {
                self.parts.push((col, first));
            }
        }
    }

    /// The square of the distance to the nearest goal. Places are asked for from left to right.
    fn at(&mut self, at: usize) -> Option<u64> {
        while self.parts.get(self.part + 1).is_some_and(|&(_, first)| first <= at) {
            self.part += 1;
        }
        self.parts.get(self.part).map(|&(col, _)| self.distance(at, col))
    }
}
