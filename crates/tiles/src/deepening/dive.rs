//! One depth-first search, no further than a bound.
//!
//! Its time goes into waiting for table entries. So it does not take up one state at a time, but the last
//! few that wait, and looks all their successors up together: the waits overlap.

use std::ops::ControlFlow::{self, Break, Continue};

use super::{
    control::{Allowance, Control},
    frontier::Root,
    layout::{ANY, Cells, Lane, Layout, Lookup, SLOTS},
    machine::{LEFT_OUT, Machine},
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
const WIDTH: usize = 8;
/// Room for their successors: three each, for none steps back, and one more for the root. A power of two, so
/// that no index needs a check.
const MOST: usize = 4 * WIDTH;

/// The state of one thread's search.
pub(crate) struct Dive<'a> {
    layout: &'a Layout<'a>,
    machine: &'a Machine,
    allowance: Allowance<'a>,
    /// States that wait, the next ones last, and all lanes of each.
    waiting: Vec<State>,
    lanes: Vec<Lane>,
    /// Those in hand, and their lanes.
    hand: Vec<State>,
    hand_lanes: Vec<Lane>,
    /// The successors of those in hand.
    children: [Child; MOST],
    /// For each view, their lanes that the move changed.
    child_lanes: [[Lane; MOST]; MAX_VIEWS],
    /// Those of them that no view has found to be too far.
    near: [u8; MOST],
    count: usize,
    /// The states that were taken up on the way to those that wait.
    taken: Vec<Taken>,
    /// By how much at least the bound must rise for something more to be seen.
    pub(crate) shortfall: u32,
    /// The cells that the blank went to, from the last to the first, once the goal is found.
    pub(crate) trail: Vec<u8>,
}

/// A state that waits to be taken up.
#[derive(Clone, Copy)]
struct State {
    board: Cells,
    blank: u8,
    machine: u16,
    /// The index among those taken of the state before it.
    before: u32,
    /// The moves that may still be made.
    left: u32,
    /// For each view, the moves that all tiles need.
    sums: [u32; MAX_VIEWS],
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
    of: u8,
    direction: u8,
    to: u8,
    tile: u8,
    machine: u16,
}

impl<'a> Dive<'a> {
    pub(crate) fn new(layout: &'a Layout<'a>, machine: &'a Machine, control: &'a Control<'a>) -> Self {
        Self {
            layout,
            machine,
            allowance: Allowance::new(control),
            waiting: Vec::new(),
            lanes: Vec::new(),
            hand: Vec::with_capacity(WIDTH),
            hand_lanes: Vec::new(),
            children: [Child::default(); MOST],
            child_lanes: [[Lane::default(); MOST]; MAX_VIEWS],
            near: [0; MOST],
            count: 0,
            taken: Vec::new(),
            shortfall: u32::MAX,
            trail: Vec::new(),
        }
    }

    /// Searches from `root`, whose lanes are given, as far as `bound`.
    pub(crate) fn within(&mut self, root: &Root, lanes: &[Lane], bound: u32) -> ControlFlow<Halt> {
        let mut sums = [0; MAX_VIEWS];
        for (sum, all) in sums.iter_mut().zip(self.layout.sums(lanes)) {
            *sum = all;
        }
        let least = root.paid + sums.iter().max().copied().unwrap_or(0);
        if least > bound {
            self.shortfall = self.shortfall.min(least - bound);
            return Continue(());
        }
        if sums[0] == 0 {
            return Break(Halt::Goal);
        }
        let machine = root.machine_state(self.machine, self.layout);
        let left = bound - root.paid;
        self.waiting.clear();
        self.waiting.push(State { board: root.board, blank: root.blank, machine, before: NOTHING, left, sums });
        self.lanes.clear();
        self.lanes.extend_from_slice(lanes);
        match (self.layout.residue, self.layout.pieces()) {
            (Residue::Parity, 2) => self.run::<true, 2>(),
            (Residue::Parity, 3) => self.run::<true, 3>(),
            (Residue::Parity, _) => self.run::<true, ANY>(),
            (Residue::Three, 3) => self.run::<false, 3>(),
            (Residue::Three, _) => self.run::<false, ANY>(),
        }
    }

    fn run<const PARITY: bool, const PIECES: usize>(&mut self) -> ControlFlow<Halt> {
        while !self.waiting.is_empty() {
            self.take_in_hand();
            self.make_children()?;
            for view in 0..self.layout.views.len() {
                self.look_up::<PARITY, PIECES>(view);
            }
            self.keep_children()?;
        }
        Continue(())
    }

