//! Looking boards up in pattern tables: what every search on them shares.

mod batch;
mod layout;
mod lookup;
mod pattern_sum;
mod state;
mod task;
#[cfg(test)]
mod tests;

pub use pattern_sum::{PatternMoves, PatternSum};
pub use task::Options;

pub(crate) use batch::{Batch, MOST, WIDTH};
pub(crate) use layout::{Cells, Layout};
pub(crate) use lookup::{Mask, fetch};
pub(crate) use state::State;
pub(crate) use task::{SizedSearch, Task, search, with_task};
