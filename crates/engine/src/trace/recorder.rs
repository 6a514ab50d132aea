use std::collections::HashMap;

use super::{Counts, Events, NOBODY, Nodes, Place, Recording, What};

/// Records a search, up to a number of events; after that it only counts.
#[derive(Clone, Debug)]
pub struct Recorder {
    recording: Recording,
    most: usize,
    /// The numbers of states, by the numbers that the search gave them and the end that they were reached from.
    known: HashMap<(u64, bool), u32>,
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
    pub(crate) paid: f64,
    /// What the heuristic says is left; nothing at a dead end.
    pub(crate) left: Option<f64>,
}

impl Recorder {
    /// A recorder of at most so many events.
    pub fn new(place: Place, most: usize) -> Self {
        Self {
            recording: Recording {
                place,
                nodes: Nodes::default(),
                events: Events::default(),
                counts: Counts::default(),
                cut: false,
            },
            most,
            known: HashMap::new(),
        }
    }

    /// What was recorded.
    pub fn finish(self) -> Recording {
        self.recording
    }

    /// A state is taken up or produced. Its numbers are asked for only if it is to be written.
    pub(crate) fn note<S: Iterator<Item = u32>>(&mut self, what: What, shown: &Shown, state: impl FnOnce() -> S) {
        let counts = &mut self.recording.counts;
        match what {
            What::Expanded => counts.expanded += 1,
            _ => counts.generated += 1,
        }
        if self.is_full() {
            return;
        }
        let node = self.number(shown, state);
        let parent = shown.parent.and_then(|id| self.known.get(&(id, shown.backward)).copied());
        self.push(what, node, parent.unwrap_or(NOBODY), shown.paid, shown.left.unwrap_or(f64::INFINITY));
    }

    /// An iteration begins that looks no further than this.
    pub(crate) fn iteration(&mut self, bound: f64) {
        self.recording.counts.iterations += 1;
        if !self.is_full() {
            self.push(What::Iteration, NOBODY, NOBODY, bound, 0.0);
        }
    }

    fn is_full(&mut self) -> bool {
        let full = self.recording.events.what.len() >= self.most;
        self.recording.cut |= full;
        full
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

    fn push(&mut self, what: What, node: u32, parent: u32, paid: f64, left: f64) {
        let events = &mut self.recording.events;
        events.what.push(what as u8);
        events.node.push(node);
        events.parent.push(parent);
        events.paid.push(paid);
        events.left.push(left);
    }
}
