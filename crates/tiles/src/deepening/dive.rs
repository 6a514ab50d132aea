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
    /// The cells that the blank went to, from the last to the first, once the goal is found.
    pub(crate) trail: Vec<u8>,
}

/// A state that has been taken up: where the blank is, and the state before it.
#[derive(Clone, Copy)]
struct Taken {
    before: u32,
    blank: u8,
}

/// Before the root.
const NOTHING: u32 = u32::MAX;

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
            trail: Vec::new(),
        })
    }

    /// Searches from `root` as far as `bound`.
    pub(crate) fn within(&mut self, root: &Root<'_>, bound: u32) -> ControlFlow<Halt> {
        let Some(left) = bound.checked_sub(root.paid) else {
            self.shortfall = self.shortfall.min(root.paid - bound);
            return Continue(());
        };
        let mut state = State::new(self.layout, &root.board, root.moves, left as u16);
        let slack = *state.slack[..self.layout.views.len()].iter().min().unwrap_or(&0);
        if slack < 0 {
            self.shortfall = self.shortfall.min(slack.unsigned_abs().into());
            return Continue(());
        }
        if state.is_goal() {
            return Break(Halt::Goal);
        }
        state.machine = root.machine_state(self.machine);
        state.before = NOTHING;
        self.waiting.clear();
        self.waiting.push(state);
        match self.layout.residue {
            Residue::Parity => self.run::<true>(),
            Residue::Three => self.run::<false>(),
        }
    }

    fn run<const PARITY: bool>(&mut self) -> ControlFlow<Halt> {
        while !self.waiting.is_empty() {
            let hand = self.take_in_hand()?;
            let mut count = self.make_children(hand);
            for view in 0..self.layout.views.len() {
                count = self.look_up::<PARITY>(view, count);
            }
            self.keep_children(hand, count)?;
        }
        Continue(())
    }

    /// Moves the last states that wait into the hand; says how many.
    #[inline]
    fn take_in_hand(&mut self) -> ControlFlow<Halt, usize> {
        let count = self.allowance.expand(self.waiting.len().min(WIDTH))?;
        let first = self.waiting.len() - count;
        self.hand[..count].copy_from_slice(&self.waiting[first..]);
        self.waiting.truncate(first);
        // States wait in the order in which the states before them were taken up: nothing that waits stands
        // on one that was taken up after the one before the last in hand.
        let needed = self.hand[count - 1].before;
        self.taken.truncate(needed.wrapping_add(1) as usize);
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
                self.trail =
                    std::iter::once(child.step.to).chain(self.way_back(first_taken + u32::from(child.of))).collect();
                return Break(Halt::Goal);
            }
        }
        Continue(())
    }

    /// The cells of the blank from a state that was taken up back to the root's, which is left out.
    fn way_back(&self, mut at: u32) -> impl Iterator<Item = u8> {
        std::iter::from_fn(move || {
            let Taken { before, blank } = self.taken[at as usize];
            at = before;
            (before != NOTHING).then_some(blank)
        })
    }
}
