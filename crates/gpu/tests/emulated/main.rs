//! The device's code, compiled for this machine, against the solver on a CPU.

mod beams;
mod boards;
mod large;
mod limits;
mod search;
mod tables;
