//! Every optimal solution of a puzzle.

use pintu_search::Control;
use pintu_tiles::Moves;

use crate::{
    Algorithm, Answer, HeuristicName, Request, RequestError,
    dispatch::All,
    solve::{Observers, watched},
};

#[derive(Clone, Debug)]
pub struct AllSolutions {
    /// The first solution, or why there is none.
    pub answer: Answer,
    /// Their number; `u128::MAX` stands for that number and all greater ones.
    pub number: u128,
}

/// Finds every optimal solution of a small puzzle by A*, with the heuristic that the request names (any but `pattern`).
/// Counts them without listing them, then hands them to `each` one by one, as long as it returns true and the control
/// is not cancelled.
pub fn solve_all(
    request: &Request,
    control: &Control,
    each: &mut dyn FnMut(&Moves) -> bool,
) -> Result<AllSolutions, RequestError> {
    let algorithm = if request.algorithm == Algorithm::Auto { Algorithm::Astar } else { request.algorithm };
    let request = Request { algorithm, ..request.clone() };
    let heuristic = request.heuristic()?;
    if algorithm != Algorithm::Astar || heuristic == HeuristicName::Pattern {
        return Err(RequestError::NotForAll(algorithm, heuristic));
    }
    let mut all = All { number: 0, each };
    let observers = Observers { trace: None, on_better: &mut |_, _| {}, all: Some(&mut all) };
    let answer = watched(&request, &control.part(request.limits), observers)?;
    Ok(AllSolutions { answer, number: all.number })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use pintu_search::{Limits, Stop};
    use pintu_tiles::Puzzle;

    use super::*;
    use crate::{Verdict, fixtures::scrambled};

    fn request(rows: usize, cols: usize, seed: u64) -> Request {
        Request::new(scrambled(rows, cols, seed).next().unwrap(), Algorithm::Auto)
    }

    #[test]
    fn all_optimal_solutions_are_counted_and_listed_once() {
        for (rows, cols) in [(2, 2), (2, 3), (3, 3)] {
            for seed in 0..4 {
                let request = request(rows, cols, seed);
                let mut listed = BTreeSet::new();
                let all = solve_all(&request, &Control::unlimited(), &mut |moves| {
                    assert!(request.puzzle.is_solved_by(moves));
                    assert!(listed.insert(moves.to_string()), "{moves} twice");
                    true
                });
                let all = all.unwrap();
                let length = all.answer.moves().unwrap().len();
                assert!(all.answer.is_optimal() && listed.iter().all(|moves| moves.len() == length));
                assert_eq!(all.number, listed.len() as u128);
                // From each state on an optimal solution there are as many continuations as depth-first search finds.
                assert_eq!(count(&request.puzzle, length), all.number, "{rows}x{cols} {seed}");
                let mut first = 0;
                solve_all(&request, &Control::unlimited(), &mut |_| {
                    first += 1;
                    false
                })
                .unwrap();
                assert_eq!(first, 1);
            }
        }
    }

    /// The number of solutions of `left` moves, by trying all moves that keep within Manhattan distance.
    fn count(puzzle: &Puzzle, left: usize) -> u128 {
        if puzzle.start() == puzzle.goal() {
            return u128::from(left == 0);
        }
        if pintu_tiles::least_moves(puzzle) as usize > left {
            return 0;
        }
        let after = pintu_tiles::Direction::ALL.into_iter().filter_map(|direction| {
            let mut board = puzzle.start().clone();
            board.play(puzzle.topology(), &Moves(vec![direction])).ok()?;
            Puzzle::new(puzzle.topology(), board, puzzle.goal().clone()).ok()
        });
        after.map(|puzzle| count(&puzzle, left - 1)).sum()
    }

    #[test]
    fn limits_hold_and_what_it_is_not_for_is_refused() {
        let request = request(3, 3, 3);
        let run = |request: &Request| solve_all(request, &Control::unlimited(), &mut |_| panic!("nothing is listed"));
        let tight = Request { limits: Limits::none().memory(1000), ..request.clone() };
        let all = run(&tight).unwrap();
        assert!(matches!(all.answer.verdict, Verdict::Limit { why: Stop::Memory, .. }) && all.number == 0);
        for algorithm in [Algorithm::Bfs, Algorithm::Ida, Algorithm::Wastar] {
            assert!(run(&Request { algorithm, ..request.clone() }).is_err(), "{algorithm}");
        }
        assert!(run(&Request { heuristic: Some(HeuristicName::Pattern), ..request }).is_err());
    }
}
