//! Numbers for where the tiles of a pattern lie: one for the set of their cells, one for their order.
//!
//! Both change by little when a tile moves. The set's rank is the sum of a few small look-ups. The
//! order's rank changes by a term for each tile of the pattern that the moving tile passes, and that
//! term depends on the two tiles alone ([`passing`]).

/// The most tiles of a pattern: the ranks of 8 tiles' orders fit 16 bits.
pub(crate) const MAX_TILES: usize = 8;
/// The most cells of a board with pattern tables: sets of cells are masks of 64 bits, one of which
/// stands for no cell.
pub(crate) const MAX_PATTERN_CELLS: usize = 63;

pub(crate) const fn factorial(k: usize) -> usize {
    if k == 0 { 1 } else { k * factorial(k - 1) }
}

/// The number of sets of `k` out of `n`: the binomial coefficient.
pub(crate) fn choose(n: usize, k: usize) -> usize {
    if k > n { 0 } else { (0..k).fold(1, |product, i| product * (n - i) / (i + 1)) }
}

/// The change of the order's rank when a tile passes another on its way to higher cells; passing it downwards is the
/// opposite. Tiles are numbered within their pattern.
///
/// The rank is the sum of `inversions(t) × t!`, where `inversions(t)` counts the lower-numbered tiles
/// on higher cells.
pub(crate) fn passing(mover: usize, passed: usize) -> i32 {
    if mover > passed { -(factorial(mover) as i32) } else { factorial(passed) as i32 }
}

/// The order's rank, from the cells of the pattern's tiles. In order it is zero.
pub(crate) fn order_rank(cells: &[u8]) -> u32 {
    let inversions = |tile: usize| cells[..tile].iter().filter(|&&cell| cell > cells[tile]).count();
    (1..cells.len()).map(|tile| (inversions(tile) * factorial(tile)) as u32).sum()
}

/// The tiles from the lowest cell to the highest, from their order's rank.
pub(crate) fn order_of(mut rank: usize, tiles: usize) -> Vec<u8> {
    let mut free: Vec<usize> = (0..tiles).collect();
    let mut order = vec![0; tiles];
    for tile in (0..tiles).rev() {
        let inversions = rank / factorial(tile);
        rank %= factorial(tile);
        order[free.remove(tile - inversions)] = tile as u8;
    }
    order
}

/// Ranks the sets of `tiles` cells: 0 to `choose(cells, tiles)` − 1, in colexicographic order.
///
/// A mask is read in pieces. A piece's term depends on the number of cells in the lower pieces, so each entry also has
/// that number for the next piece: the rank in the low bits, the number above them.
#[derive(Clone, Debug)]
pub(crate) struct SetRanks {
    tiles: usize,
    cells: usize,
    entries: Vec<u32>,
}

const RANK_BITS: usize = 28;
const PIECE_BITS: usize = 9;
pub(crate) const MAX_RANK: usize = (1 << RANK_BITS) - 1;

impl SetRanks {
    /// The ranks must fit 28 bits.
    pub(crate) fn new(cells: usize, tiles: usize) -> Self {
        let pieces = cells.div_ceil(PIECE_BITS);
        let mut entries = Vec::with_capacity((pieces * (tiles + 1)) << PIECE_BITS);
        for piece in 0..pieces {
            for below in 0..=tiles {
                entries.extend((0..1 << PIECE_BITS).map(|bits| Self::entry(piece * PIECE_BITS, below, bits, tiles)));
            }
        }
        Self { tiles, cells, entries }
    }

    fn entry(first_cell: usize, below: usize, bits: usize, tiles: usize) -> u32 {
        let mut rank = 0;
        let mut count = below;
        for bit in (0..16).filter(|bit| bits >> bit & 1 == 1) {
            count += 1;
            rank += if count > tiles { 0 } else { choose(first_cell + bit, count) };
        }
        // Masks with too many cells never come; their entries only have to be in range.
        (rank & MAX_RANK) as u32 | (count.min(tiles) << RANK_BITS) as u32
    }

    pub(crate) fn count(&self) -> usize {
        choose(self.cells, self.tiles)
    }

