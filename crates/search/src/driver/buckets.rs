use super::{Heap, Id, Queue};
use crate::{Cost, Hold, Stop};

/// Ranks below this have a bucket each.
const MAX_RANK: usize = 1 << 14;
/// Estimates below this have a stack each within their rank's bucket. With more, empty stacks could take most of the memory.
const MAX_ESTIMATE: usize = 1 << 9;
/// Stacks that are added to a bucket at a time.
const STACKS_PER_GROWTH: usize = 16;

/// An array of arrays of stacks: ranks and estimates of most searches are small whole numbers.
///
/// The stacks are linked lists through one arena. Entries with large ranks or estimates go to a heap, whose first entry comes
/// out when the buckets are empty or its rank is smaller than theirs.
#[derive(Debug)]
pub struct Buckets<C: Cost> {
    ranks: Vec<Bucket>,
    /// No bucket below this holds anything.
    first: usize,
    /// No bucket from this on has a stack.
    end: usize,
    count: usize,
    links: Vec<Link>,
    /// The first of the links that are not in use.
    free: u32,
    heap: Heap<C::Rank, C>,
}

/// An entry of a stack, and the one below it.
#[derive(Clone, Copy, Debug)]
struct Link {
    id: Id,
    below: u32,
}

const END: u32 = u32::MAX;

#[derive(Debug, Default)]
struct Bucket {
    /// The top of the stack of each estimate from `base` on.
    tops: Vec<u32>,
    /// The smallest estimate that has a stack.
    base: usize,
    /// No stack below this holds anything.
    first: usize,
    len: usize,
}

impl<C: Cost> Buckets<C> {
    /// An empty queue.
    pub fn new() -> Self {
        Self { ranks: Vec::new(), first: 0, end: 0, count: 0, links: Vec::new(), free: END, heap: Heap::new() }
    }

    /// Removes all entries, and keeps the memory.
    pub fn clear(&mut self) {
        // Clears only buckets that were used, so that a small search does not pay for a larger one before it.
        for bucket in &mut self.ranks[..self.end] {
            bucket.clear();
        }
        (self.first, self.end, self.count, self.free) = (0, 0, 0, END);
        self.links.clear();
        self.heap.clear();
    }

    /// The bucket and stack of an entry, if they are small enough.
    #[inline]
    fn indices(rank: C::Rank, estimate: C) -> Option<(usize, usize)> {
        let rank = C::index(rank).filter(|&rank| rank < MAX_RANK)?;
        let estimate = C::index(estimate.total(C::ZERO)).filter(|&estimate| estimate < MAX_ESTIMATE)?;
        Some((rank, estimate))
    }

    #[expect(clippy::inline_always, reason = "every successor that is followed comes through here")]
    #[inline(always)]
    fn push_bucket(&mut self, rank: usize, estimate: usize, id: Id, hold: &mut Hold) -> Result<(), Stop> {
        if rank >= self.ranks.len() {
            self.add_ranks(rank, hold)?;
        }
        if self.free == END && self.links.len() == self.links.capacity() {
            self.add_links(hold)?;
        }
        let bucket = &mut self.ranks[rank];
        if estimate.wrapping_sub(bucket.base) >= bucket.tops.len() {
            bucket.widen(estimate, hold)?;
            self.end = self.end.max(rank + 1);
        }
        let stack = estimate - bucket.base;
        let link = Link { id, below: bucket.tops[stack] };
        bucket.tops[stack] = if self.free == END {
            self.links.push(link);
            self.links.len() as u32 - 1
        } else {
            let at = self.free;
            self.free = std::mem::replace(&mut self.links[at as usize], link).below;
            at
        };
        bucket.len += 1;
        bucket.first = bucket.first.min(stack);
        self.count += 1;
        self.first = self.first.min(rank);
        Ok(())
    }

    #[cold]
    fn add_ranks(&mut self, rank: usize, hold: &mut Hold) -> Result<(), Stop> {
        let capacity = (rank + 1).max(self.ranks.len() * 2).min(MAX_RANK);
        hold.reserve(&mut self.ranks, capacity)?;
        self.ranks.resize_with(rank + 1, Bucket::default);
        Ok(())
    }

    #[cold]
    fn add_links(&mut self, hold: &mut Hold) -> Result<(), Stop> {
        let capacity = self.links.len() + self.links.len().max(256);
        hold.reserve(&mut self.links, capacity)
    }

