//! Paths, distance maps and summaries as text and JSON.

use std::fmt::Write as _;

use anstyle::AnsiColor;
use pintu_engine::path::{PathAnswer, PathCost, PathVerdict, RouteCosts, ScenarioSummary, Way};
use pintu_grid::{Cell, Distances, Graph, Terrain, draw};

use super::{answer::costs_of, fold::folded};
use crate::{
    say::{self, Tone, toned},
    units::{counted, show_count, show_seconds},
};

/// The map with the path on it and a line with cost and counts.
pub(crate) fn drawn(terrain: &Terrain, answer: &PathAnswer) -> String {
    match &answer.verdict {
        PathVerdict::Found { way: Way::Cells(cells), .. } => {
            format!("{}{}\n", painted(&draw(terrain, cells), cells), line(answer))
        }
        _ => format!("{}\n", line(answer)),
    }
}

/// A drawn map, its path in colour where whoever reads it sees colours: also a map's own start and goal are ground like any
/// other to a path that leads elsewhere.
fn painted(map: &str, path: &[Cell]) -> String {
    if !say::has_colours() {
        return map.to_owned();
    }
    let (way, end) = (AnsiColor::Red.on_default().bold(), AnsiColor::Green.on_default().bold());
    let ends = [path.first(), path.last()];
    let paint = |cell: Cell, symbol: char| match symbol {
        _ if ends.contains(&Some(&cell)) => format!("{end}{symbol}{end:#}"),
        '*' => format!("{way}*{way:#}"),
        other => other.to_string(),
    };
    let mut text = String::with_capacity(2 * map.len());
    for (row, line) in (0..).zip(map.lines()) {
        let mut col = 0;
        for symbol in line.chars() {
            // A map whose cells are apart has nothing else between them.
            let is_cell = symbol != ' ';
            text.push_str(&if is_cell { paint(Cell::new(row, col), symbol) } else { symbol.to_string() });
            col += u32::from(is_cell);
        }
        text.push('\n');
    }
    text
}

/// The nodes of a path and a line with cost and counts.
pub(crate) fn listed(answer: &PathAnswer) -> String {
    match &answer.verdict {
        PathVerdict::Found { way: Way::Names(names), .. } => format!("{}\n{}\n", names.join(" "), line(answer)),
        _ => format!("{}\n", line(answer)),
    }
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

/// Stands for what is there but costs more than can be said.
const TOO_DEAR: &str = "too-dear";

/// A row of numbers a map row, `-` where there is no path, and a word where its length does not fit.
pub(crate) fn distances(found: &Distances, directions: bool) -> String {
    let mut text = String::new();
    for row in rows(found) {
        let number = |&cell: &Cell| match found.length(cell) {
            Some(length) => length.to_string(),
            // They are in reading order.
            None if found.too_dear().binary_search_by_key(&place(cell), |&one| place(one)).is_ok() => {
                TOO_DEAR.to_owned()
            }
            None => "-".to_owned(),
        };
        let numbers: Vec<String> = row.iter().map(number).collect();
        let _ = writeln!(text, "{}", numbers.join(" "));
    }
    if directions {
        text.push('\n');
        for row in rows(found) {
            let arrow = |&cell: &Cell| match (found.step(cell), found.length(cell)) {
                (Some(step), _) => step.arrow(),
                (None, Some(_)) => '•',
                (None, None) => '-',
            };
            let arrows: Vec<String> = row.iter().map(|cell| arrow(cell).to_string()).collect();
            let _ = writeln!(text, "{}", arrows.join(" "));
        }
    }
    text
}

fn place(cell: Cell) -> (u32, u32) {
    (cell.row, cell.col)
}

fn rows(found: &Distances) -> impl Iterator<Item = Vec<Cell>> {
    let (rows, cols) = (found.rows(), found.cols());
    (0..rows).map(move |row| (0..cols).map(|col| Cell::new(row, col)).collect())
}

/// A node and its cost a line, `-` where no edges lead, and a word where the cost does not fit.
pub(crate) fn costs(graph: &Graph, found: &RouteCosts) -> String {
    let mut text = String::new();
    for ((node, name), cost) in (0..).zip(names(graph)).zip(&found.costs) {
        let shown = match cost {
            Some(cost) => cost.to_string(),
            None if found.too_dear.binary_search(&node).is_ok() => TOO_DEAR.to_owned(),
            None => "-".to_owned(),
        };
        let _ = writeln!(text, "{name} {shown}");
    }
    text
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
