use std::{ops::ControlFlow, sync::Arc};

use pintu_search::{Control, Counters, Hold, Stop, Weight};
use pintu_solver::{
    Supply, is_room_for,
    tables::{Extent, Key, Tables},
};
use pintu_tiles::{Moves, NotApplicable, Puzzle, least_moves};

use crate::{
    Algorithm, Answer, HeuristicName, Request, RequestError, Verdict, auto,
    device::Device,
    dispatch::{End, Job},
    memory,
    request::{USUAL_DEPTH, usual_weight},
    trace::TileTrace,
};

/// Solves a puzzle, or proves that it cannot be done, or says which limit ended the search: one of the request's or one of
/// the control's.
///
/// ```
/// use pintu_engine::{solve, Algorithm, Request};
/// use pintu_search::Control;
/// use pintu_tiles::{read_board, NamedGoal, Puzzle, Topology};
///
/// let start = read_board("0 1 3 4 2 5 7 8 6", None).unwrap();
/// let goal = NamedGoal::Standard.on(start.size());
/// let puzzle = Puzzle::new(Topology::plain(start.size()), start, goal).unwrap();
/// let answer = solve(&Request::new(puzzle, Algorithm::Astar), &Control::unlimited()).unwrap();
/// assert_eq!(answer.moves().unwrap().to_string(), "RDRD");
/// assert!(answer.is_optimal());
/// ```
pub fn solve(request: &Request, control: &Control) -> Result<Answer, RequestError> {
    within(request, &control.part(request.limits), None)
}

/// The same; `on_better` is called with each solution that is shorter than those before it as soon as it is known, and
/// with what no solution is shorter than. With `auto` the first one comes within milliseconds on any board; an algorithm
/// that has a name has no solution before its last.
pub fn solve_telling(
    request: &Request,
    control: &Control,
    on_better: &mut dyn FnMut(&Moves, u32),
) -> Result<Answer, RequestError> {
    let control = control.part(request.limits);
    let mut shortest = usize::MAX;
    let mut tell = |moves: &Moves, bound| {
        if moves.len() < shortest {
            shortest = moves.len();
            on_better(moves, bound);
        }
    };
    if request.algorithm == Algorithm::Auto && request.puzzle.solvable().is_ok() {
        auto::first(&request.puzzle, &mut tell);
    }
    watched(request, &control, Audience { trace: None, on_better: &mut tell })
}

/// Who follows a search.
pub(crate) struct Audience<'a, 'b> {
    /// Records it.
    pub(crate) trace: Option<TileTrace<'a>>,
    /// Is told of each solution that is better than those before it, and of the bound.
    pub(crate) on_better: &'b mut dyn FnMut(&Moves, u32),
}

/// Solves under a control that has the request's limits, and records the search if somebody wants to see it.
pub(crate) fn within(
    request: &Request,
    control: &Control,
    trace: Option<TileTrace<'_>>,
) -> Result<Answer, RequestError> {
    watched(request, control, Audience { trace, on_better: &mut |_, _| {} })
}

/// The same for one of several: that its tables turn out to be too large is a limit that it alone has reached.
pub(crate) fn among(
    request: &Request,
    control: &Control,
    trace: Option<TileTrace<'_>>,
) -> Result<Answer, RequestError> {
    match within(request, control, trace) {
        Err(RequestError::NotApplicable(NotApplicable::TableTooLarge { .. })) => {
            let seconds = control.elapsed().as_secs_f64();
            Ok(Answer { seconds, counters: control.counters(), ..Answer::unanswered(request, Stop::Memory)? })
        }
        found => found,
    }
}

fn watched(request: &Request, control: &Control, audience: Audience<'_, '_>) -> Result<Answer, RequestError> {
    let (heuristic, weight) = (request.heuristic()?, request.weight()?);
    if let Err(reason) = request.puzzle.solvable() {
        return Ok(Answer {
            verdict: Verdict::Unsolvable(reason),
            algorithm: request.algorithm,
            heuristic,
            weight: weight.map(Weight::value),
            counters: Counters::default(),
            seconds: control.elapsed().as_secs_f64(),
            device: Device::Cpu,
        });
    }
    if request.device == Device::Gpu && !(request.algorithm == Algorithm::Auto && auto::wants_tables(request)) {
        let what = format!("{} on a board of {}", request.algorithm, request.puzzle.topology());
        return Err(RequestError::DeviceUnused { what });
    }
    let answer = match request.algorithm {
        Algorithm::Auto => auto::solve(request, heuristic, control, audience),
        _ => named(request, heuristic, weight, control, audience.trace),
    };
    memory::tidy_up(control.counters().peak_bytes);
    answer
}

/// Solves a puzzle that can be solved with the algorithm that the request names.
pub(crate) fn named(
    request: &Request,
    heuristic: HeuristicName,
    weight: Option<Weight>,
    control: &Control,
    mut trace: Option<TileTrace<'_>>,
) -> Result<Answer, RequestError> {
    let puzzle = &request.puzzle;
    let answer = |verdict, counters| Answer {
        verdict,
        algorithm: request.algorithm,
        heuristic,
        weight: weight.map(Weight::value),
        counters,
        seconds: control.elapsed().as_secs_f64(),
        device: Device::Cpu,
    };
    let loan = match heuristic {
        HeuristicName::Pattern => match small_tables(request, control)? {
            ControlFlow::Continue(loan) => Some(loan),
            ControlFlow::Break(why) => {
                let verdict = Verdict::Limit { why, lower_bound: least_moves(puzzle) };
                return Ok(answer(verdict, Counters::default()));
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
        tables: loan.as_ref().map(|(tables, _)| &**tables),
    };
    let found = job.run(control, &mut trace)?;
    Ok(answer(verdict(puzzle, found.end), found.counters))
}

/// What an end of a search means for a puzzle that can be solved.
fn verdict(puzzle: &Puzzle, end: End) -> Verdict {
    match end {
        End::Solved { moves, lower_bound } => {
            debug_assert!(puzzle.is_solved_by(&moves));
            Verdict::Solved { moves, lower_bound }
        }
        End::Stopped { why, lower_bound } => Verdict::Limit { why, lower_bound },
        End::NoSolution => unreachable!("a search exhausted the space of a puzzle that can be solved"),
    }
}

/// The small tables of a request's board, whatever lies in a cache, so that counts are always the same; and the memory
/// that they take, for as long as they are used.
pub(crate) fn small_tables(
    request: &Request,
    control: &Control,
) -> Result<ControlFlow<Stop, (Arc<Tables>, Hold)>, RequestError> {
    let key = Key::of(&request.puzzle, Extent::Small);
    let store = &request.tables;
    if !is_room_for(key, store, control)? {
        return Ok(ControlFlow::Break(Stop::Memory));
    }
    let mut hold = control.hold();
    let made = Supply::make(store, key, request.threads, control);
    Ok(match made {
        ControlFlow::Continue(tables) => hold.more(tables.bytes()).map_continue(|()| (tables, hold)),
        ControlFlow::Break(why) => ControlFlow::Break(why),
    })
}
