//! IDA* on pattern tables: the shortest solutions, and bounds that are proved.

mod choice;
mod deepening;
mod descent;
mod front;
mod frontier;
#[cfg(test)]
mod tests;

pub use choice::deepen;
pub use front::{Front, Grow, grow_front};
