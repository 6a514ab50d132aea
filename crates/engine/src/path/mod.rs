//! Paths on maps and graphs: takes requests by name, returns answers.

mod answer;
mod cheapest;
mod cost;
mod graph;
mod map;
mod request;
mod scenarios;
mod source;

pub use crate::trace::{find_path_in_graph_traced, find_path_traced};
pub use answer::{CostsRecord, DistancesRecord, PathAnswer, PathStates, PathVerdict};
pub use cheapest::{CheapestPaths, CostedPath, cheapest_paths, cheapest_paths_in_graph};
pub use cost::PathCost;
pub use graph::{costs_in_graph, find_path_in_graph};
pub(crate) use graph::{node as graph_node, nodes as graph_nodes, within as graph_within};
pub(crate) use map::{Journey, within as map_within};
pub use map::{distances, find_path};
pub use request::{PathAlgorithm, PathError, PathRequest};
pub use scenarios::{Miss, ScenarioSummary, run_scenarios};
pub use source::{MapFormat, MapOrGraph, ReadError, Reading};
