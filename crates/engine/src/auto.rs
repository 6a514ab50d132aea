//! The algorithm `auto`: it chooses searches that suit the board and the budget.

use pintu_search::{Control, Limits, Stop};
use pintu_solver::{
    BestKnown, FoundBy, SolveOptions,
    internals::{budget, has_guide, has_room_for, tables_pay, uses_tables},
    store::{Extent, Key, TableSource},
};
use pintu_tiles::{Kind, Moves, Puzzle, least_moves};

use crate::{
    Algorithm, Answer, HeuristicName, Request, RequestError, Verdict,
    device::{Allowed, Device, Devices, SolveError, is_large_for},
    solve::{Observers, named},
};

/// A* where the whole space is small; elsewhere the solver, which uses pattern tables where they pay and beams where
/// they do not. If another heuristic is named: IDA* with it, and beams; or A* if memory holds every state, because with
/// a weak heuristic IDA* expands all of them again and again.
///
/// Proofs for boards of more than 16 cells may take for ever, so if the request limits neither time nor nodes, `auto`
/// ends by itself on the processor: after [`default_limits`], which do not bind a GPU. Without a time limit, on one
/// thread, a board always expands the same states.
pub(crate) fn solve(
    request: &Request,
    heuristic: HeuristicName,
    control: &Control,
    observers: Observers<'_, '_>,
) -> Result<Answer, RequestError> {
    let puzzle = &request.puzzle;
    let Observers { trace, on_better, .. } = observers;
    if is_small(puzzle) || (!wants_tables(request) && can_hold_all(puzzle, control)) {
        return named(
            &Request { algorithm: Algorithm::Astar, ..request.clone() },
            heuristic,
            None,
            control,
            trace,
            None,
        );
    }
    if trace.is_some() {
        return Err(RequestError::Untraceable);
    }
    let is_limited = control.time_left().is_some() || control.nodes_left().is_some();
    let within = control.part(if is_limited { Limits::default() } else { default_limits(puzzle, request.threads) });
    let mut auto = Auto { request, whole: control, control: &within, on_better };
    let plain = if heuristic == HeuristicName::Pattern { request.usual_heuristic() } else { heuristic };
    let wants_gpu = request.device == Device::Gpu && is_for_gpu(request);
    let ended = if wants_gpu || (wants_tables(request) && auto.is_room()) {
        let known = BestKnown::at_least(least_moves(puzzle));
        let found = auto.by_solver(request.device, Some(&request.tables), known, &Limits::default())?;
        // If there was no time for tables, there may be some left for IDA* now.
        let is_hopeful = auto.is_hopeful() && found.heuristic != HeuristicName::Pattern;
        let is_over = found.known.is_proved() || within.check().is_err() || within.nodes_left() == Some(0);
        if is_hopeful && !is_over { auto.exact(plain, &Limits::default(), found)? } else { found }
    } else {
        auto.by_heuristic(plain)?
    };
    Ok(ended.answer(control))
}

/// Whether a request looks at pattern tables, if they fit into its memory.
pub(crate) fn wants_tables(request: &Request) -> bool {
    let puzzle = &request.puzzle;
    match request.heuristic {
        Some(HeuristicName::Pattern) => request.algorithm != Algorithm::Auto || is_small(puzzle) || tables_pay(puzzle),
        None => request.algorithm == Algorithm::Auto && !is_small(puzzle) && tables_pay(puzzle),
        Some(_) => false,
    }
}

/// Whether a GPU may solve a request whose board is too large for the processor's tables.
pub(crate) fn is_for_gpu(request: &Request) -> bool {
    request.algorithm == Algorithm::Auto && request.heuristic.is_none() && is_large_for(request.device, &request.puzzle)
}

/// Whether a request will look at pattern tables under a control, which may leave too little time or too few nodes.
pub(crate) fn looks_at_tables(request: &Request, control: &Control) -> bool {
    let Request { puzzle, tables, threads, .. } = request;
    let by_solver = request.algorithm == Algorithm::Auto && !is_small(puzzle);
    wants_tables(request) && (!by_solver || uses_tables(puzzle, tables, control, *threads))
}

/// A first solution of a solvable puzzle, by construction, without a search. It is only for the observer: the search
/// that follows and its counts are the same without it.
pub(crate) fn first(puzzle: &Puzzle, on_better: &mut dyn FnMut(&Moves, u32)) {
    let nothing = Limits::none().nodes(0);
    let options = SolveOptions::new().known(BestKnown::at_least(least_moves(puzzle))).on_better(on_better);
    // The caller has checked that it can be solved.
    let _ = pintu_solver::solve(puzzle, &Control::new(nothing), options);
}

