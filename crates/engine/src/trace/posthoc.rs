//! The form of the Posthoc visualiser, version 1.4.0: an object an event.

use std::{
    collections::HashMap,
    io::{self, Write},
};

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::{
    Caption, Domain, EventKind, NO_NODE, Rank, Recording,
    views::{lies, pivot, point, views},
};
use crate::path::PathCost;

#[derive(Serialize)]
struct Event<'a> {
    r#type: &'static str,
    id: u32,
    #[serde(rename = "pId")]
    parent: Option<u32>,
    f: PathCost,
    g: PathCost,
    h: PathCost,
    #[serde(flatten)]
    state: State<'a>,
    #[serde(flatten)]
    more: More<'a>,
}

/// A state: its tiles, or its position.
#[derive(Serialize)]
#[serde(untagged)]
enum State<'a> {
    Tiles { tiles: &'a [u32] },
    Cell { x: u32, y: u32 },
    Name { name: &'a str, x: f64, y: f64 },
}

/// Fields that only some events have.
#[derive(Default, Serialize)]
struct More<'a> {
    /// The fate of a generated state.
    #[serde(skip_serializing_if = "Option::is_none")]
    fate: Option<EventKind>,
    /// The bound of the iteration to which the event belongs.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<PathCost>,
    /// Whether the state was reached from a goal.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    backward: bool,
    /// At the end: the path as points.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<Points<'a>>,
    /// At the end: whether events are missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<bool>,
    /// At the end: the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'a RawValue>,
}

/// A state's number and parent, the cost so far and the estimate.
#[derive(Clone, Copy)]
struct At {
    node: u32,
    parent: u32,
    paid: PathCost,
    left: PathCost,
}

/// The cost where the search knows none.
const UNKNOWN: PathCost = PathCost::of(f64::INFINITY);

