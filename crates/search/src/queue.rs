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
/// stacks. An entry outside goes to a heap that is looked at when the buckets are empty, or when its
/// rank is no larger than theirs.
pub(crate) struct Queue {
    buckets: Vec<Bucket>,
    /// No bucket below this holds anything.
    first: usize,
    in_buckets: usize,
    heap: BinaryHeap<Far>,
    pushed: u64,
    bytes: u64,
}

/// An entry of the heap: rank and estimate, the age that breaks ties, and the state.
type Far = (Reverse<(u64, Cost)>, u64, Id);

#[derive(Default)]
struct Bucket {
    stacks: Vec<Vec<Id>>,
    /// No stack below this holds anything.
    first: usize,
    len: usize,
}

impl Queue {
    pub(crate) fn new() -> Self {
        Self { buckets: Vec::new(), first: 0, in_buckets: 0, heap: BinaryHeap::new(), pushed: 0, bytes: 0 }
    }

    /// The bytes held, to within the unused part of small arrays.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes + (self.heap.capacity() * size_of::<Far>()) as u64
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
        if estimate >= bucket.stacks.len() {
            bucket.stacks.resize_with(estimate + 1, Vec::new);
        }
        let stack = &mut bucket.stacks[estimate];
        let before = stack.capacity();
        stack.push(id);
        self.bytes += ((stack.capacity() - before) * size_of::<Id>()) as u64;
        bucket.len += 1;
        bucket.first = bucket.first.min(estimate);
        self.in_buckets += 1;
        self.first = self.first.min(rank);
    }

    /// The smallest rank in the queue.
    #[inline]
    pub(crate) fn least(&mut self) -> Option<u64> {
        let heap = self.heap.peek().map(|(Reverse((rank, _)), ..)| *rank);
        match (self.first_bucket(), heap) {
            (Some(bucket), Some(heap)) => Some(heap.min(bucket as u64)),
            (bucket, heap) => bucket.map(|rank| rank as u64).or(heap),
        }
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Id> {
        let Some(rank) = self.first_bucket() else {
            return self.heap.pop().map(|(.., id)| id);
        };
        let bucket = &mut self.buckets[rank];
        while bucket.stacks[bucket.first].is_empty() {
            bucket.first += 1;
        }
        // Estimates too large for a stack share their rank with smaller ones in the buckets, which
        // come first; only a smaller rank comes before them.
        if self.heap.peek().is_some_and(|(Reverse((least, _)), ..)| *least < rank as u64) {
            return self.heap.pop().map(|(.., id)| id);
        }
        bucket.len -= 1;
        self.in_buckets -= 1;
        bucket.stacks[bucket.first].pop()
    }

    #[inline]
    fn first_bucket(&mut self) -> Option<usize> {
        if self.in_buckets == 0 {
            return None;
        }
        while self.buckets[self.first].len == 0 {
            self.release();
            self.first += 1;
        }
        Some(self.first)
    }

    /// Gives back the memory of the bucket that has just run empty: with a consistent heuristic,
    /// nothing will be pushed to it again.
    fn release(&mut self) {
        let bucket = &mut self.buckets[self.first];
        let held: usize = bucket.stacks.iter().map(Vec::capacity).sum();
        self.bytes -= (held * size_of::<Id>()) as u64;
        *bucket = Bucket::default();
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
            assert_eq!(queue.least(), Some(entries[id].0));
            assert_eq!(queue.pop(), Some(id as Id));
        }
        assert_eq!((queue.least(), queue.pop()), (None, None));
    }
}
