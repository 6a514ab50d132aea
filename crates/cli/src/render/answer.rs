//! An answer in words.

use std::fmt::Display;

use pintu_engine::{Answer, Verdict, device::Device};
use pintu_search::Counters;
use pintu_tiles::Notation;

use crate::{
    say,
    units::{show_bytes, show_count, show_seconds},
};

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

/// The same in several lines, none longer than there is room for: broken between its parts, where one of those is too long
/// between words, and a word (the moves of a solution) where it must be.
pub(crate) fn folded(line: &str, room: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for part in line.split(BETWEEN) {
        match lines.last_mut() {
            Some(last) if last.chars().count() + BETWEEN.chars().count() + part.chars().count() <= room => {
                last.push_str(BETWEEN);
                last.push_str(part);
            }
            _ => lines.extend(wrapped(part, room)),
        }
    }
    lines.join("\n")
}

/// Each of several lines folded for the terminal that they are printed on; elsewhere as they are.
pub(crate) fn fitted(text: &str) -> String {
    let Some(room) = say::terminal_width() else { return text.to_owned() };
    text.split_inclusive('\n')
        .map(|line| line.strip_suffix('\n').map_or_else(|| folded(line, room), |line| folded(line, room) + "\n"))
        .collect()
}

/// What lines that go on from others begin with.
const INDENT: &str = "  ";

fn wrapped(part: &str, room: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = part.to_owned();
    while let Some((end, _)) = rest.char_indices().nth(room).filter(|_| room > INDENT.len()) {
        // A space that comes next ends a word, too; those at the beginning end none.
        let begin = rest.len() - rest.trim_start().len();
        let space = rest[begin..].char_indices().map(|(at, letter)| (begin + at, letter));
        let last = space.take_while(|(at, _)| *at <= end).filter(|(_, letter)| *letter == ' ').last();
        let (line, next) = rest.split_at(last.map_or(end, |(at, _)| at));
        let next = format!("{INDENT}{}", next.trim_start());
        lines.push(line.trim_end().to_owned());
        rest = next;
    }
    lines.push(rest);
    lines
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
        assert_eq!(folded("one · two · three", 5), "one\ntwo\nthree");
    }

    #[test]
    fn a_part_is_folded_between_words_and_a_word_where_it_must_be() {
        assert_eq!(folded("4 moves (optimal): ULDR (blank)", 12), "4 moves\n  (optimal):\n  ULDR\n  (blank)");
        assert_eq!(folded("2 moves: UUUUUUUUUUUU · x", 8), "2 moves:\n  UUUUUU\n  UUUUUU\nx");
        assert_eq!(folded("2 moves: UUUUUUUUUUUU · x", 12), "2 moves:\n  UUUUUUUUUU\n  UU · x");
        assert_eq!(folded("一二三四五六", 4), "一二三四\n  五六");
        for room in 0..40 {
            let text = "12 moves (not proved): ULDRULDRULDR (where it goes) · a · b c";
            let lines = folded(text, room);
            assert!(room < 3 || lines.lines().all(|line| line.chars().count() <= room), "{room}: {lines}");
            let letters = |text: &str| text.replace([' ', '\n', '·'], "");
            assert_eq!(letters(&lines), letters(text));
        }
    }
}
