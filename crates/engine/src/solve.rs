use std::{
    ops::ControlFlow::{Break, Continue},
    sync::Arc,
    time::Instant,
};

use pintu_search::{Budget, Cancel, Control, Counters, Limits, Stop};
use pintu_solver::{
    Supply, fits,
    tables::{Extent, Tables},
};
use pintu_tiles::Puzzle;

use crate::{
    Algorithm, Answer, HeuristicName, Progress, Request, RequestError, Verdict, auto,
    dispatch::{End, Found, Job},
    memory,
    request::{USUAL_DEPTH, usual_weight},
    tables::Key,
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
    let puzzle = &request.puzzle;
    let session = Session::new(request.limits, cancel, progress);
    let answer = |verdict, algorithm, heuristic, counters| Answer {
        verdict,
        algorithm,
        heuristic,
        weight: weight.map(pintu_search::Weight::value),
        counters,
        seconds: session.seconds(),
    };
    if let Err(reason) = puzzle.solvable() {
        return Ok(answer(Verdict::Unsolvable(reason), request.algorithm, heuristic, Counters::default()));
    }
    if request.algorithm == Algorithm::Auto {
        return auto::solve(request, heuristic, &session);
    }
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
        // Laying the patterns out and building them counts towards the time.
        let control = self.control(self.limits, Counters::default());
        let patterns = key.patterns()?;
        if let Some(tables) = request.tables.in_hand(key) {
            return Ok(Ok(tables));
        }
        if !fits(&patterns, self.limits.memory) {
            return Ok(Err(Stop::Memory));
        }
        let made = Supply::make(&request.tables, key, request.threads, &control);
        Ok(match made {
            Continue(tables) => Ok(tables),
            Break(why) => Err(why),
        })
    }

    /// A control for work within these limits, which follows what has been counted `before`; progress follows it.
    pub(crate) fn control(&self, limits: Limits, before: Counters) -> Control {
        let control = Control::with_cancel(limits, self.cancel.clone());
        self.progress.follow(&control, before);
        control
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    pub(crate) fn elapsed(&self) -> std::time::Duration {
        self.started.elapsed()
    }
}

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
