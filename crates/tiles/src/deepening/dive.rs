//! One depth-first search, no further than a bound.
//!
//! Its time goes into waiting for table entries. So it does not take up one state at a time, but the last
//! few that wait, and looks all their successors up together: the waits overlap.

use std::ops::ControlFlow::{self, Break, Continue};

use super::{
    control::{Allowance, Control},
    frontier::Root,
    layout::Layout,
    lookup::{Access, Lookup, Mask},
    machine::{Machine, Step},
    state::State,
};
use crate::pattern::{MAX_VIEWS, Residue};

/// Why a dive ends before it is done.
pub(crate) enum Halt {
    /// It is at the goal.
    Goal,
    /// A limit, or somebody, stopped it.
    Stopped,
}

/// States that are taken up together.
const WIDTH: usize = 16;
/// Room for their successors: three each, for none steps back, and one more for the root. A power of two, so
/// that no index needs a check.
const MOST: usize = 4 * WIDTH;
const IN_ORDER: [u8; MOST] = {
    let mut order = [0; MOST];
    let mut at = 0;
    while at < MOST {
        order[at] = at as u8;
        at += 1;
    }
    order
};

/// The state of one thread's search.
pub(crate) struct Dive<'a, M: Mask, const CELLS: usize, const LANES: usize> {
    layout: &'a Layout<'a>,
    lanes: [Access<'a, M>; LANES],
    machine: &'a Machine,
    allowance: Allowance<'a>,
    /// States that wait, the next ones last.
    waiting: Vec<State<M, CELLS, LANES>>,
    /// Those in hand.
    hand: [State<M, CELLS, LANES>; WIDTH],
    /// The successors of those in hand.
    children: [Child; MOST],
    /// For each view, what the move changed, and the moves that the tiles of that lane need now.
    lookups: [[Lookup<M>; MOST]; MAX_VIEWS],
    moves: [[u8; MOST]; MAX_VIEWS],
    /// Those of them that no view has found to be too far.
    near: [u8; MOST],
    /// The states that were taken up on the way to those that wait.
    taken: Vec<Taken>,
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

/// Marks the number of a root, where the index of a state taken up would be.
const ROOT: u32 = 1 << 31;

/// A successor of a state in hand.
#[derive(Clone, Copy, Default)]
struct Child {
    step: Step,
    of: u8,
    tile: u8,
}

/// By how much a number of moves has changed: by one at most.
#[inline]
fn change(before: u8, after: u8) -> i16 {
    i16::from(after.wrapping_sub(before) as i8)
}

impl<'a, M: Mask, const CELLS: usize, const LANES: usize> Dive<'a, M, CELLS, LANES> {
    /// Nothing if the tables are not laid out for it.
    pub(crate) fn new(layout: &'a Layout<'a>, machine: &'a Machine, control: &'a Control<'a>) -> Option<Self> {
        let first = Access::new(layout.lanes[0])?;
        let mut lanes = [first; LANES];
        for (lane, &table) in lanes.iter_mut().zip(&layout.lanes) {
            *lane = Access::new(table)?;
        }
        Some(Self {
            layout,
            lanes,
            machine,
            allowance: Allowance::new(control),
            waiting: Vec::new(),
            hand: [State::default(); WIDTH],
            children: [Child::default(); MOST],
            lookups: [[Lookup::default(); MOST]; MAX_VIEWS],
            moves: [[0; MOST]; MAX_VIEWS],
            near: [0; MOST],
            taken: Vec::new(),
            shortfall: u32::MAX,
            found: None,
        })
    }

    /// Searches from all the roots that `next` yields, with their numbers, as far as `bound`.
    pub(crate) fn search<'r>(
        &mut self,
        next: impl FnMut() -> Option<(u32, Root<'r>)>,
        bound: u32,
    ) -> ControlFlow<Halt> {
        match self.layout.residue {
            Residue::Parity => self.run::<true>(next, bound),
            Residue::Three => self.run::<false>(next, bound),
        }
    }

    fn run<'r, const PARITY: bool>(
        &mut self,
        mut next: impl FnMut() -> Option<(u32, Root<'r>)>,
        bound: u32,
    ) -> ControlFlow<Halt> {
        loop {
            if self.waiting.len() < WIDTH {
                self.refill(&mut next, bound)?;
            }
            if self.waiting.is_empty() {
                return Continue(());
            }
            let hand = self.take_in_hand()?;
            let mut count = self.make_children(hand);
            for view in 0..self.layout.views.len() {
                count = self.look_up::<PARITY>(view, count);
            }
            self.keep_children(hand, count)?;
        }
    }

    /// Lets more roots wait, below what waits already, so that there are always enough states to take up.
    fn refill<'r>(&mut self, next: &mut impl FnMut() -> Option<(u32, Root<'r>)>, bound: u32) -> ControlFlow<Halt> {
        let waiting = self.waiting.len();
        while self.waiting.len() < waiting + WIDTH {
            let Some((number, root)) = next() else { break };
            let Some(state) = self.root(number, &root, bound) else { continue };
            if state.is_goal() {
                self.found = Some((number, Vec::new()));
                return Break(Halt::Goal);
            }
            self.waiting.push(state);
        }
        self.waiting[waiting..].reverse();
        self.waiting.rotate_left(waiting);
        Continue(())
    }

    /// A root's state, unless it is too far from the goal.
    fn root(&mut self, number: u32, root: &Root<'_>, bound: u32) -> Option<State<M, CELLS, LANES>> {
        let mut state = State::new(self.layout, &root.board, root.moves, (bound - root.paid) as u16);
        let slack = *state.slack[..self.layout.views.len()].iter().min().unwrap_or(&0);
        if slack < 0 {
            self.shortfall = self.shortfall.min(slack.unsigned_abs().into());
            return None;
        }
        state.machine = root.machine_state(self.machine);
        state.before = ROOT | number;
        Some(state)
    }

    /// Moves the last states that wait into the hand; says how many.
    #[inline]
    fn take_in_hand(&mut self) -> ControlFlow<Halt, usize> {
        let count = self.allowance.expand(self.waiting.len().min(WIDTH))?;
        let first = self.waiting.len() - count;
        self.hand[..count].copy_from_slice(&self.waiting[first..]);
        self.waiting.truncate(first);
        // States wait in the order in which the states before them were taken up, roots first: nothing that
        // waits stands on one that was taken up after the one before the last in hand.
        let needed = self.hand[count - 1].before;
        self.taken.truncate(if needed & ROOT == 0 { needed as usize + 1 } else { 0 });
        Continue(count)
    }

    /// Makes the successors of the states in hand; says how many.
    #[inline]
    fn make_children(&mut self, hand: usize) -> usize {
        let mut made = 0;
        self.taken.reserve(hand);
        for (of, here) in (0..).zip(&self.hand[..hand]) {
            let fan = self.machine.fan(here.machine);
            self.taken.push(Taken { before: here.before, blank: fan.blank });
            let (steps, count) = fan.padded();
            let children = self.children[made..].first_chunk_mut::<4>().expect("there is room for all");
            for (child, step) in children.iter_mut().zip(steps) {
                *child = Child { step, of, tile: here.board[usize::from(step.to) % CELLS] };
            }
            made += count;
        }
        self.near = IN_ORDER;
        self.allowance.generated += made as u64;
        made
    }

    /// Looks the children up in a view, and drops those that are too far by it; says how many are left.
    #[inline]
    fn look_up<const PARITY: bool>(&mut self, index: usize, count: usize) -> usize {
        let sight = &self.layout.views[index].sight;
        let near = &mut self.near[..count];
        let lookups = &mut self.lookups[index % MAX_VIEWS];
        for &at in &*near {
            let child = self.children[usize::from(at) % MOST];
            let here = &self.hand[usize::from(child.of) % WIDTH];
            let asked = sight.ask::<M, PARITY, CELLS, LANES>(here, child.step.slide, child.tile, &self.lanes);
            lookups[usize::from(at) % MOST] = asked;
        }
        let mut over = u16::MAX;
        let mut count = 0;
        for each in 0..near.len() {
            let at = near[each];
            let lookup = &lookups[usize::from(at) % MOST];
            let here = &self.hand[usize::from(self.children[usize::from(at) % MOST].of) % WIDTH];
            let lane = usize::from(lookup.lane) % LANES;
            let before = here.moves[lane];
            let moves = self.lanes[lane].read::<PARITY>(lookup, before);
            self.moves[index % MAX_VIEWS][usize::from(at) % MOST] = moves;
            let slack = here.slack[index % MAX_VIEWS] - 1 - change(before, moves);
            if !PARITY && slack < 0 {
                over = over.min(slack.unsigned_abs());
            }
            near[count] = at;
            count += usize::from(slack >= 0);
        }
        // Where every move changes the estimate by one, what is too far is so by two.
        if PARITY && count < near.len() {
            over = 2;
        }
        self.shortfall = self.shortfall.min(over.into());
        count
    }

    /// Lets the children wait to be taken up.
    #[inline]
    fn keep_children(&mut self, hand: usize, count: usize) -> ControlFlow<Halt> {
        let first_taken = (self.taken.len() - hand) as u32;
        let views = self.layout.views.len();
        for &at in &self.near[..count] {
            let child = self.children[usize::from(at) % MOST];
            let here = &self.hand[usize::from(child.of) % WIDTH];
            // Copied first and changed in place: to change the copy before it is stored would make it wait.
            self.waiting.push(*here);
            let state = self.waiting.last_mut().expect("it has just been pushed");
            for (index, (lookups, moves)) in self.lookups.iter().zip(&self.moves).enumerate().take(views) {
                let (lookup, moves) = (&lookups[usize::from(at) % MOST], moves[usize::from(at) % MOST]);
                let lane = usize::from(lookup.lane) % LANES;
                state.slack[index] = here.slack[index] - 1 - change(here.moves[lane], moves);
                state.masks[lane] = lookup.mask;
                state.orders[lane] = lookup.order;
                state.moves[lane] = moves;
            }
            state.before = first_taken + u32::from(child.of);
            state.machine = child.step.next;
            state.board[usize::from(child.step.slide / 4) % CELLS] = child.tile;
            state.board[usize::from(child.step.to) % CELLS] = self.layout.blank;
            if state.is_goal() {
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
