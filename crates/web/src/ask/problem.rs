use pintu_engine::{Algorithm, HeuristicName, Request, device::Device};
use pintu_search::Weight;
use pintu_tiles::Puzzle;
use serde::Deserialize;

use super::{Board, NothingElse, Spend, field, named};
use crate::{config::Config, error::ApiError};

/// What `POST /api/solve` takes.
#[derive(Debug, Deserialize)]
pub(crate) struct Problem {
    #[serde(flatten)]
    board: Board,
    #[serde(flatten)]
    search: Search,
    #[serde(flatten)]
    _rest: NothingElse,
}

impl Problem {
    /// The search that is asked for, cut to what the server allows.
    pub(crate) fn request(self, config: &Config) -> Result<Request, ApiError> {
        self.search.request(self.board.puzzle()?, config)
    }
}

/// How to go about a puzzle.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Search {
    algorithm: Option<String>,
    heuristic: Option<String>,
    weight: Option<f64>,
    limits: Option<Spend>,
}

impl Search {
    /// Whatever suits the board, within limits.
    pub(crate) fn within(limits: Option<Spend>) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Whether it says how to search.
    pub(crate) fn names_algorithm(&self) -> bool {
        self.algorithm.is_some()
    }

    /// The request for a puzzle, cut to what the server allows.
    pub(crate) fn request(self, puzzle: Puzzle, config: &Config) -> Result<Request, ApiError> {
        let spend = self.limits.unwrap_or_default();
        Ok(Request {
            puzzle,
            algorithm: named(self.algorithm, "algorithm")?.unwrap_or(Algorithm::Auto),
            heuristic: named::<HeuristicName>(self.heuristic, "heuristic")?,
            weight: self.weight.map(Weight::new).transpose().map_err(|error| field("weight", error))?,
            max_depth: spend.max_depth,
            limits: spend.limits(&config.bounds)?,
            threads: 1,
            tables: config.tables.clone(),
            // Whoever serves others has one GPU and many clients: their searches stay on the processor.
            device: Device::Cpu,
        })
    }
}
