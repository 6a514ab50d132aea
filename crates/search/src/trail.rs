//! The states that a dive has left by steps that cost nothing.

use std::{
    hash::{Hash, Hasher},
    ops::ControlFlow,
};

use crate::{Cost, Hold, Stop, driver::Id, table::Table};

/// The states on a path that were left by a free step, each at its cost.
///
/// What a free step leads to for the same cost again would lead round for ever. One set serves all free stretches of a
/// path, for their costs tell them apart; to look a state up and to go back by a step take the same time on paths of any
/// length.
pub(crate) struct Trail<St, C>(Table<Left<St, C>, ()>);

#[derive(Clone, PartialEq, Eq)]
struct Left<St, C> {
    state: St,
    cost: C,
}

impl<St: Clone + Eq + Hash, C: Cost> Trail<St, C> {
    pub(crate) fn new() -> Self {
        Self(Table::new())
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn contains(&self, state: &St, cost: C) -> bool {
        self.0.len() > 0 && self.0.find(&Left { state: state.clone(), cost }).is_some()
    }

    /// A free step leaves a state, which is not on the trail.
    pub(crate) fn leave(&mut self, state: &St, cost: C, hold: &mut Hold) -> ControlFlow<Stop> {
        self.0.insert(&Left { state: state.clone(), cost }, (), hold)?;
        ControlFlow::Continue(())
    }

    /// The step that left a state is taken back, whether it was a free one or not. Those after it were taken back before.
    pub(crate) fn return_to(&mut self, state: &St, cost: C) {
        let is_last = |last: &Left<St, C>| last.cost == cost && last.state == *state;
        if self.0.len() > 0 && is_last(self.0.state((self.0.len() - 1) as Id)) {
            self.0.pop();
        }
    }
}

impl<St: Hash, C: Cost> Hash for Left<St, C> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.state.hash(hasher);
        self.cost.whole().hash(hasher);
    }
}
