//! The solver on a GPU: pattern tables built and kept there, and IDA* by thousands of warps.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `device/` | the code that runs on the GPU: C that is also C++, compiled when it is needed |
//! | `backend` | what a device is asked for: memory, copies, kernels |
//! | `cuda` | a GPU through the driver, which is loaded at run time; nothing of CUDA is needed to build this |
//! | `emulator` | the same code on this machine, for tests |
//! | `words` | what host and device tell each other |
//! | `workshop` | builds pattern tables on a device, in pieces |
//! | `tables` | the tables of a board on a device: built there, brought there, brought back |
//! | `rounds` | rounds of depth-first search from a frontier |
//! | `batch` | many boards at once |
//! | `solve` | one board: a frontier, rounds, views |
//! | `station` | the one entrance |

mod backend;
mod batch;
mod cuda;
#[cfg(feature = "emulator")]
mod emulator;
mod rounds;
mod solve;
mod station;
mod tables;
mod words;
mod workshop;

pub use backend::{DeviceError, DeviceInfo};
pub use batch::Batched;
pub use cuda::{devices, first_gpu};
#[cfg(feature = "emulator")]
pub use emulator::{Mishap, emulator, faulty_emulator};
pub use solve::{Gpu, Report, Searcher};
pub use station::{Failure, Station};
pub use tables::{DeviceTables, Tiling};
pub use workshop::Workshop;
