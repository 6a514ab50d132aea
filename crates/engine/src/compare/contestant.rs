use std::{fmt, str::FromStr};

use pintu_search::{Weight, WeightError};
use pintu_tiles::Puzzle;

use crate::{Algorithm, HeuristicName, Request, RequestError, UnknownName, device::Device};

/// One of the algorithms that are compared: `name[:heuristic[:weight]]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contestant {
    pub algorithm: Algorithm,
    /// The heuristic, if not the usual one.
    pub heuristic: Option<HeuristicName>,
    pub weight: Option<Weight>,
    /// The depth limit of depth-first search, if not the request's. The text form cannot name it.
    pub max_depth: Option<u32>,
}

impl Contestant {
    pub fn new(algorithm: Algorithm) -> Self {
        Self { algorithm, heuristic: None, weight: None, max_depth: None }
    }

    /// The contestants unless others are named: blind search only where the space is small.
    pub fn usual(puzzle: &Puzzle) -> Vec<Self> {
        let algorithms: &[Algorithm] = if puzzle.size().cells() <= 9 {
            &[
                Algorithm::Bfs,
                Algorithm::Bidirectional,
                Algorithm::Dfs,
                Algorithm::Dijkstra,
                Algorithm::Greedy,
                Algorithm::Astar,
                Algorithm::Wastar,
                Algorithm::Ida,
            ]
        } else {
            &[Algorithm::Greedy, Algorithm::Wastar, Algorithm::Astar, Algorithm::Ida, Algorithm::Auto]
        };
        algorithms.iter().copied().map(Self::new).collect()
    }

    /// `request` as this contestant carries it out. Options that the contestant does not name are the request's, as far
    /// as its algorithm uses them.
    #[must_use]
    pub fn enter(&self, request: &Request) -> Request {
        let usual_heuristic = request.heuristic.filter(|_| self.algorithm.uses_heuristic());
        let usual_weight = request.weight.filter(|_| self.algorithm == Algorithm::Wastar);
        Request {
            algorithm: self.algorithm,
            heuristic: self.heuristic.or(usual_heuristic),
            weight: self.weight.or(usual_weight),
            max_depth: self.max_depth.or(request.max_depth),
            device: if self.algorithm == Algorithm::Auto { request.device } else { Device::Cpu },
            ..request.clone()
        }
    }

    /// The same, if the contestant can carry it out: refused before anything runs.
    pub(crate) fn admit(&self, request: &Request) -> Result<Request, RequestError> {
        if self.max_depth.is_some() && !self.algorithm.has_depth() {
            return Err(self.refused(RequestError::DepthUnused(self.algorithm)));
        }
        let entered = self.enter(request);
        entered.check().map_err(|why| self.refused(why))?;
        Ok(entered)
    }

    fn refused(&self, why: RequestError) -> RequestError {
        RequestError::Contestant { contestant: *self, why: Box::new(why) }
    }
}

impl FromStr for Contestant {
    type Err = ContestantError;

    fn from_str(text: &str) -> Result<Self, ContestantError> {
        let mut parts = text.split(':');
        let algorithm = parts.next().unwrap_or_default().parse()?;
        let heuristic = parts.next().map(str::parse).transpose()?;
        let weight = parts.next().map(str::parse).transpose()?;
        match parts.next() {
            Some(_) => Err(ContestantError::Shape(text.to_owned())),
            None => Ok(Self { algorithm, heuristic, weight, max_depth: None }),
        }
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.algorithm.to_string();
        if let Some(heuristic) = self.heuristic {
            text = format!("{text}:{heuristic}");
        }
        if let Some(weight) = self.weight {
            text = format!("{text}:{weight}");
        }
        f.pad(&text)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContestantError {
    #[error("found `{0}`, expected name[:heuristic[:weight]]")]
    Shape(String),
    #[error(transparent)]
    Name(#[from] UnknownName),
    #[error(transparent)]
    Weight(#[from] WeightError),
}
