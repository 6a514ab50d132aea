use std::fmt;

/// Holds work up: a control that has a gate asks it before each block of expansions.
pub trait Gate: fmt::Debug + Send + Sync {
    /// How many of `wanted` expansions may be made now, at least one; waits for a moment if need be, and says `None` if
    /// none may be made yet. (The control then looks whether the work is to end, and asks again.)
    fn pass(&self, wanted: u64) -> Option<u64>;

    /// So many that were let through will not be made.
    fn give_back(&self, unused: u64);
}
