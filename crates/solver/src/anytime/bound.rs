//! How many moves a puzzle takes at least.

use pintu_search::Heuristic;
use pintu_tiles::{Board, Bytes, LinearConflict, MAX_CELLS, Puzzle, TileSpace, manhattan};

type Any = Bytes<MAX_CELLS>;

/// The largest of the admissible estimates that apply to the board.
pub(super) fn lower_bound(puzzle: &Puzzle) -> u32 {
    let start = Any::pack(&puzzle.canonical_start());
    let distance = estimate(&manhattan(puzzle), &start);
    let conflict = LinearConflict::new(puzzle).map_or(0, |conflict| estimate(&conflict, &start));
    distance.max(conflict)
}

fn estimate<H: Heuristic<TileSpace<Any>>>(heuristic: &H, start: &Any) -> u32 {
    heuristic.estimate(heuristic.start(start)).unwrap_or(0)
}
