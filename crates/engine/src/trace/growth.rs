//! The counts of a search at each depth or bound, which other threads can read while it runs.

use std::{
    collections::HashMap,
    mem,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use pintu_search::Counters;
use serde::{Serialize, Serializer};

use crate::{lock::lock, path::PathCost};

/// The counts of a search at one depth, bound or `f`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    pub bound: f64,
    pub expanded: u64,
    pub generated: u64,
}

/// Records a search's counts at each depth or bound that it announces; if it announces none, at each `g + h` of the
/// states that it expands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Growing {
    /// The counts when each bound was reached.
    marks: Vec<Growth>,
    /// States expanded and generated at each `g + h`.
    by_rank: Vec<(u64, u64)>,
    /// The `g + h` of the state that is being expanded.
    rank: usize,
    /// Publishes the growth while the search runs.
    live: Option<Arc<Live>>,
}

impl Growing {
    /// Publishes its growth to `live` whenever a reader has asked for it.
    pub(crate) fn seen(live: &Arc<Live>) -> Self {
        Self { live: Some(Arc::clone(live)), ..Self::default() }
    }

    pub(crate) fn reach(&mut self, bound: f64, so_far: &Counters) {
        // Different ranks may prove the same bound: their counts belong to that bound.
        if self.marks.last().is_none_or(|last| last.bound < bound) {
            self.marks.push(Growth { bound, expanded: so_far.expanded, generated: so_far.generated });
        }
    }

    pub(crate) fn expand(&mut self, rank: u32, so_far: &Counters) {
        // Where bounds are announced, ranks are not needed, and there may be very many.
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

    /// The counts at each depth or bound; `all` are the search's counts at its end.
    pub(crate) fn finish(self, all: &Counters) -> Vec<Growth> {
        let growth = self.so_far(all);
        if let Some(live) = &self.live {
            live.show(growth.clone());
        }
        growth
    }

    /// The counts at each depth or bound so far; `all` are the search's counts so far.
    fn so_far(&self, all: &Counters) -> Vec<Growth> {
        if self.marks.is_empty() {
            return self.ranks(all);
        }
        let mut growth = self.marks.clone();
        // Counts before the first bound, such as the generated start, belong to it.
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
        let generated: u64 = growth.iter().map(|one| one.generated).sum();
        if growth.is_empty() && all.generated > 0 {
            // The search ended before its first expansion; it has generated the start.
            growth.push(Growth { bound: 0.0, expanded: 0, generated: 0 });
        }
        if let Some(first) = growth.first_mut() {
            first.generated += all.generated.saturating_sub(generated);
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

/// The most depths or bounds that are reported at a time.
pub(crate) const MAX_NEWS: usize = 64;

/// Connects a search, which publishes its growth on request, with a reader of the changes. A search without readers
/// only reads a flag.
#[derive(Debug, Default)]
pub(crate) struct Live {
    is_wanted: AtomicBool,
    shown: Mutex<Published>,
}

#[derive(Debug, Default)]
struct Published {
    now: Vec<Growth>,
    /// The counts last reported for each bound: states expanded and generated there. (The key is the number's bits.)
    told: HashMap<u64, (u64, u64)>,
    /// The index at which the next report begins: counts that found no room in one come first in the next.
    next: usize,
}

impl Live {
    /// Whether a reader has asked since the last publication.
    #[inline]
    pub(crate) fn is_wanted(&self) -> bool {
        self.is_wanted.load(Relaxed)
    }

    /// Publishes the growth so far.
    #[cold]
    pub(crate) fn show(&self, now: Vec<Growth>) {
        self.is_wanted.store(false, Relaxed);
        lock(&self.shown).now = now;
    }

    /// The published counts that are new or have changed since the last call, for at most [`MAX_NEWS`] depths or
    /// bounds; asks the search to publish again.
    pub(crate) fn news(&self) -> Vec<Growth> {
        self.is_wanted.store(true, Relaxed);
        let mut shown = lock(&self.shown);
        let Published { now, told, next } = &mut *shown;
        let from = mem::take(next).min(now.len());
        let mut news = Vec::new();
        for at in (from..now.len()).chain(0..from) {
            if news.len() == MAX_NEWS {
                *next = at;
                break;
            }
            let one = now[at];
            let counts = (one.expanded, one.generated);
            if told.insert(one.bound.to_bits(), counts) != Some(counts) {
                news.push(one);
            }
        }
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn growth(bound: usize, expanded: u64) -> Growth {
        Growth { bound: bound as f64, expanded, generated: 2 * expanded }
    }

    #[test]
    fn what_is_new_is_told_once_and_nothing_is_left_out() {
        let live = Live::default();
        assert!(!live.is_wanted() && live.news().is_empty() && live.is_wanted());
        let mut now: Vec<Growth> = (0..MAX_NEWS * 3 / 2).map(|bound| growth(bound, 1)).collect();
        live.show(now.clone());
        assert!(!live.is_wanted(), "growth is published once for each request");
        assert_eq!(live.news(), now[..MAX_NEWS]);
        // The first counts change again and again, yet the others are reported, too.
        now[..MAX_NEWS].iter_mut().for_each(|one| one.expanded += 1);
        live.show(now.clone());
        let (mut told, rest) = (live.news(), MAX_NEWS / 2);
        assert_eq!((told.len(), &told[..rest]), (MAX_NEWS, &now[MAX_NEWS..]));
        told.extend(live.news());
        assert_eq!(told.len(), now.len());
        assert!(live.news().is_empty());
    }
}
