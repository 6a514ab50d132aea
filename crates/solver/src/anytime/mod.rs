//! Solutions of any board within any budget: one at once, then better ones until the budget ends.
//!
//! The first solution is constructed, so that there always is one. A beam of growing width then
//! looks for shorter ones, and windows of the best are searched again. A lower bound says how far
//! from the shortest the best one can be.

mod beam;
mod bound;
mod cells;
mod construct;
mod effort;
mod ground;
mod rim;
mod select;
mod slide;
mod stage;
mod trail;
mod watch;
mod window;

use self::{
    bound::lower_bound,
    effort::{Effort, Scene},
    ground::Ground,
    watch::Watch,
};
use pintu_search::{Cancel, Counters, Limits, Stop};
use pintu_tiles::{Direction, Kind, Moves, Puzzle, Topology, Unsolvable, goal_with_blank};

/// The best solution that was found, and how good it is.
#[derive(Clone, Debug)]
pub struct Anytime {
    /// The moves, checked by playing them.
    pub moves: Moves,
    /// No solution has fewer moves than this.
    pub lower_bound: u32,
    /// What it took.
    pub counters: Counters,
    /// What ended the search, if it was not that nothing was left to try.
    pub stopped: Option<Stop>,
}

impl Anytime {
    /// Whether it is proved that no solution is shorter.
    pub fn is_optimal(&self) -> bool {
        self.moves.len() == self.lower_bound as usize
    }
}

/// Called with what a search has done so far.
pub type Tell<'a> = &'a (dyn Fn(&Counters) + Sync);

/// Solves a puzzle as well as the limits allow.
///
/// There is always an answer if the puzzle has a solution: the first one takes a few milliseconds (up
/// to some tens on 16×16), also when the limits are tighter than that. Then the search goes on until it
/// has proved that no solution is shorter, the limits are reached, `cancel` is thrown, or nothing is
/// left to try. `tell` is called now and then with what was done so far, from any of the search's
/// threads; `on_better` is called with each solution that is better than those before it, and the
/// lower bound.
///
/// With one thread count and no time limit the answer is always the same (with several threads, a node limit
/// ends it at slightly different points).
///
/// # Panics
/// If the moves found did not solve the puzzle, which would be a mistake of this function.
///
/// ```
/// use pintu_search::{Cancel, Limits};
/// use pintu_solver::anytime;
/// use pintu_tiles::{NamedGoal, Puzzle, Scrambler, Size, Topology};
/// use std::time::Duration;
///
/// let board = Topology::plain(Size::new(6, 6).unwrap());
/// let goal = NamedGoal::Standard.on(board.size());
/// let start = Scrambler::new(board, goal.clone(), 1).uniform();
/// let puzzle = Puzzle::new(board, start, goal).unwrap();
/// let limits = Limits { time: Some(Duration::from_millis(200)), ..Limits::default() };
/// let answer = anytime(&puzzle, limits, &Cancel::new(), 1, &|_| {}, &mut |_, _| {}).unwrap();
/// assert!(puzzle.is_solved_by(&answer.moves));
/// assert!(answer.lower_bound as usize <= answer.moves.len());
/// ```
pub fn anytime(
    puzzle: &Puzzle,
    limits: Limits,
    cancel: &Cancel,
    threads: usize,
    tell: Tell<'_>,
    on_better: &mut dyn FnMut(&Moves, u32),
) -> Result<Anytime, Unsolvable> {
    puzzle.solvable()?;
    let watch = Watch::new(limits, cancel, tell);
    let ground = Ground::new(puzzle.topology());
    let even = Ground::new(without_odd_wraps(puzzle.topology()));
    let start = puzzle.canonical_start();
    let goal = goal_with_blank(puzzle.size(), puzzle.goal().blank());
    let bound = lower_bound(puzzle);
    let mut report = |moves: &[Direction], bound| on_better(&Moves(moves.to_vec()), bound);

    let (moves, lower_bound) = if matches!(puzzle.topology().kind(), Kind::Line | Kind::Ring) {
        let moves = slide::slide(&ground, &start, goal.tiles());
        report(&moves, moves.len() as u32);
        let length = moves.len() as u32;
        (moves, length)
    } else {
        let best = if puzzle.is_solved() { Vec::new() } else { construct::construct(&ground, &start, goal.tiles()) };
        report(&best, bound);
        let mut effort = Effort {
            scene: Scene {
                ground: &ground,
                even: &even,
                start: &start,
                goal: goal.tiles(),
                watch: &watch,
                threads: threads.max(1),
            },
            bound,
            best,
            losses: 0,
            on_better: &mut report,
        };
        effort.run();
        (effort.best, effort.bound)
    };
    let moves = Moves(moves);
    assert!(puzzle.is_solved_by(&moves), "found moves that do not solve the puzzle");
    let stopped = if moves.len() == lower_bound as usize { None } else { watch.stop() };
    Ok(Anytime { moves, lower_bound, counters: watch.counters(), stopped })
}

/// The board without the wraps that join two cells of the same colour.
fn without_odd_wraps(topology: Topology) -> Topology {
    let size = topology.size();
    let rows = topology.wrap_rows().filter(|_| size.cols().is_multiple_of(2));
    let cols = topology.wrap_cols().filter(|_| size.rows().is_multiple_of(2));
    Topology::wrapped(size, rows, cols).expect("fewer wraps of the same board")
}
