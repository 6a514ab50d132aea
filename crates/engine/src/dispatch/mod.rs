//! Where a name becomes code: the algorithm, the heuristic and the packing of the board.

mod erased;

use pintu_search::{
    Blend, Bound, ByRef, Control, Cost as _, Counters, Guarantee, Heuristic, Outcome, Report, ReportOf, Weight, Zero,
    best_first, bfs, bfs_tree, bidirectional, cheapest_paths_with, dfs, dfs_tree, ida, iddfs,
};
use pintu_solver::{PatternSum, Tables};
use pintu_tiles::{
    Board, BuildError, Bytes, LinearConflict, Moves, Nibbles, NotApplicable, Puzzle, TileSpace, WalkingDistance,
    euclidean, least_moves, manhattan, misplaced,
};

use self::erased::{Erased, Word};
use crate::{Algorithm, HeuristicName, Verdict, trace::TileTrace};

/// Receives every optimal solution.
pub(crate) struct All<'a> {
    /// The number of solutions, once it is known.
    pub(crate) number: u128,
    /// Called with one solution after the other, until it returns false.
    pub(crate) each: &'a mut dyn FnMut(&Moves) -> bool,
}

/// One search to run, of a puzzle that can be solved.
pub(crate) struct Job<'a> {
    pub(crate) puzzle: &'a Puzzle,
    pub(crate) algorithm: Algorithm,
    pub(crate) heuristic: HeuristicName,
    pub(crate) weight: Weight,
    pub(crate) max_depth: u32,
    /// The tables, if the heuristic is `pattern`.
    pub(crate) tables: Option<&'a Tables>,
}

/// A browser loads the engine before it runs: there it is smaller, without separate searches for each heuristic of
/// common boards and for each size of uncommon ones, and without the list of all solutions, which no page needs.
const IS_WASM: bool = cfg!(target_family = "wasm");

trait Packing: Board {
    /// Whether each heuristic has its own compiled searches, which are faster but slow to compile. Larger boards are so
    /// hard that it makes no difference.
    const IS_COMMON: bool;
}

impl Packing for Nibbles {
    const IS_COMMON: bool = !IS_WASM;
}

impl<const N: usize> Packing for Bytes<N> {
    const IS_COMMON: bool = false;
}

impl Job<'_> {
    /// Runs the search on boards packed as tightly as the size allows: for one solution, or for all. All searches have
    /// one observer type, so that each is compiled once.
    pub(crate) fn run(
        &self,
        control: &Control,
        trace: &mut Option<TileTrace<'_>>,
        all: Option<&mut All<'_>>,
    ) -> Result<(Verdict, Counters), NotApplicable> {
        match self.puzzle.size().cells() {
            0..=16 => self.packed::<Nibbles>(control, trace, all),
            17..=25 => self.packed::<Bytes<25>>(control, trace, all),
            26..=64 if !IS_WASM => self.packed::<Bytes<64>>(control, trace, all),
            _ => self.packed::<Bytes<256>>(control, trace, all),
        }
    }

    fn packed<B: Packing>(
        &self,
        control: &Control,
        trace: &mut Option<TileTrace<'_>>,
        all: Option<&mut All<'_>>,
    ) -> Result<(Verdict, Counters), NotApplicable> {
        let (space, start) = TileSpace::<B>::new(self.puzzle);
        // The lower bound of every answer is known from the beginning, for readers of the control.
        control.note_bound(least_moves(self.puzzle).into());
        let run = (control, &mut *trace);
        let report = match self.algorithm {
            Algorithm::Bfs => bfs(&space, &start, run),
            Algorithm::BfsTree => bfs_tree(&space, &start, run),
            Algorithm::Bidirectional => bidirectional(&space, &start, run),
            Algorithm::Dfs => dfs(&space, &start, self.max_depth, run),
            Algorithm::DfsTree => dfs_tree(&space, &start, self.max_depth, run),
            Algorithm::Iddfs => iddfs(&space, &start, run),
            Algorithm::Dijkstra => Guided { job: self, space, start, control, trace, all: None }.by(&Zero),
            Algorithm::Auto
            | Algorithm::Beam
            | Algorithm::Construction
            | Algorithm::Greedy
            | Algorithm::Astar
            | Algorithm::Wastar
            | Algorithm::Ida => Guided { job: self, space, start, control, trace, all }.run()?,
        };
        Ok(self.found(report))
    }

    fn found<B: Board>(&self, report: ReportOf<TileSpace<B>>) -> (Verdict, Counters) {
        let at_least = least_moves(self.puzzle);
        // A move costs one, so costs and steps are the same.
        let known = |bound: Option<Bound<u32>>| match bound {
            Some(Bound::Cost(moves)) => moves,
            Some(Bound::Steps(steps)) => u32::steps(steps),
            None => 0,
        };
        let verdict = match report.outcome {
            Outcome::NoSolution => unreachable!("a search exhausted the space of a puzzle that can be solved"),
            Outcome::Stopped { why, lower_bound } => {
                Verdict::Limit { why, lower_bound: known(lower_bound).max(at_least) }
            }
            Outcome::Solved(solution) => {
                let lower_bound = match solution.guarantee {
                    Guarantee::Cheapest | Guarantee::Shortest => solution.cost,
                    _ => known(solution.lower_bound).max(at_least),
                };
                let moves = self.puzzle.moves_through(&solution.path.actions);
                debug_assert!(self.puzzle.is_solved_by(&moves));
                Verdict::Solved { moves, lower_bound }
            }
        };
        (verdict, report.counters)
    }
}

