use crate::{Cost, Guarantee, Weight};

/// The order in which nodes are expanded: the smallest rank first.
pub trait Rank<C: Cost>: Copy {
    /// The type of ranks.
    type Value: Copy + Ord;

    /// The rank of a node with g = `paid` and h = `left`.
    fn of(&self, paid: C, left: C) -> Self::Value;

    /// Whether a closed node is opened again when a cheaper path to it is found.
    fn reopens(&self) -> bool;

    /// A lower bound of all paths' costs, if the smallest rank of all open nodes is `least` and the estimates are
    /// admissible: the cheapest path has an open node with g + h ≤ its cost.
    fn lower_bound(&self, least: Self::Value) -> Option<C>;

    /// The guarantee of a path that is found with admissible estimates.
    fn guarantee(&self) -> Guarantee;
}

/// Ranks by a weighted sum of g and h: A*, greedy search and weighted A* are three pairs of factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blend {
    /// The factor of g, what was paid.
    paid: u64,
    /// The factor of h, what is left by estimate.
    left: u64,
}

impl Blend {
    /// `g + h`.
    pub fn astar() -> Self {
        Self { paid: 1, left: 1 }
    }

    /// `h` alone.
    pub fn greedy() -> Self {
        Self { paid: 0, left: 1 }
    }

    /// `g + weight × h`.
    pub fn weighted(weight: Weight) -> Self {
        let (left, paid) = weight.ratio();
        Self { paid, left }
    }
}

impl<C: Cost> Rank<C> for Blend {
    type Value = C::Rank;

    #[inline]
    fn of(&self, paid: C, left: C) -> C::Rank {
        paid.blend(self.paid, left, self.left)
    }

    #[inline]
    fn reopens(&self) -> bool {
        self.paid > 0
    }

    fn lower_bound(&self, least: C::Rank) -> Option<C> {
        (self.paid > 0).then(|| C::at_least(least, self.left.max(self.paid)))
    }

    fn guarantee(&self) -> Guarantee {
        match (self.paid, self.left) {
            (0, _) => Guarantee::None,
            (paid, left) if paid == left => Guarantee::Cheapest,
            (paid, left) => Guarantee::Within { weight: left as f64 / paid as f64 },
        }
    }
}
