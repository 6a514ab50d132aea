use std::{cmp::Reverse, collections::BinaryHeap};

use super::{Id, Queue};
use crate::{Hold, Stop};

/// A binary heap, for ranks of any size and in any order.
#[derive(Debug)]
pub struct Heap<V, C> {
    entries: BinaryHeap<Entry<V, C>>,
    pushed: u64,
}

/// Rank and estimate, the age that breaks ties, and the node.
type Entry<V, C> = (Reverse<(V, C)>, u64, Id);

impl<V: Copy + Ord, C: Copy + Ord> Heap<V, C> {
    /// An empty queue.
    pub fn new() -> Self {
        Self { entries: BinaryHeap::new(), pushed: 0 }
    }

    /// Removes all entries, and keeps the memory.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.pushed = 0;
    }

    /// The bytes held.
    pub fn bytes(&self) -> u64 {
        (self.entries.capacity() * size_of::<Entry<V, C>>()) as u64
    }

    /// Rank and estimate of the first entry.
    #[inline]
    pub fn first(&self) -> Option<(V, C)> {
        self.entries.peek().map(|(Reverse(first), ..)| *first)
    }

    #[cold]
    fn grow(&mut self, hold: &mut Hold) -> Result<(), Stop> {
        let more = (self.entries.len() / 2).max(64);
        hold.more((more * size_of::<Entry<V, C>>()) as u64)?;
        self.entries.reserve_exact(more);
        Ok(())
    }
}

impl<V: Copy + Ord, C: Copy + Ord> Default for Heap<V, C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V: Copy + Ord, C: Copy + Ord> Queue<V, C> for Heap<V, C> {
    #[inline]
    fn push(&mut self, rank: V, estimate: C, id: Id, hold: &mut Hold) -> Result<(), Stop> {
        if self.entries.len() == self.entries.capacity() {
            self.grow(hold)?;
        }
        self.pushed += 1;
        self.entries.push((Reverse((rank, estimate)), self.pushed, id));
        Ok(())
    }

    #[inline]
    fn pop(&mut self) -> Option<(V, Id)> {
        self.entries.pop().map(|(Reverse((rank, _)), _, id)| (rank, id))
    }
}
