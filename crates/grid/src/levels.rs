//! A* with the Manhattan distance on uniform ground with four ways to go, up to 64 cells at a time.
//!
//! A step towards the goal keeps `g + h` as it is, a step away adds two to it. So the cells that A* takes
//! up fall into levels: level `k` holds those that need `k` steps away from the goal. A level is what can
//! be reached from its seeds by steps towards the goal alone: one sweep over the rows, from the
//! outermost to the goal's, in which each row takes over what reached the row before it and fills up
//! sideways. The cells one step away from a level are the seeds of the next.
//!
//! Of each cell only the lowest bit of its level is kept. Neighbours differ by one level at most, and
//! whoever looks from a cell away from the goal finds its level or the next one, so that the bit is
//! enough to go back along a shortest path.

use std::ops::ControlFlow::{self, Break, Continue};

use pintu_search::{Counters, Node as Seen, Observer, Stop};

use crate::{
    Cell,
    best_first::{Course, End},
    raster::Raster,
};

/// The memory of a search.
#[derive(Default)]
pub(crate) struct Levels {
    blocks: Vec<Block>,
    rows: Vec<Row>,
    /// What the level in hand reaches in the row that was taken up last, above the goal's row and below.
    /// Zero everywhere else.
    reached: [Vec<u64>; 2],
    search: u32,
}

/// What is known of 64 cells of a row.
#[derive(Clone, Copy, Default)]
struct Block {
    visited: u64,
    /// The lowest bit of the level.
    odd: u64,
    /// Where the level in hand begins, and where the next one will; they take turns.
    seeds: [u64; 2],
}

/// What is known of a row.
#[derive(Clone, Copy, Default)]
struct Row {
    /// The search that its blocks are of.
    search: u32,
    /// Which blocks hold seeds.
    seeds: [Span; 2],
}

/// The rows above the goal's, and which of the two lines is theirs.
const ABOVE: usize = 0;
/// The rows below the goal's.
const BELOW: usize = 1;

/// A range of blocks in a row, or of rows.
#[derive(Clone, Copy)]
struct Span {
    first: u32,
    end: u32,
}

impl Default for Span {
    fn default() -> Self {
        Self { first: u32::MAX, end: 0 }
    }
}

impl Span {
    fn is_empty(self) -> bool {
        self.first >= self.end
    }

    fn blocks(self) -> std::ops::Range<usize> {
        self.first.min(self.end) as usize..self.end as usize
    }

    fn add(&mut self, at: usize) {
        self.first = self.first.min(at as u32);
        self.end = self.end.max(at as u32 + 1);
    }

    fn join(self, other: Self) -> Self {
        Self { first: self.first.min(other.first), end: self.end.max(other.end) }
    }
}

impl Levels {
    pub(crate) fn bytes(&self) -> u64 {
        let lists = self.reached.iter().map(|list| list.capacity() * 8).sum::<usize>();
        (self.blocks.capacity() * size_of::<Block>() + self.rows.capacity() * size_of::<Row>() + lists) as u64
    }

    fn bytes_for(raster: &Raster) -> u64 {
        (raster.rows() * (raster.words * size_of::<Block>() + size_of::<Row>()) + 16 * raster.words) as u64
    }

    fn has_room(&self, raster: &Raster) -> bool {
        self.blocks.len() >= raster.rows() * raster.words
            && self.rows.len() >= raster.rows()
            && self.reached[0].len() >= raster.words
    }

    /// Room for a map, in which everything is forgotten.
    fn fresh(&mut self, raster: &Raster) {
        grow(&mut self.blocks, raster.rows() * raster.words);
        grow(&mut self.rows, raster.rows());
        for list in &mut self.reached {
            grow(list, raster.words);
            list.fill(0);
        }
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.rows.fill(Row::default());
            self.search = 1;
        }
    }
}

fn grow<T: Clone + Default>(list: &mut Vec<T>, len: usize) {
    if list.len() < len {
        list.reserve_exact(len - list.len());
        list.resize(len, T::default());
    }
}

