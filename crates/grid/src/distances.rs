use std::ops::ControlFlow::{self, Break, Continue};

use pintu_search::{
    Control, Counters, Hold, Observer, Run, Stop,
    driver::{self, Heap, Queue},
};

use crate::{
    Cell, Length, Map, Measure, QueryError, Scratch,
    cells::{Cells, Total},
    course::Course,
    field::{Field, is_stamped, step_of},
    heuristic::Blind,
    lengths::InLengths,
    movement::{NOWHERE, Step},
    number::{Huge, Number},
    queue::Stacks,
    ring::Layout,
    scale::Scale,
};

/// Which way the paths of a distance map lead. It matters on terrain, for a step costs what the cell
/// does that it enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toward {
    /// From the one cell to all others.
    Others,
    /// From all others to the one cell: a flow field, as tower-defence games use.
    Cell,
}

/// How far every cell of a map is from one of them, and which way the shortest paths lead.
///
/// ```
/// use pintu_grid::{Cell, Diagonal, Map, Scratch, Step, Terrain, Toward};
///
/// let terrain: Terrain = "..#\n.9.\n".parse().unwrap();
/// let map = Map::new(&terrain, Diagonal::Never);
/// let field = map.distances(Cell::new(0, 0), Toward::Cell, &mut Scratch::new(), ()).unwrap().unwrap();
/// assert_eq!(field.length(Cell::new(1, 2)).unwrap().to_string(), "11");
/// assert_eq!(field.step(Cell::new(1, 2)), Some(Step::Left));
/// assert_eq!(field.length(Cell::new(0, 2)), None);
/// ```
///
/// Its memory counts as held by the control of the search for as long as it exists.
#[derive(Debug)]
pub struct Distances {
    rows: u32,
    cols: u32,
    scale: Scale,
    unit: u64,
    numbers: Numbers,
    steps: Vec<u8>,
    too_dear: Vec<Cell>,
    hold: Hold,
    /// What the search did.
    pub counters: Counters,
}

/// The number of each cell, in as few bits as do; the greatest where there is no path.
#[derive(Debug)]
enum Numbers {
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
    Huge(Vec<Huge>),
}

impl Numbers {
    fn of(&self, at: usize) -> Option<u128> {
        fn reached<N: Number>(number: N) -> Option<u128> {
            (number.get() != N::MOST).then(|| number.get())
        }
        match self {
            Self::Narrow(numbers) => reached(numbers[at]),
            Self::Wide(numbers) => reached(numbers[at]),
            Self::Huge(numbers) => reached(numbers[at]),
        }
    }
}

impl Distances {
    /// The number of rows.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The number of columns.
    pub fn cols(&self) -> u32 {
        self.cols
    }

    /// How far the cell is; `None` if there is no path, or it is not on the map.
    pub fn length(&self, cell: Cell) -> Option<Length> {
        self.numbers.of(self.index(cell)?).and_then(|number| self.scale.decode(number).times(self.unit))
    }

    /// With [`Toward::Cell`], the step to take here; with [`Toward::Others`], the step by which a shortest
    /// path arrives here. `None` at the one cell itself and where there is no path.
    pub fn step(&self, cell: Cell) -> Option<Step> {
        Step::ALL.get(usize::from(self.steps[self.index(cell)?])).copied()
    }

    /// The cells to which a path leads, but none whose length fits: they have no [length](Self::length).
    pub fn too_dear(&self) -> &[Cell] {
        &self.too_dear
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        let inside = cell.row < self.rows && cell.col < self.cols;
        inside.then_some(cell.row as usize * self.cols as usize + cell.col as usize)
    }
}

impl Map {
    /// The distances of all cells from or to one. The inner result tells what stopped the search, if something did.
    pub fn distances<R: Run<Cell, Measure>>(
        &self,
        cell: Cell,
        toward: Toward,
        scratch: &mut Scratch,
        run: R,
    ) -> Result<Result<Distances, Stop>, QueryError> {
        if !self.contains(cell) {
            return Err(QueryError::Outside { cell, rows: self.rows, cols: self.cols });
        }
        run.run(|control, observer| {
            let is_within = scratch.is_within();
            let mut hold = scratch.lend(control);
            let mut spread = Spread { map: self, cell, toward, hold: &mut hold, control, observer };
            let found = spread.in_small_numbers(scratch);
            scratch.take_back(hold, is_within);
            Ok(match found {
                Continue(found) => Ok(found),
                Break(why) => Err(why),
            })
        })
    }

    /// The cells that can be reached from `from` and are nearest to one of `to` as the crow flies, in
    /// reading order: where to go when the goal itself is cut off.
    pub fn nearest_reachable(&self, from: Cell, to: &[Cell]) -> Vec<Cell> {
        let mut best = u64::MAX;
        let mut nearest = Vec::new();
        if !self.is_free(from) {
            return nearest;
        }
        let piece = self.pieces.of(self.index(from));
        for cell in (0..self.rows).flat_map(|row| (0..self.cols).map(move |col| Cell::new(row, col))) {
            if self.pieces.of(self.index(cell)) != piece {
                continue;
            }
            let distance = to.iter().map(|&goal| apart(cell, goal)).min().unwrap_or(u64::MAX);
            if distance < best {
                best = distance;
                nearest.clear();
            }
            if distance == best {
                nearest.push(cell);
            }
        }
        nearest
    }
}

/// A search from one cell to all others.
struct Spread<'a, O> {
    map: &'a Map,
    cell: Cell,
    toward: Toward,
    hold: &'a mut Hold,
    control: &'a Control,
    observer: &'a mut O,
}

