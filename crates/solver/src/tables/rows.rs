//! The rows of a table: one for each set of cells and each region that the blank may be in.

use std::collections::HashMap;

use pintu_search::{Control, Stop};
use pintu_tiles::Topology;

use super::rank::{HalfRanks, SetRanks};

/// Numbers the pairs of a set of cells, held by the tiles of a pattern, and a region: cells between
/// which the blank can travel without moving one of those tiles.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub(crate) ranks: SetRanks,
    pub(crate) sets: Sets,
    count: usize,
}

/// Sets that are laid out between two looks at the control.
pub(crate) const CHECK_INTERVAL: usize = 1 << 12;

/// For each set, its first row and the number of each cell's region.
#[derive(Clone, Debug)]
pub(crate) enum Sets {
    /// For boards of up to 16 cells.
    Small(MappedSets<{ 1 << 8 }>),
    /// For boards of up to 26 cells.
    Medium(MappedSets<{ 1 << 13 }>),
    /// For boards with more cells or tables with more rows: the row of each cell.
    Wide { cells: usize, rows: Vec<u32> },
}

/// The sets of a board with few cells. Halves of their masks have `N` values.
///
/// A search looks sets up all the time, so they are small: most share the map from cells to regions with many others.
/// All but the first few regions of a set count as one, which makes the tables' numbers a little lower than they could
/// be, and never too high.
#[derive(Clone, Debug)]
pub(crate) struct MappedSets<const N: usize> {
    pub(crate) ranks: HalfRanks<N>,
    /// For each set, its first row, and in the lowest bits which map it has.
    pub(crate) sets: Vec<u32>,
    /// For each cell, the number of its region. As long as the indices allow, so that none needs a check.
    maps: Box<[u64; MOST_MAPS]>,
}

const MOST_MAPS: usize = 1 << 14;

impl<const N: usize> MappedSets<N> {
    /// Bits of a set that say which map it has.
    const MAP_BITS: u32 = MOST_MAPS.trailing_zeros();
    /// Bits of a map that say which region a cell is in.
    pub(crate) const CELL_BITS: usize = 64 / HalfRanks::<N>::CELLS;
    pub(crate) const MAX_REGIONS: usize = 1 << Self::CELL_BITS;

    /// From the regions of each set, in the order of the sets' ranks; and the number of rows. `None` if
    /// they are too many, or the maps are.
    fn new(tiles: usize, regions: impl Iterator<Item = impl Iterator<Item = u64>>) -> Option<(Self, usize)> {
        let mut sets = Vec::new();
        let maps: Result<Box<[u64; MOST_MAPS]>, _> = vec![0; MOST_MAPS].into_boxed_slice().try_into();
        let mut maps = maps.expect("it is as long");
        let mut known = HashMap::new();
        let mut rows = 0;
        for regions in regions {
            let regions: Vec<u64> = regions.collect();
            let map = Self::map(&regions);
            let count = known.len();
            let index = *known.entry(map).or_insert(count);
            *maps.get_mut(index)? = map;
            sets.push(u32::try_from(rows).ok()?.checked_mul(1 << Self::MAP_BITS)? | index as u32);
            rows += regions.len().min(Self::MAX_REGIONS);
        }
        Some((Self { ranks: HalfRanks::new(tiles), sets, maps }, rows))
    }

    /// The cells of the tiles themselves count with the largest region, so that fewer maps differ.
    pub(crate) fn map(regions: &[u64]) -> u64 {
        let number = |index: usize| index.min(Self::MAX_REGIONS - 1) as u64;
        let size = |index: usize| regions[index].count_ones();
        let largest = number((0..regions.len()).rev().max_by_key(|&index| size(index)).unwrap_or(0));
        let fill = |map, cell| map | largest << (Self::CELL_BITS * cell);
        let mut map = (0..HalfRanks::<N>::CELLS).fold(0, fill);
        for (index, &region) in regions.iter().enumerate() {
            for cell in bits(region) {
                map ^= (largest ^ number(index)) << (Self::CELL_BITS * cell);
            }
        }
        map
    }

    /// The row of the set with this rank, with the blank in `cell`.
    #[inline]
    pub(crate) fn row_of_set(&self, rank: usize, cell: usize) -> usize {
        let set = self.sets[rank];
        let map = self.maps[set as usize % MOST_MAPS];
        (set >> Self::MAP_BITS) as usize + (map >> (Self::CELL_BITS * cell)) as usize % Self::MAX_REGIONS
    }

    fn first_row(&self, rank: usize) -> Option<usize> {
        self.sets.get(rank).map(|&set| (set >> Self::MAP_BITS) as usize)
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.sets[..]) + size_of_val(&self.maps[..])
    }
}

