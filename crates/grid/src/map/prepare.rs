//! What is found out about a map once, before anything is searched on it.

use std::ops::ControlFlow::{self, Continue};

use pintu_search::{Hold, Stop};

use super::{
    Map,
    layers::{EVEN, Lines, Weights},
};
use crate::{
    Cell, Diagonal, Ground, Terrain,
    bits::Bits,
    components::{Pieces, label},
    leaps::Leaps,
    raster::Raster,
};

impl Map {
    pub(super) fn prepare(&mut self, terrain: &Terrain, hold: &mut Hold) -> ControlFlow<Stop> {
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
