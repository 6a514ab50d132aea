use pintu_search::{Cost, Heuristic};

use crate::{Board, Cell, Puzzle, TileSpace};

/// The sum of the tiles' distances from their goal cells, each as if the other tiles were not there.
/// Where rows or columns wrap, distances are those of the wrapped board.
#[derive(Clone, Debug)]
pub struct Manhattan {
    /// For each tile, its distance from each cell.
    table: Box<[u8]>,
    stride: usize,
}

impl Manhattan {
    /// The heuristic for a puzzle's board and goal.
    pub fn new(puzzle: &Puzzle) -> Self {
        let cells = puzzle.size().cells();
        let stride = cells.next_power_of_two();
        let distances = puzzle.topology().distances();
        let goal = crate::goal_with_blank(puzzle.size(), puzzle.goal().blank());
        let mut table = vec![0; stride * stride].into_boxed_slice();
        for (home, &tile) in goal.tiles().iter().enumerate().filter(|(_, tile)| **tile != 0) {
            for cell in 0..cells {
                table[usize::from(tile) * stride + cell] = distances.between(cell, home) as u8;
            }
        }
        Self { table, stride }
    }

    #[inline]
    fn distance(&self, tile: usize, cell: usize) -> Cost {
        Cost::from(self.table[tile * self.stride + cell])
    }
}

impl<B: Board> Heuristic<TileSpace<B>> for Manhattan {
    type Memo = Cost;

    fn start(&self, board: &B) -> Cost {
        (0..board.cells()).map(|cell| self.distance(board.tile(cell), cell)).sum()
    }

    #[inline]
    fn step(&self, memo: Cost, before: &B, to: &Cell, _: &B) -> Cost {
        let (from, to) = (usize::from(*to), before.blank());
        let tile = before.tile(from);
        memo + self.distance(tile, to) - self.distance(tile, from)
    }

    #[inline]
    fn estimate(&self, memo: Cost) -> Cost {
        memo
    }
}
