//! The choice of device: this machine's processor or a GPU.

mod batch;
mod solve;
mod tables;
#[cfg(test)]
mod tests;

pub use batch::run_batch_on_gpu;
pub use pintu_gpu::{DeviceError, DeviceInfo, compiler, devices};
pub(crate) use solve::{Allowed, Devices, SolveError, is_large_for};

use pintu_tiles::Puzzle;

use crate::names::named_enum;

named_enum! {
    #[derive(Default)]
    Device, "the device",
    {
        /// A GPU if there is one and the work is hard enough for it; else the processor.
        Auto = "auto",
        #[default]
        Cpu = "cpu",
        /// A GPU, and the processor for the work beside it.
        Gpu = "gpu",
    }
}

/// Checks that a puzzle can be solved on a GPU here, before any long work.
pub(crate) fn check_gpu(puzzle: &Puzzle) -> Result<(), DeviceError> {
    Devices::OWN.check(puzzle)
}

/// Checks that there is a GPU that works.
pub fn open_gpu() -> Result<(), DeviceError> {
    (Devices::OWN.open)().map(|_| ())
}
