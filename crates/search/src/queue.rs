//! The queue of best-first search.

use std::{cmp::Reverse, collections::BinaryHeap};

use crate::{Cost, table::Id};

/// Ranks below this have a bucket each; the rare search that goes beyond pays for a heap.
const BUCKETS: u64 = 1 << 14;
/// Estimates below this have a stack each within their rank's bucket.
const STACKS: Cost = 1 << 12;

/// Smallest rank first, among equals smallest estimate first, among those last in first out.
///
/// Ranks and estimates of most searches are small integers, so the queue is an array of arrays of
/// stacks, and the stacks are linked lists through one arena. An entry outside goes to a heap that is
/// looked at when the buckets are empty, or when its rank is smaller than theirs.
pub(crate) struct Queue {
    buckets: Vec<Bucket>,
    /// No bucket below this holds anything.
    first: usize,
    in_buckets: usize,
    links: Vec<Link>,
    /// The first of the links that are not in use.
    free: u32,
    heap: BinaryHeap<Far>,
    pushed: u64,
}

/// An entry of a stack, and the one below it.
#[derive(Clone, Copy)]
struct Link {
    id: Id,
    below: u32,
}

const END: u32 = u32::MAX;

#[derive(Default)]
struct Bucket {
    /// The top of the stack of each estimate.
    tops: Vec<u32>,
    /// No stack below this holds anything.
    first: usize,
    len: usize,
}

/// An entry of the heap: rank and estimate, the age that breaks ties, and the state.
type Far = (Reverse<(u64, Cost)>, u64, Id);

impl Queue {
    pub(crate) fn new() -> Self {
        Self {
            buckets: Vec::new(),
            first: 0,
            in_buckets: 0,
            links: Vec::new(),
            free: END,
            heap: BinaryHeap::new(),
            pushed: 0,
        }
    }

    /// The bytes held, but for the tops of the stacks.
    #[inline]
    pub(crate) fn bytes(&self) -> u64 {
        (self.links.capacity() * size_of::<Link>() + self.heap.capacity() * size_of::<Far>()) as u64
    }

    #[inline]
    pub(crate) fn push(&mut self, rank: u64, estimate: Cost, id: Id) {
        if rank < BUCKETS && estimate < STACKS {
            self.push_bucket(rank as usize, estimate as usize, id);
        } else {
            self.pushed += 1;
            self.heap.push((Reverse((rank, estimate)), self.pushed, id));
        }
    }

    #[inline]
    fn push_bucket(&mut self, rank: usize, estimate: usize, id: Id) {
        if rank >= self.buckets.len() {
            self.buckets.resize_with(rank + 1, Bucket::default);
        }
        let bucket = &mut self.buckets[rank];
        if estimate >= bucket.tops.len() {
            bucket.tops.resize(estimate + 1, END);
        }
        let link = Link { id, below: bucket.tops[estimate] };
        bucket.tops[estimate] = if self.free == END {
            self.links.push(link);
            self.links.len() as u32 - 1
        } else {
            let at = self.free;
            self.free = std::mem::replace(&mut self.links[at as usize], link).below;
            at
        };
        bucket.len += 1;
        bucket.first = bucket.first.min(estimate);
        self.in_buckets += 1;
        self.first = self.first.min(rank);
    }

    /// The next entry and its rank.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(u64, Id)> {
        let Some(rank) = self.first_bucket() else { return self.pop_heap() };
        // Estimates too large for a stack share their rank with smaller ones in the buckets, which
        // come first; only a smaller rank comes before them.
        if self.heap.peek().is_some_and(|(Reverse((least, _)), ..)| *least < rank as u64) {
            return self.pop_heap();
        }
        let bucket = &mut self.buckets[rank];
        while bucket.tops[bucket.first] == END {
            bucket.first += 1;
        }
        bucket.len -= 1;
        self.in_buckets -= 1;
        let top = bucket.tops[bucket.first];
        let link = &mut self.links[top as usize];
        bucket.tops[bucket.first] = std::mem::replace(&mut link.below, self.free);
        self.free = top;
        Some((rank as u64, link.id))
    }

    #[cold]
    fn pop_heap(&mut self) -> Option<(u64, Id)> {
        self.heap.pop().map(|(Reverse((rank, _)), _, id)| (rank, id))
    }

    #[inline]
    fn first_bucket(&mut self) -> Option<usize> {
        if self.in_buckets == 0 {
            return None;
        }
        while self.buckets[self.first].len == 0 {
            self.first += 1;
        }
        Some(self.first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pops_in_the_order_of_rank_estimate_and_age() {
        let entries = [
            (5, 1),
            (5, 0),
            (5, 1),
            (3, 2),
            (BUCKETS + 7, 2),
            (BUCKETS + 7, 1),
            (4, STACKS + 1),
            (4, 3),
            (BUCKETS + 7, 1),
            (3, 2),
        ];
        let mut queue = Queue::new();
        for (id, (rank, estimate)) in entries.iter().enumerate() {
            queue.push(*rank, *estimate, id as Id);
        }
        let mut expected: Vec<usize> = (0..entries.len()).collect();
        expected.sort_by_key(|&id| (entries[id].0, entries[id].1, Reverse(id)));
        for id in expected {
            assert_eq!(queue.pop(), Some((entries[id].0, id as Id)));
        }
        assert_eq!(queue.pop(), None);
    }
}
