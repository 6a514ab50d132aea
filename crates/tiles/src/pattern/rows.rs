//! The rows of a table: one for each set of cells and each region that the blank may be in.

use super::rank::{HalfRanks, SetRanks};
use crate::Topology;

/// Numbers the pairs of a set of cells, held by the tiles of a pattern, and a region: cells between
/// which the blank can travel without moving one of those tiles.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub(crate) ranks: SetRanks,
    sets: Sets,
    count: usize,
}

/// For each set, its first row and the number of each cell's region.
#[derive(Clone, Debug)]
pub(crate) enum Sets {
    /// For boards of up to 16 cells.
    Small(SmallSets),
    /// For boards of up to 26 cells.
    Medium(MediumSets),
    /// For boards with more cells or tables with more rows: the row of each cell.
    Wide { cells: usize, rows: Vec<u32> },
}

/// The sets of boards of up to 16 cells.
#[derive(Clone, Debug)]
pub(crate) struct SmallSets {
    ranks: HalfRanks<{ 1 << 8 }>,
    /// Four bits a cell for its region, and the first row.
    sets: Vec<(u64, u32)>,
}

/// The sets of boards of up to 26 cells, of which there are so many that they are kept small: of a set's regions
/// all but the first three count as one, which makes the tables hold a little less than they could, and never
/// too much.
#[derive(Clone, Debug)]
pub(crate) struct MediumSets {
    ranks: HalfRanks<{ 1 << 13 }>,
    /// Two bits a cell for its region, and from [`FIRST`](Self::FIRST) on how far the first row is from that of
    /// the block.
    sets: Vec<u64>,
    /// The first row of each block of sets.
    blocks: Vec<u32>,
}

impl SmallSets {
    pub(crate) fn sets(&self) -> &[(u64, u32)] {
        &self.sets
    }

    /// The rank of a set.
    #[inline]
    pub(crate) fn rank(&self, mask: u16) -> usize {
        self.ranks.rank(mask.into())
    }

    /// The row of the set with this rank, with the blank in `cell`.
    #[inline]
    pub(crate) fn row(&self, rank: usize, cell: usize) -> usize {
        let (regions, first) = self.sets[rank];
        first as usize + (regions >> (4 * cell) & 15) as usize
    }

    fn push(&mut self, first: usize, regions: impl Iterator<Item = u64>) -> usize {
        let mut set = 0;
        let mut count = 0;
        for region in regions {
            set |= bits(region).fold(0, |set, cell| set | (count as u64) << (4 * cell));
            count += 1;
        }
        self.sets.push((set, first as u32));
        count
    }
}

impl MediumSets {
    const BLOCK: usize = 256;
    const FIRST: usize = 52;
    const MAX_REGIONS: usize = 4;

    pub(crate) fn sets(&self) -> &[u64] {
        &self.sets
    }

    /// The rank of a set.
    #[inline]
    pub(crate) fn rank(&self, mask: u32) -> usize {
        self.ranks.rank(mask as usize)
    }

    /// The row of the set with this rank, with the blank in `cell`.
    #[inline]
    pub(crate) fn row(&self, rank: usize, cell: usize) -> usize {
        let set = self.sets[rank];
        self.first_row(rank, set) + (set >> (2 * cell) & 3) as usize
    }

    #[inline]
    fn first_row(&self, rank: usize, set: u64) -> usize {
        self.blocks[rank / Self::BLOCK] as usize + (set >> Self::FIRST) as usize
    }

    fn push(&mut self, first: usize, regions: impl Iterator<Item = u64>) -> usize {
        if self.sets.len().is_multiple_of(Self::BLOCK) {
            self.blocks.push(first as u32);
        }
        let mut set = (first - self.blocks[self.sets.len() / Self::BLOCK] as usize) as u64;
        set <<= Self::FIRST;
        let mut count = 0;
        for region in regions {
            let number = count.min(Self::MAX_REGIONS - 1);
            set |= bits(region).fold(0, |set, cell| set | (number as u64) << (2 * cell));
            count = number + 1;
        }
        self.sets.push(set);
        count
    }
}

/// A table of more sets than this is laid out wide.
const MOST_SETS: usize = 1 << 20;

