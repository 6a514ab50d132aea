//! A* with the Manhattan distance on four-way maps of equal costs, up to 64 cells at a time.
//!
//! A step towards the goal keeps `g + h` as it is, a step away adds two to it. So the cells that A*
//! expands fall into levels: level `k` holds those that need `k` steps away from the goal. A level is what can
//! be reached from its seeds by steps towards the goal alone: one pass over the rows, from the
//! outermost to the goal's, in which each row takes over what reached the row before it and fills up
//! sideways. The cells one step away from a level are the seeds of the next.
//!
//! Of each cell only the lowest bit of its level is kept. Neighbours differ by one level at most, and
//! the neighbours away from the goal are of a cell's own level or the next one, so that the bit is
//! enough to go back along a shortest path.

mod memory;
mod row;

use pintu_search::{
    Bound, Control, Fate, Guarantee, Hold, Meter, Node, Observer, Stop,
    driver::{End, Id},
};

pub(crate) use self::memory::Levels;
use self::memory::Span;
use crate::{Cell, Map, map::Lines, query::Query, raster::Ones, scale::Scale};

/// The rows above the goal's, and which of the two lines is theirs.
const ABOVE: usize = 0;
/// The rows below the goal's.
const BELOW: usize = 1;

/// Searches for a path to the one goal of the query, and writes it down.
pub(crate) fn level_search<O: Observer<Cell, f64>>(
    query: Query<'_>,
    memory: &mut Levels,
    path: &mut Vec<Cell>,
    hold: &mut Hold,
    control: &Control,
    observer: &mut O,
) -> End<u64> {
    let map = query.map;
    let Some(lines) = map.lines.as_ref() else { unreachable!("levels are searched where there are lines") };
    let (start, goal) = (map.cell(query.from), query.cells[0]);
    let goal_col = goal.col as usize;
    let room = memory.fresh(&lines.across, observer.watches(), hold);
    let mut search = Search {
        map,
        lines,
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
    search.meter.begin_with(FIRST_BLOCK);
    let found = room.and_then(|()| search.run()).and_then(|is_found| {
        if !is_found {
            return Ok(None);
        }
        path.clear();
        hold.reserve(path, search.steps as usize + 1)?;
        search.walk_back(path);
        Ok(Some((query.goals[0] as Id, u64::from(search.steps))))
    });
    let lower_bound = Some(u64::from(search.steps));
    control.note_bound(Scale::WHOLE.whole(search.steps.into(), map.unit));
    let expanded = search.meter.counters().expanded;
    if !search.observer.watches() && expanded > 0 {
        // The start has been counted already.
        search.meter.generate(search.count_generated() - 1);
    }
    let counters = search.meter.finish(expanded, hold.peak());
    End { found, lower_bound, guarantee: Guarantee::Cheapest, counters, has_overflowed: false }
}

/// Cells that are surely expanded within a millisecond.
const FIRST_BLOCK: u64 = 1 << 12;

struct Search<'a, O> {
    map: &'a Map,
    lines: &'a Lines,
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
    /// The half of the seeds that belongs to the current level: the lowest bit of its number.
    now: usize,
    /// The length of the current level's paths, from the start to the goal, in steps.
    steps: u32,
    active: [Span; 2],
    rows: Span,
}

