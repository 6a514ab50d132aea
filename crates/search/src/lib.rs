//! Search in state spaces: graphs that are known by their rules.
//!
//! Three traits, three concerns. A [`Space`] says which states there are and what leads from one to
//! the next; an algorithm is a function that searches it; an [`Observer`] watches, counts or ends the
//! search. Most programs start with two closures:
//!
//! ```
//! use pintu_search::{astar, from_fn, Control, Limits};
//!
//! // A knight from a1 to h8, on a board without end.
//! const JUMPS: [(i32, i32); 8] = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];
//! let board = from_fn(|&(x, y): &(i32, i32)| JUMPS.map(|(dx, dy)| ((x + dx, y + dy), 1_u32)), |&at| at == (7, 7));
//! let far = |&(x, y): &(i32, i32)| (x.abs_diff(7) + y.abs_diff(7)).div_ceil(3);
//! let report = astar(&board, &(0, 0), &far, &Control::new(Limits { nodes: Some(10_000), ..Limits::default() }));
//! assert_eq!(report.solution().unwrap().cost, 6);
//! ```
//!
//! | algorithm | finds | memory grows with |
//! | --- | --- | --- |
//! | [`bfs`] | fewest steps | states met |
//! | [`bidirectional`] | fewest steps | states met, from both ends |
//! | [`dfs`] | any path within a depth | states met |
//! | [`iddfs`] | fewest steps | depth |
//! | [`dijkstra`] | cheapest | states met |
//! | [`greedy`] | any path, often soon | states met |
//! | [`astar`] | cheapest | states met |
//! | [`weighted_astar`] | at most `weight` × cheapest | states met |
//! | [`ida`] | cheapest | depth |
//! | [`ida_with_table`] | cheapest | states met |
//! | [`bfs_tree`], [`dfs_tree`] | as `bfs` and `dfs`, without duplicate detection | for teaching |
//!
//! All of them count alike ([`Counters`]), can be limited and cancelled ([`Control`]) and watched
//! ([`Trace`], or any [`Observer`]), and end in one of three ways ([`Outcome`]): solved, proved
//! impossible, or stopped, which is not the same.

mod all_cheapest;
mod best_first;
mod bidirectional;
mod breadth;
mod closure;
mod control;
mod cost;
mod depth;
mod distances;
mod dive;
pub mod driver;
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
mod reversed;
mod scratch;
mod space;
mod table;
mod trace;
mod weight;

pub use all_cheapest::{CheapestPaths, cheapest_paths};
pub use best_first::{astar, best_first, dijkstra, greedy, weighted_astar};
pub use bidirectional::bidirectional;
pub use breadth::{bfs, bfs_tree};
pub use closure::{FromFn, FromFnBackward, from_fn};
pub use control::{Cancel, Control, Hold, Limits, Meter};
pub use cost::{Cost, Real};
pub use depth::{dfs, dfs_tree, iddfs};
pub use distances::{Distances, distances};
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
pub use reversed::Reversed;
pub use scratch::Scratch;
pub use space::{Backward, Space, Starts};
pub use trace::{Trace, Visit};
pub use weight::{Weight, WeightError};

/// The examples of these pages run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/search-library.md")]
#[doc = include_str!("../../../README.md")]
struct Pages;
