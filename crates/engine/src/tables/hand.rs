//! The sets of tables that a process has in hand, and whose turn it is to make one.

use std::{
    collections::HashSet,
    ops::ControlFlow,
    sync::{Arc, Condvar, Mutex, PoisonError},
    time::Duration,
};

use pintu_search::{Control, Stop};
use pintu_solver::tables::{Key, SharedRows, Tables};

use crate::lock::lock;

/// Sets in hand, up to a number of bytes. A set that is let go lives on for as long as a search uses it.
pub(super) struct Hand {
    held: Mutex<Held>,
    /// The keys of sets that somebody is making.
    making: Mutex<HashSet<Key>>,
    made: Condvar,
    most_bytes: u64,
}

struct Held {
    /// What was used last comes last.
    sets: Vec<(Key, Arc<Tables>)>,
    /// Rows that the sets share; rows of sets that were let go stay until the next one is.
    rows: Arc<SharedRows>,
}

impl Hand {
    pub(super) fn new(most_bytes: u64) -> Self {
        Self {
            held: Mutex::new(Held { sets: Vec::new(), rows: Arc::new(SharedRows::new()) }),
            making: Mutex::new(HashSet::new()),
            made: Condvar::new(),
            most_bytes,
        }
    }

    pub(super) fn rows(&self) -> Arc<SharedRows> {
        Arc::clone(&lock(&self.held).rows)
    }

    pub(super) fn get(&self, key: Key) -> Option<Arc<Tables>> {
        let sets = &mut lock(&self.held).sets;
        let at = sets.iter().position(|(other, _)| *other == key)?;
        let set = sets.remove(at);
        sets.push(set);
        sets.last().map(|(_, tables)| Arc::clone(tables))
    }

    /// Takes a set in hand, and lets go of those that were not used for longest if it is too much.
    pub(super) fn put(&self, key: Key, tables: &Arc<Tables>) {
        let mut held = lock(&self.held);
        held.sets.push((key, Arc::clone(tables)));
        let bytes = |sets: &[(Key, Arc<Tables>)]| sets.iter().map(|(_, tables)| tables.bytes()).sum::<u64>();
        while held.sets.len() > 1 && bytes(&held.sets) > self.most_bytes {
            held.let_go(0);
        }
    }

    /// Lets go of sets that no search uses, those first that were not used for longest, until they are no more than so many
    /// bytes.
    pub(super) fn keep_idle_within(&self, bytes: u64) {
        let mut held = lock(&self.held);
        loop {
            // Nobody gets one meanwhile.
            let mut idle = (0..held.sets.len()).filter(|&at| Arc::strong_count(&held.sets[at].1) == 1).peekable();
            let Some(&first) = idle.peek() else { return };
            if idle.map(|at| held.sets[at].1.kept_bytes()).sum::<u64>() <= bytes {
                return;
            }
            held.let_go(first);
        }
    }

    /// Waits until nobody else makes this set, unless the control ends that.
    pub(super) fn turn(&self, key: Key, control: &Control) -> ControlFlow<Stop, Turn<'_>> {
        const GLANCE: Duration = Duration::from_millis(20);
        let mut making = lock(&self.making);
        while !making.insert(key) {
            control.check()?;
            (making, _) = self.made.wait_timeout(making, GLANCE).unwrap_or_else(PoisonError::into_inner);
        }
        ControlFlow::Continue(Turn { hand: self, key })
    }
}

impl Held {
    fn let_go(&mut self, at: usize) {
        self.sets.remove(at);
        self.rows = Arc::new(SharedRows::new());
    }
}

/// A turn to make a set; others get theirs when it is dropped.
pub(super) struct Turn<'a> {
    hand: &'a Hand,
    key: Key,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        lock(&self.hand.making).remove(&self.key);
        self.hand.made.notify_all();
    }
}
