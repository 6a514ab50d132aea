//! The one entrance: puzzles in, solutions out, and the tables stay on the device from one to the next.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use pintu_search::{Control, Stop};
use pintu_solver::{
    BestKnown, Deepened, FoundBy, NoTables, Options, SolveOptions, Solved, Supply, budget,
    tables::{Built, Extent, Key, Pattern, Tables},
};
use pintu_tiles::{Moves, Puzzle};

use crate::{Batched, DeviceError, DeviceTables, Event, Gpu, Searcher, Tiling, Workshop, tables::suits};

/// A device with tables on it.
pub struct Station {
    gpu: Gpu,
    kept: Option<Kept>,
    /// Why the device is not asked any more: a driver that has failed once goes on failing.
    lost: Option<DeviceError>,
    /// What builds tables for others.
    workshop: Option<Workshop>,
}

/// The tables that a device has.
struct Kept {
    key: Key,
    searcher: Searcher,
    /// How long boards have been searched with them.
    spent: Duration,
    /// Whether larger ones have been thought of.
    is_largest: bool,
}

/// What is known of a puzzle when a device fails.
#[derive(Debug)]
pub struct Failure {
    /// What was known before and what has been found since; it holds.
    pub known: BestKnown,
    /// Why the device gave up.
    pub error: DeviceError,
}

/// Tables of eight tiles take less than a minute to build: they are, once so much has been spent without them.
const MORE_PAYS_AFTER: Duration = Duration::from_mins(2);

impl Station {
    /// A device that has no tables yet.
    pub fn new(gpu: Gpu) -> Self {
        Self { gpu, kept: None, lost: None, workshop: None }
    }

    /// The device.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Why the device is not asked any more, if it has failed.
    pub fn lost(&self) -> Option<&DeviceError> {
        self.lost.as_ref()
    }

    /// Whether boards such as a puzzle's can be searched on a device.
    pub fn suits(puzzle: &Puzzle) -> bool {
        let key = Key::of(puzzle, Extent::Large);
        suits(key.topology, key.blank)
    }