/// Searches for a path to the one goal of the course, and writes it down.
pub(crate) fn level_search<O: Observer<Cell>>(
    course: Course<'_>,
    raster: &Raster,
    memory: &mut Levels,
    path: &mut Vec<Cell>,
    observer: &mut O,
    counters: &mut Counters,
) -> End {
    let bytes = Levels::bytes_for(raster);
    if let (false, Break(why)) = (memory.has_room(raster), observer.grow(bytes, counters)) {
        return End::Stopped { why, lower_bound: None };
    }
    memory.fresh(raster);
    counters.peak_bytes = bytes;
    let (start, goal) = (course.map.cell(course.from), course.cells[0]);
    let goal_col = goal.col as usize;
    let mut search = Search {
        raster,
        memory,
        observer,
        goal,
        goal_row: goal.row as usize + 1,
        goal_block: goal_col / 64,
        before: u64::MAX >> (63 - goal_col % 64),
        after: u64::MAX << (goal_col % 64),
        now: 0,
        steps: 0,
        unit: course.map.least_cost,
        active: [Span::default(); 2],
    };
    let shortest = start.row.abs_diff(goal.row) + start.col.abs_diff(goal.col);
    let end = search.run(start, shortest, counters);
    let steps = u64::from(search.steps);
    match end {
        Continue(true) => {
            search.trace(start, path);
            End::Goal { cell: course.goals[0], paid: steps * u64::from(course.map.least_cost) }
        }
        Continue(false) => End::Exhausted,
        Break(why) => End::Stopped { why, lower_bound: Some(steps * u64::from(course.map.least_cost)) },
    }
}

struct Search<'a, O> {
    raster: &'a Raster,
    memory: &'a mut Levels,
    observer: &'a mut O,
    goal: Cell,
    goal_row: usize,
    goal_block: usize,
    /// In the goal's block, the columns up to the goal's.
    before: u64,
    /// In the goal's block, the columns from the goal's on.
    after: u64,
    /// Which seeds are those of the level in hand: the lowest bit of its number.
    now: usize,
    /// How many steps the paths of the level in hand have, from the start to the goal.
    steps: u32,
    /// What a step costs.
    unit: u32,
    /// The rows that hold seeds.
    active: [Span; 2],
}

