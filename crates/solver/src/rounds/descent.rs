//! Depth-first search, no further than a bound.

use pintu_search::{Control, Meter};

use crate::{
    pruning::Automaton,
    tables::Residue,
    views::{Batch, Layout, Mask, State, WIDTH},
};

/// A descent ends before it is done: at the goal, or by a limit or cancellation.
pub(crate) struct Halt;

pub(crate) struct Descent<'a, M: Mask, const CELLS: usize, const GROUPS: usize> {
    automaton: &'a Automaton,
    meter: Meter<'a>,
    /// The states that are expanded together, taken from the end of `waiting`.
    batch: Batch<'a, M, CELLS, GROUPS>,
    /// States that wait, the next ones last.
    waiting: Vec<State<M, CELLS, GROUPS>>,
    /// The expanded states from which waiting ones descend, and others, until `max_expanded` are there.
    expanded: Vec<Expanded>,
    max_expanded: usize,
    /// The least rise of the bound that lets another state be searched.
    pub(crate) shortfall: u32,
    /// Once the goal is found, the number of the root that leads to it, and the cells that the blank goes to from
    /// there, from the last to the first.
    pub(crate) found: Option<(u32, Vec<u8>)>,
}

/// An expanded state: where the blank is, and its parent or the root's number.
#[derive(Clone, Copy)]
struct Expanded {
    before: u32,
    blank: u8,
}

/// From this number on, expanded states that are not needed are forgotten. In tests early, so that short searches forget too.
const MAX_EXPANDED: usize = 1 << if cfg!(test) { 8 } else { 16 };
const ROOTS: usize = 4 * WIDTH;
/// Marks the number of a root, where the index of an expanded state would be.
const ROOT: u32 = 1 << 31;

impl<'a, M: Mask, const CELLS: usize, const GROUPS: usize> Descent<'a, M, CELLS, GROUPS> {
    /// The bytes that it takes: the expanded states, and what forgetting them needs.
    pub(crate) const BYTES: u64 = (MAX_EXPANDED * (2 * size_of::<Expanded>() + 5)) as u64;

    pub(crate) fn new(layout: &'a Layout<'a>, automaton: &'a Automaton, control: &'a Control) -> Self {
        Self {
            automaton,
            meter: control.meter(),
            batch: Batch::new(layout),
            waiting: Vec::new(),
            expanded: Vec::new(),
            max_expanded: MAX_EXPANDED,
            shortfall: u32::MAX,
            found: None,
        }
    }

    /// Searches from all the roots that `next` yields, with their numbers, as far as their slack goes.
    pub(crate) fn search(&mut self, next: impl FnMut() -> Option<(u32, State<M, CELLS, GROUPS>)>) -> Result<(), Halt> {
        let end = match self.batch.layout.residue {
            Residue::Parity => self.run::<true>(next),
            Residue::Three => self.run::<false>(next),
        };
        if self.found.is_some() {
            // The goal counts as expanded, if the limit allows it.
            let _ = self.meter.expand();
        }
        end
    }

    fn run<const PARITY: bool>(
        &mut self,
        mut next: impl FnMut() -> Option<(u32, State<M, CELLS, GROUPS>)>,
    ) -> Result<(), Halt> {
        loop {
            if self.waiting.is_empty() {
                self.refill(&mut next)?;
            }
            if self.waiting.is_empty() {
                return Ok(());
            }
            let count = self.fill_batch()?;
            self.meter.generate(self.batch.generate(count, self.automaton) as u64);
            self.shortfall = self.shortfall.min(self.batch.look_up::<PARITY>().into());
            self.keep_children(count)?;
        }
    }

    /// Lets roots wait, the first one last, and several, so that batches are mostly full.
    fn refill(&mut self, next: &mut impl FnMut() -> Option<(u32, State<M, CELLS, GROUPS>)>) -> Result<(), Halt> {
        while self.waiting.len() < ROOTS {
            let Some((number, mut root)) = next() else { break };
            if root.is_goal() {
                self.found = Some((number, Vec::new()));
                return Err(Halt);
            }
            root.before = ROOT | number;
            self.waiting.push(root);
        }
        self.waiting.reverse();
        Ok(())
    }

