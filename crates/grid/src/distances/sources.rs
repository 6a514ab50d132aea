//! Several cells to begin at, and a length at which to end.

use std::ops::ControlFlow;

use pintu_search::{
    Node, Stop,
    driver::{Frontier, Id, Nodes},
};

use crate::{Cell, Length, cells::Cells, heuristic::Blind, number::Number, scale::Scale};

/// The cells of a map, of which several are starts, and of which those are not taken up that lie too far away.
pub(super) struct Sources<'s, 'a, N> {
    pub(super) cells: Cells<'a, N, Blind, false>,
    pub(super) from: &'s [Id],
    pub(super) within: Option<Within>,
}

/// The greatest length that counts, as the numbers of a search have it.
#[derive(Clone, Copy)]
pub(super) struct Within {
    most: Length,
    scale: Scale,
    unit: u64,
    /// What is no greater is within, and what is no less is not: whatever the rounding.
    surely: u128,
    surely_not: u128,
}

impl Within {
    pub(super) fn new(most: Length, scale: Scale, unit: u64) -> Self {
        const ROUNDING: f64 = 1e-6;
        let number = most.value() / unit as f64 * scale.straight as f64;
        let (surely, surely_not) = (number * (1.0 - ROUNDING), number * (1.0 + ROUNDING) + 1.0);
        Self { most, scale, unit, surely: surely as u128, surely_not: surely_not as u128 }
    }

    #[inline]
    pub(super) fn has(&self, number: u128) -> bool {
        number <= self.surely || (number < self.surely_not && self.compares(number))
    }

    fn compares(&self, number: u128) -> bool {
        self.scale.length(number, self.unit).is_some_and(|length| length <= self.most)
    }
}

impl<N: Number> Nodes for Sources<'_, '_, N> {
    type State = Cell;
    type Cost = N;
    const AT_ONCE: u64 = <Cells<'_, N, Blind, false> as Nodes>::AT_ONCE;

    fn begin<F: Frontier<Cell, N>>(&mut self, frontier: &mut F) -> ControlFlow<Stop> {
        self.from.iter().try_for_each(|&from| self.cells.start_at(from, frontier))
    }

    /// The first that lies too far away is where the search ends: all others lie no nearer.
    #[inline]
    fn take_up(&mut self, id: Id) -> Option<(N, bool)> {
        let (paid, _) = self.cells.take_up(id)?;
        Some((paid, self.within.is_some_and(|within| !within.has(paid.get()))))
    }

    fn paid(&self, id: Id) -> N {
        self.cells.paid(id)
    }

    fn left(&self, id: Id) -> N {
        self.cells.left(id)
    }

    fn show<T>(&self, id: Id, paid: N, see: impl FnOnce(&Node<'_, Cell, N>) -> T) -> T {
        self.cells.show(id, paid, see)
    }

    #[inline]
    fn expand<F: Frontier<Cell, N>>(&mut self, id: Id, paid: N, frontier: &mut F) -> ControlFlow<Stop> {
        self.cells.expand(id, paid, frontier)
    }

    fn count(&self) -> u64 {
        self.cells.count()
    }

    fn most(&self) -> Option<N> {
        self.cells.most()
    }

    fn whole(&self, bound: N) -> u64 {
        self.cells.whole(bound)
    }
}
