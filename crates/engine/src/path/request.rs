use pintu_grid::{Diagonal, Heuristic, MetricError, QueryError};
use pintu_search::{Limits, Stop, Weight};

use crate::{UnknownName, names::named_enum, request::usual_weight};

named_enum! {
    PathAlgorithm, "the algorithm",
    {
        /// The fastest exact one for the map.
        Auto = "auto",
        Bfs = "bfs",
        Bidirectional = "bidirectional",
        Dijkstra = "dijkstra",
        Greedy = "greedy",
        Astar = "astar",
        Wastar = "wastar",
        /// Iterative deepening A*, with a transposition table.
        Ida = "ida",
        Jps = "jps",
        /// A* that expands all cells with the same `g + h` together: for equal costs, four-way movement and one goal.
        /// Elsewhere pruned A* runs.
        LevelAstar = "astar-levels",
        /// Canonical A*: leaves out needless steps where all cells around cost the same.
        PrunedAstar = "astar-pruned",
    }
}

impl PathAlgorithm {
    pub fn uses_heuristic(self) -> bool {
        !matches!(self, Self::Bfs | Self::Bidirectional | Self::Dijkstra)
    }

    /// Whether its heuristic is fixed, and it works on maps only.
    pub(super) fn is_for_maps(self) -> bool {
        matches!(self, Self::Jps | Self::LevelAstar | Self::PrunedAstar)
    }

    /// Whether its guarantee holds only if the heuristic does not overestimate.
    fn trusts_heuristic(self) -> bool {
        !matches!(self, Self::Bfs | Self::Bidirectional | Self::Dijkstra | Self::Greedy)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct PathRequest {
    pub algorithm: PathAlgorithm,
    /// The heuristic, if not the usual one.
    pub heuristic: Option<Heuristic>,
    /// The weight of weighted A*, if not the usual one.
    pub weight: Option<Weight>,
    /// Whether a heuristic that overestimates is allowed.
    pub inadmissible: bool,
    /// Whether to go to the nearest reachable cell if the goal is cut off.
    pub nearest: bool,
    pub limits: Limits,
}

impl PathRequest {
    /// A request for an algorithm, all else as usual.
    pub fn new(algorithm: PathAlgorithm) -> Self {
        Self { algorithm, heuristic: None, weight: None, inadmissible: false, nearest: false, limits: Limits::none() }
    }

    pub(super) fn weight(&self) -> Result<Option<Weight>, PathError> {
        match (self.algorithm, self.weight) {
            (PathAlgorithm::Wastar, weight) => Ok(Some(weight.unwrap_or_else(usual_weight))),
            (_, None) => Ok(None),
            (algorithm, Some(_)) => Err(PathError::WeightUnused(algorithm)),
        }
    }

    /// The heuristic that the algorithm is to use; `usual` if none was named.
    pub(super) fn heuristic(&self, usual: Heuristic) -> Result<Heuristic, PathError> {
        let algorithm = self.algorithm;
        match self.heuristic {
            Some(Heuristic::None) | None if !algorithm.uses_heuristic() => Ok(Heuristic::None),
            Some(heuristic) if !algorithm.uses_heuristic() => Err(PathError::HeuristicUnused(algorithm, heuristic)),
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

    /// Refuses a heuristic that overestimates, unless it was allowed or the algorithm guarantees nothing.
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
    #[error("found the heuristic {1} for {0}, which uses none: expected greedy, astar, wastar or ida")]
    HeuristicUnused(PathAlgorithm, Heuristic),
    #[error("found the heuristic {heuristic} for {algorithm}, which always uses {usual} under this movement")]
    HeuristicOfItsOwn { algorithm: PathAlgorithm, heuristic: Heuristic, usual: Heuristic },
    #[error("found a weight for {0}, which has none: expected wastar")]
    WeightUnused(PathAlgorithm),
    /// The heuristic may overestimate. ([`PathRequest::inadmissible`] allows it.)
    #[error("found the heuristic {heuristic} for {algorithm}, expected one that never overestimates: {reason}")]
    Overestimates { algorithm: PathAlgorithm, heuristic: Heuristic, reason: String },
    #[error(transparent)]
    Query(QueryError),
    #[error("the search was stopped: {0}")]
    Stopped(#[from] Stop),
    #[error(transparent)]
    Metric(#[from] MetricError),
    #[error(transparent)]
    NoNode(UnknownName),
    #[error("found {0} for a graph, expected a map")]
    MapsOnly(PathAlgorithm),
    #[error("found `nearest` for a graph, expected a map")]
    NearestOnGraph,
}

impl From<QueryError> for PathError {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::Stopped(why) => Self::Stopped(why),
            other => Self::Query(other),
        }
    }
}
