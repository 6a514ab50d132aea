//! The form of the Posthoc visualiser, version 1.4.0: an object an event.

use std::{
    collections::HashMap,
    io::{self, Write},
};

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::{
    Caption, NOBODY, Order, Place, Recording, What,
    compact::Decimal,
    views::{lies, pivot, point, views},
};

/// An event.
#[derive(Serialize)]
struct Event<'a> {
    r#type: &'static str,
    id: u32,
    #[serde(rename = "pId")]
    parent: Option<u32>,
    f: Decimal,
    g: Decimal,
    h: Decimal,
    #[serde(flatten)]
    state: State<'a>,
    #[serde(flatten)]
    more: More<'a>,
}

/// A state: its tiles, or its place.
#[derive(Serialize)]
#[serde(untagged)]
enum State<'a> {
    Tiles { tiles: &'a [u32] },
    Cell { x: u32, y: u32 },
    Name { name: &'a str, x: f64, y: f64 },
}

/// What only some events say.
#[derive(Default, Serialize)]
struct More<'a> {
    /// What became of a state that was produced.
    #[serde(skip_serializing_if = "Option::is_none")]
    fate: Option<&'static str>,
    /// How far the iteration looks that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<Decimal>,
    /// Whether the state was reached from a goal.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    backward: bool,
    /// Of the end: what it leads through, as points.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<Points<'a>>,
    /// Of the end: whether events are missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<bool>,
    /// Of the end: the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'a RawValue>,
}

/// A state's number, what it came from, what was paid and what is left.
#[derive(Clone, Copy)]
struct At {
    node: u32,
    parent: u32,
    paid: f64,
    left: f64,
}

pub(super) fn write(recording: &Recording, caption: &Caption, out: &mut dyn Write) -> io::Result<()> {
    write!(out, r#"{{"version":"1.4.0","views":{},"#, views(&recording.place))?;
    if let Some(pivot) = pivot(&recording.place) {
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
    order: Order,
    out: &'a mut dyn Write,
    first: bool,
    bound: Option<f64>,
}

impl<'a> Writer<'a> {
    /// The start and the goals, also where the search has met none of them or nothing was recorded: what the start is
    /// drawn as.
    fn ends(&mut self, caption: &Caption) -> io::Result<At> {
        let recording = self.recording;
        let (goals, width) = match &recording.place {
            Place::Tiles { goal, .. } => (goal, goal.len()),
            Place::Cells { goals, .. } | Place::Names { goals, .. } => (goals, 1),
        };
        let start = caption.start.as_slice();
        let numbers = numbers(recording, std::iter::once(start).chain(goals.chunks_exact(width)));
        let node = numbers[start];
        let first = recording.events.node.iter().position(|&other| other == node);
        // What is left is not known where nobody has asked.
        let source = At {
            parent: NOBODY,
            ..first.map_or(At { node, parent: NOBODY, paid: 0.0, left: f64::INFINITY }, |first| self.at(first))
        };
        self.event_of("source", source, start, More::default())?;
        for goal in goals.chunks_exact(width) {
            let reached = caption.path.as_ref().is_some_and(|path| path.ends_with(goal));
            let paid = caption.cost.filter(|_| reached).unwrap_or(f64::INFINITY);
            let at = At { node: numbers[goal], parent: NOBODY, paid, left: 0.0 };
            self.event_of("destination", at, goal, More::default())?;
        }
        Ok(source)
    }

    fn events(&mut self, caption: &Caption) -> io::Result<()> {
        let mut open = None;
        for (index, &code) in self.recording.events.what.iter().enumerate() {
            let what = What::ALL[usize::from(code)];
            let at = self.at(index);
            let more = |fate| More { fate: Some(fate), ..More::default() };
            match what {
                What::Iteration => self.bound = Some(at.paid),
                What::Expanded => {
                    self.close(&mut open)?;
                    self.event("expanding", at, More::default())?;
                    open = Some(at).filter(|_| !caption.depth_first);
                }
                What::Cheaper | What::Reopened => self.event("updating", at, more(what.name()))?,
                _ => self.event("generating", at, more(what.name()))?,
            }
        }
        self.close(&mut open)
    }

    /// The state that was taken up last is done with.
    fn close(&mut self, open: &mut Option<At>) -> io::Result<()> {
        open.take().map_or(Ok(()), |at| self.event("closing", at, More::default()))
    }

    /// The end: at the state that was taken up last, or at the start.
    fn end(&mut self, caption: &Caption, source: At) -> io::Result<()> {
        let more = More {
            path: Some(self.path(caption)),
            cut: Some(self.recording.cut),
            answer: Some(&caption.answer),
            ..More::default()
        };
        match self.recording.events.what.iter().rposition(|&what| what == What::Expanded as u8) {
            Some(last) => self.event("end", self.at(last), more),
            None => self.event_of("end", source, &caption.start, more),
        }
    }

    /// The points of the path that was found; of tiles, which lie nowhere, there are none.
    fn path<'c>(&self, caption: &'c Caption) -> Points<'c>
    where
        'a: 'c,
    {
        let place = &self.recording.place;
        let states = caption.path.as_deref().filter(|_| !matches!(place, Place::Tiles { .. }));
        Points { place, states: states.unwrap_or_default() }
    }

    fn at(&self, index: usize) -> At {
        let events = &self.recording.events;
        At {
            node: events.node[index],
            parent: events.parent[index],
            paid: events.paid[index],
            left: events.left[index],
        }
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
            parent: Some(at.parent).filter(|&parent| parent != NOBODY).map(|parent| parent + 1),
            f: Decimal(self.order.of(at.paid, at.left)),
            g: Decimal(at.paid),
            h: Decimal(at.left),
            state: self.shown(state),
            more: More { bound: self.bound.map(Decimal), ..more },
        };
        self.out.write_all(if self.first { b"\n" } else { b",\n" })?;
        self.first = false;
        Ok(serde_json::to_writer(&mut *self.out, &event)?)
    }

    fn shown<'s>(&self, state: &'s [u32]) -> State<'s>
    where
        'a: 's,
    {
        match &self.recording.place {
            Place::Tiles { .. } => State::Tiles { tiles: state },
            Place::Cells { cols, .. } => State::Cell { x: state[0] % cols, y: state[0] / cols },
            Place::Names { names, places, .. } => {
                let [x, y] = lies(places.as_deref(), names.len(), state[0]);
                State::Name { name: names.get(state[0] as usize).map_or("", String::as_str), x, y }
            }
        }
    }
}

/// A number for each of some states: the one under which it was met first, or one that no state has. In one pass, for there
/// may be many goals.
fn numbers<'r>(recording: &'r Recording, states: impl Iterator<Item = &'r [u32]> + Clone) -> HashMap<&'r [u32], u32> {
    let mut numbers: HashMap<&[u32], u32> = states.clone().map(|state| (state, NOBODY)).collect();
    let met = recording.nodes.backward.len() as u32;
    for node in (0..met).rev() {
        if let Some(first) = numbers.get_mut(recording.state(node)) {
            *first = node;
        }
    }
    let mut next = met;
    for state in states {
        if let Some(number) = numbers.get_mut(state).filter(|number| **number == NOBODY) {
            *number = next;
            next += 1;
        }
    }
    numbers
}

/// The states of a path as points.
struct Points<'a> {
    place: &'a Place,
    states: &'a [u32],
}

impl Serialize for Points<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.states.iter().map(|&state| point(self.place, state)))
    }
}
