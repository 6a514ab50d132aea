use std::{fmt, str::FromStr};

use pintu_grid::{Diagonal, Heuristic, MetricError, QueryError};
use pintu_search::{Limits, Weight};

use crate::{UnknownName, names::named, request::usual_weight};

/// A way to look for a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathAlgorithm {
    /// The fastest exact one for the map.
    Auto,
    /// Breadth-first search.
    Bfs,
    /// Breadth-first search from both ends.
    Bidirectional,
    /// Dijkstra's algorithm.
    Dijkstra,
    /// Greedy best-first search.
    Greedy,
    /// A*.
    Astar,
    /// Weighted A*.
    Wastar,
    /// Iterative deepening A*, with a transposition table.
    Ida,
    /// Jump point search.
    Jps,
    /// A* that takes up all cells with the same `g + h` together: on even ground with four ways to go and one goal. Elsewhere
    /// it is the pruned one.
    LevelAstar,
    /// A* that leaves out steps which are not needed where the ground is even.
    PrunedAstar,
}

impl PathAlgorithm {
    /// All that can be asked for.
    pub const ALL: [Self; 11] = [
        Self::Auto,
        Self::Bfs,
        Self::Bidirectional,
        Self::Dijkstra,
        Self::Greedy,
        Self::Astar,
        Self::Wastar,
        Self::Ida,
        Self::Jps,
        Self::LevelAstar,
        Self::PrunedAstar,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Bfs => "bfs",
            Self::Bidirectional => "bidirectional",
            Self::Dijkstra => "dijkstra",
            Self::Greedy => "greedy",
            Self::Astar => "astar",
            Self::Wastar => "wastar",
            Self::Ida => "ida",
            Self::Jps => "jps",
            Self::LevelAstar => "astar-levels",
            Self::PrunedAstar => "astar-pruned",
        }
    }

    /// Whether it looks at a heuristic.
    pub fn uses_heuristic(self) -> bool {
        !matches!(self, Self::Bfs | Self::Bidirectional | Self::Dijkstra)
    }

    /// Whether it has a heuristic of its own, and knows maps alone.
    pub(super) fn is_for_maps(self) -> bool {
        matches!(self, Self::Jps | Self::LevelAstar | Self::PrunedAstar)
    }

    /// Whether it promises something of a path's cost that holds only if its heuristic does not overestimate.
    fn trusts_heuristic(self) -> bool {
        !matches!(self, Self::Bfs | Self::Bidirectional | Self::Dijkstra | Self::Greedy)
    }
}

named!(PathAlgorithm, "the algorithm");

/// How to look for a path.
#[derive(Clone, Copy, Debug)]
pub struct PathRequest {
    /// How to search.
    pub algorithm: PathAlgorithm,
    /// What to be guided by, if not the usual.
    pub heuristic: Option<Heuristic>,
    /// The weight of weighted A*, if not the usual one.
    pub weight: Option<Weight>,
    /// Whether a heuristic that overestimates is allowed.
    pub inadmissible: bool,
    /// Whether to go to the nearest cell that can be reached when the goal cannot.
    pub nearest: bool,
    /// What may be spent.
    pub limits: Limits,
}

impl PathRequest {
    /// A request for an algorithm, all else as usual.
    pub fn new(algorithm: PathAlgorithm) -> Self {
        Self {
            algorithm,
            heuristic: None,
            weight: None,
            inadmissible: false,
            nearest: false,
            limits: Limits::default(),
        }
    }

    /// The weight that the algorithm is to use, if it uses one.
    pub(super) fn weight(&self) -> Result<Option<Weight>, PathError> {
        match (self.algorithm, self.weight) {
            (PathAlgorithm::Wastar, weight) => Ok(Some(weight.unwrap_or_else(usual_weight))),
            (_, None) => Ok(None),
            (algorithm, Some(_)) => Err(PathError::WeightUnused { algorithm }),
        }
    }

    /// The heuristic that the algorithm is to use; `usual` if none was named.
    pub(super) fn heuristic(&self, usual: Heuristic) -> Result<Heuristic, PathError> {
        let algorithm = self.algorithm;
        match self.heuristic {
            Some(Heuristic::None) | None if !algorithm.uses_heuristic() => Ok(Heuristic::None),
            Some(heuristic) if !algorithm.uses_heuristic() => Err(PathError::HeuristicUnused { algorithm, heuristic }),
            Some(heuristic) if algorithm.is_for_maps() && heuristic != usual => {
                Err(PathError::HeuristicOfItsOwn { algorithm, heuristic, usual })
            }
            Some(heuristic) => Ok(heuristic),
            None => Ok(usual),
        }
    }

    /// The heuristic for a map, if it is allowed there.
    pub(super) fn heuristic_on(&self, diagonal: Diagonal) -> Result<Heuristic, PathError> {
        let heuristic = self.heuristic(Heuristic::for_movement(diagonal))?;
        match heuristic.overestimates(diagonal) {
            Some(reason) => self.allow(heuristic, reason.to_owned()).map(|()| heuristic),
            None => Ok(heuristic),
        }
    }

    /// Refuses a heuristic that overestimates, unless it was asked for or the algorithm promises nothing.
    pub(super) fn allow(&self, heuristic: Heuristic, reason: String) -> Result<(), PathError> {
        if self.inadmissible || !self.algorithm.trusts_heuristic() {
            return Ok(());
        }
        Err(PathError::Overestimates { algorithm: self.algorithm, heuristic, reason })
    }
}

/// Why a request for a path cannot be carried out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PathError {
    /// The algorithm looks at no heuristic.
    #[error("found the heuristic {heuristic} for {algorithm}, which uses none: expected greedy, astar, wastar or ida")]
    HeuristicUnused {
        /// The algorithm.
        algorithm: PathAlgorithm,
        /// What was named.
        heuristic: Heuristic,
    },
    /// The algorithm has its own heuristic.
    #[error("found the heuristic {heuristic} for {algorithm}, which always uses {usual} under this movement")]
    HeuristicOfItsOwn {
        /// The algorithm.
        algorithm: PathAlgorithm,
        /// What was named.
        heuristic: Heuristic,
        /// What it uses.
        usual: Heuristic,
    },
    /// The algorithm has no weight.
    #[error("found a weight for {algorithm}, which has none: expected wastar")]
    WeightUnused {
        /// The algorithm.
        algorithm: PathAlgorithm,
    },
    /// The heuristic may promise too little. ([`PathRequest::inadmissible`] allows it, whatever that is
    /// called where somebody asks.)
    #[error("found the heuristic {heuristic} for {algorithm}, expected one that never overestimates: {reason}")]
    Overestimates {
        /// The algorithm.
        algorithm: PathAlgorithm,
        /// The heuristic.
        heuristic: Heuristic,
        /// In words.
        reason: String,
    },
    /// The map cannot answer it.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The graph has no such estimate.
    #[error(transparent)]
    Metric(#[from] MetricError),
    /// A node that the graph does not have.
    #[error(transparent)]
    NoNode(UnknownName),
    /// The algorithm is one for maps.
    #[error("found {algorithm} for a graph, expected a map")]
    MapsOnly {
        /// The algorithm.
        algorithm: PathAlgorithm,
    },
    /// A graph has no cells that are near one that is cut off.
    #[error("found a wish for the nearest cell for a graph, expected a map")]
    NearestOnGraph,
}
