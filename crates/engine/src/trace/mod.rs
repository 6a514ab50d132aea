//! What a search did, event by event: recorded through the observer into arrays, and written for other programs.

mod compact;
mod growth;
mod live;
mod packed;
mod paths;
mod posthoc;
mod recorder;
mod tape;
#[cfg(test)]
mod tests;
mod tiles;
mod tree;
mod views;
mod watch;

use std::io::{self, Write};

use pintu_search::Hold;
use serde_json::value::RawValue;

pub(crate) use growth::Growing;
pub use growth::Growth;
pub(crate) use live::Live;
#[cfg(test)]
pub(crate) use live::NEWS;
pub(crate) use paths::{CellTrace, NameTrace};
pub use paths::{find_path_traced, find_route_traced};
pub use recorder::Recorder;
pub use tape::Tape;
pub(crate) use tiles::{TileTrace, names};
pub use tiles::{retrace, solve_traced};
pub use tree::Tree;

/// Events that are recorded unless somebody says otherwise.
pub const USUAL_EVENTS: usize = 200_000;

/// What a search did. An event is the same place in each of the arrays of [`Events`]; a state has a number, and is written
/// once, in [`Nodes`].
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// What states are.
    pub place: Place,
    /// The states that the events speak of.
    pub nodes: Nodes,
    /// What happened.
    pub events: Events,
    /// What happened in all, also after the last event that was recorded.
    pub counts: Counts,
    /// Whether events are missing, because there were more than could be recorded.
    pub cut: bool,
}

/// What the states of a search are.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// Boards of tiles.
    Tiles {
        /// Rows of a board.
        rows: u32,
        /// Columns of a board.
        cols: u32,
        /// The goal, as numbers in reading order.
        goal: Vec<u32>,
        /// The rows that wrap.
        wrap_rows: Vec<u32>,
        /// The columns that wrap.
        wrap_cols: Vec<u32>,
    },
    /// Cells of a map, numbered in reading order.
    Cells {
        /// The map's rows.
        rows: u32,
        /// The map's columns.
        cols: u32,
        /// The goals.
        goals: Vec<u32>,
    },
    /// Nodes of a graph, by their numbers.
    Names {
        /// Their names.
        names: Vec<String>,
        /// Where they lie, if they lie anywhere.
        places: Option<Vec<[f64; 2]>>,
        /// The goals.
        goals: Vec<u32>,
    },
}

impl Place {
    /// How many numbers a state is: a board is as many as it has cells, everything else is one.
    pub fn width(&self) -> usize {
        match self {
            Self::Tiles { rows, cols, .. } => (rows * cols) as usize,
            Self::Cells { .. } | Self::Names { .. } => 1,
        }
    }
}

/// The states that events speak of, by their numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nodes {
    /// Each state's numbers, one state after the other: a board's tiles in reading order, a cell, a graph's node.
    pub states: Vec<u32>,
    /// Whether each was reached from a goal rather than from the start.
    pub backward: Vec<bool>,
}

/// What happened, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Events {
    /// What it was: a code of [`What`].
    pub what: Vec<u8>,
    /// The state's number; of an iteration, [`NOBODY`].
    pub node: Vec<u32>,
    /// The number of the state that it came from; [`NOBODY`] for a root.
    pub parent: Vec<u32>,
    /// What was paid to get there; of an iteration, how far it looks.
    pub paid: Vec<f64>,
    /// What the heuristic says is left; infinite at a dead end.
    pub left: Vec<f64>,
}

impl Events {
    fn clear(&mut self) {
        self.what.clear();
        self.node.clear();
        self.parent.clear();
        self.paid.clear();
        self.left.clear();
    }

    fn reserve(&mut self, more: usize) {
        self.what.reserve_exact(more);
        self.node.reserve_exact(more);
        self.parent.reserve_exact(more);
        self.paid.reserve_exact(more);
        self.left.reserve_exact(more);
    }
}

/// The number of no state.
pub const NOBODY: u32 = u32::MAX;

/// What happened in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// States taken up.
    pub expanded: u64,
    /// States produced, and the start, as answers count them.
    pub generated: u64,
    /// Iterations begun.
    pub iterations: u64,
}

/// What an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum What {
    /// A state is taken up.
    Expanded = 0,
    /// A state is produced that was not met before.
    New = 1,
    /// A state is produced that is known, and this way to it is no better.
    Known = 2,
    /// A state is produced that waits to be taken up, and this way to it is cheaper.
    Cheaper = 3,
    /// A state is produced that was taken up already, and this way to it is cheaper: it will be taken up again.
    Reopened = 4,
    /// A state is produced that lies beyond the bound.
    Cut = 5,
    /// A state is produced from which no goal can be reached.
    DeadEnd = 6,
    /// A state is produced whose cost does not fit.
    TooDear = 7,
    /// An iteration begins.
    Iteration = 8,
}

