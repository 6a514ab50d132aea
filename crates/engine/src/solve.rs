use std::{ops::ControlFlow, sync::Arc, time::Instant};

use pintu_search::{Budget, Cancel, Counters, Limits, Stop, Weight};
use pintu_solver::{
    Anytime, Deepened, Options, Tally, Watch, anytime,
    tables::{Extent, Tables, patterns},
};
use pintu_tiles::Puzzle;

use crate::{
    Algorithm, Answer, HeuristicName, Progress, Request, RequestError, Verdict, auto,
    dispatch::{End, Found, Job, least_moves},
    memory,
    request::{USUAL_DEPTH, usual_weight},
    tables::{Key, Store},
};

/// Solves a puzzle, or proves that it cannot be done, or says which limit ended the search.
///
/// ```
/// use pintu_engine::{solve, Algorithm, Progress, Request};
/// use pintu_search::Cancel;
/// use pintu_tiles::{read_board, NamedGoal, Puzzle, Topology};
///
/// let start = read_board("0 1 3 4 2 5 7 8 6", None).unwrap();
/// let goal = NamedGoal::Standard.on(start.size());
/// let puzzle = Puzzle::new(Topology::plain(start.size()), start, goal).unwrap();
/// let answer = solve(&Request::new(puzzle, Algorithm::Astar), &Cancel::new(), &Progress::new()).unwrap();
/// assert_eq!(answer.moves().unwrap().to_string(), "RDRD");
/// assert!(answer.is_optimal());
/// ```
pub fn solve(request: &Request, cancel: &Cancel, progress: &Progress) -> Result<Answer, RequestError> {
    let (heuristic, weight) = (request.heuristic()?, request.weight()?);
    let session = Session::new(request.limits, cancel, progress);
    if let Err(reason) = request.puzzle.solvable() {
        let verdict = Verdict::Unsolvable(reason);
        let weight = weight.map(Weight::value);
        let answer = answer(&session, verdict, request.algorithm, heuristic, Counters::default());
        return Ok(Answer { weight, ..answer });
    }
    if request.algorithm == Algorithm::Auto {
        return auto::solve(request, heuristic, &session);
    }
    named(request, heuristic, weight, &session)
}

/// Solves a puzzle that can be solved with the algorithm that the request names.
pub(crate) fn named(
    request: &Request,
    heuristic: HeuristicName,
    weight: Option<Weight>,
    session: &Session<'_>,
) -> Result<Answer, RequestError> {
    let puzzle = &request.puzzle;
    let answer = |verdict, algorithm, heuristic, counters| Answer {
        verdict,
        algorithm,
        heuristic,
        weight: weight.map(Weight::value),
        counters,
        seconds: session.seconds(),
    };
    let tables = match heuristic {
        HeuristicName::Pattern => match session.small_tables(request)? {
            Ok(tables) => Some(tables),
            Err(why) => {
                let verdict = verdict(puzzle, auto::stopped(puzzle, why));
                return Ok(answer(verdict, request.algorithm, heuristic, Counters::default()));
            }
        },
        _ => None,
    };
    let job = Job {
        puzzle,
        algorithm: request.algorithm,
        heuristic,
        weight: weight.unwrap_or_else(usual_weight),
        max_depth: request.max_depth.unwrap_or(USUAL_DEPTH),
        tables,
    };
    let found = session.run(&job, session.limits, Counters::default())?;
    Ok(answer(verdict(puzzle, found.end), request.algorithm, heuristic, found.counters))
}

/// What an end of a search means for a puzzle that can be solved.
pub(crate) fn verdict(puzzle: &Puzzle, end: End) -> Verdict {
    match end {
        End::Solved { moves, lower_bound } => {
            debug_assert!(puzzle.is_solved_by(&moves));
            Verdict::Solved { moves, lower_bound }
        }
        End::Stopped { why, lower_bound } => Verdict::Limit { why, lower_bound },
        End::NoSolution => unreachable!("a search exhausted the space of a puzzle that can be solved"),
    }
}

/// What all searches for one answer share.
pub(crate) struct Session<'a> {
    pub(crate) limits: Limits,
    cancel: &'a Cancel,
    progress: &'a Progress,
    started: Instant,
}

