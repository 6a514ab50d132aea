//! A query in numbers.

use crate::{Cell, Map, map::Weights, number::Number, scale::Scale};

/// Where from, where to, and the integers for lengths.
#[derive(Clone, Copy)]
pub(crate) struct Course<'a> {
    pub(crate) map: &'a Map,
    pub(crate) scale: Scale,
    pub(crate) from: u32,
    /// The goals' numbers, sorted.
    pub(crate) goals: &'a [u32],
    /// The first of them, a number that no cell has if there are none, and by how much the last one's number is greater.
    pub(crate) first_goal: u32,
    pub(crate) goal_span: u32,
    /// The goals.
    pub(crate) cells: &'a [Cell],
    /// Whether steps are taken backwards, so that the cell that is left is the one to pay for.
    pub(crate) against: bool,
}

impl Course<'_> {
    #[inline]
    pub(crate) fn is_goal(&self, cell: u32) -> bool {
        // Nearly always one comparison.
        let is_among = cell.wrapping_sub(self.first_goal) <= self.goal_span;
        is_among && (self.goals.len() <= 1 || self.goals.binary_search(&cell).is_ok())
    }

    /// Whether costs of type `N` have room for an estimate across the whole map on top of what was paid.
    pub(crate) fn fits<N: Number>(&self) -> bool {
        let Map { rows, cols, least_cost, .. } = *self.map;
        let [straight, diagonal] = self.scale.units(least_cost);
        straight.max(diagonal).saturating_mul(u128::from(rows + cols)) <= N::MOST / 2
    }

    /// The most by which the rank of a step's end can exceed that of its beginning, in 64 bits.
    pub(crate) fn spread(&self) -> u64 {
        let [straight, diagonal] = self.scale.units(self.map.greatest_cost);
        let [least, _] = self.scale.units(self.map.least_cost);
        // Along a step, the estimate changes by two straight ones at most.
        let spread = straight.max(diagonal).saturating_add(least.saturating_mul(2));
        u64::try_from(spread).unwrap_or(u64::MAX)
    }
}

/// What steps cost.
pub(crate) struct Prices<'a, N> {
    /// Each step where all ground is alike.
    alike: [N; 8],
    /// Where it is not: the kinds of ground, and a straight and a diagonal step for each of them.
    weights: Option<&'a Weights>,
    kinds: [[N; 2]; 256],
}

impl<'a, N: Number> Prices<'a, N> {
    pub(crate) fn new(map: &'a Map, scale: Scale) -> Self {
        let weights = map.weights.as_ref();
        let kinds = weights.map_or([[N::ZERO; 2]; 256], |weights| {
            std::array::from_fn(|kind| scale.prices(weights.cost_of_kind(kind as u8)))
        });
        let [straight, diagonal] = scale.prices(map.least_cost);
        Self { alike: std::array::from_fn(|step| if step < 4 { straight } else { diagonal }), weights, kinds }
    }

    /// A step that is paid for at the cell that `index` tells.
    #[inline]
    pub(crate) fn of(&self, step: usize, index: impl FnOnce() -> usize) -> N {
        match self.weights {
            None => self.alike[step],
            Some(weights) => self.kinds[usize::from(weights.kind(index()))][usize::from(step >= 4)],
        }
    }
}
