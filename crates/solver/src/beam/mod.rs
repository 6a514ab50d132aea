//! Beams on pattern tables: short solutions, and bounds for none.

mod improve;
mod layer;
mod met;
mod sweep;

pub use improve::{BEAM_BYTES, improve, improve_telling};
pub(crate) use sweep::Sweep;
