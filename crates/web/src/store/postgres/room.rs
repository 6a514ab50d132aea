//! Room for more: the bound on the bytes of the whole store.
//!
//! The database's own files do not shrink when rows are deleted, so the rows are counted: now and then, and in between each
//! server adds what it writes itself. Servers together may pass the bound by what the others write between two counts, and
//! one that found no room may refuse a write for a moment after another has deleted something.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use deadpool_postgres::GenericClient;

use super::{Transaction, one};
use crate::store::{StoreError, rules::MAX_EVICTED};

#[derive(Default)]
pub(super) struct Room(Mutex<Known>);

#[derive(Clone, Copy, Default)]
struct Known {
    bytes: u64,
    counted: Option<Instant>,
    /// How long the count took.
    took: Duration,
}

/// A row beside its bytes: its head, its short columns, and its entries in indices.
const ROW_BYTES: u64 = 1 << 10;
/// How long a count holds while there is room.
const COUNT_INTERVAL: Duration = Duration::from_mins(1);
/// When there is no room, counting takes at most this part of the time.
const MAX_SHARE: u32 = 10;

impl Room {
    /// Makes sure that the store has room for another row of some bytes, if need be by deleting long unused players.
    pub(super) async fn make(&self, transaction: &Transaction<'_>, bytes: usize) -> Result<(), StoreError> {
        let bounds = &transaction.store.bounds;
        let needed = bytes as u64 + ROW_BYTES;
        let has_room = |known: Known| known.bytes + needed <= bounds.database_bytes;
        let known = self.get();
        let holds = if has_room(known) { COUNT_INTERVAL } else { known.took * MAX_SHARE };
        if known.counted.is_none_or(|at| at.elapsed() > holds) {
            self.count(&transaction.db).await?;
        }
        for _ in 0..MAX_EVICTED {
            if has_room(self.get()) {
                break;
            }
            if transaction.evict(bounds.unused_time_when_full, 1).await? == 0 {
                return Err(StoreError::Full);
            }
            self.count(&transaction.db).await?;
        }
        self.lock().bytes += needed;
        Ok(())
    }

    /// The bytes of all rows, as they were counted within the last minute.
    pub(super) async fn bytes(&self, db: &impl GenericClient) -> Result<u64, StoreError> {
        if self.get().counted.is_none_or(|at| at.elapsed() > COUNT_INTERVAL) {
            self.count(db).await?;
        }
        Ok(self.get().bytes)
    }

    async fn count(&self, db: &impl GenericClient) -> Result<(), StoreError> {
        let began = Instant::now();
        let sum = |table: &str| format!("(SELECT COALESCE(SUM(size + $1), 0) FROM {table})");
        let sql = format!("SELECT ({} + {} + {})::BIGINT", sum("saves"), sum("pictures"), sum("records"));
        let bytes: i64 = one(db, &sql, &[&(ROW_BYTES as i64)]).await?.get(0);
        *self.lock() = Known { bytes: bytes as u64, counted: Some(Instant::now()), took: began.elapsed() };
        Ok(())
    }

    /// Rows were deleted: where there is no room, the next write counts anew.
    pub(super) fn freed(&self) {
        self.lock().took = Duration::ZERO;
    }

    fn get(&self) -> Known {
        *self.lock()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
