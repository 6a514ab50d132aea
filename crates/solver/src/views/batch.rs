//! States expanded in batches.
//!
//! A search spends its time waiting for table entries. So its loops expand several states together and look all their
//! successors up together: the waits overlap.

use super::{
    layout::Layout,
    lookup::{Access, Entry, Lookup, Mask},
    state::State,
};
use crate::{
    pruning::{Automaton, Step},
    tables::{MAX_VIEWS, Residue},
};

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

/// The states that are expanded together, and their successors.
pub(crate) struct Batch<'a, M: Mask, const CELLS: usize, const GROUPS: usize> {
    pub(crate) layout: &'a Layout<'a>,
    groups: [Access<'a, M>; GROUPS],
    pub(crate) states: [State<M, CELLS, GROUPS>; WIDTH],
    pub(crate) children: [Child; MOST],
    /// For each view, the look-up of the group that a successor's move changes, and the change of its moves.
    lookups: [[Lookup<M>; MOST]; MAX_VIEWS],
    changes: [[i8; MOST]; MAX_VIEWS],
    /// The successors that no view has found to be too far.
    near: [u8; MOST],
    count: usize,
    /// The entries asked for last, each with the slack before the move.
    asked: [(Entry<'a>, i16); MOST],
}

/// A successor of a state of the batch. Eight bytes, so that an index becomes an address without arithmetic.
#[derive(Clone, Copy, Default)]
#[repr(align(8))]
pub(crate) struct Child {
    pub(crate) step: Step,
    pub(crate) of: u8,
    pub(crate) tile: u8,
}

impl<'a, M: Mask, const CELLS: usize, const GROUPS: usize> Batch<'a, M, CELLS, GROUPS> {
    pub(crate) fn new(layout: &'a Layout<'a>) -> Self {
        Self {
            layout,
            groups: std::array::from_fn(|group| Access::new(layout.groups.get(group).unwrap_or(&layout.groups[0]))),
            states: [State::default(); WIDTH],
            children: [Child::default(); MOST],
            lookups: [[Lookup::default(); MOST]; MAX_VIEWS],
            changes: [[0; MOST]; MAX_VIEWS],
            near: [0; MOST],
            count: 0,
            asked: [(Entry::NONE, 0); MOST],
        }
    }

    /// Generates the successors of the first `count` states; returns how many there are.
    #[inline]
    pub(crate) fn generate(&mut self, count: usize, automaton: &Automaton) -> usize {
        let mut made = 0;
        for (of, here) in (0..).zip(&self.states[..count]) {
            let (steps, successors) = automaton.transitions(here.automaton).padded();
            let children = self.children[made..].first_chunk_mut::<4>().expect("there is room for all");
            for (child, step) in children.iter_mut().zip(steps) {
                *child = Child { step, of, tile: here.board[usize::from(step.to) % CELLS] };
            }
            made += successors;
        }
        self.near = IN_ORDER;
        self.count = made;
        made
    }

    /// Looks the successors up and drops those that are too far; returns the least excess.
    #[inline]
    pub(crate) fn look_up<const PARITY: bool>(&mut self) -> u16 {
        (0..self.layout.views.len()).map(|view| self.look_up_in::<PARITY>(view)).min().unwrap_or(u16::MAX)
    }

    /// In three loops, so that memory prefetched in one has mostly arrived when the next reads it.
    #[inline]
    fn look_up_in<const PARITY: bool>(&mut self, index: usize) -> u16 {
        let slides = &self.layout.views[index].slides;
        let near = &mut self.near[..self.count];
        let lookups = &mut self.lookups[index % MAX_VIEWS];
        for (&at, (_, slack)) in near.iter().zip(&mut self.asked) {
            let at = usize::from(at) % MOST;
            let child = self.children[at];
            let here = &self.states[usize::from(child.of) % WIDTH];
            lookups[at] = slides.aim(here, child.step.slide, child.tile, &self.groups);
            *slack = here.slack[index % MAX_VIEWS];
        }
        for (&at, (entry, _)) in near.iter().zip(&mut self.asked) {
            let lookup = &lookups[usize::from(at) % MOST];
            *entry = self.groups[usize::from(lookup.group) % GROUPS].ask::<PARITY>(lookup);
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
        // Where every move changes the estimate by one, the least excess is two.
        if PARITY && count < near.len() {
            over = 2;
        }
        self.count = count;
        over
    }

    /// Looks the successors up, where it does not pay to have a loop for each kind of board.
    pub(crate) fn look_up_any(&mut self) -> u16 {
        match self.layout.residue {
            Residue::Parity => self.look_up::<true>(),
            Residue::Three => self.look_up::<false>(),
        }
    }

    pub(crate) fn children(&self) -> impl Iterator<Item = (usize, Child)> {
        self.near[..self.count].iter().map(|&at| (usize::from(at) % MOST, self.children[usize::from(at) % MOST]))
    }

    /// Whether a successor's move brought the last tile of a group home.
    #[inline]
    pub(crate) fn is_one_home(&self, at: usize) -> bool {
        self.lookups[0][at % MOST].before == 1 && self.changes[0][at % MOST] < 0
    }

    /// The change of all views' estimates, summed, by a successor's move.
    #[inline]
    pub(crate) fn change(&self, at: usize) -> i16 {
        self.changes.iter().take(self.layout.views.len()).map(|changes| i16::from(changes[at % MOST])).sum()
    }

    /// Turns `state`, a copy of a successor's parent, into that successor.
    #[inline]
    pub(crate) fn step(&self, (at, child): (usize, Child), state: &mut State<M, CELLS, GROUPS>) {
        let views = self.layout.views.len();
        for (index, (lookups, changes)) in self.lookups.iter().zip(&self.changes).enumerate().take(views) {
            let (lookup, change) = (&lookups[at % MOST], changes[at % MOST]);
            let group = usize::from(lookup.group) % GROUPS;
            state.slack[index] -= 1 + i16::from(change);
            state.masks[group] = lookup.mask;
            state.orders[group] = lookup.order;
            state.moves[group] = lookup.before.wrapping_add_signed(change);
        }
        state.automaton = child.step.next;
        state.board[usize::from(child.step.slide / 4) % CELLS] = child.tile;
        state.board[usize::from(child.step.to) % CELLS] = self.layout.blank;
    }
}
