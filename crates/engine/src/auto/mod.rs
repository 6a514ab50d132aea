//! What `auto` does: whatever suits the board and the budget.

mod supply;

use std::time::Duration;

use pintu_search::{Counters, Limits, Stop, Weight};
use pintu_solver::{Brief, Known, Means, NoTables, Solved, Supply, tables_pay};
use pintu_tiles::{Kind, Puzzle};

use crate::{
    Algorithm, Answer, HeuristicName, Request, RequestError,
    dispatch::{End, Found, Job, least_moves},
    request::USUAL_DEPTH,
    solve::{Session, answer, verdict},
};

/// A* where the whole space is small, and elsewhere the [solver](pintu_solver::solve): pattern tables where they pay, and
/// beams, which have a solution at once and improve it for as long as the budget lasts.
///
/// Where no tables are used, IDA* with a small heuristic goes first for a moment, which is enough for an easy board of any
/// size, and comes last where there is hope that it ends.
///
/// Boards of more than 16 cells may take for ever to prove, so `auto` ends by itself there if nobody
/// limits its time: after [`patience`].
pub(crate) fn solve(
    request: &Request,
    heuristic: HeuristicName,
    session: &Session<'_>,
) -> Result<Answer, RequestError> {
    let puzzle = &request.puzzle;
    if is_small(puzzle) {
        let found = session.run(&job(puzzle, Algorithm::Astar, heuristic), session.limits, Counters::default())?;
        return Ok(answer(session, verdict(puzzle, found.end), Algorithm::Astar, heuristic, found.counters));
    }
    let budget =
        Budget { limits: Limits { time: session.limits.time.or(patience(puzzle)), ..session.limits }, session };
    let plain = if heuristic == HeuristicName::Pattern { request.usual_heuristic() } else { heuristic };
    let tables_wanted = request.heuristic.is_none_or(|name| name == HeuristicName::Pattern) && tables_pay(puzzle);
    let exact = |limits: Limits, before: Found| -> Result<Found, RequestError> {
        let found = session.run(&job(puzzle, Algorithm::Ida, plain), limits, before.counters)?;
        Ok(before.and(found))
    };
    let nothing = Found { end: stopped(puzzle, Stop::Time), counters: Counters::default() };
    let first = if tables_wanted {
        nothing
    } else {
        let moment = budget.share(&nothing.counters, 0.1);
        let nodes = Some(moment.nodes.unwrap_or(u64::MAX).min(FIRST_NODES));
        exact(Limits { nodes, ..moment }, nothing)?
    };
    if first.is_proved() || session.is_cancelled() {
        return Ok(conclude(request, session, first, (Algorithm::Ida, plain)));
    }
    let supply: &dyn Supply = if tables_wanted { &request.tables } else { &NoTables };
    let (found, by) = by_solver(request, supply, &budget, first);
    let is_over = found.is_proved() || budget.is_over(&found.counters);
    if is_over || puzzle.size().cells() > HOPEFUL_CELLS || matches!(by, Means::Rounds | Means::TableBeams) {
        let used = match by {
            Means::Rounds => (Algorithm::Ida, HeuristicName::Pattern),
            Means::TableBeams => (Algorithm::Beam, HeuristicName::Pattern),
            Means::Beams => (Algorithm::Beam, HeuristicName::Manhattan),
            Means::Nothing => (Algorithm::Ida, plain),
        };
        return Ok(conclude(request, session, found, used));
    }
    let found = exact(budget.left(&found.counters), found)?;
    let used = if found.is_proved() { (Algorithm::Ida, plain) } else { (Algorithm::Beam, HeuristicName::Manhattan) };
    Ok(conclude(request, session, found, used))
}

/// The solver, after a search that found `before`: what they know together, and what it is due to.
fn by_solver(request: &Request, supply: &dyn Supply, budget: &Budget<'_>, before: Found) -> (Found, Means) {
    let control = budget.session.control(budget.left(&before.counters), before.counters);
    let mut known = Known::at_least(least_moves(&request.puzzle));
    if let End::Solved { lower_bound, .. } | End::Stopped { lower_bound, .. } = &before.end {
        known.raise(*lower_bound);
    }
    if let End::Solved { moves, .. } = &before.end {
        known.offer(moves.clone());
    }
    let brief = Brief { threads: request.threads, known, on_better: &mut |_, _| {} };
    let Ok(Solved { known, stopped, by }) = pintu_solver::solve(&request.puzzle, supply, &control, brief) else {
        return (Found { end: End::NoSolution, counters: before.counters }, Means::Nothing);
    };
    let lower_bound = known.bound();
    let end = match known.moves() {
        Some(moves) => End::Solved { moves: moves.clone(), lower_bound },
        None => End::Stopped { why: stopped.unwrap_or(Stop::Time), lower_bound },
    };
    (before.and(Found { end, counters: control.counters() }), by)
}

/// What may be expanded in a moment, before anything that takes longer is tried.
const FIRST_NODES: u64 = 300_000;
/// Boards of so many cells are worth an IDA* to the end, tables or not.
const HOPEFUL_CELLS: usize = 16;

fn job(puzzle: &Puzzle, algorithm: Algorithm, heuristic: HeuristicName) -> Job<'_> {
    Job { puzzle, algorithm, heuristic, weight: Weight::ONE, max_depth: USUAL_DEPTH, tables: None }
}

/// Whether every state fits into memory many times over.
fn is_small(puzzle: &Puzzle) -> bool {
    puzzle.size().cells() <= 9 || matches!(puzzle.topology().kind(), Kind::Line | Kind::Ring)
}

/// How long it is worth looking for a better solution when nobody says.
fn patience(puzzle: &Puzzle) -> Option<Duration> {
    match puzzle.size().cells() {
        ..17 => None,
        17..=25 => Some(Duration::from_mins(1)),
        _ => Some(Duration::from_secs(10)),
    }
}

/// Stopped before anything is known but what can be seen at the start.
pub(crate) fn stopped(puzzle: &Puzzle, why: Stop) -> End {
    End::Stopped { why, lower_bound: least_moves(puzzle) }
}

/// What may be spent on one answer, and what of it is left.
struct Budget<'a> {
    limits: Limits,
    session: &'a Session<'a>,
}

impl Budget<'_> {
    /// What is left after `spent`.
    fn left(&self, spent: &Counters) -> Limits {
        Limits {
            nodes: self.limits.nodes.map(|nodes| nodes.saturating_sub(spent.expanded)),
            time: self.limits.time.map(|time| time.saturating_sub(self.session.elapsed())),
            memory: self.limits.memory,
        }
    }

    /// A share of what is left after `spent`.
    fn share(&self, spent: &Counters, share: f64) -> Limits {
        let left = self.left(spent);
        Limits {
            nodes: left.nodes.map(|nodes| (nodes as f64 * share) as u64),
            time: left.time.map(|time| time.mul_f64(share)),
            ..left
        }
    }

    fn is_over(&self, spent: &Counters) -> bool {
        let left = self.left(spent);
        left.nodes == Some(0) || left.time == Some(Duration::ZERO) || self.session.is_cancelled()
    }
}

/// The answer that the searches together lead to.
fn conclude(
    request: &Request,
    session: &Session<'_>,
    found: Found,
    (algorithm, heuristic): (Algorithm, HeuristicName),
) -> Answer {
    answer(session, verdict(&request.puzzle, found.end), algorithm, heuristic, found.counters)
}
