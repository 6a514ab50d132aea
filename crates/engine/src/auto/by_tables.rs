//! Boards for which pattern tables pay: the fewest moves, mostly within milliseconds.

use std::sync::Arc;

use pintu_search::{Counters, Limits, Stop};
use pintu_tiles::{
    Puzzle,
    pattern::{Extent, Tables, partition},
};

use super::{better, both, first_solution, nodes_left};
use crate::{
    Algorithm, Answer, HeuristicName, Request, RequestError,
    dispatch::{End, Found, least_moves},
    solve::{Session, answer, verdict},
    tables::Key,
};

/// Boards with more cells are too hard to solve optimally, tables or not.
const MOST_CELLS: usize = 36;
/// What the tables in hand may expand before anything that takes longer is tried.
const FIRST_NODES: u64 = 300_000;

/// Whether tables pay for a puzzle.
pub(super) fn pay(puzzle: &Puzzle) -> bool {
    puzzle.size().cells() <= MOST_CELLS
}

/// The answer, or nothing if the tables do not fit into the memory allowed.
///
/// Under a limit, a first solution comes first. Then the tables in hand, or the small ones, which are
/// built at once if need be. Only what those do not solve soon is worth reading the large ones from
/// disk, and those are never built unasked.
pub(super) fn solve(
    request: &Request,
    usual: HeuristicName,
    session: &Session<'_>,
) -> Result<Option<Answer>, RequestError> {
    let puzzle = &request.puzzle;
    let nothing = || Found { end: stopped(puzzle, Stop::Time), counters: Counters::default() };
    let limited = session.limits.time.is_some() || session.limits.nodes.is_some();
    let first = if limited { first_solution(puzzle, usual, session)? } else { nothing() };
    let tables = match small_or_better(request, session) {
        None => return Ok(None),
        Some(Ok(tables)) => tables,
        Some(Err(why)) => {
            let (end, algorithm) = better(first.end, stopped(puzzle, why));
            return Ok(Some(answer(session, verdict(puzzle, end), algorithm, usual, first.counters)));
        }
    };
    let nodes = nodes_left(session, &first.counters).unwrap_or(u64::MAX);
    let deepen = |tables: &Tables, nodes: u64, before: Counters| {
        let nodes = (nodes < u64::MAX).then_some(nodes);
        session.deepen(puzzle, tables, Limits { nodes, ..session.limits }, request.threads, before)
    };
    let tried = deepen(&tables, nodes.min(FIRST_NODES), first.counters);
    let goes_on = matches!(tried.end, End::Stopped { why: Stop::Nodes, .. }) && nodes > FIRST_NODES;
    let mut so_far = joined(first, tried);
    if goes_on {
        if !limited {
            so_far = joined(first_solution(puzzle, usual, session)?, so_far);
        }
        let tables = large(request, session).unwrap_or(tables);
        let nodes = nodes_left(session, &so_far.counters).unwrap_or(u64::MAX);
        let rest = deepen(&tables, nodes, so_far.counters);
        so_far = joined(so_far, rest);
    }
    let algorithm = match &so_far.end {
        End::Solved { moves, lower_bound } if moves.len() > *lower_bound as usize => Algorithm::Wastar,
        _ => Algorithm::Ida,
    };
    let heuristic = if algorithm == Algorithm::Ida { HeuristicName::Pattern } else { usual };
    Ok(Some(answer(session, verdict(puzzle, so_far.end), algorithm, heuristic, so_far.counters)))
}

/// The large tables if this process has them in hand, else the small ones; nothing if they would not
/// fit, and why not if the budget ended first.
fn small_or_better(request: &Request, session: &Session<'_>) -> Option<Result<Arc<Tables>, Stop>> {
    let store = &request.tables;
    if let Some(tables) = store.in_hand(Key::of(&request.puzzle, Extent::Large)) {
        return Some(Ok(tables));
    }
    let key = Key::of(&request.puzzle, Extent::Small);
    if store.in_hand(key).is_none() && !fits(key, session.limits.memory) {
        return None;
    }
    Some(session.make_tables(store, key, request.threads))
}

/// The large tables, if they are there and fit.
fn large(request: &Request, session: &Session<'_>) -> Option<Arc<Tables>> {
    let key = Key::of(&request.puzzle, Extent::Large);
    let patterns = partition(key.topology, key.blank, key.extent).ok()?;
    let bytes: u64 = patterns.iter().map(pintu_tiles::pattern::Pattern::estimated_bytes).sum();
    let room = session.limits.memory.is_none_or(|most| bytes <= most);
    (room && request.tables.has_files(key)).then(|| request.tables.ready(key)).flatten()
}

/// Whether a set can be built within so much memory: all tables, and what the largest build takes.
pub(crate) fn fits(key: Key, memory: Option<u64>) -> bool {
    let Ok(patterns) = partition(key.topology, key.blank, key.extent) else { return false };
    let tables: u64 = patterns.iter().map(pintu_tiles::pattern::Pattern::estimated_bytes).sum();
    let build = patterns.iter().map(pintu_tiles::pattern::Pattern::estimated_build_bytes).max().unwrap_or(0);
    memory.is_none_or(|most| tables + build <= most)
}

/// Stopped before anything is known but what can be seen at the start.
pub(crate) fn stopped(puzzle: &Puzzle, why: Stop) -> End {
    End::Stopped { why, lower_bound: least_moves(puzzle) }
}

/// The better end of two searches, and what both took.
fn joined(first: Found, second: Found) -> Found {
    Found { counters: both(&first.counters, &second.counters), end: better(first.end, second.end).0 }
}