struct Auto<'a> {
    request: &'a Request,
    /// The limits of the request and of all above it.
    whole: &'a Control,
    /// A part of `whole`, within the default limits of the processor.
    control: &'a Control,
    /// Called with each solution that is better than those before it, and with the bound.
    on_better: &'a mut dyn FnMut(&Moves, u32),
}

/// The best solution and bound so far, and the search that found them.
struct AutoResult {
    known: BestKnown,
    stopped: Option<Stop>,
    algorithm: Algorithm,
    heuristic: HeuristicName,
    device: Device,
}

impl Auto<'_> {
    /// Whether the small tables are in memory or can be made.
    fn is_room(&self) -> bool {
        let key = Key::of(&self.request.puzzle, Extent::Small);
        has_room_for(key, &self.request.tables, self.control).is_ok_and(|is_room| is_room)
    }

    fn by_solver(
        &mut self,
        device: Device,
        tables: Option<&dyn TableSource>,
        known: BestKnown,
        limits: &Limits,
    ) -> Result<AutoResult, RequestError> {
        let options = SolveOptions { threads: self.request.threads, tables, known, on_better: &mut *self.on_better };
        let allowed = Allowed { gpu: &self.whole.part(*limits), cpu: &self.control.part(*limits) };
        let solved = Devices::OWN.solve(device, &self.request.puzzle, allowed, options);
        let (solved, device) = match solved {
            Ok(solved) => solved,
            Err(SolveError::Device(error)) => return Err(error.into()),
            Err(SolveError::Solver(error)) => unreachable!("the caller has checked that it can be solved: {error}"),
        };
        let (algorithm, heuristic) = match solved.by {
            FoundBy::Rounds | FoundBy::Nothing => (Algorithm::Ida, HeuristicName::Pattern),
            FoundBy::Construction => (Algorithm::Construction, HeuristicName::None),
            FoundBy::TableBeams => (Algorithm::Beam, HeuristicName::Pattern),
            FoundBy::Beams => (Algorithm::Beam, HeuristicName::Disorder),
            FoundBy::GuidedBeams => (Algorithm::Beam, HeuristicName::Tables),
            FoundBy::NetworkBeams => (Algorithm::Beam, HeuristicName::Network),
        };
        Ok(AutoResult { known: solved.known, stopped: solved.stopped, algorithm, heuristic, device })
    }

    /// IDA* with a small heuristic and few nodes, which solves an easy board of any size; then a beam; and IDA* again
    /// where it is likely to end.
    fn by_heuristic(&mut self, heuristic: HeuristicName) -> Result<AutoResult, RequestError> {
        let puzzle = &self.request.puzzle;
        let nothing = AutoResult {
            known: BestKnown::at_least(least_moves(puzzle)),
            stopped: None,
            algorithm: Algorithm::Ida,
            heuristic,
            device: Device::Cpu,
        };
        let first = self.exact(heuristic, &budget::quick(self.control, budget::QUICK_NODES), nothing)?;
        // With nothing left of the budget, the solver still answers by construction.
        if first.known.is_proved() {
            return Ok(first);
        }
        let hopeful = self.is_hopeful();
        let limits = if hopeful { budget::before_proof(self.control, self.request.threads) } else { Limits::default() };
        let device = if is_for_gpu(self.request) { self.request.device } else { Device::Cpu };
        let found = self.by_solver(device, None, first.known, &limits)?;
        let found = AutoResult {
            heuristic: if found.algorithm == Algorithm::Ida { heuristic } else { found.heuristic },
            ..found
        };
        if !hopeful || found.known.is_proved() {
            return Ok(found);
        }
        self.exact(heuristic, &Limits::default(), found)
    }

    /// Whether the board is small enough for IDA* to end.
    fn is_hopeful(&self) -> bool {
        self.request.puzzle.size().cells() <= budget::SURE_CELLS
    }

    fn exact(
        &mut self,
        heuristic: HeuristicName,
        limits: &Limits,
        before: AutoResult,
    ) -> Result<AutoResult, RequestError> {
        let request = Request { algorithm: Algorithm::Ida, ..self.request.clone() };
        let found = named(&request, heuristic, None, &self.control.part(*limits), None, None)?;
        let mut ended = before;
        match found.verdict {
            Verdict::Solved { moves, lower_bound } => {
                (self.on_better)(&moves, lower_bound);
                ended.known.offer(moves);
                ended.known.raise(lower_bound);
                (ended.algorithm, ended.heuristic, ended.stopped) = (Algorithm::Ida, heuristic, None);
            }
            Verdict::Limit { why, lower_bound } => {
                ended.known.raise(lower_bound);
                ended.stopped = Some(why);
            }
            Verdict::Unsolvable(_) => unreachable!("the caller has checked that it can be solved"),
        }
        Ok(ended)
    }
}

