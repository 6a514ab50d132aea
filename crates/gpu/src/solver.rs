//! The one entrance: puzzles in, solutions out, and the tables stay on the device from one to the next.

use std::{sync::Arc, time::Duration};

use pintu_search::{Control, Limits, Stop, clock::Instant};
use pintu_solver::{
    BestKnown, FoundBy, SolveOptions, Solved, Tables,
    internals::{Built, Options, Pattern, budget},
    store::{BuildError, Extent, Key},
};
use pintu_tiles::{Moves, Puzzle};

use crate::{
    Batched, DeviceError, DeviceTables, Event, Gpu, Searcher, TableBuilder, Tiling,
    large::{LargeSolver, Told, is_large},
    tables::suits,
};

/// A device with tables on it.
pub struct GpuSolver {
    gpu: Gpu,
    loaded: Option<Loaded<Searcher>>,
    /// The tables of a large board.
    large: Option<Loaded<LargeSolver>>,
    /// Why the device is not used any more: a driver that has failed once goes on failing.
    lost: Option<DeviceError>,
    /// Builds tables for the table store.
    builder: Option<TableBuilder>,
}

/// The tables that a device has.
struct Loaded<S> {
    key: Key,
    searcher: S,
    /// How long boards have been searched with these tables.
    spent: Duration,
    /// Whether the largest tables have been considered.
    is_largest: bool,
}

/// The best solution and bound of a puzzle when a device fails.
#[derive(Debug)]
pub struct Failure {
    /// Known before, or found since; both hold.
    pub known: BestKnown,
    /// Why the device gave up.
    pub error: DeviceError,
}

/// The largest tables take up to a minute to build: the device searches without them for this long first.
const LARGEST_AFTER: Duration = Duration::from_mins(2);

impl GpuSolver {
    /// A device that has no tables yet.
    pub fn new(gpu: Gpu) -> Self {
        Self { gpu, loaded: None, large: None, lost: None, builder: None }
    }

    /// Why the device is not used any more, if it has failed.
    pub fn lost(&self) -> Option<&DeviceError> {
        self.lost.as_ref()
    }

    /// Whether boards such as a puzzle's can be searched on a device.
    pub fn suits(puzzle: &Puzzle) -> bool {
        is_large(puzzle.topology()) || suits(Key::of(puzzle, Extent::Large))
    }

    /// Whether a puzzle's board is so large that the device's beams solve it, which count levels, not states: it cannot keep
    /// a limit of nodes.
    pub fn is_large(puzzle: &Puzzle) -> bool {
        is_large(puzzle.topology())
    }