impl<O: Observer<Cell, f64>> Search<'_, O> {
    fn run(&mut self) -> Result<bool, Stop> {
        self.plant(self.start);
        self.meter.generate(1);
        loop {
            if self.observer.watches() {
                let bound = Bound::Cost(self.length(self.steps));
                self.observer.iteration(bound, self.meter.counters())?;
            }
            self.rows = self.rows.join(self.active[self.now]);
            self.expand_level()?;
            if self.is_visited(self.goal) {
                return Ok(true);
            }
            self.active[self.now] = Span::default();
            self.now ^= 1;
            if self.active[self.now].is_empty() {
                return Ok(false);
            }
            self.steps += 2;
        }
    }

    /// The start is the only seed of the first level.
    fn plant(&mut self, start: Cell) {
        let (row, at) = (start.row as usize + 1, start.col as usize / 64);
        self.memory.touch(row, &self.lines.across);
        let (known, blocks, _) = self.memory.line(row, ABOVE);
        blocks[at].seeds[self.now] = 1 << (start.col % 64);
        known.seeds[self.now].add(at);
        self.active[self.now].add(row);
        if self.observer.watches() {
            self.meets(start);
        }
    }

    /// Expands the cells of one level: the rows above the goal's from the top, those below from the bottom, and the goal's
    /// row, to which both lead.
    fn expand_level(&mut self) -> Result<(), Stop> {
        let rows = self.active[self.now];
        let (mut from_above, mut from_below) = (Span::default(), Span::default());
        for row in rows.first as usize..self.goal_row {
            from_above = self.expand_row(row, from_above, ABOVE)?;
        }
        for row in (self.goal_row + 1..rows.end as usize).rev() {
            from_below = self.expand_row(row, from_below, BELOW)?;
        }
        let [above, below] = &mut self.memory.reached;
        for at in from_below.blocks() {
            above[at] |= std::mem::take(&mut below[at]);
        }
        let reached = self.expand_row(self.goal_row, from_above.join(from_below), ABOVE)?;
        self.seed_row(self.goal_row + 1, reached, ABOVE);
        self.memory.reached[ABOVE][reached.blocks()].fill(0);
        Ok(())
    }

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

    /// The cell before one on a shortest path: away from the goal within the same level, if there is such a cell.
    /// Otherwise the cell is a seed, and a cell beside it, nearer to the goal, belongs to the level before.
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

    fn is_visited(&self, cell: Cell) -> bool {
        self.is_of(cell, 0) || self.is_of(cell, 1)
    }

    /// Whether a cell has been expanded in a level with this lowest bit.
    fn is_of(&self, cell: Cell, odd: u64) -> bool {
        self.memory.block(cell).is_some_and(|(word, block)| {
            let expanded = self.lines.across.word(word) & !block.open;
            (expanded & (block.odd ^ odd.wrapping_sub(1))) >> (cell.col % 64) & 1 == 1
        })
    }

    /// The number of generated cells, computed from the expanded ones: all successors but steps back, and the start.
    /// The goal is not expanded.
    fn count_generated(&self) -> u64 {
        let raster = &self.lines.across;
        let mut count = 0;
        let mut ones = Ones::default();
        for row in self.goal_row.min(self.rows.first as usize)..(self.goal_row + 1).max(self.rows.end as usize) {
            let Some((expanded, blocks)) = self.memory.expanded(row) else { continue };
            let (free, steps) = (raster.row(row), self.lines.steps(row));
            for at in expanded.blocks() {
                // Many blocks are expanded completely.
                let open = blocks[at].open;
                if open == 0 {
                    count += u64::from(steps[at]);
                } else {
                    ones.add(raster.ways(row, at, free[at] & !open));
                }
            }
        }
        count += ones.count();
        // Every cell but the start was reached from an expanded cell.
        let mut came_from = self.meter.counters().expanded;
        if self.is_visited(self.goal) {
            let goal = self.before & self.after;
            count -= raster.steps_from(self.goal_row, self.goal_block, goal);
            came_from -= 1;
        }
        1 + count + 1 - came_from.max(1)
    }

    fn length(&self, steps: u32) -> f64 {
        Scale::WHOLE.value(steps.into(), self.map.unit)
    }

    /// Whether a cell is generated for the first time.
    fn meets(&mut self, cell: Cell) -> bool {
        let word = &mut self.memory.met[(cell.row as usize + 1) * self.lines.across.words + cell.col as usize / 64];
        let bit = 1 << (cell.col % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// The cells of the level in a row, from the outermost to the goal's column.
    fn show(&mut self, row: usize, reached: Span, side: usize) -> Result<(), Stop> {
        for col in self.columns(reached) {
            if self.memory.reached[side][col / 64] >> (col % 64) & 1 == 1 {
                self.show_cell(Cell::new(row as u32 - 1, col as u32))?;
            }
        }
        Ok(())
    }

    fn show_cell(&mut self, cell: Cell) -> Result<(), Stop> {
        let apart = |cell: Cell, goal: Cell| cell.row.abs_diff(goal.row) + cell.col.abs_diff(goal.col);
        let map = self.map;
        let (left, mut level) = (apart(cell, self.goal), self.now as u64);
        let parent = (cell != self.start).then(|| self.before(cell, &mut level));
        let number = |cell: Cell| map.index(cell) as u64;
        let (cost, estimate) = (self.length(self.steps - left), self.length(left));
        self.meter.expand()?;
        let seen = Node::new(number(cell), parent.map(number), &cell, cost, estimate);
        self.observer.expand(&seen, self.meter.counters())?;
        if cell == self.goal {
            return Ok(());
        }
        let parent_of_next = Some(number(cell));
        for (_, next) in map.steps(cell).filter(|&(_, next)| Some(next) != parent) {
            let fate = if self.meets(next) { Fate::New } else { Fate::Known };
            let (cost, estimate) = (self.length(self.steps - left + 1), self.length(apart(next, self.goal)));
            self.meter.generate(1);
            let seen = Node::new(number(next), parent_of_next, &next, cost, estimate);
            self.observer.generate(&seen, fate, self.meter.counters())?;
        }
        Ok(())
    }
}
