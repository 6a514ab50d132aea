use std::{fmt, str::FromStr};

use pintu_search::{Weight, WeightError};
use serde::Serialize;

use crate::{Algorithm, Answer, HeuristicName, Request, UnknownName};

/// One of the algorithms that are compared: `name[:heuristic[:weight]]`.
///
/// ```
/// use pintu_engine::Contestant;
///
/// let contestant: Contestant = "wastar:manhattan:5".parse().unwrap();
/// assert_eq!(contestant.to_string(), "wastar:manhattan:5");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contestant {
    /// How to search.
    pub algorithm: Algorithm,
    /// What to be guided by, if not the usual.
    pub heuristic: Option<HeuristicName>,
    /// The weight, if not the usual.
    pub weight: Option<Weight>,
}

impl Contestant {
    /// An algorithm with all else as usual.
    pub fn new(algorithm: Algorithm) -> Self {
        Self { algorithm, heuristic: None, weight: None }
    }

    /// `request` as this contestant carries it out. What it does not say itself, it takes from the
    /// request, as far as its algorithm has a use for it.
    #[must_use]
    pub fn enter(&self, request: &Request) -> Request {
        let usual_heuristic = request.heuristic.filter(|_| self.algorithm.uses_heuristic());
        let usual_weight = request.weight.filter(|_| self.algorithm == Algorithm::Wastar);
        Request {
            algorithm: self.algorithm,
            heuristic: self.heuristic.or(usual_heuristic),
            weight: self.weight.or(usual_weight),
            ..request.clone()
        }
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
            None => Ok(Self { algorithm, heuristic, weight }),
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

/// Why a text names no contestant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContestantError {
    /// It has too many parts.
    #[error("found `{0}`, expected name[:heuristic[:weight]]")]
    Shape(String),
    /// An unknown algorithm or heuristic.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// A weight that is none.
    #[error(transparent)]
    Weight(#[from] WeightError),
}

/// What an algorithm needed on average over several boards. Averages are over the boards it solved.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// `solved` if it solved every board that can be solved, else `limit`.
    pub status: &'static str,
    /// What searched.
    pub algorithm: Algorithm,
    /// What it was guided by.
    pub heuristic: HeuristicName,
    /// The weight, of weighted A*.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// How many boards there were.
    pub boards: usize,
    /// How many were solved.
    pub solved: usize,
    /// Whether every solution is proved optimal.
    pub optimal: bool,
    /// Moves.
    pub length: f64,
    /// States expanded.
    pub expanded: f64,
    /// States generated.
    pub generated: f64,
    /// The most states held at once.
    pub peak_states: f64,
    /// The most bytes held at once.
    pub memory: f64,
    /// Time.
    pub seconds: f64,
}

impl Summary {
    /// Of one algorithm's answers; `None` if there are none.
    pub fn of(answers: &[Answer]) -> Option<Self> {
        let first = answers.first()?;
        let solved: Vec<&Answer> = answers.iter().filter(|answer| answer.moves().is_some()).collect();
        let mean = |value: &dyn Fn(&Answer) -> f64| {
            solved.iter().map(|answer| value(answer)).sum::<f64>() / solved.len().max(1) as f64
        };
        Some(Self {
            status: if solved.len() == answers.len() { "solved" } else { "limit" },
            algorithm: first.algorithm,
            heuristic: first.heuristic,
            weight: first.weight,
            boards: answers.len(),
            solved: solved.len(),
            optimal: !solved.is_empty() && solved.iter().all(|answer| answer.is_optimal()),
            length: mean(&|answer| answer.moves().map_or(0, pintu_tiles::Moves::len) as f64),
            expanded: mean(&|answer| answer.counters.expanded as f64),
            generated: mean(&|answer| answer.counters.generated as f64),
            peak_states: mean(&|answer| answer.counters.peak_states as f64),
            memory: mean(&|answer| answer.counters.peak_bytes as f64),
            seconds: mean(&|answer| answer.seconds),
        })
    }
}
