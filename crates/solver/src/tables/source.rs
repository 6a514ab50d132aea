//! Where the solver gets pattern tables from.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use pintu_search::Control;

use super::{BuildError, Key, Pattern, PatternError, Tables};

/// Where the solver gets pattern tables from: a cache, or a store of files.
pub trait TableSource {
    /// A set that is in memory already.
    fn in_hand(&self, key: Key) -> Option<Arc<Tables>>;

    /// The bytes of a set that can be read instead of built, if there is one.
    fn readable(&self, _: Key) -> Option<u64> {
        None
    }

    /// Reads a set, if it can be read.
    fn read(&self, _: Key) -> Option<Arc<Tables>> {
        None
    }

    /// A set whose missing tables are built, unless the control ends the build.
    fn make(&self, key: Key, threads: usize, control: &Control) -> Result<Arc<Tables>, BuildError>;
}

/// Table sets that are built when they are first needed, and kept in memory.
#[derive(Default)]
pub struct TableCache(Mutex<HashMap<Key, Arc<Tables>>>);

impl TableCache {
    /// An empty cache.
    pub fn new() -> Self {
        Self::default()
    }

    fn sets(&self) -> MutexGuard<'_, HashMap<Key, Arc<Tables>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TableSource for TableCache {
    fn in_hand(&self, key: Key) -> Option<Arc<Tables>> {
        self.sets().get(&key).map(Arc::clone)
    }

    fn make(&self, key: Key, threads: usize, control: &Control) -> Result<Arc<Tables>, BuildError> {
        if let Some(tables) = self.in_hand(key) {
            return Ok(tables);
        }
        let tables = Arc::new(Tables::build(key, threads, control)?);
        self.sets().insert(key, Arc::clone(&tables));
        Ok(tables)
    }
}

/// Whether a set is in memory or can be built within the memory that is left.
pub fn has_room_for(key: Key, source: &dyn TableSource, control: &Control) -> Result<bool, PatternError> {
    Ok(source.in_hand(key).is_some() || can_build(&key.patterns()?, control))
}

/// Whether a set can be built within the memory that is left: all its tables, beside the largest build.
pub(crate) fn can_build(patterns: &[Pattern], control: &Control) -> bool {
    let tables: u64 = patterns.iter().map(Pattern::estimated_bytes).sum();
    let build = patterns.iter().map(Pattern::estimated_build_bytes).max().unwrap_or(0);
    control.has_room(tables + build)
}
