use std::collections::HashMap;

use pintu_search::{Bound, Control, Counters, Fate, Hold, Limits, Node, Stop, Tree as SearchTree};

use super::{Counts, Domain, EventBudget, EventKind, Events, NO_NODE, Nodes, Recording, Tree};
use crate::path::PathCost;

/// Records a search, as long as the budget and the memory have room; after that it only counts.
#[derive(Debug)]
pub(crate) struct Recorder {
    recording: Recording,
    budget: EventBudget,
    depth_first: bool,
    /// The bytes of the recording, asked for before it grows.
    hold: Hold,
    /// The numbers of states in the recording, by their numbers in the search and the end that they were reached from.
    known: HashMap<(u64, bool), u32>,
    /// The states that the search had expanded at the last event.
    expanded: u64,
}

/// A node of a search, with costs as they are recorded.
pub(super) struct RecordedNode {
    pub(super) id: u64,
    pub(super) parent: Option<u64>,
    pub(super) backward: bool,
    pub(super) paid: PathCost,
    pub(super) left: PathCost,
}

impl RecordedNode {
    fn of<St, C: Copy>(node: &Node<'_, St, C>, cost: impl Fn(C) -> PathCost) -> Self {
        Self {
            id: node.id,
            parent: node.parent,
            backward: node.tree == SearchTree::Backward,
            paid: cost(node.cost),
            left: node.estimate.map_or(PathCost::of(f64::INFINITY), &cost),
        }
    }
}

const EVENT_BYTES: usize = size_of::<u8>() + 2 * size_of::<u32>() + 2 * size_of::<PathCost>();

impl Recorder {
    /// A recorder for a search under a control. It takes at most half of the memory left there, including that for
    /// writing the recording later; the search has the rest.
    pub(super) fn new(domain: Domain, budget: &EventBudget, depth_first: bool, control: &Control) -> Self {
        budget.begin(domain.goals());
        let memory = Some(control.room(u64::MAX) / 2);
        let recording = Recording {
            domain,
            nodes: Nodes::default(),
            events: Events::default(),
            counts: Counts::default(),
            cut: false,
        };
        let hold = control.part(Limits::none().memory(memory)).hold();
        Self { recording, budget: budget.clone(), depth_first, hold, known: HashMap::new(), expanded: 0 }
    }

    /// The recording of a search with these counts, and the memory that it takes.
    pub(super) fn finish(self, counted: &Counters) -> (Recording, Hold) {
        let Self { mut recording, known, mut hold, .. } = self;
        hold.less(bytes_of_map(known.capacity()));
        drop(known);
        recording.counts.expanded = counted.expanded;
        recording.counts.generated = counted.generated;
        (recording, hold)
    }

    pub(super) fn expand<St, C: Copy, S: Iterator<Item = u32>>(
        &mut self,
        node: &Node<'_, St, C>,
        so_far: &Counters,
        cost: impl Fn(C) -> PathCost,
        state: impl FnOnce() -> S,
    ) {
        // The state is counted already. So a second run that expands its first state is recognised as a new one.
        self.follow(so_far.expanded.saturating_sub(1), so_far.expanded);
        self.note(EventKind::Expanded, &RecordedNode::of(node, cost), state);
    }

    pub(super) fn generate<St, C: Copy, S: Iterator<Item = u32>>(
        &mut self,
        node: &Node<'_, St, C>,
        fate: Fate,
        cost: impl Fn(C) -> PathCost,
        state: impl FnOnce() -> S,
    ) {
        let what = match fate {
            Fate::New => EventKind::New,
            Fate::Cheaper => EventKind::Cheaper,
            Fate::Reopened => EventKind::Reopened,
            Fate::Cut => EventKind::Cut,
            Fate::DeadEnd => EventKind::DeadEnd,
            Fate::Overflow => EventKind::Overflow,
            // Any other fate means that the state is not followed.
            _ => EventKind::Known,
        };
        self.note(what, &RecordedNode::of(node, cost), state);
    }

    /// Records that an iteration to this bound begins.
    pub(super) fn iterate<C>(&mut self, bound: Bound<C>, so_far: &Counters, cost: impl Fn(C) -> PathCost) {
        self.follow(so_far.expanded, so_far.expanded);
        self.iteration(bound_as(bound, cost));
    }

