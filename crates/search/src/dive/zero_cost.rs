use std::hash::Hash;

use crate::{Cost, Hold, Stop, driver::Id, table::Table};

/// The states on a path that were left by a zero-cost step, with the cost of the path to them.
///
/// A state that is reached again at the same cost closes a cycle of zero-cost steps. One table serves all stretches of such
/// steps on a path, because their costs differ.
pub(super) struct ZeroCostPath<St, C>(Table<(St, C), ()>);

impl<St: Clone + Eq + Hash, C: Cost> ZeroCostPath<St, C> {
    pub(super) fn new() -> Self {
        Self(Table::new())
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn contains(&self, state: &St, cost: C) -> bool {
        self.0.len() > 0 && self.0.find(&(state.clone(), cost)).is_some()
    }

    /// A zero-cost step leaves a state that is not in the table.
    pub(super) fn leave(&mut self, state: &St, cost: C, hold: &mut Hold) -> Result<(), Stop> {
        self.0.insert(&(state.clone(), cost), (), hold)?;
        Ok(())
    }

    /// Takes back the step that left a state, whether it cost anything or not. The steps after it were taken back before.
    pub(super) fn return_to(&mut self, state: &St, cost: C) {
        let is_last = |last: &(St, C)| last.1 == cost && last.0 == *state;
        if self.0.len() > 0 && is_last(self.0.state((self.0.len() - 1) as Id)) {
            self.0.pop();
        }
    }
}
