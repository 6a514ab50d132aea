use pintu_gpu::DeviceError;
use pintu_search::{Limits, Stop, Weight};
use pintu_solver::{PatternError, internals::Pattern};
use pintu_tiles::{LinearConflict, NotApplicable, Puzzle, WalkingDistance, euclidean};

use crate::{Algorithm, Contestant, HeuristicName, device::Device, tables::Store};

/// A problem and how to go about it.
#[derive(Clone, Debug)]
pub struct Request {
    /// What to solve.
    pub puzzle: Puzzle,
    /// How to search.
    pub algorithm: Algorithm,
    /// What to be guided by, if not the usual.
    pub heuristic: Option<HeuristicName>,
    /// The weight of weighted A*, if not [`USUAL_WEIGHT`].
    pub weight: Option<Weight>,
    /// How deep depth-first search goes, if not [`USUAL_DEPTH`]. Other algorithms have no use for it.
    pub max_depth: Option<u32>,
    /// What may be spent on this puzzle, within what the control of it all allows.
    pub limits: Limits,
    /// How many threads may search.
    pub threads: usize,
    /// Where pattern tables are kept.
    pub tables: Store,
    /// What may search.
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

    /// The heuristic that the algorithm is to use.
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

    /// Whether it can be carried out at all, as far as that is known before anything is built or searched.
    pub(crate) fn check(&self) -> Result<(), RequestError> {
        self.weight()?;
        let puzzle = &self.puzzle;
        match self.heuristic()? {
            HeuristicName::Euclidean => drop(euclidean(puzzle)?),
            HeuristicName::LinearConflict => drop(LinearConflict::new(puzzle)?),
            HeuristicName::WalkingDistance => WalkingDistance::check(puzzle)?,
            // `auto` has other ways where there are no tables.
            HeuristicName::Pattern if self.algorithm != Algorithm::Auto => Pattern::check(puzzle.topology())?,
            HeuristicName::Pattern | HeuristicName::None | HeuristicName::Misplaced | HeuristicName::Manhattan => (),
        }
        Ok(())
    }

    /// The heuristic unless another is asked for: the best of the small ones that apply.
    pub(crate) fn usual_heuristic(&self) -> HeuristicName {
        if self.puzzle.topology().is_plain() { HeuristicName::LinearConflict } else { HeuristicName::Manhattan }
    }

    /// The weight that the algorithm is to use, if it uses one.
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

/// Why a request cannot be carried out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RequestError {
    /// The algorithm looks at no heuristic.
    #[error("found the heuristic {1} for {0}, which uses none: expected greedy, astar, wastar or ida")]
    HeuristicUnused(Algorithm, HeuristicName),
    /// The algorithm has no weight.
    #[error("found a weight for {0}, which has none: expected wastar")]
    WeightUnused(Algorithm),
    /// The algorithm goes as deep as it has to.
    #[error("found a depth limit for {0}, expected one only for dfs or dfs-tree")]
    DepthUnused(Algorithm),
    /// One of several that are to be compared cannot take part.
    #[error("{contestant}: {why}")]
    Contestant {
        /// Which one.
        contestant: Contestant,
        /// Why not.
        why: Box<RequestError>,
    },
    /// `auto` would use several algorithms on several threads.
    #[error("found a trace of auto on a board that it solves by tables and beams, expected a named algorithm")]
    Untraceable,
    /// Only A* finds every optimal solution, and not by pattern tables.
    #[error(
        "found {0} with the heuristic {1} for every optimal solution, expected astar (or auto) with another heuristic than pattern"
    )]
    NotForAll(Algorithm, HeuristicName),
    /// The heuristic does not apply to the board.
    #[error(transparent)]
    NotApplicable(#[from] NotApplicable),
    /// A limit ended the making of what the search looks at.
    #[error("the search was ended before it began: {0}")]
    Stopped(#[from] Stop),
    /// There are no pattern tables for the board.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// The GPU that was asked for is not there, does not suit the board, or failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A GPU searches by what `auto` chooses alone.
    #[error("found the device gpu for {0}, expected auto on a board of 10 to 25 cells")]
    DeviceUnused(String),
}