impl<O: Observer<Cell, Measure>> Spread<'_, O> {
    /// In numbers as small as do.
    fn in_small_numbers(&mut self, scratch: &mut Scratch) -> ControlFlow<Stop, Distances> {
        let Scratch { narrow, wide, huge, stacks, .. } = scratch;
        match self.in_numbers(Scale::NARROW, narrow, stacks, Stacks::reset, Numbers::Narrow) {
            Break(Stop::Overflow) => {}
            found => return found,
        }
        match self.in_numbers(Scale::WIDE, wide, stacks, Stacks::reset, Numbers::Wide) {
            Break(Stop::Overflow) => {}
            found => return found,
        }
        self.in_numbers(Scale::HUGE, huge, &mut Heap::new(), |_, _, _| Continue(()), Numbers::Huge)
    }

    fn in_numbers<N: Number, Q: Queue<N, N>>(
        &mut self,
        scale: Scale,
        field: &mut Field<N>,
        queue: &mut Q,
        prepare: impl FnOnce(&mut Q, Layout, &mut Hold) -> ControlFlow<Stop>,
        numbers: impl FnOnce(Vec<N>) -> Numbers,
    ) -> ControlFlow<Stop, Distances> {
        let (map, against) = (self.map, self.toward == Toward::Cell);
        let scale = map.scale(scale);
        let (mut counters, mut is_beyond) = (Counters::default(), false);
        if map.is_free(self.cell) {
            let from = map.index(self.cell) as u32;
            let course =
                Course { map, scale, from, goals: &[], first_goal: u32::MAX, goal_span: 0, cells: &[], against };
            let layout = Layout { first: 0, spread: course.spread(), unit: scale.straight, least: map.least_cost };
            prepare(queue, layout, self.hold)?;
            let spots = field.fresh(map.numbers(), self.hold)?;
            let mut nodes = Cells::<N, _, false>::new(course, spots, Blind, true);
            let mut observer = InLengths::new(self.observer, map, scale);
            let end = driver::best_first(&mut nodes, queue, Total, self.hold, self.control, &mut observer);
            counters = end.counters;
            match end.found {
                // In the widest numbers, what was settled stands, whatever lies beyond.
                Break(Stop::Overflow) if N::MOST == Huge::MOST => is_beyond = true,
                Break(Stop::Overflow) => {
                    // It begins again, and counts once.
                    self.control.forget(&counters);
                    return Break(Stop::Overflow);
                }
                found => drop(found?),
            }
        }
        self.write_down(scale, field, (counters, is_beyond), numbers)
    }

    fn write_down<N: Number>(
        &self,
        scale: Scale,
        field: &Field<N>,
        (counters, mut is_beyond): (Counters, bool),
        numbers: impl FnOnce(Vec<N>) -> Numbers,
    ) -> ControlFlow<Stop, Distances> {
        let Map { rows, cols, unit, .. } = *self.map;
        let cells = rows as usize * cols as usize;
        let mut hold = self.control.hold();
        hold.more((cells * (size_of::<N>() + 1)) as u64)?;
        let (mut paid, mut steps) = (vec![N::new(N::MOST); cells], vec![NOWHERE; cells]);
        // A search that was not needed has left nothing.
        let (spots, stamp) = if counters.expanded == 0 { (&[][..], 0) } else { field.last() };
        let mut greatest = 0;
        let all = (0..rows).flat_map(|row| (0..cols).map(move |col| Cell::new(row, col)));
        for (at, cell) in all.enumerate() {
            if let Some(spot) = spots.get(self.map.index(cell)).filter(|spot| is_stamped(spot.tag, stamp)) {
                paid[at] = spot.paid;
                greatest = greatest.max(paid[at].get());
                let step = Step::ALL.get(usize::from(step_of(spot.tag))).copied();
                let leads = |step: Step| if self.toward == Toward::Cell { step.back() } else { step };
                steps[at] = step.map_or(NOWHERE, |step| leads(step) as u8);
            }
        }
        // Only what is measured in large units, or is nearly too large itself, can be too large.
        is_beyond |= scale.whole(greatest, unit) > u64::MAX / 4;
        let mut found =
            Distances { rows, cols, scale, unit, numbers: numbers(paid), steps, too_dear: Vec::new(), hold, counters };
        if is_beyond {
            self.note_too_dear(&mut found)?;
        }
        Continue(found)
    }

    /// Notes the cells that a path leads to, but none whose length fits.
    fn note_too_dear(&self, found: &mut Distances) -> ControlFlow<Stop> {
        if !self.map.is_free(self.cell) {
            return Continue(());
        }
        let piece = self.map.pieces.of(self.map.index(self.cell));
        let all = (0..found.rows).flat_map(|row| (0..found.cols).map(move |col| Cell::new(row, col)));
        for cell in all {
            if found.length(cell).is_some() || self.map.pieces.of(self.map.index(cell)) != piece {
                continue;
            }
            if let Some(step) = found.index(cell).map(|at| &mut found.steps[at]) {
                *step = NOWHERE;
            }
            if found.too_dear.len() == found.too_dear.capacity() {
                let more = (found.too_dear.len() * 2).max(16);
                found.hold.reserve(&mut found.too_dear, more)?;
            }
            found.too_dear.push(cell);
        }
        Continue(())
    }
}

/// The square of the distance.
fn apart(a: Cell, b: Cell) -> u64 {
    u64::from(a.row.abs_diff(b.row)).pow(2) + u64::from(a.col.abs_diff(b.col)).pow(2)
}
