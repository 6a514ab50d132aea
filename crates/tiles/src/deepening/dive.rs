//! One depth-first search, no further than a bound.

use std::ops::ControlFlow::{self, Break, Continue};

use super::{
    control::{Allowance, Control},
    layout::{Lane, Layout, NO_GROUP},
    machine::{LEFT_OUT, Machine},
};
use crate::pattern::MAX_PATTERN_CELLS;

/// Where a dive begins.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    pub(crate) board: Vec<u8>,
    pub(crate) blank: u8,
    pub(crate) state: u16,
    /// The moves made so far.
    pub(crate) paid: u32,
}

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
    board: [u8; MAX_PATTERN_CELLS],
    lanes: [Lane; MAX_LANES],
    allowance: Allowance<'a>,
    /// By how much at least the bound must rise for something more to be seen.
    pub(crate) shortfall: u32,
    /// The cells that the blank went to, from the last to the first, once the goal is found.
    pub(crate) trail: Vec<u8>,
}

pub(crate) const MAX_LANES: usize = 4 * MAX_GROUPS;
pub(crate) const MAX_GROUPS: usize = 16;
const MAX_VIEWS: usize = 4;

/// A state that is about to be taken up.
#[derive(Clone, Copy)]
struct Here {
    blank: usize,
    state: u16,
    /// The moves that may still be made.
    left: u32,
    /// The sum of the tiles' distances.
    distance: u32,
    /// For each view, the sum of the entries.
    sums: [u32; MAX_VIEWS],
}

/// A successor, as far as the first view has looked at it.
#[derive(Clone, Copy, Default)]
struct Child {
    direction: u8,
    to: u8,
    tile: u8,
    state: u16,
    distance: u32,
    sum: u32,
    lane: Lane,
}

impl<'a> Dive<'a> {
    pub(crate) fn new(layout: &'a Layout<'a>, machine: &'a Machine, control: &'a Control<'a>) -> Self {
        Self {
            layout,
            machine,
            board: [0; MAX_PATTERN_CELLS],
            lanes: [Lane::default(); MAX_LANES],
            allowance: Allowance::new(control),
            shortfall: u32::MAX,
            trail: Vec::new(),
        }
    }

    /// Searches from `root` as far as `bound`.
    pub(crate) fn within(&mut self, root: &Root, bound: u32) -> ControlFlow<Halt> {
        let layout = self.layout;
        self.board[..layout.cells].copy_from_slice(&root.board);
        let blank = usize::from(root.blank);
        let lanes = layout.lanes(&root.board, blank);
        self.lanes[..lanes.len()].copy_from_slice(&lanes);
        let mut sums = [0; MAX_VIEWS];
        for (sum, view) in sums.iter_mut().zip(lanes.chunks(layout.groups.len())) {
            *sum = view.iter().map(|lane| lane.entry).sum();
        }
        let estimate = layout.estimate(&root.board, &lanes);
        if root.paid + estimate > bound {
            self.shortfall = self.shortfall.min(root.paid + estimate - bound);
            return Continue(());
        }
        let distance = layout.distance(&root.board);
        self.take_up(Here { blank, state: root.state, left: bound - root.paid, distance, sums })
    }

    fn take_up(&mut self, here: Here) -> ControlFlow<Halt> {
        self.allowance.expand()?;
        if here.distance == 0 {
            return Break(Halt::Goal);
        }
        let Some(left) = here.left.checked_sub(1) else {
            self.shortfall = self.shortfall.min(1);
            return Continue(());
        };
        let (children, count) = self.children(&here);
        for child in &children[..count] {
            let estimate = child.distance + self.layout.step * child.sum;
            if estimate > left {
                self.shortfall = self.shortfall.min(estimate - left);
            } else {
                self.descend(&here, child, left)?;
            }
        }
        Continue(())
    }

    /// The successors, all looked up at once, so that the processor waits for them together.
    #[inline]
    fn children(&mut self, here: &Here) -> ([Child; 4], usize) {
        let layout = self.layout;
        let view = &layout.views[0];
        let mut children = [Child::default(); 4];
        let mut count = 0;
        for (direction, &state) in self.machine.next(here.state).iter().enumerate() {
            if state == LEFT_OUT {
                continue;
            }
            let to = layout.targets[here.blank][direction];
            let tile = self.board[usize::from(to)];
            let distance =
                here.distance + layout.distance_of(tile, here.blank) - layout.distance_of(tile, usize::from(to));
            let group = view.group(tile);
            let (lane, sum) = if group == usize::from(NO_GROUP) {
                (Lane::default(), here.sums[0])
            } else {
                let old = self.lanes[group];
                let lane = view.step(old, &layout.groups[group], here.blank * 4 + direction, tile, &self.board);
                (lane, here.sums[0] + lane.entry - old.entry)
            };
            children[count] = Child { direction: direction as u8, to, tile, state, distance, sum, lane };
            count += 1;
        }
        self.allowance.generated += count as u64;
        (children, count)
    }

    /// Looks a successor up in the other views and, if none of them says that it is too far, goes on
    /// from it.
    #[inline]
    fn descend(&mut self, here: &Here, child: &Child, left: u32) -> ControlFlow<Halt> {
        let layout = self.layout;
        let groups = layout.groups.len();
        let slide = here.blank * 4 + usize::from(child.direction);
        let mut sums = here.sums;
        let mut lanes = [child.lane; MAX_VIEWS];
        sums[0] = child.sum;
        for (index, view) in layout.views.iter().enumerate().skip(1) {
            let group = view.group(child.tile);
            if group == usize::from(NO_GROUP) {
                continue;
            }
            let old = self.lanes[index * groups + group];
            let lane = view.step(old, &layout.groups[group], slide, child.tile, &self.board);
            lanes[index] = lane;
            sums[index] = here.sums[index] + lane.entry - old.entry;
            let estimate = child.distance + layout.step * sums[index];
            if estimate > left {
                self.shortfall = self.shortfall.min(estimate - left);
                return Continue(());
            }
        }
        self.swap_lanes(child.tile, &mut lanes);
        let to = usize::from(child.to);
        self.board.swap(here.blank, to);
        let end = self.take_up(Here { blank: to, state: child.state, left, distance: child.distance, sums });
        self.board.swap(here.blank, to);
        self.swap_lanes(child.tile, &mut lanes);
        if matches!(end, Break(Halt::Goal)) {
            self.trail.push(child.to);
        }
        end
    }

    /// Exchanges the lanes of a tile's groups with others.
    #[inline]
    fn swap_lanes(&mut self, tile: u8, lanes: &mut [Lane; MAX_VIEWS]) {
        let groups = self.layout.groups.len();
        for (index, view) in self.layout.views.iter().enumerate() {
            let group = view.group(tile);
            if group != usize::from(NO_GROUP) {
                std::mem::swap(&mut self.lanes[index * groups + group], &mut lanes[index]);
            }
        }
    }
}
