//! What is known of each cell besides whether it is free.

use crate::bits::Bits;

/// The costs of a map on which they differ.
#[derive(Clone)]
pub(crate) struct Weights {
    /// The kind of ground of each cell, and whether all free cells around are of that kind too
    /// ([`EVEN`]).
    pub(super) kinds: Vec<u8>,
    /// What each kind costs, in units of the map.
    pub(super) costs: [u64; 128],
}

/// The bit that says that the free cells of a three by three window all cost the same.
pub(super) const EVEN: u8 = 128;

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
