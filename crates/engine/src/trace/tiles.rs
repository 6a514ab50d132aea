//! Searches of tile puzzles, recorded.

use std::ops::ControlFlow::{self, Continue};

use pintu_search::{Bound, Control, Counters, Limits, Node, Observer, Stop};
use pintu_tiles::{Arrangement, Board, Moves, Puzzle, goal_with_blank};

use super::{
    Growing, Order, Place, Recorder, Tape, Traced,
    watch::{bound_as, note_expansion, note_generation, note_iteration},
};
use crate::{Algorithm, Answer, Request, RequestError, path::PathCost, solve::within};

/// Solves a puzzle and records the search, as long as the tape has room. `auto` is recorded where it is one algorithm:
/// on small boards.
pub fn solve_traced(request: &Request, control: &Control, tape: &Tape) -> Result<Traced<Answer>, RequestError> {
    let puzzle = &request.puzzle;
    let size = puzzle.size();
    let place = Place::Tiles {
        rows: size.rows() as u32,
        cols: size.cols() as u32,
        goal: numbers_of(puzzle.goal()),
        wrap_rows: puzzle.topology().wrap_rows().map(|row| row as u32).collect(),
        wrap_cols: puzzle.topology().wrap_cols().map(|col| col as u32).collect(),
    };
    let part = control.part(request.limits);
    let mut recorder = Recorder::new(place, tape, &part);
    let trace = TileTrace { recorder: Some(&mut recorder), names: names(puzzle), growth: None };
    let answer = within(request, &part, Some(trace))?;
    let kept = recorder.finish(&answer.counters);
    let depth_first =
        matches!(answer.algorithm, Algorithm::Dfs | Algorithm::DfsTree | Algorithm::Iddfs | Algorithm::Ida);
    let moves = answer.moves().cloned();
    let length = moves.as_ref().map(Moves::len);
    let numbers = length.map_or(0, |length| (length + 1) * size.cells());
    let path = || moves.map(|moves| boards(puzzle, &moves));
    let order = Order::new(answer.algorithm == Algorithm::Greedy, answer.weight);
    let cost = length.map(|length| PathCost::Whole(length as u64));
    Ok(Traced::new(answer, kept, (depth_first, order), numbers_of(puzzle.start()), cost, numbers, path))
}

/// Records the search that came to an answer, which was not watched and so not slowed down: the same search over again,
/// ended by the states that it took up and not by the clock. What is written is that answer, unless this time it came to
/// another: the recording takes memory of its own.
pub fn retrace(
    request: &Request,
    answer: &Answer,
    control: &Control,
    tape: &Tape,
) -> Result<Traced<Answer>, RequestError> {
    let limits = Limits { nodes: Some(answer.counters.expanded), time: None, ..request.limits };
    let traced = solve_traced(&Request { limits, ..request.clone() }, control, tape)?;
    let what = |answer: &Answer| (answer.counters.expanded, answer.algorithm, answer.moves().map(Moves::len));
    Ok(if what(&traced.answer) == what(answer) { traced.with_answer(answer.clone()) } else { traced })
}

fn numbers_of(board: &Arrangement) -> Vec<u32> {
    board.tiles().iter().map(|&tile| u32::from(tile)).collect()
}

/// The observer that records.
pub(crate) struct TileTrace<'a> {
    recorder: Option<&'a mut Recorder>,
    /// What the user calls each tile: searches number them by their goal cells.
    names: Vec<u32>,
    /// What is done at each depth or bound.
    growth: Option<&'a mut Growing>,
}

impl<'a> TileTrace<'a> {
    /// Notes only what is done at each depth or bound.
    pub(crate) fn of_growth(growth: &'a mut Growing) -> Self {
        Self { recorder: None, names: Vec::new(), growth: Some(growth) }
    }
}

/// What the user calls each tile, by the numbers that searches have for them.
pub(crate) fn names(puzzle: &Puzzle) -> Vec<u32> {
    let own = goal_with_blank(puzzle.size(), puzzle.goal().blank());
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
    tiles.extend(board.tiles().iter().map(|&tile| u32::from(tile)));
    for &direction in &moves.0 {
        // A solution's moves are legal.
        let _ = board.play(puzzle.topology(), &Moves(vec![direction]));
        tiles.extend(board.tiles().iter().map(|&tile| u32::from(tile)));
    }
    tiles
}

impl<B: Board> Observer<B, u32> for TileTrace<'_> {
    fn expand(&mut self, node: &Node<'_, B, u32>, so_far: &Counters) -> ControlFlow<Stop> {
        let Self { recorder, names, growth } = self;
        if let Some(growth) = growth {
            growth.expand(node.cost.saturating_add(node.estimate.unwrap_or(0)), so_far);
        }
        if let Some(recorder) = recorder {
            note_expansion(recorder, node, so_far, moves, || tiles(node.state, names));
        }
        Continue(())
    }

    fn generate(&mut self, node: &Node<'_, B, u32>, fate: pintu_search::Fate, _: &Counters) -> ControlFlow<Stop> {
        let Self { recorder, names, growth } = self;
        if let Some(growth) = growth {
            growth.generate();
        }
        if let Some(recorder) = recorder {
            note_generation(recorder, node, fate, moves, || tiles(node.state, names));
        }
        Continue(())
    }

    fn iteration(&mut self, bound: Bound<u32>, so_far: &Counters) -> ControlFlow<Stop> {
        if let Some(recorder) = &mut self.recorder {
            note_iteration(recorder, bound, so_far, moves);
        }
        if let Some(growth) = &mut self.growth {
            growth.reach(bound_as(bound, moves).value(), so_far);
        }
        Continue(())
    }
}

/// So many moves, as a cost.
fn moves(count: u32) -> PathCost {
    PathCost::Whole(count.into())
}

fn tiles<B: Board>(board: &B, names: &[u32]) -> impl Iterator<Item = u32> {
    names.iter().enumerate().map(|(cell, _)| names[board.tile(cell)])
}