impl<'a> Session<'a> {
    pub(crate) fn new(mut limits: Limits, cancel: &'a Cancel, progress: &'a Progress) -> Self {
        // The limit is the process's; what it holds already, the search cannot have.
        let resident = memory::resident();
        limits.memory = match limits.memory {
            Some(most) => Some(most.saturating_sub(resident)),
            None => memory::available().map(|available| available / 2),
        };
        Self { limits, cancel, progress, started: Instant::now() }
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Runs one search; `before` is what earlier ones have counted.
    pub(crate) fn run(&self, job: &Job<'_>, limits: Limits, before: Counters) -> Result<Found, RequestError> {
        let budget = Budget::with_cancel(limits, self.cancel.clone());
        Ok(job.run(&mut (budget, self.progress.watch(before)))?)
    }

    /// The small tables of a request's board, whatever lies in a cache: so counts are always the same.
    fn small_tables(&self, request: &Request) -> Result<Result<Arc<Tables>, Stop>, RequestError> {
        let key = Key::of(&request.puzzle, Extent::Small);
        patterns(key.topology, key.blank, key.extent)?;
        if !auto::fits(key, self.limits.memory) {
            return Ok(Err(Stop::Memory));
        }
        Ok(self.make_tables(&request.tables, key, request.threads))
    }

    /// A set of tables, unless the budget ends while it is built.
    pub(crate) fn make_tables(&self, store: &Store, key: Key, threads: usize) -> Result<Arc<Tables>, Stop> {
        let time_is_up = || self.limits.time.is_some_and(|most| self.elapsed() >= most);
        let over = || time_is_up() || self.cancel.is_cancelled();
        let made =
            store.make(key, threads, &mut |_| if over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) });
        let why = if self.cancel.is_cancelled() { Stop::Cancelled } else { Stop::Time };
        made.map(|kept| kept.tables).map_err(|_| why)
    }

    /// Runs IDA* or beams on pattern tables, after searches that found `before`: what they know together.
    pub(crate) fn by_tables(&self, search: TableSearch, limits: Limits, threads: usize, before: Found) -> Found {
        let TableSearch { puzzle, tables, run } = search;
        let known = if let End::Solved { moves, .. } = &before.end { Some(moves.len() as u32) } else { None };
        let options = Options { limits, started: self.started, threads, known };
        let watch = |tally: Tally| self.progress.write(before.counters, tally.expanded, tally.generated, tally.bound);
        let Deepened { moves, lower_bound, stopped, counters } = run(puzzle, tables, &options, self.cancel, &watch);
        let end = match moves {
            Some(moves) => End::Solved { moves, lower_bound },
            // If nothing stopped it, what is known is as short as the bound.
            None => End::Stopped { why: stopped.unwrap_or(Stop::Time), lower_bound },
        };
        before.and(Found { end, counters })
    }

    /// Finds a solution at once and improves it, after searches that found `before`: what they know together.
    pub(crate) fn by_beam(&self, puzzle: &Puzzle, limits: Limits, threads: usize, before: Found) -> Found {
        let bound = least_moves(puzzle);
        let tell = |so_far: &Counters| self.progress.write(before.counters, so_far.expanded, so_far.generated, bound);
        let found = match anytime(puzzle, limits, self.cancel, threads, &tell, &mut |_, _| {}) {
            Ok(Anytime { moves, lower_bound, counters, .. }) => {
                Found { end: End::Solved { moves, lower_bound }, counters }
            }
            Err(_) => Found { end: End::NoSolution, counters: Counters::default() },
        };
        before.and(found)
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    pub(crate) fn elapsed(&self) -> std::time::Duration {
        self.started.elapsed()
    }
}

/// A search on pattern tables.
#[derive(Clone, Copy)]
pub(crate) struct TableSearch<'a> {
    pub(crate) puzzle: &'a Puzzle,
    pub(crate) tables: &'a Tables,
    pub(crate) run: Run,
}

/// A search on tables: [`deepen`](pintu_solver::deepen) or [`improve`](pintu_solver::improve).
pub(crate) type Run = fn(&Puzzle, &Tables, &Options, &Cancel, Watch<'_>) -> Deepened;

/// An answer of `auto`, which says what it used.
pub(crate) fn answer(
    session: &Session<'_>,
    verdict: Verdict,
    algorithm: Algorithm,
    heuristic: HeuristicName,
    counters: Counters,
) -> Answer {
    Answer { verdict, algorithm, heuristic, weight: None, counters, seconds: session.seconds() }
}
