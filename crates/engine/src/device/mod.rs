//! Which device works: this machine's processor or a GPU.

mod lots;
mod rig;
mod tables;
#[cfg(test)]
mod tests;

pub use lots::run_batch_on_gpu;
pub use pintu_gpu::{DeviceError, DeviceInfo, compiler, devices};
pub(crate) use rig::{Allowed, Rig, SolveError};

use pintu_tiles::Puzzle;

/// What may work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Device {
    /// A GPU where there is one and the work is hard enough for it; else the processor.
    Auto,
    /// The processor.
    #[default]
    Cpu,
    /// A GPU, and what the processor does beside it.
    Gpu,
}

/// Says why a puzzle cannot be solved on a GPU here, if it cannot: before anything is done for long.
pub fn check_gpu(puzzle: &Puzzle) -> Result<(), DeviceError> {
    Rig::OWN.check(puzzle)
}

/// Says why nothing can be solved on a GPU here, if nothing can.
pub fn open_gpu() -> Result<(), DeviceError> {
    (Rig::OWN.open)().map(|_| ())
}

impl Device {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Cpu, Self::Gpu];

    /// `auto`, `cpu` or `gpu`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
        }
    }
}
