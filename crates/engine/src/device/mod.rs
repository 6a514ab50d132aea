//! Which device works: this machine's processor or a GPU.

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
        /// A GPU where there is one and the work is hard enough for it; else the processor.
        Auto = "auto",
        #[default]
        Cpu = "cpu",
        /// A GPU, and what the processor does beside it.
        Gpu = "gpu",
    }
}

/// Says why a puzzle cannot be solved on a GPU here, if it cannot: before anything is done for long.
pub fn check_gpu(puzzle: &Puzzle) -> Result<(), DeviceError> {
    Devices::OWN.check(puzzle)
}

/// Says why nothing can be solved on a GPU here, if nothing can.
pub fn open_gpu() -> Result<(), DeviceError> {
    (Devices::OWN.open)().map(|_| ())
}
