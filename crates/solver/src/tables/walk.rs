//! A walk of a pattern's tiles to their goal cells, by what their table holds.

use pintu_tiles::Distances;

use super::{
    Table,
    rank::order_rank,
    residue::Residue,
    rows::{bits, neighbour_masks},
};

/// Tiles on their way.
pub(crate) struct WalkHome<'a> {
    table: &'a Table,
    cells: Vec<u8>,
    row: usize,
    beside: Vec<u64>,
    distances: Distances,
}

impl<'a> WalkHome<'a> {
    pub(crate) fn new(table: &'a Table, cells: &[u8], blank: usize) -> Self {
        let topology = table.pattern.topology();
        Self {
            table,
            cells: cells.to_vec(),
            row: table.rows.row(mask(cells), blank),
            beside: neighbour_masks(topology),
            distances: topology.distances(),
        }
    }

    pub(crate) fn is_home(&self) -> bool {
        let pattern = &self.table.pattern;
        self.cells == pattern.tiles() && self.row == self.table.rows.row(pattern.mask(), pattern.blank())
    }

    /// Makes a move after which one move less is left. False if there is none, as in a damaged table.
    pub(crate) fn approach(&mut self) -> bool {
        let here = self.residue(&self.cells, self.row);
        let taken = mask(&self.cells);
        for tile in 0..self.cells.len() {
            let from = self.cells[tile];
            for to in bits(self.beside[usize::from(from)] & !taken) {
                if self.table.rows.row(taken, to) != self.row {
                    continue;
                }
                self.cells[tile] = to as u8;
                let row = self.table.rows.row(mask(&self.cells), usize::from(from));
                let modulus = self.modulus();
                if self.residue(&self.cells, row) == (here + modulus - 1) % modulus {
                    self.row = row;
                    return true;
                }
                self.cells[tile] = from;
            }
        }
        false
    }

    fn modulus(&self) -> u32 {
        match self.table.pattern.residue() {
            Residue::Parity => 4,
            Residue::Three => 3,
        }
    }

    /// The remainder of the moves left by the modulus. Where only the second bit is held, the first is
    /// that of the tiles' distances.
    fn residue(&self, cells: &[u8], row: usize) -> u32 {
        let held = u32::from(self.table.held(row, order_rank(cells)));
        match self.table.pattern.residue() {
            Residue::Parity => {
                let pairs = cells.iter().zip(self.table.pattern.tiles());
                let far: usize = pairs.map(|(&at, &home)| self.distances.between(at.into(), home.into())).sum();
                2 * held + far as u32 % 2
            }
            Residue::Three => held,
        }
    }
}

fn mask(cells: &[u8]) -> u64 {
    cells.iter().fold(0, |mask, cell| mask | 1 << cell)
}
