use pintu_search::{Counters, Guarantee, Stop};

use crate::{Algorithm, Cell, Length};

/// The end of a search for a path, and its counts.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
#[non_exhaustive]
pub struct Report {
    /// Found, proved impossible, or stopped.
    pub outcome: Outcome,
    /// The algorithm that searched, or would have if a search had been needed; never [`Algorithm::Fastest`].
    pub algorithm: Algorithm,
    /// The search's counts. A search that began again, because costs turned out to need 64 bits, counts its last run
    /// only, as does its control: node limits apply to that.
    pub counters: Counters,
    /// The cells at which jump point search looked, where it ran: those it expanded, and those passed diagonally (four-way:
    /// vertically). Straight lines are looked up from there, and not walked along.
    pub scanned: Option<u64>,
}

impl Report {
    /// The path's length, if one was found.
    pub fn length(&self) -> Option<Length> {
        match self.outcome {
            Outcome::Found { length, .. } => Some(length),
            _ => None,
        }
    }
}

/// How a search for a path ends.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Outcome {
    /// There is a path; [`Scratch::path`](crate::Scratch::path) has its cells.
    Found {
        /// Its length.
        length: Length,
        /// What the algorithm guarantees about it.
        guarantee: Guarantee,
    },
    /// There is no path.
    Unreachable(Reason),
    /// The search was stopped.
    Stopped {
        /// The reason.
        why: Stop,
        /// Lower bound of all paths' lengths, if one is known; exact if it is whole. Unlike a path's length, a bound
        /// need not be a sum of steps: weights and straight-line estimates divide them.
        lower_bound: Option<f64>,
    },
}

/// Why there is no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what each means")]
pub enum Reason {
    #[error("the start is blocked")]
    BlockedStart,
    #[error("every goal is blocked")]
    BlockedGoal,
    #[error("obstacles cut the goal off from the start")]
    CutOff,
}

/// A query that a map cannot answer, or did not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what each means")]
pub enum QueryError {
    #[error("found the cell {cell}, expected rows from 0 to {} and columns from 0 to {}", .rows - 1, .cols - 1)]
    Outside { cell: Cell, rows: u32, cols: u32 },
    #[error("found no goal, expected at least one")]
    NoGoal,
    #[error("jump point search needs a map on which every cell costs the same; this one costs {least} to {greatest}")]
    NotUniform { least: u64, greatest: u64 },
    #[error("jump point search needs a map without water, and this one has some")]
    HasWater,
    /// The search was stopped, where the answer has no other way to say so.
    #[error("the search was stopped: {0}")]
    Stopped(Stop),
}
