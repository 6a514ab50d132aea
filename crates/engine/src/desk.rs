//! Several threads under one limit on memory: whoever has less of it because of the others does its work again, beside fewer
//! or alone.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::lock::lock;

/// Where threads say that they are at work. Where one is crowded, fewer sit beside each other from then on, until it has been
/// calm for a while. One who must be alone waits until nobody else is at work, and nobody comes meanwhile: what comes of it
/// does not depend on how many there are.
pub(crate) struct Desk {
    present: Mutex<Present>,
    changed: Condvar,
}

struct Present {
    /// The threads that are at work, and may hold memory.
    at_work: usize,
    /// Whether one of them must have no other beside it.
    is_alone: bool,
    /// The threads that wait for that, and how many others have sat down before the next one of them.
    waiting: usize,
    passed: usize,
    /// How many may be at work, as far as is known, and at most.
    seats: usize,
    most: usize,
    /// How many have left without having been crowded since that was changed.
    calm: usize,
}

/// So many for each thread may sit down before one who waits to be alone: what is short is not held up by what is long for
/// nothing, but nobody waits for ever.
const PASSING: usize = 4;
/// So many for each seat must have been calm before there is one more. What is tried in vain then is a small part of all.
const CALM: usize = 8;

impl Desk {
    /// A desk for so many threads.
    pub(crate) fn new(threads: usize) -> Self {
        let present =
            Present { at_work: 0, is_alone: false, waiting: 0, passed: 0, seats: threads, most: threads, calm: 0 };
        Self { present: Mutex::new(present), changed: Condvar::new() }
    }

    /// Says that this thread is at work until the seat is dropped; waits for a seat, and while somebody must be alone.
    pub(crate) fn sit(&self) -> Seat<'_> {
        self.wait(Present::has_seat).sit();
        Seat { desk: self, is_calm: true }
    }

    fn wait(&self, until: impl Fn(&Present) -> bool) -> MutexGuard<'_, Present> {
        let waited = self.changed.wait_while(lock(&self.present), |present| !until(present));
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Present)) {
        change(&mut lock(&self.present));
        self.changed.notify_all();
    }
}

impl Present {
    fn has_seat(&self) -> bool {
        // Those who wait to be alone go first when nobody is there, or when many have gone before them.
        let is_free = self.waiting == 0 || self.at_work > 0 && self.passed < PASSING * self.most;
        is_free && self.at_work < self.seats && !self.is_alone
    }

    fn sit(&mut self) {
        self.at_work += 1;
        self.passed += usize::from(self.waiting > 0);
    }

    /// One who was crowded gets up: as many as are left were enough.
    fn step_aside(&mut self) {
        self.at_work -= 1;
        self.seats = self.at_work.clamp(1, self.seats);
        self.calm = 0;
    }

    fn leave(&mut self, is_calm: bool) {
        self.at_work -= 1;
        self.calm += usize::from(is_calm);
        if self.calm >= CALM * self.seats && self.seats < self.most {
            self.seats += 1;
            self.calm = 0;
        }
    }
}

/// A thread's place among those at work.
pub(crate) struct Seat<'a> {
    desk: &'a Desk,
    is_calm: bool,
}

impl Seat<'_> {
    /// It was crowded here: gets up, and sits down again when fewer are at work. Whoever asks holds nothing meanwhile, or it
    /// might wait for memory that it has itself.
    pub(crate) fn move_over(&mut self) {
        self.desk.change(Present::step_aside);
        self.desk.wait(Present::has_seat).sit();
    }

    /// It was crowded here: does something with nobody else at work, once that is so. It holds nothing meanwhile, either.
    pub(crate) fn alone<T>(&mut self, act: impl FnOnce() -> T) -> T {
        self.is_calm = false;
        self.desk.change(|present| {
            present.step_aside();
            present.waiting += 1;
        });
        let mut present = self.desk.wait(|present| present.at_work == 0);
        present.waiting -= 1;
        present.passed = 0;
        present.at_work += 1;
        present.is_alone = true;
        drop(present);
        // Also if it panics.
        let _open = Reopening(self.desk);
        act()
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        self.desk.change(|present| present.leave(self.is_calm));
    }
}

/// Lets others sit down again when it is dropped.
struct Reopening<'a>(&'a Desk);

impl Drop for Reopening<'_> {
    fn drop(&mut self) {
        self.0.change(|present| present.is_alone = false);
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
        let (desk, inside, alone) = (Desk::new(4), AtomicUsize::new(0), AtomicUsize::new(0));
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
    fn one_who_waits_to_be_alone_is_not_passed_for_ever() {
        let desk = Desk::new(3);
        let waiting = || lock(&desk.present).waiting;
        let (mut crowded, first) = (desk.sit(), desk.sit());
        thread::scope(|scope| {
            let alone = scope.spawn(move || crowded.alone(|| ()));
            while waiting() == 0 {
                thread::yield_now();
            }
            // One comes before the other goes: somebody is always at work.
            let mut sitting = vec![first];
            lock(&desk.present).seats = 2;
            let mut came = 0;
            while lock(&desk.present).has_seat() && came < 1000 {
                sitting.push(desk.sit());
                sitting.remove(0);
                came += 1;
            }
            assert_eq!((came, waiting()), (PASSING * 3, 1));
            drop(sitting);
            alone.join().unwrap();
        });
        assert!(lock(&desk.present).has_seat());
    }

    #[test]
    fn one_who_panics_alone_keeps_nobody_out() {
        let desk = Desk::new(2);
        let panicked = catch_unwind(AssertUnwindSafe(|| desk.sit().alone(|| panic!("as it should"))));
        assert!(panicked.is_err());
        desk.sit().alone(|| ());
    }

    #[test]
    fn fewer_sit_where_it_was_crowded_until_it_has_been_calm() {
        let desk = Desk::new(4);
        let seats = || lock(&desk.present).seats;
        let is_full = || !lock(&desk.present).has_seat();
        let mut sitting: Vec<Seat<'_>> = (0..4).map(|_| desk.sit()).collect();
        assert!(is_full() && seats() == 4);
        // Two of four are crowded, and wait for the others to end.
        thread::scope(|scope| {
            for (number, mut crowded) in sitting.drain(2..).enumerate() {
                scope.spawn(move || crowded.alone(|| ()));
                while seats() != 3 - number {
                    thread::yield_now();
                }
            }
            assert!(is_full(), "two are enough");
            drop(sitting.pop());
            assert!(!is_full(), "there is a free seat");
            drop(sitting.pop());
        });
        assert_eq!((seats(), is_full()), (2, false));
        // Nobody else has a seat there to go to.
        let mut seat = desk.sit();
        seat.move_over();
        assert_eq!((seats(), is_full()), (1, true));
        drop(seat);
        let calm = |boards| (0..boards).for_each(|_| drop(desk.sit()));
        // One was calm already: it has moved over.
        calm(CALM - 2);
        assert_eq!(seats(), 1);
        calm(1);
        assert_eq!(seats(), 2);
        calm(2 * CALM + 3 * CALM - 1);
        assert_eq!(seats(), 3);
        calm(1);
        assert_eq!(seats(), 4);
        calm(100);
        assert_eq!(seats(), 4, "there are no more threads");
        desk.sit().alone(|| ());
        assert_eq!((seats(), is_full()), (1, false));
    }
}
