//! Sets of cells, 64 to a word.

use super::ground::Ground;

/// A set of cells of a board with at most 64·K of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellSet<const K: usize>([u64; K]);

impl<const K: usize> CellSet<K> {
    pub(super) const EMPTY: Self = Self([0; K]);

    #[inline]
    pub(super) fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    #[inline]
    pub(super) fn remove(&mut self, cell: usize) {
        self.0[cell / 64] &= !(1 << (cell % 64));
    }

    #[inline]
    fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).fold(0, |common, (a, b)| common | a & b) != 0
    }
}

/// For each cell, the cells within each distance of it.
pub(super) struct Balls<const K: usize> {
    sets: Box<[CellSet<K>]>,
    reach: usize,
}

impl<const K: usize> Balls<K> {
    pub(super) fn new(ground: &Ground) -> Self {
        let pairs = |from| (0..ground.cells).map(move |to| (to, ground.distance(from, to)));
        let reach = (0..ground.cells).flat_map(pairs).map(|(_, far)| far).max().unwrap_or(0) + 1;
        let ball = |from: usize, radius: usize| {
            let mut set = CellSet::EMPTY;
            pairs(from).filter(|&(_, far)| far <= radius).for_each(|(to, _)| set.insert(to));
            set
        };
        Self { sets: (0..ground.cells * reach).map(|index| ball(index / reach, index % reach)).collect(), reach }
    }

    /// The bytes that those of a board hold, at most.
    pub(super) fn most_bytes(ground: &Ground) -> u64 {
        let reach = ground.size.rows() + ground.size.cols();
        (ground.cells * reach * size_of::<CellSet<K>>()) as u64
    }

    /// The distance from a cell to the nearest of a set, known to be at least `least`; 0 if the set
    /// is empty.
    #[inline]
    pub(super) fn nearest(&self, from: usize, set: &CellSet<K>, least: usize) -> usize {
        let balls = &self.sets[from * self.reach..][..self.reach];
        (least..self.reach).find(|&radius| set.meets(&balls[radius])).unwrap_or(0)
    }
}
