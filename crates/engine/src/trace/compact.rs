//! Our own form: arrays, in one JSON object. `docs/traces.md` describes it.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::value::RawValue;

use super::{Caption, Counts, Domain, EventKind, Events, Recording};

/// The version of the form.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    version: u32,
    space: &'a Domain,
    answer: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a [u32]>,
    cut: bool,
    counts: Counts,
    words: [EventKind; EventKind::ALL.len()],
    nodes: Nodes<'a>,
    events: &'a Events,
}

#[derive(Serialize)]
struct Nodes<'a> {
    width: usize,
    states: &'a [u32],
    /// The numbers of the states that were reached from a goal.
    backward: Vec<u32>,
}

pub(super) fn write(recording: &Recording, caption: &Caption, out: &mut dyn Write) -> io::Result<()> {
    let Recording { domain, nodes, events, counts, cut } = recording;
    let backward = nodes.backward.iter().zip(0..).filter(|(backward, _)| **backward).map(|(_, node)| node).collect();
    let document = Document {
        format: "pintu-trace",
        version: VERSION,
        space: domain,
        answer: &caption.answer,
        path: caption.path.as_deref(),
        cut: *cut,
        counts: *counts,
        words: EventKind::ALL,
        nodes: Nodes { width: domain.width(), states: &nodes.states, backward },
        events,
    };
    serde_json::to_writer(&mut *out, &document)?;
    out.write_all(b"\n")
}
