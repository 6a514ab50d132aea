//! The one entrance: puzzles in, solutions out, and the tables stay on the device from one to the next.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use pintu_search::{Control, Stop};
use pintu_solver::{
    Brief, Deepened, Known, Means, NoTables, Options, Solved, Supply, budget,
    tables::{Built, Extent, Key, Pattern, Tables},
};
use pintu_tiles::{Moves, Puzzle};

use crate::{Batched, DeviceError, DeviceTables, Event, Gpu, Searcher, Tiling, Workshop, tables::suits};

/// A device with tables on it.
pub struct Station {
    gpu: Gpu,
    kept: Option<(Key, Tiling, Searcher)>,
    /// How long boards have been searched with the tables that it has.
    spent: Duration,
    /// Why the device is not asked any more: a driver that has failed once goes on failing.
    lost: Option<DeviceError>,
    /// What builds tables for others.
    workshop: Option<Workshop>,
}

/// What is known of a puzzle when a device fails.
#[derive(Debug)]
pub struct Failure {
    /// What was known before and what has been found since; it holds.
    pub known: Known,
    /// Why the device gave up.
    pub error: DeviceError,
}

/// Tables of eight tiles take less than a minute to build: they are, once so much has been spent without them.
const MORE_PAYS_AFTER: Duration = Duration::from_mins(2);

impl Station {
    /// A device that has no tables yet.
    pub fn new(gpu: Gpu) -> Self {
        Self { gpu, kept: None, spent: Duration::ZERO, lost: None, workshop: None }
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
        brief: Brief<'_>,
    ) -> Result<Solved, Failure> {
        let Brief { threads, known, on_better } = brief;
        let mut by = Means::Nothing;
        let mut known = known;
        let mut better = |known: &mut Known, moves: Moves, bound: u32, means: Means| {
            if known.offer(moves) {
                by = means;
                on_better(known.moves().expect("it has just been taken"), bound);
            }
        };
        if control.time_left().is_some() {
            // A budget that ends early has an answer even so.
            let first = Brief { threads, known: known.clone(), on_better: &mut |_, _| {} };
            let part = control.part(budget::first(control));
            if let Ok(first) = pintu_solver::solve(puzzle, &NoTables, &part, first) {
                known.raise(first.known.bound());
                if let Some(moves) = first.known.moves() {
                    better(&mut known, moves.clone(), first.known.bound(), Means::Beams);
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
                Event::Better(moves, bound) => better(&mut known, moves.clone(), bound, Means::TableBeams),
                // Whatever becomes of the device, that holds.
                Event::Bound(bound) => known.raise(bound),
                Event::Round(_) => {}
            }
        });
        self.spent += began.elapsed();
        let Deepened { moves, lower_bound, stopped } = match found {
            Ok(found) => found,
            Err(error) => return Err(Failure { known, error }),
        };
        if let Some(moves) = moves {
            let bound = known.bound().max(lower_bound);
            // Rounds end with the shortest one; beams may be interrupted.
            let means = if moves.len() as u32 == bound { Means::Rounds } else { Means::TableBeams };
            better(&mut known, moves, bound, means);
        }
        known.raise(lower_bound);
        if known.is_proved() && !was_proved {
            by = Means::Rounds;
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

    /// The tables for a puzzle's board: those that are there, or new ones. The largest that fit pay only where many or
    /// hard boards of a kind are solved.
    fn searcher(
        &mut self,
        puzzle: &Puzzle,
        control: &Control,
    ) -> Result<ControlFlow<Stop, &mut Searcher>, DeviceError> {
        let key = Key::of(puzzle, Extent::Large);
        let has = self.kept.as_ref().filter(|(other, ..)| *other == key).map(|(_, tiling, _)| tiling.clone());
        let wanted = match &has {
            Some(_) if self.spent >= MORE_PAYS_AFTER => self.more(key)?,
            Some(tiling) => tiling.clone(),
            None => Tiling::usual(key.topology),
        };
        if has.as_ref() != Some(&wanted) {
            // What is there goes first.
            self.kept = None;
            let make = |tiling: &Tiling| DeviceTables::build(&self.gpu, key.topology, key.blank, tiling, control);
            let (built, wanted) = match make(&wanted) {
                // Somebody else's memory is not free: what fits does, too.
                Err(DeviceError::Memory { .. }) if wanted != Tiling::LARGE => (make(&Tiling::LARGE)?, wanted),
                other => (other?, wanted),
            };
            let ControlFlow::Continue(tables) = built else {
                return Ok(ControlFlow::Break(built.break_value().expect("it has ended")));
            };
            self.kept = Some((key, wanted, Searcher::new(tables)?));
        }
        Ok(ControlFlow::Continue(&mut self.kept.as_mut().expect("it is there now").2))
    }

    /// The tables for a board of which many are solved, by the memory that there is.
    fn more(&self, key: Key) -> Result<Tiling, DeviceError> {
        let total = self.gpu.info()?.total_bytes;
        Ok(Tiling::largest(key.topology, total))
    }
}
