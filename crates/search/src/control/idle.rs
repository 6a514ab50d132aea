use std::fmt;

/// What somebody keeps beside the ledger only because it may be of use once more: it is let go where memory is asked for, so
/// nobody has less because of it.
pub trait Idle: fmt::Debug + Send + Sync {
    /// Keeps no more than so many bytes of it from now on. What is in use meanwhile is in the ledger, and not meant.
    fn keep_within(&self, bytes: u64);
}
