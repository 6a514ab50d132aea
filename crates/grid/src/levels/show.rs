//! What there is to see of a search by levels, where somebody watches: its cells one by one.

use std::ops::ControlFlow::{self, Continue};

use pintu_search::{Fate, Node, Observer, Stop, Tree};

use super::{Search, span::Span};
use crate::{Cell, Measure, scale::Scale};

impl<O: Observer<Cell, Measure>> Search<'_, O> {
    pub(super) fn length(&self, steps: u32) -> Measure {
        Scale::WHOLE.measure(steps.into(), self.map.unit)
    }

    /// Whether a cell is produced for the first time.
    pub(super) fn meets(&mut self, cell: Cell) -> bool {
        let word = &mut self.memory.met[(cell.row as usize + 1) * self.raster.words + cell.col as usize / 64];
        let bit = 1 << (cell.col % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// The cells of the level in a row, from the outermost to the goal's column.
    pub(super) fn show(&mut self, row: usize, reached: Span, side: usize) -> ControlFlow<Stop> {
        for col in self.columns(reached) {
            if self.memory.reached[side][col / 64] >> (col % 64) & 1 == 1 {
                self.show_cell(Cell::new(row as u32 - 1, col as u32))?;
            }
        }
        Continue(())
    }

    fn show_cell(&mut self, cell: Cell) -> ControlFlow<Stop> {
        let apart = |cell: Cell, goal: Cell| cell.row.abs_diff(goal.row) + cell.col.abs_diff(goal.col);
        let map = self.map;
        let (left, mut level) = (apart(cell, self.goal), self.now as u64);
        let parent = (cell != self.start).then(|| self.before(cell, &mut level));
        let number = |cell: Cell| map.index(cell) as u64;
        let (cost, estimate) = (self.length(self.steps - left), Some(self.length(left)));
        let tree = Tree::Forward;
        self.meter.expand()?;
        let seen = Node { id: number(cell), parent: parent.map(number), tree, state: &cell, cost, estimate };
        self.observer.expand(&seen, &self.meter.counters)?;
        if cell == self.goal {
            return Continue(());
        }
        let parent_of_next = Some(number(cell));
        for (_, next) in map.steps(cell).filter(|&(_, next)| Some(next) != parent) {
            let fate = if self.meets(next) { Fate::New } else { Fate::Known };
            let (cost, estimate) = (self.length(self.steps - left + 1), Some(self.length(apart(next, self.goal))));
            self.meter.counters.generated += 1;
            let seen = Node { id: number(next), parent: parent_of_next, tree, state: &next, cost, estimate };
            self.observer.generate(&seen, fate, &self.meter.counters)?;
        }
        Continue(())
    }
}
