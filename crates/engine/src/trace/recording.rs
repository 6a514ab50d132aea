//! What was recorded, in arrays.

use std::io::{self, Write};

use super::{Caption, Form, compact, packed, posthoc};
use crate::path::PathCost;

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
    /// The costs of events, by their places, of which floating-point numbers do not say every digit.
    pub exact: Vec<(usize, Costs)>,
}

/// What is told of costs at an event, in every digit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// What was paid.
    pub paid: PathCost,
    /// What the heuristic says is left.
    pub left: PathCost,
}

impl Costs {
    pub(super) fn exceed_floats(self) -> bool {
        self.paid.exceeds_floats() || self.left.exceeds_floats()
    }
}

impl Events {
    /// The costs of the event in a place.
    pub fn costs(&self, place: usize) -> Costs {
        match self.exact.binary_search_by_key(&place, |(event, _)| *event) {
            Ok(found) => self.exact[found].1,
            Err(_) => Costs { paid: PathCost::of(self.paid[place]), left: PathCost::of(self.left[place]) },
        }
    }

    pub(super) fn clear(&mut self) {
        self.what.clear();
        self.node.clear();
        self.parent.clear();
        self.paid.clear();
        self.left.clear();
        self.exact.clear();
    }

    pub(super) fn reserve(&mut self, more: usize) {
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
