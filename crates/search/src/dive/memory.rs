use std::hash::Hash;

use crate::{
    Cost, Hold, Stop,
    table::{Entry, Table},
};

/// The record of the states that a dive has met.
pub(crate) trait Memory<St, C> {
    fn begin(&mut self) {}
    /// Whether `state` is worth searching after paying `cost`: not if it was searched at that cost or
    /// less.
    fn is_news(&mut self, state: &St, cost: C, hold: &mut Hold) -> Result<bool, Stop>;
    fn len(&self) -> usize;
}

/// Remembers every state.
pub(crate) struct Met<St, C> {
    table: Table<St, C>,
    /// Whether a state that is reached at less cost is news again, or each only once.
    when_cheaper: bool,
}

impl<St: Clone + Eq + Hash, C> Met<St, C> {
    pub(crate) fn new(when_cheaper: bool) -> Self {
        Self { table: Table::new(), when_cheaper }
    }
}

impl<St: Clone + Eq + Hash, C: Cost> Memory<St, C> for Met<St, C> {
    #[inline]
    fn is_news(&mut self, state: &St, cost: C, hold: &mut Hold) -> Result<bool, Stop> {
        let Entry::Known(id) = self.table.insert(state, cost, hold)? else {
            return Ok(true);
        };
        let least = self.table.data_mut(id);
        let news = self.when_cheaper && cost < *least;
        if news {
            *least = cost;
        }
        Ok(news)
    }

    fn len(&self) -> usize {
        self.table.len()
    }
}

/// Remembers nothing: every state is news.
pub(crate) struct Forgetful;

impl<St, C> Memory<St, C> for Forgetful {
    #[inline]
    fn is_news(&mut self, _: &St, _: C, _: &mut Hold) -> Result<bool, Stop> {
        Ok(true)
    }

    fn len(&self) -> usize {
        0
    }
}
