//! A map's tables, made once before anything is searched on it.

use pintu_search::{Hold, Stop};

use super::Map;
use crate::{Cell, Diagonal, Terrain, TerrainKind, components::label, leaps::Leaps, movement::Step, raster::Raster};

/// The cost of every cell, by its kind.
#[derive(Clone)]
pub(crate) struct CellCosts {
    /// The kind of each cell, which is an index into `costs` (0 if there are many), and [`EVEN`].
    kinds: Vec<u8>,
    /// The kind of each cell, on a map of too many kinds for seven bits.
    many: Option<Vec<u32>>,
    /// The cost of each kind, in units of the map; at least as many as seven bits tell apart.
    costs: Vec<u64>,
}

/// The bit that says that the free cells of a three by three window all cost the same.
const EVEN: u8 = 128;

impl CellCosts {
    #[inline]
    pub(crate) fn cost(&self, index: usize) -> u64 {
        match &self.many {
            None => self.cost_of_kind(self.kind(index)),
            Some(kinds) => self.costs[kinds[index] as usize],
        }
    }

    pub(crate) fn has_many_kinds(&self) -> bool {
        self.many.is_some()
    }

    /// The kind of terrain, and whether it is even.
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

    pub(super) fn bytes(&self) -> usize {
        let many = self.many.as_ref().map_or(0, Vec::capacity);
        self.kinds.capacity() + many * size_of::<u32>() + self.costs.capacity() * size_of::<u64>()
    }
}

/// Tables of a map on which all cells cost the same and none is water.
#[derive(Clone)]
pub(crate) struct Lines {
    /// The free cells by rows.
    pub(crate) across: Raster,
    /// The free cells by columns: rows and columns exchanged.
    down: Raster,
    pub(crate) leaps: Leaps,
    /// With four-way movement, the number of steps from the free cells of each word of `across`, added up.
    steps: Vec<u16>,
}

impl Lines {
    fn new(map: &Map, hold: &mut Hold) -> Result<Self, Stop> {
        let Map { rows, cols, .. } = *map;
        hold.more(Raster::bytes_of(rows, cols) + Raster::bytes_of(cols, rows) + Leaps::bytes_of(map))?;
        let (mut across, mut down) = (Raster::new(rows, cols), Raster::new(cols, rows));
        for row in 0..rows {
            for col in 0..cols {
                if !map.pieces.is_blocked(map.index(Cell::new(row, col))) {
                    across.set(row, col);
                    down.set(col, row);
                }
            }
        }
        let mut steps = Vec::new();
        if map.diagonal == Diagonal::Never {
            hold.reserve(&mut steps, across.rows() * across.words)?;
            steps.resize(across.rows() * across.words, 0);
            for row in 1..=rows as usize {
                for (at, &free) in across.row(row).iter().enumerate() {
                    steps[row * across.words + at] = across.steps_from(row, at, free) as u16;
                }
            }
        }
        Ok(Self { across, down, leaps: Leaps::new(map), steps })
    }

    /// Whether the next `count` cells on a straight line are free.
    #[inline]
    pub(crate) fn is_open(&self, Cell { row, col }: Cell, step: Step, count: u32) -> bool {
        match step {
            Step::Left => self.across.is_open(row as usize + 1, col - count..col),
            Step::Right => self.across.is_open(row as usize + 1, col + 1..col + 1 + count),
            Step::Up => self.down.is_open(col as usize + 1, row - count..row),
            _ => self.down.is_open(col as usize + 1, row + 1..row + 1 + count),
        }
    }

    /// The number of steps from the free cells of each word of a row, with four-way movement.
    #[inline]
    pub(crate) fn steps(&self, row: usize) -> &[u16] {
        &self.steps[row * self.across.words..][..self.across.words]
    }

    pub(super) fn bytes(&self) -> usize {
        self.across.bytes() + self.down.bytes() + self.leaps.bytes() + self.steps.capacity() * size_of::<u16>()
    }
}

