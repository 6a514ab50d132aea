//! What a search did, event by event: recorded through the observer into arrays, and written for other programs.

mod compact;
mod growth;
mod live;
mod packed;
mod paths;
mod posthoc;
mod recorder;
mod recording;
mod tape;
#[cfg(test)]
mod tests;
mod tiles;
mod traced;
mod tree;
mod views;
mod watch;

pub(crate) use growth::Growing;
pub use growth::Growth;
pub(crate) use live::Live;
#[cfg(test)]
pub(crate) use live::NEWS;
pub(crate) use paths::{CellTrace, NameTrace};
pub use paths::{find_path_traced, find_route_traced};
pub use recorder::Recorder;
pub use recording::{Costs, Counts, Events, NOBODY, Nodes, Place, Recording, What};
pub use tape::Tape;
pub(crate) use tiles::{TileTrace, names};
pub use tiles::{retrace, solve_traced};
pub use traced::{Caption, Order, Traced};
pub use tree::Tree;

/// Events that are recorded unless somebody says otherwise.
pub const USUAL_EVENTS: usize = 200_000;

/// The forms in which a recording is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Our own: a few arrays.
    Compact,
    /// For pages: arrays as they lie in memory, and the tree laid out.
    Packed,
    /// The Posthoc visualiser's, version 1.4.0: an object an event.
    Posthoc,
}

impl Form {
    /// The form that a file's name asks for: Posthoc's for `.trace.json`, packed for `.ptr`, else our own.
    pub fn of_name(name: &str) -> Self {
        let suffix = std::path::Path::new(name).extension();
        if name.ends_with(".trace.json") {
            Self::Posthoc
        } else if suffix.is_some_and(|suffix| suffix == "ptr") {
            Self::Packed
        } else {
            Self::Compact
        }
    }
}
