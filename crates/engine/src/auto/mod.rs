//! What `auto` does: whatever suits the board and the budget.

mod by_tables;

use std::time::Duration;

use pintu_search::{Counters, Limits, Stop, Weight};
use pintu_tiles::{Kind, Puzzle};

use crate::{
    Algorithm, Answer, HeuristicName, Request, RequestError,
    dispatch::{End, Found, Job},
    request::{USUAL_DEPTH, usual_weight},
    solve::{Session, answer, verdict},
};

pub(crate) use by_tables::{fits, stopped};

/// A* where the whole space is small; pattern tables where they pay. Elsewhere weighted A* for a first solution soon, then IDA* for as
/// long as the budget lasts; if it ends first, the first solution stands, with the bound that IDA* has
/// reached.
pub(crate) fn solve(
    request: &Request,
    heuristic: HeuristicName,
    session: &Session<'_>,
) -> Result<Answer, RequestError> {
    let puzzle = &request.puzzle;
    if is_small(puzzle) {
        let job = job(puzzle, Algorithm::Astar, heuristic);
        let found = session.run(&job, session.limits, Counters::default())?;
        return Ok(answer(session, verdict(puzzle, found.end), Algorithm::Astar, heuristic, found.counters));
    }
    let tables_wanted = request.heuristic.is_none_or(|name| name == HeuristicName::Pattern);
    if tables_wanted && by_tables::pay(puzzle) {
        let usual = if puzzle.topology().is_plain() { HeuristicName::LinearConflict } else { HeuristicName::Manhattan };
        if let Some(answer) = by_tables::solve(request, usual, session)? {
            return Ok(answer);
        }
    }
    let first = first_solution(puzzle, heuristic, session)?;
    if let Some(answer) = settled(&first, session, heuristic) {
        return Ok(answer);
    }
    let rest = left(session, &first.counters);
    let second = session.run(&job(puzzle, Algorithm::Ida, heuristic), rest, first.counters)?;
    let counters = both(&first.counters, &second.counters);
    let (end, algorithm) = better(first.end, second.end);
    let mut answer = answer(session, verdict(puzzle, end), algorithm, heuristic, counters);
    answer.weight = (algorithm == Algorithm::Wastar).then(|| quick_weight(puzzle).value());
    Ok(answer)
}

/// Some solution, soon: by weighted A*.
fn first_solution(puzzle: &Puzzle, heuristic: HeuristicName, session: &Session<'_>) -> Result<Found, RequestError> {
    let quick = Job { weight: quick_weight(puzzle), ..job(puzzle, Algorithm::Wastar, heuristic) };
    session.run(&quick, quick_limits(session.limits), Counters::default())
}

/// Whether every state fits into memory many times over.
fn is_small(puzzle: &Puzzle) -> bool {
    puzzle.size().cells() <= 9 || matches!(puzzle.topology().kind(), Kind::Line | Kind::Ring)
}

fn job(puzzle: &Puzzle, algorithm: Algorithm, heuristic: HeuristicName) -> Job<'_> {
    Job { puzzle, algorithm, heuristic, weight: Weight::ONE, max_depth: USUAL_DEPTH, tables: None }
}

/// The larger the board, the greedier the first search must be to end.
fn quick_weight(puzzle: &Puzzle) -> Weight {
    if puzzle.size().cells() <= 16 { Weight::new(2.0).unwrap_or(Weight::ONE) } else { usual_weight() }
}

/// A first solution may take half of the budget; it seldom takes a second.
fn quick_limits(limits: Limits) -> Limits {
    Limits {
        nodes: limits.nodes.map(|nodes| nodes.div_ceil(2)),
        time: Some(limits.time.map_or(Duration::from_secs(10), |time| time / 2)),
        memory: limits.memory,
    }
}

fn nodes_left(session: &Session<'_>, spent: &Counters) -> Option<u64> {
    session.limits.nodes.map(|nodes| nodes.saturating_sub(spent.expanded))
}

fn left(session: &Session<'_>, spent: &Counters) -> Limits {
    Limits {
        nodes: nodes_left(session, spent),
        time: session.limits.time.map(|time| time.saturating_sub(session.elapsed())),
        memory: session.limits.memory,
    }
}

/// The answer, if the first search leaves nothing to do: it was cancelled, or its solution is optimal.
fn settled(first: &Found, session: &Session<'_>, heuristic: HeuristicName) -> Option<Answer> {
    let verdict = match &first.end {
        End::Solved { moves, lower_bound } if moves.len() == *lower_bound as usize => {
            crate::Verdict::Solved { moves: moves.clone(), lower_bound: *lower_bound }
        }
        End::Stopped { why: Stop::Cancelled, lower_bound } => {
            crate::Verdict::Limit { why: Stop::Cancelled, lower_bound: *lower_bound }
        }
        _ => return None,
    };
    Some(answer(session, verdict, Algorithm::Wastar, heuristic, first.counters))
}

fn both(first: &Counters, second: &Counters) -> Counters {
    Counters {
        expanded: first.expanded + second.expanded,
        generated: first.generated + second.generated,
        peak_states: first.peak_states.max(second.peak_states),
        peak_bytes: first.peak_bytes.max(second.peak_bytes),
    }
}

/// The second end, unless it was stopped and the first has a solution, to which the second's bound is
/// then added.
fn better(first: End, second: End) -> (End, Algorithm) {
    match (first, second) {
        (End::Solved { moves, lower_bound }, End::Stopped { lower_bound: reached, .. }) => {
            (End::Solved { moves, lower_bound: lower_bound.max(reached) }, Algorithm::Wastar)
        }
        (End::Stopped { lower_bound, .. }, End::Stopped { why, lower_bound: reached }) => {
            (End::Stopped { why, lower_bound: lower_bound.max(reached) }, Algorithm::Ida)
        }
        (_, second) => (second, Algorithm::Ida),
    }
}
