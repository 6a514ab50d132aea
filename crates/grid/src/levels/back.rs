//! Going back along a shortest path, by the lowest bits of the levels.

use pintu_search::Observer;

use super::Search;
use crate::{Cell, Measure};

impl<O: Observer<Cell, Measure>> Search<'_, O> {
    /// Writes down a shortest path.
    pub(super) fn walk_back(&self, path: &mut Vec<Cell>) {
        let mut level = self.now as u64;
        let mut at = self.goal;
        path.push(at);
        while at != self.start {
            at = self.before(at, &mut level);
            path.push(at);
        }
        path.reverse();
    }

    /// The cell before one on a shortest path. A step away from the goal within the level is taken back where there is
    /// one; else the cell is a seed, and beside it, nearer to the goal, lies a cell of the level before.
    pub(super) fn before(&self, at: Cell, level: &mut u64) -> Cell {
        let (below, right) = (at.row >= self.goal.row, at.col >= self.goal.col);
        let (above, left) = (at.row <= self.goal.row, at.col <= self.goal.col);
        let steps = [(below, 1, 0), (above, -1, 0), (right, 0, 1), (left, 0, -1)];
        let cell = |&(_, row, col): &(bool, i32, i32)| at.moved(row, col);
        let away = steps.iter().filter(|(is_away, ..)| *is_away).map(cell).find(|&cell| self.is_of(cell, *level));
        away.unwrap_or_else(|| {
            *level ^= 1;
            let mut nearer = steps.iter().filter(|(is_away, ..)| !is_away).map(cell);
            nearer.find(|&cell| self.is_of(cell, *level)).unwrap_or(self.start)
        })
    }

    pub(super) fn is_visited(&self, cell: Cell) -> bool {
        self.is_of(cell, 0) || self.is_of(cell, 1)
    }

    /// Whether a cell has been taken up in a level with this lowest bit.
    fn is_of(&self, cell: Cell, odd: u64) -> bool {
        self.memory.block(cell).is_some_and(|(place, block)| {
            let taken = self.raster.word(place) & !block.open;
            (taken & (block.odd ^ odd.wrapping_sub(1))) >> (cell.col % 64) & 1 == 1
        })
    }
}
