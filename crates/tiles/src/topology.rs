use std::fmt;

use crate::{Direction, MAX_SIDE, Size};

/// A board as a graph of cells: a rectangle, some of whose rows and columns may wrap around.
///
/// ```
/// use pintu_tiles::{Direction, Size, Topology};
///
/// let size = Size::new(5, 5).unwrap();
/// let board = Topology::wrapped(size, [2], [2]).unwrap();
/// assert_eq!(board.neighbour(10, Direction::Left), Some(14)); // from the left end of row 2 to its right end
/// assert_eq!(board.neighbour(5, Direction::Left), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Topology {
    size: Size,
    wrap_rows: u16,
    wrap_cols: u16,
}

/// The rule that decides which arrangements can be reached from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One row or column without a wrap: tiles slide and never pass each other.
    Line,
    /// One row or column that wraps, or a 2×2 board: tiles go round and keep their cyclic order.
    Ring,
    /// Every step of the blank changes its cell's colour, as on a chessboard.
    TwoColoured,
    /// A wrap joins two cells of the same colour.
    Mixed,
}

impl Topology {
    /// The plain rectangle.
    pub fn plain(size: Size) -> Self {
        Self { size, wrap_rows: 0, wrap_cols: 0 }
    }

    /// A rectangle of which these rows wrap left to right and these columns top to bottom.
    pub fn wrapped(
        size: Size,
        rows: impl IntoIterator<Item = usize>,
        cols: impl IntoIterator<Item = usize>,
    ) -> Result<Self, TopologyError> {
        let wrap_rows = line_set(rows, size.rows(), size.cols(), "row")?;
        let wrap_cols = line_set(cols, size.cols(), size.rows(), "column")?;
        Ok(Self { size, wrap_rows, wrap_cols })
    }

    /// The board's sides.
    pub fn size(self) -> Size {
        self.size
    }

    /// The number of cells.
    pub fn cells(self) -> usize {
        self.size.cells()
    }

    /// The rows that wrap.
    pub fn wrap_rows(self) -> impl Iterator<Item = usize> {
        bits(self.wrap_rows)
    }

    /// The columns that wrap.
    pub fn wrap_cols(self) -> impl Iterator<Item = usize> {
        bits(self.wrap_cols)
    }

    /// Whether nothing wraps.
    pub fn is_plain(self) -> bool {
        self.wrap_rows == 0 && self.wrap_cols == 0
    }

    /// The cell in that direction, if there is one.
    pub fn neighbour(self, cell: usize, direction: Direction) -> Option<usize> {
        let (row, col) = (self.size.row(cell), self.size.col(cell));
        let (rows, cols) = (self.size.rows(), self.size.cols());
        let wraps_row = self.wrap_rows >> row & 1 == 1;
        let wraps_col = self.wrap_cols >> col & 1 == 1;
        let (row, col) = match direction {
            Direction::Up => (step_back(row, rows, wraps_col)?, col),
            Direction::Left => (row, step_back(col, cols, wraps_row)?),
            Direction::Right => (row, step_on(col, cols, wraps_row)?),
            Direction::Down => (step_on(row, rows, wraps_col)?, col),
        };
        Some(self.size.cell(row, col))
    }

    /// The neighbours of a cell, in the order up, left, right, down.
    pub fn neighbours(self, cell: usize) -> impl Iterator<Item = usize> {
        Direction::ALL.into_iter().filter_map(move |direction| self.neighbour(cell, direction))
    }

    /// The direction of the step from a cell to its neighbour, if they are neighbours.
    pub fn direction(self, from: usize, to: usize) -> Option<Direction> {
        Direction::ALL.into_iter().find(|&direction| self.neighbour(from, direction) == Some(to))
    }