impl Map {
    pub(super) fn prepare(&mut self, terrain: &Terrain, hold: &mut Hold) -> Result<(), Stop> {
        let numbers = self.numbers() as u64;
        hold.more(size_of::<Self>() as u64 + 2 * numbers)?;
        let domains = self.domains(terrain);
        let has_water = domains.contains(&2);
        self.is_one_domain = !has_water || !domains.contains(&1);
        self.around = self.look_around(&domains);
        self.weigh(terrain, hold)?;
        self.pieces = label(self, &domains, hold)?;
        drop(domains);
        hold.less(numbers);
        if self.cell_costs.is_none() && !has_water {
            self.lines = Some(Lines::new(self, hold)?);
        }
        self.count_corners();
        Ok(())
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
            terrain.each_of_row(row, |col, kind| {
                domains[first + col] = match terrain.legend()[kind] {
                    TerrainKind::Blocked => 0,
                    TerrainKind::Land(_) => 1,
                    TerrainKind::Water(_) => 2,
                };
            });
        }
        domains
    }

    fn weigh(&mut self, terrain: &Terrain, hold: &mut Hold) -> Result<(), Stop> {
        let legend = terrain.legend();
        let entries = legend.len() as u64;
        let (used_bytes, kind_bytes, cost_bytes) = (entries, entries * size_of::<u32>() as u64, (entries + 1) * 8);
        hold.more(used_bytes + kind_bytes + cost_bytes)?;
        let mut used = vec![false; legend.len()];
        for row in 0..self.rows {
            terrain.each_of_row(row, |_, kind| used[kind] = true);
        }
        let cost = |kind: usize| legend[kind].cost().map_or(0, u64::from);
        // A blocked cell is of the first kind, and costs 0.
        let mut costs = Vec::with_capacity(legend.len() + 1);
        costs.push(0);
        costs.extend((0..legend.len()).filter(|&kind| used[kind]).map(cost));
        costs.sort_unstable();
        costs.dedup();
        self.unit = costs.iter().copied().reduce(greatest_divisor).filter(|&unit| unit > 0).unwrap_or(1);
        for cost in &mut costs {
            *cost /= self.unit;
        }
        self.least_cost = costs.get(1).copied().unwrap_or(1);
        self.greatest_cost = costs.last().copied().filter(|&cost| cost > 0).unwrap_or(1);
        if costs.len() <= 2 {
            hold.less(used_bytes + kind_bytes + cost_bytes);
            return Ok(());
        }
        let by_cost = |entry: usize| costs.binary_search(&(cost(entry) / self.unit)).map_or(0, |kind| kind as u32);
        let kinds_of: Vec<u32> = (0..legend.len()).map(by_cost).collect();
        let has_many_kinds = costs.len() > usize::from(EVEN);
        let numbers = self.numbers();
        hold.more((numbers * if has_many_kinds { 1 + size_of::<u32>() } else { 1 }) as u64)?;
        costs.resize(costs.len().max(EVEN.into()), 0);
        let mut cell_costs =
            CellCosts { kinds: vec![0; numbers], many: has_many_kinds.then(|| vec![0; numbers]), costs };
        for row in 0..self.rows {
            let first = self.index(Cell::new(row, 0));
            match &mut cell_costs.many {
                None => terrain.each_of_row(row, |col, kind| cell_costs.kinds[first + col] = kinds_of[kind] as u8),
                Some(kinds) => terrain.each_of_row(row, |col, kind| kinds[first + col] = kinds_of[kind]),
            }
        }
        hold.less(used_bytes + kind_bytes);
        self.mark_even(&mut cell_costs);
        self.cell_costs = Some(cell_costs);
        Ok(())
    }

    fn mark_even(&self, cell_costs: &mut CellCosts) {
        let offsets = self.offsets();
        for index in self.stride..cell_costs.kinds.len() - self.stride - 2 {
            let (around, cost) = (self.around[index], cell_costs.cost(index));
            let same = |step: &usize| cell_costs.cost(index.wrapping_add_signed(offsets[*step])) == cost;
            if cost > 0 && (0..8).filter(|step| around >> step & 1 == 1).all(|step| same(&step)) {
                cell_costs.kinds[index] |= EVEN;
            }
        }
    }

    fn count_corners(&mut self) {
        let open = &self.rules.needed;
        let forced = |around: u8| {
            let around = usize::from(around);
            (0..4).any(|step| open[step][around] & !open[step][255] != 0)
        };
        let is_corner: Vec<bool> = (0..=u8::MAX).map(forced).collect();
        let free = || (0..self.around.len()).filter(|&index| !self.pieces.is_blocked(index));
        let corners = free().filter(|&index| is_corner[usize::from(self.around[index])]).count();
        self.free_cells = free().count();
        self.corner_cells = corners;
    }
}

fn greatest_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_divisor(b, a % b) }
}
