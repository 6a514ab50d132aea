//! A* with the Manhattan distance on uniform ground with four ways to go, up to 64 cells at a time.
//!
//! A step towards the goal keeps `g + h` as it is, a step away adds two to it. So the cells that A* takes
//! up fall into levels: level `k` holds those that need `k` steps away from the goal. A level is what can
//! be reached from its seeds by steps towards the goal alone: one pass over the rows, from the
//! outermost to the goal's, in which each row takes over what reached the row before it and fills up
//! sideways. The cells one step away from a level are the seeds of the next.
//!
//! Of each cell only the lowest bit of its level is kept. Neighbours differ by one level at most, and
//! whoever looks from a cell away from the goal finds its level or the next one, so that the bit is
//! enough to go back along a shortest path.

mod show;

use std::ops::ControlFlow::{self, Break, Continue};

use pintu_search::{
    Bound, Control, Guarantee, Hold, Meter, Observer, Stop,
    driver::{End, Id},
};

use crate::{Cell, Map, Measure, course::Course, raster::Raster, scale::Scale, scratch::make_room};

/// The memory of a search.
#[derive(Default)]
pub(crate) struct Levels {
    blocks: Vec<Block>,
    rows: Vec<Row>,
    /// What the level in hand reaches in the row that was taken up last, above the goal's row and below.
    /// Zero everywhere else.
    reached: [Vec<u64>; 2],
    /// Which cells have been produced, where somebody watches.
    met: Vec<u64>,
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
        let lists = self.reached.iter().chain([&self.met]).map(|list| list.capacity() * 8).sum::<usize>();
        (self.blocks.capacity() * size_of::<Block>() + self.rows.capacity() * size_of::<Row>() + lists) as u64
    }

    /// Room for a map, in which everything is forgotten.
    fn fresh(&mut self, raster: &Raster, is_watched: bool, hold: &mut Hold) -> ControlFlow<Stop> {
        make_room(&mut self.blocks, raster.rows() * raster.words, hold)?;
        make_room(&mut self.rows, raster.rows(), hold)?;
        for list in &mut self.reached {
            make_room(list, raster.words, hold)?;
            list.fill(0);
        }
        if is_watched {
            make_room(&mut self.met, raster.rows() * raster.words, hold)?;
            self.met.fill(0);
        }
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.rows.fill(Row::default());
            self.search = 1;
        }
        Continue(())
    }
}

/// Searches for a path to the one goal of the course, and writes it down.
pub(crate) fn level_search<O: Observer<Cell, Measure>>(
    course: Course<'_>,
    raster: &Raster,
    memory: &mut Levels,
    path: &mut Vec<Cell>,
    hold: &mut Hold,
    control: &Control,
    observer: &mut O,
) -> End<u64> {
    let (start, goal) = (course.map.cell(course.from), course.cells[0]);
    let goal_col = goal.col as usize;
    let room = memory.fresh(raster, observer.watches(), hold);
    let mut search = Search {
        map: course.map,
        raster,
        memory,
        observer,
        meter: control.meter(),
        start,
        goal,
        goal_row: goal.row as usize + 1,
        goal_block: goal_col / 64,
        before: u64::MAX >> (63 - goal_col % 64),
        after: u64::MAX << (goal_col % 64),
        now: 0,
        steps: start.row.abs_diff(goal.row) + start.col.abs_diff(goal.col),
        active: [Span::default(); 2],
        rows: Span::default(),
    };
    search.meter.begin_with(AT_ONCE);
    let found = room.map_continue(|()| search.run()).map_continue(|found| match found {
        Continue(true) => {
            path.clear();
            hold.reserve(path, search.steps as usize + 1)?;
            search.walk_back(path);
            Continue(Some((course.goals[0] as Id, u64::from(search.steps))))
        }
        Continue(false) => Continue(None),
        Break(why) => Break(why),
    });
    let found = match found {
        Continue(found) => found,
        Break(why) => Break(why),
    };
    let lower_bound = Some(u64::from(search.steps));
    control.note_bound(Scale::WHOLE.whole(search.steps.into(), course.map.unit));
    if !search.observer.watches() && search.meter.counters.expanded > 0 {
        search.meter.counters.generated = search.count_produced();
    }
    search.meter.counters.peak_states = search.meter.counters.expanded;
    search.meter.counters.peak_bytes = hold.peak();
    let counters = search.meter.counters;
    End { found, lower_bound, guarantee: Guarantee::Cheapest, counters, has_set_aside: false }
}

/// As many cells as are sure to be taken up within a millisecond.
const AT_ONCE: u64 = 1 << 12;

struct Search<'a, O> {
    map: &'a Map,
    raster: &'a Raster,
    memory: &'a mut Levels,
    observer: &'a mut O,
    meter: Meter<'a>,
    start: Cell,
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
    /// The rows that hold seeds.
    active: [Span; 2],
    /// The rows that have held seeds.
    rows: Span,
}

