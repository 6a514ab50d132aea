//! Our own form: arrays, in one JSON object. `docs/traces.md` describes it.

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::{Caption, Costs, Counts, NOBODY, Place, Recording, What};
use crate::path::PathCost;

/// Changes whenever the form does.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    version: u32,
    space: Space<'a>,
    answer: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a [u32]>,
    cut: bool,
    counts: Totals,
    words: [&'static str; What::ALL.len()],
    nodes: Nodes<'a>,
    events: Events<'a>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(super) enum Space<'a> {
    Tiles {
        rows: u32,
        cols: u32,
        goal: &'a [u32],
        wrap_rows: &'a [u32],
        wrap_cols: &'a [u32],
    },
    Cells {
        rows: u32,
        cols: u32,
        goals: &'a [u32],
    },
    Graph {
        names: &'a [String],
        #[serde(skip_serializing_if = "Option::is_none")]
        places: Option<&'a [[f64; 2]]>,
        goals: &'a [u32],
    },
}

#[derive(Serialize)]
pub(super) struct Totals {
    expanded: u64,
    generated: u64,
    iterations: u64,
}

#[derive(Serialize)]
struct Nodes<'a> {
    width: usize,
    states: &'a [u32],
    /// The numbers of those that were reached from a goal.
    backward: Vec<u32>,
}

#[derive(Serialize)]
struct Events<'a> {
    what: &'a [u8],
    node: Numbers<'a>,
    parent: Numbers<'a>,
    g: Told<'a>,
    h: Told<'a>,
}

/// Numbers of states, -1 for none.
struct Numbers<'a>(&'a [u32]);

impl Serialize for Numbers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|&node| if node == NOBODY { -1 } else { i64::from(node) }))
    }
}

/// One of the costs of each event.
struct Told<'a> {
    events: &'a super::Events,
    which: fn(Costs) -> PathCost,
}

impl Serialize for Told<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((0..self.events.what.len()).map(|place| (self.which)(self.events.costs(place))))
    }
}

pub(super) fn write(recording: &Recording, caption: &Caption, out: &mut dyn Write) -> io::Result<()> {
    let Recording { place, nodes, events, counts, cut } = recording;
    let backward = nodes.backward.iter().zip(0..).filter(|(backward, _)| **backward).map(|(_, node)| node).collect();
    let document = Document {
        format: "pintu-trace",
        version: VERSION,
        space: space(place),
        answer: &caption.answer,
        path: caption.path.as_deref(),
        cut: *cut,
        counts: totals(counts),
        words: What::ALL.map(What::name),
        nodes: Nodes { width: place.width(), states: &nodes.states, backward },
        events: Events {
            what: &events.what,
            node: Numbers(&events.node),
            parent: Numbers(&events.parent),
            g: Told { events, which: |costs| costs.paid },
            h: Told { events, which: |costs| costs.left },
        },
    };
    serde_json::to_writer(&mut *out, &document)?;
    out.write_all(b"\n")
}

pub(super) fn totals(counts: &Counts) -> Totals {
    Totals { expanded: counts.expanded, generated: counts.generated, iterations: counts.iterations }
}

pub(super) fn space(place: &Place) -> Space<'_> {
    match place {
        Place::Tiles { rows, cols, goal, wrap_rows, wrap_cols } => {
            Space::Tiles { rows: *rows, cols: *cols, goal, wrap_rows, wrap_cols }
        }
        Place::Cells { rows, cols, goals } => Space::Cells { rows: *rows, cols: *cols, goals },
        Place::Names { names, places, goals } => Space::Graph { names, places: places.as_deref(), goals },
    }
}
