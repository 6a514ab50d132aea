//! The solver on a GPU: pattern tables built and kept there, and IDA* by thousands of warps.

// Where no driver can be loaded, no GPU is opened.
#![cfg_attr(target_family = "wasm", allow(dead_code))]

mod backend;
mod batch;
mod builder;
#[cfg_attr(target_family = "wasm", path = "no_cuda.rs")]
mod cuda;
mod deepening;
#[cfg(feature = "emulator")]
mod emulator;
mod large;
#[cfg(not(target_family = "wasm"))]
mod program;
mod rounds;
mod searcher;
mod solver;
mod tables;
mod words;

pub use backend::{DeviceError, DeviceInfo};
pub use batch::Batched;
pub use builder::TableBuilder;
pub use cuda::{compiler, devices, first_gpu, may_have_gpu};
#[cfg(feature = "emulator")]
pub use emulator::{Fault, emulator, faulty_emulator};
#[cfg(feature = "training")]
pub use large::{BeamLevel, BeamState, BeamStates};
pub use large::{DeviceNetwork, LargeRound, LargeSearcher, LargeTables, Partition, Scoring, TableWeights};
pub use searcher::{Beams, Event, Gpu, RoundReport, Searcher};
pub use solver::{Failure, GpuSolver};
pub use tables::{DeviceTables, Tiling};
