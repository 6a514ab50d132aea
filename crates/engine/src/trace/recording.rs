//! A recording: events in arrays.

use std::io::{self, Write};

use serde::{Serialize, Serializer};

use super::{Caption, Form, compact, packed, posthoc};
use crate::path::PathCost;

/// A recorded search. An event has the same index in each of the arrays of [`Events`]; a state has a number, and is written
/// once, in [`Nodes`].
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    pub domain: Domain,
    pub nodes: Nodes,
    pub events: Events,
    /// The search's counts, including those after the last recorded event.
    pub counts: Counts,
    /// Whether events are missing for want of room.
    pub cut: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Domain {
    Tiles {
        rows: u32,
        cols: u32,
        /// The goal, as numbers in reading order.
        goal: Vec<u32>,
        wrap_rows: Vec<u32>,
        wrap_cols: Vec<u32>,
    },
    /// Cells of a map, numbered in reading order.
    Cells { rows: u32, cols: u32, goals: Vec<u32> },
    /// Nodes of a graph, by their numbers.
    #[serde(rename = "graph")]
    Names {
        names: Vec<String>,
        /// The nodes' coordinates, if they have any.
        #[serde(skip_serializing_if = "Option::is_none")]
        places: Option<Vec<[f64; 2]>>,
        goals: Vec<u32>,
    },
}

impl Domain {
    /// The numbers of a state: a board has one for each cell, any other state one.
    pub fn width(&self) -> usize {
        match self {
            Self::Tiles { rows, cols, .. } => (rows * cols) as usize,
            Self::Cells { .. } | Self::Names { .. } => 1,
        }
    }

    pub(super) fn goals(&self) -> usize {
        match self {
            Self::Tiles { .. } => 1,
            Self::Cells { goals, .. } | Self::Names { goals, .. } => goals.len(),
        }
    }
}

/// The states of the events, by their numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nodes {
    /// Each state's numbers, one state after the other: a board's tiles in reading order, a cell, a graph's node.
    pub states: Vec<u32>,
    /// Whether each was reached from a goal rather than from the start.
    pub backward: Vec<bool>,
}

/// The events, in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Events {
    /// The kind of event: a code of [`EventKind`].
    pub what: Vec<u8>,
    /// The state's number; of an iteration, [`NO_NODE`].
    #[serde(serialize_with = "numbers")]
    pub node: Vec<u32>,
    /// The number of the state that it came from; [`NO_NODE`] for a root.
    #[serde(serialize_with = "numbers")]
    pub parent: Vec<u32>,
    /// The cost `g` of the path there; of an iteration, its bound.
    #[serde(rename = "g")]
    pub paid: Vec<PathCost>,
    /// The heuristic's estimate; infinite at a dead end.
    #[serde(rename = "h")]
    pub left: Vec<PathCost>,
}

/// Numbers of states, -1 for none.
fn numbers<S: Serializer>(nodes: &[u32], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(nodes.iter().map(|&node| if node == NO_NODE { -1 } else { i64::from(node) }))
}

impl Events {
    pub(super) fn clear(&mut self) {
        self.what.clear();
        self.node.clear();
        self.parent.clear();
        self.paid.clear();
        self.left.clear();
    }

    pub(super) fn reserve(&mut self, more: usize) {
        self.what.reserve_exact(more);
        self.node.reserve_exact(more);
        self.parent.reserve_exact(more);
        self.paid.reserve_exact(more);
        self.left.reserve_exact(more);
    }
}

/// Stands for no state.
pub const NO_NODE: u32 = u32::MAX;

/// The search's counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub expanded: u64,
    /// States generated, the start included, as answers count them.
    pub generated: u64,
    pub iterations: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum EventKind {
    Expanded = 0,
    /// A new state is generated.
    New = 1,
    /// A known state is generated, and this path to it is no better.
    Known = 2,
    /// An open state is generated, and this path to it is cheaper.
    Cheaper = 3,
    /// A closed state is generated, and this path to it is cheaper: it is reopened.
    Reopened = 4,
    /// A state beyond the bound is generated.
    Cut = 5,
    /// A dead end is generated: no goal can be reached from it.
    DeadEnd = 6,
    /// A state is generated whose cost overflows.
    #[serde(rename = "too-dear")]
    Overflow = 7,
    Iteration = 8,
}

impl EventKind {
    /// All of them, in the order of their codes.
    pub const ALL: [Self; 9] = [
        Self::Expanded,
        Self::New,
        Self::Known,
        Self::Cheaper,
        Self::Reopened,
        Self::Cut,
        Self::DeadEnd,
        Self::Overflow,
        Self::Iteration,
    ];
}

impl Recording {
    pub fn write(&self, caption: &Caption, form: Form, out: &mut dyn Write) -> io::Result<()> {
        match form {
            Form::Compact => compact::write(self, caption, out),
            Form::Packed => packed::write(self, caption, out),
            Form::Posthoc => posthoc::write(self, caption, out),
        }
    }

    pub fn state(&self, node: u32) -> &[u32] {
        let width = self.domain.width();
        &self.nodes.states[node as usize * width..][..width]
    }
}
