//! Selection of the candidates that go on.

use super::beam::Candidate;

/// The score that `width` candidates do not exceed, and a few more to make up for duplicates.
pub(super) fn cut(candidates: &[Candidate], width: usize) -> i32 {
    let wanted = width + width / 8;
    let scores = || candidates.iter().map(|candidate| candidate.score);
    let (Some(least), Some(most)) = (scores().min(), scores().max()) else { return 0 };
    if candidates.len() <= wanted {
        return most;
    }
    let mut counts = vec![0_usize; (most - least) as usize + 1];
    scores().for_each(|score| counts[(score - least) as usize] += 1);
    let mut sum = 0;
    let reached = counts.iter().position(|count| {
        sum += count;
        sum >= wanted
    });
    reached.map_or(most, |at| least + at as i32)
}

/// The states of one level that have been generated, by the upper 48 bits of their hashes: exact for small boards. On
/// others a collision is rare and loses one state.
pub(super) struct LevelSet {
    slots: Vec<u64>,
    /// Counts levels in the lower 16 bits, so that clearing costs nothing most of the time.
    level: u64,
}

impl LevelSet {
    /// The most slots for each state of the beam's width.
    pub(super) const SLOTS: usize = 8;
    pub(super) const LEAST: usize = 8;
    const LOW: u64 = 0xFFFF;

    pub(super) fn new(width: usize) -> Self {
        Self { slots: vec![0; Self::slots(width)], level: 0 }
    }

    /// Twice the width goes in at most: as many as go on, and as many as finish a stage.
    fn slots(width: usize) -> usize {
        (width.max(Self::LEAST) * 4).next_power_of_two()
    }

    pub(super) fn bytes(width: usize) -> u64 {
        (Self::slots(width) * size_of::<u64>()) as u64
    }

    pub(super) fn clear(&mut self) {
        self.level += 1;
        if self.level > Self::LOW {
            self.slots.fill(0);
            self.level = 1;
        }
    }

    /// Adds a state; returns whether it is new in this level.
    #[inline]
    pub(super) fn is_new(&mut self, hash: u64) -> bool {
        let entry = hash & !Self::LOW | self.level;
        let mask = self.slots.len() - 1;
        let mut at = spread(hash) & mask;
        // Only an overfull table takes that many steps; then a duplicate does no harm.
        for _ in 0..64 {
            let found = self.slots[at];
            if found == entry {
                return false;
            }
            if found & Self::LOW != self.level {
                break;
            }
            at = (at + 1) & mask;
        }
        self.slots[at] = entry;
        true
    }
}

/// States of earlier levels, as many as fit: a beam that returns to them goes in circles.
pub(super) struct Past {
    slots: Vec<u64>,
}

impl Past {
    /// The most slots for each state of the beam's width.
    pub(super) const SLOTS: usize = 32;

    pub(super) fn new(width: usize) -> Self {
        Self { slots: vec![0; Self::slots(width)] }
    }

    fn slots(width: usize) -> usize {
        (width.max(LevelSet::LEAST) * Self::SLOTS / 2).next_power_of_two()
    }

    pub(super) fn bytes(width: usize) -> u64 {
        (Self::slots(width) * size_of::<u64>()) as u64
    }

    pub(super) fn clear(&mut self) {
        self.slots.fill(0);
    }

    /// Adds a state; returns whether it is not known from an earlier level.
    #[inline]
    pub(super) fn is_new(&mut self, hash: u64) -> bool {
        let at = spread(hash) & (self.slots.len() - 1);
        std::mem::replace(&mut self.slots[at], hash) != hash
    }
}

/// A hash as a number from which a table's slot follows.
#[inline]
fn spread(hash: u64) -> usize {
    (hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 24) as usize
}
