//! Paths, distance maps and summaries as text and JSON.

mod draw;

use std::{
    fmt::{self, Display, Write as _},
    io::{self, Write},
};

use pintu_engine::path::{PathAnswer, PathCost, PathVerdict, RouteCosts, ScenarioSummary, Way};
use pintu_grid::{Cell, Distances, Graph, Terrain};

use self::draw::draw;
use super::{answer::costs_of, fold::folded};
use crate::{
    say::{self, Tone, toned},
    units::{counted, show_count, show_seconds},
};

/// The map with the path on it and a line with cost and counts.
pub(crate) fn drawn(out: &mut dyn Write, terrain: &Terrain, answer: &PathAnswer) -> io::Result<()> {
    if let PathVerdict::Found { way: Way::Cells(cells), .. } = &answer.verdict {
        draw(out, terrain, cells)?;
    }
    writeln!(out, "{}", line(answer))
}

/// The nodes of a path and a line with cost and counts.
pub(crate) fn listed(out: &mut dyn Write, answer: &PathAnswer) -> io::Result<()> {
    if let PathVerdict::Found { way: Way::Names(names), .. } = &answer.verdict {
        write_row(out, names)?;
    }
    writeln!(out, "{}", line(answer))
}

/// Cost and counts: one line, in several where a terminal has no room for it.
fn line(answer: &PathAnswer) -> String {
    folded(&unfolded(answer), say::terminal_width().unwrap_or(usize::MAX))
}

fn unfolded(answer: &PathAnswer) -> String {
    let PathAnswer { algorithm, heuristic, weight, counters, seconds, .. } = answer;
    let spent = costs_of(algorithm, heuristic, *weight, counters, *seconds);
    match &answer.verdict {
        PathVerdict::Found { cost, optimal, nearest, .. } => {
            let quality =
                if *optimal { toned(Tone::Good, "optimal") } else { toned(Tone::Doubtful, "not proved optimal") };
            let instead =
                nearest.map_or_else(String::new, |cell| format!(" to {cell}, the nearest cell that can be reached"));
            format!("cost {cost} ({quality}){instead} · {spent}")
        }
        PathVerdict::Unreachable { .. } => toned(Tone::Bad, "no path!"),
        PathVerdict::Limit { why, lower_bound } => {
            let bound = lower_bound
                .map_or_else(String::new, |bound| format!("; no path costs less than {}", PathCost::of(bound)));
            format!("{}: {why}{bound} · {spent}", toned(Tone::Bad, "stopped"))
        }
    }
}

/// A row of numbers a map row, `-` where there is no path, and a word where its length does not fit.
pub(crate) fn distances(out: &mut dyn Write, found: &Distances, directions: bool) -> io::Result<()> {
    let number = |cell: Cell| match found.length(cell) {
        Some(length) => Entry::Known(length),
        // They are in reading order.
        None if found.too_dear().binary_search_by_key(&place(cell), |&one| place(one)).is_ok() => Entry::TooDear,
        None => Entry::None,
    };
    let arrow = |cell: Cell| match (found.step(cell), found.length(cell)) {
        (Some(step), _) => step.arrow(),
        (None, Some(_)) => '•',
        (None, None) => '-',
    };
    let cells = |row: u32| (0..found.cols()).map(move |col| Cell::new(row, col));
    (0..found.rows()).try_for_each(|row| write_row(out, cells(row).map(number)))?;
    if directions {
        writeln!(out)?;
        (0..found.rows()).try_for_each(|row| write_row(out, cells(row).map(arrow)))?;
    }
    Ok(())
}

fn place(cell: Cell) -> (u32, u32) {
    (cell.row, cell.col)
}

/// A line with a space between what stands on it.
fn write_row(out: &mut dyn Write, all: impl IntoIterator<Item = impl Display>) -> io::Result<()> {
    for (at, one) in all.into_iter().enumerate() {
        let space = if at == 0 { "" } else { " " };
        write!(out, "{space}{one}")?;
    }
    writeln!(out)
}

/// A node and its cost a line, `-` where no edges lead, and a word where the cost does not fit.
pub(crate) fn costs(out: &mut dyn Write, graph: &Graph, found: &RouteCosts) -> io::Result<()> {
    for ((node, name), cost) in (0..).zip(names(graph)).zip(&found.costs) {
        let shown = match cost {
            Some(cost) => Entry::Known(cost),
            None if found.too_dear.binary_search(&node).is_ok() => Entry::TooDear,
            None => Entry::None,
        };
        writeln!(out, "{name} {shown}")?;
    }
    Ok(())
}

/// How far something is.
enum Entry<T> {
    Known(T),
    /// There, but dearer than can be said.
    TooDear,
    None,
}

impl<T: Display> Display for Entry<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(length) => length.fmt(f),
            Self::TooDear => f.write_str("too-dear"),
            Self::None => f.write_str("-"),
        }
    }
}

fn names(graph: &Graph) -> impl Iterator<Item = &str> {
    (0..graph.len() as u32).filter_map(|node| graph.name(node))
}

/// What came of a scenario file.
pub(crate) fn summary(summary: &ScenarioSummary) -> String {
    const SHOWN: usize = 10;
    let mut text = format!(
        "{} of {} queries agree with the lengths on record · {} with {}\n\
         a query: mean {} · median {} · 90 % {} · 99 % {} · longest {}\n\
         {} expanded · {} on {}\n",
        show_count(summary.agree as u64),
        show_count(summary.queries as u64),
        summary.algorithm,
        summary.heuristic,
        show_seconds(summary.mean_seconds),
        show_seconds(summary.median_seconds),
        show_seconds(summary.p90_seconds),
        show_seconds(summary.p99_seconds),
        show_seconds(summary.max_seconds),
        show_count(summary.expanded),
        show_seconds(summary.total_seconds),
        counted(summary.threads as u64, "thread"),
    );
    if summary.stopped > 0 {
        let queries = if summary.stopped == 1 { "query was" } else { "queries were" };
        let _ = writeln!(text, "{} {queries} stopped by a limit or not begun", show_count(summary.stopped as u64));
    }
    for miss in summary.misses.iter().take(SHOWN) {
        let found = miss.found.map_or("no path".to_owned(), |length| PathCost::of(length).to_string());
        let _ = writeln!(text, "found {found}, on record {}: {}", miss.recorded, miss.query);
    }
    if summary.misses.len() > SHOWN {
        let _ = writeln!(text, "and {} more", summary.misses.len() - SHOWN);
    }
    text
}
