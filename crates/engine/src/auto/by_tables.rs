//! Boards for which pattern tables pay: the fewest moves, mostly within milliseconds.

use std::{sync::Arc, time::Duration};

use pintu_search::{Counters, Limits, Stop};
use pintu_tiles::{
    Puzzle,
    pattern::{Extent, Pattern, Tables, partition},
};

use super::{Budget, FIRST_NODES, QUICK, both, by_beam, is_proved, joined};
use crate::{
    Request,
    dispatch::{End, Found, least_moves},
    tables::Key,
};

/// Boards with more cells are too hard to solve optimally, tables or not.
const MOST_CELLS: usize = 36;
/// The share of the budget that goes into a good solution before the optimal one is looked for in
/// earnest, where that is likely to be found and where it is not.
const LIKELY: f64 = 0.1;
const UNLIKELY: f64 = 0.9;
/// What large tables may take before anything else is tried: states, and a share of the time.
const LARGE_NODES: u64 = 30_000_000;
const SOON: f64 = 0.2;

/// Whether tables pay for a puzzle.
pub(super) fn pay(puzzle: &Puzzle) -> bool {
    puzzle.size().cells() <= MOST_CELLS
}

/// What was found, or nothing if the tables do not fit into the memory allowed.
///
/// The tables in hand come first, or the small ones, which are built at once if need be. For what those do
/// not solve soon it is worth reading the large tables from disk, which are never built unasked. What they
/// do not solve soon either gets a good solution from a beam, and the rest of the budget is IDA*'s.
pub(super) fn solve(request: &Request, budget: &Budget<'_>) -> Option<Found> {
    let puzzle = &request.puzzle;
    // A budget too short for tables is a beam's, and even then there is an answer.
    let none = Counters::default();
    let first = match budget.limits.time {
        Some(time) => {
            by_beam(request, budget, Limits { time: Some((time / 20).min(QUICK)), ..budget.left(&none) }, none)
        }
        None => Found { end: stopped(puzzle, Stop::Time), counters: none },
    };
    let tables = match small_or_better(request, budget)? {
        Ok(tables) => tables,
        Err(why) => return Some(Found { end: joined(first.end, stopped(puzzle, why)), counters: first.counters }),
    };
    let deepen = |tables: &Tables, before: Found, nodes: Option<u64>, time: Option<Duration>| {
        let limits = Limits { nodes, time, memory: budget.limits.memory };
        let found = budget.session.deepen(puzzle, tables, limits, request.threads, before.counters);
        Found { counters: both(&before.counters, &found.counters), end: joined(before.end, found.end) }
    };
    let at_most = |spent: &Counters, most: u64| Some(budget.left(spent).nodes.unwrap_or(u64::MAX).min(most));
    let nodes = at_most(&first.counters, FIRST_NODES);
    let mut found = deepen(&tables, first, nodes, budget.limits.time);
    if is_proved(&found.end) || is_over(budget, &found.counters) {
        return Some(found);
    }
    let large = large(request, budget);
    if let Some(large) = &large {
        let nodes = at_most(&found.counters, LARGE_NODES);
        // Counted from the start, as all of a search's times are.
        let spared = budget.left(&found.counters).time.map(|left| left.mul_f64(1.0 - SOON));
        let time = budget.limits.time.zip(spared).map(|(all, spared)| all.saturating_sub(spared));
        found = deepen(large, found, nodes, time);
        if is_proved(&found.end) || is_over(budget, &found.counters) {
            return Some(found);
        }
    }
    let likely = large.is_some() || puzzle.size().cells() <= 16;
    let share = budget.share(&found.counters, if likely { LIKELY } else { UNLIKELY });
    let time = share.time.or_else(|| (puzzle.size().cells() <= 16).then_some(QUICK));
    let improved = by_beam(request, budget, Limits { time, ..share }, found.counters);
    found = Found { counters: improved.counters, end: joined(found.end, improved.end) };
    if is_proved(&found.end) || is_over(budget, &found.counters) {
        return Some(found);
    }
    let nodes = budget.left(&found.counters).nodes;
    Some(deepen(&large.unwrap_or(tables), found, nodes, budget.limits.time))
}

fn is_over(budget: &Budget<'_>, spent: &Counters) -> bool {
    let left = budget.left(spent);
    left.nodes == Some(0) || left.time == Some(Duration::ZERO) || budget.session.is_cancelled()
}

/// The large tables if this process has them in hand, else the small ones; nothing if they would not
/// fit, and why not if the budget ended first.
fn small_or_better(request: &Request, budget: &Budget<'_>) -> Option<Result<Arc<Tables>, Stop>> {
    let store = &request.tables;
    if let Some(tables) = store.in_hand(Key::of(&request.puzzle, Extent::Large)) {
        return Some(Ok(tables));
    }
    let key = Key::of(&request.puzzle, Extent::Small);
    if store.in_hand(key).is_none() && !fits(key, budget.limits.memory) {
        return None;
    }
    Some(budget.session.make_tables(store, key, request.threads))
}

/// The large tables, if they are there and fit.
fn large(request: &Request, budget: &Budget<'_>) -> Option<Arc<Tables>> {
    let key = Key::of(&request.puzzle, Extent::Large);
    let patterns = partition(key.topology, key.blank, key.extent).ok()?;
    let bytes: u64 = patterns.iter().map(Pattern::estimated_bytes).sum();
    let room = budget.limits.memory.is_none_or(|most| bytes <= most);
    (room && request.tables.has_files(key)).then(|| request.tables.ready(key)).flatten()
}

/// Whether a set can be built within so much memory: all tables, and what the largest build takes.
pub(crate) fn fits(key: Key, memory: Option<u64>) -> bool {
    let Ok(patterns) = partition(key.topology, key.blank, key.extent) else { return false };
    let tables: u64 = patterns.iter().map(Pattern::estimated_bytes).sum();
    let build = patterns.iter().map(Pattern::estimated_build_bytes).max().unwrap_or(0);
    memory.is_none_or(|most| tables + build <= most)
}

/// Stopped before anything is known but what can be seen at the start.
pub(crate) fn stopped(puzzle: &Puzzle, why: Stop) -> End {
    End::Stopped { why, lower_bound: least_moves(puzzle) }
}
