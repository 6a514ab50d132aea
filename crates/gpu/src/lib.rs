//! The solver on a GPU: pattern tables built and kept there, and IDA* by thousands of warps.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `device/` | the code that runs on the GPU: C that is also C++, compiled when it is needed |
//! | `backend` | what a device is asked for: memory, copies, kernels |
//! | `cuda` | a GPU through the driver, which is loaded at run time; nothing of CUDA is needed to build this |
//! | `program` | the device's code, compiled beside everything else |
//! | `emulator` | the same code on this machine, for tests |
//! | `words` | what host and device tell each other |
//! | `workshop` | builds pattern tables on a device, in pieces |
//! | `tables` | the tables of a board on a device: built there, brought there, brought back |
//! | `rounds` | rounds of depth-first search from a frontier |
//! | `batch` | many boards at once |
//! | `beams` | what the processor does meanwhile: it looks for solutions |
//! | `deepening` | one board: a frontier, rounds, views |
//! | `solve` | a device with tables, and what may be asked of it |
//! | `station` | the one entrance |

mod backend;
mod batch;
mod beams;
mod cuda;
mod deepening;
#[cfg(feature = "emulator")]
mod emulator;
mod program;
mod rounds;
mod solve;
mod station;
mod tables;
mod words;
mod workshop;

pub use backend::{DeviceError, DeviceInfo};
pub use batch::Batched;
pub use beams::Beams;
pub use cuda::{compiler, devices, first_gpu, may_have_gpu};
#[cfg(feature = "emulator")]
pub use emulator::{Mishap, emulator, faulty_emulator};
pub use solve::{Event, Gpu, Report, Searcher};
pub use station::{Failure, Station};
pub use tables::{DeviceTables, Tiling};
pub use workshop::Workshop;