impl<O: Observer<Cell>> Search<'_, O> {
    fn run(&mut self, start: Cell, shortest: u32, counters: &mut Counters) -> ControlFlow<Stop, bool> {
        self.steps = shortest;
        self.plant(start);
        loop {
            self.observer.iteration(self.steps.saturating_mul(self.unit), counters)?;
            self.sweep(counters)?;
            if self.is_visited(self.goal) {
                return Continue(true);
            }
            self.active[self.now] = Span::default();
            self.now ^= 1;
            if self.active[self.now].is_empty() {
                return Continue(false);
            }
            self.steps += 2;
        }
    }

    /// The start is the only seed of the first level.
    fn plant(&mut self, start: Cell) {
        let (row, at) = (start.row as usize + 1, start.col as usize / 64);
        self.touch(row);
        self.memory.blocks[row * self.raster.words + at].seeds[self.now] = 1 << (start.col % 64);
        self.memory.rows[row].seeds[self.now].add(at);
        self.active[self.now].add(row);
    }

    /// Takes up the cells of one level: the rows above the goal's from the top, those below from the
    /// bottom, and the goal's row, to which both lead.
    fn sweep(&mut self, counters: &mut Counters) -> ControlFlow<Stop> {
        let rows = self.active[self.now];
        let (mut from_above, mut from_below) = (Span::default(), Span::default());
        for row in rows.first as usize..self.goal_row {
            from_above = self.take_up(row, from_above, ABOVE, counters)?;
        }
        for row in (self.goal_row + 1..rows.end as usize).rev() {
            from_below = self.take_up(row, from_below, BELOW, counters)?;
        }
        let [above, below] = &mut self.memory.reached;
        for at in from_below.blocks() {
            above[at] |= std::mem::take(&mut below[at]);
        }
        let reached = self.take_up(self.goal_row, from_above.join(from_below), ABOVE, counters)?;
        self.seed_row(self.goal_row + 1, reached, ABOVE);
        self.memory.reached[ABOVE][reached.blocks()].fill(0);
        Continue(())
    }

    /// Takes up the cells of one level in one row. `flow` tells which blocks of the row before it, on
    /// that side, the level reaches; returns those that it reaches in this row.
    #[inline]
    fn take_up(&mut self, row: usize, flow: Span, side: usize, counters: &mut Counters) -> ControlFlow<Stop, Span> {
        let known = &mut self.memory.rows[row];
        let is_known = known.search == self.memory.search;
        let seeds = if is_known { std::mem::take(&mut known.seeds[self.now]) } else { Span::default() };
        let entered = flow.join(seeds);
        if entered.is_empty() {
            return Continue(entered);
        }
        self.touch(row);
        let reached = self.fill(row, entered, side);
        if reached.is_empty() {
            return Continue(reached);
        }
        self.note(row, reached, side, counters)?;
        self.seed_beside(row, reached, side);
        self.seed_row(if side == ABOVE { row - 1 } else { row + 1 }, reached, side);
        Continue(reached)
    }

    /// Spreads sideways towards the goal's column: what the level reaches in a row.
    #[inline]
    fn fill(&mut self, row: usize, entered: Span, side: usize) -> Span {
        let (words, middle, now) = (self.raster.words, self.goal_block, self.now);
        let free = self.raster.row(row);
        let blocks = &mut self.memory.blocks[row * words..(row + 1) * words];
        let line = &mut self.memory.reached[side][..words];
        let (first, end) = (entered.first as usize, entered.end as usize);
        let mut reached = Span::default();
        // The goal's block is filled from both sides, so what enters it is kept until then.
        let in_middle = line[middle] | blocks[middle].seeds[now];
        let mut carry = false;
        let mut at = first;
        while at < middle && (at < end || carry) {
            let block = &mut blocks[at];
            let open = free[at] & !block.visited;
            let filled = fill_up((line[at] | std::mem::take(&mut block.seeds[now])) & open, open, &mut carry);
            line[at] = filled;
            if filled != 0 {
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
            let open = free[at] & !block.visited;
            let filled = fill_down((line[at] | std::mem::take(&mut block.seeds[now])) & open, open, &mut carry);
            line[at] = filled;
            if filled != 0 {
                reached.add(at);
            }
        }
        let mut from_right = carry && at == middle + 1;
        if in_middle != 0 || from_left || from_right {
            let block = &mut blocks[middle];
            block.seeds[now] = 0;
            let open = free[middle] & !block.visited;
            let (left, right) = (open & self.before, open & self.after);
            let filled =
                fill_up(in_middle & left, left, &mut from_left) | fill_down(in_middle & right, right, &mut from_right);
            line[middle] = filled;
            if filled != 0 {
                reached.add(middle);
            }
        }
        reached
    }

    /// Notes the cells of the level in a row.
    #[inline]
    fn note(&mut self, row: usize, reached: Span, side: usize, counters: &mut Counters) -> ControlFlow<Stop> {
        let odd = (self.now as u64).wrapping_neg();
        for at in reached.blocks() {
            let new = self.memory.reached[side][at];
            let block = &mut self.memory.blocks[row * self.raster.words + at];
            block.visited |= new;
            block.odd |= new & odd;
            self.tell(row, at, new, counters)?;
        }
        // A cell is produced when its level gets there, and never again.
        counters.generated = counters.expanded;
        counters.peak_states = counters.expanded;
        Continue(())
    }

    #[inline]
    fn tell(&mut self, row: usize, at: usize, mut new: u64, counters: &mut Counters) -> ControlFlow<Stop> {
        while new != 0 {
            let cell = Cell::new(row as u32 - 1, at as u32 * 64 + new.trailing_zeros());
            let left = cell.row.abs_diff(self.goal.row) + cell.col.abs_diff(self.goal.col);
            let cost = (self.steps - left).saturating_mul(self.unit);
            let seen = Seen { state: &cell, cost, estimate: left.saturating_mul(self.unit) };
            self.observer.expand(&seen, counters)?;
            counters.expanded += 1;
            new &= new - 1;
        }
        Continue(())
    }

    /// The cells sideways away from the goal are seeds of the next level.
    #[inline]
    fn seed_beside(&mut self, row: usize, reached: Span, side: usize) {
        let (words, middle, next) = (self.raster.words, self.goal_block, self.now ^ 1);
        let free = self.raster.row(row);
        let blocks = &mut self.memory.blocks[row * words..(row + 1) * words];
        let line = &self.memory.reached[side][..words];
        let (first, end) = (reached.first as usize, reached.end as usize);
        let mut seeds = Span::default();
        for at in first.saturating_sub(1)..(end + 1).min(words) {
            // Up to the goal's column one goes left, from there on right.
            let mut away = 0;
            if at <= middle {
                let here = if at == middle { line[at] & self.before } else { line[at] };
                let later = match at + 1 {
                    later if later < middle => line[later],
                    later if later == middle => line[later] & self.before,
                    _ => 0,
                };
                away |= here >> 1 | later << 63;
            }
            if at >= middle {
                let here = if at == middle { line[at] & self.after } else { line[at] };
                let earlier = match at.checked_sub(1) {
                    Some(earlier) if earlier > middle => line[earlier],
                    Some(earlier) if earlier == middle => line[earlier] & self.after,
                    _ => 0,
                };
                away |= here << 1 | earlier >> 63;
            }
            let block = &mut blocks[at];
            let new = away & free[at] & !block.visited;
            if new != 0 {
                block.seeds[next] |= new;
                seeds.add(at);
            }
        }
        self.activate(row, seeds);
    }

    /// The cells of the row before are seeds of the next level.
    #[inline]
    fn seed_row(&mut self, row: usize, reached: Span, side: usize) {
        self.touch(row);
        let (words, next) = (self.raster.words, self.now ^ 1);
        let free = self.raster.row(row);
        let blocks = &mut self.memory.blocks[row * words..(row + 1) * words];
        let line = &self.memory.reached[side][..words];
        let mut seeds = Span::default();
        for at in reached.blocks() {
            let block = &mut blocks[at];
            let new = line[at] & free[at] & !block.visited;
            if new != 0 {
                block.seeds[next] |= new;
                seeds.add(at);
            }
        }
        self.activate(row, seeds);
    }

    #[inline]
    fn activate(&mut self, row: usize, seeds: Span) {
        if !seeds.is_empty() {
            let next = self.now ^ 1;
            let known = &mut self.memory.rows[row].seeds[next];
            *known = known.join(seeds);
            self.active[next].add(row);
        }
    }

    /// Forgets what another search knew of a row.
    #[inline]
    fn touch(&mut self, row: usize) {
        let known = &mut self.memory.rows[row];
        if known.search != self.memory.search {
            *known = Row { search: self.memory.search, ..Row::default() };
            let words = self.raster.words;
            self.memory.blocks[row * words..(row + 1) * words].fill(Block::default());
        }
    }

    fn block(&self, cell: Cell) -> Option<Block> {
        let row = cell.row.wrapping_add(1) as usize;
        let is_known = self.memory.rows.get(row).is_some_and(|known| known.search == self.memory.search);
        let at = cell.col as usize / 64;
        (is_known && at < self.raster.words).then(|| self.memory.blocks[row * self.raster.words + at])
    }

    fn is_visited(&self, cell: Cell) -> bool {
        self.block(cell).is_some_and(|block| block.visited >> (cell.col % 64) & 1 == 1)
    }

    /// Whether a cell is of a level with this lowest bit.
    fn is_of(&self, cell: Cell, odd: u64) -> bool {
        self.block(cell)
            .is_some_and(|block| block.visited >> (cell.col % 64) & 1 == 1 && block.odd >> (cell.col % 64) & 1 == odd)
    }

    /// Writes down a shortest path. Going back from the goal, a step away from it within the level is
    /// taken where there is one; else the cell is a seed, and beside it, nearer to the goal, lies a cell of
    /// the level before.
    fn trace(&self, start: Cell, path: &mut Vec<Cell>) {
        let mut level = self.now as u64;
        let mut at = self.goal;
        path.clear();
        path.push(at);
        while at != start {
            let (below, right) = (at.row >= self.goal.row, at.col >= self.goal.col);
            let (above, left) = (at.row <= self.goal.row, at.col <= self.goal.col);
            let steps = [(below, 1, 0), (above, -1, 0), (right, 0, 1), (left, 0, -1)];
            let cell = |&(_, row, col): &(bool, i32, i32)| at.moved(row, col);
            let away = steps.iter().filter(|(is_away, ..)| *is_away).map(cell).find(|&cell| self.is_of(cell, level));
            at = away.unwrap_or_else(|| {
                level ^= 1;
                let nearer = steps.iter().filter(|(is_away, ..)| !is_away).map(cell);
                nearer.into_iter().find(|&cell| self.is_of(cell, level)).unwrap_or(start)
            });
            path.push(at);
        }
        path.reverse();
    }
}

/// What can be reached from some of the open cells by going on to the next column. `carry` tells whether
/// the last of the block before was, and then whether the last of this one is.
#[inline]
fn fill_up(from: u64, open: u64, carry: &mut bool) -> u64 {
    let from = from | (open & u64::from(*carry));
    // In an addition, a one that meets ones goes on past the last of them.
    let (sum, over) = open.overflowing_add(from);
    *carry = over;
    ((sum ^ open) & open) | from
}

/// The same to the column before.
#[inline]
fn fill_down(from: u64, open: u64, carry: &mut bool) -> u64 {
    let mut filled = from | (open & u64::from(*carry) << 63);
    if (filled >> 1) & open & !filled != 0 {
        let mut through = open;
        for shift in [1, 2, 4, 8, 16, 32] {
            filled |= through & (filled >> shift);
            through &= through >> shift;
        }
    }
    *carry = filled & 1 == 1;
    filled
}
