//! One depth-first search, no further than a bound.

use std::ops::ControlFlow::{self, Break, Continue};

use super::{
    control::{Allowance, Control},
    frontier::Root,
    layout::{ANY, Cells, Lane, Layout, SLOTS},
    machine::{LEFT_OUT, Machine},
};
use crate::pattern::{MAX_GROUPS, MAX_VIEWS, Residue};

/// Why a dive ends before it is done.
pub(crate) enum Halt {
    /// It is at the goal.
    Goal,
    /// A limit, or somebody, stopped it.
    Stopped,
}

/// The state of one thread's search.
pub(crate) struct Dive<'a> {
    layout: &'a Layout<'a>,
    machine: &'a Machine,
    board: Cells,
    lanes: [[Lane; MAX_GROUPS]; MAX_VIEWS],
    allowance: Allowance<'a>,
    /// By how much at least the bound must rise for something more to be seen.
    pub(crate) shortfall: u32,
    /// The cells that the blank went to, from the last to the first, once the goal is found.
    pub(crate) trail: Vec<u8>,
}

/// A state that is about to be taken up.
#[derive(Clone, Copy)]
struct Here {
    blank: usize,
    state: u16,
    /// The moves that may still be made.
    left: u32,
    /// For each view, the moves that all tiles need.
    sums: [u32; MAX_VIEWS],
}

/// A successor, as far as the first view has looked at it.
#[derive(Clone, Copy, Default)]
struct Child {
    lane: Lane,
    sum: u32,
    state: u16,
    direction: u8,
    to: u8,
    tile: u8,
}

impl<'a> Dive<'a> {
    pub(crate) fn new(layout: &'a Layout<'a>, machine: &'a Machine, control: &'a Control<'a>) -> Self {
        Self {
            layout,
            machine,
            board: [0; SLOTS],
            lanes: [[Lane::default(); MAX_GROUPS]; MAX_VIEWS],
            allowance: Allowance::new(control),
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
        self.board = root.board;
        for (own, view) in self.lanes.iter_mut().zip(lanes.chunks(self.layout.groups.len())) {
            own[..view.len()].copy_from_slice(view);
        }
        let state = root.machine_state(self.machine, self.layout);
        let here = Here { blank: usize::from(root.blank), state, left: bound - root.paid, sums };
        match (self.layout.residue, self.layout.pieces()) {
            (Residue::Parity, 2) => self.take_up::<true, 2>(here),
            (Residue::Parity, 3) => self.take_up::<true, 3>(here),
            (Residue::Parity, _) => self.take_up::<true, ANY>(here),
            (Residue::Three, 3) => self.take_up::<false, 3>(here),
            (Residue::Three, _) => self.take_up::<false, ANY>(here),
        }
    }

    fn take_up<const PARITY: bool, const PIECES: usize>(&mut self, here: Here) -> ControlFlow<Halt> {
        self.allowance.expand()?;
        if here.sums[0] == 0 {
            return Break(Halt::Goal);
        }
        let Some(left) = here.left.checked_sub(1) else {
            self.shortfall = self.shortfall.min(1);
            return Continue(());
        };
        let (children, count) = self.children::<PARITY, PIECES>(&here);
        for child in &children[..count] {
            if child.sum > left {
                self.shortfall = self.shortfall.min(child.sum - left);
            } else {
                self.descend::<PARITY, PIECES>(&here, child, left)?;
            }
        }
        Continue(())
    }

    /// The successors, all looked up at once, so that the processor waits for them together.
    #[inline]
    fn children<const PARITY: bool, const PIECES: usize>(&mut self, here: &Here) -> ([Child; 4], usize) {
        let layout = self.layout;
        let view = &layout.views[0];
        let mut children = [Child::default(); 4];
        let mut count = 0;
        for (direction, &state) in self.machine.next(here.state).iter().enumerate() {
            if state == LEFT_OUT {
                continue;
            }
            let to = layout.targets[here.blank % SLOTS][direction];
            let tile = self.board[usize::from(to) % SLOTS];
            let group = view.group(tile);
            let old = self.lanes[0][group % MAX_GROUPS];
            let at = (here.blank, direction);
            let lane = view.step::<PARITY, PIECES>(old, &layout.groups[group], at, tile, &self.board);
            let sum = here.sums[0] + lane.moves - old.moves;
            children[count] = Child { lane, sum, state, direction: direction as u8, to, tile };
            count += 1;
        }
        self.allowance.generated += count as u64;
        (children, count)
    }

    /// Looks a successor up in the other views and, if none of them says that it is too far, goes on
    /// from it.
    #[inline]
    fn descend<const PARITY: bool, const PIECES: usize>(
        &mut self,
        here: &Here,
        child: &Child,
        left: u32,
    ) -> ControlFlow<Halt> {
        let layout = self.layout;
        let mut sums = here.sums;
        let mut lanes = [child.lane; MAX_VIEWS];
        sums[0] = child.sum;
        let at = (here.blank, usize::from(child.direction));
        for (index, view) in layout.views.iter().enumerate().skip(1) {
            let group = view.group(child.tile);
            let old = self.lanes[index % MAX_VIEWS][group % MAX_GROUPS];
            let lane = view.step::<PARITY, PIECES>(old, &layout.groups[group], at, child.tile, &self.board);
            lanes[index % MAX_VIEWS] = lane;
            let sum = here.sums[index % MAX_VIEWS] + lane.moves - old.moves;
            sums[index % MAX_VIEWS] = sum;
            if sum > left {
                self.shortfall = self.shortfall.min(sum - left);
                return Continue(());
            }
        }
        self.swap_lanes(child.tile, &mut lanes);
        let to = usize::from(child.to);
        self.board.swap(here.blank % SLOTS, to % SLOTS);
        let end = self.take_up::<PARITY, PIECES>(Here { blank: to, state: child.state, left, sums });
        self.board.swap(here.blank % SLOTS, to % SLOTS);
        self.swap_lanes(child.tile, &mut lanes);
        if matches!(end, Break(Halt::Goal)) {
            self.trail.push(child.to);
        }
        end
    }

    /// Exchanges the lanes of a tile's groups with others.
    #[inline]
    fn swap_lanes(&mut self, tile: u8, lanes: &mut [Lane; MAX_VIEWS]) {
        for (index, view) in self.layout.views.iter().enumerate() {
            let own = &mut self.lanes[index % MAX_VIEWS][view.group(tile) % MAX_GROUPS];
            std::mem::swap(own, &mut lanes[index % MAX_VIEWS]);
        }
    }
}
