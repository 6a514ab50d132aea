use std::{
    hash::Hash,
    ops::ControlFlow::{self, Continue},
};

use crate::{
    Cost, Hold, Stop,
    driver::Id,
    table::{Entry, Table},
};

/// What a dive remembers of the states it has met.
pub(crate) trait Memory<St, C> {
    /// Whether it remembers anything, so that a dive ends wherever there are only so many states.
    const REMEMBERS: bool = true;

    /// A dive begins.
    fn begin(&mut self) {}
    /// Whether `state` is worth searching after paying `cost`: not if it was searched at that cost or
    /// less.
    fn is_news(&mut self, state: &St, cost: C, hold: &mut Hold) -> ControlFlow<Stop, bool>;
    fn len(&self) -> usize;
    /// One of the states that are remembered, and the least cost at which it was reached.
    fn entry(&self, at: usize) -> Option<(&St, C)>;
    /// Whether a state is remembered.
    fn knows(&self, state: &St) -> bool;
}

impl<St: Clone + Eq + Hash, C: Cost> Memory<St, C> for Table<St, C> {
    #[inline]
    fn is_news(&mut self, state: &St, cost: C, hold: &mut Hold) -> ControlFlow<Stop, bool> {
        let Entry::Known(id) = self.insert(state, cost, hold)? else {
            return Continue(true);
        };
        let least = self.data_mut(id);
        let news = cost < *least;
        *least = cost.min(*least);
        Continue(news)
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn entry(&self, at: usize) -> Option<(&St, C)> {
        (at < self.len()).then(|| (self.state(at as Id), *self.data(at as Id)))
    }

    fn knows(&self, state: &St) -> bool {
        self.find(state).is_some()
    }
}

/// Remembers every state, whatever it costs to get there: it is news once.
pub(crate) struct Once<St, C>(pub(crate) Table<St, C>);

impl<St: Clone + Eq + Hash, C: Cost> Memory<St, C> for Once<St, C> {
    #[inline]
    fn is_news(&mut self, state: &St, cost: C, hold: &mut Hold) -> ControlFlow<Stop, bool> {
        Continue(matches!(self.0.insert(state, cost, hold)?, Entry::New(_)))
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn entry(&self, at: usize) -> Option<(&St, C)> {
        self.0.entry(at)
    }

    fn knows(&self, state: &St) -> bool {
        self.0.knows(state)
    }
}

/// Remembers nothing: every state is news.
pub(crate) struct Forgetful;

impl<St, C> Memory<St, C> for Forgetful {
    const REMEMBERS: bool = false;

    #[inline]
    fn is_news(&mut self, _: &St, _: C, _: &mut Hold) -> ControlFlow<Stop, bool> {
        Continue(true)
    }

    fn len(&self) -> usize {
        0
    }

    fn entry(&self, _: usize) -> Option<(&St, C)> {
        None
    }

    fn knows(&self, _: &St) -> bool {
        false
    }
}
