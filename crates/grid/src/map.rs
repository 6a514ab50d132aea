use std::{
    ops::ControlFlow::{self, Break, Continue},
    sync::atomic::{AtomicU64, Ordering},
};

use pintu_search::{Control, Hold, Stop};

use crate::{
    Cell, Diagonal, Ground, Length, Terrain,
    bits::Bits,
    components::{Pieces, label},
    leaps::Leaps,
    movement::{Rules, Step},
    raster::Raster,
    scale::Scale,
};

/// A map prepared for one way of moving. It never changes: any number of threads can search it at
/// once, each with a [`Scratch`](crate::Scratch) of its own.
///
/// ```
/// use pintu_grid::{Cell, Diagonal, Map, Outcome, Scratch, Terrain};
///
/// let terrain: Terrain = "S#.\n.#.\n..G\n".parse().unwrap();
/// let map = Map::new(&terrain, Diagonal::NoCorners);
/// let mut scratch = Scratch::new();
/// let report = map.shortest(Cell::new(0, 0), &[Cell::new(2, 2)], &mut scratch, ()).unwrap();
/// assert_eq!(report.length().unwrap().to_string(), "4");
/// assert_eq!(scratch.path().len(), 5);
/// ```
#[derive(Clone)]
pub struct Map {
    /// Tells maps apart; only clones share it.
    pub(crate) id: u64,
    pub(crate) rows: u32,
    pub(crate) cols: u32,
    /// Cells are numbered with a blocked border: the right end of a row and the left end of the next
    /// share theirs.
    pub(crate) stride: usize,
    /// 2⁶⁴ / stride, rounded up: divides by multiplying.
    reciprocal: u64,
    pub(crate) diagonal: Diagonal,
    pub(crate) rules: Rules,
    /// For each cell, which of the cells around it can be entered from it (were there no corners).
    pub(crate) around: Vec<u8>,
    /// What each cell costs, where they differ.
    pub(crate) weights: Option<Weights>,
    /// What divides the costs of all cells: searches count in this. On uniform ground it is the cost itself.
    pub(crate) unit: u64,
    /// The least cost of a cell, in units.
    pub(crate) least_cost: u64,
    /// The greatest cost of a cell, in units.
    pub(crate) greatest_cost: u64,
    /// Whether all free cells are land, or all are water.
    pub(crate) is_one_domain: bool,
    /// Which cells are connected.
    pub(crate) pieces: Pieces,
    /// The free cells by rows and by columns, if jump points can be looked for in them.
    pub(crate) lines: Option<Lines>,
    /// The free cells by rows, where they are searched many at a time.
    pub(crate) raster: Option<Raster>,
    /// Where the jump points lie, unless the memory is needed otherwise.
    pub(crate) leaps: Option<Leaps>,
    pub(crate) free_cells: usize,
    /// How many cells have an obstacle that can make them jump points.
    pub(crate) corner_cells: usize,
}

/// The costs of a map on which they differ.
#[derive(Clone)]
pub(crate) struct Weights {
    /// The kind of ground of each cell, and whether all free cells around are of that kind too
    /// ([`EVEN`]).
    kinds: Vec<u8>,
    /// What each kind costs, in units of the map.
    costs: [u64; 128],
}

/// The bit that says that the free cells of a three by three window all cost the same.
const EVEN: u8 = 128;

impl Weights {
    #[inline]
    pub(crate) fn cost(&self, index: usize) -> u64 {
        self.cost_of_kind(self.kind(index))
    }

    /// The kind of ground, and whether it is even.
    #[inline]
    pub(crate) fn kind(&self, index: usize) -> u8 {
        self.kinds[index]
    }

    #[inline]
    pub(crate) fn cost_of_kind(&self, kind: u8) -> u64 {
        self.costs[usize::from(kind & !EVEN)]
    }

    /// Whether the cell and the free cells around it cost the same.
    #[inline]
    pub(crate) fn is_even(&self, index: usize) -> bool {
        self.kinds[index] & EVEN != 0
    }
}

/// The free cells, a bit each.
#[derive(Clone)]
pub(crate) struct Lines {
    /// Bit `index`, as everywhere.
    pub(crate) across: Bits,
    /// Rows and columns exchanged.
    pub(crate) down: Bits,
    /// The distance between two neighbouring columns in `down`.
    pub(crate) down_stride: usize,
}

static LAST_ID: AtomicU64 = AtomicU64::new(0);

impl Map {
    /// Prepares a map for one way of moving.
    pub fn new(terrain: &Terrain, diagonal: Diagonal) -> Self {
        match Self::within(terrain, diagonal, &mut Control::unlimited().hold()) {
            Continue(map) => map,
            Break(why) => unreachable!("nothing limits it: {why}"),
        }
    }

