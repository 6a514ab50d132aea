//! The queues of best-first search on maps, beside the library's heap.

#![expect(clippy::inline_always, reason = "the loop is measured, and one call an entry shows")]

use std::{cmp::Reverse, collections::BinaryHeap};

use pintu_search::{
    Hold, Stop,
    driver::{Id, Queue},
};

use crate::{
    ring::{Layout, Ring},
    scale::Number,
};

/// Stacks, one for each range of ranks: within a range, last in first out.
#[derive(Default)]
pub(crate) struct Stacks {
    ring: Ring<Id>,
}

impl Stacks {
    pub(crate) fn reset(&mut self, layout: Layout, hold: &mut Hold) -> Result<(), Stop> {
        self.ring.reset(layout, hold)
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.ring.bytes()
    }

    /// The next entry, when the current stack is empty.
    #[inline(never)]
    fn pop_further<N: Number>(&mut self) -> Option<(N, Id)> {
        loop {
            if let Some((rank, id)) = self.ring.pop_far() {
                return Some((N::new(rank), id));
            }
            if !self.ring.advance() {
                return None;
            }
            if let Some(id) = self.ring.here().pop() {
                return Some((N::new(self.ring.least()), id));
            }
        }
    }
}

impl<N: Number> Queue<N, N> for Stacks {
    const EXACT: bool = false;

    #[inline(always)]
    fn push(&mut self, rank: N, estimate: N, id: Id, hold: &mut Hold) -> Result<(), Stop> {
        let rank = rank.get();
        match self.ring.slot_for(rank) {
            Some(slot) => self.ring.push(slot, id, hold),
            None => self.ring.push_far(rank, estimate.get(), id, hold),
        }
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<(N, Id)> {
        match self.ring.here().pop() {
            Some(id) => Some((N::new(self.ring.least()), id)),
            None => self.pop_further(),
        }
    }
}

/// Buckets, each sorted when it becomes the current one: smallest rank first, among equals smallest estimate, among those last in
/// first out.
#[derive(Default)]
pub(crate) struct Sorted {
    ring: Ring<Entry>,
    /// Whether the current bucket has been sorted.
    in_order: bool,
    /// Whether no entry that was far ahead once belongs to it, too.
    plain: bool,
    pushed: u32,
}

/// Rank and estimate, both inverted, age and cell in one number: the greatest comes first.
type Entry = u128;

#[inline]
fn entry(rank: u32, estimate: u32, pushed: u32, id: Id) -> Entry {
    let key = u64::from(!rank) << 32 | u64::from(!estimate);
    u128::from(key) << 64 | u128::from(pushed) << 32 | u128::from(id)
}

#[inline]
fn rank_of(entry: Entry) -> u32 {
    !((entry >> 96) as u32)
}

#[inline]
fn estimate_of(entry: Entry) -> u32 {
    !((entry >> 64) as u32)
}

impl Sorted {
    pub(crate) fn reset(&mut self, layout: Layout, hold: &mut Hold) -> Result<(), Stop> {
        (self.in_order, self.plain) = (false, false);
        self.pushed = 0;
        self.ring.reset(layout, hold)
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.ring.bytes()
    }

    /// Inserts an entry into the current bucket, which is sorted.
    #[inline(never)]
    fn insert(&mut self, slot: usize, entry: Entry, hold: &mut Hold) -> Result<(), Stop> {
        self.ring.push(slot, entry, hold)?;
        let bucket = self.ring.here();
        let at = bucket[..bucket.len() - 1].partition_point(|&known| known < entry);
        bucket[at..].rotate_right(1);
        Ok(())
    }

    /// The next entry, when there may be something to do first.
    #[inline(never)]
    fn pop_further(&mut self) -> Option<(u32, Id)> {
        loop {
            if !self.in_order {
                self.ring.here().sort_unstable();
                self.in_order = true;
            }
            self.plain = !self.ring.has_far_here();
            if !self.plain && self.far_is_first() {
                return self.ring.pop_far().map(|(rank, id)| (rank as u32, id));
            }
            if let Some(entry) = self.ring.here().pop() {
                return Some((rank_of(entry), entry as Id));
            }
            if !self.ring.advance() {
                return None;
            }
            self.in_order = false;
        }
    }

