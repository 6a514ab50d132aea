use pintu_search::Control;
use pintu_tiles::{Arrangement, Direction, Moves, Puzzle, Topology};

use crate::{Request, RequestError, solve};

/// Says how many moves are left and which one is next, cheaply enough to be asked after every move.
///
/// It remembers the last solution: as long as the player is on its way, there is nothing to search.
#[derive(Clone, Debug, Default)]
pub struct Guide {
    way: Option<Way>,
}

/// What is known about a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The next move; none if the board is solved.
    pub next: Option<Direction>,
    /// How many moves are left.
    pub left: usize,
    /// Whether it is proved that fewer do not do.
    pub optimal: bool,
}

/// A solution and the boards along it.
#[derive(Clone, Debug)]
struct Way {
    topology: Topology,
    goal: Arrangement,
    boards: Vec<Arrangement>,
    moves: Moves,
    optimal: bool,
}

impl Guide {
    /// A guide that knows nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The hint for a request's board; none if it cannot be solved, or not within the limits.
    pub fn ask(&mut self, request: &Request, control: &Control) -> Result<Option<Hint>, RequestError> {
        if let Some(hint) = self.way.as_ref().and_then(|way| way.hint(&request.puzzle)) {
            return Ok(Some(hint));
        }
        let answer = solve(request, control)?;
        let Some(moves) = answer.moves() else { return Ok(None) };
        let way = Way::new(&request.puzzle, moves, answer.is_optimal());
        let hint = way.hint(&request.puzzle);
        self.way = Some(way);
        Ok(hint)
    }
}

impl Way {
    fn new(puzzle: &Puzzle, moves: &Moves, optimal: bool) -> Self {
        let mut board = puzzle.start().clone();
        let mut boards = vec![board.clone()];
        for &direction in &moves.0 {
            // A solution's moves are legal.
            if board.play(puzzle.topology(), &Moves(vec![direction])).is_err() {
                break;
            }
            boards.push(board.clone());
        }
        Self { topology: puzzle.topology(), goal: puzzle.goal().clone(), boards, moves: moves.clone(), optimal }
    }

    /// The hint, if the puzzle's board is on the way.
    fn hint(&self, puzzle: &Puzzle) -> Option<Hint> {
        if puzzle.topology() != self.topology || *puzzle.goal() != self.goal {
            return None;
        }
        // The rest of a shortest way is a shortest way.
        let at = self.boards.iter().position(|board| board == puzzle.start())?;
        let rest = &self.moves.0[at..];
        Some(Hint { next: rest.first().copied(), left: rest.len(), optimal: self.optimal })
    }
}

impl Hint {
    /// How many moves are left, as a cost.
    pub fn cost(&self) -> u32 {
        self.left as u32
    }
}
