//! The rows of a table: one for each set of cells and each region that the blank may be in.

use super::rank::SetRanks;
use crate::Topology;

/// Numbers the pairs of a set of cells, held by the tiles of a pattern, and a region: cells between
/// which the blank can travel without moving one of those tiles.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub(crate) ranks: SetRanks,
    cells: usize,
    /// For each set and each cell, the row if the blank is in that cell.
    row_of: Vec<u32>,
    count: usize,
}

/// No row: the cell belongs to the set.
pub(crate) const NO_ROW: u32 = u32::MAX;

impl Rows {
    pub(crate) fn new(topology: Topology, tiles: usize) -> Self {
        let cells = topology.cells();
        let ranks = SetRanks::new(cells, tiles);
        let beside = neighbour_masks(topology);
        let mut row_of = Vec::with_capacity(ranks.count() * cells);
        let mut count = 0;
        for mask in ranks.masks() {
            let first = row_of.len();
            row_of.resize(first + cells, NO_ROW);
            let mut free = all(cells) & !mask;
            while free != 0 {
                let region = flood(free & free.wrapping_neg(), free, &beside);
                free &= !region;
                for cell in bits(region) {
                    row_of[first + cell] = count;
                }
                count += 1;
            }
        }
        Self { ranks, cells, row_of, count: count as usize }
    }

    /// How many rows there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The row of a set with the blank in `cell`.
    #[inline]
    pub(crate) fn row(&self, mask: u64, cell: usize) -> usize {
        self.row_of[self.ranks.rank(mask) * self.cells + cell] as usize
    }

    /// The rows of the set with this rank, cell by cell.
    pub(crate) fn of_set(&self, rank: usize) -> &[u32] {
        &self.row_of[rank * self.cells..][..self.cells]
    }

    /// The bytes that it holds.
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(&self.row_of[..]) as u64
    }
}

/// For each cell, the mask of its neighbours.
pub(crate) fn neighbour_masks(topology: Topology) -> Vec<u64> {
    (0..topology.cells()).map(|cell| topology.neighbours(cell).fold(0, |mask, next| mask | 1 << next)).collect()
}

/// The cells of a mask, from the lowest.
pub(crate) fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        bit
    })
}

fn all(cells: usize) -> u64 {
    if cells == 64 { u64::MAX } else { (1 << cells) - 1 }
}

/// The cells of `free` that can be reached from `seed`.
fn flood(seed: u64, free: u64, beside: &[u64]) -> u64 {
    let mut region = seed;
    let mut edge = seed;
    while edge != 0 {
        let reached = bits(edge).fold(0, |mask, cell| mask | beside[cell]);
        edge = reached & free & !region;
        region |= edge;
    }
    region
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;

    #[test]
    fn regions_are_what_the_blank_can_reach() {
        let topology = Topology::plain(Size::new(3, 3).unwrap());
        let rows = Rows::new(topology, 3);
        let column = 1 << 1 | 1 << 4 | 1 << 7;
        assert_eq!(rows.row(column, 0), rows.row(column, 6));
        assert_ne!(rows.row(column, 0), rows.row(column, 2));
        let corner = 1 << 1 | 1 << 3 | 1 << 8;
        assert_ne!(rows.row(corner, 0), rows.row(corner, 4));
        let wrapped = Rows::new(Topology::wrapped(Size::new(3, 3).unwrap(), [0], []).unwrap(), 3);
        assert_eq!(wrapped.row(column, 0), wrapped.row(column, 2));
        assert!(wrapped.count() < rows.count());
    }
}
