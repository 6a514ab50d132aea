//! Solutions of any board within any budget: one at once, then better ones until the budget ends.
//!
//! The first solution is constructed, so that there always is one. Beams of growing width then look for shorter ones, and
//! windows of the best are searched again.

mod beam;
mod construct;
mod geometry;
mod improvement;
mod parents;
mod select;
mod stage;

pub(crate) use construct::slide;

use pintu_search::Control;
use pintu_tiles::{Direction, Moves, Puzzle, Topology, least_moves};

use self::{
    construct::construct,
    geometry::Geometry,
    improvement::{Improvement, Setup},
};
use crate::{
    budget::count_start,
    solved::{BestKnown, FoundBy, Solved},
};

/// Solves a puzzle, which must be solvable, as well as the control allows.
///
/// There is always a solution: the first one takes a few milliseconds (up to some tens on 16×16), also when the limits are
/// tighter than that. `on_better` is called with each solution that is better than those before it, and the bound. On one
/// thread without a time limit the result is always the same.
///
/// # Panics
/// If the moves found did not solve the puzzle, which would be a mistake of this function.
pub(crate) fn anytime(
    puzzle: &Puzzle,
    control: &Control,
    threads: usize,
    on_better: &mut dyn FnMut(&Moves, u32),
) -> Solved {
    count_start(control);
    let topology = puzzle.topology();
    let start = puzzle.canonical_start();
    let goal = puzzle.canonical_goal();
    let bound = least_moves(puzzle);
    control.note_bound(bound.into());
    let mut hold = control.hold();
    // Without memory for the geometry, only the construction is made.
    let refused = hold.more(2 * Geometry::bytes(topology)).err();
    let geometry = if refused.is_some() { Geometry::without_keys(topology) } else { Geometry::new(topology) };
    let mut report = |moves: &[Direction], bound| on_better(&Moves(moves.to_vec()), bound);

    // The goal counts as expanded.
    let _ = control.meter().expand();
    let first = if puzzle.is_solved() { Vec::new() } else { construct(&geometry, &start, goal.tiles()) };
    report(&first, bound);
    let (mut moves, mut lower_bound, mut by) = (first, bound, FoundBy::Construction);
    if refused.is_none() {
        let (even, threads) = (Geometry::new(without_odd_wraps(topology)), threads.max(1));
        let setup = Setup { geometry: &geometry, even: &even, start: &start, goal: goal.tiles(), control, threads };
        let mut improvement = Improvement { setup, bound, best: moves, by, losses: 0, on_better: &mut report };
        improvement.run();
        (moves, lower_bound, by) = (improvement.best, improvement.bound, improvement.by);
    }
    let moves = Moves(moves);
    assert!(puzzle.is_solved_by(&moves), "found moves that do not solve the puzzle");
    let known = BestKnown::new(Some(moves), lower_bound);
    let stopped = if known.is_proved() { None } else { control.check().err().or(refused) };
    Solved { known, stopped, by }
}

/// The board without the wraps that join two cells of the same colour.
fn without_odd_wraps(topology: Topology) -> Topology {
    let size = topology.size();
    let rows = topology.wrap_rows().filter(|_| size.cols().is_multiple_of(2));
    let cols = topology.wrap_cols().filter(|_| size.rows().is_multiple_of(2));
    Topology::wrapped(size, rows, cols).expect("fewer wraps of the same board")
}
