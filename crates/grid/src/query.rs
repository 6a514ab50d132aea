//! Turns a query into a search, and the search's end into a report.

use pintu_search::{Control, Counters, Guarantee, Hold, Observer, Stop, driver::End};

use crate::{
    Algorithm, Cell, Heuristic, Map, Outcome, QueryError, Reason, Report, Scratch,
    algorithms::Task,
    heuristic::Nearest,
    movement::DELTAS,
    scale::{Number, Scale},
};

/// A checked query in a search's numbers: at least one goal, and neither the start nor a goal is blocked.
#[derive(Clone, Copy)]
pub(crate) struct Query<'a> {
    pub(crate) map: &'a Map,
    pub(crate) algorithm: Algorithm,
    pub(crate) from: u32,
    pub(crate) cells: &'a [Cell],
    /// The goals' numbers, sorted.
    pub(crate) goals: &'a [u32],
    /// The first goal's number, or a number that no cell has, and the distance from the first to the last.
    first_goal: u32,
    goal_span: u32,
    pub(crate) scale: Scale,
    /// Whether steps are taken backwards: then a step costs what the cell that it leaves costs.
    pub(crate) against: bool,
}

impl<'a> Query<'a> {
    pub(crate) fn new(map: &'a Map, algorithm: Algorithm, from: u32, cells: &'a [Cell], goals: &'a [u32]) -> Self {
        let first_goal = goals.first().copied().unwrap_or(u32::MAX);
        let goal_span = goals.last().map_or(0, |&last| last - first_goal);
        Self { map, algorithm, from, cells, goals, first_goal, goal_span, scale: Scale::WHOLE, against: false }
    }

    /// The same query in costs of type `N`.
    #[inline]
    pub(crate) fn in_numbers<N: Number>(self) -> Self {
        Self { scale: self.map.scale::<N>(), ..self }
    }

    /// Any heuristic's estimates in costs of type `N`.
    pub(crate) fn nearest<N: Number>(self, heuristic: Heuristic) -> Nearest<'a, N> {
        Nearest::new(self.map, heuristic, self.cells)
    }

    #[inline]
    pub(crate) fn is_goal(&self, cell: u32) -> bool {
        // One comparison nearly always suffices.
        let is_among = cell.wrapping_sub(self.first_goal) <= self.goal_span;
        is_among && (self.goals.len() <= 1 || self.goals.binary_search(&cell).is_ok())
    }

    pub(crate) fn is_connected(&self) -> bool {
        let piece = self.map.pieces.of(self.from as usize);
        self.goals.iter().any(|&goal| self.map.pieces.of(goal as usize) == piece)
    }

    /// Whether costs of type `N` have room for an estimate across the whole map on top of a path's cost.
    pub(crate) fn fits<N: Number>(&self) -> bool {
        let Map { rows, cols, least_cost, .. } = *self.map;
        let [straight, diagonal] = self.scale.units(least_cost);
        straight.max(diagonal).saturating_mul(u64::from(rows + cols)) <= N::MAX / 2
    }

    /// The greatest difference between the ranks of a step's two cells.
    pub(crate) fn spread(&self) -> u64 {
        let [straight, diagonal] = self.scale.units(self.map.greatest_cost);
        let [least, _] = self.scale.units(self.map.least_cost);
        // Along a step, the estimate changes by at most two straight steps.
        straight.max(diagonal).saturating_add(least.saturating_mul(2))
    }

    pub(crate) fn report(&self, outcome: Outcome, counters: Counters) -> Report {
        Report { outcome, algorithm: self.algorithm, counters, scanned: None }
    }

    /// The report of a query that has no path and needed no search.
    fn unreachable(&self, reason: Reason) -> Report {
        self.report(Outcome::Unreachable(reason), Counters::default())
    }

    pub(crate) fn stopped<N: Number>(&self, why: Stop, lower_bound: Option<N>) -> Outcome {
        let lower_bound = lower_bound.map(|number| self.scale.value(number.get(), self.map.unit));
        Outcome::Stopped { why, lower_bound }
    }

    /// The outcome of a best-first search. `path` writes down the path to the goal, which takes memory.
    pub(crate) fn conclude<'p, N: Number>(
        &self,
        end: &End<N>,
        path: impl FnOnce(u32) -> Result<&'p [Cell], Stop>,
    ) -> Outcome {
        let found = match end.found {
            Ok(None) => return Outcome::Unreachable(Reason::CutOff),
            Ok(Some((goal, paid))) => path(goal).and_then(|path| {
                let length = match end.guarantee {
                    Guarantee::Cheapest => self.scale.decode(paid.get()).times(self.map.unit),
                    // A cheaper path to a cell before the goal may have been found since.
                    _ => self.map.length_of(path),
                };
                length.ok_or(Stop::Overflow)
            }),
            Err(why) => Err(why),
        };
        match found {
            Ok(length) => Outcome::Found { length, guarantee: end.guarantee },
            Err(why) => self.stopped(why, end.lower_bound),
        }
    }
}

