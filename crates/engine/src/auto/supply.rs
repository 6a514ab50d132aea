//! The store as the solver sees it.

use std::{ops::ControlFlow, sync::Arc};

use pintu_search::{Control, Stop};
use pintu_solver::{Supply, tables::Tables};

use crate::tables::{Key, Store, StoreError};

impl Supply for Store {
    fn in_hand(&self, key: Key) -> Option<Arc<Tables>> {
        Self::in_hand(self, key)
    }

    fn readable(&self, key: Key) -> Option<u64> {
        self.on_disk(key)
    }

    fn read(&self, key: Key) -> Option<Arc<Tables>> {
        self.ready(key)
    }

    fn make(&self, key: Key, threads: usize, control: &Control) -> ControlFlow<Stop, Arc<Tables>> {
        match Self::make(self, key, threads, control, &mut |_| ()) {
            Ok(kept) => ControlFlow::Continue(kept.tables),
            Err(StoreError::Stopped(why)) => ControlFlow::Break(why),
            // What cannot be written is kept in memory, and whoever asks has seen that there are patterns.
            Err(StoreError::Pattern(_) | StoreError::Unwritable { .. }) => ControlFlow::Break(Stop::Memory),
        }
    }
}
