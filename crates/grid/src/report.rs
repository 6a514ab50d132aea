use pintu_search::{Counters, Guarantee, Stop};

use crate::{Cell, Length};

/// How a search for a path ended, and what it took.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Report {
    /// Found, proved impossible, or stopped.
    pub outcome: Outcome,
    /// What searched, or would have if a search had been needed.
    pub method: Method,
    /// What the search did until then. A search that had to begin again, because costs turned out to need more bits,
    /// counts what its last run did, and so does its control: limits on nodes are on that.
    pub counters: Counters,
}

impl Report {
    /// The path's length, if one was found.
    pub fn length(&self) -> Option<Length> {
        match self.outcome {
            Outcome::Found { length, .. } => Some(length),
            _ => None,
        }
    }
}

/// A way to search a map: [`Map::shortest`](crate::Map::shortest) chooses one, the others are what they are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Jump point search.
    Jumps,
    /// A* that takes up all cells of a level at once.
    Levels,
    /// A* that leaves out steps that are not needed.
    Pruned,
    /// A*.
    Astar,
    /// Dijkstra's algorithm.
    Dijkstra,
    /// Greedy best-first search.
    Greedy,
    /// Weighted A*.
    WeightedAstar,
    /// Iterative deepening A*.
    Ida,
    /// Breadth-first search.
    Bfs,
    /// Breadth-first search from both ends.
    Bidirectional,
}

impl Method {
    /// Whether it looks first whether a goal is in the start's piece of the map, as those do that count as they like.
    pub(crate) fn looks_for_pieces(self) -> bool {
        matches!(self, Self::Jumps | Self::Levels | Self::Pruned)
    }
}

/// The three ways in which a search for a path ends.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Outcome {
    /// There is a path; [`Scratch::path`](crate::Scratch::path) has its cells.
    Found {
        /// Its length.
        length: Length,
        /// What the algorithm guarantees about it.
        guarantee: Guarantee,
    },
    /// There is none.
    Unreachable(Reason),
    /// The search gave up.
    Stopped {
        /// What ended it.
        why: Stop,
        /// No path is cheaper than this, where the algorithm knows.
        lower_bound: Option<f64>,
    },
}

/// Why there is no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// Nobody can stand where it would begin.
    #[error("the start is blocked")]
    BlockedStart,
    /// Nobody can stand where it would end.
    #[error("every goal is blocked")]
    BlockedGoal,
    /// Obstacles lie between.
    #[error("obstacles cut the goal off from the start")]
    CutOff,
}

/// A question that a map cannot answer, or did not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// A cell that is not on the map.
    #[error("found the cell {cell}, expected rows from 0 to {} and columns from 0 to {}", .rows - 1, .cols - 1)]
    Outside {
        /// The cell.
        cell: Cell,
        /// The map's rows.
        rows: u32,
        /// The map's columns.
        cols: u32,
    },
    /// Nowhere to go.
    #[error("found no goal, expected at least one")]
    NoGoal,
    /// Jump points on ground that is not alike.
    #[error(
        "jump point search needs a map on which every cell costs the same and nothing is water; this one costs {least} to {greatest}"
    )]
    NotUniform {
        /// The cheapest ground.
        least: u64,
        /// The dearest.
        greatest: u64,
    },
    /// Something ended the search, where the answer has no other place for that.
    #[error("the search was stopped: {0}")]
    Stopped(Stop),
}