    /// Solves a puzzle, which must be solvable, as [`pintu_solver::solve`] does: a solution soon, then the shortest one, as
    /// far as the control allows.
    ///
    /// # Panics
    /// If a search contradicts another, which would be a mistake of the solver.
    pub fn solve(&mut self, puzzle: &Puzzle, control: &Control, options: SolveOptions<'_>) -> Result<Solved, Failure> {
        if is_large(puzzle.topology()) {
            return self.solve_large(puzzle, control, options);
        }
        let SolveOptions { threads, tables, known, on_better } = options;
        let mut by = FoundBy::Nothing;
        let mut known = known;
        let mut better = |known: &mut BestKnown, moves: Moves, bound: u32, means: FoundBy| {
            if known.offer(moves) {
                by = means;
                on_better(known.moves().expect("it has just been taken"), bound);
            }
        };
        if control.time_left().is_some() {
            // A budget that ends early needs a solution.
            let first = SolveOptions::new().threads(threads).known(known.clone());
            if let Ok(first) = pintu_solver::solve(puzzle, &control.part(budget::first(control)), first) {
                let bound = first.known.bound();
                known.raise(bound);
                if let Some(moves) = first.known.into_moves() {
                    better(&mut known, moves, bound, FoundBy::Beams);
                }
            }
        }
        let key = Key::of(puzzle, Extent::Small);
        let made = match tables {
            Some(source) => source.make(key, threads, control),
            None => Tables::build(key, threads, control).map(Arc::new),
        };
        let cpu = match made {
            Ok(cpu) => cpu,
            Err(BuildError::Stopped(why)) => return Ok(Solved { known, stopped: Some(why), by }),
            Err(error) => {
                let error = DeviceError::Board { found: error.to_string(), expected: "a board with pattern tables" };
                return Err(Failure { known, error });
            }
        };
        let was_proved = known.is_proved();
        let began = Instant::now();
        let options = Options { threads, known: known.length() };
        let mut watch = |event: Event<'_>| {
            match event {
                Event::Better(moves, bound) => better(&mut known, moves.clone(), bound, FoundBy::TableBeams),
                // The bound holds even if the device fails.
                Event::Bound(bound) => known.raise(bound),
                Event::Round(_) => {}
            }
        };
        let found = self.attempt(|solver| {
            let searcher = solver.searcher(puzzle, control)?;
            if threads > 1 {
                searcher.bring_tables_back(control)?;
            }
            searcher.deepen(puzzle, &cpu, control, &options, &mut watch)
        });
        if let Some(loaded) = &mut self.loaded {
            loaded.spent += began.elapsed();
        }
        let Solved { known: found, stopped, .. } = match found {
            Ok(found) => found,
            Err(DeviceError::Stopped(why)) => return Ok(Solved { known, stopped: Some(why), by }),
            Err(error) => return Err(Failure { known, error }),
        };
        let (lower_bound, moves) = (found.bound(), found.into_moves());
        if let Some(moves) = moves {
            let bound = known.bound().max(lower_bound);
            // Rounds end with the shortest one; beams may be interrupted.
            let means = if moves.len() as u32 == bound { FoundBy::Rounds } else { FoundBy::TableBeams };
            better(&mut known, moves, bound, means);
        }
        known.raise(lower_bound);
        if known.is_proved() && !was_proved {
            by = FoundBy::Rounds;
        }
        Ok(Solved { stopped: if known.is_proved() { None } else { stopped }, known, by })
    }

    /// The same for a large board: the processor's first solution, then the device's beams and rounds.
    fn solve_large(
        &mut self,
        puzzle: &Puzzle,
        control: &Control,
        options: SolveOptions<'_>,
    ) -> Result<Solved, Failure> {
        let SolveOptions { threads, mut known, on_better, .. } = options;
        let mut by = FoundBy::Nothing;
        let is_timed = control.time_left().is_some();
        let first = control.part(if is_timed { budget::first(control) } else { Limits::none().nodes(0) });
        let options = SolveOptions::new().threads(threads).known(known.clone());
        if let Ok(first) = pintu_solver::solve(puzzle, &first, options) {
            known.raise(first.known.bound());
            if first.known.into_moves().is_some_and(|moves| known.offer(moves)) {
                by = first.by;
                on_better(known.moves().expect("it has just been taken"), known.bound());
            }
        }
        let (length, was_proved, began) = (known.length(), known.is_proved(), Instant::now());
        let mut tell = |told: Told| match told {
            Told::Better(moves, means) => {
                if known.offer(moves) {
                    by = means;
                    on_better(known.moves().expect("it has just been taken"), known.bound());
                }
            }
            // The bound holds even if the device fails.
            Told::Bound(bound) => known.raise(bound),
        };
        let done =
            self.attempt(|solver| solver.large_searcher(puzzle, control)?.improve(puzzle, control, length, &mut tell));
        if let Some(large) = &mut self.large {
            large.spent += began.elapsed();
        }
        match done {
            Ok(()) | Err(DeviceError::Stopped(_)) => {}
            Err(error) => return Err(Failure { known, error }),
        }
        if known.is_proved() && !was_proved {
            by = FoundBy::Rounds;
        }
        let stopped = if known.is_proved() { None } else { control.check().err() };
        Ok(Solved { known, stopped, by })
    }

    /// The searcher for a large board, with the tables that are loaded, or new ones: larger ones after much searching.
    fn large_searcher(&mut self, puzzle: &Puzzle, control: &Control) -> Result<&mut LargeSolver, DeviceError> {
        let key = Key::of(puzzle, Extent::Large);
        let has_time = control.time_left().is_none_or(|time| time >= LARGEST_AFTER);
        let wants = |large: &Loaded<LargeSolver>| large.spent >= LARGEST_AFTER && has_time && !large.is_largest;
        let is_largest = self.large.as_ref().is_some_and(|large| large.key == key && wants(large));
        if is_largest || self.large.as_ref().is_none_or(|large| large.key != key) {
            // Other tables' memory is free before new ones are built.
            (self.large, self.loaded) = (None, None);
            let searcher = LargeSolver::load(&self.gpu, puzzle, is_largest, control)?;
            self.large = Some(Loaded { key, searcher, spent: Duration::ZERO, is_largest });
        }
        Ok(&mut self.large.as_mut().expect("it is loaded now").searcher)
    }

    /// Solves puzzles of one board and blank cell, all at once, with the fewest moves.
    pub fn solve_many(
        &mut self,
        puzzles: &[Puzzle],
        control: &Control,
    ) -> Result<(Vec<Batched>, Option<Stop>), DeviceError> {
        let Some(first) = puzzles.first() else { return Ok((Vec::new(), None)) };
        match self.attempt(|solver| solver.searcher(first, control)?.solve_many(puzzles, control, &mut |_, _| ())) {
            Err(DeviceError::Stopped(why)) => Ok((vec![Batched::default(); puzzles.len()], Some(why))),
            solved => solved,
        }
    }

    /// Builds a table and brings its entries back, unless the control ends that; see [`TableBuilder::entries`].
    pub fn build_table(
        &mut self,
        pattern: &Pattern,
        control: &Control,
        report: &mut dyn FnMut(Built),
    ) -> Result<Vec<u8>, DeviceError> {
        self.attempt(|solver| {
            let builder = match solver.builder.take().filter(|known| known.topology == pattern.topology()) {
                Some(known) => known,
                None => TableBuilder::new(&solver.gpu, pattern.topology())?,
            };
            solver.builder.insert(builder).entries(pattern, control, report)
        })
    }

    /// Has the device do something, unless it has failed before. One that fails is given up, with what lies on it.
    fn attempt<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, DeviceError>) -> Result<T, DeviceError> {
        if let Some(error) = &self.lost {
            return Err(error.clone());
        }
        let done = work(self);
        if let Err(error @ DeviceError::Failed(_)) = &done {
            self.lost = Some(error.clone());
            (self.loaded, self.large, self.builder) = (None, None, None);
        }
        done
    }

    /// The searcher for a puzzle's board, with the tables that are loaded, or new ones.
    fn searcher(&mut self, puzzle: &Puzzle, control: &Control) -> Result<&mut Searcher, DeviceError> {
        let key = Key::of(puzzle, Extent::Large);
        if self.loaded.as_ref().is_none_or(|loaded| loaded.key != key) {
            // The old tables' memory is free before new ones are built.
            (self.loaded, self.large) = (None, None);
            let usual = Tiling::usual(key.topology);
            let searcher = match self.build(key, usual, control) {
                // Others may use the device's memory: fewer tables fit.
                Err(DeviceError::Memory { .. }) if usual != Tiling::LARGE => self.build(key, Tiling::LARGE, control)?,
                other => other?,
            };
            self.loaded = Some(Loaded { key, searcher, spent: Duration::ZERO, is_largest: false });
        }
        self.enlarge(key, control)?;
        Ok(&mut self.loaded.as_mut().expect("it is loaded now").searcher)
    }

    /// Has the largest tables built that fit, once, where many or hard boards of a kind have been solved and there is time
    /// for it. Those that are there stay until then.
    fn enlarge(&mut self, key: Key, control: &Control) -> Result<(), DeviceError> {
        let has_time = control.time_left().is_none_or(|time| time >= LARGEST_AFTER);
        let Some(loaded) = self.loaded.as_mut().filter(|loaded| loaded.spent >= LARGEST_AFTER && has_time) else {
            return Ok(());
        };
        if std::mem::replace(&mut loaded.is_largest, true) {
            return Ok(());
        }
        let largest = Tiling::largest(key.topology, self.gpu.info()?.free_bytes);
        if largest == Tiling::usual(key.topology) {
            return Ok(());
        }
        match self.build(key, largest, control) {
            Ok(searcher) => {
                self.loaded = Some(Loaded { key, searcher, spent: Duration::ZERO, is_largest: true });
                Ok(())
            }
            Err(DeviceError::Stopped(_) | DeviceError::Memory { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn build(&self, key: Key, tiling: Tiling, control: &Control) -> Result<Searcher, DeviceError> {
        Searcher::new(DeviceTables::build(&self.gpu, key.topology, key.blank, tiling, control)?)
    }
}
