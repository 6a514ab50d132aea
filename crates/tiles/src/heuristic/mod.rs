//! Estimates of the moves that are left. Each is admissible on every board that it accepts.

mod least;
mod linear_conflict;
mod per_tile;
mod walking_distance;

pub use least::least_moves;
pub use linear_conflict::{Conflict, Line, LinearConflict};
pub use per_tile::{Fixed, PerTile, Term, euclidean, manhattan, misplaced};
pub use walking_distance::{Walked, WalkingDistance};

use crate::Size;

/// Why a heuristic does not apply to a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotApplicable {
    /// Rows or columns wrap.
    #[error("{heuristic} does not apply to a board that wraps: {why}; none, misplaced, manhattan and pattern do")]
    Wraps {
        /// The heuristic's name.
        heuristic: &'static str,
        /// What would go wrong.
        why: &'static str,
    },
    /// Its table would not fit.
    #[error("{heuristic} does not apply to a board of {size}: its table would take more than {mebibytes} MiB")]
    TableTooLarge {
        /// The heuristic's name.
        heuristic: &'static str,
        /// The board's sides.
        size: Size,
        /// What it may take.
        mebibytes: usize,
    },
}
