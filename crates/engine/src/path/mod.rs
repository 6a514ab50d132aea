//! Paths on maps and graphs: names in, answers out.

mod answer;
mod graph;
mod map;
mod request;
mod scenarios;

pub use answer::{PathAnswer, PathCost, PathVerdict, Way};
pub use graph::{find_route, route_costs};
pub use map::{distances, find_path};
pub use request::{PathAlgorithm, PathError, PathRequest};
pub use scenarios::{Miss, ScenarioSummary, run_scenarios};