    /// The rank of a set of cells, given as a mask.
    #[inline]
    pub(crate) fn rank(&self, mask: u64) -> usize {
        let (mut rank, mut count) = (0, 0);
        let mut rest = mask;
        for piece in 0..self.cells.div_ceil(PIECE_BITS) {
            let table = piece * (self.tiles + 1) + count;
            let entry = self.entries[(table << PIECE_BITS) + (rest as usize & ((1 << PIECE_BITS) - 1))] as usize;
            rank += entry & MAX_RANK;
            count = entry >> RANK_BITS;
            rest >>= PIECE_BITS;
        }
        rank
    }

    /// Every set, in the order of the ranks.
    pub(crate) fn masks(&self) -> impl Iterator<Item = u64> + use<> {
        let end = (1 << self.cells) - 1;
        let mut next = Some((1_u64 << self.tiles) - 1);
        std::iter::from_fn(move || {
            let mask = next.filter(|&mask| mask <= end)?;
            // Gosper's step: the next larger number with as many bits.
            let low = mask & mask.wrapping_neg();
            next = mask.checked_add(low).map(|ripple| ripple | ((mask ^ ripple) / low) >> 2);
            Some(mask)
        })
    }
}

/// The same ranks for boards of up to twice as many cells as `N` has bits, by two look-ups that do not depend on each
/// other: the lower half holds as many cells as the upper half leaves.
#[derive(Clone, Debug)]
pub struct HalfRanks<const N: usize> {
    /// The lower half of a mask adds this to the rank.
    pub low: Box<[u16; N]>,
    /// The upper half adds this.
    pub high: Box<[u32; N]>,
}

impl<const N: usize> HalfRanks<N> {
    /// The most cells of a board.
    pub const CELLS: usize = 2 * N.trailing_zeros() as usize;

    /// The ranks of sets of a number of cells.
    pub fn new(tiles: usize) -> Self {
        let mut ranks = Self { low: Box::new([0; N]), high: Box::new([0; N]) };
        for bits in 0..N {
            let held = bits.count_ones() as usize;
            let rank = |first_cell, below| SetRanks::entry(first_cell, below, bits, tiles) & MAX_RANK as u32;
            ranks.low[bits] = rank(0, 0) as u16;
            ranks.high[bits] = rank(Self::CELLS / 2, tiles.saturating_sub(held));
        }
        ranks
    }

    /// The rank of a set of cells, given as a mask.
    #[inline]
    pub(crate) fn rank(&self, mask: u64) -> usize {
        let mask = mask as usize;
        usize::from(self.low[mask % N]) + self.high[mask / N % N] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_ranked_in_their_order() {
        for (cells, tiles) in [(6, 3), (9, 4), (16, 8), (16, 1), (25, 5), (36, 3)] {
            let ranks = SetRanks::new(cells, tiles);
            let (small, large) = (HalfRanks::<256>::new(tiles), HalfRanks::<8192>::new(tiles));
            let mut count = 0;
            for (expected, mask) in ranks.masks().enumerate() {
                assert_eq!(mask.count_ones() as usize, tiles);
                assert_eq!(ranks.rank(mask), expected, "{mask:b} of {cells} cells");
                if cells <= HalfRanks::<256>::CELLS {
                    assert_eq!(small.rank(mask), expected, "{mask:b} of {cells} cells");
                }
                if cells <= HalfRanks::<8192>::CELLS {
                    assert_eq!(large.rank(mask), expected, "{mask:b} of {cells} cells");
                }
                count += 1;
            }
            assert_eq!(count, ranks.count());
        }
    }

    #[test]
    fn orders_and_ranks_agree_and_passing_a_tile_adds_its_term() {
        let rank_of = |order: &[u8]| {
            let mut cells = [0; 6];
            for (cell, &tile) in order.iter().enumerate() {
                cells[usize::from(tile)] = cell as u8;
            }
            order_rank(&cells) as i32
        };
        for rank in 0..factorial(6) {
            let order = order_of(rank, 6);
            assert_eq!(rank_of(&order), rank as i32);
            for at in 0..5 {
                let mut after = order.clone();
                after.swap(at, at + 1);
                let step = passing(usize::from(order[at]), usize::from(order[at + 1]));
                assert_eq!(rank_of(&after), rank as i32 + step);
            }
        }
    }
}
