//! Solutions of any board within any budget: one at once, then better ones until the budget ends.
//!
//! The first solution is constructed, so that there always is one. A beam of growing width then
//! looks for shorter ones, and windows of the best are searched again. A lower bound says how far
//! from the shortest the best one can be.

mod beam;
mod cells;
mod construct;
mod effort;
mod ground;
mod rim;
mod select;
mod slide;
mod stage;
mod trail;
mod window;

use self::{
    effort::{Effort, Scene},
    ground::Ground,
};
use pintu_search::{Control, Stop};
use pintu_tiles::{Direction, Kind, Moves, Puzzle, Topology, Unsolvable, goal_with_blank, least_moves};

use crate::pace::count_start;

/// The best solution that was found, and how good it is.
#[derive(Clone, Debug)]
pub struct Anytime {
    /// The moves, checked by playing them.
    pub moves: Moves,
    /// No solution has fewer moves than this.
    pub lower_bound: u32,
    /// What ended the search, if it was not that nothing was left to try.
    pub stopped: Option<Stop>,
}

impl Anytime {
    /// Whether it is proved that no solution is shorter.
    pub fn is_optimal(&self) -> bool {
        self.moves.len() == self.lower_bound as usize
    }
}

/// Solves a puzzle as well as the control allows.
///
/// There is always an answer if the puzzle has a solution: the first one takes a few milliseconds (up
/// to some tens on 16×16), also when the limits are tighter than that. Then the search goes on until it
/// has proved that no solution is shorter, the control stops it, or nothing is left to try. `on_better` is
/// called with each solution that is better than those before it, and the lower bound.
///
/// With one thread count and no time limit the answer is always the same (with several threads, a node limit
/// ends it at slightly different points).
///
/// # Panics
/// If the moves found did not solve the puzzle, which would be a mistake of this function.
///
/// ```
/// use pintu_search::{Control, Limits};
/// use pintu_solver::anytime;
/// use pintu_tiles::{NamedGoal, Puzzle, Scrambler, Size, Topology};
/// use std::time::Duration;
///
/// let board = Topology::plain(Size::new(6, 6).unwrap());
/// let goal = NamedGoal::Standard.on(board.size());
/// let start = Scrambler::new(board, goal.clone(), 1).uniform();
/// let puzzle = Puzzle::new(board, start, goal).unwrap();
/// let limits = Limits { time: Some(Duration::from_millis(200)), ..Limits::default() };
/// let answer = anytime(&puzzle, &Control::new(limits), 1, &mut |_, _| {}).unwrap();
/// assert!(puzzle.is_solved_by(&answer.moves));
/// assert!(answer.lower_bound as usize <= answer.moves.len());
/// ```
pub fn anytime(
    puzzle: &Puzzle,
    control: &Control,
    threads: usize,
    on_better: &mut dyn FnMut(&Moves, u32),
) -> Result<Anytime, Unsolvable> {
    puzzle.solvable()?;
    count_start(control);
    let topology = puzzle.topology();
    let start = puzzle.canonical_start();
    let goal = goal_with_blank(puzzle.size(), puzzle.goal().blank());
    let bound = least_moves(puzzle);
    control.note_bound(bound.into());
    let mut hold = control.hold();
    // Without room for what does not depend on the beam, the construction is all there is.
    let is_room = hold.more(2 * Ground::bytes(topology)).is_continue();
    let ground = if is_room { Ground::new(topology) } else { Ground::without_keys(topology) };
    let mut report = |moves: &[Direction], bound| on_better(&Moves(moves.to_vec()), bound);

    let (moves, lower_bound) = if matches!(topology.kind(), Kind::Line | Kind::Ring) {
        let moves = slide::slide(&ground, &start, goal.tiles());
        report(&moves, moves.len() as u32);
        let length = moves.len() as u32;
        (moves, length)
    } else {
        // The goal counts as taken up.
        let _ = control.meter().expand();
        let first = if puzzle.is_solved() { Vec::new() } else { construct::construct(&ground, &start, goal.tiles()) };
        report(&first, bound);
        if is_room {
            let even = Ground::new(without_odd_wraps(topology));
            let scene = Scene {
                ground: &ground,
                even: &even,
                start: &start,
                goal: goal.tiles(),
                control,
                threads: threads.max(1),
            };
            let mut effort = Effort { scene, bound, best: first, losses: 0, on_better: &mut report };
            effort.run();
            (effort.best, effort.bound)
        } else {
            (first, bound)
        }
    };
    let moves = Moves(moves);
    assert!(puzzle.is_solved_by(&moves), "found moves that do not solve the puzzle");
    let is_proved = moves.len() == lower_bound as usize;
    let refused = (!is_room).then_some(Stop::Memory);
    let stopped = if is_proved { None } else { control.check().break_value().or(refused) };
    Ok(Anytime { moves, lower_bound, stopped })
}

/// The board without the wraps that join two cells of the same colour.
fn without_odd_wraps(topology: Topology) -> Topology {
    let size = topology.size();
    let rows = topology.wrap_rows().filter(|_| size.cols().is_multiple_of(2));
    let cols = topology.wrap_cols().filter(|_| size.rows().is_multiple_of(2));
    Topology::wrapped(size, rows, cols).expect("fewer wraps of the same board")
}
