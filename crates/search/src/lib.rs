#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod all_cheapest;
mod best_first;
mod bidirectional;
mod breadth;
#[doc(hidden)]
pub mod clock;
mod closure;
mod control;
mod cost;
mod depth;
mod dive;
#[doc(hidden)]
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
mod scratch;
mod space;
mod stepper;
mod table;
mod weight;

pub use all_cheapest::{CheapestPaths, cheapest_paths, cheapest_paths_with};
pub use best_first::{astar, best_first, dijkstra, greedy, weighted_astar};
pub use bidirectional::bidirectional;
pub use breadth::{bfs, bfs_tree};
pub use closure::{BackwardFn, FromFn, from_fn};
pub use control::{Cancel, Control, Limits};
#[doc(hidden)]
pub use control::{Gate, Hold, Idle, Meter};
pub use cost::{Cost, Real};
pub use depth::{dfs, dfs_tree, iddfs};
pub use driver::Blend;
pub use halves::{bidirectional_astar, bidirectional_dijkstra};
pub use heuristic::{ByRef, Estimate, Heuristic, Overestimating, Zero};
pub use ida::{ida, ida_with_table};
pub use observer::{Fate, Node, Observer, Run, Tree};
pub use outcome::{Bound, Counters, Guarantee, Outcome, Path, Report, ReportOf, Solution, Stop, Unsolved};
#[cfg(feature = "petgraph")]
pub use petgraph::{Along, Petgraph, from_petgraph};
pub use ranked::{PathsByCost, paths_by_cost};
pub use reach::{CheapestFirst, NearestGoals, Traversal, breadth_first, cheapest_first, depth_first, nearest_goals};
pub use reached::{Reached, distances, distances_until};
pub use scratch::Scratch;
pub use space::{Backward, Reversed, Space, Starts};
pub use stepper::Stepper;
pub use weight::{Weight, WeightError};
