use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, even one that a thread held when it panicked: no thread leaves the data inconsistent.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
