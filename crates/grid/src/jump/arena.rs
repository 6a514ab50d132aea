//! The jump points that a search has come to, and the way back along them.

use std::ops::ControlFlow::{self, Continue};

use pintu_search::{Hold, Stop};

use crate::{Cell, Diagonal, Map, query::write_down};

/// The jump points of one search.
#[derive(Default)]
pub(crate) struct Arena {
    pub(super) jumps: Vec<Jump>,
}

#[derive(Clone, Copy)]
pub(super) struct Jump {
    pub(super) paid: u64,
    pub(super) index: u32,
    pub(super) parent: u32,
    pub(super) arrived: u8,
    pub(super) closed: bool,
}

pub(super) const NO_SLOT: u32 = u32::MAX;

impl Arena {
    pub(crate) fn bytes(&self) -> u64 {
        (self.jumps.capacity() * size_of::<Jump>()) as u64
    }

    /// Grows by less than a vector does by itself: memory is counted by the cell.
    #[inline]
    pub(super) fn add(&mut self, jump: Jump, hold: &mut Hold) -> ControlFlow<Stop> {
        if self.jumps.len() == self.jumps.capacity() {
            let capacity = self.jumps.len() + self.jumps.len() / 4 + 64;
            hold.reserve(&mut self.jumps, capacity)?;
        }
        self.jumps.push(jump);
        Continue(())
    }

    /// The jump points on the way to one, last first.
    fn way_back(&self, slot: u32) -> impl Iterator<Item = u32> + '_ {
        let mut at = slot;
        std::iter::from_fn(move || {
            let jump = self.jumps.get(at as usize)?;
            at = jump.parent;
            Some(jump.index)
        })
    }

    /// Writes down the path to a jump point. Between two of them it goes diagonally (four-way: vertically) first.
    pub(crate) fn unfold(&self, map: &Map, slot: u32, path: &mut Vec<Cell>, hold: &mut Hold) -> ControlFlow<Stop> {
        path.clear();
        for jump in self.way_back(slot) {
            let goal = map.cell(jump);
            let Some(&last) = path.last() else {
                write_down(goal, path, hold)?;
                continue;
            };
            // From the later one back: straight first.
            let (rows, cols) = (goal.row as i32 - last.row as i32, goal.col as i32 - last.col as i32);
            let diagonal = if map.diagonal == Diagonal::Never { 0 } else { rows.abs().min(cols.abs()) };
            let (row, col) = (rows.signum(), cols.signum());
            let mut at = last;
            for (steps, row, col) in
                [(cols.abs() - diagonal, 0, col), (rows.abs() - diagonal, row, 0), (diagonal, row, col)]
            {
                for _ in 0..steps {
                    at = at.moved(row, col);
                    write_down(at, path, hold)?;
                }
            }
        }
        path.reverse();
        Continue(())
    }
}
