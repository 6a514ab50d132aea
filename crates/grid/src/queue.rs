//! The queues of best-first search.

use std::{cmp::Reverse, collections::BinaryHeap};

use crate::Scratch;

/// A queue that gives back the entry with the smallest rank.
pub(crate) trait Queue {
    /// A queue with the same order for all ranks.
    type Wide: Queue;
    /// Whether ranks come out in order. Otherwise only the buckets they are in do.
    const EXACT: bool;
    /// The greatest rank and estimate that it can hold.
    const MOST: u64 = u64::MAX;

    /// The queue of this kind in a scratch memory.
    fn in_scratch(scratch: &mut Scratch) -> &mut Self;

    /// Forgets everything. The first entry will have the rank `first`; no entry's will exceed that of the
    /// last one taken by more than `spread`; ranks that differ by a sixteenth of `unit` are worth
    /// telling apart.
    fn reset(&mut self, first: u64, spread: u64, unit: u64);
    fn push(&mut self, rank: u64, estimate: u64, cell: u32);
    fn pop(&mut self) -> Option<u32>;
    /// No entry has a smaller rank.
    fn least(&self) -> u64;
    /// The bytes held.
    fn bytes(&self) -> u64;
}

/// A ring of stacks, one for each range of ranks: within a range, last in first out.
#[derive(Default)]
pub(crate) struct Stacks {
    ring: Ring,
    stacks: Vec<Vec<u32>>,
}

impl Stacks {
    /// The next entry, when the slot whose turn it was is empty.
    #[inline(never)]
    fn pop_further(&mut self) -> Option<u32> {
        while self.ring.advance() {
            if let Some(cell) = self.stacks[self.ring.slot()].pop() {
                return Some(cell);
            }
        }
        None
    }
}

impl Queue for Stacks {
    type Wide = Self;

    const EXACT: bool = false;

    fn in_scratch(scratch: &mut Scratch) -> &mut Self {
        &mut scratch.stacks
    }

    fn reset(&mut self, first: u64, spread: u64, unit: u64) {
        self.stacks.iter_mut().for_each(Vec::clear);
        let slots = self.ring.reset(first, spread, unit);
        if slots > self.stacks.len() {
            self.stacks.resize_with(slots, Vec::new);
        }
    }

    #[inline]
    fn push(&mut self, rank: u64, _: u64, cell: u32) {
        let slot = self.ring.slot_for(rank);
        self.stacks[slot].push(cell);
    }

    #[inline]
    fn pop(&mut self) -> Option<u32> {
        self.stacks[self.ring.slot()].pop().or_else(|| self.pop_further())
    }

    fn least(&self) -> u64 {
        self.ring.least()
    }

    fn bytes(&self) -> u64 {
        self.stacks.iter().map(|stack| 4 * stack.capacity() as u64).sum()
    }
}

/// A ring of buckets, each sorted when its turn comes: smallest rank first, among equals smallest
/// estimate, among those last in first out. For ranks and estimates of 32 bits.
#[derive(Default)]
pub(crate) struct Sorted {
    ring: Ring,
    buckets: Vec<Vec<Entry>>,
    /// The absolute number of the bucket that is sorted.
    in_order: u64,
    pushed: u32,
}

/// Rank and estimate, both inverted, age and cell in one number: the greatest comes first.
type Entry = u128;

fn entry(rank: u64, estimate: u64, pushed: u32, cell: u32) -> Entry {
    let key = u64::from(!(rank as u32)) << 32 | u64::from(!(estimate as u32));
    u128::from(key) << 64 | u128::from(pushed) << 32 | u128::from(cell)
}

impl Queue for Sorted {
    type Wide = Heap;

    const EXACT: bool = true;
    const MOST: u64 = u32::MAX as u64;

    fn in_scratch(scratch: &mut Scratch) -> &mut Self {
        &mut scratch.sorted
    }

    fn reset(&mut self, first: u64, spread: u64, unit: u64) {
        self.buckets.iter_mut().for_each(Vec::clear);
        let slots = self.ring.reset(first, spread, unit);
        if slots > self.buckets.len() {
            self.buckets.resize_with(slots, Vec::new);
        }
        self.in_order = u64::MAX;
        self.pushed = 0;
    }

