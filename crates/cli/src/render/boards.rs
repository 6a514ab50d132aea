//! What Princeton's 8-puzzle assignment prints.

use std::fmt::Write;

use pintu_engine::{Answer, Verdict};
use pintu_tiles::{Arrangement, Moves, Puzzle};

use super::answer::at_least;

/// The number of moves and each board on the way.
pub(crate) fn boards(puzzle: &Puzzle, answer: &Answer) -> String {
    match &answer.verdict {
        Verdict::Solved { moves, .. } => {
            let minimum = if answer.is_optimal() { "Minimum number" } else { "Number" };
            format!("{minimum} of moves = {}\n{}", moves.len(), sequence(puzzle, moves))
        }
        Verdict::Unsolvable(_) => "No solution possible\n".to_owned(),
        Verdict::Limit { why, lower_bound } => format!("Stopped: {why}; {}\n", at_least(*lower_bound)),
    }
}

fn sequence(puzzle: &Puzzle, moves: &Moves) -> String {
    let mut board = puzzle.start().clone();
    let mut text = one(&board);
    for &direction in &moves.0 {
        board.play(puzzle.topology(), &Moves(vec![direction])).expect("a solution's moves are legal");
        text.push('\n');
        text.push_str(&one(&board));
    }
    text
}

fn one(board: &Arrangement) -> String {
    let size = board.size();
    let mut text = if size.rows() == size.cols() {
        format!("{}\n", size.rows())
    } else {
        format!("{} {}\n", size.rows(), size.cols())
    };
    for row in board.tiles().chunks(size.cols()) {
        for tile in row {
            write!(text, "{tile:2} ").expect("a string takes everything");
        }
        text.push('\n');
    }
    text
}
