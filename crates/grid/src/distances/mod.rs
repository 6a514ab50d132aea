mod nearest;
mod sources;
mod spread;

use std::{fmt, ops::ControlFlow, sync::Arc};

use pintu_search::{Counters, Hold, Run};

use self::spread::Spread;
use crate::{
    Cell, Length, Map, Measure, QueryError, Scratch,
    movement::Step,
    number::{Huge, Number},
    query::check_cells,
    scale::Scale,
};

/// Which way the paths of a distance map lead. It matters on terrain, for a step costs what the cell
/// does that it enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toward {
    /// From the one cell, or the nearest of several, to all others.
    Others,
    /// From all others to the one cell, or the nearest of several: a flow field, as tower-defence games use.
    Cell,
}

/// How far every cell of a map is from one of them, or from the nearest of several, and which way the shortest paths lead.
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
/// Clones share one memory, which counts as held by the control of the search for as long as one of them exists.
#[derive(Clone)]
#[must_use]
pub struct Distances {
    sheet: Arc<Sheet>,
    /// What the search did.
    pub counters: Counters,
}

/// What is known of all cells.
struct Sheet {
    rows: u32,
    cols: u32,
    toward: Toward,
    scale: Scale,
    unit: u64,
    numbers: Numbers,
    steps: Vec<u8>,
    too_dear: Vec<Cell>,
    hold: Hold,
}

/// The number of each cell, in as few bits as do; the greatest where there is no path.
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
        self.sheet.rows
    }

    /// The number of columns.
    pub fn cols(&self) -> u32 {
        self.sheet.cols
    }

    /// Which way the paths lead.
    pub fn toward(&self) -> Toward {
        self.sheet.toward
    }

    /// How far the cell is; `None` if there is no path, or it is not on the map.
    pub fn length(&self, cell: Cell) -> Option<Length> {
        self.sheet.length(cell)
    }

    /// With [`Toward::Cell`], the step to take here; with [`Toward::Others`], the step by which a shortest
    /// path arrives here. `None` at the one cell itself and where there is no path.
    pub fn step(&self, cell: Cell) -> Option<Step> {
        Step::ALL.get(usize::from(self.sheet.steps[self.sheet.index(cell)?])).copied()
    }

    /// A shortest path, both ends included: with [`Toward::Cell`] from here to the one cell, with [`Toward::Others`]
    /// from the one cell to here. `None` where there is no [length](Self::length).
    ///
    /// ```
    /// use pintu_grid::{Cell, Diagonal, Map, Scratch, Terrain, Toward};
    ///
    /// let terrain: Terrain = "...\n.#.\n".parse().unwrap();
    /// let map = Map::new(&terrain, Diagonal::Never);
    /// let field = map.distances(Cell::new(1, 0), Toward::Others, &mut Scratch::new(), ()).unwrap();
    /// assert_eq!(field.path(Cell::new(0, 1)).unwrap(), [(1, 0), (0, 0), (0, 1)].map(Cell::from));
    /// assert_eq!(field.path(Cell::new(1, 1)), None);
    /// ```
    pub fn path(&self, cell: Cell) -> Option<Vec<Cell>> {
        self.length(cell)?;
        let next = |&at: &Cell| {
            let step = self.step(at)?;
            let (row, col) = if self.toward() == Toward::Cell { step } else { step.back() }.delta();
            Some(at.moved(row, col))
        };
        let mut path: Vec<Cell> = std::iter::successors(Some(cell), next).collect();
        if self.toward() == Toward::Others {
            path.reverse();
        }
        Some(path)
    }

    /// The cells to which a path leads, but none whose length fits: they have no [length](Self::length).
    pub fn too_dear(&self) -> &[Cell] {
        &self.sheet.too_dear
    }
}

impl fmt::Debug for Distances {
    /// What it is, not what each cell says.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sheet { rows, cols, toward, ref hold, .. } = *self.sheet;
        let mut shown = f.debug_struct("Distances");
        shown.field("rows", &rows).field("cols", &cols).field("toward", &toward);
        shown.field("bytes", &hold.bytes()).field("counters", &self.counters).finish_non_exhaustive()
    }
}

impl Sheet {
    fn length(&self, cell: Cell) -> Option<Length> {
        self.numbers.of(self.index(cell)?).and_then(|number| self.scale.decode(number).times(self.unit))
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        let inside = cell.row < self.rows && cell.col < self.cols;
        inside.then_some(cell.row as usize * self.cols as usize + cell.col as usize)
    }
}

impl Map {
    /// The distances of all cells from or to one.
    ///
    /// # Errors
    /// A cell that is not on the map, or [`QueryError::Stopped`] if something ended the search.
    pub fn distances<R: Run<Cell, Measure>>(
        &self,
        cell: Cell,
        toward: Toward,
        scratch: &mut Scratch,
        run: R,
    ) -> Result<Distances, QueryError> {
        self.distances_within(&[cell], toward, None, scratch, run)
    }

    /// The distances of all cells from or to the nearest of several, if that is no further than `most`. Whatever lies
    /// further away is not looked at, and has no length, nor has anything where none of the cells can be stood on.
    ///
    /// ```
    /// use pintu_grid::{Cell, Diagonal, Length, Map, Scratch, Terrain, Toward};
    ///
    /// let terrain: Terrain = ".......\n".parse().unwrap();
    /// let map = Map::new(&terrain, Diagonal::Never);
    /// let wells = [Cell::new(0, 0), Cell::new(0, 5)];
    /// let near = Some(Length::new(2, 0));
    /// let field = map.distances_within(&wells, Toward::Cell, near, &mut Scratch::new(), ()).unwrap();
    /// let lengths = (0..7).map(|col| field.length(Cell::new(0, col)).and_then(Length::whole));
    /// assert!(lengths.eq([Some(0), Some(1), Some(2), Some(2), Some(1), Some(0), Some(1)]));
    /// assert_eq!(field.path(Cell::new(0, 3)).unwrap().last(), Some(&wells[1]));
    /// ```
    ///
    /// # Errors
    /// A cell that is not on the map, or [`QueryError::Stopped`] if something ended the search.
    pub fn distances_within<R: Run<Cell, Measure>>(
        &self,
        cells: &[Cell],
        toward: Toward,
        most: Option<Length>,
        scratch: &mut Scratch,
        run: R,
    ) -> Result<Distances, QueryError> {
        check_cells(self, cells)?;
        let free = cells.iter().filter(|&&cell| self.is_free(cell));
        let mut from: Vec<u32> = free.map(|&cell| self.index(cell) as u32).collect();
        from.sort_unstable();
        from.dedup();
        run.run(|control, observer| {
            let is_within = scratch.is_within();
            let mut hold = scratch.lend(control);
            let mut spread = Spread { map: self, from: &from, toward, most, hold: &mut hold, control, observer };
            let found = spread.in_small_numbers(scratch);
            scratch.take_back(hold, is_within);
            match found {
                ControlFlow::Continue(found) => Ok(found),
                ControlFlow::Break(why) => Err(QueryError::Stopped(why)),
            }
        })
    }
}
