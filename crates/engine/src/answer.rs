use pintu_search::{Counters, Stop};
use pintu_tiles::{Moves, Notation, Unsolvable, least_moves};
use serde::{Serialize, Serializer};

use crate::{Algorithm, HeuristicName, Request, RequestError, device::Device};

/// What came of a problem.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Solved, impossible, or given up.
    pub verdict: Verdict,
    /// What searched.
    pub algorithm: Algorithm,
    /// What it was guided by.
    pub heuristic: HeuristicName,
    /// The weight, of weighted A*.
    pub weight: Option<f64>,
    /// What it took.
    pub counters: Counters,
    /// How long it took.
    pub seconds: f64,
    /// Where it was searched.
    pub device: Device,
}

/// How a problem ended.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// There are moves that solve it.
    Solved {
        /// The moves.
        moves: Moves,
        /// No solution has fewer moves than this; equal to their number if that is proved optimal.
        lower_bound: u32,
    },
    /// No moves do.
    Unsolvable(Unsolvable),
    /// A limit was reached first.
    Limit {
        /// Which one.
        why: Stop,
        /// No solution has fewer moves than this.
        lower_bound: u32,
    },
}

impl Answer {
    /// The answer to a request that was not carried out, because something ended everything first.
    pub fn unanswered(request: &Request, why: Stop) -> Result<Self, RequestError> {
        let (heuristic, weight) = (request.heuristic()?, request.weight()?);
        let verdict = match request.puzzle.solvable() {
            Ok(_) => Verdict::Limit { why, lower_bound: least_moves(&request.puzzle) },
            Err(reason) => Verdict::Unsolvable(reason),
        };
        Ok(Self {
            verdict,
            algorithm: request.algorithm,
            heuristic,
            weight: weight.map(pintu_search::Weight::value),
            counters: Counters::default(),
            seconds: 0.0,
            device: Device::Cpu,
        })
    }

    /// The moves, if it is solved.
    pub fn moves(&self) -> Option<&Moves> {
        match &self.verdict {
            Verdict::Solved { moves, .. } => Some(moves),
            _ => None,
        }
    }

    /// Whether it is solved and proved that no solution is shorter.
    pub fn is_optimal(&self) -> bool {
        matches!(&self.verdict, Verdict::Solved { moves, lower_bound } if moves.len() == *lower_bound as usize)
    }

    /// No solution has fewer moves than this, as far as is proved; there is nothing to prove where there is none.
    pub fn lower_bound(&self) -> Option<u32> {
        match self.verdict {
            Verdict::Solved { lower_bound, .. } | Verdict::Limit { lower_bound, .. } => Some(lower_bound),
            Verdict::Unsolvable(_) => None,
        }
    }

    /// `solved`, `unsolvable` or `limit`.
    pub fn status(&self) -> &'static str {
        match self.verdict {
            Verdict::Solved { .. } => "solved",
            Verdict::Unsolvable(_) => "unsolvable",
            Verdict::Limit { .. } => "limit",
        }
    }

    /// The answer as it is written to JSON, with its moves in a notation.
    pub fn record(&self, notation: Notation) -> Record {
        let mut record = Record {
            status: self.status(),
            reason: None,
            moves: None,
            length: None,
            optimal: None,
            lower_bound: None,
            algorithm: self.algorithm,
            heuristic: self.heuristic,
            weight: self.weight,
            expanded: self.counters.expanded,
            generated: self.counters.generated,
            peak_states: self.counters.peak_states,
            memory: self.counters.peak_bytes,
            seconds: self.seconds,
            device: self.device.name(),
        };
        match &self.verdict {
            Verdict::Solved { moves, lower_bound } => {
                record.moves = Some(moves.to_text(notation));
                record.length = Some(moves.len());
                record.optimal = Some(self.is_optimal());
                record.lower_bound = (!self.is_optimal()).then_some(*lower_bound);
            }
            Verdict::Unsolvable(reason) => record.reason = Some(reason.to_string()),
            Verdict::Limit { why, lower_bound } => {
                record.reason = Some(stop_name(*why).to_owned());
                record.lower_bound = Some(*lower_bound);
            }
        }
        record
    }
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.record(Notation::Blank).serialize(serializer)
    }
}

/// The JSON object of an answer.
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    /// `solved`, `unsolvable` or `limit`.
    pub status: &'static str,
    /// Why it is unsolvable, or which limit was reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The moves' letters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<String>,
    /// The number of moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<usize>,
    /// Whether it is proved that no solution is shorter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimal: Option<bool>,
    /// No solution is shorter than this; absent where the length says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower_bound: Option<u32>,
    /// What searched.
    pub algorithm: Algorithm,
    /// What it was guided by.
    pub heuristic: HeuristicName,
    /// The weight, of weighted A*.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// States expanded.
    pub expanded: u64,
    /// States generated.
    pub generated: u64,
    /// The most states held at once.
    pub peak_states: u64,
    /// The most bytes that the search held at once.
    pub memory: u64,
    /// How long it took.
    pub seconds: f64,
    /// Where it was searched: `cpu` or `gpu`.
    pub device: &'static str,
}

/// The word for a limit.
pub fn stop_name(why: Stop) -> &'static str {
    match why {
        Stop::Nodes => "nodes",
        Stop::Time => "time",
        Stop::Memory => "memory",
        Stop::Depth => "depth",
        Stop::Cancelled => "cancelled",
        Stop::Overflow => "cost",
        _ => "other",
    }
}
