#![doc = include_str!("../README.md")]

mod all_cheapest;
mod best_first;
mod bidirectional;
mod breadth;
mod closure;
mod control;
mod cost;
mod depth;
mod dive;
pub mod driver;
#[doc = include_str!("../from-pathfinding.md")]
pub mod from_pathfinding {}
mod halves;
mod hashed;
mod heuristic;
mod ida;
mod observer;
mod outcome;
mod path;
#[cfg(feature = "petgraph")]
mod petgraph;
mod ranked;
mod reach;
mod reached;
mod reversed;
mod scratch;
mod space;
mod table;
mod trace;
mod trail;
mod weight;

pub use all_cheapest::{CheapestPaths, cheapest_paths, cheapest_paths_with};
pub use best_first::{astar, best_first, dijkstra, greedy, weighted_astar};
pub use bidirectional::bidirectional;
pub use breadth::{bfs, bfs_tree};
pub use closure::{FromFn, WithBackward, from_fn};
pub use control::{Cancel, Control, Gate, Hold, Idle, Limits, Meter};
pub use cost::{Cost, NotACost, Real};
pub use depth::{dfs, dfs_tree, iddfs};
pub use driver::Blend;
pub use halves::{bidirectional_astar, bidirectional_dijkstra};
pub use heuristic::{Estimate, Heuristic, Overestimating, Zero};
pub use ida::{ida, ida_with_table};
pub use observer::{Fate, Node, Observer, Run, Tree};
pub use outcome::{Bound, Counters, Guarantee, Outcome, Path, Report, ReportOf, Solution, Stop};
#[cfg(feature = "petgraph")]
pub use petgraph::{Along, Petgraph, from_petgraph};
pub use ranked::{PathsByCost, paths_by_cost};
pub use reach::{
    BreadthFirst, CheapestFirst, DepthFirst, LazyRun, NearestGoals, breadth_first, cheapest_first, depth_first,
    nearest_goals,
};
pub use reached::{Reached, distances, distances_until};
pub use reversed::Reversed;
pub use scratch::Scratch;
pub use space::{Backward, Space, Starts};
pub use trace::{Trace, Visit};
pub use weight::{Weight, WeightError};
