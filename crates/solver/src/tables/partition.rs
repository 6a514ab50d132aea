//! Partitions of a board's tiles into patterns, one for each table.

use std::{cmp::Reverse, fmt};

use pintu_tiles::{Puzzle, Topology};
use xxhash_rust::xxh3::Xxh3;

use super::{
    Pattern, PatternError, mask_of, normal_form_of,
    rank::{MAX_TILES, choose, factorial},
    rows::{bits, flood, neighbour_masks},
    symmetry::stabiliser,
};

/// The size of a table set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// At most 16 MB, built in about a second: 6-6-3 on 4×4, 5-5-5-5-4 on 5×5.
    Small,
    /// At most 600 MB: 8-7 on 4×4; 6-6-6-6 on 5×5, two partitions if the blank is in a corner.
    Large,
}

impl Extent {
    /// Both, the small one first.
    pub const ALL: [Self; 2] = [Self::Small, Self::Large];

    /// `small` or `large`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Large => "large",
        }
    }

    /// States that all tables together may have; each takes a bit or two.
    fn most_states(self) -> u64 {
        match self {
            Self::Small => 50_000_000,
            Self::Large => 2_000_000_000,
        }
    }
}

/// Names a table set: a board and its goal's blank cell in normal form, and the extent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The board, in normal form.
    pub topology: Topology,
    /// The goal's blank cell, in normal form.
    pub blank: usize,
    /// How large the set is.
    pub extent: Extent,
}

impl Key {
    /// The key of the set for a puzzle's board and goal.
    pub fn of(puzzle: &Puzzle, extent: Extent) -> Self {
        let (topology, blank) = normal_form_of(puzzle.topology(), puzzle.goal().blank());
        Self { topology, blank, extent }
    }

    /// The patterns of its tables.
    ///
    /// Every tile is in one pattern; or, where several partitions of the tiles pay, in one pattern of each, and one
    /// partition's patterns come after the other's. Patterns are as large as the extent allows, and hang together as much
    /// as possible, as a table knows about tiles that obstruct each other.
    pub fn patterns(self) -> Result<Vec<Pattern>, PatternError> {
        let Self { topology, blank, extent } = self;
        Pattern::check(topology)?;
        let groups = match known(topology, blank, extent) {
            Some(groups) => groups.iter().map(|cells| mask_of(cells)).collect(),
            None => Grouping::new(topology, blank, &sizes(topology.cells(), extent)).best(),
        };
        Ok(to_patterns(topology, blank, &groups))
    }
}

impl Key {
    /// The name (`Tables::name`) of its tables.
    pub fn name(self) -> Result<u64, PatternError> {
        Ok(name_of(self.patterns()?.iter()))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the {} tables of {}, blank in cell {} or one symmetric to it",
            self.extent.name(),
            self.topology,
            self.blank
        )
    }
}

/// The name of tables of these patterns: a hash. Other versions of this crate give other names, for they may search in another
/// way.
pub(crate) fn name_of<'a>(patterns: impl Iterator<Item = &'a Pattern>) -> u64 {
    let mut hash = Xxh3::new();
    hash.update(env!("CARGO_PKG_VERSION").as_bytes());
    for pattern in patterns {
        hash.update(pattern.topology().to_string().as_bytes());
        hash.update(&[pattern.blank() as u8, pattern.tiles().len() as u8]);
        hash.update(pattern.tiles());
    }
    hash.digest()
}

/// The patterns of several partitions of a board's tiles into groups of these sizes, which hang together as much as
/// possible, one partition's after the other's: at most `most`, and none that is another one's image.
pub fn partitions_of_sizes(topology: Topology, blank: usize, sizes: &[usize], most: usize) -> Vec<Pattern> {
    let grouping = Grouping::new(topology, blank, sizes);
    to_patterns(topology, blank, &grouping.best_few(most).concat())
}

/// The same for any board of up to 64 cells, as sets of cells: each partition's groups.
pub fn groups_of_sizes(topology: Topology, blank: usize, sizes: &[usize], most: usize) -> Vec<Vec<u64>> {
    Grouping::new(topology, blank, sizes).best_few(most)
}

