//! Solving a puzzle on the processor, on a GPU, or on one after the other.

use std::{
    sync::{Mutex, MutexGuard, OnceLock, TryLockError},
    thread,
    time::Duration,
};

use pintu_gpu::{DeviceError, GpuSolver};
use pintu_search::Control;
use pintu_solver::{FoundBy, SolveOptions, Solved, internals::budget};
use pintu_tiles::Puzzle;

use super::Device;

/// The GPU, and when it is used: it takes a second or two to start.
pub(crate) struct Devices<'a> {
    /// Whether there may be a GPU, which is known at once, while opening it takes time.
    pub(super) may_have_gpu: &'a (dyn Fn() -> bool + Sync),
    /// Opens the GPU, or says why there is none.
    pub(super) open: &'a (dyn Fn() -> Result<&'a Mutex<GpuSolver>, DeviceError> + Sync),
    /// Nodes that the processor may expand before the GPU is asked.
    pub(super) first_nodes: u64,
    /// Boards with fewer cells are solved on the processor before a GPU has started.
    pub(super) least_cells: usize,
    /// Tables that the processor builds within this time are built there.
    pub(super) least_build: Duration,
}

/// The share of the budget for the processor's attempt.
const FIRST_SHARE: f64 = 0.3;
/// The time between two attempts to get the GPU.
const CHECK_INTERVAL: Duration = Duration::from_millis(5);

/// The controls of the two devices.
#[derive(Clone, Copy)]
pub(crate) struct Allowed<'a> {
    pub(crate) gpu: &'a Control,
    /// A part of `gpu`, or the same control.
    pub(crate) cpu: &'a Control,
}

impl Devices<'static> {
    /// The devices of this process.
    pub(crate) const OWN: Self = Self {
        may_have_gpu: &pintu_gpu::may_have_gpu,
        open: &station,
        first_nodes: 20_000_000,
        least_cells: budget::SURE_CELLS + 1,
        least_build: Duration::from_secs(2),
    };
}

/// The GPU of this process with the tables on it, opened when it is first needed.
fn station() -> Result<&'static Mutex<GpuSolver>, DeviceError> {
    static STATION: OnceLock<Result<Mutex<GpuSolver>, DeviceError>> = OnceLock::new();
    let opened = STATION.get_or_init(|| Ok(Mutex::new(GpuSolver::new(pintu_gpu::first_gpu()?))));
    opened.as_ref().map_err(Clone::clone)
}