impl Rows {
    pub(crate) fn new(topology: Topology, tiles: usize) -> Self {
        let cells = topology.cells();
        let ranks = SetRanks::new(cells, tiles);
        let beside = neighbour_masks(topology);
        let mut count = 0;
        let few = ranks.count() < MOST_SETS;
        let mut sets = match cells {
            0..=16 if few => Sets::Small(SmallSets { ranks: HalfRanks::new(tiles), sets: Vec::new() }),
            17..=26 if few => {
                Sets::Medium(MediumSets { ranks: HalfRanks::new(tiles), sets: Vec::new(), blocks: Vec::new() })
            }
            _ => Sets::Wide { cells, rows: Vec::with_capacity(ranks.count() * cells) },
        };
        for mask in ranks.masks() {
            count += sets.push(count, regions(all(cells) & !mask, &beside));
        }
        Self { ranks, sets, count }
    }

    /// How many rows there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The row of a set with the blank in `cell`, which is not in the set.
    #[inline]
    pub(crate) fn row(&self, mask: u64, cell: usize) -> usize {
        self.row_of_set(self.ranks.rank(mask), cell)
    }

    /// The row of the set with this rank, with the blank in `cell`.
    #[inline]
    pub(crate) fn row_of_set(&self, rank: usize, cell: usize) -> usize {
        match &self.sets {
            Sets::Small(small) => small.row(rank, cell),
            Sets::Medium(medium) => medium.row(rank, cell),
            Sets::Wide { cells, rows } => rows[rank * cells + cell] as usize,
        }
    }

    /// The first row of the set with this rank; for the rank after the last one, the number of rows.
    pub(crate) fn first_of_set(&self, rank: usize) -> usize {
        let first = match &self.sets {
            Sets::Small(small) => small.sets.get(rank).map(|&(_, first)| first as usize),
            Sets::Medium(medium) => medium.sets.get(rank).map(|&set| medium.first_row(rank, set)),
            Sets::Wide { cells, rows } => {
                let row = rows.get(rank * cells..).and_then(|rest| rest.iter().take(*cells).min());
                row.map(|&row| row as usize)
            }
        };
        first.unwrap_or(self.count)
    }

    /// How they are laid out.
    pub(crate) fn sets(&self) -> &Sets {
        &self.sets
    }

    /// The bytes that it holds.
    pub(crate) fn bytes(&self) -> u64 {
        let bytes = match &self.sets {
            Sets::Small(small) => size_of_val(&small.sets[..]),
            Sets::Medium(medium) => size_of_val(&medium.sets[..]) + size_of_val(&medium.blocks[..]),
            Sets::Wide { rows, .. } => size_of_val(&rows[..]),
        };
        bytes as u64
    }
}

impl Sets {
    /// Adds the next set, whose rows begin with `first`; says how many they are.
    fn push(&mut self, first: usize, regions: impl Iterator<Item = u64>) -> usize {
        match self {
            Self::Small(small) => small.push(first, regions),
            Self::Medium(medium) => medium.push(first, regions),
            Self::Wide { cells, rows } => {
                let start = rows.len();
                rows.resize(start + *cells, u32::MAX);
                let mut count = 0;
                for region in regions {
                    bits(region).for_each(|cell| rows[start + cell] = (first + count) as u32);
                    count += 1;
                }
                count
            }
        }
    }
}

/// For each cell, the mask of its neighbours.
pub(crate) fn neighbour_masks(topology: Topology) -> Vec<u64> {
    (0..topology.cells()).map(|cell| topology.neighbours(cell).fold(0, |mask, next| mask | 1 << next)).collect()
}

/// The cells of a mask, from the lowest.
#[inline]
pub(crate) fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        bit
    })
}

fn all(cells: usize) -> u64 {
    (1 << cells) - 1
}

/// The regions of some cells, that with the lowest cell first.
fn regions(mut free: u64, beside: &[u64]) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let region = flood(free & free.wrapping_neg(), free, beside);
        free &= !region;
        (region != 0).then_some(region)
    })
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

    #[test]
    fn wide_rows_are_numbered_alike() {
        let topology = Topology::plain(Size::new(5, 6).unwrap());
        let rows = Rows::new(topology, 3);
        let mut next = 0;
        for (rank, mask) in rows.ranks.masks().enumerate() {
            assert_eq!(rows.first_of_set(rank), next);
            let free = (0..30).filter(|cell| mask >> cell & 1 == 0);
            let last = free.map(|cell| rows.row_of_set(rank, cell)).max().unwrap();
            next = last + 1;
        }
        assert_eq!(next, rows.count());
        assert_eq!(rows.first_of_set(rows.ranks.count()), rows.count());
    }
}