struct Guided<'a, 'w, 'e, B: Packing> {
    job: &'a Job<'a>,
    space: TileSpace<B>,
    start: B,
    control: &'a Control,
    trace: &'a mut Option<TileTrace<'w>>,
    all: Option<&'a mut All<'e>>,
}

impl<B: Packing> Guided<'_, '_, '_, B> {
    fn run(self) -> Result<ReportOf<TileSpace<B>>, NotApplicable> {
        let puzzle = self.job.puzzle;
        Ok(match self.job.heuristic {
            HeuristicName::None => self.by(&Zero),
            HeuristicName::Misplaced => self.by(&misplaced(puzzle)),
            HeuristicName::Manhattan => self.by(&manhattan(puzzle)),
            // This estimate is below Manhattan distance, so its speed does not matter.
            HeuristicName::Euclidean => self.erased(&euclidean(puzzle)?),
            HeuristicName::LinearConflict => self.by(&LinearConflict::new(puzzle)?),
            HeuristicName::Pattern => {
                let tables = self.job.tables.expect("the caller brings the tables of this heuristic");
                self.informed(&PatternSum::new(puzzle, tables))
            }
            HeuristicName::Network | HeuristicName::Tables | HeuristicName::Disorder => {
                unreachable!("no request can name what guides beams")
            }
            HeuristicName::WalkingDistance => match WalkingDistance::under(puzzle, self.control) {
                Ok((heuristic, _hold)) => self.by(&heuristic),
                Err(BuildError::NotApplicable(error)) => return Err(error),
                Err(BuildError::Stopped(why)) => {
                    Report::new(Outcome::Stopped { why, lower_bound: None }, Counters::default())
                }
            },
        })
    }

    /// Runs the heuristic's own compiled search, or the one for all heuristics.
    fn by<H: Heuristic<TileSpace<B>, Memo: Word>>(self, heuristic: &H) -> ReportOf<TileSpace<B>> {
        if B::IS_COMMON && self.all.is_none() { self.informed(heuristic) } else { self.erased(heuristic) }
    }

    fn erased<H: Heuristic<TileSpace<B>, Memo: Word>>(self, heuristic: &H) -> ReportOf<TileSpace<B>> {
        let heuristic = &Erased::new(heuristic);
        if IS_WASM {
            return self.informed(heuristic);
        }
        let Some(All { number, each }) = self.all else { return self.informed(heuristic) };
        let mut paths = cheapest_paths_with(&self.space, &self.start, ByRef(heuristic), self.control);
        let mut report = paths.report().clone();
        match paths.number() {
            Ok(found) => *number = found,
            Err(why) => report.outcome = Outcome::Stopped { why, lower_bound: None },
        }
        let listed = paths.take_while(|_| *number > 0 && !self.control.cancel_switch().is_cancelled());
        for path in listed {
            if !each(&self.job.puzzle.moves_through(&path.actions)) {
                break;
            }
        }
        report
    }

    fn informed<H: Heuristic<TileSpace<B>>>(self, heuristic: &H) -> ReportOf<TileSpace<B>> {
        let Self { job, space, start, control, trace, .. } = self;
        let rank = match job.algorithm {
            Algorithm::Ida => return ida(&space, &start, ByRef(heuristic), (control, trace)),
            Algorithm::Greedy => Blend::greedy(),
            Algorithm::Wastar => Blend::weighted(job.weight),
            _ => Blend::astar(),
        };
        best_first(&space, &start, ByRef(heuristic), rank, (control, trace))
    }
}