fn to_patterns(topology: Topology, blank: usize, groups: &[u64]) -> Vec<Pattern> {
    let pattern = |mask: &u64| {
        let tiles: Vec<u8> = bits(*mask).map(|cell| cell as u8).collect();
        Pattern::new(topology, blank, &tiles).expect("groups of tiles that a table has room for")
    };
    groups.iter().map(pattern).collect()
}

/// Partitions better than those of the search for compact ones. The second one of 5×5 was found by exchanging tiles as
/// long as rounds with it alone became shorter.
fn known(topology: Topology, blank: usize, extent: Extent) -> Option<&'static [&'static [u8]]> {
    let size = topology.size();
    if !topology.is_plain() {
        return None;
    }
    match (size.rows(), size.cols(), blank, extent) {
        (4, 4, 0, Extent::Small) => Some(&[&[1, 2, 4, 5, 8, 9], &[3, 6, 7, 10, 11, 15], &[12, 13, 14]]),
        (4, 4, 0, Extent::Large) => Some(&[&[8, 9, 10, 11, 12, 13, 14, 15], &[1, 2, 3, 4, 5, 6, 7]]),
        (5, 5, 0, Extent::Large) => Some(&[
            &[1, 2, 5, 6, 10, 11],
            &[3, 4, 7, 8, 9, 12],
            &[13, 14, 18, 19, 23, 24],
            &[15, 16, 17, 20, 21, 22],
            &[1, 5, 6, 10, 11, 15],
            &[2, 3, 4, 7, 8, 9],
            &[12, 16, 17, 20, 21, 22],
            &[13, 14, 18, 19, 23, 24],
        ]),
        _ => None,
    }
}

/// The patterns' sizes: as large as the states allow, the last one smaller.
fn sizes(cells: usize, extent: Extent) -> Vec<usize> {
    let tiles = cells - 1;
    let split = |most: usize| {
        let mut sizes = vec![most; tiles / most];
        sizes.extend((!tiles.is_multiple_of(most)).then_some(tiles % most));
        sizes
    };
    let fits = |most: &usize| split(*most).iter().map(|&size| states(cells, size)).sum::<u64>() <= extent.most_states();
    split((1..=MAX_TILES.min(tiles)).rev().find(fits).unwrap_or(1))
}

/// About how many states a table has: positions of the tiles times regions of the blank.
fn states(cells: usize, tiles: usize) -> u64 {
    choose(cells, tiles) as u64 * factorial(tiles) as u64 * (cells + 4 * tiles) as u64 / cells as u64
}

/// A search for groups of cells that hang together.
struct Grouping<'a> {
    beside: Vec<u64>,
    sizes: &'a [usize],
    tiles: u64,
    /// The other images of the board, by which a partition that differs from its image is looked up too.
    images: Vec<Vec<u8>>,
}

const RESTARTS: u64 = 60;

impl<'a> Grouping<'a> {
    fn new(topology: Topology, blank: usize, sizes: &'a [usize]) -> Self {
        let cells = topology.cells();
        let image = |symmetry: &super::symmetry::Symmetry| (0..cells).map(|cell| symmetry.of(cell) as u8).collect();
        Self {
            beside: neighbour_masks(topology),
            sizes,
            tiles: (u64::MAX >> (64 - cells)) & !(1 << blank),
            images: stabiliser(topology, blank).iter().skip(1).map(image).collect(),
        }
    }

    /// The best partition of several that are grown from different seeds and then improved.
    fn best(&self) -> Vec<u64> {
        let grown = (0..RESTARTS).map(|seed| self.improve(self.grow(seed)));
        grown.max_by_key(|groups| self.score(groups)).unwrap_or_default()
    }

    /// The best ones, each different from the images of those before it.
    fn best_few(&self, most: usize) -> Vec<Vec<u64>> {
        let sorted = |mut groups: Vec<u64>| {
            groups.sort_unstable();
            groups
        };
        let mut grown: Vec<Vec<u64>> = (0..RESTARTS).map(|seed| sorted(self.improve(self.grow(seed)))).collect();
        grown.sort_by_key(|groups| Reverse(self.score(groups)));
        let mut few: Vec<Vec<u64>> = Vec::new();
        for groups in grown {
            let image = |map: &Vec<u8>| sorted(groups.iter().map(|&group| image_of(group, map)).collect());
            let is_known = few.contains(&groups) || self.images.iter().any(|map| few.contains(&image(map)));
            if few.len() < most && !is_known {
                few.push(groups);
            }
        }
        few
    }

