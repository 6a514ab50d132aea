use pintu_search::{Counters, Guarantee, Stop};

use crate::{Algorithm, Cell, Length};

/// How a search for a path ended, and what it took.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Report {
    /// Found, proved impossible, or stopped.
    pub outcome: Outcome,
    /// The algorithm that searched, or would have if a search had been needed; never [`Algorithm::Fastest`].
    pub algorithm: Algorithm,
    /// The search's counts. A search that began again, because costs turned out to need 64 bits, counts its last run alone,
    /// and so does its control: limits on nodes are on that.
    pub counters: Counters,
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
    /// There is none.
    Unreachable(Reason),
    /// The search gave up.
    Stopped {
        /// What ended it.
        why: Stop,
        /// No path is cheaper than this, where the algorithm knows. Exact if it is whole.
        lower_bound: Option<f64>,
    },
}

/// Why there is no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// Nobody can stand where it would begin.
    #[error("the start is blocked")]
    BlockedStart,
    /// Nobody can stand where it would end.
    #[error("every goal is blocked")]
    BlockedGoal,
    /// Obstacles lie between.
    #[error("obstacles cut the goal off from the start")]
    CutOff,
}

/// A question that a map cannot answer, or did not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// A cell that is not on the map.
    #[error("found the cell {cell}, expected rows from 0 to {} and columns from 0 to {}", .rows - 1, .cols - 1)]
    Outside {
        /// The cell.
        cell: Cell,
        /// The map's rows.
        rows: u32,
        /// The map's columns.
        cols: u32,
    },
    /// Nowhere to go.
    #[error("found no goal, expected at least one")]
    NoGoal,
    /// Jump point search where costs differ.
    #[error("jump point search needs a map on which every cell costs the same; this one costs {least} to {greatest}")]
    NotUniform {
        /// The least cost of a cell.
        least: u64,
        /// The greatest cost of a cell.
        greatest: u64,
    },
    /// Jump point search where there is water.
    #[error("jump point search needs a map without water, and this one has some")]
    HasWater,
    /// Something ended the search, where the answer cannot say so otherwise.
    #[error("the search was stopped: {0}")]
    Stopped(Stop),
}