    /// Called for each event of a search, which had expanded `before` states then and has expanded `now`. If that is
    /// less than at an earlier event, the search has started again, with 64-bit costs or another goal. Its final counts
    /// are those from here on, and so is the recording.
    fn follow(&mut self, before: u64, now: u64) {
        if before < self.expanded {
            let Recording { nodes, events, counts, cut, .. } = &mut self.recording;
            nodes.states.clear();
            nodes.backward.clear();
            events.clear();
            (*counts, *cut) = (Counts::default(), false);
            self.known.clear();
            self.budget.begin(self.recording.domain.goals());
        }
        self.expanded = now;
    }

    /// Records that a state is expanded or generated. Its numbers are computed only if it is written.
    pub(super) fn note<S: Iterator<Item = u32>>(
        &mut self,
        what: EventKind,
        shown: &RecordedNode,
        state: impl FnOnce() -> S,
    ) {
        if self.is_full(what) {
            return;
        }
        let node = self.number(shown, state);
        let parent = shown.parent.and_then(|id| self.known.get(&(id, shown.backward)).copied());
        self.push(what, node, parent.unwrap_or(NO_NODE), shown.paid, shown.left);
    }

    pub(super) fn iteration(&mut self, bound: PathCost) {
        self.recording.counts.iterations += 1;
        if !self.is_full(EventKind::Iteration) {
            self.push(EventKind::Iteration, NO_NODE, NO_NODE, bound, PathCost::whole(0));
        }
    }

    /// Whether there is no room for another event. Nothing is recorded after an event that is missing.
    fn is_full(&mut self, what: EventKind) -> bool {
        if !self.recording.cut && (self.make_room().is_err() || !self.budget.spend(what, self.depth_first)) {
            self.recording.cut = true;
            self.budget.cut();
        }
        self.recording.cut
    }

    /// Makes room for an event and a state, if there is memory for that.
    fn make_room(&mut self) -> Result<(), Stop> {
        let Self { recording: Recording { nodes, events, domain, .. }, known, hold, budget, .. } = self;
        let length = events.what.len();
        if length == events.what.capacity() {
            let more = grown(length).min(budget.max().max(length + 1)) - length;
            hold.more((more * EVENT_BYTES) as u64)?;
            events.reserve(more);
        }
        let (count, width) = (nodes.backward.len(), domain.width());
        if count == nodes.backward.capacity() {
            let more = grown(count) - count;
            let each = width * size_of::<u32>() + size_of::<bool>() + Tree::BYTES_OF_NODE;
            hold.more((more * each) as u64)?;
            nodes.states.reserve_exact(more * width);
            nodes.backward.reserve_exact(more);
        }
        if known.len() == known.capacity() {
            let before = bytes_of_map(known.capacity());
            // The old map exists until the new one is filled.
            hold.more(bytes_of_map(grown(known.len())))?;
            known.reserve(grown(known.len()) - known.len());
            hold.less(before);
        }
        Ok(())
    }

    fn number<S: Iterator<Item = u32>>(&mut self, shown: &RecordedNode, state: impl FnOnce() -> S) -> u32 {
        let Recording { nodes, .. } = &mut self.recording;
        let next = nodes.backward.len() as u32;
        *self.known.entry((shown.id, shown.backward)).or_insert_with(|| {
            nodes.states.extend(state());
            nodes.backward.push(shown.backward);
            next
        })
    }

    fn push(&mut self, what: EventKind, node: u32, parent: u32, paid: PathCost, left: PathCost) {
        let events = &mut self.recording.events;
        events.what.push(what as u8);
        events.node.push(node);
        events.parent.push(parent);
        events.paid.push(paid);
        events.left.push(left);
    }
}

pub(super) fn bound_as<C>(bound: Bound<C>, cost: impl Fn(C) -> PathCost) -> PathCost {
    match bound {
        Bound::Cost(bound) => cost(bound),
        Bound::Steps(steps) => PathCost::whole(steps),
    }
}

/// The capacity to grow to when `length` elements fill a list.
fn grown(length: usize) -> usize {
    (length * 2).max(256)
}

/// The bytes of a hash map with room for `capacity` states: a power of two of slots, of which an eighth stays free.
fn bytes_of_map(capacity: usize) -> u64 {
    let places = if capacity == 0 { 0 } else { (capacity * 8).div_ceil(7).next_power_of_two() };
    (places * (size_of::<((u64, bool), u32)>() + 1)) as u64
}