    /// Moves the last states that wait into the hand.
    #[inline]
    fn take_in_hand(&mut self) {
        let stride = self.layout.views.len() * self.layout.groups.len();
        let first = self.waiting.len().saturating_sub(WIDTH);
        self.hand.clear();
        self.hand.extend_from_slice(&self.waiting[first..]);
        self.waiting.truncate(first);
        self.hand_lanes.clear();
        self.hand_lanes.extend_from_slice(&self.lanes[first * stride..]);
        self.lanes.truncate(first * stride);
        // States wait in the order in which the states before them were taken up: nothing that waits stands
        // on one that was taken up after the one before the last in hand.
        let needed = self.hand.last().map_or(NOTHING, |state| state.before);
        self.taken.truncate(needed.wrapping_add(1) as usize);
    }

    /// Makes the successors of the states in hand.
    #[inline]
    fn make_children(&mut self) -> ControlFlow<Halt> {
        let mut count = 0;
        for (of, here) in self.hand.iter().enumerate() {
            self.allowance.expand()?;
            self.taken.push(Taken { before: here.before, blank: here.blank });
            if here.left == 0 {
                self.shortfall = self.shortfall.min(1);
                continue;
            }
            let targets = &self.layout.targets[usize::from(here.blank) % SLOTS];
            for (direction, &machine) in self.machine.next(here.machine).iter().enumerate() {
                let to = targets[direction];
                let tile = here.board[usize::from(to) % SLOTS];
                self.children[count % MOST] = Child { of: of as u8, direction: direction as u8, to, tile, machine };
                self.near[count % MOST] = count as u8;
                count += usize::from(machine != LEFT_OUT);
            }
        }
        debug_assert!(count < MOST, "{count} successors");
        self.allowance.generated += count as u64;
        self.count = count;
        Continue(())
    }

    /// Looks the children up in a view, and drops those that are too far by it.
    #[inline]
    fn look_up<const PARITY: bool, const PIECES: usize>(&mut self, index: usize) {
        let (groups, view) = (&self.layout.groups[..], &self.layout.views[index]);
        let stride = self.layout.views.len() * groups.len();
        let near = &mut self.near[..self.count];
        let lanes = &mut self.child_lanes[index % MAX_VIEWS];
        let mut lookups = [Lookup::default(); MOST];
        for &at in &*near {
            let child = self.children[usize::from(at) % MOST];
            let here = &self.hand[usize::from(child.of)];
            let lane = self.hand_lanes[usize::from(child.of) * stride + index * groups.len() + view.group(child.tile)];
            let from = (usize::from(here.blank), usize::from(child.direction));
            let begun = view.begin::<PIECES>(lane, groups, from, child.tile, &here.board);
            (lanes[usize::from(at) % MOST], lookups[usize::from(at) % MOST]) = begun;
        }
        for &at in &*near {
            lookups[usize::from(at) % MOST].find_row::<PIECES>(groups);
        }
        for &at in &*near {
            lookups[usize::from(at) % MOST].read::<PARITY>(lanes[usize::from(at) % MOST].order, groups);
        }
        let mut count = 0;
        for each in 0..near.len() {
            let at = near[each];
            let lane = &mut lanes[usize::from(at) % MOST];
            let here = &self.hand[usize::from(self.children[usize::from(at) % MOST].of)];
            let moves = lookups[usize::from(at) % MOST].moves::<PARITY>(lane.moves);
            let sum = here.sums[index % MAX_VIEWS] + moves - lane.moves;
            lane.moves = moves;
            let over = (sum + 1).saturating_sub(here.left);
            self.shortfall = self.shortfall.min(if over > 0 { over } else { u32::MAX });
            near[count] = at;
            count += usize::from(over == 0);
        }
        self.count = count;
    }

    /// Lets the children wait to be taken up.
    #[inline]
    fn keep_children(&mut self) -> ControlFlow<Halt> {
        let (groups, views) = (self.layout.groups.len(), &self.layout.views);
        let stride = views.len() * groups;
        let first_taken = (self.taken.len() - self.hand.len()) as u32;
        for &at in &self.near[..self.count] {
            let child = self.children[usize::from(at) % MOST];
            let here = &self.hand[usize::from(child.of)];
            let before = first_taken + u32::from(child.of);
            let old = &self.hand_lanes[usize::from(child.of) * stride..][..stride];
            let first = self.lanes.len();
            self.lanes.extend_from_slice(old);
            let mut sums = here.sums;
            for (index, view) in views.iter().enumerate() {
                let lane = self.child_lanes[index % MAX_VIEWS][usize::from(at) % MOST];
                let own = &mut self.lanes[first + index * groups + view.group(child.tile)];
                sums[index % MAX_VIEWS] += lane.moves;
                sums[index % MAX_VIEWS] -= own.moves;
                *own = lane;
            }
            if sums[0] == 0 {
                self.trail = std::iter::once(child.to).chain(self.way_back(before)).collect();
                return Break(Halt::Goal);
            }
            let mut board = here.board;
            board.swap(usize::from(here.blank) % SLOTS, usize::from(child.to) % SLOTS);
            let (machine, left) = (child.machine, here.left - 1);
            self.waiting.push(State { board, blank: child.to, machine, before, left, sums });
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
