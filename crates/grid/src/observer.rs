//! Shows observers of searches on maps lengths, not the integers that searches count in.

use pintu_search::{Bound, Counters, Fate, Node, Observer, Stop};

use crate::{
    Cell, Map,
    scale::{Number, Scale},
};

/// Shows a search's numbers to an observer as lengths.
pub(crate) struct InLengths<'a, O> {
    observer: &'a mut O,
    scale: Scale,
    unit: u64,
    /// A bound that was proved before.
    proved: f64,
}

impl<'a, O> InLengths<'a, O> {
    pub(crate) fn new(observer: &'a mut O, map: &Map, scale: Scale) -> Self {
        Self { observer, scale, unit: map.unit, proved: 0.0 }
    }

    /// For a search that begins with a proved bound: no lower one is shown.
    pub(crate) fn from(self, proved: Option<f64>) -> Self {
        Self { proved: proved.unwrap_or(0.0), ..self }
    }

    /// For a search that counts steps.
    pub(crate) fn of_steps(observer: &'a mut O) -> Self {
        Self { observer, scale: Scale::WHOLE, unit: 1, proved: 0.0 }
    }

    fn length<N: Number>(&self, number: N) -> f64 {
        self.scale.value(number.get(), self.unit)
    }

    fn node<'n, N: Number>(&self, node: &Node<'n, Cell, N>) -> Node<'n, Cell, f64> {
        node.map_costs(|cost| self.length(cost))
    }
}

impl<N: Number, O: Observer<Cell, f64>> Observer<Cell, N> for InLengths<'_, O> {
    #[inline]
    fn watches(&self) -> bool {
        self.observer.watches()
    }

    fn expand(&mut self, node: &Node<'_, Cell, N>, so_far: &Counters) -> Result<(), Stop> {
        self.observer.expand(&self.node(node), so_far)
    }

    fn generate(&mut self, node: &Node<'_, Cell, N>, fate: Fate, so_far: &Counters) -> Result<(), Stop> {
        self.observer.generate(&self.node(node), fate, so_far)
    }

    fn iteration(&mut self, bound: Bound<N>, so_far: &Counters) -> Result<(), Stop> {
        let bound = match bound {
            Bound::Cost(cost) => Bound::Cost(self.length(cost).max(self.proved)),
            Bound::Steps(steps) => Bound::Steps(steps),
        };
        self.observer.iteration(bound, so_far)
    }
}
