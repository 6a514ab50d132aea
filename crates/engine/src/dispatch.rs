//! Where a name becomes code: the algorithm, the heuristic and the packing of the board.

use std::sync::Arc;

use pintu_search::{
    Budget, Cost, Counters, Guarantee, Heuristic, Outcome, Rank, Report, Stop, Weight, Zero, best_first, bfs, bfs_tree,
    bidirectional, dfs, dfs_tree, dijkstra, ida, iddfs,
};
use pintu_solver::{PatternSum, tables::Tables};
use pintu_tiles::{
    Board, Bytes, LinearConflict, Moves, Nibbles, NotApplicable, Puzzle, TileSpace, WalkingDistance, euclidean,
    manhattan, misplaced,
};

use crate::{Algorithm, HeuristicName, progress::Watch};

/// One search to run.
pub(crate) struct Job<'a> {
    pub(crate) puzzle: &'a Puzzle,
    pub(crate) algorithm: Algorithm,
    pub(crate) heuristic: HeuristicName,
    pub(crate) weight: Weight,
    pub(crate) max_depth: u32,
    /// For the heuristic that looks things up in them.
    pub(crate) tables: Option<Arc<Tables>>,
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
        lower_bound: Cost,
    },
    NoSolution,
    Stopped {
        why: Stop,
        lower_bound: Cost,
    },
}

impl Found {
    /// What two searches of one puzzle know together, the second of which came after the first.
    pub(crate) fn and(self, second: Self) -> Self {
        Self { end: joined(self.end, second.end), counters: both(&self.counters, &second.counters) }
    }

    /// Whether it is proved that no solution is shorter.
    pub(crate) fn is_proved(&self) -> bool {
        matches!(&self.end, End::Solved { moves, lower_bound } if moves.len() == *lower_bound as usize)
    }
}

fn both(first: &Counters, second: &Counters) -> Counters {
    Counters {
        expanded: first.expanded + second.expanded,
        generated: first.generated + second.generated,
        peak_states: first.peak_states.max(second.peak_states),
        peak_bytes: first.peak_bytes.max(second.peak_bytes),
    }
}

/// What two searches of one puzzle know together: the shorter solution and the higher bound.
fn joined(first: End, second: End) -> End {
    match (first, second) {
        (End::Solved { moves, lower_bound }, End::Solved { moves: other, lower_bound: reached }) => {
            let moves = if other.len() < moves.len() { other } else { moves };
            End::Solved { moves, lower_bound: lower_bound.max(reached) }
        }
        (End::Solved { moves, lower_bound }, End::Stopped { lower_bound: reached, .. })
        | (End::Stopped { lower_bound: reached, .. }, End::Solved { moves, lower_bound }) => {
            End::Solved { moves, lower_bound: lower_bound.max(reached) }
        }
        (End::Stopped { lower_bound, .. }, End::Stopped { why, lower_bound: reached }) => {
            End::Stopped { why, lower_bound: lower_bound.max(reached) }
        }
        (End::NoSolution, other) | (other, End::NoSolution) => other,
    }
}

type Observers = (Budget, Watch);

