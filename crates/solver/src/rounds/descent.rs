//! Depth-first search, no further than a bound.

use std::ops::ControlFlow::{self, Break, Continue};

use pintu_search::{Control, Meter};

use crate::{
    machine::Machine,
    tables::Residue,
    views::{Batch, Layout, Mask, State, WIDTH},
};

/// Why a descent ends before it is done.
pub(crate) enum Halt {
    /// It is at the goal.
    Goal,
    /// A limit, or somebody, stopped it.
    Stopped,
}

/// The state of one thread's search.
pub(crate) struct Descent<'a, M: Mask, const CELLS: usize, const LANES: usize> {
    machine: &'a Machine,
    meter: Meter<'a>,
    /// The last of those that waited.
    batch: Batch<'a, M, CELLS, LANES>,
    /// States that wait, the next ones last.
    waiting: Vec<State<M, CELLS, LANES>>,
    /// The states that were taken up on the way to those that wait, and others, until they are so many.
    taken: Vec<Taken>,
    most_taken: usize,
    /// By how much at least the bound must rise for something more to be seen.
    pub(crate) shortfall: u32,
    /// Once the goal is found, the number of the root that leads to it, and the cells that the blank goes to from
    /// there, from the last to the first.
    pub(crate) found: Option<(u32, Vec<u8>)>,
}

/// A state that has been taken up: where the blank is, and the state before it or the root's number.
#[derive(Clone, Copy)]
struct Taken {
    before: u32,
    blank: u8,
}

/// From here on those taken up that are not needed are forgotten.
#[cfg(not(test))]
const MOST_TAKEN: usize = 1 << 16;
/// In tests early, so that short searches forget too.
#[cfg(test)]
const MOST_TAKEN: usize = 1 << 8;
/// Roots that wait together.
const ROOTS: usize = 4 * WIDTH;
/// Marks the number of a root, where the index of a state taken up would be.
const ROOT: u32 = 1 << 31;

impl<'a, M: Mask, const CELLS: usize, const LANES: usize> Descent<'a, M, CELLS, LANES> {
    /// The bytes that it takes: the states taken up, and what forgetting them needs.
    pub(crate) const BYTES: u64 = (MOST_TAKEN * (2 * size_of::<Taken>() + 5)) as u64;

    /// Nothing if the tables are not laid out for it.
    pub(crate) fn new(layout: &'a Layout<'a>, machine: &'a Machine, control: &'a Control) -> Option<Self> {
        Some(Self {
            machine,
            meter: control.meter(),
            batch: Batch::new(layout)?,
            waiting: Vec::new(),
            taken: Vec::new(),
            most_taken: MOST_TAKEN,
            shortfall: u32::MAX,
            found: None,
        })
    }

    /// Searches from all the roots that `next` yields, with their numbers, as far as their slack goes.
    pub(crate) fn search(&mut self, next: impl FnMut() -> Option<(u32, State<M, CELLS, LANES>)>) -> ControlFlow<Halt> {
        let end = match self.batch.residue() {
            Residue::Parity => self.run::<true>(next),
            Residue::Three => self.run::<false>(next),
        };
        if matches!(end, Break(Halt::Goal)) {
            // The goal counts as taken up, if there is still one to count.
            let _ = self.meter.expand();
        }
        end
    }

    fn run<const PARITY: bool>(
        &mut self,
        mut next: impl FnMut() -> Option<(u32, State<M, CELLS, LANES>)>,
    ) -> ControlFlow<Halt> {
        loop {
            if self.waiting.is_empty() {
                self.refill(&mut next)?;
            }
            if self.waiting.is_empty() {
                return Continue(());
            }
            let hand = self.take_in_hand()?;
            self.meter.counters.generated += self.batch.make_children(hand, self.machine) as u64;
            self.shortfall = self.shortfall.min(self.batch.look_up::<PARITY>().into());
            self.keep_children(hand)?;
        }
    }

