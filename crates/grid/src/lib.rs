//! Shortest paths on maps and graphs.

mod algorithms;
mod best_first;
mod bits;
mod breadth;
mod cell;
mod components;
mod distances;
mod format;
mod graph;
mod heuristic;
mod jump;
mod leaps;
mod length;
mod map;
mod movement;
mod queue;
mod report;
mod scale;
mod scan;
mod scenario;
mod scratch;
mod space;
mod terrain;

pub use cell::{Cell, CellError};
pub use distances::{Distances, Toward};
pub use format::{Format, FormatError, SymbolCost, draw};
pub use graph::{Graph, GraphError, GraphSpace, Metric, MetricError};
pub use heuristic::{Heuristic, HeuristicError};
pub use length::Length;
pub use map::Map;
pub use movement::{Diagonal, DiagonalError, Step};
pub use report::{Outcome, QueryError, Reason, Report};
pub use scenario::{Scenario, ScenarioError};
pub use scratch::Scratch;
pub use terrain::{Ground, MAX_CELLS, MAX_SIDE, SizeError, Terrain};
