//! All algorithms against exhaustive search, on random small boards, goals and wraps.

use std::collections::{HashMap, VecDeque};

use pintu_engine::{Algorithm, HeuristicName, Request, RequestError, Verdict, solve};
use pintu_search::{Control, Weight};
use pintu_tiles::{Arrangement, NamedGoal, Puzzle, Scrambler, Size, Topology};
use proptest::prelude::*;

/// The fewest moves, found by flooding over plain arrays; `None` if the goal cannot be reached.
fn fewest_moves(puzzle: &Puzzle) -> Option<usize> {
    let goal = puzzle.goal().tiles().to_vec();
    let start = puzzle.start().tiles().to_vec();
    let mut distances = HashMap::from([(start.clone(), 0)]);
    let mut queue = VecDeque::from([start]);
    while let Some(board) = queue.pop_front() {
        let distance = distances[&board];
        if board == goal {
            return Some(distance);
        }
        let blank = board.iter().position(|&tile| tile == 0).unwrap();
        for to in puzzle.topology().neighbours(blank) {
            let mut next = board.clone();
            next.swap(blank, to);
            distances.entry(next.clone()).or_insert_with(|| {
                queue.push_back(next);
                distance + 1
            });
        }
    }
    None
}

/// Small boards of every kind, solvable or not.
fn puzzles() -> impl Strategy<Value = Puzzle> {
    let sizes = prop::sample::select(vec![(1, 2), (1, 5), (2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (1, 7), (7, 1)]);
    (sizes, any::<u16>(), any::<u16>(), any::<u64>(), any::<bool>()).prop_map(
        |((rows, cols), row_set, col_set, seed, swap)| {
            let size = Size::new(rows, cols).unwrap();
            let lines = |set: u16, count: usize, length: usize| {
                (0..count).filter(move |line| length >= 3 && set >> line & 1 == 1)
            };
            let topology = Topology::wrapped(size, lines(row_set, rows, cols), lines(col_set, cols, rows)).unwrap();
            let goal = Scrambler::new(topology, NamedGoal::Standard.on(size), seed).walk(seed as usize % 50);
            let start = Scrambler::new(topology, goal.clone(), !seed).uniform();
            let mut tiles: Vec<u32> = start.tiles().iter().map(|&tile| tile.into()).collect();
            if swap {
                let last = tiles.len() - 1;
                tiles.swap(0, last);
            }
            Puzzle::new(topology, Arrangement::new(size, &tiles).unwrap(), goal).unwrap()
        },
    )
}

fn check(request: &Request, truth: Option<usize>) -> Result<(), TestCaseError> {
    let answer = match solve(request, &Control::unlimited()) {
        Ok(answer) => answer,
        Err(RequestError::NotApplicable(_)) => {
            prop_assert!(!request.puzzle.topology().is_plain());
            return Ok(());
        }
        Err(error) => panic!("{error}"),
    };
    match (&answer.verdict, truth) {
        (Verdict::Unsolvable(_), None) => {}
        (Verdict::Solved { moves, lower_bound }, Some(fewest)) => {
            prop_assert!(request.puzzle.is_solved_by(moves));
            prop_assert!(*lower_bound as usize <= fewest);
            let exact = !matches!(
                request.algorithm,
                Algorithm::Dfs | Algorithm::DfsTree | Algorithm::Greedy | Algorithm::Wastar
            );
            prop_assert!(!exact || moves.len() == fewest, "{}: {} for {fewest}", request.algorithm, moves.len());
            prop_assert!(!exact || answer.is_optimal());
            prop_assert!(!answer.is_optimal() || moves.len() == fewest);
        }
        (verdict, truth) => prop_assert!(false, "{}: {verdict:?}, but {truth:?}", request.algorithm),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_algorithm_and_heuristic_agrees_with_exhaustive_search(puzzle in puzzles(), weight in 1.0_f64..6.0) {
        let truth = fewest_moves(&puzzle);
        for algorithm in Algorithm::ALL {
            // Without duplicate detection, only short solutions are found in time.
            let tree = matches!(algorithm, Algorithm::BfsTree | Algorithm::DfsTree | Algorithm::Iddfs);
            if tree && truth.is_some_and(|moves| moves > 14) {
                continue;
            }
            let mut request = Request::new(puzzle.clone(), algorithm);
            request.max_depth = truth.map(|moves| moves as u32);
            request.weight = (algorithm == Algorithm::Wastar).then(|| Weight::new(weight).unwrap());
            check(&request, truth)?;
            if algorithm.uses_heuristic() {
                for heuristic in HeuristicName::ALL {
                    // Uninformed IDA* takes too long where the solution is long.
                    let blind = algorithm == Algorithm::Ida && heuristic == HeuristicName::None;
                    if !blind || truth.is_none_or(|moves| moves <= 14) {
                        check(&Request { heuristic: Some(heuristic), ..request.clone() }, truth)?;
                    }
                }
            }
        }
    }
}
