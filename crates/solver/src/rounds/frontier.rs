//! A* as far as memory and time allow: its open states are where the depth-first searches begin.
//!
//! IDA* meets the same state again and again by different ways. What A* has closed is searched no
//! more, and each open state is searched from once, by the shortest way to it. So the larger the
//! frontier, the fewer the states searched, and the nearer to the goal are those from which the last search
//! begins; and its parts are what threads share out.

use std::ops::ControlFlow::{self, Continue};

use pintu_search::{Hold, Meter, Stop};

use crate::{
    machine::Machine,
    views::{Batch, Cells, Layout, MOST, Mask, State, WIDTH},
};

/// The states that A* has met, each stored once. Their slack is what [`FAR`] leaves of the least length of a
/// solution through them.
pub(crate) struct Frontier<'a, M: Mask, const CELLS: usize, const LANES: usize> {
    layout: &'a Layout<'a>,
    batch: Batch<'a, M, CELLS, LANES>,
    states: Vec<State<M, CELLS, LANES>>,
    marks: Vec<Mark>,
    /// Open addressing: half of a state's hash, and below it the index.
    slots: Vec<u64>,
    hold: Hold,
    /// How many states it has room for.
    room: usize,
    /// Open states by the least length of a solution through them; stale entries are skipped.
    open: Vec<Vec<u32>>,
}

#[derive(Clone, Copy)]
struct Mark {
    parent: u32,
    /// The blank's cell, and that before the last move.
    blank: u8,
    before: u8,
    closed: bool,
}

/// How far A* came.
pub(crate) enum Grown {
    /// It found the goal.
    Solved(u32),
    /// It holds as many states as it may.
    Full,
}

/// The least room that is made.
const LEAST_ROOM: usize = 512;
/// Entries of the queue that a state takes: stale ones, and room to grow.
const QUEUED: usize = 4;
const NONE: u32 = u32::MAX;
const NO_CELL: u8 = u8::MAX;
const EMPTY: u64 = u64::MAX;
/// Longer than any solution.
const FAR: u32 = 1 << 14;

impl<'a, M: Mask, const CELLS: usize, const LANES: usize> Frontier<'a, M, CELLS, LANES> {
    /// Nothing if the tables are not laid out for it.
    pub(crate) fn new(layout: &'a Layout<'a>, board: &Cells, blank: usize, hold: Hold) -> Option<Self> {
        let mut frontier = Self {
            layout,
            batch: Batch::new(layout)?,
            states: Vec::new(),
            marks: Vec::new(),
            slots: vec![EMPTY; 4],
            hold,
            room: 1,
            open: Vec::new(),
        };
        let start = State::new(layout, board, &layout.moves(board), FAR as u16);
        let mark = Mark { parent: NONE, blank: blank as u8, before: NO_CELL, closed: false };
        frontier.reach(&start, start.hash(), mark);
        Some(frontier)
    }

    /// How many states it holds.
    pub(crate) fn len(&self) -> usize {
        self.marks.len()
    }

    /// The bytes that it holds.
    pub(crate) fn bytes(&self) -> u64 {
        self.hold.bytes()
    }

    /// The bytes that a state takes, its share of the slots and of the queue included.
    pub(crate) const BYTES_A_STATE: usize =
        size_of::<State<M, CELLS, LANES>>() + size_of::<Mark>() + 3 * size_of::<u64>() + 2 * size_of::<u32>();

    /// Goes on with A* until it holds so many states.
    pub(crate) fn grow(&mut self, most: usize, machine: &Machine, meter: &mut Meter<'_>) -> ControlFlow<Stop, Grown> {
        while self.len() < most && self.make_room(most).is_continue() {
            let mut ids = [NONE; WIDTH];
            let wanted = self.pop(&mut ids);
            if wanted == 0 {
                break;
            }
            let granted = meter.expand_some(wanted);
            let count = if let Continue(count) = granted { count } else { 0 };
            self.put_back(&ids[count..wanted]);
            granted?;
            if let Some(&id) = ids[..count].iter().find(|&&id| self.states[id as usize].is_goal()) {
                return Continue(Grown::Solved(id));
            }
            meter.counters.generated += self.expand(&ids[..count], machine) as u64;
        }
        Continue(Grown::Full)
    }