    /// Solves a puzzle, which must be solvable, as [`pintu_solver::solve`] does: a solution soon, then the shortest one, as
    /// far as the control allows.
    ///
    /// # Panics
    /// If a search contradicts another, which would be a mistake of the solver.
    pub fn solve(
        &mut self,
        puzzle: &Puzzle,
        supply: &dyn Supply,
        control: &Control,
        options: SolveOptions<'_>,
    ) -> Result<Solved, Failure> {
        let SolveOptions { threads, known, on_better } = options;
        let mut by = FoundBy::Nothing;
        let mut known = known;
        let mut better = |known: &mut BestKnown, moves: Moves, bound: u32, means: FoundBy| {
            if known.offer(moves) {
                by = means;
                on_better(known.moves().expect("it has just been taken"), bound);
            }
        };
        if control.time_left().is_some() {
            // A budget that ends early has an answer even so.
            let first = SolveOptions { threads, known: known.clone(), on_better: &mut |_, _| {} };
            let part = control.part(budget::first(control));
            if let Ok(first) = pintu_solver::solve(puzzle, &NoTables, &part, first) {
                known.raise(first.known.bound());
                if let Some(moves) = first.known.moves() {
                    better(&mut known, moves.clone(), first.known.bound(), FoundBy::Beams);
                }
            }
        }
        let cpu = match supply.make(Key::of(puzzle, Extent::Small), threads, control) {
            ControlFlow::Continue(cpu) => cpu,
            ControlFlow::Break(why) => return Ok(Solved { known, stopped: Some(why), by }),
        };
        let was_proved = known.is_proved();
        let began = Instant::now();
        let options = Options { threads, known: known.length() };
        let found = self.deepen(puzzle, &cpu, control, &options, &mut |event| {
            match event {
                Event::Better(moves, bound) => better(&mut known, moves.clone(), bound, FoundBy::TableBeams),
                // Whatever becomes of the device, that holds.
                Event::Bound(bound) => known.raise(bound),
                Event::Round(_) => {}
            }
        });
        if let Some(kept) = &mut self.kept {
            kept.spent += began.elapsed();
        }
        let Deepened { moves, lower_bound, stopped } = match found {
            Ok(found) => found,
            Err(error) => return Err(Failure { known, error }),
        };
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

    /// Solves puzzles of one board and blank cell, all at once, with the fewest moves.
    pub fn solve_many(
        &mut self,
        puzzles: &[Puzzle],
        control: &Control,
    ) -> Result<(Vec<Batched>, Option<Stop>), DeviceError> {
        let Some(first) = puzzles.first() else { return Ok((Vec::new(), None)) };
        let solved = self.attempt(|station| match station.searcher(first, control)? {
            ControlFlow::Continue(searcher) => searcher.solve_many(puzzles, control).map(ControlFlow::Continue),
            ControlFlow::Break(why) => Ok(ControlFlow::Break(why)),
        })?;
        match solved {
            ControlFlow::Continue(solved) => Ok(solved),
            ControlFlow::Break(why) => Ok((vec![Batched::UNKNOWN; puzzles.len()], Some(why))),
        }
    }

    fn deepen(
        &mut self,
        puzzle: &Puzzle,
        cpu: &Tables,
        control: &Control,
        options: &Options,
        watch: &mut dyn FnMut(Event<'_>),
    ) -> Result<Deepened, DeviceError> {
        self.attempt(|station| match station.searcher(puzzle, control)? {
            ControlFlow::Continue(searcher) => {
                if options.threads > 1 {
                    searcher.bring_tables_back(control)?;
                }
                searcher.deepen(puzzle, cpu, control, options, watch)
            }
            ControlFlow::Break(why) => Ok(Deepened { moves: None, lower_bound: 0, stopped: Some(why) }),
        })
    }

    /// Builds a table and brings its entries back, unless the control ends that; see [`Workshop::entries`].
    pub fn build_table(
        &mut self,
        pattern: &Pattern,
        control: &Control,
        report: &mut dyn FnMut(Built),
    ) -> Result<ControlFlow<Stop, Vec<u8>>, DeviceError> {
        self.attempt(|station| {
            let workshop = match station.workshop.take().filter(|known| known.topology == pattern.topology()) {
                Some(known) => known,
                None => Workshop::new(&station.gpu, pattern.topology())?,
            };
            station.workshop.insert(workshop).entries(pattern, control, report)
        })
    }

    /// Has the device do something, unless it has failed before. One that fails is given up, with what lies on it.
    fn attempt<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, DeviceError>) -> Result<T, DeviceError> {
        if let Some(error) = &self.lost {
            return Err(error.clone());
        }
        let done = work(self);
        if let Err(error @ DeviceError::Failed { .. }) = &done {
            self.lost = Some(error.clone());
            (self.kept, self.workshop) = (None, None);
        }
        done
    }

    /// The tables for a puzzle's board: those that are there, or new ones.
    fn searcher(
        &mut self,
        puzzle: &Puzzle,
        control: &Control,
    ) -> Result<ControlFlow<Stop, &mut Searcher>, DeviceError> {
        let key = Key::of(puzzle, Extent::Large);
        if self.kept.as_ref().is_none_or(|kept| kept.key != key) {
            // What is there goes first.
            self.kept = None;
            let usual = Tiling::usual(key.topology);
            let built = match self.build(key, &usual, control) {
                // Somebody else's memory is not free: what fits does, too.
                Err(DeviceError::Memory { .. }) if usual != Tiling::LARGE => {
                    self.build(key, &Tiling::LARGE, control)?
                }
                other => other?,
            };
            match built {
                ControlFlow::Continue(searcher) => {
                    self.kept = Some(Kept { key, searcher, spent: Duration::ZERO, is_largest: false });
                }
                ControlFlow::Break(why) => return Ok(ControlFlow::Break(why)),
            }
        }
        self.enlarge(key, control)?;
        Ok(ControlFlow::Continue(&mut self.kept.as_mut().expect("it is there now").searcher))
    }

    /// Has the largest tables built that fit, once, where many or hard boards of a kind have been solved and there is time
    /// for it. Those that are there stay until then.
    fn enlarge(&mut self, key: Key, control: &Control) -> Result<(), DeviceError> {
        let has_time = control.time_left().is_none_or(|time| time >= MORE_PAYS_AFTER);
        let Some(kept) = self.kept.as_mut().filter(|kept| kept.spent >= MORE_PAYS_AFTER && has_time) else {
            return Ok(());
        };
        if std::mem::replace(&mut kept.is_largest, true) {
            return Ok(());
        }
        let largest = Tiling::largest(key.topology, self.gpu.info()?.free_bytes);
        if largest == Tiling::usual(key.topology) {
            return Ok(());
        }
        match self.build(key, &largest, control) {
            Ok(ControlFlow::Continue(searcher)) => {
                self.kept = Some(Kept { key, searcher, spent: Duration::ZERO, is_largest: true });
                Ok(())
            }
            Ok(ControlFlow::Break(_)) | Err(DeviceError::Memory { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn build(&self, key: Key, tiling: &Tiling, control: &Control) -> Result<ControlFlow<Stop, Searcher>, DeviceError> {
        let built = DeviceTables::build(&self.gpu, key.topology, key.blank, tiling, control)?;
        match built {
            ControlFlow::Continue(tables) => Searcher::new(tables).map(ControlFlow::Continue),
            ControlFlow::Break(why) => Ok(ControlFlow::Break(why)),
        }
    }
}
