//! Recordings of a search, event by event: recorded through the observer into arrays, and written for other programs.

mod budget;
mod compact;
mod growth;
mod packed;
mod paths;
mod posthoc;
mod recorder;
mod recording;
#[cfg(test)]
mod tests;
mod tiles;
mod traced;
mod tree;
mod views;

pub use budget::EventBudget;
pub use growth::Growth;
#[cfg(test)]
pub(crate) use growth::MAX_NEWS;
pub(crate) use growth::{Growing, Live};
pub(crate) use paths::PathTrace;
pub use paths::{find_path_in_graph_traced, find_path_traced};
pub use recording::{Counts, Domain, EventKind, Events, NO_NODE, Nodes, Recording};
pub(crate) use tiles::{TileTrace, names};
pub use tiles::{retrace, solve_traced};
pub use traced::{Caption, Rank, Traced};
pub use tree::Tree;

/// Events that are recorded by default.
pub const DEFAULT_EVENTS: usize = 200_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The project's own: a few arrays.
    Compact,
    /// For pages: arrays in their memory layout, and the tree with its positions.
    Packed,
    /// The Posthoc visualiser's, version 1.4.0: an object an event.
    Posthoc,
}

impl Form {
    /// The form for a file name: Posthoc's for `.trace.json`, packed for `.ptr`, else the project's own.
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