impl What {
    /// All of them, in the order of their codes.
    pub const ALL: [Self; 9] = [
        Self::Expanded,
        Self::New,
        Self::Known,
        Self::Cheaper,
        Self::Reopened,
        Self::Cut,
        Self::DeadEnd,
        Self::TooDear,
        Self::Iteration,
    ];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Expanded => "expanded",
            Self::New => "new",
            Self::Known => "known",
            Self::Cheaper => "cheaper",
            Self::Reopened => "reopened",
            Self::Cut => "cut",
            Self::DeadEnd => "dead-end",
            Self::TooDear => "too-dear",
            Self::Iteration => "iteration",
        }
    }
}

/// What a search goes by when it decides which state is next: its f, made of what was paid and what is left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    /// What was paid, and what is left as often as the weight says.
    Sum {
        /// 1, but for weighted A*.
        weight: f64,
    },
    /// What is left alone.
    Left,
}

impl Order {
    fn new(greedy: bool, weight: Option<f64>) -> Self {
        if greedy { Self::Left } else { Self::Sum { weight: weight.unwrap_or(1.0) } }
    }

    fn of(self, paid: f64, left: f64) -> f64 {
        match self {
            Self::Sum { weight } => paid + weight * left,
            Self::Left => left,
        }
    }
}

/// How a recorded search was asked for and how it ended: what is written beside the events.
#[derive(Clone, Debug)]
pub struct Caption {
    /// Whether the search goes depth first, so that a state is not done with when the next is taken up.
    pub depth_first: bool,
    /// What the search goes by.
    pub order: Order,
    /// The state that the search begins with, as [`Nodes::states`] has it.
    pub start: Vec<u32>,
    /// The states of the path that was found, both ends included, as [`Nodes::states`] has them; `None` where there is no
    /// path, or no memory for it.
    pub path: Option<Vec<u32>>,
    /// What the path costs.
    pub cost: Option<f64>,
    /// The answer, as it is written to JSON.
    pub answer: Box<RawValue>,
}

/// A search that was recorded: its answer, and what it did.
#[derive(Debug)]
pub struct Traced<A> {
    /// The answer.
    pub answer: A,
    /// What the search did.
    pub recording: Recording,
    /// What is written beside that.
    pub caption: Caption,
    /// The memory of both.
    memory: Hold,
}

impl<A> Traced<A> {
    /// The same without the answer, which the caption has as it is written.
    pub fn without_answer(self) -> Traced<()> {
        let Self { recording, caption, memory, .. } = self;
        Traced { answer: (), recording, caption, memory }
    }

    /// Writes what was recorded.
    pub fn write(&self, form: Form, out: &mut dyn Write) -> io::Result<()> {
        self.recording.write(&self.caption, form, out)
    }
}

impl<A: serde::Serialize> Traced<A> {
    /// Puts together what there is at the end of a search. `path` makes the states of the path, which are so many numbers.
    fn new(
        answer: A,
        (recording, mut memory): (Recording, Hold),
        (depth_first, order): (bool, Order),
        start: Vec<u32>,
        cost: Option<f64>,
        numbers: usize,
        path: impl FnOnce() -> Option<Vec<u32>>,
    ) -> Self {
        let is_room = memory.more((numbers * size_of::<u32>()) as u64).is_continue();
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

    /// The same with another answer.
    fn with_answer(self, answer: A) -> Self {
        let caption = Caption { answer: written(&answer), ..self.caption };
        Self { answer, caption, ..self }
    }
}

/// An answer as it is written to JSON.
fn written(answer: &impl serde::Serialize) -> Box<RawValue> {
    let text = serde_json::to_string(answer).and_then(RawValue::from_string);
    text.unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// The forms in which a recording is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Our own: a few arrays.
    Compact,
    /// For pages: arrays as they lie in memory, and the tree laid out.
    Packed,
    /// The Posthoc visualiser's, version 1.4.0: an object an event.
    Posthoc,
}

impl Form {
    /// The form that a file's name asks for: Posthoc's for `.trace.json`, packed for `.ptr`, else our own.
    pub fn of_name(name: &str) -> Self {
        let suffix = std::path::Path::new(name).extension();
        if name.ends_with(".trace.json") {
            Self::Posthoc
        } else if suffix.is_some_and(|suffix| suffix == "ptr") {
            Self::Packed
        } else {
            Self::Compact
        }
    }
}

impl Recording {
    /// Writes it.
    pub fn write(&self, caption: &Caption, form: Form, out: &mut dyn Write) -> io::Result<()> {
        match form {
            Form::Compact => compact::write(self, caption, out),
            Form::Packed => packed::write(self, caption, out),
            Form::Posthoc => posthoc::write(self, caption, out),
        }
    }

    /// How many events were recorded.
    pub fn len(&self) -> usize {
        self.events.what.len()
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.events.what.is_empty()
    }

    /// The numbers of a state.
    pub fn state(&self, node: u32) -> &[u32] {
        let width = self.place.width();
        &self.nodes.states[node as usize * width..][..width]
    }
}
