mod prepare;

use std::{
    fmt,
    sync::atomic::{AtomicU64, Ordering},
};

use pintu_search::{Control, Hold, Stop};

pub(crate) use self::prepare::{CellCosts, Lines};
use crate::{
    Cell, Diagonal, Length, Terrain,
    components::Pieces,
    movement::{Rules, Step},
    scale::{Number, Scale},
};

/// A map prepared for one corner rule. It never changes: any number of threads can search it at
/// once, each with a [`Scratch`](crate::Scratch) of its own.
#[derive(Clone)]
#[must_use]
pub struct Map {
    /// Identifies the map; only clones share it.
    pub(crate) id: u64,
    pub(crate) rows: u32,
    pub(crate) cols: u32,
    /// Cells are numbered with a blocked border: the right end of a row and the left end of the next
    /// share theirs.
    pub(crate) stride: usize,
    /// 2⁶⁴ / stride, rounded up: a division by the stride is a multiplication by this.
    reciprocal: u64,
    pub(crate) diagonal: Diagonal,
    pub(crate) rules: Rules,
    /// For each cell, the set of neighbours that can be entered from it, corner rules apart.
    pub(crate) around: Vec<u8>,
    /// The cost of each cell, where they differ.
    pub(crate) cell_costs: Option<CellCosts>,
    /// The greatest common divisor of all costs (their common value, if all are equal), in which searches count.
    pub(crate) unit: u64,
    pub(crate) least_cost: u64,
    pub(crate) greatest_cost: u64,
    /// Whether all free cells are land, or all are water.
    pub(crate) is_one_domain: bool,
    pub(crate) pieces: Pieces,
    /// Tables of jump point search and of A* by levels, where these can search.
    pub(crate) lines: Option<Lines>,
    pub(crate) free_cells: usize,
    /// The number of cells with an obstacle that can make them jump points.
    pub(crate) corner_cells: usize,
}

impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows, cols, diagonal, free_cells, .. } = self;
        let mut shown = f.debug_struct("Map");
        shown.field("rows", rows).field("cols", cols).field("diagonal", diagonal).field("free_cells", free_cells);
        shown.field("is_uniform", &self.is_uniform()).field("bytes", &self.bytes()).finish_non_exhaustive()
    }
}

static LAST_ID: AtomicU64 = AtomicU64::new(0);

impl Map {
    /// Prepares a map for one corner rule.
    pub fn new(terrain: &Terrain, diagonal: Diagonal) -> Self {
        match Self::within(terrain, diagonal, &mut Control::unlimited().hold()) {
            Ok(map) => map,
            Err(why) => unreachable!("nothing limits it: {why}"),
        }
    }

    /// Prepares a map within a limit on memory. All memory is reserved in `hold` before it is allocated; what the map
    /// [holds](Self::bytes) stays reserved.
    #[doc(hidden)]
    pub fn within(terrain: &Terrain, diagonal: Diagonal, hold: &mut Hold) -> Result<Self, Stop> {
        let before = hold.bytes();
        let mut map = Self::of_size(terrain.rows(), terrain.cols(), diagonal);
        let prepared = map.prepare(terrain, hold);
        hold.set(before + if prepared.is_ok() { map.bytes() as u64 } else { 0 })?;
        prepared.map(|()| map)
    }