    /// Moves the last states that wait into the batch; returns how many.
    #[inline]
    fn fill_batch(&mut self) -> Result<usize, Halt> {
        if self.expanded.len() > self.max_expanded {
            self.forget();
        }
        let wanted = self.waiting.len().min(WIDTH);
        let count = self.meter.expand_some(wanted).map_err(|_| Halt)?;
        let first = self.waiting.len() - count;
        let batch = &mut self.batch.states[..count];
        batch.copy_from_slice(&self.waiting[first..]);
        self.waiting.truncate(first);
        // States wait in the order in which their parents were expanded, roots first: nothing that waits descends from a
        // state expanded after the parent of the batch's last. Of those before it, some have no waiting descendants
        // either, because states from further up were expanded together with them.
        let needed = batch[count - 1].before;
        self.expanded.truncate(if needed & ROOT == 0 { needed as usize + 1 } else { 0 });
        let automaton = self.automaton;
        self.expanded.extend(
            batch
                .iter()
                .map(|here| Expanded { before: here.before, blank: automaton.transitions(here.automaton).blank }),
        );
        Ok(count)
    }

    /// Forgets the expanded states without waiting descendants.
    #[cold]
    fn forget(&mut self) {
        let mut needed = vec![false; self.expanded.len()];
        for state in &self.waiting {
            let mut at = state.before;
            while at & ROOT == 0 && !needed[at as usize] {
                needed[at as usize] = true;
                at = self.expanded[at as usize].before;
            }
        }
        let mut moved = vec![0; self.expanded.len()];
        let mut remaining = 0;
        let to = |before: u32, moved: &[u32]| if before & ROOT == 0 { moved[before as usize] } else { before };
        for at in (0..self.expanded.len()).filter(|&at| needed[at]) {
            let Expanded { before, blank } = self.expanded[at];
            self.expanded[remaining] = Expanded { before: to(before, &moved), blank };
            moved[at] = remaining as u32;
            remaining += 1;
        }
        self.expanded.truncate(remaining);
        for state in &mut self.waiting {
            state.before = to(state.before, &moved);
        }
        self.max_expanded = MAX_EXPANDED.max(2 * remaining);
    }

    /// Lets the successors wait to be expanded.
    #[inline]
    fn keep_children(&mut self, count: usize) -> Result<(), Halt> {
        let first_expanded = (self.expanded.len() - count) as u32;
        for (at, child) in self.batch.children() {
            // Copied first and changed where it is stored: changing the copy before would stall.
            self.waiting.push(self.batch.states[usize::from(child.of) % WIDTH]);
            let state = self.waiting.last_mut().expect("it has just been pushed");
            self.batch.step((at, child), state);
            state.before = first_expanded + u32::from(child.of);
            // Reading all of what has just been written would stall.
            if self.batch.is_one_home(at) && state.is_goal() {
                self.found = Some(self.path_back(child.step.to, first_expanded + u32::from(child.of)));
                return Err(Halt);
            }
        }
        Ok(())
    }

    /// The states that wait when the search has been stopped: each with the number of its root, the cells of the blank from
    /// there, from the last to the first, and the moves that its groups need.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = (u32, Vec<u8>, &[u8])> {
        // Those that were to be next are last.
        self.waiting.iter().rev().map(|state| {
            let (root, path) = match state.before {
                root if root & ROOT != 0 => (root & !ROOT, Vec::new()),
                parent => self.path_back(self.automaton.transitions(state.automaton).blank, parent),
            };
            (root, path, &state.moves[..])
        })
    }

    /// The number of the root of an expanded state, and the cells of the blank after it, from the last to the first.
    fn path_back(&self, last: u8, mut at: u32) -> (u32, Vec<u8>) {
        let mut cells = vec![last];
        loop {
            let Expanded { before, blank } = self.expanded[at as usize];
            if before & ROOT != 0 {
                return (before & !ROOT, cells);
            }
            cells.push(blank);
            at = before;
        }
    }
}