    #[inline]
    fn push(&mut self, rank: u64, estimate: u64, cell: u32) {
        self.pushed = self.pushed.wrapping_add(1);
        let entry = entry(rank, estimate, self.pushed, cell);
        let slot = self.ring.slot_for(rank);
        let bucket = &mut self.buckets[slot];
        let is_in_order = slot == self.ring.slot() && self.in_order == self.ring.current;
        // What a state leads to for nothing is nearer than all that was here before: it goes to the end.
        if is_in_order && bucket.last().is_some_and(|&last| last > entry) {
            let at = bucket.partition_point(|&known| known < entry);
            bucket.insert(at, entry);
        } else {
            bucket.push(entry);
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<u32> {
        loop {
            let bucket = &mut self.buckets[self.ring.slot()];
            if self.in_order != self.ring.current {
                bucket.sort_unstable();
                self.in_order = self.ring.current;
            }
            if let Some(entry) = bucket.pop() {
                return Some(entry as u32);
            }
            if !self.ring.advance() {
                return None;
            }
        }
    }

    fn least(&self) -> u64 {
        match self.buckets[self.ring.slot()].last() {
            Some(entry) if self.in_order == self.ring.current => u64::from(!((entry >> 96) as u32)),
            _ => self.ring.least(),
        }
    }

    fn bytes(&self) -> u64 {
        self.buckets.iter().map(|bucket| (bucket.capacity() * size_of::<Entry>()) as u64).sum()
    }
}

/// For ranks that may fall: a heap, in the same order as [`Sorted`].
#[derive(Default)]
pub(crate) struct Heap {
    heap: BinaryHeap<Ranked>,
    pushed: u32,
}

/// Rank and estimate, the age that breaks ties, and the cell.
type Ranked = (Reverse<(u64, u64)>, u32, u32);

impl Queue for Heap {
    type Wide = Self;

    const EXACT: bool = true;

    fn in_scratch(scratch: &mut Scratch) -> &mut Self {
        &mut scratch.heap
    }

    fn reset(&mut self, _: u64, _: u64, _: u64) {
        self.heap.clear();
        self.pushed = 0;
    }

    fn push(&mut self, rank: u64, estimate: u64, cell: u32) {
        self.pushed = self.pushed.wrapping_add(1);
        self.heap.push((Reverse((rank, estimate)), self.pushed, cell));
    }

    fn pop(&mut self) -> Option<u32> {
        self.heap.pop().map(|(_, _, cell)| cell)
    }

    fn least(&self) -> u64 {
        self.heap.peek().map_or(u64::MAX, |(Reverse((rank, _)), _, _)| *rank)
    }

    fn bytes(&self) -> u64 {
        (self.heap.capacity() * size_of::<Ranked>()) as u64
    }
}

/// Which slot of a circular array a rank belongs to, and which slots hold anything.
#[derive(Default)]
struct Ring {
    /// Ranks are divided by 2 to this.
    shift: u32,
    /// The number of slots, less one; a power of two less one.
    mask: u64,
    /// The bucket whose turn it is, counted from rank 0.
    current: u64,
    /// A bit a slot.
    in_use: Vec<u64>,
}

/// More buckets than this are not worth their memory: wider ones are used instead.
const MOST_SLOTS: u64 = 1 << 12;
/// How many buckets there are to a unit, if that is not too many.
const SLOTS_A_UNIT: u64 = 16;

impl Ring {
    /// The number of slots needed.
    fn reset(&mut self, first: u64, spread: u64, unit: u64) -> usize {
        let width = (unit / SLOTS_A_UNIT).max(spread / (MOST_SLOTS / 2)).max(1);
        self.shift = width.ilog2();
        let slots = ((spread >> self.shift) + 2).next_power_of_two().max(64);
        self.mask = slots - 1;
        self.current = first >> self.shift;
        self.in_use.clear();
        self.in_use.resize(slots as usize / 64, 0);
        slots as usize
    }

    #[inline]
    fn slot(&self) -> usize {
        (self.current & self.mask) as usize
    }

    /// The slot for a rank; it is marked as in use.
    #[inline]
    fn slot_for(&mut self, rank: u64) -> usize {
        let slot = ((rank >> self.shift).max(self.current) & self.mask) as usize;
        self.in_use[slot / 64] |= 1 << (slot % 64);
        slot
    }

    /// On to the next slot in use; false if there is none.
    #[inline]
    fn advance(&mut self) -> bool {
        let here = self.slot();
        self.in_use[here / 64] &= !(1 << (here % 64));
        let words = self.in_use.len();
        let first = self.in_use[here / 64] >> (here % 64);
        if first != 0 {
            self.current += u64::from(first.trailing_zeros());
            return true;
        }
        let mut ahead = 64 - (here % 64) as u64;
        for k in 1..=words {
            let word = self.in_use[(here / 64 + k) & (words - 1)];
            if word != 0 {
                self.current += ahead + u64::from(word.trailing_zeros());
                return true;
            }
            ahead += 64;
        }
        false
    }

    fn least(&self) -> u64 {
        self.current << self.shift
    }
}