impl Job<'_> {
    /// Runs the search on boards packed as tightly as the size allows.
    pub(crate) fn run(&self, observers: &mut Observers) -> Result<Found, NotApplicable> {
        match self.puzzle.size().cells() {
            0..=16 => self.packed::<Nibbles>(observers),
            17..=25 => self.packed::<Bytes<25>>(observers),
            26..=64 => self.packed::<Bytes<64>>(observers),
            _ => self.packed::<Bytes<256>>(observers),
        }
    }

    fn packed<B: Board>(&self, observers: &mut Observers) -> Result<Found, NotApplicable> {
        let (space, start) = TileSpace::<B>::new(self.puzzle);
        let report = match self.algorithm {
            Algorithm::Bfs => bfs(&space, &start, observers),
            Algorithm::BfsTree => bfs_tree(&space, &start, observers),
            Algorithm::Bidirectional => bidirectional(&space, &start, observers),
            Algorithm::Dfs => dfs(&space, &start, self.max_depth, observers),
            Algorithm::DfsTree => dfs_tree(&space, &start, self.max_depth, observers),
            Algorithm::Iddfs => iddfs(&space, &start, observers),
            Algorithm::Dijkstra => dijkstra(&space, &start, observers),
            Algorithm::Auto
            | Algorithm::Beam
            | Algorithm::Greedy
            | Algorithm::Astar
            | Algorithm::Wastar
            | Algorithm::Ida => self.guided(&space, &start, observers)?,
        };
        Ok(self.found(report))
    }

    fn guided<B: Board>(
        &self,
        space: &TileSpace<B>,
        start: &B,
        observers: &mut Observers,
    ) -> Result<Report<TileSpace<B>>, NotApplicable> {
        let puzzle = self.puzzle;
        Ok(match self.heuristic {
            HeuristicName::None => self.informed(space, start, &Zero, observers),
            HeuristicName::Misplaced => self.informed(space, start, &misplaced(puzzle), observers),
            HeuristicName::Manhattan => self.informed(space, start, &manhattan(puzzle), observers),
            HeuristicName::Euclidean => self.informed(space, start, &euclidean(puzzle)?, observers),
            HeuristicName::LinearConflict => self.informed(space, start, &LinearConflict::new(puzzle)?, observers),
            HeuristicName::Pattern => {
                let tables = self.tables.as_ref().expect("whoever names the heuristic brings its tables");
                self.informed(space, start, &PatternSum::new(puzzle, tables), observers)
            }
            HeuristicName::WalkingDistance => self.informed(space, start, &WalkingDistance::new(puzzle)?, observers),
        })
    }

    fn informed<B: Board, H: Heuristic<TileSpace<B>>>(
        &self,
        space: &TileSpace<B>,
        start: &B,
        heuristic: &H,
        observers: &mut Observers,
    ) -> Report<TileSpace<B>> {
        let rank = match self.algorithm {
            Algorithm::Ida => return ida(space, start, heuristic, observers),
            Algorithm::Greedy => Rank::greedy(),
            Algorithm::Wastar => Rank::weighted(self.weight),
            _ => Rank::astar(),
        };
        best_first(space, start, heuristic, rank, observers)
    }

    fn found<B: Board>(&self, report: Report<TileSpace<B>>) -> Found {
        let at_least = least_moves(self.puzzle);
        let end = match report.outcome {
            Outcome::NoSolution => End::NoSolution,
            Outcome::Stopped { why, lower_bound } => {
                End::Stopped { why, lower_bound: lower_bound.unwrap_or(0).max(at_least) }
            }
            Outcome::Solved(solution) => {
                let lower_bound = match solution.guarantee {
                    Guarantee::Cheapest | Guarantee::Shortest => solution.cost,
                    Guarantee::Within { .. } | Guarantee::None => solution.lower_bound.unwrap_or(0).max(at_least),
                };
                End::Solved { moves: self.puzzle.moves_through(&solution.path.actions), lower_bound }
            }
        };
        Found { end, counters: report.counters }
    }
}

/// A bound below every solution that holds whatever was searched: Manhattan distance, and linear
/// conflict where it applies.
pub(crate) fn least_moves(puzzle: &Puzzle) -> Cost {
    fn at_start<H: Heuristic<TileSpace<Bytes<256>>>>(puzzle: &Puzzle, heuristic: &H) -> Cost {
        let (_, start) = TileSpace::<Bytes<256>>::new(puzzle);
        heuristic.estimate(heuristic.start(&start))
    }
    match LinearConflict::new(puzzle) {
        Ok(heuristic) => at_start(puzzle, &heuristic),
        Err(_) => at_start(puzzle, &manhattan(puzzle)),
    }
}
