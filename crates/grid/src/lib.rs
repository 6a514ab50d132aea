#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

/// `Display` and `FromStr` for an enum with `ALL` and `name`, and the error of a text that is no name.
macro_rules! named {
    ($type:ident, $error:ident, $what:literal, $message:literal) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $error;

            fn from_str(text: &str) -> Result<Self, $error> {
                let found = Self::ALL.into_iter().find(|one| one.name().eq_ignore_ascii_case(text));
                found.ok_or_else(|| $error(text.to_owned()))
            }
        }

        #[doc = concat!("A text that names no ", $what, ".")]
        #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
        #[error($message)]
        pub struct $error(String);
    };
}

mod algorithms;
mod best_first;
mod breadth;
mod cell;
mod cells;
mod components;
mod distances;
mod drawing;
mod field;
mod format;
mod graph;
mod heuristic;
mod jump;
mod leaps;
mod length;
mod levels;
mod map;
mod movement;
mod nearest;
mod observer;
mod query;
mod queue;
mod raster;
mod report;
mod ring;
mod scale;
mod scenario;
mod scratch;
mod space;
mod terrain;

pub use algorithms::Algorithm;
pub use cell::{Cell, CellError};
pub use distances::{Distances, Toward};
pub use drawing::{Drawing, Mark, draw};
pub use format::{Format, FormatError, SymbolCost, without_mark};
pub use graph::{Graph, GraphSpace, Metric, MetricError};
pub use heuristic::{Heuristic, HeuristicError};
pub use length::{Length, LengthRank, MAX_COST, MAX_DIAGONAL_COST};
pub use map::Map;
pub use movement::{Diagonal, DiagonalError, Step};
// All types of the search library that stand in signatures here.
#[doc(hidden)]
pub use pintu_search::Hold;
pub use pintu_search::{
    Bound, Cancel, Control, Counters, Fate, Guarantee, Limits, Node, Observer, Run, Stop, Tree, Weight,
};
pub use report::{Outcome, QueryError, Reason, Report};
pub use scenario::Scenario;
pub use scratch::Scratch;
pub use space::MapSpace;
pub use terrain::{Terrain, TerrainError, TerrainKind};
