//! A* as far as memory and time allow: its open states are where the depth-first searches begin.
//!
//! IDA* generates the same state again and again by different paths. States that A* has closed are not searched again,
//! and each open state is searched from once, by its shortest path. So the larger the frontier, the fewer states are
//! searched, and the nearer to the goal the last search begins. Threads share the frontier's states.

use pintu_search::{Control, Hold, Meter, Stop};
use pintu_tiles::Puzzle;

use crate::{
    pruning::Automaton,
    solved::{BestKnown, FoundBy, Solved},
    tables::Tables,
    views::{Batch, Cells, Layout, MOST, Mask, Options, SizedSearch, State, Task, WIDTH, search},
};

/// The states that A* has generated, each stored once. Their slack is what [`FAR`] leaves of the least length of a
/// solution through them.
pub(crate) struct Frontier<'a, M: Mask, const CELLS: usize, const GROUPS: usize> {
    layout: &'a Layout<'a>,
    batch: Batch<'a, M, CELLS, GROUPS>,
    states: Vec<State<M, CELLS, GROUPS>>,
    marks: Vec<Mark>,
    /// Open addressing: half of a state's hash, and below it the index.
    slots: Vec<u64>,
    hold: Hold,
    room: usize,
    /// Open states by the least length of a solution through them; stale entries are skipped.
    open: Vec<Vec<u32>>,
}

#[derive(Clone, Copy)]
struct Mark {
    parent: u32,
    /// The blank's cell, and its cell before the last move.
    blank: u8,
    before: u8,
    closed: bool,
}

const MIN_ROOM: usize = 512;
/// Entries of the queue that a state takes: stale ones, and room to grow.
const ENTRIES_PER_STATE: usize = 4;
const NONE: u32 = u32::MAX;
const NO_CELL: u8 = u8::MAX;
const EMPTY: u64 = u64::MAX;
/// Longer than any solution.
const FAR: u32 = 1 << 14;

