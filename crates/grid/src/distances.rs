use std::fmt;

use pintu_search::{Control, Counters, Hold, Observer, Run, Stop, driver};

use crate::{
    Algorithm, Cell, Length, Map, QueryError, Scratch,
    cells::{Cells, Total},
    field::{Field, Spot, is_stamped, step_of},
    heuristic::Blind,
    movement::{NOWHERE, Step},
    observer::InLengths,
    query::{Query, check_cells},
    queue::Stacks,
    ring::Layout,
    scale::{Number, Scale},
};

/// The direction of a distance map's paths. It matters where costs differ, because a step costs what its target cell
/// does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toward {
    /// From the one cell to all others.
    Others,
    /// From all others to the one cell: a flow field, as tower-defence games use.
    Cell,
}

/// The distance of every cell of a map from one of them, and the directions of the shortest paths.
///
/// ```
/// use pintu_grid::{Cell, Diagonal, Map, Scratch, Step, Terrain, Toward};
///
/// let terrain: Terrain = "..#\n.9.\n".parse().unwrap();
/// let map = Map::new(&terrain, Diagonal::Never);
/// let field = map.distances(Cell::new(0, 0), Toward::Cell, &mut Scratch::new(), ()).unwrap();
/// assert_eq!(field.length(Cell::new(1, 2)).unwrap().to_string(), "11");
/// assert_eq!(field.step(Cell::new(1, 2)), Some(Step::Left));
/// assert_eq!(field.path(Cell::new(1, 2)).unwrap().len(), 4);
/// assert_eq!(field.length(Cell::new(0, 2)), None);
/// ```
///
/// Its memory counts as held by the control of the search for as long as it exists.
#[must_use]
pub struct Distances {
    rows: u32,
    cols: u32,
    toward: Toward,
    scale: Scale,
    unit: u64,
    /// The scaled length of each cell's path; `u64::MAX` where there is no path.
    numbers: Vec<u64>,
    steps: Vec<u8>,
    hold: Hold,
    /// The search's counts.
    pub counters: Counters,
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

    /// The distance of a cell; `None` if there is no path, or it is not on the map.
    pub fn length(&self, cell: Cell) -> Option<Length> {
        let number = Some(self.numbers[self.index(cell)?]).filter(|&number| number != u64::MAX)?;
        self.scale.decode(number).times(self.unit)
    }

    /// With [`Toward::Cell`], the step to take here; with [`Toward::Others`], the step by which a shortest
    /// path arrives here. `None` at the one cell itself and where there is no path.
    pub fn step(&self, cell: Cell) -> Option<Step> {
        Step::ALL.get(usize::from(self.steps[self.index(cell)?])).copied()
    }

    /// A shortest path, both ends included: with [`Toward::Cell`] from here to the one cell, with [`Toward::Others`]
    /// from the one cell to here. `None` where there is no [length](Self::length).
    pub fn path(&self, cell: Cell) -> Option<Vec<Cell>> {
        self.length(cell)?;
        let next = |&at: &Cell| {
            let step = self.step(at)?;
            let (row, col) = if self.toward == Toward::Cell { step } else { step.back() }.delta();
            Some(at.moved(row, col))
        };
        let mut path: Vec<Cell> = std::iter::successors(Some(cell), next).collect();
        if self.toward == Toward::Others {
            path.reverse();
        }
        Some(path)
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        let inside = cell.row < self.rows && cell.col < self.cols;
        inside.then_some(cell.row as usize * self.cols as usize + cell.col as usize)
    }
}

impl fmt::Debug for Distances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows, cols, toward, ref hold, .. } = *self;
        let mut shown = f.debug_struct("Distances");
        shown.field("rows", &rows).field("cols", &cols).field("toward", &toward);
        shown.field("bytes", &hold.bytes()).field("counters", &self.counters).finish_non_exhaustive()
    }
}