impl Devices<'_> {
    /// Whether there is a GPU that has not failed and is not in use.
    pub(super) fn has_gpu(&self) -> bool {
        (self.may_have_gpu)()
            && (self.open)().is_ok_and(|station| match station.try_lock() {
                Ok(station) => station.lost().is_none(),
                Err(TryLockError::Poisoned(station)) => station.get_ref().lost().is_none(),
                Err(TryLockError::WouldBlock) => false,
            })
    }

    /// Checks that there is a GPU for a puzzle.
    pub(super) fn check(&self, puzzle: &Puzzle) -> Result<(), DeviceError> {
        if !GpuSolver::suits(puzzle) {
            let found = format!("a board of {}", puzzle.topology());
            let expected = "10 to 25 cells, or up to 64 whose steps change the colour";
            return Err(DeviceError::Board { found, expected });
        }
        (self.open)().map(|_| ())
    }

    /// The GPU, once it is free, unless the control ends the waiting.
    fn wait_for(&self, control: &Control) -> Result<MutexGuard<'_, GpuSolver>, DeviceError> {
        let station = (self.open)()?;
        loop {
            match station.try_lock() {
                Ok(station) => return Ok(station),
                Err(TryLockError::Poisoned(station)) => return Ok(station.into_inner()),
                Err(TryLockError::WouldBlock) => {}
            }
            control.check()?;
            thread::sleep(CHECK_INTERVAL);
        }
    }

    /// Solves a puzzle on the allowed device, by the solver's entrance or the GPU's, which have the same signature;
    /// returns which one. If a GPU fails that was not explicitly asked for, the processor goes on with what is known.
    pub(crate) fn solve(
        &self,
        device: Device,
        puzzle: &Puzzle,
        allowed: Allowed<'_>,
        options: SolveOptions<'_>,
    ) -> Result<(Solved, Device), SolveError> {
        let Allowed { gpu, cpu } = allowed;
        let SolveOptions { threads, tables, mut known, on_better } = options;
        let device = where_drivers_are(device);
        // On a GPU, a large board's beams have no node limit.
        let device = if GpuSolver::is_large(puzzle) && gpu.nodes_left().is_some() { Device::Cpu } else { device };
        let is_for_gpu = match device {
            Device::Gpu => self.check(puzzle).map(|()| true)?,
            // Opening a GPU takes longer than solving an easy board.
            Device::Auto if self.may_need_gpu(puzzle) => {
                let first = SolveOptions { threads, tables, known, on_better: &mut *on_better };
                let part = gpu.part(budget::share_up_to(gpu, FIRST_SHARE, self.first_nodes));
                let solved = pintu_solver::solve(puzzle, &part, first)?;
                if solved.known.is_proved() || gpu.check().is_err() || gpu.nodes_left() == Some(0) {
                    return Ok((solved, Device::Cpu));
                }
                known = solved.known;
                self.has_gpu()
            }
            Device::Auto | Device::Cpu => false,
        };
        if is_for_gpu {
            puzzle.solvable().map_err(pintu_solver::SolveError::from)?;
            let options = SolveOptions { threads, tables, known, on_better: &mut *on_better };
            let tried = match self.wait_for(gpu) {
                Ok(mut station) => station.solve(puzzle, gpu, options),
                Err(DeviceError::Stopped(why)) => {
                    return Ok((Solved { known: options.known, stopped: Some(why), by: FoundBy::Nothing }, device));
                }
                Err(error) => return Err(error.into()),
            };
            match tried {
                Ok(solved) if device == Device::Auto && is_by_processor(puzzle, solved.by) => {
                    return Ok((solved, Device::Cpu));
                }
                Ok(solved) => return Ok((solved, Device::Gpu)),
                Err(failure) if device == Device::Gpu => return Err(failure.error.into()),
                // The incumbent and the bound still hold.
                Err(failure) => known = failure.known,
            }
        }
        let options = SolveOptions { threads, tables, known, on_better };
        Ok((pintu_solver::solve(puzzle, cpu, options)?, Device::Cpu))
    }

    fn may_need_gpu(&self, puzzle: &Puzzle) -> bool {
        GpuSolver::suits(puzzle) && puzzle.size().cells() >= self.least_cells && (self.may_have_gpu)()
    }
}

/// The processor, where no driver can be loaded; there, code for the GPU is not compiled.
pub(super) fn where_drivers_are(device: Device) -> Device {
    if cfg!(target_family = "wasm") { Device::Cpu } else { device }
}

/// Whether the processor, beside the GPU, found the solution: beams run on it, unless the board is large.
fn is_by_processor(puzzle: &Puzzle, by: FoundBy) -> bool {
    match by {
        FoundBy::Beams => true,
        FoundBy::TableBeams | FoundBy::GuidedBeams | FoundBy::NetworkBeams => !GpuSolver::is_large(puzzle),
        _ => false,
    }
}

/// Whether a GPU may solve a puzzle that is too large for the processor's tables.
pub(crate) fn is_large_for(device: Device, puzzle: &Puzzle) -> bool {
    device != Device::Cpu && GpuSolver::is_large(puzzle)
}

/// Why no device solved the puzzle.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SolveError {
    #[error(transparent)]
    Solver(#[from] pintu_solver::SolveError),
    #[error(transparent)]
    Device(#[from] DeviceError),
}
