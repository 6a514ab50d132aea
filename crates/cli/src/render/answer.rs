//! An answer in words.

use std::fmt::{Display, Write};

use pintu_engine::{Answer, Verdict, device::Device};
use pintu_search::Counters;
use pintu_tiles::{Arrangement, Moves, Notation, Puzzle};

use crate::{
    say::{Tone, toned},
    units::{counted, show_bytes, show_count, show_seconds},
};

/// The verdict.
pub(crate) fn sentence(answer: &Answer, notation: Notation) -> String {
    match &answer.verdict {
        Verdict::Solved { moves, .. } if moves.is_empty() => "0 moves: it is solved already".to_owned(),
        Verdict::Solved { moves, lower_bound } => {
            let quality = if answer.is_optimal() {
                toned(Tone::Good, "optimal")
            } else {
                let needed = if *lower_bound == 1 { "is" } else { "are" };
                format!("{}, at least {lower_bound} {needed} needed", toned(Tone::Doubtful, "not proved optimal"))
            };
            let count = counted(moves.len() as u64, "move");
            format!("{count} ({quality}): {} ({})", written(moves, notation), whose(notation))
        }
        Verdict::Unsolvable(reason) => format!("{}: {reason}", toned(Tone::Bad, "no solution")),
        Verdict::Limit { why, lower_bound } => {
            format!("{}: {why}; {}", toned(Tone::Bad, "stopped"), at_least(*lower_bound))
        }
    }
}

/// Moves in a notation; in the tiles' notation runs are counted, as speed-solvers write them.
pub(crate) fn written(moves: &Moves, notation: Notation) -> String {
    match notation {
        Notation::Blank => moves.to_text(notation),
        Notation::Tile => moves.to_runs(notation),
    }
}

/// The lower bound of a search that found no solution.
pub(crate) fn at_least(moves: u32) -> String {
    format!("at least {} {} needed", counted(moves.into(), "move"), if moves == 1 { "is" } else { "are" })
}

/// Whether a solution's letters are directions of the blank or of the tiles.
pub(crate) fn whose(notation: Notation) -> &'static str {
    match notation {
        Notation::Blank => "where the blank goes",
        Notation::Tile => "where the tiles go",
    }
}

/// The counts, memory and time of an answer.
pub(crate) fn spent(answer: &Answer) -> String {
    let Answer { algorithm, heuristic, weight, counters, seconds, .. } = answer;
    // A cancelled batch has such answers.
    if matches!(answer.verdict, Verdict::Limit { .. }) && counters.generated == 0 && *seconds <= 0.0 {
        return "not begun".to_owned();
    }
    let costs = costs_of(algorithm, heuristic, *weight, counters, *seconds);
    if answer.device == Device::Gpu { format!("{costs} on the GPU") } else { costs }
}

/// The counts, memory and time of a search of a board, a map or a graph.
pub(super) fn costs_of(
    algorithm: &dyn Display,
    heuristic: &dyn Display,
    weight: Option<f64>,
    counters: &Counters,
    seconds: f64,
) -> String {
    let weight = weight.map_or_else(String::new, |weight| format!(" × {weight}"));
    format!("{algorithm} with {heuristic}{weight} · {}", counts_of(counters, seconds))
}

pub(super) fn counts_of(counters: &Counters, seconds: f64) -> String {
    format!(
        "{} expanded · {} generated · at most {}, {} · {}",
        show_count(counters.expanded),
        show_count(counters.generated),
        counted(counters.peak_states, "state"),
        show_bytes(counters.peak_bytes),
        show_seconds(seconds),
    )
}

/// The verdict and what the search spent, on one line.
pub(crate) fn one_line(answer: &Answer, notation: Notation) -> String {
    format!("{} · {}", sentence(answer, notation), spent(answer))
}

/// The output of Princeton's 8-puzzle assignment: the number of moves and each board of the solution.
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
