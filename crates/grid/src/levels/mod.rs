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

mod back;
mod count;
mod fill;
mod memory;
mod row;
mod show;
mod span;

use std::ops::ControlFlow::{self, Break, Continue};

use pintu_search::{
    Bound, Control, Guarantee, Hold, Meter, Observer, Stop,
    driver::{End, Id},
};

pub(crate) use self::memory::Levels;
use self::span::Span;
use crate::{Cell, Map, Measure, course::Course, raster::Raster, scale::Scale};

/// The rows above the goal's, and which of the two lines is theirs.
const ABOVE: usize = 0;
/// The rows below the goal's.
const BELOW: usize = 1;

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
        self.memory.touch(row, self.raster);
        let (known, blocks, _) = self.memory.line(row, ABOVE);
        blocks[at].seeds[self.now] = 1 << (start.col % 64);
        known.seeds[self.now].add(at);
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
}
