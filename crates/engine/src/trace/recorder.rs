use std::{
    collections::HashMap,
    ops::ControlFlow::{self, Continue},
};

use pintu_search::{Control, Counters, Hold, Limits, Stop};

use super::{Costs, Counts, Events, NOBODY, Nodes, Place, Recording, Tape, Tree, What};
use crate::path::PathCost;

/// Records a search, as long as the tape and the memory have room; after that it only counts.
#[derive(Debug)]
pub struct Recorder {
    recording: Recording,
    tape: Tape,
    /// What it holds, entered before it grows.
    hold: Hold,
    /// The numbers of states, by the numbers that the search gave them and the end that they were reached from.
    known: HashMap<(u64, bool), u32>,
    /// What the search had expanded when it was last seen.
    expanded: u64,
}

/// A state as a search shows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    /// The search's number for it.
    pub(crate) id: u64,
    /// The search's number for the state that it came from.
    pub(crate) parent: Option<u64>,
    /// Whether it was reached from a goal.
    pub(crate) backward: bool,
    /// What was paid to get there.
    pub(crate) paid: PathCost,
    /// What the heuristic says is left; nothing at a dead end.
    pub(crate) left: Option<PathCost>,
}

/// Bytes of an event.
const EVENT: usize = size_of::<u8>() + 2 * size_of::<u32>() + 2 * size_of::<f64>();

impl Recorder {
    /// A recorder for a search under a control. It takes half of the memory that is left there at most, what it takes to
    /// write the recording later included; the search has the rest.
    pub fn new(place: Place, tape: &Tape, control: &Control) -> Self {
        let memory = Some(control.room(u64::MAX) / 2);
        let recording = Recording {
            place,
            nodes: Nodes::default(),
            events: Events::default(),
            counts: Counts::default(),
            cut: false,
        };
        let hold = control.part(Limits { memory, ..Limits::default() }).hold();
        Self { recording, tape: tape.clone(), hold, known: HashMap::new(), expanded: 0 }
    }

    /// What was recorded of a search that has counted this, and the memory that it takes.
    pub fn finish(self, counted: &Counters) -> (Recording, Hold) {
        let Self { mut recording, known, mut hold, .. } = self;
        hold.less(bytes_of_map(known.capacity()));
        drop(known);
        recording.counts.expanded = counted.expanded;
        recording.counts.generated = counted.generated;
        (recording, hold)
    }

    /// A search shows itself, which had expanded `before` when this happened and has expanded `now`. Where that is less than
    /// it was seen to have expanded, it has begun again: with wider numbers, or to another goal. What it counts in the end
    /// is what it does from here, and so is the recording.
    pub(crate) fn follow(&mut self, before: u64, now: u64) {
        if before < self.expanded {
            let Recording { nodes, events, counts, cut, .. } = &mut self.recording;
            nodes.states.clear();
            nodes.backward.clear();
            events.clear();
            (*counts, *cut) = (Counts::default(), false);
            self.known.clear();
        }
        self.expanded = now;
    }

    /// A state is taken up or produced. Its numbers are asked for only if it is to be written.
    pub(crate) fn note<S: Iterator<Item = u32>>(&mut self, what: What, shown: &Shown, state: impl FnOnce() -> S) {
        let costs = Costs { paid: shown.paid, left: shown.left.unwrap_or(PathCost::Decimal(f64::INFINITY)) };
        if self.is_full(costs) {
            return;
        }
        let node = self.number(shown, state);
        let parent = shown.parent.and_then(|id| self.known.get(&(id, shown.backward)).copied());
        self.push(what, node, parent.unwrap_or(NOBODY), costs);
    }

    /// An iteration begins that looks no further than this.
    pub(crate) fn iteration(&mut self, bound: PathCost) {
        self.recording.counts.iterations += 1;
        let costs = Costs { paid: bound, left: PathCost::Whole(0) };
        if !self.is_full(costs) {
            self.push(What::Iteration, NOBODY, NOBODY, costs);
        }
    }

    /// Whether there is no room for another event. Nothing is recorded after an event that is missing.
    fn is_full(&mut self, costs: Costs) -> bool {
        let length = self.recording.len();
        if !self.recording.cut && (length >= self.tape.most() || self.make_room(costs).is_break()) {
            self.recording.cut = true;
            self.tape.note(length, true);
        }
        self.recording.cut
    }

    /// Makes room for an event and a state, if there is memory for that.
    fn make_room(&mut self, costs: Costs) -> ControlFlow<Stop> {
        let Self { recording: Recording { nodes, events, place, .. }, known, hold, tape, .. } = self;
        let length = events.what.len();
        if length == events.what.capacity() {
            let more = grown(length).min(tape.most()) - length;
            hold.more((more * EVENT) as u64)?;
            events.reserve(more);
        }
        let exact = events.exact.len();
        if costs.exceed_floats() && exact == events.exact.capacity() {
            hold.reserve(&mut events.exact, grown(exact))?;
        }
        let (count, width) = (nodes.backward.len(), place.width());
        if count == nodes.backward.capacity() {
            let more = grown(count) - count;
            let each = width * size_of::<u32>() + size_of::<bool>() + Tree::BYTES_OF_NODE;
            hold.more((more * each) as u64)?;
            nodes.states.reserve_exact(more * width);
            nodes.backward.reserve_exact(more);
        }
        if known.len() == known.capacity() {
            let before = bytes_of_map(known.capacity());
            // The old one is there until the new one is filled.
            hold.more(bytes_of_map(grown(known.len())))?;
            known.reserve(grown(known.len()) - known.len());
            hold.less(before);
        }
        Continue(())
    }

    fn number<S: Iterator<Item = u32>>(&mut self, shown: &Shown, state: impl FnOnce() -> S) -> u32 {
        let Recording { nodes, .. } = &mut self.recording;
        let next = nodes.backward.len() as u32;
        *self.known.entry((shown.id, shown.backward)).or_insert_with(|| {
            nodes.states.extend(state());
            nodes.backward.push(shown.backward);
            next
        })
    }

    fn push(&mut self, what: What, node: u32, parent: u32, costs: Costs) {
        let events = &mut self.recording.events;
        if costs.exceed_floats() {
            events.exact.push((events.what.len(), costs));
        }
        events.what.push(what as u8);
        events.node.push(node);
        events.parent.push(parent);
        events.paid.push(costs.paid.value());
        events.left.push(costs.left.value());
        self.tape.note(events.what.len(), false);
    }
}

/// For how many there is to be room, when there is none left for more than so many.
fn grown(length: usize) -> usize {
    (length * 2).max(256)
}

/// The bytes of a map that has room for so many states: a power of two of places, of which an eighth stays free.
fn bytes_of_map(capacity: usize) -> u64 {
    let places = if capacity == 0 { 0 } else { (capacity * 8).div_ceil(7).next_power_of_two() };
    (places * (size_of::<((u64, bool), u32)>() + 1)) as u64
}