impl Map {
    /// The distances of all cells from or to one. From or to a blocked cell there are none.
    ///
    /// # Errors
    /// A cell that is not on the map, or [`QueryError::Stopped`] if something ended the search, such as a cell whose length
    /// does not fit ([`Stop::Overflow`]).
    pub fn distances<'c, R: Run<'c, Cell, f64>>(
        &self,
        cell: Cell,
        toward: Toward,
        scratch: &mut Scratch,
        run: R,
    ) -> Result<Distances, QueryError> {
        check_cells(self, &[cell])?;
        run.run(|control, observer| {
            let (mut hold, is_kept) = scratch.lend(control);
            let mut search = DistanceSearch { map: self, cell, toward, hold: &mut hold, control, observer };
            let Scratch { narrow, wide, stacks, .. } = scratch;
            let found = match search.in_numbers(narrow, stacks) {
                Err(Stop::Overflow) => search.in_numbers(wide, stacks),
                found => found,
            };
            scratch.take_back(hold, is_kept);
            found.map_err(QueryError::Stopped)
        })
    }
}

struct DistanceSearch<'a, O> {
    map: &'a Map,
    cell: Cell,
    toward: Toward,
    hold: &'a mut Hold,
    control: &'a Control,
    observer: &'a mut O,
}

impl<O: Observer<Cell, f64>> DistanceSearch<'_, O> {
    /// The distances in numbers of one size, if they suffice.
    fn in_numbers<N: Number>(&mut self, field: &mut Field<N>, queue: &mut Stacks) -> Result<Distances, Stop> {
        let map = self.map;
        let mut query = Query::new(map, Algorithm::Dijkstra, map.index(self.cell) as u32, &[], &[]).in_numbers::<N>();
        if !map.is_free(self.cell) {
            return self.write_down::<N>(query.scale, (&[], 0), Counters::default());
        }
        query.against = self.toward == Toward::Cell;
        let scale = query.scale;
        let layout = Layout { first: 0, spread: query.spread(), unit: scale.straight, least: map.least_cost };
        queue.reset(layout, self.hold)?;
        let mut nodes = Cells::<N, _, false>::new(query, field.fresh(map.numbers(), self.hold)?, Blind, true);
        let mut observer = InLengths::new(self.observer, map, scale);
        let end = driver::best_first(&mut nodes, queue, Total, self.hold, self.control, &mut observer);
        if end.found == Err(Stop::Overflow) && N::MAX < u64::MAX {
            // The search begins again, and counts once.
            self.control.forget(&end.counters);
        }
        end.found?;
        self.write_down(scale, field.last(), end.counters)
    }

    fn write_down<N: Number>(
        &self,
        scale: Scale,
        (spots, stamp): (&[Spot<N>], u32),
        counters: Counters,
    ) -> Result<Distances, Stop> {
        let Map { rows, cols, unit, .. } = *self.map;
        let cells = rows as usize * cols as usize;
        let mut hold = self.control.hold();
        hold.more((cells * (size_of::<u64>() + 1)) as u64)?;
        let (mut numbers, mut steps) = (vec![u64::MAX; cells], vec![NOWHERE; cells]);
        let mut greatest = 0;
        let all = (0..rows).flat_map(|row| (0..cols).map(move |col| Cell::new(row, col)));
        for (at, cell) in all.enumerate() {
            let Some(spot) = spots.get(self.map.index(cell)).filter(|spot| is_stamped(spot.packed, stamp)) else {
                continue;
            };
            numbers[at] = spot.paid.get();
            greatest = greatest.max(numbers[at]);
            let step = Step::ALL.get(usize::from(step_of(spot.packed))).copied();
            let leads = |step: Step| if self.toward == Toward::Cell { step.back() } else { step };
            steps[at] = step.map_or(NOWHERE, |step| leads(step) as u8);
        }
        // A length that fits in units may exceed the limit when multiplied by the unit.
        if scale.length(greatest, unit).is_none() {
            return Err(Stop::Overflow);
        }
        Ok(Distances { rows, cols, toward: self.toward, scale, unit, numbers, steps, hold, counters })
    }
}
