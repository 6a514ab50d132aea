//! An answer in words.

use std::fmt::Display;

use pintu_engine::{Answer, Verdict, device::Device};
use pintu_search::Counters;
use pintu_tiles::{Moves, Notation};

use crate::{
    say::{Tone, toned},
    units::{counted, show_bytes, show_count, show_seconds},
};

/// What came of it.
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

/// Moves as whoever asks for a notation writes them: speed-solvers count runs.
pub(crate) fn written(moves: &Moves, notation: Notation) -> String {
    match notation {
        Notation::Blank => moves.to_text(notation),
        Notation::Tile => moves.to_runs(notation),
    }
}

/// How many moves a search that found none has proved to be needed.
pub(crate) fn at_least(moves: u32) -> String {
    format!("at least {} {} needed", counted(moves.into(), "move"), if moves == 1 { "is" } else { "are" })
}

/// Whose direction the letters of a solution name.
pub(crate) fn whose(notation: Notation) -> &'static str {
    match notation {
        Notation::Blank => "where the blank goes",
        Notation::Tile => "where the tiles go",
    }
}

/// What it took.
pub(crate) fn spent(answer: &Answer) -> String {
    let Answer { algorithm, heuristic, weight, counters, seconds, .. } = answer;
    let costs = costs_of(algorithm, heuristic, *weight, counters, *seconds);
    if answer.device == Device::Gpu { format!("{costs} on the GPU") } else { costs }
}

/// What a search took, whatever it searched.
pub(super) fn costs_of(
    algorithm: &dyn Display,
    heuristic: &dyn Display,
    weight: Option<f64>,
    counters: &Counters,
    seconds: f64,
) -> String {
    let weight = weight.map_or_else(String::new, |weight| format!(" × {weight}"));
    format!(
        "{algorithm} with {heuristic}{weight} · {} expanded · {} generated · at most {}, {} · {}",
        show_count(counters.expanded),
        show_count(counters.generated),
        counted(counters.peak_states, "state"),
        show_bytes(counters.peak_bytes as f64),
        show_seconds(seconds),
    )
}

/// Both on one line.
pub(crate) fn one_line(answer: &Answer, notation: Notation) -> String {
    format!("{} · {}", sentence(answer, notation), spent(answer))
}
