use pintu_search::Heuristic;

use crate::{Board, Cell, NotApplicable, PerTile, Puzzle, Size, TileSpace, manhattan};

/// Manhattan distance, and two more moves for each tile that must step out of its goal row or column
/// to let others pass.
///
/// The tiles of a line that never leave it keep their order. So at least as many must leave it and come back as lie
/// outside the longest subsequence that is in the right order.
#[derive(Clone, Debug)]
pub struct LinearConflict {
    manhattan: PerTile<u8>,
    size: Size,
    rows: Lines,
    cols: Lines,
}

/// Two tiles in their goal line, in the wrong order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Whether the line is a row or a column.
    pub line: Line,
    /// The index of that row or column.
    pub index: usize,
    /// The tiles, as a search numbers them, in the order in which they lie.
    pub tiles: [usize; 2],
}

/// A row or a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// A row.
    Row,
    /// A column.
    Col,
}

impl LinearConflict {
    /// The heuristic for a puzzle's board and goal.
    pub fn new(puzzle: &Puzzle) -> Result<Self, NotApplicable> {
        if !puzzle.topology().is_plain() {
            return Err(NotApplicable::Wraps {
                heuristic: "linear-conflict",
                why: "where a line or one across it wraps, a tile may pass another the other way round",
            });
        }
        let size = puzzle.size();
        let rows = Lines::new(puzzle, size.cols(), |cell| (size.row(cell), size.col(cell)));
        let cols = Lines::new(puzzle, size.rows(), |cell| (size.col(cell), size.row(cell)));
        Ok(Self { manhattan: manhattan(puzzle), size, rows, cols })
    }

    /// The pairs of tiles in a line to which both belong, in the wrong order: one of each pair must leave the line.
    pub fn conflicts<B: Board>(&self, board: &B) -> Vec<Conflict> {
        let size = self.size;
        let rows =
            (0..size.rows()).map(|row| (Line::Row, row, (0..size.cols()).map(|col| size.cell(row, col)).collect()));
        let cols =
            (0..size.cols()).map(|col| (Line::Col, col, (0..size.rows()).map(|row| size.cell(row, col)).collect()));
        let mut found = Vec::new();
        for (line, index, cells) in rows.chain(cols).collect::<Vec<(Line, usize, Vec<usize>)>>() {
            let homes = if line == Line::Row { &self.rows } else { &self.cols };
            let own = cells.iter().map(|&cell| board.tile(cell)).filter(|&tile| homes.home(tile) == index);
            let own: Vec<usize> = own.collect();
            for (at, &first) in own.iter().enumerate() {
                let passed = own[at + 1..].iter().filter(|&&later| homes.homes[later].1 < homes.homes[first].1);
                found.extend(passed.map(|&later| Conflict { line, index, tiles: [first, later] }));
            }
        }
        found
    }

    #[inline]
    fn row_conflicts<B: Board>(&self, board: &B, row: usize) -> u32 {
        let first = self.size.cell(row, 0);
        self.rows.conflicts(row, (first..first + self.size.cols()).map(|cell| board.tile(cell)))
    }

    #[inline]
    fn col_conflicts<B: Board>(&self, board: &B, col: usize) -> u32 {
        let cells = (col..self.size.cells()).step_by(self.size.cols());
        self.cols.conflicts(col, cells.map(|cell| board.tile(cell)))
    }
}

impl<B: Board> Heuristic<TileSpace<B>> for LinearConflict {
    type Memo = u32;

    fn start(&self, board: &B) -> u32 {
        let rows: u32 = (0..self.size.rows()).map(|row| self.row_conflicts(board, row)).sum();
        let cols: u32 = (0..self.size.cols()).map(|col| self.col_conflicts(board, col)).sum();
        let distance: u32 = Heuristic::<TileSpace<B>>::start(&self.manhattan, board);
        distance + rows + cols
    }

    #[inline]
    fn step(&self, memo: u32, before: &B, action: &Cell, after: &B) -> u32 {
        let mut memo = Heuristic::<TileSpace<B>>::step(&self.manhattan, memo, before, action, after);
        let (from, to) = (usize::from(*action), before.blank());
        let tile = before.tile(from);
        // A move along a line passes no other tile in it. A move into or out of a line matters only if the tile belongs
        // to that line.
        let (from_row, to_row) = (self.size.row(from), self.size.row(to));
        if from_row == to_row {
            let home = self.cols.home(tile);
            if home == self.size.col(from) || home == self.size.col(to) {
                memo = memo + self.col_conflicts(after, home) - self.col_conflicts(before, home);
            }
        } else {
            let home = self.rows.home(tile);
            if home == from_row || home == to_row {
                memo = memo + self.row_conflicts(after, home) - self.row_conflicts(before, home);
            }
        }
        memo
    }

    #[inline]
    fn estimate(&self, memo: u32) -> Option<u32> {
        Some(memo)
    }
}

#[derive(Clone, Debug)]
struct Lines {
    /// For each tile, the line that it belongs to and its position there, from 1 on.
    homes: Box<[(u8, u8)]>,
    /// The table of short lines: the conflicts for each sequence of positions, read as a number
    /// in the base length + 1, in which 0 is a tile that does not belong to the line.
    known: Box<[u8]>,
    length: usize,
}

/// The longest line that has a table; that of five cells takes 7,776 bytes.
const MAX_TABLE_LENGTH: usize = 5;

impl Lines {
    fn new(puzzle: &Puzzle, length: usize, position: impl Fn(usize) -> (usize, usize)) -> Self {
        let mut homes = vec![(u8::MAX, 0); puzzle.size().cells()].into_boxed_slice();
        for (home, tile) in puzzle.canonical_homes() {
            let (line, at) = position(home);
            homes[tile] = (line as u8, at as u8 + 1);
        }
        let base = length + 1;
        let sequences = if length <= MAX_TABLE_LENGTH { base.pow(length as u32) } else { 0 };
        let known = (0..sequences).map(|code| {
            let digits = (0..length).rev().map(|digit| (code / base.pow(digit as u32) % base) as u8);
            conflicts(digits.filter(|&at| at != 0))
        });
        Self { homes, known: known.collect(), length }
    }

    #[inline]
    fn home(&self, tile: usize) -> usize {
        usize::from(self.homes[tile].0)
    }

    #[inline]
    fn conflicts(&self, line: usize, tiles: impl Iterator<Item = usize>) -> u32 {
        let positions = tiles.map(|tile| {
            let (home, at) = self.homes[tile];
            if usize::from(home) == line { at } else { 0 }
        });
        u32::from(if self.length <= MAX_TABLE_LENGTH {
            let code = positions.fold(0, |code, at| code * (self.length + 1) + usize::from(at));
            self.known[code]
        } else {
            conflicts(positions.filter(|&at| at != 0))
        })
    }
}

/// Two moves for each position outside the longest rising subsequence.
fn conflicts(positions: impl Iterator<Item = u8>) -> u8 {
    // The smallest end of a rising subsequence of each length.
    let mut ends = [0_u8; crate::MAX_SIDE];
    let mut longest = 0;
    let mut count = 0;
    for position in positions {
        count += 1;
        let at = ends[..longest].partition_point(|&end| end < position);
        ends[at] = position;
        longest = longest.max(at + 1);
    }
    2 * (count - longest) as u8
}