    #[inline]
    fn first_bucket(&mut self) -> Option<usize> {
        if self.count == 0 {
            return None;
        }
        while self.ranks[self.first].len == 0 {
            self.first += 1;
        }
        Some(self.first)
    }

    #[cold]
    fn pop_heap(&mut self) -> Option<(C::Rank, Id)> {
        self.heap.pop()
    }
}

impl Bucket {
    fn clear(&mut self) {
        self.tops.clear();
        (self.base, self.first, self.len) = (0, 0, 0);
    }

    /// Makes stacks for an estimate and its neighbours.
    #[cold]
    fn widen(&mut self, estimate: usize, hold: &mut Hold) -> Result<(), Stop> {
        let (from, to) =
            (estimate / STACKS_PER_GROWTH * STACKS_PER_GROWTH, (estimate / STACKS_PER_GROWTH + 1) * STACKS_PER_GROWTH);
        if self.tops.is_empty() {
            self.base = from;
        }
        let (base, end) = (self.base.min(from), to.max(self.base + self.tops.len()));
        hold.reserve(&mut self.tops, end - base)?;
        let below = self.base - base;
        self.tops.resize(end - base, END);
        self.tops.rotate_right(below);
        self.base = base;
        self.first += below;
        Ok(())
    }
}

impl<C: Cost> Default for Buckets<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C: Cost> Queue<C::Rank, C> for Buckets<C> {
    #[expect(clippy::inline_always, reason = "every successor that is followed comes through here")]
    #[inline(always)]
    fn push(&mut self, rank: C::Rank, estimate: C, id: Id, hold: &mut Hold) -> Result<(), Stop> {
        match Self::indices(rank, estimate) {
            Some((rank, estimate)) => self.push_bucket(rank, estimate, id, hold),
            None => self.heap.push(rank, estimate, id, hold),
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<(C::Rank, Id)> {
        let Some(rank) = self.first_bucket() else { return self.pop_heap() };
        // Estimates too large for a stack share their rank with smaller ones in the buckets, which
        // come first; only a smaller rank comes before them.
        if self.heap.first().and_then(|(rank, _)| C::index(rank)).is_some_and(|least| least < rank) {
            return self.pop_heap();
        }
        let bucket = &mut self.ranks[rank];
        while bucket.tops[bucket.first] == END {
            bucket.first += 1;
        }
        bucket.len -= 1;
        self.count -= 1;
        let top = bucket.tops[bucket.first];
        let link = &mut self.links[top as usize];
        bucket.tops[bucket.first] = std::mem::replace(&mut link.below, self.free);
        self.free = top;
        Some((C::steps(rank as u64).total(C::ZERO), link.id))
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use proptest::prelude::*;

    use super::*;
    use crate::Control;

    proptest! {
        #[test]
        fn pops_in_the_order_of_rank_estimate_and_age(
            entries in prop::collection::vec((prop_oneof![0..9_u64, 16_380..16_390_u64], prop_oneof![0..70_u32, 505..520_u32]), 1..200),
            takes in prop::collection::vec(0..4_usize, 1..50),
        ) {
            let mut hold = Control::unlimited().hold();
            let mut queue = Buckets::<u32>::new();
            let mut model: Vec<(u64, u32, Reverse<usize>)> = Vec::new();
            let mut takes = takes.iter().cycle();
            for (id, &(rank, estimate)) in entries.iter().enumerate() {
                prop_assert!(queue.push(rank, estimate, id as Id, &mut hold).is_ok());
                model.push((rank, estimate, Reverse(id)));
                for _ in 0..*takes.next().unwrap() {
                    model.sort();
                    let expected = if model.is_empty() { None } else { Some(model.remove(0)) };
                    prop_assert_eq!(queue.pop(), expected.map(|(rank, _, Reverse(id))| (rank, id as Id)));
                }
            }
            model.sort();
            for (rank, _, Reverse(id)) in model {
                prop_assert_eq!(queue.pop(), Some((rank, id as Id)));
            }
            prop_assert_eq!(queue.pop(), None);
            // Cleared entries do not come back.
            for again in 0..2 {
                for (id, &(rank, estimate)) in entries.iter().enumerate() {
                    prop_assert!(queue.push(rank, estimate, id as Id, &mut hold).is_ok());
                }
                let least = entries.iter().map(|entry| entry.0).min();
                prop_assert_eq!(queue.pop().map(|entry| entry.0), least, "round {}", again);
                queue.clear();
                prop_assert_eq!(queue.pop(), None);
            }
        }
    }
}
