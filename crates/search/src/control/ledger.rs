//! The bytes that work holds, what is left, and whether others are to blame if that is too little.

#[cfg(test)]
mod tests;

use std::{
    iter::successors,
    ops::ControlFlow::{self, Break, Continue},
    sync::{Arc, atomic::Ordering::Relaxed},
};

use super::{Control, Idle, code_of};
use crate::Stop;

impl Control {
    /// How many of the bytes that it could use work may count on, here and above: all of them, or what is left. For work
    /// that makes do with less; what it then takes, it asks a [`Hold`](super::Hold) for.
    ///
    /// Where it would be more without what others hold, that is noted: [`was_crowded`](Self::was_crowded). So ask for
    /// no more than would be used.
    pub fn room(&self, wanted: u64) -> u64 {
        let now = self.room_now().min(wanted);
        if now < wanted {
            self.note_crowding(|alone| alone.min(wanted) > now);
        }
        now
    }

    /// Whether so many bytes can still be taken hold of, here and above. Where they could be without what others hold,
    /// that is noted, too.
    pub fn has_room(&self, bytes: u64) -> bool {
        let is_room = bytes <= self.room_now();
        if !is_room {
            self.note_refusal(bytes);
        }
        is_room
    }

    /// Whether there was no room for bytes that this work asked for, or asked after, only because others hold some
    /// besides: alone, it may come to another end. Others are other parts of the same work; what that work holds itself, no
    /// part can have.
    pub fn was_crowded(&self) -> bool {
        self.0.crowded.load(Relaxed)
    }

    /// The bytes that are held now, here and in all parts.
    pub fn held(&self) -> u64 {
        self.0.held.load(Relaxed)
    }

    /// Has something let go of what it keeps as soon as that and what is held here are more than this control's memory:
    /// before the bytes are taken that are too many. The first that is named here stays.
    pub fn let_go_of(&self, idle: Arc<dyn Idle>) {
        let _ = self.0.idle.set(idle);
    }

    /// This control and those above it.
    fn upwards(&self) -> impl Iterator<Item = &Self> {
        successors(Some(self), |control| control.0.whole.as_ref())
    }

    /// What is left now, here and above.
    fn room_now(&self) -> u64 {
        self.upwards().map(|control| control.beside(control.held())).min().unwrap_or(u64::MAX)
    }

    /// What would be left, here and above, if nobody else held anything: no other part of what this is a part of.
    fn room_alone(&self) -> u64 {
        let mut held = 0;
        let room = self.upwards().enumerate().map(|(level, control)| {
            held += if level == 0 { control.held() } else { control.0.kept.load(Relaxed) };
            control.beside(held)
        });
        room.min().unwrap_or(u64::MAX)
    }

    /// What its own limit leaves beside so many bytes.
    fn beside(&self, held: u64) -> u64 {
        if self.0.memory == u64::MAX { u64::MAX } else { self.0.memory.saturating_sub(held) }
    }

    /// Bytes were refused: notes whose fault it is.
    fn note_refusal(&self, bytes: u64) {
        self.note_crowding(|alone| alone >= bytes);
    }

    /// Notes, here and above, where it matters that there is less room than there would be alone.
    fn note_crowding(&self, matters: impl Fn(u64) -> bool) {
        // What a limit below leaves would be no more.
        let mut below = u64::MAX;
        for control in self.upwards() {
            below = below.min(control.beside(control.held()));
            if matters(below.min(control.room_alone())) {
                control.0.crowded.store(true, Relaxed);
                if control.0.yields {
                    control.end(code_of(Stop::Memory));
                }
            }
        }
    }

    /// Enters what a hold on this control asks for in the ledgers here and above, or in none of them. What is refused is
    /// entered nowhere, not even for a moment in which somebody else might be refused because of it.
    pub(super) fn take_bytes(&self, bytes: u64) -> ControlFlow<Stop> {
        if !self.has_room(bytes) {
            return Break(Stop::Memory);
        }
        if !self.enter(bytes) {
            // Somebody else was faster.
            self.note_refusal(bytes);
            return Break(Stop::Memory);
        }
        self.0.kept.fetch_add(bytes, Relaxed);
        Continue(())
    }

    fn enter(&self, bytes: u64) -> bool {
        let more = |held: u64| held.checked_add(bytes).filter(|&held| held <= self.0.memory);
        let Ok(held) = self.0.held.fetch_update(Relaxed, Relaxed, more) else { return false };
        let is_entered = self.0.whole.as_ref().is_none_or(|whole| whole.enter(bytes));
        if is_entered {
            self.0.peak_bytes.fetch_max(held + bytes, Relaxed);
            if let Some(idle) = self.0.idle.get() {
                idle.keep_within(self.beside(held + bytes));
            }
        } else {
            self.0.held.fetch_sub(bytes, Relaxed);
        }
        is_entered
    }

    /// Takes back what a hold on this control has.
    pub(super) fn give_bytes(&self, bytes: u64) {
        self.0.kept.fetch_sub(bytes, Relaxed);
        self.upwards().for_each(|control| {
            control.0.held.fetch_sub(bytes, Relaxed);
        });
    }
}