impl AutoResult {
    fn answer(self, control: &Control) -> Answer {
        let lower_bound = self.known.bound();
        let verdict = match self.known.moves() {
            Some(moves) => Verdict::Solved { moves: moves.clone(), lower_bound },
            None => Verdict::Limit { why: self.stopped.unwrap_or(Stop::Time), lower_bound },
        };
        Answer {
            verdict,
            algorithm: self.algorithm,
            heuristic: self.heuristic,
            weight: None,
            counters: control.counters(),
            seconds: control.elapsed().as_secs_f64(),
            device: self.device,
        }
    }
}

/// Whether every state fits into memory many times over.
pub(crate) fn is_small(puzzle: &Puzzle) -> bool {
    puzzle.size().cells() <= 9 || matches!(puzzle.topology().kind(), Kind::Line | Kind::Ring)
}

/// Whether all states of the board fit into the remaining memory; never if they are more than 10!.
fn can_hold_all(puzzle: &Puzzle, control: &Control) -> bool {
    const STATE_BYTES: u64 = 32;
    let states: u64 = (1..=puzzle.size().cells() as u64).take(10).product();
    puzzle.size().cells() <= 10 && control.has_room(states * STATE_BYTES)
}

/// About the states that one thread expands in a minute on boards of up to 25 cells, and in ten seconds on larger ones,
/// whose beams use no tables; a half of that where tables and a network judge every state, which takes seven to nine
/// seconds with vector instructions (AVX), and 23 without.
const NODES_IN_A_MINUTE: u64 = 600_000_000;
const NODES_IN_TEN_SECONDS: u64 = 60_000_000;

/// The limits where the request has none: nodes, not time, so that the answer does not depend on how fast the machine is.
fn default_limits(puzzle: &Puzzle, threads: usize) -> Limits {
    let cells = puzzle.size().cells();
    if cells <= budget::SURE_CELLS {
        return Limits::default();
    }
    let nodes = match cells {
        ..=25 => NODES_IN_A_MINUTE,
        _ if has_guide(puzzle) => NODES_IN_TEN_SECONDS / 2,
        _ => NODES_IN_TEN_SECONDS,
    };
    Limits::none().nodes(nodes * threads as u64)
}

#[cfg(test)]
mod tests {
    use pintu_tiles::{NamedGoal, Scrambler, Size, Topology};

    use super::*;
    use crate::fixtures::solved;

    #[test]
    fn easy_boards_of_any_size_are_proved_whether_or_not_there_may_be_a_gpu() {
        for (side, device) in [(7, Device::Auto), (8, Device::Auto), (8, Device::Cpu)] {
            let topology = Topology::plain(Size::new(side, side).unwrap());
            let goal = NamedGoal::Standard.on(topology.size());
            let start = Scrambler::new(topology, goal.clone(), 2).walk(40);
            let puzzle = Puzzle::new(topology, start, goal).unwrap();
            let limits = Limits::none().nodes(1_000_000);
            let request = Request { limits, device, ..Request::new(puzzle, Algorithm::Auto) };
            let answer = crate::solve(&request, &Control::unlimited()).unwrap();
            assert!(answer.is_optimal(), "{side}×{side}: {answer:?}");
        }
    }

    #[test]
    fn the_clock_ends_nothing_that_nobody_has_timed() {
        let of = |rows, cols, threads| default_limits(&solved(rows, cols), threads);
        assert_eq!((of(4, 4, 1).nodes, of(4, 4, 1).time), (None, None), "such a board is solved in the end");
        for (rows, cols) in [(3, 6), (5, 5), (6, 6), (16, 16)] {
            let alone = of(rows, cols, 1);
            assert_eq!((alone.time, of(rows, cols, 2).nodes), (None, alone.nodes.map(|nodes| 2 * nodes)));
            assert!(alone.nodes.is_some(), "others might never end");
        }
    }
}
