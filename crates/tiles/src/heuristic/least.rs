use pintu_search::Heuristic;

use super::{LinearConflict, manhattan};
use crate::{Board, Bytes, MAX_CELLS, Puzzle, TileSpace};

type Any = Bytes<MAX_CELLS>;

/// A bound below every solution that can be seen at the start, whatever is searched: Manhattan distance, and linear conflict
/// where it applies.
pub fn least_moves(puzzle: &Puzzle) -> u32 {
    let start = Any::pack(&puzzle.canonical_start());
    let distance = estimate(&manhattan(puzzle), &start);
    let conflict = LinearConflict::new(puzzle).map_or(0, |conflict| estimate(&conflict, &start));
    distance.max(conflict)
}

fn estimate<H: Heuristic<TileSpace<Any>>>(heuristic: &H, start: &Any) -> u32 {
    heuristic.estimate(heuristic.start(start)).unwrap_or(0)
}