    /// By how much at least the bound must rise for another open state to be searched from.
    pub(crate) fn shortfall(&self, bound: u32) -> u32 {
        self.lengths().filter(|&least| least > bound).min().unwrap_or(u32::MAX) - bound
    }

    /// The open states through which a solution may be as short as `bound`, those nearest to the goal
    /// first.
    pub(crate) fn roots(&self, bound: u32) -> Vec<u32> {
        let within = |id: &u32| !self.marks[*id as usize].closed && self.length(&self.states[*id as usize]) <= bound;
        let mut roots: Vec<u32> = (0..self.len() as u32).filter(within).collect();
        let left = |&id: &u32| self.layout.sums(&self.states[id as usize].moves).max();
        roots.sort_by_cached_key(left);
        roots
    }

    /// An open state to search from, as far as a bound. The moves before the last are not counted in by the
    /// machine: what A* keeps of several ways to a state is not what the machine would keep.
    pub(crate) fn root(&self, id: u32, bound: u32, machine: &Machine) -> State<M, CELLS, LANES> {
        let mut state = self.states[id as usize];
        for slack in &mut state.slack {
            *slack -= (FAR - bound) as i16;
        }
        state.machine = self.marks[id as usize].machine_state(machine);
        state
    }

    /// The open states: the number of each, what lies in its cells, the moves that were made to it, and the blank's cell
    /// before the last of them, if there was one.
    pub(crate) fn open(&self) -> impl Iterator<Item = (u32, &[u8], u32, Option<u8>)> {
        let all = (0..).zip(self.marks.iter().zip(&self.states));
        all.filter(|(_, (mark, _))| !mark.closed).map(|(id, (mark, state))| {
            let left = self.layout.sums(&state.moves).next().unwrap_or(0);
            let made = FAR - u32::from(state.slack[0].unsigned_abs()) - u32::from(left);
            (id, &state.board[..self.layout.cells], made, (mark.before != NO_CELL).then_some(mark.before))
        })
    }

    /// For each state, the one before it and the blank's cell.
    pub(crate) fn links(&self) -> impl Iterator<Item = (u32, u8)> {
        self.marks.iter().map(|mark| (mark.parent, mark.blank))
    }

    /// The cells that the blank went to on the way to a state.
    pub(crate) fn path(&self, mut id: u32) -> Vec<u8> {
        let mut cells = Vec::new();
        while self.marks[id as usize].parent != NONE {
            cells.push(self.marks[id as usize].blank);
            id = self.marks[id as usize].parent;
        }
        cells.reverse();
        cells
    }

    /// The least length of a solution through each open state.
    fn lengths(&self) -> impl Iterator<Item = u32> {
        let open = self.marks.iter().zip(&self.states).filter(|(mark, _)| !mark.closed);
        open.map(|(_, state)| self.length(state))
    }

    /// The least length of a solution through a state.
    fn length(&self, state: &State<M, CELLS, LANES>) -> u32 {
        let slack = state.slack[..self.layout.views.len()].iter().min();
        FAR - slack.map_or(0, |&slack| u32::from(slack.unsigned_abs()))
    }

    /// Takes open states off the queue, all with the same least length; says how many.
    fn pop(&mut self, ids: &mut [u32; WIDTH]) -> usize {
        let mut count = 0;
        for bucket in &mut self.open {
            while count < WIDTH
                && let Some(id) = bucket.pop()
            {
                if !self.marks[id as usize].closed {
                    self.marks[id as usize].closed = true;
                    ids[count] = id;
                    count += 1;
                }
            }
            if count > 0 {
                break;
            }
        }
        count
    }

