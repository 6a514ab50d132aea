//! The reachable cells nearest to a goal by straight-line distance.

use pintu_search::{Control, Hold, Stop};

use crate::{Cell, Map};

impl Map {
    /// The cells that can be reached from `from` and have the least straight-line distance to one of `to`, in reading
    /// order: targets for when the goal itself is cut off. Goals that are not on the map are left out. Memory is
    /// reserved in `hold`, and the control is checked in every row.
    #[doc(hidden)]
    pub fn nearest_reachable(
        &self,
        from: Cell,
        to: &[Cell],
        control: &Control,
        hold: &mut Hold,
    ) -> Result<Vec<Cell>, Stop> {
        let mut nearest = Vec::new();
        if !self.is_free(from) {
            return Ok(nearest);
        }
        let piece = self.pieces.of(self.index(from));
        // The square of the least known distance.
        let mut best = u64::MAX;
        for goal in to.iter().filter(|&&goal| self.contains(goal)) {
            for (rows, row) in outwards(goal.row, self.rows) {
                if rows > best {
                    break;
                }
                control.check()?;
                for (cols, col) in outwards(goal.col, self.cols) {
                    if rows + cols > best {
                        break;
                    }
                    let cell = Cell::new(row, col);
                    if self.pieces.of(self.index(cell)) != piece {
                        continue;
                    }
                    if rows + cols < best {
                        best = rows + cols;
                        nearest.clear();
                    }
                    if nearest.len() == nearest.capacity() {
                        let capacity = (2 * nearest.len()).max(16);
                        hold.reserve(&mut nearest, capacity)?;
                    }
                    nearest.push(cell);
                }
            }
        }
        // A cell may be equally near to several goals.
        nearest.sort_unstable();
        nearest.dedup();
        Ok(nearest)
    }
}

/// The numbers below `end`, those near `middle` first, each after the square of its distance.
fn outwards(middle: u32, end: u32) -> impl Iterator<Item = (u64, u32)> {
    (0..end).flat_map(move |distance| {
        let back = middle.checked_sub(distance).filter(|_| distance > 0);
        let on = Some(middle + distance).filter(|&number| number < end);
        back.into_iter().chain(on).map(move |number| (u64::from(distance).pow(2), number))
    })
}
