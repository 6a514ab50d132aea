//! How many successors were produced, told from the cells that were taken up.

use pintu_search::Observer;

use super::Search;
use crate::{Cell, Measure, raster::Ones};

impl<O: Observer<Cell, Measure>> Search<'_, O> {
    /// How many successors the cells that were taken up have, the step back left out, and the start. Those of the goal
    /// are not asked for.
    pub(super) fn count_produced(&self) -> u64 {
        let raster = self.raster;
        let mut count = 0;
        let mut ones = Ones::default();
        for row in self.goal_row.min(self.rows.first as usize)..(self.goal_row + 1).max(self.rows.end as usize) {
            let Some((taken, blocks)) = self.memory.taken(row) else { continue };
            let (free, steps) = (raster.row(row), raster.steps(row));
            for at in taken.blocks() {
                // Many blocks are taken up whole.
                let open = blocks[at].open;
                if open == 0 {
                    count += u64::from(steps[at]);
                } else {
                    ones.add(raster.ways(row, at, free[at] & !open));
                }
            }
        }
        count += ones.count();
        // Every cell but the start was come to from one of those.
        let mut came_from = self.meter.counters.expanded;
        if self.is_visited(self.goal) {
            let goal = self.before & self.after;
            count -= raster.steps_from(self.goal_row, self.goal_block, goal);
            came_from -= 1;
        }
        1 + count + 1 - came_from.max(1)
    }
}
