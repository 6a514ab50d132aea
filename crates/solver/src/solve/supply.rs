//! Where the solver gets pattern tables from.

use std::{
    ops::ControlFlow::{self, Continue},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use pintu_search::{Control, Stop};

use crate::tables::{Key, Pattern, PatternError, SharedRows, Table, Tables};

/// Where the solver gets pattern tables from, and what it may expect of that.
pub trait Supply {
    /// A set that is there at once.
    fn in_hand(&self, key: Key) -> Option<Arc<Tables>>;

    /// How many bytes a set has that can be read rather than built, if there is one.
    fn readable(&self, key: Key) -> Option<u64>;

    /// Reads a set, if it can be read.
    fn read(&self, key: Key) -> Option<Arc<Tables>>;

    /// Whether sets can be made at all.
    fn makes(&self) -> bool {
        true
    }

    /// A set, of which what cannot be read is built, unless the control ends that. Whoever asks has seen that the board
    /// has such tables.
    fn make(&self, key: Key, threads: usize, control: &Control) -> ControlFlow<Stop, Arc<Tables>>;
}

/// No tables: every board is solved without.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTables;

impl Supply for NoTables {
    fn in_hand(&self, _: Key) -> Option<Arc<Tables>> {
        None
    }

    fn readable(&self, _: Key) -> Option<u64> {
        None
    }

    fn read(&self, _: Key) -> Option<Arc<Tables>> {
        None
    }

    fn makes(&self) -> bool {
        false
    }

    fn make(&self, _: Key, _: usize, _: &Control) -> ControlFlow<Stop, Arc<Tables>> {
        ControlFlow::Break(Stop::Memory)
    }
}

/// Tables that are built when they are needed first, and kept.
#[derive(Default)]
pub struct KeptTables {
    rows: SharedRows,
    sets: Mutex<Vec<(Key, Arc<Tables>)>>,
}

impl KeptTables {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn sets(&self) -> MutexGuard<'_, Vec<(Key, Arc<Tables>)>> {
        self.sets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Supply for KeptTables {
    fn in_hand(&self, key: Key) -> Option<Arc<Tables>> {
        self.sets().iter().find(|(other, _)| *other == key).map(|(_, tables)| Arc::clone(tables))
    }

    fn readable(&self, _: Key) -> Option<u64> {
        None
    }

    fn read(&self, _: Key) -> Option<Arc<Tables>> {
        None
    }

    fn make(&self, key: Key, threads: usize, control: &Control) -> ControlFlow<Stop, Arc<Tables>> {
        if let Some(tables) = self.in_hand(key) {
            return Continue(tables);
        }
        let patterns = key.patterns().expect("whoever asks has seen that there are patterns");
        let mut tables: Vec<Table> = Vec::new();
        // Those that are there already, while others are built.
        let mut hold = control.hold();
        for pattern in &patterns {
            if let Some(made) = tables.iter().find(|table| table.pattern() == pattern) {
                tables.push(made.clone());
                continue;
            }
            let table = Table::build(pattern, &self.rows, threads, control, &mut |_| ())?;
            hold.more(table.bytes())?;
            tables.push(table);
        }
        let tables = Arc::new(Tables::new(tables).expect("each partition has every tile once"));
        self.sets().push((key, Arc::clone(&tables)));
        Continue(tables)
    }
}

/// Whether a set is there at once or can be built within the memory that is left.
pub fn is_room_for(key: Key, supply: &dyn Supply, control: &Control) -> Result<bool, PatternError> {
    Ok(supply.in_hand(key).is_some() || can_build(&key.patterns()?, control))
}

/// Whether a set can be built within the memory that is left: all tables, and what the largest build takes.
pub(super) fn can_build(patterns: &[Pattern], control: &Control) -> bool {
    let tables: u64 = patterns.iter().map(Pattern::estimated_bytes).sum();
    let build = patterns.iter().map(Pattern::estimated_build_bytes).max().unwrap_or(0);
    control.has_room(tables + build)
}
