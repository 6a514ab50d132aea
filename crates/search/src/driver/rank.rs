use crate::{Cost, Guarantee, Weight};

/// What decides which node is next: the smallest rank.
pub trait Rank<C: Cost>: Copy {
    /// What ranks are.
    type Value: Copy + Ord;

    /// The rank of a node to which so much was paid, and from which so much is left to pay.
    fn of(&self, paid: C, left: C) -> Self::Value;

    /// Whether a node that was taken up is taken up again when a cheaper way to it is found.
    fn reopens(&self) -> bool;

    /// What every path costs at least, if the smallest rank of all open nodes is `least` and the estimates are
    /// admissible: the cheapest path has an open node with g + h ≤ its cost.
    fn lower_bound(&self, least: Self::Value) -> Option<C>;

    /// What is guaranteed about the paths found, if the estimates are admissible.
    fn guarantee(&self) -> Guarantee;
}

/// Ranks by `g × paid + h × left`: A*, greedy search and weighted A* are three pairs of factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blend {
    paid: u64,
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
