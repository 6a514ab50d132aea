//! Paths, distance maps and summaries as text and JSON.

use std::{
    fmt::{self, Display},
    io::{self, Write},
};

use anstyle::{AnsiColor, Style};
use pintu_engine::path::{CheapestPaths, PathAnswer, PathCost, PathStates, PathVerdict, ScenarioSummary};
use pintu_grid::{Cell, Distances, Drawing, Graph, Mark, Terrain};

use super::answer::{costs_of, counts_of};
use crate::{
    say::{self, Tone, fitted, toned},
    units::{counted, show_count, show_seconds},
};

/// A path, and a line with cost and counts.
pub(crate) fn answer(out: &mut dyn Write, terrain: Option<&Terrain>, answer: &PathAnswer) -> io::Result<()> {
    if let PathVerdict::Found { path, .. } = &answer.verdict {
        write_path(out, terrain, path)?;
    }
    writeln!(out, "{}", fitted(&line(answer)))
}

/// A path on its map, or the nodes of one.
fn write_path(out: &mut dyn Write, terrain: Option<&Terrain>, path: &PathStates) -> io::Result<()> {
    match (path, terrain) {
        (PathStates::Cells(cells), Some(terrain)) => draw(out, terrain, cells),
        (PathStates::Cells(cells), None) => write_row(out, cells),
        (PathStates::Names(names), _) => write_row(out, names),
    }
}

/// Each of several paths with its cost, and a line with their number and counts.
pub(crate) fn paths(out: &mut dyn Write, terrain: Option<&Terrain>, found: &CheapestPaths) -> io::Result<()> {
    for (rank, path) in (1..).zip(&found.paths) {
        write_path(out, terrain, &path.path)?;
        writeln!(out, "path {rank}: cost {}\n", path.cost)?;
    }
    let status = match found.stopped {
        Some(why) => format!("{}: {why} · ", toned(Tone::Bad, "stopped")),
        None if found.paths.is_empty() => return writeln!(out, "{}", toned(Tone::Bad, "no path!")),
        None => String::new(),
    };
    let count = counted(found.paths.len() as u64, "path");
    writeln!(out, "{}", fitted(&format!("{status}{count} · {}", counts_of(&found.counters, found.seconds))))
}

fn line(answer: &PathAnswer) -> String {
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

/// A line of numbers for each row of the map, `-` where there is no path.
pub(crate) fn distances(out: &mut dyn Write, found: &Distances, directions: bool) -> io::Result<()> {
    let number = |cell: Cell| Entry(found.length(cell));
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

/// A line of items separated by spaces.
fn write_row(out: &mut dyn Write, all: impl IntoIterator<Item = impl Display>) -> io::Result<()> {
    for (at, one) in all.into_iter().enumerate() {
        let space = if at == 0 { "" } else { " " };
        write!(out, "{space}{one}")?;
    }
    writeln!(out)
}

/// A line for each node with its cost, `-` where there is no path.
pub(crate) fn costs(out: &mut dyn Write, graph: &Graph, found: &[Option<PathCost>]) -> io::Result<()> {
    let names = (0..graph.len() as u32).filter_map(|node| graph.name(node));
    names.zip(found).try_for_each(|(name, &cost)| writeln!(out, "{name} {}", Entry(cost)))
}

/// A distance, or `-` where there is none.
struct Entry<T>(Option<T>);

impl<T: Display> Display for Entry<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(length) => length.fmt(f),
            None => f.write_str("-"),
        }
    }
}

/// The summary of a scenario file.
pub(crate) fn summary(out: &mut dyn Write, summary: &ScenarioSummary) -> io::Result<()> {
    const SHOWN: usize = 10;
    writeln!(
        out,
        "{} of {} queries agree with the lengths on record · {} with {}\n\
         a query: mean {} · median {} · 90 % {} · 99 % {} · longest {}\n\
         {} expanded · {} on {}",
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
    )?;
    if summary.stopped > 0 {
        let queries = if summary.stopped == 1 { "query was" } else { "queries were" };
        writeln!(out, "{} {queries} stopped by a limit or not begun", show_count(summary.stopped as u64))?;
    }
    for miss in summary.misses.iter().take(SHOWN) {
        let found = miss.found.map_or("no path".to_owned(), |length| PathCost::of(length).to_string());
        writeln!(out, "found {found}, on record {}: {}", miss.recorded, miss.query)?;
    }
    if summary.misses.len() > SHOWN {
        writeln!(out, "and {} more", summary.misses.len() - SHOWN)?;
    }
    Ok(())
}

/// Draws a map with a path on it.
fn draw(out: &mut dyn Write, terrain: &Terrain, path: &[Cell]) -> io::Result<()> {
    let drawing = Drawing::new(terrain, path);
    let styled = say::has_colours();
    for row in 0..terrain.rows() {
        for col in 0..terrain.cols() {
            let between = if col == 0 { "" } else { drawing.separator() };
            let (symbol, mark) = drawing.at(Cell::new(row, col));
            match style(mark).filter(|_| styled) {
                Some(style) => write!(out, "{between}{style}{symbol}{style:#}")?,
                None => write!(out, "{between}{symbol}")?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

fn style(mark: Mark) -> Option<Style> {
    let colour = match mark {
        Mark::Terrain => return None,
        Mark::Path => AnsiColor::Red,
        Mark::End => AnsiColor::Green,
    };
    Some(colour.on_default().bold())
}
