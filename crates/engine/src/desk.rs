//! Several threads under one limit on memory: what is refused because of the others is done again alone.

use std::sync::{Condvar, Mutex, PoisonError};

use crate::lock::lock;

/// Where threads say that they are at work. Those who are refused memory wait until nobody else is, and go on with nobody
/// beside them: what is refused does not depend on how many there are. Meanwhile fewer threads share what there is.
#[derive(Default)]
pub(crate) struct Desk {
    present: Mutex<Present>,
    changed: Condvar,
}

#[derive(Default)]
struct Present {
    /// The threads that are at work, and may hold memory.
    at_work: usize,
    /// Whether one of them must have no other beside it.
    is_alone: bool,
}

impl Desk {
    /// Says that this thread is at work until the seat is dropped; waits while somebody must be alone.
    pub(crate) fn sit(&self) -> Seat<'_> {
        self.enter(|present| !present.is_alone, false);
        Seat { desk: self }
    }

    fn enter(&self, may: impl Fn(&Present) -> bool, is_alone: bool) {
        let present = lock(&self.present);
        let waited = self.changed.wait_while(present, |present| !may(present));
        let mut present = waited.unwrap_or_else(PoisonError::into_inner);
        present.at_work += 1;
        present.is_alone = is_alone;
    }

    fn leave(&self) {
        lock(&self.present).at_work -= 1;
        self.changed.notify_all();
    }
}

/// A thread's place among those at work.
pub(crate) struct Seat<'a> {
    desk: &'a Desk,
}

impl Seat<'_> {
    /// Does something with nobody else at work, once that is so. Whoever asks holds nothing meanwhile, or it might wait for
    /// memory that it has itself.
    pub(crate) fn alone<T>(&mut self, act: impl FnOnce() -> T) -> T {
        self.desk.leave();
        self.desk.enter(|present| present.at_work == 0, true);
        // Also if it panics.
        let _open = Reopening(self.desk);
        act()
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        self.desk.leave();
    }
}

/// Lets others sit down again when it is dropped.
struct Reopening<'a>(&'a Desk);

impl Drop for Reopening<'_> {
    fn drop(&mut self) {
        lock(&self.0.present).is_alone = false;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::{
        panic::{AssertUnwindSafe, catch_unwind},
        sync::atomic::{AtomicUsize, Ordering::SeqCst},
        thread,
    };

    use super::*;

    #[test]
    fn nobody_is_at_work_beside_one_who_must_be_alone() {
        let (desk, inside, alone) = (Desk::default(), AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for number in 0..4 {
                let (desk, inside, alone) = (&desk, &inside, &alone);
                scope.spawn(move || {
                    for turn in 0..200 {
                        let mut seat = desk.sit();
                        inside.fetch_add(1, SeqCst);
                        thread::yield_now();
                        inside.fetch_sub(1, SeqCst);
                        if turn % 4 == number {
                            seat.alone(|| {
                                assert_eq!(inside.fetch_add(1, SeqCst), 0);
                                thread::yield_now();
                                assert_eq!(inside.fetch_sub(1, SeqCst), 1);
                                alone.fetch_add(1, SeqCst);
                            });
                        }
                    }
                });
            }
        });
        assert_eq!(alone.into_inner(), 4 * 50);
    }

    #[test]
    fn one_who_panics_alone_keeps_nobody_out() {
        let desk = Desk::default();
        let panicked = catch_unwind(AssertUnwindSafe(|| desk.sit().alone(|| panic!("as it should"))));
        assert!(panicked.is_err());
        desk.sit().alone(|| ());
    }
}
