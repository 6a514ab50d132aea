use pintu_gpu::DeviceError;
use pintu_search::{Limits, Stop, Weight};
use pintu_solver::{internals::Pattern, store::PatternError};
use pintu_tiles::{LinearConflict, NotApplicable, Puzzle, WalkingDistance, euclidean};

use crate::{Algorithm, Contestant, HeuristicName, device::Device, tables::Store};

#[derive(Clone, Debug)]
pub struct Request {
    pub puzzle: Puzzle,
    pub algorithm: Algorithm,
    /// The heuristic, if not the usual one.
    pub heuristic: Option<HeuristicName>,
    /// The weight of weighted A*, if not [`USUAL_WEIGHT`].
    pub weight: Option<Weight>,
    /// The depth limit of depth-first search, if not [`USUAL_DEPTH`]. Other algorithms ignore it.
    pub max_depth: Option<u32>,
    /// The limits of this puzzle's search, within those of the control.
    pub limits: Limits,
    pub threads: usize,
    pub tables: Store,
    pub device: Device,
}

/// The weight of weighted A* unless another is asked for.
pub const USUAL_WEIGHT: f64 = 5.0;
/// The depth of depth-first search unless another is asked for.
pub const USUAL_DEPTH: u32 = 50;

impl Request {
    /// A request to solve a puzzle with an algorithm, all else as usual.
    pub fn new(puzzle: Puzzle, algorithm: Algorithm) -> Self {
        Self {
            puzzle,
            algorithm,
            heuristic: None,
            weight: None,
            max_depth: None,
            limits: Limits::default(),
            threads: 1,
            tables: Store::shared(),
            device: Device::Cpu,
        }
    }

    pub(crate) fn heuristic(&self) -> Result<HeuristicName, RequestError> {
        match self.heuristic {
            Some(name) if name != HeuristicName::None && !self.algorithm.uses_heuristic() => {
                Err(RequestError::HeuristicUnused(self.algorithm, name))
            }
            Some(name) => Ok(name),
            None if !self.algorithm.uses_heuristic() => Ok(HeuristicName::None),
            None => Ok(self.usual_heuristic()),
        }
    }

    /// Refuses requests that cannot be carried out, as far as that is known before anything is built or searched.
    pub fn check(&self) -> Result<(), RequestError> {
        self.weight()?;
        let puzzle = &self.puzzle;
        match self.heuristic()? {
            HeuristicName::Euclidean => drop(euclidean(puzzle)?),
            HeuristicName::LinearConflict => drop(LinearConflict::new(puzzle)?),
            HeuristicName::WalkingDistance => WalkingDistance::check(puzzle)?,
            // `auto` can do without tables.
            HeuristicName::Pattern if self.algorithm != Algorithm::Auto => Pattern::check(puzzle.topology())?,
            HeuristicName::Pattern | HeuristicName::None | HeuristicName::Misplaced | HeuristicName::Manhattan => (),
            HeuristicName::Network | HeuristicName::Tables | HeuristicName::Disorder => {
                unreachable!("no request can name what guides beams")
            }
        }
        Ok(())
    }

    /// The heuristic unless another is asked for: the best of the small ones that apply.
    pub(crate) fn usual_heuristic(&self) -> HeuristicName {
        if self.puzzle.topology().is_plain() { HeuristicName::LinearConflict } else { HeuristicName::Manhattan }
    }

    pub(crate) fn weight(&self) -> Result<Option<Weight>, RequestError> {
        match (self.algorithm, self.weight) {
            (Algorithm::Wastar, weight) => Ok(Some(weight.unwrap_or_else(usual_weight))),
            (_, None) => Ok(None),
            (algorithm, Some(_)) => Err(RequestError::WeightUnused(algorithm)),
        }
    }
}

pub(crate) fn usual_weight() -> Weight {
    Weight::new(USUAL_WEIGHT).expect("it lies between 1 and 1000")
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RequestError {
    #[error("found the heuristic {1} for {0}, which uses none: expected greedy, astar, wastar or ida")]
    HeuristicUnused(Algorithm, HeuristicName),
    #[error("found a weight for {0}, which has none: expected wastar")]
    WeightUnused(Algorithm),
    #[error("found a depth limit for {0}, expected one only for dfs or dfs-tree")]
    DepthUnused(Algorithm),
    #[error("{contestant}: {why}")]
    Contestant { contestant: Contestant, why: Box<RequestError> },
    #[error("found a trace of auto on a board that it solves by tables and beams, expected a named algorithm")]
    Untraceable,
    #[error(
        "found {0} with the heuristic {1} for every optimal solution, expected astar (or auto) with another heuristic than pattern"
    )]
    NotForAll(Algorithm, HeuristicName),
    #[error(transparent)]
    NotApplicable(#[from] NotApplicable),
    #[error("the search was ended before it began: {0}")]
    Stopped(#[from] Stop),
    #[error(transparent)]
    Pattern(#[from] PatternError),
    #[error(transparent)]
    Device(#[from] DeviceError),
    #[error("found the device gpu for {0}, expected auto on a board of 10 to 64 cells")]
    DeviceUnused(String),
}
