//! Several states taken up together.
//!
//! The time of a search goes into waiting for table entries. So its loops do not take up one state at a time, but
//! several, and look all their successors up together: the waits overlap.

use super::{
    layout::Layout,
    lookup::{Access, Entry, Lookup, Mask},
    state::State,
};
use crate::{
    machine::{Machine, Step},
    tables::{MAX_VIEWS, Residue},
};

/// States that are taken up together.
pub(crate) const WIDTH: usize = 16;
/// Room for their successors: three each, for none steps back, and one more for the start. A power of two, so
/// that no index needs a check.
pub(crate) const MOST: usize = 4 * WIDTH;
const IN_ORDER: [u8; MOST] = {
    let mut order = [0; MOST];
    let mut at = 0;
    while at < MOST {
        order[at] = at as u8;
        at += 1;
    }
    order
};

/// The states in hand and their successors.
pub(crate) struct Batch<'a, M: Mask, const CELLS: usize, const LANES: usize> {
    layout: &'a Layout<'a>,
    lanes: [Access<'a, M>; LANES],
    pub(crate) hand: [State<M, CELLS, LANES>; WIDTH],
    children: [Child; MOST],
    /// For each view, what a successor's move makes of a lane, and by how much it changes the moves that are needed.
    lookups: [[Lookup<M>; MOST]; MAX_VIEWS],
    changes: [[i8; MOST]; MAX_VIEWS],
    /// The successors that no view has found to be too far.
    near: [u8; MOST],
    /// How many there are.
    count: usize,
    /// What was asked for them last, each with the slack before the move.
    asked: [(Entry<'a>, i16); MOST],
}

/// A successor of a state in hand. Eight bytes, so that an index becomes an address without arithmetic.
#[derive(Clone, Copy, Default)]
#[repr(align(8))]
pub(crate) struct Child {
    pub(crate) step: Step,
    /// Which of those in hand it comes from.
    pub(crate) of: u8,
    pub(crate) tile: u8,
}

impl<'a, M: Mask, const CELLS: usize, const LANES: usize> Batch<'a, M, CELLS, LANES> {
    /// Nothing if the tables are not laid out for it.
    pub(crate) fn new(layout: &'a Layout<'a>) -> Option<Self> {
        let first = Access::new(layout.lanes[0])?;
        let mut lanes = [first; LANES];
        for (lane, &table) in lanes.iter_mut().zip(&layout.lanes) {
            *lane = Access::new(table)?;
        }
        Some(Self {
            layout,
            lanes,
            hand: [State::default(); WIDTH],
            children: [Child::default(); MOST],
            lookups: [[Lookup::default(); MOST]; MAX_VIEWS],
            changes: [[0; MOST]; MAX_VIEWS],
            near: [0; MOST],
            count: 0,
            asked: [(Entry::NONE, 0); MOST],
        })
    }

    /// Makes the successors of the first so many states in hand; says how many.
    #[inline]
    pub(crate) fn make_children(&mut self, hand: usize, machine: &Machine) -> usize {
        let mut made = 0;
        for (of, here) in (0..).zip(&self.hand[..hand]) {
            let (steps, count) = machine.fan(here.machine).padded();
            let children = self.children[made..].first_chunk_mut::<4>().expect("there is room for all");
            for (child, step) in children.iter_mut().zip(steps) {
                *child = Child { step, of, tile: here.board[usize::from(step.to) % CELLS] };
            }
            made += count;
        }
        self.near = IN_ORDER;
        self.count = made;
        made
    }

    /// Looks the successors up and drops those that are too far: says by how much at least.
    #[inline]
    pub(crate) fn look_up<const PARITY: bool>(&mut self) -> u16 {
        (0..self.layout.views.len()).map(|view| self.look_up_in::<PARITY>(view)).min().unwrap_or(u16::MAX)
    }

    /// In three loops, so that what one of them needs has had the time of the one before it to come near.
    #[inline]
    fn look_up_in<const PARITY: bool>(&mut self, index: usize) -> u16 {
        let sight = &self.layout.views[index].sight;
        let near = &mut self.near[..self.count];
        let lookups = &mut self.lookups[index % MAX_VIEWS];
        for (&at, (_, slack)) in near.iter().zip(&mut self.asked) {
            let at = usize::from(at) % MOST;
            let child = self.children[at];
            let here = &self.hand[usize::from(child.of) % WIDTH];
            lookups[at] = sight.aim(here, child.step.slide, child.tile, &self.lanes);
            *slack = here.slack[index % MAX_VIEWS];
        }
        for (&at, (entry, _)) in near.iter().zip(&mut self.asked) {
            let lookup = &lookups[usize::from(at) % MOST];
            *entry = self.lanes[usize::from(lookup.lane) % LANES].ask::<PARITY>(lookup);
        }
        let changes = &mut self.changes[index % MAX_VIEWS];
        let mut over = u16::MAX;
        let mut count = 0;
        for (each, &(entry, slack)) in (0..near.len()).zip(&self.asked) {
            let at = near[each];
            let change = entry.change::<PARITY>();
            changes[usize::from(at) % MOST] = change;
            let slack = slack - 1 - i16::from(change);
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
        self.count = count;
        over
    }

    /// Looks the successors up, where it does not pay to have a loop for each kind of board.
    pub(crate) fn look_up_any(&mut self) -> u16 {
        match self.residue() {
            Residue::Parity => self.look_up::<true>(),
            Residue::Three => self.look_up::<false>(),
        }
    }

    /// What the tables hold.
    pub(crate) fn residue(&self) -> Residue {
        self.layout.residue
    }

    /// The successors that are left.
    pub(crate) fn children(&self) -> impl Iterator<Item = (usize, Child)> {
        self.near[..self.count].iter().map(|&at| (usize::from(at) % MOST, self.children[usize::from(at) % MOST]))
    }

    /// The successor with this number.
    #[inline]
    pub(crate) fn child(&self, at: usize) -> Child {
        self.children[at % MOST]
    }

    /// Whether a successor's move brought the last tile of a lane home.
    #[inline]
    pub(crate) fn is_one_home(&self, at: usize) -> bool {
        self.lookups[0][at % MOST].before == 1 && self.changes[0][at % MOST] < 0
    }

    /// By how much a successor's move changes what all views say together.
    #[inline]
    pub(crate) fn change(&self, at: usize) -> i16 {
        self.changes.iter().take(self.layout.views.len()).map(|changes| i16::from(changes[at % MOST])).sum()
    }

    /// Turns `state`, a copy of the one in hand that a successor comes from, into that successor.
    #[inline]
    pub(crate) fn step(&self, (at, child): (usize, Child), state: &mut State<M, CELLS, LANES>) {
        let views = self.layout.views.len();
        for (index, (lookups, changes)) in self.lookups.iter().zip(&self.changes).enumerate().take(views) {
            let (lookup, change) = (&lookups[at % MOST], changes[at % MOST]);
            let lane = usize::from(lookup.lane) % LANES;
            state.slack[index] -= 1 + i16::from(change);
            state.masks[lane] = lookup.mask;
            state.orders[lane] = lookup.order;
            state.moves[lane] = lookup.before.wrapping_add_signed(change);
        }
        state.machine = child.step.next;
        state.board[usize::from(child.step.slide / 4) % CELLS] = child.tile;
        state.board[usize::from(child.step.to) % CELLS] = self.layout.blank;
    }
}