pub(super) fn write(recording: &Recording, caption: &Caption, out: &mut dyn Write) -> io::Result<()> {
    write!(out, r#"{{"version":"1.4.0","views":{},"#, views(&recording.domain))?;
    if let Some(pivot) = pivot(&recording.domain) {
        write!(out, r#""pivot":{pivot},"#)?;
    }
    out.write_all(br#""events":["#)?;
    let mut writer = Writer { recording, order: caption.order, out, first: true, bound: None };
    let source = writer.ends(caption)?;
    writer.events(caption)?;
    writer.end(caption, source)?;
    writer.out.write_all(b"\n]}\n")
}

struct Writer<'a> {
    recording: &'a Recording,
    order: Rank,
    out: &'a mut dyn Write,
    first: bool,
    bound: Option<PathCost>,
}

impl<'a> Writer<'a> {
    /// Writes the start and the goals, even if the search has met none of them or nothing was recorded; returns the
    /// start as drawn.
    fn ends(&mut self, caption: &Caption) -> io::Result<At> {
        let recording = self.recording;
        let (goals, width) = match &recording.domain {
            Domain::Tiles { goal, .. } => (goal, goal.len()),
            Domain::Cells { goals, .. } | Domain::Names { goals, .. } => (goals, 1),
        };
        let start = caption.start.as_slice();
        let numbers = numbers(recording, std::iter::once(start).chain(goals.chunks_exact(width)));
        let node = numbers[start];
        let first = recording.events.node.iter().position(|&other| other == node);
        // The estimate is unknown where the heuristic was not computed.
        let unmet = At { node, parent: NO_NODE, paid: PathCost::whole(0), left: UNKNOWN };
        let source = At { parent: NO_NODE, ..first.map_or(unmet, |first| self.at(first)) };
        self.event_of("source", source, start, More::default())?;
        for goal in goals.chunks_exact(width) {
            let reached = caption.path.as_ref().is_some_and(|path| path.ends_with(goal));
            let paid = caption.cost.filter(|_| reached).unwrap_or(UNKNOWN);
            let at = At { node: numbers[goal], parent: NO_NODE, paid, left: PathCost::whole(0) };
            self.event_of("destination", at, goal, More::default())?;
        }
        Ok(source)
    }

    fn events(&mut self, caption: &Caption) -> io::Result<()> {
        let mut open = None;
        for (index, &code) in self.recording.events.what.iter().enumerate() {
            let what = EventKind::ALL[usize::from(code)];
            let at = self.at(index);
            let more = More { fate: Some(what), ..More::default() };
            match what {
                EventKind::Iteration => self.bound = Some(at.paid),
                EventKind::Expanded => {
                    self.close(&mut open)?;
                    self.event("expanding", at, More::default())?;
                    open = Some(at).filter(|_| !caption.depth_first);
                }
                EventKind::Cheaper | EventKind::Reopened => self.event("updating", at, more)?,
                _ => self.event("generating", at, more)?,
            }
        }
        self.close(&mut open)
    }

    /// Writes that the state expanded last is closed.
    fn close(&mut self, open: &mut Option<At>) -> io::Result<()> {
        open.take().map_or(Ok(()), |at| self.event("closing", at, More::default()))
    }

    /// Writes the end: at the state that was expanded last, or at the start.
    fn end(&mut self, caption: &Caption, source: At) -> io::Result<()> {
        let more = More {
            path: Some(self.path(caption)),
            cut: Some(self.recording.cut),
            answer: Some(&caption.answer),
            ..More::default()
        };
        match self.recording.events.what.iter().rposition(|&what| what == EventKind::Expanded as u8) {
            Some(last) => self.event("end", self.at(last), more),
            None => self.event_of("end", source, &caption.start, more),
        }
    }

    /// The points of the path that was found; none for tiles, which have no position.
    fn path<'c>(&self, caption: &'c Caption) -> Points<'c>
    where
        'a: 'c,
    {
        let domain = &self.recording.domain;
        let states = caption.path.as_deref().filter(|_| !matches!(domain, Domain::Tiles { .. }));
        Points { domain, states: states.unwrap_or_default() }
    }

    fn at(&self, index: usize) -> At {
        let events = &self.recording.events;
        let (node, parent) = (events.node[index], events.parent[index]);
        At { node, parent, paid: events.paid[index], left: events.left[index] }
    }

    fn event(&mut self, kind: &'static str, at: At, more: More<'_>) -> io::Result<()> {
        let recording = self.recording;
        let backward = recording.nodes.backward[at.node as usize];
        self.event_of(kind, at, recording.state(at.node), More { backward, ..more })
    }

    fn event_of(&mut self, kind: &'static str, at: At, state: &[u32], more: More<'_>) -> io::Result<()> {
        let event = Event {
            r#type: kind,
            id: at.node + 1,
            parent: Some(at.parent).filter(|&parent| parent != NO_NODE).map(|parent| parent + 1),
            f: self.order.of(at.paid, at.left),
            g: at.paid,
            h: at.left,
            state: self.shown(state),
            more: More { bound: self.bound, ..more },
        };
        self.out.write_all(if self.first { b"\n" } else { b",\n" })?;
        self.first = false;
        Ok(serde_json::to_writer(&mut *self.out, &event)?)
    }

    fn shown<'s>(&self, state: &'s [u32]) -> State<'s>
    where
        'a: 's,
    {
        match &self.recording.domain {
            Domain::Tiles { .. } => State::Tiles { tiles: state },
            Domain::Cells { cols, .. } => State::Cell { x: state[0] % cols, y: state[0] / cols },
            Domain::Names { names, places, .. } => {
                let [x, y] = lies(places.as_deref(), names.len(), state[0]);
                State::Name { name: names.get(state[0] as usize).map_or("", String::as_str), x, y }
            }
        }
    }
}

/// A number for each of some states: the first that the recording gave it, or one that no state has. In one pass,
/// because there may be many goals.
fn numbers<'r>(recording: &'r Recording, states: impl Iterator<Item = &'r [u32]> + Clone) -> HashMap<&'r [u32], u32> {
    let mut numbers: HashMap<&[u32], u32> = states.clone().map(|state| (state, NO_NODE)).collect();
    let met = recording.nodes.backward.len() as u32;
    for node in (0..met).rev() {
        if let Some(first) = numbers.get_mut(recording.state(node)) {
            *first = node;
        }
    }
    let mut next = met;
    for state in states {
        if let Some(number) = numbers.get_mut(state).filter(|number| **number == NO_NODE) {
            *number = next;
            next += 1;
        }
    }
    numbers
}

struct Points<'a> {
    domain: &'a Domain,
    states: &'a [u32],
}

impl Serialize for Points<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.states.iter().map(|&state| point(self.domain, state)))
    }
}
