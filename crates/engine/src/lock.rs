use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks, also after somebody panicked with the lock in hand: what it guards is put right in one step, always.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
