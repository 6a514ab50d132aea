//! An answer in words.

use std::fmt::Display;

use pintu_engine::{Answer, Verdict, device::Device};
use pintu_search::Counters;
use pintu_tiles::Notation;

use crate::units::{show_bytes, show_count, show_seconds};

/// What came of it.
pub(crate) fn sentence(answer: &Answer, notation: Notation) -> String {
    match &answer.verdict {
        Verdict::Solved { moves, .. } if moves.is_empty() => "0 moves: it is solved already".to_owned(),
        Verdict::Solved { moves, lower_bound } => {
            let quality = if answer.is_optimal() {
                "optimal".to_owned()
            } else {
                format!("not proved optimal, at least {lower_bound} are needed")
            };
            let (moves, count) = (moves.to_text(notation), count_moves(moves.len()));
            format!("{count} ({quality}): {moves} ({})", whose(notation))
        }
        Verdict::Unsolvable(reason) => format!("no solution: {reason}"),
        Verdict::Limit { why, lower_bound } => {
            format!("stopped: {why}; at least {} are needed", count_moves(*lower_bound as usize))
        }
    }
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
        "{algorithm} with {heuristic}{weight} · {} expanded · {} generated · at most {} states, {} · {}",
        show_count(counters.expanded),
        show_count(counters.generated),
        show_count(counters.peak_states),
        show_bytes(counters.peak_bytes as f64),
        show_seconds(seconds),
    )
}

/// What stands between two parts of a line.
const BETWEEN: &str = " · ";

/// The same in several lines, none longer than there is room for unless one of its parts is.
pub(crate) fn folded(line: &str, room: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for part in line.split(BETWEEN) {
        match lines.last_mut() {
            Some(last) if last.chars().count() + BETWEEN.chars().count() + part.chars().count() <= room => {
                last.push_str(BETWEEN);
                last.push_str(part);
            }
            _ => lines.push(part.to_owned()),
        }
    }
    lines.join("\n")
}

/// Both on one line.
pub(crate) fn one_line(answer: &Answer, notation: Notation) -> String {
    format!("{} · {}", sentence(answer, notation), spent(answer))
}

fn count_moves(count: usize) -> String {
    if count == 1 { "1 move".to_owned() } else { format!("{count} moves") }
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn a_line_is_folded_between_its_parts() {
        assert_eq!(folded("one · two · three", 80), "one · two · three");
        assert_eq!(folded("one · two · three", 9), "one · two\nthree");
        assert_eq!(folded("one · two · three", 2), "one\ntwo\nthree");
    }
}