impl Map {
    /// Checks a query and answers it, at once where no search is needed. The search uses the scratch memory, under its
    /// control.
    pub(crate) fn answer<O: Observer<Cell, f64>>(
        &self,
        algorithm: Algorithm,
        from: Cell,
        to: &[Cell],
        scratch: &mut Scratch,
        control: &Control,
        observer: &mut O,
    ) -> Result<Report, QueryError> {
        scratch.path.clear();
        let algorithm = self.chosen(algorithm, to)?;
        check_cells(self, to.iter().chain([&from]))?;
        if to.is_empty() {
            return Err(QueryError::NoGoal);
        }
        let (mut hold, is_kept) = scratch.lend(control);
        let mut goals = std::mem::take(&mut scratch.goals);
        let room = goals.fill(self, to, &mut hold);
        let query = Query::new(self, algorithm, self.index(from) as u32, &goals.cells, &goals.numbers);
        let report = if !self.is_free(from) {
            query.unreachable(Reason::BlockedStart)
        } else if let Err(why) = room {
            query.report(Outcome::Stopped { why, lower_bound: None }, Counters::default())
        } else if goals.cells.is_empty() {
            query.unreachable(Reason::BlockedGoal)
        } else if algorithm.knows_components() && !query.is_connected() {
            query.unreachable(Reason::CutOff)
        } else {
            Task { query, hold: &mut hold, control, observer }.run(scratch)
        };
        if !matches!(report.outcome, Outcome::Found { .. }) {
            scratch.path.clear();
        }
        scratch.goals = goals;
        scratch.take_back(hold, is_kept);
        Ok(report)
    }
}

/// The goals of the current query that are not blocked.
#[derive(Default)]
pub(crate) struct Goals {
    pub(crate) cells: Vec<Cell>,
    pub(crate) numbers: Vec<u32>,
}

impl Goals {
    fn fill(&mut self, map: &Map, to: &[Cell], hold: &mut Hold) -> Result<(), Stop> {
        self.cells.clear();
        self.numbers.clear();
        hold.reserve(&mut self.cells, to.len())?;
        hold.reserve(&mut self.numbers, to.len())?;
        self.cells.extend(to.iter().copied().filter(|&cell| map.is_free(cell)));
        self.numbers.extend(self.cells.iter().map(|&cell| map.index(cell) as u32));
        self.numbers.sort_unstable();
        Ok(())
    }
}

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
) -> Result<(), Stop> {
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
    Ok(())
}

#[inline]
pub(crate) fn write_down(cell: Cell, path: &mut Vec<Cell>, hold: &mut Hold) -> Result<(), Stop> {
    if path.len() == path.capacity() {
        hold.reserve(path, path.len() + (path.len() / 2).max(256))?;
    }
    path.push(cell);
    Ok(())
}
