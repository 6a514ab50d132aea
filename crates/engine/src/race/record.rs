use pintu_search::Counters;
use pintu_tiles::Notation;
use serde::Serialize;

use super::Finish;
use crate::{Contestant, EntryRecord, trace::Growth};

/// How far a contestant has come, as it is written to JSON.
#[derive(Clone, Debug, Serialize)]
pub struct RaceRow {
    /// What was asked for, as in `wastar:manhattan:5`.
    pub contestant: String,
    /// `waiting`, `running` or `done`.
    pub status: &'static str,
    /// States taken up.
    pub expanded: u64,
    /// States produced.
    pub generated: u64,
    /// The most states held at once.
    pub peak_states: u64,
    /// The most bytes held at once.
    pub bytes: u64,
    /// No solution has fewer moves than this, if anything is known.
    pub bound: Option<u64>,
    /// How long it has run.
    pub seconds: f64,
    /// The length of the solution that it has found, once it is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<usize>,
    /// Whether that is proved to be as short as can be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimal: Option<bool>,
    /// How many boards it has done, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boards: Option<usize>,
    /// What it has done at depths or bounds, where that is new: which, states taken up there, states produced there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub growth: Vec<Growth>,
}

impl RaceRow {
    /// A contestant that has done nothing.
    pub(super) fn of(contestant: &Contestant, status: &'static str) -> Self {
        let contestant = contestant.to_string();
        Self {
            contestant,
            status,
            expanded: 0,
            generated: 0,
            peak_states: 0,
            bytes: 0,
            bound: None,
            seconds: 0.0,
            length: None,
            optimal: None,
            boards: None,
            growth: Vec::new(),
        }
    }

    /// What was done so far.
    pub(super) fn counters(&self) -> Counters {
        let Self { expanded, generated, peak_states, bytes, .. } = *self;
        Counters { expanded, generated, peak_states, peak_bytes: bytes }
    }

    /// Adds what was done at one board.
    pub(super) fn count(&mut self, counters: &Counters, seconds: f64) {
        self.expanded += counters.expanded;
        self.generated += counters.generated;
        self.peak_states = self.peak_states.max(counters.peak_states);
        self.bytes = self.bytes.max(counters.peak_bytes);
        self.seconds += seconds;
    }
}

/// What came of a contestant, as it is written to JSON.
#[derive(Clone, Debug, Serialize)]
pub struct FinishRecord {
    /// The answer, as a comparison writes it.
    #[serde(flatten)]
    pub entry: EntryRecord,
    /// The most bytes held at once, by the name that rows have for it.
    pub bytes: u64,
    /// What it did at each depth or bound: which, states taken up there, states produced there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub growth: Option<Vec<Growth>>,
}

impl Finish {
    /// As it is written to JSON.
    pub fn record(&self, notation: Notation) -> FinishRecord {
        let entry = EntryRecord { contestant: self.contestant.to_string(), record: self.answer.record(notation) };
        FinishRecord { entry, bytes: self.answer.counters.peak_bytes, growth: self.growth.clone() }
    }
}