    /// Grows one group after the other, each from a cell with few free neighbours.
    fn grow(&self, seed: u64) -> Vec<u64> {
        let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut noise = move || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 61) as i32
        };
        let mut free = self.tiles;
        let grow_one = |&size: &usize| {
            let mut group = 0_u64;
            for _ in 0..size {
                // The first of equally good cells.
                let best = bits(free).min_by_key(|&cell| {
                    let inside = (self.beside[cell] & group).count_ones() as i32;
                    let outside = (self.beside[cell] & free).count_ones() as i32;
                    Reverse(8 * inside - 4 * outside + noise())
                });
                let Some(cell) = best else { break };
                group |= 1 << cell;
                free &= !(1 << cell);
            }
            group
        };
        self.sizes.iter().map(grow_one).collect()
    }

    fn improve(&self, mut groups: Vec<u64>) -> Vec<u64> {
        let mut compact: Vec<i32> = groups.iter().map(|&group| self.compactness(group)).collect();
        let mut score = self.score(&groups);
        loop {
            let mut improved = false;
            for (a, b) in pairs(groups.len()) {
                for x in bits(groups[a]) {
                    for y in bits(groups[b]) {
                        let flip = 1 << x | 1 << y;
                        if groups[a] >> x & 1 == 0 || groups[b] >> y & 1 == 0 {
                            continue;
                        }
                        let swapped = [groups[a] ^ flip, groups[b] ^ flip];
                        let swapped_compact = swapped.map(|group| self.compactness(group));
                        let others = compact.iter().sum::<i32>() - compact[a] - compact[b];
                        let sum = others + swapped_compact.iter().sum::<i32>();
                        // An image adds at most one.
                        if sum < score {
                            continue;
                        }
                        let before = [groups[a], groups[b]];
                        [groups[a], groups[b]] = swapped;
                        let after = sum + self.image_bonus(&groups);
                        if after > score {
                            (score, improved) = (after, true);
                            [compact[a], compact[b]] = swapped_compact;
                        } else {
                            [groups[a], groups[b]] = before;
                        }
                    }
                }
            }
            if !improved {
                return groups;
            }
        }
    }

    /// Neighbours within groups, less what falls apart, and a little more if the partition has another
    /// image.
    fn score(&self, groups: &[u64]) -> i32 {
        let compact: i32 = groups.iter().map(|&group| self.compactness(group)).sum();
        compact + self.image_bonus(groups)
    }

    fn image_bonus(&self, groups: &[u64]) -> i32 {
        let differs = |map: &Vec<u8>| groups.iter().any(|&group| !groups.contains(&image_of(group, map)));
        i32::from(self.images.iter().any(differs))
    }

    fn compactness(&self, group: u64) -> i32 {
        let inside: u32 = bits(group).map(|cell| (self.beside[cell] & group).count_ones()).sum();
        let reached = flood(group & group.wrapping_neg(), group, &self.beside);
        2 * inside as i32 - 8 * (group & !reached).count_ones() as i32
    }
}

fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)))
}

fn image_of(mask: u64, map: &[u8]) -> u64 {
    bits(mask).fold(0, |mask, cell| mask | 1 << map[cell])
}

#[cfg(test)]
mod tests {
    use super::*;
    use pintu_tiles::Size;

    fn plain(rows: usize, cols: usize) -> Topology {
        Topology::plain(Size::new(rows, cols).unwrap())
    }