    /// Lets roots wait, the first one last, and several, so that there are mostly enough states to take up.
    fn refill(&mut self, next: &mut impl FnMut() -> Option<(u32, State<M, CELLS, LANES>)>) -> ControlFlow<Halt> {
        while self.waiting.len() < ROOTS {
            let Some((number, mut root)) = next() else { break };
            if root.is_goal() {
                self.found = Some((number, Vec::new()));
                return Break(Halt::Goal);
            }
            root.before = ROOT | number;
            self.waiting.push(root);
        }
        self.waiting.reverse();
        Continue(())
    }

    /// Moves the last states that wait into the hand; says how many.
    #[inline]
    fn take_in_hand(&mut self) -> ControlFlow<Halt, usize> {
        if self.taken.len() > self.most_taken {
            self.forget();
        }
        let wanted = self.waiting.len().min(WIDTH);
        let count = self.meter.expand_some(wanted).map_break(|_| Halt::Stopped)?;
        let first = self.waiting.len() - count;
        let hand = &mut self.batch.hand[..count];
        hand.copy_from_slice(&self.waiting[first..]);
        self.waiting.truncate(first);
        // States wait in the order in which the states before them were taken up, roots first: nothing that
        // waits stands on one that was taken up after the one before the last in hand. Of those before it, some
        // lead to nothing any more, too, because states from further up were in hand with their successors.
        let needed = hand[count - 1].before;
        self.taken.truncate(if needed & ROOT == 0 { needed as usize + 1 } else { 0 });
        let machine = self.machine;
        self.taken
            .extend(hand.iter().map(|here| Taken { before: here.before, blank: machine.fan(here.machine).blank }));
        Continue(count)
    }

    /// Forgets the states that were taken up and lead to none that waits.
    #[cold]
    fn forget(&mut self) {
        let mut needed = vec![false; self.taken.len()];
        for state in &self.waiting {
            let mut at = state.before;
            while at & ROOT == 0 && !needed[at as usize] {
                needed[at as usize] = true;
                at = self.taken[at as usize].before;
            }
        }
        let mut moved = vec![0; self.taken.len()];
        let mut kept = 0;
        let to = |before: u32, moved: &[u32]| if before & ROOT == 0 { moved[before as usize] } else { before };
        for at in (0..self.taken.len()).filter(|&at| needed[at]) {
            let Taken { before, blank } = self.taken[at];
            self.taken[kept] = Taken { before: to(before, &moved), blank };
            moved[at] = kept as u32;
            kept += 1;
        }
        self.taken.truncate(kept);
        for state in &mut self.waiting {
            state.before = to(state.before, &moved);
        }
        self.most_taken = MOST_TAKEN.max(2 * kept);
    }

    /// Lets the successors wait to be taken up.
    #[inline]
    fn keep_children(&mut self, hand: usize) -> ControlFlow<Halt> {
        let first_taken = (self.taken.len() - hand) as u32;
        for (at, child) in self.batch.children() {
            // Copied first and changed in place: to change the copy before it is stored would make it wait.
            self.waiting.push(self.batch.hand[usize::from(child.of) % WIDTH]);
            let state = self.waiting.last_mut().expect("it has just been pushed");
            self.batch.step((at, child), state);
            state.before = first_taken + u32::from(child.of);
            // To look at the whole of what has just been changed would make it wait.
            if self.batch.is_one_home(at) && state.is_goal() {
                self.found = Some(self.way_back(child.step.to, first_taken + u32::from(child.of)));
                return Break(Halt::Goal);
            }
        }
        Continue(())
    }

    /// The number of the root from which a state was reached that has been taken up, and the cells of the blank
    /// after it, from the last to the first.
    fn way_back(&self, last: u8, mut at: u32) -> (u32, Vec<u8>) {
        let mut cells = vec![last];
        loop {
            let Taken { before, blank } = self.taken[at as usize];
            if before & ROOT != 0 {
                return (before & !ROOT, cells);
            }
            cells.push(blank);
            at = before;
        }
    }
}
