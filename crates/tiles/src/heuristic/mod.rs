//! Estimates of the moves that are left. Each is admissible on every board that it accepts.

mod linear_conflict;
mod per_tile;
mod walking_distance;

pub use linear_conflict::{Conflict, Line, LinearConflict};
pub use per_tile::{Fixed, PerTile, Term, euclidean, manhattan, misplaced};
pub use walking_distance::{Walked, WalkingDistance};

use pintu_search::{Heuristic, Stop};

use crate::{Board, Bytes, MAX_CELLS, Puzzle, Size, TileSpace};

type Any = Bytes<MAX_CELLS>;

/// A lower bound of every solution's length: Manhattan distance, or linear conflict where it applies.
pub fn least_moves(puzzle: &Puzzle) -> u32 {
    let start = Any::pack(&puzzle.canonical_start());
    let distance = estimate(&manhattan(puzzle), &start);
    let conflict = LinearConflict::new(puzzle).map_or(0, |conflict| estimate(&conflict, &start));
    distance.max(conflict)
}

fn estimate<H: Heuristic<TileSpace<Any>>>(heuristic: &H, start: &Any) -> u32 {
    heuristic.estimate(heuristic.start(start)).unwrap_or(0)
}

/// Why a heuristic does not apply to a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what each means")]
pub enum NotApplicable {
    #[error("{heuristic} does not apply to a board that wraps: {why}; none, misplaced, manhattan and pattern do")]
    Wraps { heuristic: &'static str, why: &'static str },
    #[error("{heuristic} does not apply to a board of {size}: its table would take more than {mebibytes} MiB")]
    TableTooLarge { heuristic: &'static str, size: Size, mebibytes: usize },
}

/// Why a heuristic's tables were not built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The heuristic does not apply to the board.
    #[error(transparent)]
    NotApplicable(#[from] NotApplicable),
    /// A limit or a cancellation ended the work.
    #[error(transparent)]
    Stopped(#[from] Stop),
}