    /// Whether an entry that was far ahead once is now before the last one of the current bucket.
    #[cold]
    fn far_is_first(&mut self) -> bool {
        let last = self.ring.here().last().map(|&entry| (u64::from(rank_of(entry)), u64::from(estimate_of(entry))));
        self.ring.first_far().is_some_and(|far| last.is_none_or(|last| far < last))
    }
}

impl Queue<u32, u32> for Sorted {
    #[inline(never)]
    fn push(&mut self, rank: u32, estimate: u32, id: Id, hold: &mut Hold) -> Result<(), Stop> {
        let Some(slot) = self.ring.slot_for(rank.into()) else {
            return self.ring.push_far(rank.into(), estimate.into(), id, hold);
        };
        self.pushed = self.pushed.wrapping_add(1);
        let entry = entry(rank, estimate, self.pushed, id);
        let is_here = slot == self.ring.slot() && self.in_order;
        // The first entry is at the end, where a free step's successor belongs; any other one is inserted.
        if is_here && self.ring.here().last().is_some_and(|&last| last > entry) {
            return self.insert(slot, entry, hold);
        }
        self.ring.push(slot, entry, hold)
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<(u32, Id)> {
        match self.plain.then(|| self.ring.here().pop()).flatten() {
            Some(entry) => Some((rank_of(entry), entry as Id)),
            None => self.pop_further(),
        }
    }
}

/// A heap of ranks and nodes alone: among equal ranks, the last node to be met comes first.
#[derive(Default)]
pub(crate) struct Pairs {
    heap: BinaryHeap<(Reverse<u64>, Id)>,
}

impl Pairs {
    pub(crate) fn clear(&mut self) {
        self.heap.clear();
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.heap.capacity() * size_of::<(Reverse<u64>, Id)>()) as u64
    }

    #[cold]
    fn grow(&mut self, hold: &mut Hold) -> Result<(), Stop> {
        let more = (self.heap.len() / 2).max(64);
        hold.more((more * size_of::<(Reverse<u64>, Id)>()) as u64)?;
        self.heap.reserve_exact(more);
        Ok(())
    }
}

impl Queue<u64, u64> for Pairs {
    #[inline]
    fn push(&mut self, rank: u64, _: u64, id: Id, hold: &mut Hold) -> Result<(), Stop> {
        if self.heap.len() == self.heap.capacity() {
            self.grow(hold)?;
        }
        self.heap.push((Reverse(rank), id));
        Ok(())
    }

    #[inline]
    fn pop(&mut self) -> Option<(u64, Id)> {
        self.heap.pop().map(|(Reverse(rank), id)| (rank, id))
    }
}

#[cfg(test)]
mod tests {
    use pintu_search::Control;
    use proptest::prelude::*;

    use super::*;

    /// Ranks that never fall below the last one taken, some of them far ahead.
    fn pushes() -> impl Strategy<Value = Vec<(u32, u32, usize)>> {
        let ahead = prop_oneof![8 => 0..40_u32, 2 => 0..9000_u32, 1 => 0..100_000_000_u32];
        prop::collection::vec((ahead, 0..5_u32, 0..3_usize), 1..300)
    }

    proptest! {
        #[test]
        fn sorted_pops_in_the_order_of_rank_estimate_and_age(pushes in pushes(), unit in 1..40_u64) {
            let mut hold = Control::unlimited().hold();
            let mut queue = Sorted::default();
            let _ = queue.reset(Layout { first: 0, spread: 200_000, unit, least: 1 }, &mut hold);
            let mut model: Vec<(u32, u32, Reverse<Id>)> = Vec::new();
            let mut least = 0;
            for (id, &(ahead, estimate, takes)) in pushes.iter().enumerate() {
                prop_assert!(queue.push(least + ahead, estimate, id as Id, &mut hold).is_ok());
                model.push((least + ahead, estimate, Reverse(id as Id)));
                model.sort();
                for _ in 0..takes.min(model.len()) {
                    let (rank, _, Reverse(id)) = model.remove(0);
                    prop_assert_eq!(queue.pop(), Some((rank, id)));
                    least = rank;
                }
            }
            for (rank, _, Reverse(id)) in model {
                prop_assert_eq!(queue.pop(), Some((rank, id)));
            }
            prop_assert_eq!(queue.pop(), None);
        }

        #[test]
        fn stacks_pop_by_ranges(pushes in pushes(), unit in 1..40_u64) {
            let mut hold = Control::unlimited().hold();
            let mut queue = Stacks::default();
            let _ = queue.reset(Layout { first: 0, spread: 200_000, unit, least: 1 }, &mut hold);
            let mut waiting = std::collections::HashMap::new();
            let mut least = 0;
            let mut take = |queue: &mut Stacks, waiting: &mut std::collections::HashMap<Id, u32>| {
                let (bound, id): (u32, Id) = queue.pop().unwrap();
                assert!(waiting.values().all(|&rank| bound <= rank), "no rank is below the bound");
                let rank = waiting.remove(&id).unwrap();
                least = bound.max(least);
                assert!(rank - bound <= unit as u32, "{rank} came with {bound}");
                least
            };
            let mut from = 0;
            for (id, &(ahead, estimate, takes)) in pushes.iter().enumerate() {
                waiting.insert(id as Id, from + ahead);
                prop_assert!(queue.push(from + ahead, estimate, id as Id, &mut hold).is_ok());
                for _ in 0..takes.min(waiting.len()) {
                    from = take(&mut queue, &mut waiting);
                }
            }
            while !waiting.is_empty() {
                take(&mut queue, &mut waiting);
            }
            prop_assert_eq!(Queue::<u32, u32>::pop(&mut queue), None);
        }
    }
}
