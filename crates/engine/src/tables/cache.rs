//! The sets of tables that a process keeps in memory, and the locks for making them.

use std::{
    collections::HashSet,
    sync::{Arc, Condvar, Mutex, PoisonError},
    time::Duration,
};

use pintu_search::{Control, Stop};
use pintu_solver::{Tables, internals::SharedRows, store::Key};

use crate::lock::lock;

/// An LRU cache of table sets, bounded in bytes. An evicted set stays alive for as long as a search uses it.
pub(super) struct Cache {
    held: Mutex<Held>,
    /// The keys of sets that a thread is making.
    making: Mutex<HashSet<Key>>,
    made: Condvar,
    max_bytes: u64,
}

struct Held {
    /// The least recently used comes first.
    sets: Vec<(Key, Arc<Tables>)>,
    /// Rows that the sets share; rows of evicted sets stay until the next eviction.
    rows: Arc<SharedRows>,
}

impl Cache {
    pub(super) fn new(max_bytes: u64) -> Self {
        Self {
            held: Mutex::new(Held { sets: Vec::new(), rows: Arc::new(SharedRows::new()) }),
            making: Mutex::new(HashSet::new()),
            made: Condvar::new(),
            max_bytes,
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

    /// Adds a set, and evicts the least recently used ones if the bound is exceeded.
    pub(super) fn put(&self, key: Key, tables: &Arc<Tables>) {
        let mut held = lock(&self.held);
        held.sets.push((key, Arc::clone(tables)));
        let bytes = |sets: &[(Key, Arc<Tables>)]| sets.iter().map(|(_, tables)| tables.bytes()).sum::<u64>();
        while held.sets.len() > 1 && bytes(&held.sets) > self.max_bytes {
            held.evict(0);
        }
    }

    /// Evicts sets that no search uses, the least recently used first, until they are within `bytes`.
    pub(super) fn keep_idle_within(&self, bytes: u64) {
        let mut held = lock(&self.held);
        loop {
            // Under the lock, no search can take one out.
            let mut idle = (0..held.sets.len()).filter(|&at| Arc::strong_count(&held.sets[at].1) == 1).peekable();
            let Some(&first) = idle.peek() else { return };
            if idle.map(|at| held.sets[at].1.cached_bytes()).sum::<u64>() <= bytes {
                return;
            }
            held.evict(first);
        }
    }

    /// Waits until no other thread makes this set, unless the control ends the wait.
    pub(super) fn lock(&self, key: Key, control: &Control) -> Result<Making<'_>, Stop> {
        const CHECK_INTERVAL: Duration = Duration::from_millis(20);
        let mut making = lock(&self.making);
        while !making.insert(key) {
            control.check()?;
            (making, _) = self.made.wait_timeout(making, CHECK_INTERVAL).unwrap_or_else(PoisonError::into_inner);
        }
        Ok(Making { cache: self, key })
    }
}

impl Held {
    fn evict(&mut self, at: usize) {
        self.sets.remove(at);
        self.rows = Arc::new(SharedRows::new());
    }
}

/// The lock under which a thread makes a set, until it is dropped.
pub(super) struct Making<'a> {
    cache: &'a Cache,
    key: Key,
}

impl Drop for Making<'_> {
    fn drop(&mut self) {
        lock(&self.cache.making).remove(&self.key);
        self.cache.made.notify_all();
    }
}