impl Rows {
    pub(crate) fn new(topology: Topology, tiles: usize, control: &Control) -> Result<Self, Stop> {
        let cells = topology.cells();
        let ranks = SetRanks::new(cells, tiles);
        let beside = neighbour_masks(topology);
        let goes_on = |at: usize| !at.is_multiple_of(CHECK_INTERVAL) || control.check().is_ok();
        let sets = || ranks.masks().enumerate().take_while(|&(at, _)| goes_on(at));
        let regions = || sets().map(|(_, mask)| regions(all(cells) & !mask, &beside));
        let mapped = match cells {
            0..=16 => MappedSets::new(tiles, regions()).map(|(sets, count)| (Sets::Small(sets), count)),
            17..=26 => MappedSets::new(tiles, regions()).map(|(sets, count)| (Sets::Medium(sets), count)),
            _ => None,
        };
        let (sets, count) = mapped.unwrap_or_else(|| wide(cells, regions()));
        // If the control has ended the loop, sets are missing.
        control.check()?;
        Ok(Self { ranks, sets, count })
    }

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
            Sets::Small(small) => small.row_of_set(rank, cell),
            Sets::Medium(medium) => medium.row_of_set(rank, cell),
            Sets::Wide { cells, rows } => rows[rank * cells + cell] as usize,
        }
    }

    /// The first row of the set with this rank; for the rank after the last one, the number of rows.
    pub(crate) fn first_of_set(&self, rank: usize) -> usize {
        let first = match &self.sets {
            Sets::Small(small) => small.first_row(rank),
            Sets::Medium(medium) => medium.first_row(rank),
            Sets::Wide { cells, rows } => {
                let row = rows.get(rank * cells..).and_then(|rest| rest.iter().take(*cells).min());
                row.map(|&row| row as usize)
            }
        };
        first.unwrap_or(self.count)
    }

    pub(crate) fn bytes(&self) -> u64 {
        let bytes = match &self.sets {
            Sets::Small(small) => small.bytes(),
            Sets::Medium(medium) => medium.bytes(),
            Sets::Wide { rows, .. } => size_of_val(&rows[..]),
        };
        bytes as u64
    }
}

/// The row of each cell for each set, and how many rows there are.
fn wide(cells: usize, sets: impl Iterator<Item = impl Iterator<Item = u64>>) -> (Sets, usize) {
    let mut rows = Vec::new();
    let mut count = 0;
    for regions in sets {
        let start = rows.len();
        rows.resize(start + cells, u32::MAX);
        for region in regions {
            bits(region).for_each(|cell| rows[start + cell] = count);
            count += 1;
        }
    }
    (Sets::Wide { cells, rows }, count as usize)
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

pub(crate) fn all(cells: usize) -> u64 {
    (1 << cells) - 1
}

/// The regions of some cells, that with the lowest cell first.
pub(crate) fn regions(mut free: u64, beside: &[u64]) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let region = flood(free & free.wrapping_neg(), free, beside);
        free &= !region;
        (region != 0).then_some(region)
    })
}

/// The cells of `free` that can be reached from `seed`.
pub(crate) fn flood(seed: u64, free: u64, beside: &[u64]) -> u64 {
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
    use pintu_tiles::Size;

    use super::*;

    fn laid_out(topology: Topology, tiles: usize) -> Rows {
        Rows::new(topology, tiles, &Control::unlimited()).unwrap()
    }

    #[test]
    fn regions_are_what_the_blank_can_reach() {
        let topology = Topology::plain(Size::new(3, 3).unwrap());
        let rows = laid_out(topology, 3);
        let column = 1 << 1 | 1 << 4 | 1 << 7;
        assert_eq!(rows.row(column, 0), rows.row(column, 6));
        assert_ne!(rows.row(column, 0), rows.row(column, 2));
        let corner = 1 << 1 | 1 << 3 | 1 << 8;
        assert_ne!(rows.row(corner, 0), rows.row(corner, 4));
        let wrapped = laid_out(Topology::wrapped(Size::new(3, 3).unwrap(), [0], []).unwrap(), 3);
        assert_eq!(wrapped.row(column, 0), wrapped.row(column, 2));
        assert!(wrapped.count() < rows.count());
    }

    #[test]
    fn rows_are_numbered_without_gaps() {
        for (height, width, tiles, is_wide) in
            [(4, 4, 8, false), (5, 5, 6, false), (3, 8, 5, false), (2, 12, 6, true), (5, 6, 3, true)]
        {
            let topology = Topology::plain(Size::new(height, width).unwrap());
            let rows = laid_out(topology, tiles);
            assert_eq!(matches!(rows.sets, Sets::Wide { .. }), is_wide, "{topology}");
            let mut next = 0;
            for (rank, mask) in rows.ranks.masks().enumerate() {
                assert_eq!(rows.first_of_set(rank), next);
                let free = (0..topology.cells()).filter(|cell| mask >> cell & 1 == 0);
                next = 1 + free.map(|cell| rows.row_of_set(rank, cell)).max().unwrap();
            }
            assert_eq!((next, rows.first_of_set(rows.ranks.count())), (rows.count(), rows.count()));
        }
    }
}
