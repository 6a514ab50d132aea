//! An answer in words.

use pintu_engine::{Answer, Verdict};
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
            format!("{} ({quality}): {}", count_moves(moves.len()), moves.to_text(notation))
        }
        Verdict::Unsolvable(reason) => format!("no solution: {reason}"),
        Verdict::Limit { why, lower_bound } => {
            format!("stopped: {why}; at least {} are needed", count_moves(*lower_bound as usize))
        }
    }
}

/// What it took.
pub(crate) fn spent(answer: &Answer) -> String {
    let counters = &answer.counters;
    let weight = answer.weight.map_or_else(String::new, |weight| format!(" × {weight}"));
    format!(
        "{} with {}{weight} · {} expanded · {} generated · at most {} states, {} · {}",
        answer.algorithm,
        answer.heuristic,
        show_count(counters.expanded),
        show_count(counters.generated),
        show_count(counters.peak_states),
        show_bytes(counters.peak_bytes as f64),
        show_seconds(answer.seconds),
    )
}

/// Both on one line.
pub(crate) fn one_line(answer: &Answer, notation: Notation) -> String {
    format!("{} · {}", sentence(answer, notation), spent(answer))
}

fn count_moves(count: usize) -> String {
    if count == 1 { "1 move".to_owned() } else { format!("{count} moves") }
}