impl<'a, M: Mask, const CELLS: usize, const GROUPS: usize> Frontier<'a, M, CELLS, GROUPS> {
    /// Holds the start alone.
    pub(crate) fn new(layout: &'a Layout<'a>, board: &Cells, blank: usize, hold: Hold) -> Self {
        let mut frontier = Self {
            layout,
            batch: Batch::new(layout),
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
        frontier
    }

    pub(crate) fn len(&self) -> usize {
        self.marks.len()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.hold.bytes()
    }

    /// The bytes that a state takes, its share of the slots and of the queue included.
    pub(crate) const BYTES_A_STATE: usize =
        size_of::<State<M, CELLS, GROUPS>>() + size_of::<Mark>() + 3 * size_of::<u64>() + 2 * size_of::<u32>();

    /// Goes on with A* until it holds `most` states; returns the goal if it is met before.
    pub(crate) fn grow(
        &mut self,
        most: usize,
        automaton: &Automaton,
        meter: &mut Meter<'_>,
    ) -> Result<Option<u32>, Stop> {
        while self.len() < most && self.make_room(most).is_ok() {
            let mut ids = [NONE; WIDTH];
            let wanted = self.pop(&mut ids);
            if wanted == 0 {
                break;
            }
            let granted = meter.expand_some(wanted);
            let count = granted.unwrap_or_default();
            self.put_back(&ids[count..wanted]);
            granted?;
            if let Some(&id) = ids[..count].iter().find(|&&id| self.states[id as usize].is_goal()) {
                return Ok(Some(id));
            }
            meter.generate(self.expand(&ids[..count], automaton) as u64);
        }
        Ok(None)
    }

    /// The least rise of the bound that lets another open state be searched from.
    pub(crate) fn shortfall(&self, bound: u32) -> u32 {
        let open = self.marks.iter().zip(&self.states).filter(|(mark, _)| !mark.closed);
        let lengths = open.map(|(_, state)| self.length(state));
        lengths.filter(|&length| length > bound).min().unwrap_or(u32::MAX) - bound
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

    /// The moves that the groups of a state need.
    pub(crate) fn estimates(&self, id: u32) -> &[u8] {
        &self.states[id as usize].moves[..self.layout.groups.len()]
    }

    /// An open state to search from, as far as a bound. It enters the automaton with the last move alone; that this loses no
    /// optimum is [proved](crate::pruning) there.
    pub(crate) fn root(&self, id: u32, bound: u32, automaton: &Automaton) -> State<M, CELLS, GROUPS> {
        let mut state = self.states[id as usize];
        for slack in &mut state.slack {
            *slack -= (FAR - bound) as i16;
        }
        state.automaton = self.marks[id as usize].automaton_state(automaton);
        state
    }

    /// The open states, for another engine to search from.
    fn export(&self) -> FrontierStates {
        let links = self.marks.iter().map(|mark| (mark.parent, mark.blank)).collect();
        let mut states = FrontierStates { cells: self.layout.cells, links, ..FrontierStates::default() };
        for (id, (mark, state)) in (0..).zip(self.marks.iter().zip(&self.states)) {
            if mark.closed {
                continue;
            }
            let left = self.layout.sums(&state.moves).next().unwrap_or(0);
            let made = FAR - u32::from(state.slack[0].unsigned_abs()) - u32::from(left);
            states.boards.extend(&state.board[..self.layout.cells]);
            states.made.push((made, (mark.before != NO_CELL).then_some(mark.before)));
            states.ids.push(id);
        }
        states
    }

    pub(crate) fn path(&self, id: u32) -> Vec<u8> {
        path_to(id, |id| (self.marks[id].parent, self.marks[id].blank))
    }

    /// The least length of a solution through a state.
    fn length(&self, state: &State<M, CELLS, GROUPS>) -> u32 {
        let slack = state.slack[..self.layout.views.len()].iter().min();
        FAR - slack.map_or(0, |&slack| u32::from(slack.unsigned_abs()))
    }

    /// Takes open states off the queue, all with the same least length; returns how many.
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

    /// Generates the successors of states; returns how many they are.
    fn expand(&mut self, ids: &[u32], automaton: &Automaton) -> usize {
        for (here, &id) in self.batch.states.iter_mut().zip(ids) {
            *here = self.states[id as usize];
            here.automaton = self.marks[id as usize].automaton_state(automaton);
        }
        let made = self.batch.generate(ids.len(), automaton);
        self.batch.look_up_any();
        let mut reached = Vec::with_capacity(made);
        for (at, child) in self.batch.children() {
            let mut state = self.batch.states[usize::from(child.of)];
            self.batch.step((at, child), &mut state);
            let (blank, before) = (child.step.to, child.step.slide / 4);
            let mark = Mark { parent: ids[usize::from(child.of)], blank, before, closed: false };
            reached.push((state, state.hash(), mark));
        }
        for (state, hash, mark) in &reached {
            self.reach(state, *hash, *mark);
        }
        made
    }

    /// Stores a path to a state if it is the first or the shortest.
    fn reach(&mut self, state: &State<M, CELLS, GROUPS>, hash: u64, mark: Mark) {
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
                // The more slack is left, the shorter is the path.
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

    /// Makes room for the successors of a batch, asking for the bytes first. If they are refused, nothing has changed.
    fn make_room(&mut self, most: usize) -> Result<(), Stop> {
        if self.len() + MOST <= self.room {
            return Ok(());
        }
        let room = (2 * self.room).clamp(MIN_ROOM, most.max(MIN_ROOM)) + MOST;
        let slots = (2 * room).next_power_of_two();
        let each = size_of::<State<M, CELLS, GROUPS>>() + size_of::<Mark>() + ENTRIES_PER_STATE * size_of::<u32>();
        let bytes = (room * each + slots * size_of::<u64>()) as u64;
        // While states are copied to a larger vector, both vectors exist.
        self.hold.set(bytes + (self.room * size_of::<State<M, CELLS, GROUPS>>()) as u64)?;
        self.states.reserve_exact(room - self.len());
        self.marks.reserve_exact(room - self.marks.len());
        self.rehash(slots);
        self.room = room;
        self.hold.set(bytes)
    }

    fn rehash(&mut self, slots: usize) {
        // The old slots are freed before the new ones are allocated.
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
    fn automaton_state(self, automaton: &Automaton) -> u16 {
        let start = Automaton::start(usize::from(self.blank));
        if self.before == NO_CELL {
            return start;
        }
        let steps = automaton.transitions(Automaton::start(usize::from(self.before))).steps();
        steps.iter().find(|step| step.to == self.blank).map_or(start, |step| step.next)
    }
}

/// The open states of an A*, each with its shortest known path. Every optimal solution passes through at least one of these
/// states.
///
/// Boards are in [normal form](crate::tables::NormalForm), and tiles are named by their goal cells.
#[derive(Clone, Debug, Default)]
pub struct FrontierStates {
    /// The cells of a board.
    pub cells: usize,
    /// The tiles in the cells of each state, one state's after the other's.
    pub boards: Vec<u8>,
    /// The moves made to each state, and the blank's cell before the last of them.
    pub made: Vec<(u32, Option<u8>)>,
    /// The number of each state among the links.
    ids: Vec<u32>,
    /// For every state, open or closed, its parent and the blank's cell.
    links: Vec<(u32, u8)>,
}

impl FrontierStates {
    /// The tiles in the cells of a state.
    pub fn board(&self, index: usize) -> &[u8] {
        &self.boards[index * self.cells..][..self.cells]
    }

    /// The cells, in normal form, of the blank's path to a state.
    pub fn path(&self, index: usize) -> Vec<u8> {
        path_to(self.ids[index], |id| self.links[id])
    }
}

/// The cells of the blank's path to a state, by the links of each state to its parent.
fn path_to(mut id: u32, link: impl Fn(usize) -> (u32, u8)) -> Vec<u8> {
    let mut cells = Vec::new();
    while let (parent, blank) = link(id as usize)
        && parent != NONE
    {
        cells.push(blank);
        id = parent;
    }
    cells.reverse();
    cells
}

/// Grows a frontier of `most` states on tables that serve the puzzle, unless the puzzle is solved before, with the fewest
/// moves, or the control ends it.
pub fn grow_frontier(
    puzzle: &Puzzle,
    tables: &Tables,
    control: &Control,
    most: usize,
) -> Result<FrontierStates, Solved> {
    let mut states = None;
    let options = Options { threads: 1, known: None };
    let ended = search(puzzle, tables, control, &options, |task| {
        let (ended, grown) = task.run(Growing(most));
        states = grown;
        ended
    });
    match states {
        Some(states) if ended.stopped.is_none() => Ok(states),
        _ => Err(ended),
    }
}

/// Grows a frontier to this number of states.
#[derive(Clone, Copy)]
struct Growing(usize);

impl SizedSearch for Growing {
    type End = (Solved, Option<FrontierStates>);

    fn run<M: Mask, const CELLS: usize, const GROUPS: usize>(self, task: Task<'_>) -> Self::End {
        let mut frontier = Frontier::<M, CELLS, GROUPS>::new(task.rounds, task.board, task.blank, task.control.hold());
        let (path, stopped, states) = match frontier.grow(self.0, task.automaton, &mut task.control.meter()) {
            Ok(None) => (None, None, Some(frontier.export())),
            Ok(Some(id)) => (Some(frontier.path(id)), None, None),
            Err(why) => (None, Some(why), None),
        };
        let bound = path.as_ref().map_or(task.least(), |path| path.len() as u32);
        let known = BestKnown::new(path.map(|path| task.moves(&path)), bound);
        (Solved { known, stopped, by: FoundBy::Rounds }, states)
    }
}