impl<O: Observer<Cell, Measure>> Search<'_, O> {
    fn run(&mut self) -> ControlFlow<Stop, bool> {
        self.plant(self.start);
        self.meter.counters.generated = 1;
        loop {
            if self.observer.watches() {
                let bound = Bound::Cost(self.length(self.steps));
                self.observer.iteration(bound, &self.meter.counters)?;
            }
            self.rows = self.rows.join(self.active[self.now]);
            self.take_up_level()?;
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
        if self.observer.watches() {
            self.meets(start);
        }
    }

    /// Takes up the cells of one level: the rows above the goal's from the top, those below from the
    /// bottom, and the goal's row, to which both lead.
    fn take_up_level(&mut self) -> ControlFlow<Stop> {
        let rows = self.active[self.now];
        let (mut from_above, mut from_below) = (Span::default(), Span::default());
        for row in rows.first as usize..self.goal_row {
            from_above = self.take_up(row, from_above, ABOVE)?;
        }
        for row in (self.goal_row + 1..rows.end as usize).rev() {
            from_below = self.take_up(row, from_below, BELOW)?;
        }
        let [above, below] = &mut self.memory.reached;
        for at in from_below.blocks() {
            above[at] |= std::mem::take(&mut below[at]);
        }
        let reached = self.take_up(self.goal_row, from_above.join(from_below), ABOVE)?;
        self.seed_row(self.goal_row + 1, reached, ABOVE);
        self.memory.reached[ABOVE][reached.blocks()].fill(0);
        Continue(())
    }

    /// Takes up the cells of one level in one row. `flow` tells which blocks of the row before it, on
    /// that side, the level reaches; returns those that it reaches in this row.
    #[inline]
    fn take_up(&mut self, row: usize, flow: Span, side: usize) -> ControlFlow<Stop, Span> {
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
        self.note(row, reached, side)?;
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

    /// Notes the cells of the level in a row, as many as may be taken up.
    #[inline]
    fn note(&mut self, row: usize, reached: Span, side: usize) -> ControlFlow<Stop> {
        if self.observer.watches() {
            reached.blocks().for_each(|at| self.mark(row, at, self.memory.reached[side][at]));
            return self.show(row, reached, side);
        }
        // In the order in which they are shown, so that a limit leaves the same: towards the goal's column, from both sides.
        let middle = self.goal_block;
        for at in reached.blocks() {
            let ahead = if at == middle { self.before } else { u64::MAX };
            if at <= middle {
                self.take(row, at, self.memory.reached[side][at] & ahead, |left| left & (left - 1))?;
            }
        }
        for at in reached.blocks().rev() {
            let beyond = if at == middle { !self.before } else { u64::MAX };
            if at >= middle {
                let without_last = |left: u64| left & !(1 << left.ilog2());
                self.take(row, at, self.memory.reached[side][at] & beyond, without_last)?;
            }
        }
        Continue(())
    }

    /// Takes up cells of a block, as many as may be; `next` takes the first off.
    #[inline]
    fn take(&mut self, row: usize, at: usize, new: u64, next: impl Fn(u64) -> u64) -> ControlFlow<Stop> {
        if new == 0 {
            return Continue(());
        }
        let mut left = new;
        let mut end = Continue(());
        while left != 0 && end.is_continue() {
            let wanted = left.count_ones() as usize;
            match self.meter.expand_some(wanted) {
                Continue(granted) if granted == wanted => left = 0,
                Continue(granted) => (0..granted).for_each(|_| left = next(left)),
                Break(why) => end = Break(why),
            }
        }
        self.mark(row, at, new & !left);
        end
    }

    #[inline]
    fn mark(&mut self, row: usize, at: usize, taken: u64) {
        let block = &mut self.memory.blocks[row * self.raster.words + at];
        block.visited |= taken;
        block.odd |= taken & (self.now as u64).wrapping_neg();
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

    /// Writes down a shortest path.
    fn walk_back(&self, path: &mut Vec<Cell>) {
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
    fn before(&self, at: Cell, level: &mut u64) -> Cell {
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

    /// How many successors the cells that were taken up have, the step back left out, and the start. Those of the goal
    /// are not asked for.
    fn count_produced(&self) -> u64 {
        let raster = self.raster;
        let mut count = 0;
        for row in self.goal_row.min(self.rows.first as usize)..(self.goal_row + 1).max(self.rows.end as usize) {
            if self.memory.rows[row].search != self.memory.search {
                continue;
            }
            let blocks = &self.memory.blocks[row * raster.words..(row + 1) * raster.words];
            let all = raster.row(row).iter().zip(raster.steps(row));
            for (at, (block, (&free, &steps))) in blocks.iter().zip(all).enumerate() {
                // Most blocks are taken up whole or not at all.
                if block.visited == free {
                    count += u64::from(steps);
                } else if block.visited != 0 {
                    count += u64::from(raster.steps_from(row, at, block.visited));
                }
            }
        }
        // Every cell but the start was come to from one of those.
        let mut came_from = self.meter.counters.expanded;
        if self.is_visited(self.goal) {
            let goal = self.before & self.after;
            count -= u64::from(raster.steps_from(self.goal_row, self.goal_block, goal));
            came_from -= 1;
        }
        1 + count + 1 - came_from.max(1)
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