    /// Prepares a map within a limit on memory. The hold is asked for everything before it is taken, and is left with
    /// what the map [holds](Self::bytes) besides what it had.
    pub fn within(terrain: &Terrain, diagonal: Diagonal, hold: &mut Hold) -> ControlFlow<Stop, Self> {
        let before = hold.bytes();
        let mut map = Self::of_size(terrain.rows(), terrain.cols(), diagonal);
        let prepared = map.prepare(terrain, hold);
        hold.set(before + if prepared.is_continue() { map.bytes() as u64 } else { 0 })?;
        prepared.map_continue(|()| map)
    }

    /// A map of which nothing is known yet.
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
            weights: None,
            unit: 1,
            least_cost: 1,
            greatest_cost: 1,
            is_one_domain: true,
            pieces: Pieces::Several(Vec::new()),
            leaps: None,
            lines: None,
            raster: None,
            free_cells: 0,
            corner_cells: 0,
            rules: Rules::new(diagonal),
        }
    }

    fn prepare(&mut self, terrain: &Terrain, hold: &mut Hold) -> ControlFlow<Stop> {
        let numbers = self.numbers() as u64;
        hold.more(size_of::<Self>() as u64 + 2 * numbers)?;
        let domains = self.domains(terrain);
        self.is_one_domain = !domains.contains(&1) || !domains.contains(&2);
        self.around = self.look_around(&domains);
        self.weigh(terrain, hold)?;
        self.pieces = label(self, &domains, hold)?;
        drop(domains);
        hold.less(numbers);
        self.draw_lines(terrain, hold)?;
        if self.lines.is_some() && self.diagonal == Diagonal::Never {
            hold.more(Raster::bytes_of(self))?;
            self.raster = Some(Raster::new(self));
        }
        if self.lines.is_some() && !matches!(self.pieces, Pieces::Many(_)) {
            hold.more(Leaps::bytes_of(self))?;
            self.leaps = Some(Leaps::new(self));
        }
        self.count_corners();
        Continue(())
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
        self.weights.is_none()
    }

    /// Whether the cell lies on the map.
    pub fn contains(&self, cell: Cell) -> bool {
        cell.row < self.rows && cell.col < self.cols
    }

    /// Whether the cell lies on the map and is not blocked.
    pub fn is_free(&self, cell: Cell) -> bool {
        self.contains(cell) && self.pieces.of(self.index(cell)) != 0
    }

    /// What it costs to enter the cell, if one can.
    pub fn cost(&self, cell: Cell) -> Option<u64> {
        self.is_free(cell).then(|| self.cost_of(self.index(cell)) * self.unit)
    }

    /// Whether there is a path between the cells, known without a search.
    pub fn connected(&self, a: Cell, b: Cell) -> bool {
        self.is_free(a) && self.is_free(b) && self.pieces.of(self.index(a)) == self.pieces.of(self.index(b))
    }

    /// What one legal step costs; `None` if it is none.
    pub fn step(&self, from: Cell, to: Cell) -> Option<Length> {
        if !self.is_free(from) || !self.is_free(to) {
            return None;
        }
        let delta = |from: u32, to: u32| i32::try_from(i64::from(to) - i64::from(from)).ok();
        let step = Step::from_delta(delta(from.row, to.row)?, delta(from.col, to.col)?)?;
        if self.rules.legal[usize::from(self.around[self.index(from)])] >> step as u8 & 1 == 0 {
            return None;
        }
        let cost = self.cost_of(self.index(to)) * self.unit;
        Some(if step.is_diagonal() { Length::new(0, cost) } else { Length::new(cost, 0) })
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
        let lines = self.lines.as_ref().map_or(0, |lines| lines.across.size() + lines.down.size());
        let leaps = self.leaps.as_ref().map_or(0, Leaps::bytes);
        let raster = self.raster.as_ref().map_or(0, Raster::bytes);
        let kinds = self.weights.as_ref().map_or(0, |weights| weights.kinds.capacity());
        size_of::<Self>() + self.around.capacity() + self.pieces.bytes() + kinds + lines + raster + leaps
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

    /// What it costs to enter a cell, in units.
    #[inline]
    pub(crate) fn cost_of(&self, index: usize) -> u64 {
        self.weights.as_ref().map_or(self.least_cost, |weights| weights.cost(index))
    }

    /// How many numbers there are, the border's included.
    pub(crate) fn numbers(&self) -> usize {
        (self.rows as usize + 2) * self.stride + 2
    }

    /// What each step adds to a cell's number.
    pub(crate) fn offsets(&self) -> [isize; 8] {
        Step::ALL.map(|step| {
            let (row, col) = step.delta();
            row as isize * self.stride as isize + col as isize
        })
    }

    /// The integers for straight and diagonal steps: `with_diagonals` where there are any.
    pub(crate) fn scale(&self, with_diagonals: Scale) -> Scale {
        if self.diagonal == Diagonal::Never { Scale::WHOLE } else { with_diagonals }
    }

    /// The length of a path along these cells, which are a legal step apart, if it fits.
    pub(crate) fn length_of(&self, path: &[Cell]) -> Option<Length> {
        let (mut straight, mut diagonal) = (0_u64, 0_u64);
        for pair in path.windows(2) {
            let cost = self.weights.as_ref().map_or(1, |weights| weights.cost(self.index(pair[1])));
            let is_straight = pair[0].row == pair[1].row || pair[0].col == pair[1].col;
            let sum = if is_straight { &mut straight } else { &mut diagonal };
            *sum = sum.checked_add(cost)?;
        }
        Length::new(straight, diagonal).times(self.unit)
    }

    fn look_around(&self, domains: &[u8]) -> Vec<u8> {
        let offsets = self.offsets();
        let mut around = vec![0; self.numbers()];
        for row in 0..self.rows {
            for col in 0..self.cols {
                let index = self.index(Cell::new(row, col));
                if domains[index] != 0 {
                    let same = |step: &usize| domains[index.wrapping_add_signed(offsets[*step])] == domains[index];
                    around[index] = (0..8).filter(same).fold(0, |set, step| set | 1 << step);
                }
            }
        }
        around
    }

    /// 0 for blocked cells, 1 for land, 2 for water.
    fn domains(&self, terrain: &Terrain) -> Vec<u8> {
        let mut domains = vec![0; self.numbers()];
        for row in 0..self.rows {
            let first = self.index(Cell::new(row, 0));
            for (domain, &symbol) in domains[first..].iter_mut().zip(terrain.row(row)) {
                *domain = match terrain.legend()[usize::from(symbol)] {
                    Ground::Blocked => 0,
                    Ground::Land(_) => 1,
                    Ground::Water(_) => 2,
                };
            }
        }
        domains
    }

    /// Notes what the cells cost.
    fn weigh(&mut self, terrain: &Terrain, hold: &mut Hold) -> ControlFlow<Stop> {
        let mut used = [false; 256];
        for row in 0..self.rows {
            terrain.row(row).iter().for_each(|&symbol| used[usize::from(symbol)] = true);
        }
        let cost = |symbol: usize| terrain.legend()[symbol].cost().map_or(0, u64::from);
        let costs = || (0..256).filter(|&symbol| used[symbol] && cost(symbol) > 0).map(cost);
        self.unit = costs().reduce(greatest_divisor).unwrap_or(1);
        self.least_cost = costs().min().unwrap_or(1) / self.unit;
        self.greatest_cost = costs().max().unwrap_or(1) / self.unit;
        if self.least_cost == self.greatest_cost {
            return Continue(());
        }
        hold.more(self.numbers() as u64)?;
        let mut weights =
            Weights { kinds: vec![0; self.numbers()], costs: std::array::from_fn(|symbol| cost(symbol) / self.unit) };
        for row in 0..self.rows {
            let first = self.index(Cell::new(row, 0));
            weights.kinds[first..first + self.cols as usize].copy_from_slice(terrain.row(row));
        }
        self.mark_even(&mut weights);
        self.weights = Some(weights);
        Continue(())
    }

    fn mark_even(&self, weights: &mut Weights) {
        let offsets = self.offsets();
        for index in self.stride..weights.kinds.len() - self.stride - 2 {
            let (around, cost) = (self.around[index], weights.cost(index));
            let same = |step: &usize| weights.cost(index.wrapping_add_signed(offsets[*step])) == cost;
            if cost > 0 && (0..8).filter(|step| around >> step & 1 == 1).all(|step| same(&step)) {
                weights.kinds[index] |= EVEN;
            }
        }
    }

    /// Jump points are looked for where all free cells cost the same and belong together.
    fn draw_lines(&mut self, terrain: &Terrain, hold: &mut Hold) -> ControlFlow<Stop> {
        let has_water = |row| {
            terrain.row(row).iter().any(|&symbol| matches!(terrain.legend()[usize::from(symbol)], Ground::Water(_)))
        };
        if self.weights.is_some() || (0..self.rows).any(has_water) {
            return Continue(());
        }
        let down_stride = self.rows as usize + 1;
        let down = (self.cols as usize + 2) * down_stride + 2;
        hold.more(Bits::bytes_of(self.numbers()) + Bits::bytes_of(down))?;
        let (mut across, mut down) = (Bits::new(self.numbers()), Bits::new(down));
        for row in 0..self.rows {
            for col in 0..self.cols {
                let index = self.index(Cell::new(row, col));
                if self.pieces.of(index) != 0 {
                    across.set(index);
                    down.set((col as usize + 1) * down_stride + row as usize + 1);
                }
            }
        }
        self.lines = Some(Lines { across, down, down_stride });
        Continue(())
    }

    fn count_corners(&mut self) {
        let open = &self.rules.needed;
        let forced = |around: u8| {
            let around = usize::from(around);
            (0..4).any(|step| open[step][around] & !open[step][255] != 0)
        };
        let is_corner: Vec<bool> = (0..=u8::MAX).map(forced).collect();
        let free = || (0..self.around.len()).filter(|&index| self.pieces.of(index) != 0);
        let corners = free().filter(|&index| is_corner[usize::from(self.around[index])]).count();
        self.free_cells = free().count();
        self.corner_cells = corners;
    }
}

fn greatest_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_divisor(b, a % b) }
}
