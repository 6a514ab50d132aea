//! A search with its recording, and the fields written beside the events.

use std::io::{self, Write};

use pintu_search::Hold;
use serde_json::value::RawValue;

use super::{Form, Recording};
use crate::path::PathCost;

/// The rank by which a search chooses the next state: its f, of the path's cost g and the estimate h.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rank {
    /// Rank `g + weight × h`.
    Sum {
        /// 1, but for weighted A*.
        weight: f64,
    },
    /// Rank `h`.
    Left,
}

impl Rank {
    pub(super) fn new(greedy: bool, weight: Option<f64>) -> Self {
        if greedy { Self::Left } else { Self::Sum { weight: weight.unwrap_or(1.0) } }
    }

    pub(super) fn of(self, paid: PathCost, left: PathCost) -> PathCost {
        match self {
            Self::Sum { weight: 1.0 } => paid.plus(left),
            Self::Sum { weight } => PathCost::of(paid.value() + weight * left.value()),
            Self::Left => left,
        }
    }
}

/// How a recorded search was requested and how it ended: fields that are written beside the events.
#[derive(Clone, Debug)]
pub struct Caption {
    /// Whether the search goes depth first, so that a state is not closed when the next is expanded.
    pub depth_first: bool,
    /// The search's rank.
    pub order: Rank,
    /// The state that the search begins with, as [`Nodes::states`](super::Nodes::states) has it.
    pub start: Vec<u32>,
    /// The states of the path that was found, both ends included, as [`Nodes::states`](super::Nodes::states) has them; `None` where there is no
    /// path, or no memory for it.
    pub path: Option<Vec<u32>>,
    pub cost: Option<PathCost>,
    /// The answer, as it is written to JSON.
    pub answer: Box<RawValue>,
}

/// A search that was recorded: its answer, and its events.
#[derive(Debug)]
pub struct Traced<A> {
    pub answer: A,
    pub recording: Recording,
    /// Fields that are written beside it.
    pub caption: Caption,
    memory: Hold,
}

impl<A> Traced<A> {
    /// The same without the answer, which the caption has as JSON.
    pub fn without_answer(self) -> Traced<()> {
        let Self { recording, caption, memory, .. } = self;
        Traced { answer: (), recording, caption, memory }
    }

    pub fn write(&self, form: Form, out: &mut dyn Write) -> io::Result<()> {
        self.recording.write(&self.caption, form, out)
    }
}

impl<A: serde::Serialize> Traced<A> {
    /// Combines the parts at the end of a search. `path` makes the states of the path, which take `numbers` numbers.
    pub(super) fn new(
        answer: A,
        (recording, mut memory): (Recording, Hold),
        (depth_first, order): (bool, Rank),
        start: Vec<u32>,
        cost: Option<PathCost>,
        numbers: usize,
        path: impl FnOnce() -> Option<Vec<u32>>,
    ) -> Self {
        let is_room = memory.more((numbers * size_of::<u32>()) as u64).is_ok();
        let caption = Caption {
            depth_first,
            order,
            start,
            path: if is_room { path() } else { None },
            cost,
            answer: written(&answer),
        };
        Self { answer, recording, caption, memory }
    }

    pub(super) fn with_answer(self, answer: A) -> Self {
        let caption = Caption { answer: written(&answer), ..self.caption };
        Self { answer, caption, ..self }
    }
}

/// An answer as it is written to JSON.
fn written(answer: &impl serde::Serialize) -> Box<RawValue> {
    let text = serde_json::to_string(answer).and_then(RawValue::from_string);
    text.unwrap_or_else(|_| RawValue::NULL.to_owned())
}
