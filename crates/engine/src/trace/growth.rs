use std::sync::Arc;

use pintu_search::Counters;
use serde::{Serialize, Serializer};

use super::Live;
use crate::path::PathCost;

/// What a search did at one depth, bound or `f`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// How far it looked.
    pub bound: f64,
    /// States taken up.
    pub expanded: u64,
    /// States produced.
    pub generated: u64,
}

/// Notes what a search does at each depth or bound that it announces; if it announces none, at each `g + h` of what it
/// takes up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Growing {
    /// What had been done when each bound was reached.
    marks: Vec<Growth>,
    /// States taken up and produced at each `g + h`.
    by_rank: Vec<(u64, u64)>,
    /// That of the state in hand.
    rank: usize,
    /// Where it is seen while it goes on.
    live: Option<Arc<Live>>,
}

impl Growing {
    /// Shows where it stands whenever somebody has looked.
    pub(crate) fn seen(live: &Arc<Live>) -> Self {
        Self { live: Some(Arc::clone(live)), ..Self::default() }
    }

    pub(crate) fn reach(&mut self, bound: f64, so_far: &Counters) {
        // Ranks that differ may prove the same bound: what was done is done at that.
        if self.marks.last().is_none_or(|last| last.bound < bound) {
            self.marks.push(Growth { bound, expanded: so_far.expanded, generated: so_far.generated });
        }
    }

    pub(crate) fn expand(&mut self, rank: u32, so_far: &Counters) {
        // Who announces its bounds may go deeper than anybody wants a number for.
        if self.marks.is_empty() {
            self.rank = rank as usize;
            if self.by_rank.len() <= self.rank {
                self.by_rank.resize(self.rank + 1, (0, 0));
            }
            self.by_rank[self.rank].0 += 1;
        }
        if let Some(live) = self.live.as_ref().filter(|live| live.is_wanted()) {
            live.show(self.so_far(so_far));
        }
    }

    pub(crate) fn generate(&mut self) {
        if let Some((_, generated)) = self.by_rank.get_mut(self.rank) {
            *generated += 1;
        }
    }

    /// What was done at each; `all` is what was done in the end.
    pub(crate) fn finish(self, all: &Counters) -> Vec<Growth> {
        let growth = self.so_far(all);
        if let Some(live) = &self.live {
            live.show(growth.clone());
        }
        growth
    }

    /// What has been done at each; `all` is what has been done together.
    fn so_far(&self, all: &Counters) -> Vec<Growth> {
        if self.marks.is_empty() {
            return self.ranks(all);
        }
        let mut growth = self.marks.clone();
        // What was done before the first, such as producing the start, belongs to it.
        (growth[0].expanded, growth[0].generated) = (0, 0);
        let mut end = (all.expanded, all.generated);
        for one in growth.iter_mut().rev() {
            let begin = (one.expanded, one.generated);
            (one.expanded, one.generated) = (end.0 - begin.0, end.1 - begin.1);
            end = begin;
        }
        growth
    }

    fn ranks(&self, all: &Counters) -> Vec<Growth> {
        let taken = (0..).zip(&self.by_rank).filter(|(_, (expanded, _))| *expanded > 0);
        let growth =
            |(rank, &(expanded, generated)): (u32, &(u64, u64))| Growth { bound: rank.into(), expanded, generated };
        let mut growth: Vec<Growth> = taken.map(growth).collect();
        let produced: u64 = growth.iter().map(|one| one.generated).sum();
        if growth.is_empty() && all.generated > 0 {
            // It was ended before it took anything up; the start is there.
            growth.push(Growth { bound: 0.0, expanded: 0, generated: 0 });
        }
        if let Some(first) = growth.first_mut() {
            first.generated += all.generated.saturating_sub(produced);
        }
        growth
    }
}

impl Serialize for Growth {
    /// An array of three.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (PathCost::of(self.bound), self.expanded, self.generated).serialize(serializer)
    }
}
