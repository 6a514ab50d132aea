//! Boards of every kind, solvable or not.

use std::collections::HashMap;

use pintu_engine::{Algorithm, HeuristicName, Request, RequestError, USUAL_WEIGHT, Verdict, solve, tables::Store};
use pintu_search::{Limits, Weight};
use pintu_tiles::{Arrangement, Moves, Notation, Puzzle, Size, Topology};

use crate::{
    dice::Dice,
    limits::{check_nodes, may_stop, roll, watched},
};

/// Checks one algorithm on one board, twice, with another search in between.
pub(crate) fn check(dice: &mut Dice) {
    let board = Plain::roll(dice);
    let truth = board.fewest_moves();
    if board.goal.len() <= 8 && dice.once_in(3) {
        return check_all(&board, truth);
    }
    let request = board.request(dice);
    let Some(first) = run(&request, &board, truth) else { return };
    let other = Plain::roll(dice);
    let mut between = other.request(dice);
    between.limits = Limits::none().nodes(2000);
    let _ = run(&between, &other, other.fewest_moves());
    if request.limits.time.is_none() {
        let second = run(&request, &board, truth).expect("it was answered before");
        assert_eq!(first, second, "{request:?}: counts depend on what ran before");
    }
}

/// Checks every algorithm with every heuristic on one small board, without limits.
fn check_all(board: &Plain, truth: Truth) {
    let is_short = truth.fewest.is_none_or(|fewest| fewest <= 14);
    for algorithm in Algorithm::ALL {
        // Without duplicate detection, only short solutions are found in time.
        if matches!(algorithm, Algorithm::BfsTree | Algorithm::DfsTree | Algorithm::Iddfs) && !is_short {
            continue;
        }
        let request =
            Request { max_depth: truth.fewest.map(|fewest| fewest as u32), ..Request::new(board.puzzle(), algorithm) };
        let heuristics = HeuristicName::ALL.map(Some).into_iter().filter(|_| algorithm.uses_heuristic());
        for heuristic in heuristics.chain([None]) {
            let is_blind = algorithm == Algorithm::Ida && heuristic == Some(HeuristicName::None);
            if !is_blind || is_short {
                run(&Request { heuristic, ..request.clone() }, board, truth);
            }
        }
    }
}

/// The parts of a result that must be equal when the search runs again.
type Said = (u64, u64, Option<String>);

/// The answer, checked; `None` if the request does not apply.
fn run(request: &Request, board: &Plain, truth: Truth) -> Option<Said> {
    let answer = match watched(request.limits, |control| solve(request, control)) {
        Ok(answer) => answer,
        Err(RequestError::NotApplicable(_) | RequestError::Pattern(_)) => return None,
        Err(error) => panic!("{request:?}: {error}"),
    };
    let context = || format!("{request:?}\n{answer:?}\n{truth:?}");
    check_nodes(&request.limits, &answer.counters);
    let text = answer.moves().map(|moves| moves.to_text(Notation::Blank));
    match &answer.verdict {
        Verdict::Solved { moves, lower_bound } => {
            assert!(board.is_solved_by(moves), "{}", context());
            assert!(*lower_bound as usize <= moves.len(), "{}", context());
            assert!(truth.is_solvable != Some(false), "{}", context());
            if let Some(fewest) = truth.fewest {
                assert!(*lower_bound as usize <= fewest && fewest <= moves.len(), "{}", context());
                if let Some(promised) = promised(request) {
                    assert!(moves.len() as f64 <= promised * fewest as f64 + 1e-9, "{}", context());
                    assert!(promised > 1.0 || answer.is_optimal(), "{}", context());
                }
            }
        }
        Verdict::Unsolvable(_) => assert!(truth.is_solvable != Some(true), "{}", context()),
        Verdict::Limit { why, lower_bound } => {
            assert!(truth.fewest.is_none_or(|fewest| *lower_bound as usize <= fewest), "{}", context());
            let by_depth = matches!(request.algorithm, Algorithm::Dfs | Algorithm::DfsTree);
            assert!(may_stop(*why, &request.limits, by_depth), "{}", context());
        }
    }
    Some((answer.counters.expanded, answer.counters.generated, text))
}

/// The guaranteed ratio of an algorithm's moves to the fewest moves, if there is one.
fn promised(request: &Request) -> Option<f64> {
    match request.algorithm {
        Algorithm::Wastar => Some(request.weight.map_or(USUAL_WEIGHT, Weight::value)),
        Algorithm::Auto
        | Algorithm::Beam
        | Algorithm::Construction
        | Algorithm::Greedy
        | Algorithm::Dfs
        | Algorithm::DfsTree => None,
        _ => Some(1.0),
    }
}

/// Facts about a board, found by other means.
#[derive(Clone, Copy, Debug)]
struct Truth {
    is_solvable: Option<bool>,
    fewest: Option<usize>,
}

/// A board in plain arrays, with rules of its own.
struct Plain {
    rows: usize,
    cols: usize,
    wrap_rows: Vec<usize>,
    wrap_cols: Vec<usize>,
    start: Vec<u8>,
    goal: Vec<u8>,
}

const SIZES: [(usize, usize); 15] = [
    (1, 2),
    (1, 5),
    (6, 1),
    (2, 2),
    (2, 3),
    (3, 2),
    (2, 4),
    (4, 2),
    (3, 3),
    (3, 3),
    (2, 5),
    (3, 4),
    (4, 3),
    (3, 5),
    (4, 4),
];

