//! Searches of tile puzzles, recorded.

use pintu_search::{Bound, Control, Counters, Node, Observer, Stop};
use pintu_tiles::{Arrangement, Board, Moves, Puzzle};

use super::{
    Domain, EventBudget, Growing, Rank, Traced,
    recorder::{Recorder, bound_as},
};
use crate::{Algorithm, Answer, Request, RequestError, path::PathCost, solve::within};

/// Solves a puzzle and records the search, as long as the budget allows. `auto` is recorded where it is one algorithm:
/// on small boards.
pub fn solve_traced(
    request: &Request,
    control: &Control,
    budget: &EventBudget,
) -> Result<Traced<Answer>, RequestError> {
    let puzzle = &request.puzzle;
    let size = puzzle.size();
    let domain = Domain::Tiles {
        rows: size.rows() as u32,
        cols: size.cols() as u32,
        goal: numbers_of(puzzle.goal()),
        wrap_rows: puzzle.topology().wrap_rows().map(|row| row as u32).collect(),
        wrap_cols: puzzle.topology().wrap_cols().map(|col| col as u32).collect(),
    };
    let part = control.part(request.limits);
    let mut recorder = Recorder::new(domain, budget, is_depth_first(request.algorithm), &part);
    let trace = TileTrace { recorder: Some(&mut recorder), names: names(puzzle), growth: None };
    let answer = within(request, &part, Some(trace))?;
    let kept = recorder.finish(&answer.counters);
    let depth_first = is_depth_first(answer.algorithm);
    let moves = answer.moves().cloned();
    let length = moves.as_ref().map(Moves::len);
    let numbers = length.map_or(0, |length| (length + 1) * size.cells());
    let path = || moves.map(|moves| boards(puzzle, &moves));
    let order = Rank::new(answer.algorithm == Algorithm::Greedy, answer.weight);
    let cost = length.map(|length| PathCost::whole(length as u64));
    Ok(Traced::new(answer, kept, (depth_first, order), numbers_of(puzzle.start()), cost, numbers, path))
}

fn is_depth_first(algorithm: Algorithm) -> bool {
    matches!(algorithm, Algorithm::Dfs | Algorithm::DfsTree | Algorithm::Iddfs | Algorithm::Ida)
}

/// Records a search after it was solved without an observer, so that it was not slowed down: the same search again,
/// ended by the number of expansions, not by the clock. The file has the first answer, unless this search came to
/// another one, because the recording takes memory of its own.
pub fn retrace(
    request: &Request,
    answer: &Answer,
    control: &Control,
    budget: &EventBudget,
) -> Result<Traced<Answer>, RequestError> {
    let limits = request.limits.nodes(answer.counters.expanded).time(None);
    let traced = solve_traced(&Request { limits, ..request.clone() }, control, budget)?;
    let what = |answer: &Answer| (answer.counters.expanded, answer.algorithm, answer.moves().map(Moves::len));
    Ok(if what(&traced.answer) == what(answer) { traced.with_answer(answer.clone()) } else { traced })
}

fn numbers_of(board: &Arrangement) -> Vec<u32> {
    board.tiles().iter().map(|&tile| u32::from(tile)).collect()
}

pub(crate) struct TileTrace<'a> {
    recorder: Option<&'a mut Recorder>,
    /// The user's number of each tile: searches number them by their goal cells.
    names: Vec<u32>,
    /// The counts at each depth or bound.
    growth: Option<&'a mut Growing>,
}

impl<'a> TileTrace<'a> {
    /// Records only the counts at each depth or bound.
    pub(crate) fn of_growth(growth: &'a mut Growing) -> Self {
        Self { recorder: None, names: Vec::new(), growth: Some(growth) }
    }
}

/// The user's number of each tile, by the numbers that searches have for them.
pub(crate) fn names(puzzle: &Puzzle) -> Vec<u32> {
    let own = puzzle.canonical_goal();
    let mut names = vec![0; puzzle.size().cells()];
    for (tile, name) in own.tiles().iter().zip(puzzle.goal().tiles()) {
        names[usize::from(*tile)] = u32::from(*name);
    }
    names
}

/// The tiles of every board along a solution.
fn boards(puzzle: &Puzzle, moves: &Moves) -> Vec<u32> {
    let mut board = puzzle.start().clone();
    let mut tiles = Vec::with_capacity((moves.len() + 1) * board.tiles().len());
    tiles.extend(numbers_of(&board));
    for &direction in &moves.0 {
        // A solution's moves are legal.
        let _ = board.play(puzzle.topology(), &Moves(vec![direction]));
        tiles.extend(numbers_of(&board));
    }
    tiles
}

impl<B: Board> Observer<B, u32> for TileTrace<'_> {
    fn expand(&mut self, node: &Node<'_, B, u32>, so_far: &Counters) -> Result<(), Stop> {
        let Self { recorder, names, growth } = self;
        if let Some(growth) = growth {
            growth.expand(node.cost.saturating_add(node.estimate.unwrap_or(0)), so_far);
        }
        if let Some(recorder) = recorder {
            recorder.expand(node, so_far, moves, || tiles(node.state, names));
        }
        Ok(())
    }

    fn generate(&mut self, node: &Node<'_, B, u32>, fate: pintu_search::Fate, _: &Counters) -> Result<(), Stop> {
        let Self { recorder, names, growth } = self;
        if let Some(growth) = growth {
            growth.generate();
        }
        if let Some(recorder) = recorder {
            recorder.generate(node, fate, moves, || tiles(node.state, names));
        }
        Ok(())
    }

    fn iteration(&mut self, bound: Bound<u32>, so_far: &Counters) -> Result<(), Stop> {
        if let Some(recorder) = &mut self.recorder {
            recorder.iterate(bound, so_far, moves);
        }
        if let Some(growth) = &mut self.growth {
            growth.reach(bound_as(bound, moves).value(), so_far);
        }
        Ok(())
    }
}

fn moves(count: u32) -> PathCost {
    PathCost::whole(count.into())
}

fn tiles<B: Board>(board: &B, names: &[u32]) -> impl Iterator<Item = u32> {
    names.iter().enumerate().map(|(cell, _)| names[board.tile(cell)])
}