    /// A map without tables.
    fn of_size(rows: u32, cols: u32, diagonal: Diagonal) -> Self {
        let stride = cols as usize + 1;
        Self {
            id: LAST_ID.fetch_add(1, Ordering::Relaxed) + 1,
            rows,
            cols,
            stride,
            reciprocal: (u64::MAX / stride as u64) + 1,
            diagonal,
            around: Vec::new(),
            cell_costs: None,
            unit: 1,
            least_cost: 1,
            greatest_cost: 1,
            is_one_domain: true,
            pieces: Pieces::default(),
            lines: None,
            free_cells: 0,
            corner_cells: 0,
            rules: Rules::new(diagonal),
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The number of columns.
    pub fn cols(&self) -> u32 {
        self.cols
    }

    /// How one moves on it.
    pub fn diagonal(&self) -> Diagonal {
        self.diagonal
    }

    /// Whether every cell that can be entered costs the same.
    pub fn is_uniform(&self) -> bool {
        self.cell_costs.is_none()
    }

    /// Whether the cell lies on the map.
    pub fn contains(&self, cell: Cell) -> bool {
        cell.row < self.rows && cell.col < self.cols
    }

    /// Whether the cell lies on the map and is not blocked.
    pub fn is_free(&self, cell: Cell) -> bool {
        self.contains(cell) && !self.pieces.is_blocked(self.index(cell))
    }

    /// Whether there is a path between the cells, known without a search.
    pub fn connected(&self, a: Cell, b: Cell) -> bool {
        self.is_free(a) && self.is_free(b) && self.pieces.of(self.index(a)) == self.pieces.of(self.index(b))
    }

    /// The steps that can be taken from a cell.
    pub fn steps(&self, from: Cell) -> impl Iterator<Item = (Step, Cell)> + '_ {
        let free = self.is_free(from);
        let legal = if free { self.rules.legal[usize::from(self.around[self.index(from)])] } else { 0 };
        Step::ALL.into_iter().filter(move |&step| legal >> step as u8 & 1 == 1).map(move |step| {
            let (row, col) = step.delta();
            (step, from.moved(row, col))
        })
    }

    /// The bytes that the map holds.
    pub fn bytes(&self) -> usize {
        let lines = self.lines.as_ref().map_or(0, Lines::bytes);
        let cell_costs = self.cell_costs.as_ref().map_or(0, CellCosts::bytes);
        size_of::<Self>() + self.around.capacity() + self.pieces.bytes() + cell_costs + lines
    }

    #[inline]
    pub(crate) fn index(&self, cell: Cell) -> usize {
        (cell.row as usize + 1) * self.stride + cell.col as usize + 1
    }

    /// The cell with a number that is not in the border.
    #[inline]
    pub(crate) fn cell(&self, index: u32) -> Cell {
        let row = ((u128::from(index) * u128::from(self.reciprocal)) >> 64) as u32;
        Cell { row: row.wrapping_sub(1), col: (index - row * self.stride as u32).wrapping_sub(1) }
    }

    #[inline]
    pub(crate) fn cost_of(&self, index: usize) -> u64 {
        self.cell_costs.as_ref().map_or(self.least_cost, |cell_costs| cell_costs.cost(index))
    }

    /// The number of cell numbers, the border's included.
    pub(crate) fn numbers(&self) -> usize {
        (self.rows as usize + 2) * self.stride + 2
    }

    pub(crate) fn offsets(&self) -> [isize; 8] {
        Step::ALL.map(|step| {
            let (row, col) = step.delta();
            row as isize * self.stride as isize + col as isize
        })
    }

    /// The integers for straight and diagonal steps, in costs of type `N`.
    pub(crate) fn scale<N: Number>(&self) -> Scale {
        if self.diagonal == Diagonal::Never { Scale::WHOLE } else { N::SCALE }
    }

    /// The length of a step onto a cell that costs `cost` units.
    pub(crate) fn length_of_step(&self, step: Step, cost: u64) -> Length {
        let cost = cost * self.unit;
        if step.is_diagonal() { Length::new(0, cost) } else { Length::new(cost, 0) }
    }

    /// The length of a path along these cells, which are a legal step apart, if it fits.
    pub(crate) fn length_of(&self, path: &[Cell]) -> Option<Length> {
        let (mut straight, mut diagonal) = (0_u64, 0_u64);
        for pair in path.windows(2) {
            let cost = self.cell_costs.as_ref().map_or(1, |cell_costs| cell_costs.cost(self.index(pair[1])));
            let is_straight = pair[0].row == pair[1].row || pair[0].col == pair[1].col;
            let sum = if is_straight { &mut straight } else { &mut diagonal };
            *sum = sum.checked_add(cost)?;
        }
        Length::new(straight, diagonal).times(self.unit)
    }
}