    fn put_back(&mut self, ids: &[u32]) {
        for &id in ids {
            self.marks[id as usize].closed = false;
            let length = self.length(&self.states[id as usize]);
            self.open[length as usize].push(id);
        }
    }

    /// Reaches the successors of states; says how many they are.
    fn expand(&mut self, ids: &[u32], machine: &Machine) -> usize {
        for (here, &id) in self.batch.hand.iter_mut().zip(ids) {
            *here = self.states[id as usize];
            here.machine = self.marks[id as usize].machine_state(machine);
        }
        let made = self.batch.make_children(ids.len(), machine);
        self.batch.look_up_any();
        let mut reached = Vec::with_capacity(made);
        for (at, child) in self.batch.children() {
            let mut state = self.batch.hand[usize::from(child.of)];
            self.batch.step((at, child), &mut state);
            let (blank, before) = (child.step.to, child.step.slide / 4);
            reached.push((
                state,
                state.hash(),
                Mark { parent: ids[usize::from(child.of)], blank, before, closed: false },
            ));
        }
        for (state, hash, mark) in &reached {
            self.reach(state, *hash, *mark);
        }
        made
    }

    /// A way to a state has been found: keeps it if it is the first or the shortest.
    fn reach(&mut self, state: &State<M, CELLS, LANES>, hash: u64, mark: Mark) {
        let tag = hash >> 32 << 32;
        let mut slot = hash as usize % self.slots.len();
        let id = loop {
            let held = self.slots[slot];
            let id = held as u32;
            if held == EMPTY {
                let id = self.marks.len() as u32;
                self.slots[slot] = tag | u64::from(id);
                self.states.push(*state);
                self.marks.push(mark);
                break id;
            }
            if held >> 32 << 32 == tag && self.states[id as usize].board == state.board {
                // The more is left, the shorter was the way.
                if self.states[id as usize].slack[0] >= state.slack[0] {
                    return;
                }
                self.states[id as usize] = *state;
                self.marks[id as usize] = mark;
                break id;
            }
            slot = (slot + 1) % self.slots.len();
        };
        let bucket = self.length(state) as usize;
        if self.open.len() <= bucket {
            self.open.resize_with(bucket + 1, Vec::new);
        }
        self.open[bucket].push(id);
    }

    /// Sees to it that the successors of a batch find room, asking for the bytes first. If they are refused, nothing has
    /// changed.
    fn make_room(&mut self, most: usize) -> ControlFlow<Stop> {
        if self.len() + MOST <= self.room {
            return Continue(());
        }
        let room = (2 * self.room).clamp(LEAST_ROOM, most.max(LEAST_ROOM)) + MOST;
        let slots = (2 * room).next_power_of_two();
        let each = size_of::<State<M, CELLS, LANES>>() + size_of::<Mark>() + QUEUED * size_of::<u32>();
        let bytes = (room * each + slots * size_of::<u64>()) as u64;
        // While the states move, they are there twice.
        self.hold.set(bytes + (self.room * size_of::<State<M, CELLS, LANES>>()) as u64)?;
        self.states.reserve_exact(room - self.len());
        self.marks.reserve_exact(room - self.marks.len());
        self.rehash(slots);
        self.room = room;
        self.hold.set(bytes)
    }

    fn rehash(&mut self, slots: usize) {
        // The old ones go before the new ones come.
        self.slots = Vec::new();
        self.slots = vec![EMPTY; slots];
        for (id, state) in (0_u64..).zip(&self.states) {
            let hash = state.hash();
            let mut slot = hash as usize % self.slots.len();
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) % self.slots.len();
            }
            self.slots[slot] = hash >> 32 << 32 | id;
        }
    }
}

impl Mark {
    /// The machine's state after the last move.
    fn machine_state(self, machine: &Machine) -> u16 {
        let start = machine.start(usize::from(self.blank));
        if self.before == NO_CELL {
            return start;
        }
        let steps = machine.fan(machine.start(usize::from(self.before))).steps();
        steps.iter().find(|step| step.to == self.blank).map_or(start, |step| step.next)
    }
}
