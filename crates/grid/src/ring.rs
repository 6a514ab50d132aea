//! A circular array of buckets for ranks that rise.

#![expect(clippy::inline_always, reason = "the loop is measured, and one call an entry shows")]

use pintu_search::{
    Hold, Stop,
    driver::{Heap, Id, Queue},
};

/// The range of a search's ranks, as far as it is known from the map.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    /// The rank of the first entry, a lower bound of all ranks.
    pub(crate) first: u64,
    /// The most by which an entry's rank exceeds that of the last one taken.
    pub(crate) spread: u64,
    /// Ranks that differ by a sixteenth of this are worth telling apart.
    pub(crate) unit: u64,
    /// The least cost of a step, in units.
    pub(crate) least: u64,
}

/// Buckets for ranges of ranks, used in turn. Entries that lie further ahead than there are buckets wait in a heap:
/// single expensive cells would need very many buckets, or very wide ones.
#[derive(Default)]
pub(crate) struct Ring<T> {
    /// The binary logarithm of a bucket's width: ranks are shifted right by it.
    shift: u32,
    /// The number of slots, less one; a power of two less one.
    mask: u64,
    /// The current bucket, counted from rank 0, and its slot.
    current: u64,
    slot: usize,
    /// The least rank that belongs to it.
    least: u64,
    /// A bit a slot that may hold something.
    in_use: Vec<u64>,
    slots: Vec<Vec<T>>,
    far: Heap<u64, u64>,
    /// The bucket of the first entry that is far ahead.
    far_first: u64,
    /// The bytes held, but for the heap's.
    bytes: u64,
}

/// The most buckets that are worth their memory: beyond it they are made wider, or the heap is used.
const MAX_SLOTS: u64 = 1 << 12;
/// Buckets per unit, if that is not too many.
const SLOTS_PER_UNIT: u64 = 16;
/// Steps that cost more than this multiple of the cheapest are rare enough for the heap.
const MAX_USUAL_COST: u64 = 64;
const NONE: u64 = u64::MAX;

impl<T> Ring<T> {
    /// Forgets everything, and makes room for another search.
    pub(crate) fn reset(&mut self, layout: Layout, hold: &mut Hold) -> Result<(), Stop> {
        self.forget();
        let Layout { first, spread, unit, least } = layout;
        let usual = spread.min(unit.saturating_mul(least).saturating_mul(MAX_USUAL_COST));
        let width = (unit / SLOTS_PER_UNIT).max(usual / (MAX_SLOTS / 2)).max(1);
        self.shift = width.ilog2();
        let slots = (spread >> self.shift).saturating_add(2).min(MAX_SLOTS).next_power_of_two().max(64);
        self.mask = slots - 1;
        self.turn_to(first >> self.shift);
        let (slots, words) = (slots as usize, slots as usize / 64);
        if slots > self.slots.len() {
            self.charged(hold, |ring, hold| {
                hold.reserve(&mut ring.slots, slots)?;
                hold.reserve(&mut ring.in_use, words)
            })?;
            self.slots.resize_with(slots, Vec::new);
        }
        self.in_use.clear();
        self.in_use.resize(words, 0);
        Ok(())
    }

    fn forget(&mut self) {
        for (word, slots) in self.in_use.iter().zip(self.slots.chunks_mut(64)) {
            let mut word = *word;
            while word != 0 {
                slots[word.trailing_zeros() as usize].clear();
                word &= word - 1;
            }
        }
        self.far.clear();
        self.far_first = NONE;
    }

    /// Grows, and records the bytes.
    fn charged(
        &mut self,
        hold: &mut Hold,
        grow: impl FnOnce(&mut Self, &mut Hold) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let before = hold.bytes();
        let grown = grow(self, hold);
        self.bytes += hold.bytes() - before;
        grown
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes + self.far.bytes()
    }

    #[inline]
    pub(crate) fn slot(&self) -> usize {
        self.slot
    }

    fn turn_to(&mut self, bucket: u64) {
        self.current = bucket;
        self.slot = (bucket & self.mask) as usize;
        self.least = bucket << self.shift;
    }

    #[inline]
    pub(crate) fn here(&mut self) -> &mut Vec<T> {
        &mut self.slots[self.slot]
    }

    #[inline]
    pub(crate) fn least(&self) -> u64 {
        self.least
    }

    /// The slot for a rank, unless it lies too far ahead.
    #[inline]
    pub(crate) fn slot_for(&self, rank: u64) -> Option<usize> {
        let ahead = (rank >> self.shift).saturating_sub(self.current);
        (ahead <= self.mask).then_some(((self.current + ahead) & self.mask) as usize)
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, slot: usize, entry: T, hold: &mut Hold) -> Result<(), Stop> {
        self.in_use[slot / 64] |= 1 << (slot % 64);
        let bucket = &mut self.slots[slot];
        if bucket.len() == bucket.capacity() {
            return self.push_wider(slot, entry, hold);
        }
        bucket.push(entry);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn push_wider(&mut self, slot: usize, entry: T, hold: &mut Hold) -> Result<(), Stop> {
        let capacity = (self.slots[slot].len() * 2).max(4);
        self.charged(hold, |ring, hold| hold.reserve(&mut ring.slots[slot], capacity))?;
        self.slots[slot].push(entry);
        Ok(())
    }

    #[cold]
    pub(crate) fn push_far(&mut self, rank: u64, estimate: u64, id: Id, hold: &mut Hold) -> Result<(), Stop> {
        self.far.push(rank, estimate, id, hold)?;
        self.far_first = self.far_first.min(rank >> self.shift);
        Ok(())
    }

    /// Whether an entry that was far ahead once belongs to the current bucket.
    #[inline]
    pub(crate) fn has_far_here(&self) -> bool {
        self.far_first <= self.current
    }

    /// Rank and estimate of the first entry that was far ahead.
    pub(crate) fn first_far(&self) -> Option<(u64, u64)> {
        self.far.first()
    }

    /// Takes out the first entry that was far ahead once, if it belongs to the current bucket.
    #[inline]
    pub(crate) fn pop_far(&mut self) -> Option<(u64, Id)> {
        if !self.has_far_here() {
            return None;
        }
        let first = self.far.pop();
        self.far_first = self.far.first().map_or(NONE, |(rank, _)| rank >> self.shift);
        first
    }

    /// Goes on to the next bucket that holds an entry; false if there is none.
    #[inline]
    pub(crate) fn advance(&mut self) -> bool {
        let here = self.slot();
        self.in_use[here / 64] &= !(1 << (here % 64));
        let next = self.next_in_use(here).unwrap_or(NONE).min(self.far_first);
        // Without any entry, it stays at its bucket.
        let is_left = next != NONE;
        self.turn_to(if is_left { next } else { 0 });
        is_left
    }

    #[inline]
    fn next_in_use(&self, here: usize) -> Option<u64> {
        let first = self.in_use[here / 64] >> (here % 64);
        if first != 0 {
            return Some(self.current + u64::from(first.trailing_zeros()));
        }
        let words = self.in_use.len();
        let mut ahead = 64 - (here % 64) as u64;
        for k in 1..=words {
            let word = self.in_use[(here / 64 + k) & (words - 1)];
            if word != 0 {
                return Some(self.current + ahead + u64::from(word.trailing_zeros()));
            }
            ahead += 64;
        }
        None
    }
}
