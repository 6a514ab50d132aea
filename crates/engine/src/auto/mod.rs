//! What `auto` does: whatever suits the board and the budget.

mod by_tables;

use std::time::Duration;

use pintu_search::{Counters, Limits, Stop, Weight};
use pintu_tiles::{Kind, Puzzle};

use crate::{
    Algorithm, Answer, HeuristicName, Request, RequestError,
    dispatch::{End, Found, Job},
    request::USUAL_DEPTH,
    solve::{Session, answer, named, verdict},
};

pub(crate) use by_tables::{fits, stopped};

/// A* where the whole space is small, pattern tables where they pay, and elsewhere a beam, which has a
/// solution at once and improves it for as long as the budget lasts.
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
        return named(&Request { algorithm: Algorithm::Astar, ..request.clone() }, heuristic, None, session);
    }
    let budget =
        Budget { limits: Limits { time: session.limits.time.or(patience(puzzle)), ..session.limits }, session };
    if wants_tables(request)
        && let Some(found) = by_tables::solve(request, &budget)
    {
        let beams = if by_tables::beams_pay(puzzle) { HeuristicName::Pattern } else { HeuristicName::Manhattan };
        return Ok(conclude(request, session, found, HeuristicName::Pattern, beams));
    }
    let heuristic = if heuristic == HeuristicName::Pattern { request.usual_heuristic() } else { heuristic };
    let found = by_heuristic(request, &budget, heuristic)?;
    Ok(conclude(request, session, found, heuristic, HeuristicName::Manhattan))
}

/// Whether a request looks at pattern tables, if they fit into its memory.
pub(crate) fn wants_tables(request: &Request) -> bool {
    match request.heuristic {
        Some(HeuristicName::Pattern) => {
            request.algorithm != Algorithm::Auto || is_small(&request.puzzle) || by_tables::pay(&request.puzzle)
        }
        None => request.algorithm == Algorithm::Auto && !is_small(&request.puzzle) && by_tables::pay(&request.puzzle),
        Some(_) => false,
    }
}

/// IDA* with a small heuristic for a moment, which is enough for an easy board of any size; then a beam;
/// and IDA* again where there is hope that it ends.
fn by_heuristic(request: &Request, budget: &Budget<'_>, heuristic: HeuristicName) -> Result<Found, RequestError> {
    let puzzle = &request.puzzle;
    let exact = |limits: Limits, before: Found| -> Result<Found, RequestError> {
        let found = budget.session.run(&job(puzzle, Algorithm::Ida, heuristic), limits, before.counters)?;
        Ok(before.and(found))
    };
    let nothing = Found { end: stopped(puzzle, Stop::Time), counters: Counters::default() };
    let moment = budget.share(&nothing.counters, 0.1);
    let nodes = Some(moment.nodes.unwrap_or(u64::MAX).min(FIRST_NODES));
    let first = exact(Limits { nodes, ..moment }, nothing)?;
    if first.is_proved() || budget.session.is_cancelled() {
        return Ok(first);
    }
    let hopeful = puzzle.size().cells() <= 16;
    let share = if hopeful { budget.share(&first.counters, 0.1) } else { budget.left(&first.counters) };
    let limits = Limits { time: share.time.or(Some(QUICK)), ..share };
    let found = budget.session.by_beam(puzzle, limits, request.threads, first);
    if !hopeful || found.is_proved() {
        return Ok(found);
    }
    exact(budget.left(&found.counters), found)
}

/// What may be expanded in a moment, before anything that takes longer is tried.
const FIRST_NODES: u64 = 300_000;

fn job(puzzle: &Puzzle, algorithm: Algorithm, heuristic: HeuristicName) -> Job<'_> {
    Job { puzzle, algorithm, heuristic, weight: Weight::ONE, max_depth: USUAL_DEPTH, tables: None }
}

/// Time for a first solution.
const QUICK: Duration = Duration::from_millis(50);

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
}

/// The answer that the searches together lead to: what is proved, IDA* has proved.
fn conclude(
    request: &Request,
    session: &Session<'_>,
    found: Found,
    heuristic: HeuristicName,
    beams_heuristic: HeuristicName,
) -> Answer {
    let is_beams = matches!(found.end, End::Solved { .. }) && !found.is_proved();
    let (algorithm, heuristic) =
        if is_beams { (Algorithm::Beam, beams_heuristic) } else { (Algorithm::Ida, heuristic) };
    answer(session, verdict(&request.puzzle, found.end), algorithm, heuristic, found.counters)
}
