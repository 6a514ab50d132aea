//! Where a name becomes code: the algorithm, the heuristic and the packing of the board.

mod erased;

use std::ops::ControlFlow;

use pintu_search::{
    Blend, Bound, Control, Cost as _, Counters, Guarantee, Heuristic, Outcome, Report, ReportOf, Stop, Weight, Zero,
    best_first, bfs, bfs_tree, bidirectional, dfs, dfs_tree, ida, iddfs,
};
use pintu_solver::{PatternSum, tables::Tables};
use pintu_tiles::{
    Board, Bytes, LinearConflict, Moves, Nibbles, NotApplicable, Puzzle, TileSpace, WalkingDistance, euclidean,
    least_moves, manhattan, misplaced,
};

use self::erased::{Erased, Word};
use crate::{Algorithm, HeuristicName, trace::TileTrace};

/// One search to run.
pub(crate) struct Job<'a> {
    pub(crate) puzzle: &'a Puzzle,
    pub(crate) algorithm: Algorithm,
    pub(crate) heuristic: HeuristicName,
    pub(crate) weight: Weight,
    pub(crate) max_depth: u32,
    /// For the heuristic that looks things up in them.
    pub(crate) tables: Option<&'a Tables>,
}

/// What one search came to.
pub(crate) struct Found {
    pub(crate) end: End,
    pub(crate) counters: Counters,
}

pub(crate) enum End {
    /// Moves, and a bound below every solution: their number, where the algorithm guarantees that.
    Solved {
        moves: Moves,
        lower_bound: u32,
    },
    NoSolution,
    Stopped {
        why: Stop,
        lower_bound: u32,
    },
}

/// A packing of the board.
trait Packing: Board {
    /// Whether each heuristic has searches of its own, which are faster and take long to compile. Larger boards are hard
    /// enough for that to make no difference.
    const IS_COMMON: bool;
}

impl Packing for Nibbles {
    const IS_COMMON: bool = true;
}

impl<const N: usize> Packing for Bytes<N> {
    const IS_COMMON: bool = false;
}

/// Who may watch: one type for all, so that each search is compiled once.
type Watcher<'a> = Option<TileTrace<'a>>;

impl Job<'_> {
    /// Runs the search on boards packed as tightly as the size allows.
    pub(crate) fn run(&self, control: &Control, watcher: &mut Watcher<'_>) -> Result<Found, NotApplicable> {
        match self.puzzle.size().cells() {
            0..=16 => self.packed::<Nibbles>(control, watcher),
            17..=25 => self.packed::<Bytes<25>>(control, watcher),
            26..=64 => self.packed::<Bytes<64>>(control, watcher),
            _ => self.packed::<Bytes<256>>(control, watcher),
        }
    }

    fn packed<B: Packing>(&self, control: &Control, watcher: &mut Watcher<'_>) -> Result<Found, NotApplicable> {
        let (space, start) = TileSpace::<B>::new(self.puzzle);
        // What answers say of every solution holds from the beginning: whoever watches is told the same.
        control.note_bound(least_moves(self.puzzle).into());
        let run = (control, &mut *watcher);
        let report = match self.algorithm {
            Algorithm::Bfs => bfs(&space, &start, run),
            Algorithm::BfsTree => bfs_tree(&space, &start, run),
            Algorithm::Bidirectional => bidirectional(&space, &start, run),
            Algorithm::Dfs => dfs(&space, &start, self.max_depth, run),
            Algorithm::DfsTree => dfs_tree(&space, &start, self.max_depth, run),
            Algorithm::Iddfs => iddfs(&space, &start, run),
            Algorithm::Dijkstra => Ground { job: self, space, start, control, watcher }.by(&Zero),
            Algorithm::Auto
            | Algorithm::Beam
            | Algorithm::Construction
            | Algorithm::Greedy
            | Algorithm::Astar
            | Algorithm::Wastar
            | Algorithm::Ida => Ground { job: self, space, start, control, watcher }.guided()?,
        };
        Ok(self.found(report))
    }

    fn found<B: Board>(&self, report: ReportOf<TileSpace<B>>) -> Found {
        let at_least = least_moves(self.puzzle);
        // A move costs one, so costs and steps are the same.
        let known = |bound: Option<Bound<u32>>| match bound {
            Some(Bound::Cost(moves)) => moves,
            Some(Bound::Steps(steps)) => u32::steps(steps),
            None => 0,
        };
        let end = match report.outcome {
            Outcome::NoSolution => End::NoSolution,
            Outcome::Stopped { why, lower_bound } => {
                End::Stopped { why, lower_bound: known(lower_bound).max(at_least) }
            }
            Outcome::Solved(solution) => {
                let lower_bound = match solution.guarantee {
                    Guarantee::Cheapest | Guarantee::Shortest => solution.cost,
                    _ => known(solution.lower_bound).max(at_least),
                };
                End::Solved { moves: self.puzzle.moves_through(&solution.path.actions), lower_bound }
            }
        };
        Found { end, counters: report.counters }
    }
}

/// Where a job's search with a heuristic takes place.
struct Ground<'a, 'w, B: Packing> {
    job: &'a Job<'a>,
    space: TileSpace<B>,
    start: B,
    control: &'a Control,
    watcher: &'a mut Watcher<'w>,
}

impl<B: Packing> Ground<'_, '_, B> {
    /// With the heuristic that the job names.
    fn guided(self) -> Result<ReportOf<TileSpace<B>>, NotApplicable> {
        let puzzle = self.job.puzzle;
        Ok(match self.job.heuristic {
            HeuristicName::None => self.by(&Zero),
            HeuristicName::Misplaced => self.by(&misplaced(puzzle)),
            HeuristicName::Manhattan => self.by(&manhattan(puzzle)),
            // Worse than Manhattan distance: nobody waits for it.
            HeuristicName::Euclidean => self.informed(&Erased::new(&euclidean(puzzle)?)),
            HeuristicName::LinearConflict => self.by(&LinearConflict::new(puzzle)?),
            HeuristicName::Pattern => {
                let tables = self.job.tables.expect("whoever names the heuristic brings its tables");
                self.informed(&PatternSum::new(puzzle, tables))
            }
            HeuristicName::WalkingDistance => match WalkingDistance::under(puzzle, self.control) {
                ControlFlow::Continue(made) => {
                    let (heuristic, _hold) = made?;
                    self.by(&heuristic)
                }
                ControlFlow::Break(why) => {
                    Report { outcome: Outcome::Stopped { why, lower_bound: None }, counters: Counters::default() }
                }
            },
        })
    }

    /// With searches of the heuristic's own, or with those of all.
    fn by<H: Heuristic<TileSpace<B>, Memo: Word>>(self, heuristic: &H) -> ReportOf<TileSpace<B>> {
        if B::IS_COMMON { self.informed(heuristic) } else { self.informed(&Erased::new(heuristic)) }
    }

    fn informed<H: Heuristic<TileSpace<B>>>(self, heuristic: &H) -> ReportOf<TileSpace<B>> {
        let Self { job, space, start, control, watcher } = self;
        let rank = match job.algorithm {
            Algorithm::Ida => return ida(&space, &start, heuristic, (control, watcher)),
            Algorithm::Greedy => Blend::greedy(),
            Algorithm::Wastar => Blend::weighted(job.weight),
            _ => Blend::astar(),
        };
        best_first(&space, &start, heuristic, rank, (control, watcher))
    }
}
