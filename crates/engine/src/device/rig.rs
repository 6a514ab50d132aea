//! Solving a puzzle on the processor, on a GPU, or on one after the other.

use std::{
    ops::ControlFlow,
    sync::{Mutex, MutexGuard, OnceLock, TryLockError},
    thread,
    time::Duration,
};

use pintu_gpu::{DeviceError, Station};
use pintu_search::{Control, Stop};
use pintu_solver::{FoundBy, SolveOptions, Solved, Supply, budget};
use pintu_tiles::{Puzzle, Unsolvable};

use super::Device;

/// What there is to work with, and from when on a GPU is asked, which takes a second or two to begin.
pub(crate) struct Rig<'a> {
    /// Whether there may be one, which takes no time to see; to open it does.
    pub(super) may_have_gpu: &'a (dyn Fn() -> bool + Sync),
    /// Opens the GPU, or says why there is none.
    pub(super) open: &'a (dyn Fn() -> Result<&'a Mutex<Station>, DeviceError> + Sync),
    /// What the processor may expand before.
    pub(super) first_nodes: u64,
    /// Smaller boards are solved on the processor before a GPU has begun.
    pub(super) least_cells: usize,
    /// Tables that the processor builds within this time are built there.
    pub(super) least_build: Duration,
}

/// The share of the budget for the processor's attempt.
const FIRST: f64 = 0.3;
/// How often who waits for the GPU looks whether it is free.
const TURN: Duration = Duration::from_millis(5);

/// What each device may spend.
#[derive(Clone, Copy)]
pub(crate) struct Allowed<'a> {
    pub(crate) gpu: &'a Control,
    /// A part of the same, or the same.
    pub(crate) cpu: &'a Control,
}

impl Rig<'static> {
    /// That of this process.
    pub(crate) const OWN: Self = Self {
        may_have_gpu: &pintu_gpu::may_have_gpu,
        open: &station,
        first_nodes: 20_000_000,
        least_cells: budget::SURE_CELLS + 1,
        least_build: Duration::from_secs(2),
    };
}

/// The GPU of this process, and the tables on it; opened when it is needed first.
fn station() -> Result<&'static Mutex<Station>, DeviceError> {
    static STATION: OnceLock<Result<Mutex<Station>, DeviceError>> = OnceLock::new();
    let opened = STATION.get_or_init(|| Ok(Mutex::new(Station::new(pintu_gpu::first_gpu()?))));
    opened.as_ref().map_err(Clone::clone)
}

impl Rig<'_> {
    /// Whether there is a GPU that has not failed and that nobody uses.
    pub(super) fn has_gpu(&self) -> bool {
        (self.may_have_gpu)()
            && (self.open)().is_ok_and(|station| match station.try_lock() {
                Ok(station) => station.lost().is_none(),
                Err(TryLockError::Poisoned(station)) => station.get_ref().lost().is_none(),
                Err(TryLockError::WouldBlock) => false,
            })
    }

    /// Says why there is no GPU for a puzzle, if there is none.
    pub(super) fn check(&self, puzzle: &Puzzle) -> Result<(), DeviceError> {
        if !Station::suits(puzzle) {
            let found = format!("a board of {}", puzzle.topology());
            return Err(DeviceError::Board { found, expected: "10 to 25 cells" });
        }
        (self.open)().map(|_| ())
    }

    /// The GPU, once nobody else uses it, unless the control ends the waiting.
    fn wait_for(&self, control: &Control) -> Result<ControlFlow<Stop, MutexGuard<'_, Station>>, DeviceError> {
        let station = (self.open)()?;
        loop {
            match station.try_lock() {
                Ok(station) => return Ok(ControlFlow::Continue(station)),
                Err(TryLockError::Poisoned(station)) => return Ok(ControlFlow::Continue(station.into_inner())),
                Err(TryLockError::WouldBlock) => {}
            }
            if let ControlFlow::Break(why) = control.check() {
                return Ok(ControlFlow::Break(why));
            }
            thread::sleep(TURN);
        }
    }

    /// Solves a puzzle on the device that may, with the solver's entrance or the GPU's, which are of one shape; says which
    /// did. Where a GPU fails that nobody insists on, the processor goes on from what is known.
    pub(crate) fn solve(
        &self,
        device: Device,
        puzzle: &Puzzle,
        supply: &dyn Supply,
        allowed: Allowed<'_>,
        options: SolveOptions<'_>,
    ) -> Result<(Solved, Device), SolveError> {
        let Allowed { gpu, cpu } = allowed;
        let suits = Station::suits(puzzle);
        let SolveOptions { threads, mut known, on_better } = options;
        match device {
            Device::Gpu => self.check(puzzle)?,
            // To open a GPU takes longer than an easy board does.
            Device::Auto if suits && puzzle.size().cells() >= self.least_cells && (self.may_have_gpu)() => {
                let first = SolveOptions { threads, known, on_better: &mut *on_better };
                let part = gpu.part(budget::share_up_to(gpu, FIRST, self.first_nodes));
                let solved = pintu_solver::solve(puzzle, supply, &part, first)?;
                if solved.known.is_proved() || gpu.check().is_break() || gpu.nodes_left() == Some(0) {
                    return Ok((solved, Device::Cpu));
                }
                if !self.has_gpu() {
                    let options = SolveOptions { threads, known: solved.known, on_better };
                    return Ok((pintu_solver::solve(puzzle, supply, cpu, options)?, Device::Cpu));
                }
                known = solved.known;
            }
            Device::Auto | Device::Cpu => {
                let options = SolveOptions { threads, known, on_better };
                return Ok((pintu_solver::solve(puzzle, supply, cpu, options)?, Device::Cpu));
            }
        }
        puzzle.solvable()?;
        let options = SolveOptions { threads, known, on_better: &mut *on_better };
        let tried = match self.wait_for(gpu)? {
            ControlFlow::Continue(mut station) => station.solve(puzzle, supply, gpu, options),
            ControlFlow::Break(why) => {
                let SolveOptions { known, .. } = options;
                return Ok((Solved { known, stopped: Some(why), by: FoundBy::Nothing }, device));
            }
        };
        match tried {
            // Beams are the processor's.
            Ok(solved) if device == Device::Auto && matches!(solved.by, FoundBy::Beams | FoundBy::TableBeams) => {
                Ok((solved, Device::Cpu))
            }
            Ok(solved) => Ok((solved, Device::Gpu)),
            // What is known still holds.
            Err(failure) if device == Device::Auto => {
                let options = SolveOptions { threads, known: failure.known, on_better };
                Ok((pintu_solver::solve(puzzle, supply, cpu, options)?, Device::Cpu))
            }
            Err(failure) => Err(failure.error.into()),
        }
    }
}

/// Why nothing was solved.
#[derive(Debug)]
pub(crate) enum SolveError {
    Unsolvable,
    Device(DeviceError),
}

impl From<Unsolvable> for SolveError {
    fn from(_: Unsolvable) -> Self {
        Self::Unsolvable
    }
}

impl From<DeviceError> for SolveError {
    fn from(error: DeviceError) -> Self {
        Self::Device(error)
    }
}