    #[test]
    fn every_tile_is_in_one_pattern_of_each_partition() {
        let wrapped = Topology::wrapped(Size::new(5, 5).unwrap(), [2], [2]).unwrap();
        for topology in [plain(3, 3), plain(2, 5), plain(4, 4), plain(4, 5), plain(5, 5), plain(6, 6), wrapped] {
            for extent in Extent::ALL {
                for blank in [0, topology.cells() / 2, topology.cells() - 1] {
                    let patterns = Key { topology, blank, extent }.patterns().unwrap();
                    let all = ((1 << topology.cells()) - 1) & !(1 << blank);
                    let rest = patterns.iter().fold(0, |seen, pattern| {
                        assert_eq!(seen & pattern.mask(), 0);
                        let seen = seen | pattern.mask();
                        if seen == all { 0 } else { seen }
                    });
                    assert_eq!(rest, 0, "{topology}: the last partition lacks tiles");
                    assert!(!patterns.is_empty());
                }
            }
        }
    }

    #[test]
    fn groups_of_large_boards_hold_every_tile_once() {
        for (side, size) in [(6, 7), (7, 6), (8, 5)] {
            let (board, cells) = (plain(side, side), side * side);
            let mut sizes = vec![size; (cells - 1) / size];
            sizes.extend(Some((cells - 1) % size).filter(|&rest| rest > 0));
            let partitions = groups_of_sizes(board, 0, &sizes, 3);
            assert_eq!(partitions.len(), 3);
            for groups in partitions {
                assert_eq!(groups.iter().fold(0, |all, group| all | group), (u64::MAX >> (64 - cells)) & !1);
                assert_eq!(groups.iter().map(|group| group.count_ones()).sum::<u32>() as usize, cells - 1);
            }
        }
    }

    #[test]
    fn extents_are_kept() {
        let sizes_of = |rows: usize, cols: usize, extent| sizes(rows * cols, extent);
        assert_eq!(sizes_of(4, 4, Extent::Small), [6, 6, 3]);
        assert_eq!(sizes_of(4, 4, Extent::Large), [8, 7]);
        assert_eq!(sizes_of(5, 5, Extent::Small), [5, 5, 5, 5, 4]);
        assert_eq!(sizes_of(5, 5, Extent::Large), [6, 6, 6, 6]);
        assert_eq!(sizes_of(3, 3, Extent::Small), [8]);
        assert!(Key { topology: plain(8, 8), blank: 0, extent: Extent::Small }.patterns().is_err());
    }

    /// As `improve`, but it scores everything anew for every swap.
    fn improve_plainly(grouping: &Grouping<'_>, mut groups: Vec<u64>) -> Vec<u64> {
        let mut improved = true;
        while std::mem::take(&mut improved) {
            for (a, b) in pairs(groups.len()) {
                for (x, y) in bits(groups[a]).flat_map(|x| bits(groups[b]).map(move |y| (x, y))).collect::<Vec<_>>() {
                    let mut swapped = groups.clone();
                    swapped[a] ^= 1 << x | 1 << y;
                    swapped[b] ^= 1 << x | 1 << y;
                    let is_swap = groups[a] >> x & 1 == 1 && groups[b] >> y & 1 == 1;
                    if is_swap && grouping.score(&swapped) > grouping.score(&groups) {
                        (groups, improved) = (swapped, true);
                    }
                }
            }
        }
        groups
    }

    #[test]
    fn swaps_are_scored_as_everything_would_be() {
        for (rows, cols, blank) in [(3, 4, 0), (4, 5, 7), (5, 5, 12), (6, 6, 0)] {
            let sizes = sizes(rows * cols, Extent::Small);
            let grouping = Grouping::new(plain(rows, cols), blank, &sizes);
            for seed in 0..8 {
                let grown = grouping.grow(seed);
                assert_eq!(grouping.improve(grown.clone()), improve_plainly(&grouping, grown), "{rows}x{cols}");
            }
        }
    }

    #[test]
    fn patterns_hang_together() {
        for (rows, cols) in [(4, 4), (5, 5), (4, 5), (3, 4)] {
            for blank in 0..rows * cols {
                for extent in Extent::ALL {
                    let key = Key { topology: plain(rows, cols), blank, extent };
                    let grouping = Grouping::new(key.topology, blank, &[]);
                    for pattern in key.patterns().unwrap() {
                        let inside: u32 = bits(pattern.mask())
                            .map(|cell| (grouping.beside[cell] & pattern.mask()).count_ones())
                            .sum();
                        assert_eq!(grouping.compactness(pattern.mask()), 2 * inside as i32, "{pattern:?}");
                    }
                }
            }
        }
    }
}