    /// The rule that decides which arrangements can be reached.
    pub fn kind(self) -> Kind {
        let (rows, cols) = (self.size.rows(), self.size.cols());
        if rows == 1 || cols == 1 {
            return if self.is_plain() { Kind::Line } else { Kind::Ring };
        }
        if (rows, cols) == (2, 2) {
            return Kind::Ring;
        }
        let odd_row = self.wrap_rows != 0 && cols % 2 == 1;
        let odd_col = self.wrap_cols != 0 && rows % 2 == 1;
        if odd_row || odd_col { Kind::Mixed } else { Kind::TwoColoured }
    }

    /// All cells in the order in which they lie along a line or around a ring; reading order elsewhere.
    pub(crate) fn around(self) -> Vec<usize> {
        if self.size.rows() == 2 && self.size.cols() == 2 { vec![0, 1, 3, 2] } else { (0..self.cells()).collect() }
    }

    /// The distance between every two cells.
    pub fn distances(self) -> Distances {
        let cells = self.cells();
        let mut table = vec![u8::MAX; cells * cells];
        let mut queue = Vec::with_capacity(cells);
        for from in 0..cells {
            let row = &mut table[from * cells..][..cells];
            row[from] = 0;
            queue.clear();
            queue.push(from);
            let mut next = 0;
            while next < queue.len() {
                let cell = queue[next];
                next += 1;
                for to in self.neighbours(cell) {
                    if row[to] == u8::MAX {
                        row[to] = row[cell] + 1;
                        queue.push(to);
                    }
                }
            }
        }
        Distances { cells, table }
    }
}

impl fmt::Display for Topology {
    /// The size and what wraps: `5x5, row 2 and column 2 wrap`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.size.fmt(f)?;
        let lines: Vec<String> = (self.wrap_rows().map(|row| format!("row {row}")))
            .chain(self.wrap_cols().map(|col| format!("column {col}")))
            .collect();
        match lines.as_slice() {
            [] => Ok(()),
            [one] => write!(f, ", {one} wraps"),
            [most @ .., last] => write!(f, ", {} and {last} wrap", most.join(", ")),
        }
    }
}

/// The distance between every two cells of a board.
#[derive(Clone, Debug)]
pub struct Distances {
    cells: usize,
    table: Vec<u8>,
}

impl Distances {
    /// The fewest steps from one cell to another.
    #[inline]
    pub fn between(&self, from: usize, to: usize) -> usize {
        usize::from(self.table[from * self.cells + to])
    }
}

/// Why a row or column cannot wrap.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what each means")]
pub enum TopologyError {
    #[error("found a wrapping {kind} {line}, expected {kind}s from 0 to {last}")]
    NoSuchLine {
        /// `row` or `column`.
        kind: &'static str,
        line: usize,
        last: usize,
    },
    /// A wrap would join cells that are neighbours already, or a cell to itself.
    #[error("{kind} {line} cannot wrap: it has {length} cells, and a wrap needs at least 3")]
    TooShort {
        /// `row` or `column`.
        kind: &'static str,
        line: usize,
        length: usize,
    },
}

fn line_set(
    lines: impl IntoIterator<Item = usize>,
    count: usize,
    length: usize,
    kind: &'static str,
) -> Result<u16, TopologyError> {
    let mut set = 0;
    for line in lines {
        if line >= count {
            return Err(TopologyError::NoSuchLine { kind, line, last: count - 1 });
        }
        if length < 3 {
            return Err(TopologyError::TooShort { kind, line, length });
        }
        set |= 1 << line;
    }
    Ok(set)
}

fn bits(set: u16) -> impl Iterator<Item = usize> {
    (0..MAX_SIDE).filter(move |bit| set >> bit & 1 == 1)
}

fn step_back(at: usize, length: usize, wraps: bool) -> Option<usize> {
    if at > 0 { Some(at - 1) } else { wraps.then_some(length - 1) }
}

fn step_on(at: usize, length: usize, wraps: bool) -> Option<usize> {
    if at + 1 < length { Some(at + 1) } else { wraps.then_some(0) }
}
