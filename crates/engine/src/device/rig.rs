//! Solving a puzzle on the processor, on a GPU, or on one after the other.

use std::{
    sync::{Mutex, OnceLock},
    time::Duration,
};

use pintu_gpu::{DeviceError, Station};
use pintu_search::{Control, Limits};
use pintu_solver::{Brief, Means, Solved, Supply, budget};
use pintu_tiles::{Puzzle, Unsolvable};

use super::Device;
use crate::lock::lock;

/// What there is to work with, and from when on a GPU is asked, which takes a second or two to begin.
pub(crate) struct Rig<'a> {
    /// Opens the GPU, or says why there is none.
    pub(super) open: &'a (dyn Fn() -> Result<&'a Mutex<Station>, DeviceError> + Sync),
    /// What the processor may expand before.
    pub(super) first_nodes: u64,
    /// Smaller boards are solved on the processor before a GPU has begun.
    pub(super) least_cells: usize,
    /// Tables that the processor builds within this time are built there.
    pub(super) least_build: Duration,
}

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
    /// Whether there is a GPU that has not failed.
    pub(super) fn has_gpu(&self) -> bool {
        (self.open)().is_ok_and(|station| lock(station).lost().is_none())
    }

    /// Solves a puzzle on the device that may, with the solver's entrance or the GPU's, which are of one shape; says which
    /// did. Where a GPU fails that nobody insists on, the processor goes on from what is known.
    pub(crate) fn solve(
        &self,
        device: Device,
        puzzle: &Puzzle,
        supply: &dyn Supply,
        allowed: Allowed<'_>,
        brief: Brief<'_>,
    ) -> Result<(Solved, Device), SolveError> {
        let Allowed { gpu, cpu } = allowed;
        let suits = Station::suits(puzzle);
        let Brief { threads, mut known, on_better } = brief;
        match device {
            Device::Gpu if !suits => {
                let found = format!("a board of {}", puzzle.topology());
                return Err(DeviceError::Board { found, expected: "10 to 25 cells" }.into());
            }
            Device::Auto if suits && puzzle.size().cells() >= self.least_cells && self.has_gpu() => {
                let first = Brief { threads, known, on_better: &mut *on_better };
                let part = gpu.part(Limits { nodes: Some(self.first_nodes), ..Limits::default() });
                let solved = pintu_solver::solve(puzzle, supply, &part, first)?;
                if solved.known.is_proved() || gpu.check().is_break() || gpu.nodes_left() == Some(0) {
                    return Ok((solved, Device::Cpu));
                }
                known = solved.known;
            }
            Device::Gpu => {}
            Device::Auto | Device::Cpu => {
                let brief = Brief { threads, known, on_better };
                return Ok((pintu_solver::solve(puzzle, supply, cpu, brief)?, Device::Cpu));
            }
        }
        puzzle.solvable()?;
        let brief = Brief { threads, known, on_better: &mut *on_better };
        let tried = lock((self.open)()?).solve(puzzle, supply, gpu, brief);
        match tried {
            // Beams are the processor's.
            Ok(solved) if matches!(solved.by, Means::Beams | Means::TableBeams) => Ok((solved, Device::Cpu)),
            Ok(solved) => Ok((solved, Device::Gpu)),
            // What is known still holds.
            Err(failure) if device == Device::Auto => {
                let brief = Brief { threads, known: failure.known, on_better };
                Ok((pintu_solver::solve(puzzle, supply, cpu, brief)?, Device::Cpu))
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
