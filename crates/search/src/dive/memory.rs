use std::hash::Hash;

use crate::{
    Cost, Hold, Stop,
    table::{Entry, Table},
};

/// What a dive remembers of the states it has met.
pub(crate) trait Memory<St, C> {
    fn begin(&mut self) {}
    /// Whether `state` is worth searching after paying `cost`: not if it was searched at that cost or
    /// less.
    fn is_news(&mut self, state: &St, cost: C, hold: &mut Hold) -> Result<bool, Stop>;
    fn len(&self) -> usize;
}

impl<St: Clone + Eq + Hash, C: Cost> Memory<St, C> for Table<St, C> {
    #[inline]
    fn is_news(&mut self, state: &St, cost: C, hold: &mut Hold) -> Result<bool, Stop> {
        let Entry::Known(id) = self.insert(state, cost, hold)? else {
            return Ok(true);
        };
        let least = self.data_mut(id);
        let news = cost < *least;
        *least = cost.min(*least);
        Ok(news)
    }

    fn len(&self) -> usize {
        self.len()
    }
}

/// Remembers every state, whatever it costs to get there: it is news once.
pub(crate) struct Once<St, C>(pub(crate) Table<St, C>);

impl<St: Clone + Eq + Hash, C: Cost> Memory<St, C> for Once<St, C> {
    #[inline]
    fn is_news(&mut self, state: &St, cost: C, hold: &mut Hold) -> Result<bool, Stop> {
        Ok(matches!(self.0.insert(state, cost, hold)?, Entry::New(_)))
    }

    fn len(&self) -> usize {
        self.0.len()
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
