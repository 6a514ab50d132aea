//! One level in one row.

use pintu_search::{Observer, Stop};

use super::{
    ABOVE, Search,
    memory::{Span, fill_down, fill_up},
};
use crate::Cell;

impl<O: Observer<Cell, f64>> Search<'_, O> {
    /// Expands the cells of one level in one row. `flow` has the blocks that the level reaches in the row before, on
    /// that side; returns those that it reaches in this row.
    #[inline]
    pub(super) fn expand_row(&mut self, row: usize, flow: Span, side: usize) -> Result<Span, Stop> {
        let seeds = self.memory.row(row).map_or_else(Span::default, |known| std::mem::take(&mut known.seeds[self.now]));
        let entered = flow.join(seeds);
        if entered.is_empty() {
            return Ok(entered);
        }
        self.memory.touch(row, &self.lines.across);
        let reached = self.fill(row, entered, side);
        if reached.is_empty() {
            return Ok(reached);
        }
        self.note(row, reached, side)?;
        self.seed_beside(row, reached, side);
        self.seed_row(if side == ABOVE { row - 1 } else { row + 1 }, reached, side);
        Ok(reached)
    }

    /// Fills the cells that the level reaches in a row, sideways towards the goal's column.
    #[inline]
    fn fill(&mut self, row: usize, entered: Span, side: usize) -> Span {
        let (middle, now) = (self.goal_block, self.now);
        let (_, blocks, line) = self.memory.line(row, side);
        let (first, end) = (entered.first as usize, (entered.end as usize).min(line.len()));
        let mut reached = Span::default();
        // The goal's block is filled from both sides, so the cells that enter it are kept until then.
        let in_middle = line[middle] | blocks[middle].seeds[now];
        let mut carry = false;
        let mut at = first;
        while at < middle && (at < end || carry) {
            let block = &mut blocks[at];
            let entered = (line[at] | std::mem::take(&mut block.seeds[now])) & block.open;
            line[at] = fill_up(entered, block.open, &mut carry);
            if line[at] != 0 {
                reached.add(at);
            }
            at += 1;
        }
        let mut from_left = carry && at == middle;
        carry = false;
        let mut at = end.max(middle + 1);
        while at > middle + 1 && (at > first || carry) {
            at -= 1;
            let block = &mut blocks[at];
            let entered = (line[at] | std::mem::take(&mut block.seeds[now])) & block.open;
            line[at] = fill_down(entered, block.open, &mut carry);
            if line[at] != 0 {
                reached.add(at);
            }
        }
        let mut from_right = carry && at == middle + 1;
        if in_middle != 0 || from_left || from_right {
            let block = &mut blocks[middle];
            block.seeds[now] = 0;
            let (left, right) = (block.open & self.before, block.open & self.after);
            line[middle] =
                fill_up(in_middle & left, left, &mut from_left) | fill_down(in_middle & right, right, &mut from_right);
            if line[middle] != 0 {
                reached.add(middle);
            }
        }
        reached
    }

    /// Marks the cells of the level in a row, as many as may be expanded.
    #[inline]
    fn note(&mut self, row: usize, reached: Span, side: usize) -> Result<(), Stop> {
        if self.observer.watches() {
            self.mark(row, reached, side);
            return self.show(row, reached, side);
        }
        let cells = &self.memory.reached[side][reached.blocks()];
        let wanted = cells.iter().map(|cells| cells.count_ones() as usize).sum();
        let granted = self.meter.expand_some(wanted)?;
        if granted < wanted {
            return self.note_first(row, reached, side, granted);
        }
        self.mark(row, reached, side);
        Ok(())
    }

    /// Marks all cells that the level reaches in a row as expanded.
    #[inline]
    fn mark(&mut self, row: usize, reached: Span, side: usize) {
        let odd = (self.now as u64).wrapping_neg();
        let (known, blocks, line) = self.memory.line(row, side);
        known.expanded = known.expanded.join(reached);
        for at in reached.blocks() {
            let block = &mut blocks[at];
            block.open &= !line[at];
            block.odd |= line[at] & odd;
        }
    }

    /// Marks the first `granted` cells that the level reaches in a row, in the order in which observers see them, so
    /// that a limit has the same effect with and without an observer.
    #[cold]
    fn note_first(&mut self, row: usize, reached: Span, side: usize, mut granted: usize) -> Result<(), Stop> {
        for col in self.columns(reached) {
            let (at, cell) = (col / 64, 1 << (col % 64));
            if self.memory.reached[side][at] & cell == 0 {
                continue;
            }
            match granted.checked_sub(1) {
                Some(left) => granted = left,
                None => self.meter.expand()?,
            }
            let (known, blocks, _) = self.memory.line(row, side);
            known.expanded.add(at);
            blocks[at].open &= !cell;
            blocks[at].odd |= cell * self.now as u64;
        }
        Ok(())
    }

    /// The columns of some blocks in the order of expansion: towards the goal's column from both sides, and that one
    /// last, so that each comes after those that lead to it.
    pub(super) fn columns(&self, blocks: Span) -> impl Iterator<Item = usize> + use<O> {
        let (first, end, middle) = (blocks.first as usize * 64, blocks.end as usize * 64, self.goal.col as usize);
        let goal_col = (first..end).contains(&middle).then_some(middle);
        (first..end.min(middle)).chain((first.max(middle + 1)..end).rev()).chain(goal_col)
    }

    /// The cells sideways away from the goal are seeds of the next level.
    #[inline]
    fn seed_beside(&mut self, row: usize, reached: Span, side: usize) {
        let (middle, next) = (self.goal_block, self.now ^ 1);
        let (before, after) = (self.before, self.after);
        let (_, blocks, line) = self.memory.line(row, side);
        let (first, end) = (reached.first as usize, (reached.end as usize).min(line.len()));
        let mut seeds = Span::default();
        let mut seed = |at: usize, away: u64| {
            let block = &mut blocks[at];
            let new = away & block.open;
            if new != 0 {
                block.seeds[next] |= new;
                seeds.add(at);
            }
        };
        // Columns before the goal's have seeds to their left, those from it on to their right.
        for at in first.saturating_sub(1)..end.min(middle) {
            let later = if at + 1 == middle { line[at + 1] & before } else { line[at + 1] };
            seed(at, line[at] >> 1 | later << 63);
        }
        if (first..end).contains(&middle) {
            seed(middle, (line[middle] & before) >> 1 | (line[middle] & after) << 1);
        }
        for at in first.max(middle + 1)..(end + 1).min(line.len()) {
            let earlier = if at - 1 == middle { line[at - 1] & after } else { line[at - 1] };
            seed(at, line[at] << 1 | earlier >> 63);
        }
        self.activate(row, seeds);
    }

    /// The cells of the row before are seeds of the next level.
    #[inline]
    pub(super) fn seed_row(&mut self, row: usize, reached: Span, side: usize) {
        self.memory.touch(row, &self.lines.across);
        let next = self.now ^ 1;
        let (_, blocks, line) = self.memory.line(row, side);
        let mut seeds = Span::default();
        for at in reached.blocks() {
            let new = line[at] & blocks[at].open;
            if new != 0 {
                blocks[at].seeds[next] |= new;
                seeds.add(at);
            }
        }
        self.activate(row, seeds);
    }

    #[inline]
    fn activate(&mut self, row: usize, seeds: Span) {
        if seeds.is_empty() {
            return;
        }
        let next = self.now ^ 1;
        if let Some(known) = self.memory.row(row) {
            known.seeds[next] = known.seeds[next].join(seeds);
        }
        self.active[next].add(row);
    }
}