impl Plain {
    fn roll(dice: &mut Dice) -> Self {
        let (rows, cols) = dice.choose(&SIZES);
        let wraps = dice.once_in(2);
        let mut lines = |count: usize, length: usize| -> Vec<usize> {
            (0..count).filter(|_| wraps && length >= 3 && dice.once_in(2)).collect()
        };
        let (wrap_rows, wrap_cols) = (lines(rows, cols), lines(cols, rows));
        let mut goal: Vec<u8> = (0..(rows * cols) as u8).collect();
        dice.shuffle(&mut goal);
        let mut board = Self { rows, cols, wrap_rows, wrap_cols, start: goal.clone(), goal };
        if rows * cols <= 9 && dice.once_in(2) {
            dice.shuffle(&mut board.start);
        } else {
            let steps = dice.below(if rows * cols <= 12 { 60 } else { 30 });
            for _ in 0..steps {
                let blank = board.start.iter().position(|&tile| tile == 0).unwrap();
                let steps = board.steps(blank);
                let (_, to) = dice.choose(&steps);
                board.start.swap(blank, to);
            }
        }
        board
    }

    /// The cells that the blank can go to from a cell, with their letters.
    fn steps(&self, cell: usize) -> Vec<(char, usize)> {
        let (row, col) = (cell / self.cols, cell % self.cols);
        let mut steps = Vec::new();
        let (across, down) = (self.wrap_rows.contains(&row), self.wrap_cols.contains(&col));
        if row > 0 || down {
            steps.push(('U', (row + self.rows - 1) % self.rows * self.cols + col));
        }
        if col > 0 || across {
            steps.push(('L', row * self.cols + (col + self.cols - 1) % self.cols));
        }
        if col + 1 < self.cols || across {
            steps.push(('R', row * self.cols + (col + 1) % self.cols));
        }
        if row + 1 < self.rows || down {
            steps.push(('D', (row + 1) % self.rows * self.cols + col));
        }
        steps
    }

    fn is_solved_by(&self, moves: &Moves) -> bool {
        let mut tiles = self.start.clone();
        moves.to_text(Notation::Blank).chars().all(|letter| {
            let blank = tiles.iter().position(|&tile| tile == 0).unwrap();
            let step = self.steps(blank).into_iter().find(|(name, _)| *name == letter);
            step.map(|(_, to)| tiles.swap(blank, to)).is_some()
        }) && tiles == self.goal
    }

    /// Breadth-first search from both ends, up to a number of boards.
    fn fewest_moves(&self) -> Truth {
        const MAX_BOARDS: usize = 60_000;
        let mut sides = [HashMap::from([(self.start.clone(), 0)]), HashMap::from([(self.goal.clone(), 0)])];
        let mut edges = [vec![self.start.clone()], vec![self.goal.clone()]];
        let mut depths = [0, 0];
        if self.start == self.goal {
            return Truth { is_solvable: Some(true), fewest: Some(0) };
        }
        loop {
            let side = usize::from(edges[1].len() < edges[0].len());
            if edges[side].is_empty() {
                return Truth { is_solvable: Some(false), fewest: None };
            }
            if sides[0].len() + sides[1].len() > MAX_BOARDS {
                return Truth { is_solvable: None, fewest: None };
            }
            depths[side] += 1;
            let mut next = Vec::new();
            for board in std::mem::take(&mut edges[side]) {
                let blank = board.iter().position(|&tile| tile == 0).unwrap();
                for (_, to) in self.steps(blank) {
                    let mut after = board.clone();
                    after.swap(blank, to);
                    if sides[1 - side].contains_key(&after) {
                        // Both sides have gone by whole levels, so the first meeting is a shortest.
                        return Truth { is_solvable: Some(true), fewest: Some(depths[0] + depths[1]) };
                    }
                    if !sides[side].contains_key(&after) {
                        sides[side].insert(after.clone(), depths[side]);
                        next.push(after);
                    }
                }
            }
            edges[side] = next;
        }
    }

    fn puzzle(&self) -> Puzzle {
        let size = Size::new(self.rows, self.cols).unwrap();
        let wraps = (self.wrap_rows.iter().copied(), self.wrap_cols.iter().copied());
        let topology = Topology::wrapped(size, wraps.0, wraps.1).unwrap();
        let arrange = |tiles: &[u8]| {
            let tiles: Vec<u32> = tiles.iter().map(|&tile| tile.into()).collect();
            Arrangement::new(size, &tiles).unwrap()
        };
        Puzzle::new(topology, arrange(&self.start), arrange(&self.goal)).unwrap()
    }

    fn request(&self, dice: &mut Dice) -> Request {
        let algorithm = if dice.once_in(3) { Algorithm::Auto } else { dice.choose(&Algorithm::ALL) };
        let mut request = Request::new(self.puzzle(), algorithm);
        request.tables = Store::in_memory();
        request.limits = roll(dice);
        request.max_depth = dice.once_in(3).then(|| dice.below(40) as u32);
        if algorithm.uses_heuristic() && algorithm != Algorithm::Auto && dice.once_in(2) {
            request.heuristic = Some(dice.choose(&HeuristicName::ALL));
        }
        if algorithm == Algorithm::Wastar && dice.once_in(2) {
            request.weight = Some(Weight::new(1.0 + dice.below(4000) as f64 / 1000.0).unwrap());
        }
        // Searches that would not end soon are stopped.
        let most = request.limits.nodes.unwrap_or(60_000).min(60_000);
        let is_long = self.rows * self.cols > 8 || !matches!(algorithm, Algorithm::Bfs | Algorithm::Astar);
        if is_long {
            request.limits.nodes = Some(most);
        }
        request
    }
}
