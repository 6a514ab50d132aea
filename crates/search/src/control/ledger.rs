//! The bytes that work holds, and who is refused more.

use std::{
    ops::ControlFlow::{self, Break, Continue},
    sync::atomic::Ordering::Relaxed,
};

use super::Control;
use crate::Stop;

impl Control {
    /// The bytes that may still be taken hold of, here and above, if they are limited.
    pub fn memory_left(&self) -> Option<u64> {
        let own = (self.0.memory != u64::MAX).then(|| self.own_room());
        let above = self.0.whole.as_ref().and_then(Self::memory_left);
        own.into_iter().chain(above).min()
    }

    /// Whether so many bytes can still be taken hold of, here and above.
    pub fn has_room(&self, bytes: u64) -> bool {
        if bytes > self.own_room() {
            return false;
        }
        let is_room_above = self.0.whole.as_ref().is_none_or(|whole| whole.has_room(bytes));
        if !is_room_above {
            self.note_refusal(bytes);
        }
        is_room_above
    }

    /// Whether there was no room for bytes that this work asked for, or asked after, only because others hold some
    /// besides: alone, it may come to another end.
    pub fn was_crowded(&self) -> bool {
        self.0.crowded.load(Relaxed)
    }

    /// Bytes were refused above: notes whether that is because of what others hold.
    fn note_refusal(&self, bytes: u64) {
        let alone = self.0.held.load(Relaxed).saturating_add(bytes);
        if alone <= self.most_bytes() {
            self.0.crowded.store(true, Relaxed);
        }
    }

    fn own_room(&self) -> u64 {
        self.0.memory.saturating_sub(self.0.held.load(Relaxed))
    }

    /// The lowest limit on memory, here and above.
    fn most_bytes(&self) -> u64 {
        self.0.whole.as_ref().map_or(u64::MAX, Self::most_bytes).min(self.0.memory)
    }

    /// Enters bytes in the ledgers here and above, or in none of them. What is refused is entered nowhere, not even for
    /// a moment in which somebody else might be refused because of it.
    pub(super) fn take_bytes(&self, bytes: u64) -> ControlFlow<Stop> {
        if !self.has_room(bytes) {
            return Break(Stop::Memory);
        }
        let enter = |held: u64| held.checked_add(bytes).filter(|&held| held <= self.0.memory);
        let Ok(held) = self.0.held.fetch_update(Relaxed, Relaxed, enter) else { return Break(Stop::Memory) };
        let taken = self.0.whole.as_ref().map_or(Continue(()), |whole| whole.take_bytes(bytes));
        if taken.is_break() {
            self.0.held.fetch_sub(bytes, Relaxed);
            self.note_refusal(bytes);
        } else {
            self.0.peak_bytes.fetch_max(held + bytes, Relaxed);
        }
        taken
    }

    pub(super) fn give_bytes(&self, bytes: u64) {
        self.0.held.fetch_sub(bytes, Relaxed);
        if let Some(whole) = &self.0.whole {
            whole.give_bytes(bytes);
        }
    }
}
