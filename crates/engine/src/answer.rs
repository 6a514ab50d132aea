use pintu_search::{Counters, Stop};
use pintu_tiles::{Moves, Notation, Unsolvable, least_moves};
use serde::{Serialize, Serializer, ser::SerializeMap};

use crate::{Algorithm, HeuristicName, Request, RequestError, device::Device};

#[derive(Clone, Debug)]
pub struct Answer {
    /// Solved, unsolvable, or stopped by a limit.
    pub verdict: Verdict,
    pub algorithm: Algorithm,
    pub heuristic: HeuristicName,
    pub weight: Option<f64>,
    pub counters: Counters,
    pub seconds: f64,
    pub device: Device,
}

#[derive(Clone, Debug)]
pub enum Verdict {
    Solved {
        moves: Moves,
        /// No solution has fewer moves than this; equal to their number if that is proved optimal.
        lower_bound: u32,
    },
    Unsolvable(Unsolvable),
    Limit {
        why: Stop,
        /// The lower bound of all solutions' lengths.
        lower_bound: u32,
    },
}

impl Answer {
    /// The answer to a request that was not carried out, because the work ended before.
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

    /// The lower bound of all solutions' lengths; `None` for a puzzle without a solution.
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

    /// Why the puzzle is unsolvable, or which limit was reached.
    pub fn reason(&self) -> Option<String> {
        match &self.verdict {
            Verdict::Solved { .. } => None,
            Verdict::Unsolvable(reason) => Some(reason.to_string()),
            Verdict::Limit { why, .. } => Some(why.name().to_owned()),
        }
    }

    /// The answer as it is written to JSON, with its moves in a notation.
    pub fn record(&self, notation: Notation) -> Record<'_> {
        Record { answer: self, notation }
    }
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.record(Notation::Blank).serialize(serializer)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    answer: &'a Answer,
    notation: Notation,
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { answer, notation } = *self;
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("status", answer.status())?;
        if let Some(reason) = answer.reason() {
            object.serialize_entry("reason", &reason)?;
        }
        if let Some(moves) = answer.moves() {
            object.serialize_entry("moves", &moves.to_text(notation))?;
            object.serialize_entry("length", &moves.len())?;
            object.serialize_entry("optimal", &answer.is_optimal())?;
        }
        if let Some(bound) = answer.lower_bound().filter(|_| !answer.is_optimal()) {
            object.serialize_entry("lower_bound", &bound)?;
        }
        object.serialize_entry("algorithm", &answer.algorithm)?;
        object.serialize_entry("heuristic", &answer.heuristic)?;
        if let Some(weight) = answer.weight {
            object.serialize_entry("weight", &weight)?;
        }
        serialize_spent(&mut object, &answer.counters, answer.seconds)?;
        object.serialize_entry("device", &answer.device)?;
        object.end()
    }
}

pub(crate) fn serialize_spent<M: SerializeMap>(
    object: &mut M,
    counters: &Counters,
    seconds: f64,
) -> Result<(), M::Error> {
    object.serialize_entry("expanded", &counters.expanded)?;
    object.serialize_entry("generated", &counters.generated)?;
    object.serialize_entry("peak_states", &counters.peak_states)?;
    object.serialize_entry("memory", &counters.peak_bytes)?;
    object.serialize_entry("seconds", &seconds)
}
