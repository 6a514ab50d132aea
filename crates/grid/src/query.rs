//! From a question to a search, and from its end to an answer.

use std::ops::ControlFlow::{self, Break, Continue};

use pintu_search::{Control, Counters, Guarantee, Hold, Stop, driver::End};

use crate::{
    Cell, Map, MapSpace, Method, Outcome, QueryError, Reason, Report, Scratch, Step, course::Course, movement::DELTAS,
    number::Number, scale::Scale,
};

/// A question that was checked: at least one goal, nothing blocked.
#[derive(Clone, Copy)]
pub(crate) struct Query<'a> {
    pub(crate) map: &'a Map,
    pub(crate) from: u32,
    pub(crate) cells: &'a [Cell],
    numbers: &'a [u32],
    pub(crate) method: Method,
}

impl<'a> Query<'a> {
    pub(crate) fn course(&self, scale: Scale) -> Course<'a> {
        let scale = self.map.scale(scale);
        let (from, goals, cells) = (self.from, self.numbers, self.cells);
        let first_goal = goals.first().copied().unwrap_or(u32::MAX);
        let goal_span = goals.last().map_or(0, |&last| last - first_goal);
        Course { map: self.map, scale, from, goals, first_goal, goal_span, cells, against: false }
    }

    /// The question as a space of the search library.
    pub(crate) fn space<C>(&self, price: fn(&Map, Step, u64) -> C) -> MapSpace<'a, C> {
        MapSpace { map: self.map, goals: self.cells.into(), numbers: self.numbers.into(), price }
    }

    pub(crate) fn is_connected(&self) -> bool {
        let piece = self.map.pieces.of(self.from as usize);
        self.numbers.iter().any(|&goal| self.map.pieces.of(goal as usize) == piece)
    }

    pub(crate) fn report(&self, outcome: Outcome, counters: Counters) -> Report {
        Report { outcome, method: self.method, counters }
    }

    /// There is no path, and no search was needed to say so.
    pub(crate) fn nothing(&self, reason: Reason) -> Report {
        self.report(Outcome::Unreachable(reason), Counters::default())
    }

    /// A search was stopped before or when it ended.
    pub(crate) fn stopped<N: Number>(&self, why: Stop, lower_bound: Option<N>, scale: Scale) -> Outcome {
        let lower_bound = lower_bound.map(|number| scale.value(number.get(), self.map.unit));
        Outcome::Stopped { why, lower_bound }
    }

    /// What a best-first search has found. `path` writes the path to the goal down, which takes memory.
    pub(crate) fn conclude<'p, N: Number>(
        &self,
        end: &End<N>,
        scale: Scale,
        path: impl FnOnce(u32) -> ControlFlow<Stop, &'p [Cell]>,
    ) -> Outcome {
        let (goal, paid) = match end.found {
            Continue(Some(found)) => found,
            Continue(None) => return Outcome::Unreachable(Reason::CutOff),
            Break(why) => return self.stopped(why, end.lower_bound, scale),
        };
        let path = match path(goal) {
            Continue(path) => path,
            Break(why) => return self.stopped(why, end.lower_bound, scale),
        };
        let length = match end.guarantee {
            Guarantee::Cheapest => scale.decode(paid.get()).times(self.map.unit),
            // A cell before the goal may have become cheaper to reach since.
            _ => self.map.length_of(path),
        };
        match length {
            Some(length) => Outcome::Found { length, guarantee: end.guarantee },
            None => self.stopped(Stop::Overflow, end.lower_bound, scale),
        }
    }
}

impl Map {
    /// Checks a question and answers it, at once if the start or all goals are blocked. The scratch memory is lent to
    /// the search, under its control.
    pub(crate) fn ask(
        &self,
        from: Cell,
        to: &[Cell],
        method: Method,
        scratch: &mut Scratch,
        control: &Control,
        answer: impl FnOnce(Query<'_>, &mut Scratch, &mut Hold) -> Report,
    ) -> Result<Report, QueryError> {
        scratch.path.clear();
        check_cells(self, to.iter().chain([&from]))?;
        if to.is_empty() {
            return Err(QueryError::NoGoal);
        }
        let is_within = scratch.is_within();
        let mut hold = scratch.lend(control);
        let mut goals = std::mem::take(&mut scratch.goals);
        goals.cells.clear();
        goals.numbers.clear();
        let room = hold.reserve(&mut goals.cells, to.len());
        let room = room.is_continue().then(|| hold.reserve(&mut goals.numbers, to.len()));
        let has_room = room.is_some_and(|room| room.is_continue());
        if has_room {
            goals.cells.extend(to.iter().copied().filter(|&cell| self.is_free(cell)));
            goals.numbers.extend(goals.cells.iter().map(|&cell| self.index(cell) as u32));
            goals.numbers.sort_unstable();
        }
        let query =
            Query { map: self, from: self.index(from) as u32, cells: &goals.cells, numbers: &goals.numbers, method };
        let report = if !self.is_free(from) {
            query.nothing(Reason::BlockedStart)
        } else if !has_room {
            query.report(Outcome::Stopped { why: Stop::Memory, lower_bound: None }, Counters::default())
        } else if goals.cells.is_empty() {
            query.nothing(Reason::BlockedGoal)
        } else {
            answer(query, scratch, &mut hold)
        };
        scratch.goals = goals;
        scratch.take_back(hold, is_within);
        Ok(report)
    }
}

/// Checks that cells are on a map.
pub(crate) fn check_cells<'c>(map: &Map, cells: impl IntoIterator<Item = &'c Cell>) -> Result<(), QueryError> {
    match cells.into_iter().find(|&&cell| !map.contains(cell)) {
        Some(&cell) => Err(QueryError::Outside { cell, rows: map.rows, cols: map.cols }),
        None => Ok(()),
    }
}

/// Writes down the path to a cell, following the steps back to where there is none.
pub(crate) fn walk_back(
    map: &Map,
    arrived: impl Fn(usize) -> u8,
    cell: u32,
    path: &mut Vec<Cell>,
    hold: &mut Hold,
) -> ControlFlow<Stop> {
    let (mut index, mut at) = (cell as usize, map.cell(cell));
    let offsets = map.offsets();
    path.clear();
    write_down(at, path, hold)?;
    while let Some(&(row, col)) = DELTAS.get(usize::from(arrived(index))) {
        index = index.wrapping_add_signed(-offsets[usize::from(arrived(index))]);
        at = at.moved(-row, -col);
        write_down(at, path, hold)?;
    }
    path.reverse();
    Continue(())
}

/// Adds a cell to a path.
#[inline]
pub(crate) fn write_down(cell: Cell, path: &mut Vec<Cell>, hold: &mut Hold) -> ControlFlow<Stop> {
    if path.len() == path.capacity() {
        hold.reserve(path, path.len() + (path.len() / 2).max(256))?;
    }
    path.push(cell);
    Continue(())
}
