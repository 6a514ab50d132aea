//! Boards for which pattern tables pay: the fewest moves, mostly within milliseconds.

use std::{sync::Arc, time::Duration};

use pintu_search::{Counters, Limits, Stop};
use pintu_solver::{
    deepen, improve,
    tables::{Extent, Pattern, Tables, patterns},
};
use pintu_tiles::Puzzle;

use super::{Budget, FIRST_NODES, QUICK};
use crate::{
    Request,
    dispatch::{End, Found, least_moves},
    solve::{Run, TableSearch},
    tables::Key,
};

/// Boards with more cells are too hard to solve optimally, tables or not.
const MOST_CELLS: usize = 36;
/// Boards with more cells are too large for beams on tables to be fast.
const MOST_CELLS_OF_BEAMS: usize = 26;
/// The share of the budget that goes into a good solution before the optimal one is looked for in earnest: where
/// that is sure to be found, where it may be, and where it is unlikely.
const SURE: f64 = 0.1;
const LIKELY: f64 = 0.5;
const UNLIKELY: f64 = 0.9;
/// What the small tables may take before the large ones are read: what those need for the same is a tenth.
const NODES_BEFORE_LARGE: u64 = 20_000;
/// What large tables may take before anything else is tried: states, and a share of the time.
const LARGE_NODES: u64 = 30_000_000;
const SOON: f64 = 0.2;

/// What searches hold besides their tables and states, and what was resident at the start: the small tables when the large
/// ones are at work, the sets of cells, the machines.
const BESIDES: u64 = 16 << 20;

/// Whether tables pay for a puzzle.
pub(super) fn pay(puzzle: &Puzzle) -> bool {
    puzzle.size().cells() <= MOST_CELLS
}

/// Whether beams on tables find shorter solutions than those without.
pub(super) fn beams_pay(puzzle: &Puzzle) -> bool {
    puzzle.size().cells() <= MOST_CELLS_OF_BEAMS
}

/// What was found, or nothing if the tables do not fit into the memory allowed.
///
/// The small tables come first, which are built at once if need be. For what those do not solve soon it is worth reading
/// the large tables from disk (very soon, if they lie there), which are never built unasked. What they
/// do not solve soon either gets a good solution from beams, and the rest of the budget is IDA*'s.
pub(super) fn solve(request: &Request, budget: &Budget<'_>) -> Option<Found> {
    let puzzle = &request.puzzle;
    // A budget too short for tables is a beam's, and even then there is an answer.
    let nothing = Found { end: stopped(puzzle, Stop::Time), counters: Counters::default() };
    let first = match budget.limits.time {
        Some(time) => {
            let limits = Limits { time: Some((time / 20).min(QUICK)), ..budget.left(&nothing.counters) };
            budget.session.by_beam(puzzle, limits, request.threads, nothing)
        }
        None => nothing,
    };
    let tables = match small(request, budget)? {
        Ok(tables) => tables,
        Err(why) => return Some(first.and(Found { end: stopped(puzzle, why), counters: Counters::default() })),
    };
    let search = |tables: &Tables, run: Run, limits: Limits, before: Found| {
        let limits = Limits { memory: limits.memory.map(|most| most - BESIDES.min(most / 2)), ..limits };
        budget.session.by_tables(TableSearch { puzzle, tables, run }, limits, request.threads, before)
    };
    // Times on tables are counted from the start.
    let within = |limits: Limits| Limits { time: limits.time.map(|time| budget.session.elapsed() + time), ..limits };
    let at_most =
        |limits: Limits, most: u64| Limits { nodes: Some(limits.nodes.unwrap_or(u64::MAX).min(most)), ..limits };

    let is_large_there = request.tables.on_disk(Key::of(puzzle, Extent::Large)).is_some();
    let moment = if is_large_there { NODES_BEFORE_LARGE } else { FIRST_NODES };
    let limits = at_most(budget.left(&first.counters), moment);
    let mut found = search(&tables, deepen, within(limits), first);
    if found.is_proved() || is_over(budget, &found.counters) {
        return Some(found);
    }
    let large = large(request, budget);
    if let Some(large) = &large {
        let left = budget.left(&found.counters);
        let soon = Limits { time: left.time.map(|time| time.mul_f64(SOON)), ..left };
        found = search(large, deepen, within(at_most(soon, LARGE_NODES)), found);
        if found.is_proved() || is_over(budget, &found.counters) {
            return Some(found);
        }
    }
    let share = match (puzzle.size().cells(), &large) {
        (..=16, _) => SURE,
        (_, Some(_)) => LIKELY,
        (_, None) => UNLIKELY,
    };
    let share = budget.share(&found.counters, share);
    let share = Limits { time: share.time.or_else(|| (puzzle.size().cells() <= 16).then_some(QUICK)), ..share };
    let best = large.unwrap_or(tables);
    found = if beams_pay(puzzle) {
        search(&best, improve, within(share), found)
    } else {
        budget.session.by_beam(puzzle, share, request.threads, found)
    };
    if found.is_proved() || is_over(budget, &found.counters) {
        return Some(found);
    }
    let left = budget.left(&found.counters);
    Some(search(&best, deepen, within(left), found))
}

fn is_over(budget: &Budget<'_>, spent: &Counters) -> bool {
    let left = budget.left(spent);
    left.nodes == Some(0) || left.time == Some(Duration::ZERO) || budget.session.is_cancelled()
}

/// The small tables, whatever else is in hand, so that a board takes the same whatever was solved before it; nothing
/// if they would not fit, and why not if the budget ended first.
fn small(request: &Request, budget: &Budget<'_>) -> Option<Result<Arc<Tables>, Stop>> {
    let store = &request.tables;
    let key = Key::of(&request.puzzle, Extent::Small);
    if store.in_hand(key).is_none() && !fits(key, budget.limits.memory) {
        return None;
    }
    Some(budget.session.make_tables(store, key, request.threads))
}

/// The large tables, if they are there and fit.
fn large(request: &Request, budget: &Budget<'_>) -> Option<Arc<Tables>> {
    let key = Key::of(&request.puzzle, Extent::Large);
    let bytes = request.tables.on_disk(key)?;
    let is_room = budget.limits.memory.is_none_or(|most| bytes <= most);
    is_room.then(|| request.tables.ready(key)).flatten()
}

/// Whether a set can be built within so much memory: all tables, and what the largest build takes.
pub(crate) fn fits(key: Key, memory: Option<u64>) -> bool {
    let Ok(patterns) = patterns(key.topology, key.blank, key.extent) else { return false };
    let tables: u64 = patterns.iter().map(Pattern::estimated_bytes).sum();
    let build = patterns.iter().map(Pattern::estimated_build_bytes).max().unwrap_or(0);
    memory.is_none_or(|most| tables + build <= most)
}

/// Stopped before anything is known but what can be seen at the start.
pub(crate) fn stopped(puzzle: &Puzzle, why: Stop) -> End {
    End::Stopped { why, lower_bound: least_moves(puzzle) }
}
