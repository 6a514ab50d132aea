use std::sync::Arc;

use pintu_search::{Control, Counters, Hold, Stop, Weight};
use pintu_solver::{
    Tables,
    internals::has_room_for,
    store::{BuildError, Extent, Key, TableSource},
};
use pintu_tiles::{Moves, NotApplicable, least_moves};

use crate::{
    Algorithm, Answer, HeuristicName, Request, RequestError, Verdict, auto,
    device::Device,
    dispatch::{All, Job},
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

/// The same; `on_better` is called with each solution that is shorter than those before it, as soon as it is known, and
/// with the lower bound. With `auto` the first one comes within milliseconds on any board; any other algorithm finds
/// only one solution, at its end.
pub(crate) fn solve_telling(
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
    watched(request, &control, Observers { trace: None, on_better: &mut tell, all: None })
}

pub(crate) struct Observers<'a, 'b> {
    pub(crate) trace: Option<TileTrace<'a>>,
    /// Called with each solution that is better than those before it, and with the bound.
    pub(crate) on_better: &'b mut dyn FnMut(&Moves, u32),
    /// Called with every optimal solution, by `solve_all`.
    pub(crate) all: Option<&'b mut All<'a>>,
}

/// Solves under a control that has the request's limits.
pub(crate) fn watched(
    request: &Request,
    control: &Control,
    observers: Observers<'_, '_>,
) -> Result<Answer, RequestError> {
    let (heuristic, weight) = (request.heuristic()?, request.weight()?);
    if request.puzzle.solvable().is_err() {
        let seconds = control.elapsed().as_secs_f64();
        return Ok(Answer { seconds, ..Answer::unanswered(request, Stop::Cancelled)? });
    }
    let may_use_gpu =
        || request.algorithm == Algorithm::Auto && auto::wants_tables(request) || auto::is_for_gpu(request);
    if request.device == Device::Gpu && !may_use_gpu() {
        let what = format!("{} on a board of {}", request.algorithm, request.puzzle.topology());
        return Err(RequestError::DeviceUnused(what));
    }
    let answer = match request.algorithm {
        Algorithm::Auto => auto::solve(request, heuristic, control, observers),
        _ => named(request, heuristic, weight, control, observers.trace, observers.all),
    };
    memory::tidy_up(control.counters().peak_bytes);
    answer
}

/// The same; records the search if there is a trace.
pub(crate) fn within(
    request: &Request,
    control: &Control,
    trace: Option<TileTrace<'_>>,
) -> Result<Answer, RequestError> {
    watched(request, control, Observers { trace, on_better: &mut |_, _| {}, all: None })
}

/// The same for one of several contestants: tables that are too large count as a limit that it alone has reached.
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

/// Solves a puzzle that can be solved with the algorithm that the request names.
pub(crate) fn named(
    request: &Request,
    heuristic: HeuristicName,
    weight: Option<Weight>,
    control: &Control,
    mut trace: Option<TileTrace<'_>>,
    all: Option<&mut All<'_>>,
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
        HeuristicName::Pattern => match small_tables(request, control) {
            Err(RequestError::Stopped(why)) => {
                let verdict = Verdict::Limit { why, lower_bound: least_moves(puzzle) };
                return Ok(answer(verdict, Counters::default()));
            }
            made => Some(made?),
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
    let (verdict, counters) = job.run(control, &mut trace, all)?;
    Ok(answer(verdict, counters))
}

/// The small tables of a request's board, whether cached or not, so that counts are always the same; and the hold on
/// their memory, for as long as they are used.
pub(crate) fn small_tables(request: &Request, control: &Control) -> Result<(Arc<Tables>, Hold), RequestError> {
    let key = Key::of(&request.puzzle, Extent::Small);
    let store = &request.tables;
    if !has_room_for(key, store, control)? {
        return Err(Stop::Memory.into());
    }
    let mut hold = control.hold();
    let tables = match store.make(key, request.threads, control) {
        Ok(tables) => tables,
        Err(BuildError::Stopped(why)) => return Err(why.into()),
        Err(error) => unreachable!("the board has tables: {error}"),
    };
    hold.more(tables.uncharged_bytes())?;
    Ok((tables, hold))
}
