//! Paths on maps and graphs: names in, answers out.

mod answer;
mod cost;
mod distances;
mod graph;
mod ground;
mod map;
mod request;
mod scenarios;

pub use crate::trace::{find_path_traced, find_route_traced};
pub use answer::{PathAnswer, PathVerdict, Way};
pub use cost::PathCost;
pub use distances::{CostsRecord, DistancesRecord};
pub use graph::{RouteCosts, find_route, listed_names, route_costs};
pub(crate) use graph::{cost as graph_cost, node as graph_node, nodes as graph_nodes, within as graph_within};
pub use ground::{Ground, MapFormat, ReadError, Reading};
pub(crate) use map::{Journey, within as map_within};
pub use map::{distances, find_path};
pub use request::{PathAlgorithm, PathError, PathRequest};
pub use scenarios::{Miss, ScenarioSummary, run_scenarios};
