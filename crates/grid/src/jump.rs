//! Jump point search: on uniform ground, only the cells at which an obstacle forces a turn are put
//! into the queue; what lies between is looked over in the maps of free cells.
//!
//! Going diagonally (four-way: vertically), the lines to both sides are looked along at each cell, and
//! the jump points on them become successors at once; the cells passed diagonally do not.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    ops::ControlFlow::{self, Break, Continue},
};

use pintu_search::{Counters, Node as Seen, Observer, Stop};

use crate::{
    Cell, Diagonal,
    best_first::{Course, End},
    heuristic::Estimate,
    map::Lines,
    movement::{NOWHERE, Step},
    scan::{Kind, Line},
    scratch::{Node, Nodes, is_stamped},
};

/// The jump points of one search.
#[derive(Default)]
pub(crate) struct Arena {
    jumps: Vec<Jump>,
    queue: BinaryHeap<(Reverse<u64>, u32)>,
}

#[derive(Clone, Copy)]
struct Jump {
    paid: u64,
    left: u64,
    index: u32,
    parent: u32,
    arrived: u8,
    closed: bool,
}

const NO_PARENT: u32 = u32::MAX;

impl Arena {
    pub(crate) fn bytes(&self) -> u64 {
        (self.jumps.capacity() * size_of::<Jump>() + self.queue.capacity() * size_of::<(Reverse<u64>, u32)>()) as u64
    }

    /// The jump points on the way to one, last first.
    pub(crate) fn way_back(&self, slot: u32) -> impl Iterator<Item = u32> + '_ {
        let mut at = slot;
        std::iter::from_fn(move || {
            let jump = self.jumps.get(at as usize)?;
            at = jump.parent;
            Some(jump.index)
        })
    }
}

/// Searches; [`End::Goal`] has the slot in the arena for its cell.
pub(crate) fn jump_search<E: Estimate, O: Observer<Cell>>(
    course: Course<'_>,
    lines: &Lines,
    nodes: &mut Nodes<u32>,
    arena: &mut Arena,
    estimate: &E,
    observer: &mut O,
    counters: &mut Counters,
) -> End {
    let bytes = Nodes::<u32>::bytes_for(course.map.numbers());
    let has_room = nodes.has_room(course.map.numbers());
    if let (false, Break(why)) = (has_room, observer.grow(bytes + arena.bytes(), counters)) {
        return End::Stopped { why, lower_bound: None };
    }
    let (nodes, stamp) = nodes.fresh(course.map.numbers());
    arena.jumps.clear();
    arena.queue.clear();
    let mut search = Search { course, lines, nodes, stamp, arena, estimate, observer, best: u64::MAX };
    let end = search.run(counters);
    counters.peak_states = search.arena.jumps.len() as u64;
    counters.peak_bytes = counters.peak_bytes.max(bytes + search.arena.bytes());
    match end {
        Continue(Some((slot, paid))) => End::Goal { cell: slot, paid },
        Continue(None) => End::Exhausted,
        Break(why) => {
            let least = search.arena.queue.peek().map(|(Reverse(rank), _)| *rank);
            End::Stopped { why, lower_bound: least }
        }
    }
}

struct Search<'a, E, O> {
    course: Course<'a>,
    lines: &'a Lines,
    /// `paid` is the slot of the cell's jump point here.
    nodes: &'a mut [Node<u32>],
    stamp: u32,
    arena: &'a mut Arena,
    estimate: &'a E,
    observer: &'a mut O,
    /// What the best path to a goal costs that is known so far.
    best: u64,
}

/// A place in both maps of free cells.
#[derive(Clone, Copy)]
struct Place {
    cell: Cell,
    across: usize,
    down: usize,
}

impl<E: Estimate, O: Observer<Cell>> Search<'_, E, O> {
    fn run(&mut self, counters: &mut Counters) -> ControlFlow<Stop, Option<(u32, u64)>> {
        let start = self.course.map.cell(self.course.from);
        self.observer.iteration(self.course.whole(self.estimate.at(start)), counters)?;
        self.reach(start, self.course.from, 0, NO_PARENT, NOWHERE, counters)?;
        while let Some((Reverse(rank), slot)) = self.arena.queue.pop() {
            let jump = self.arena.jumps[slot as usize];
            if jump.closed || jump.paid + jump.left != rank {
                continue;
            }
            self.arena.jumps[slot as usize].closed = true;
            let cell = self.course.map.cell(jump.index);
            let seen =
                Seen { state: &cell, cost: self.course.whole(jump.paid), estimate: self.course.whole(jump.left) };
            self.observer.expand(&seen, counters)?;
            counters.expanded += 1;
            if self.course.is_goal(jump.index) {
                return Continue(Some((slot, jump.paid)));
            }
            self.take_up(slot, jump, cell, counters)?;
        }
        Continue(None)
    }

    fn take_up(&mut self, slot: u32, jump: Jump, cell: Cell, counters: &mut Counters) -> ControlFlow<Stop> {
        let map = self.course.map;
        let mut steps = map.rules.needed[usize::from(jump.arrived)][usize::from(map.around[jump.index as usize])];
        let down = (cell.col as usize + 1) * self.lines.down_stride + cell.row as usize + 1;
        let place = Place { cell, across: jump.index as usize, down };
        while steps != 0 {
            let step = Step::ALL[steps.trailing_zeros() as usize];
            steps &= steps - 1;
            if self.leads_aside(step) {
                self.sweep(slot, jump.paid, place, step, counters)?;
            } else {
                self.look(slot, jump.paid, place, step, counters)?;
            }
        }
        Continue(())
    }

    /// Whether going on by `step` one also looks to the sides.
    #[inline]
    fn leads_aside(&self, step: Step) -> bool {
        match self.course.map.diagonal {
            Diagonal::Never => matches!(step, Step::Up | Step::Down),
            _ => step.is_diagonal(),
        }
    }

    /// Goes on by `step`, cell by cell, and looks to the sides from each.
    #[inline]
    fn sweep(
        &mut self,
        slot: u32,
        mut paid: u64,
        mut place: Place,
        step: Step,
        counters: &mut Counters,
    ) -> ControlFlow<Stop> {
        let map = self.course.map;
        let (row, col) = step.delta();
        let across = row as isize * map.stride as isize + col as isize;
        let down = col as isize * self.lines.down_stride as isize + row as isize;
        let bit = 1 << step as u8;
        let cost = self.step_cost(step);
        let sides = if row == 0 || col == 0 { [Step::Left, Step::Right] } else { components(step) };
        let natural = map.rules.needed[step as usize][255];
        while map.rules.legal[usize::from(map.around[place.across])] & bit != 0 {
            place.cell = Cell::new(place.cell.row.wrapping_add_signed(row), place.cell.col.wrapping_add_signed(col));
            place.across = place.across.wrapping_add_signed(across);
            place.down = place.down.wrapping_add_signed(down);
            paid += cost;
            let needed = map.rules.needed[step as usize][usize::from(map.around[place.across])];
            if needed & !natural != 0 || self.course.is_goal(place.across as u32) {
                return self.reach(place.cell, place.across as u32, paid, slot, step as u8, counters);
            }
            for side in sides {
                self.look(slot, paid, place, side, counters)?;
            }
        }
        Continue(())
    }

    /// Looks along a straight line, and remembers the jump point there.
    #[inline]
    fn look(&mut self, slot: u32, paid: u64, place: Place, step: Step, counters: &mut Counters) -> ControlFlow<Stop> {
        let kind = match self.course.map.diagonal {
            Diagonal::Never | Diagonal::NoCorners => Kind::Round,
            Diagonal::Always => Kind::Cut,
            Diagonal::NoSqueeze => Kind::CutOpen,
        };
        let goal = self.goal_ahead(place.cell, step);
        let across = Line { bits: &self.lines.across, stride: self.course.map.stride, kind };
        let down = Line { bits: &self.lines.down, stride: self.lines.down_stride, kind };
        let distance = match step {
            Step::Left => across.backward(place.across, goal),
            Step::Right => across.onward(place.across, goal),
            Step::Up => down.backward(place.down, goal),
            _ => down.onward(place.down, goal),
        };
        if distance == 0 {
            return Continue(());
        }
        let (row, col) = step.delta();
        let ahead = distance as i32;
        let cell =
            Cell::new(place.cell.row.wrapping_add_signed(row * ahead), place.cell.col.wrapping_add_signed(col * ahead));
        let paid = paid + self.step_cost(step) * u64::from(distance);
        self.reach(cell, self.course.map.index(cell) as u32, paid, slot, step as u8, counters)
    }

    /// How far ahead on the line the nearest goal lies.
    #[inline]
    fn goal_ahead(&self, cell: Cell, step: Step) -> u32 {
        let ahead = |goal: Cell| {
            let (row, col) = (i64::from(goal.row) - i64::from(cell.row), i64::from(goal.col) - i64::from(cell.col));
            let (off, along) = match step {
                Step::Left => (row, -col),
                Step::Right => (row, col),
                Step::Up => (col, -row),
                _ => (col, row),
            };
            if off == 0 && along > 0 { along as u32 } else { u32::MAX }
        };
        let goals = self.course.goals.iter();
        goals.map(|&goal| ahead(self.course.map.cell(goal))).min().unwrap_or(u32::MAX)
    }

    #[inline]
    fn step_cost(&self, step: Step) -> u64 {
        let scale = &self.course.scale;
        let unit = if step.is_diagonal() { scale.diagonal } else { scale.straight };
        unit * u64::from(self.course.map.least_cost)
    }

    /// A way to a jump point was found: remembers it if it is the first or the cheapest.
    #[inline]
    fn reach(
        &mut self,
        cell: Cell,
        index: u32,
        paid: u64,
        parent: u32,
        arrived: u8,
        counters: &mut Counters,
    ) -> ControlFlow<Stop> {
        let left = self.estimate.at(cell);
        counters.generated += 1;
        if parent != NO_PARENT {
            let from = self.course.map.cell(self.arena.jumps[parent as usize].index);
            let seen = Seen { state: &cell, cost: self.course.whole(paid), estimate: self.course.whole(left) };
            self.observer.generate(&from, &seen, counters)?;
        }
        // Nothing through here can be cheaper than what is known already.
        if paid + left >= self.best {
            return Continue(());
        }
        if left == 0 && self.course.is_goal(index) {
            self.best = paid;
        }
        let jump = Jump { paid, left, index, parent, arrived, closed: false };
        let node = self.nodes[index as usize];
        let slot = if is_stamped(node.tag, self.stamp) {
            let slot = node.paid;
            if paid >= self.arena.jumps[slot as usize].paid {
                return Continue(());
            }
            self.arena.jumps[slot as usize] = jump;
            slot
        } else {
            let slot = self.arena.jumps.len() as u32;
            self.nodes[index as usize] = Node { paid: slot, tag: self.stamp };
            self.arena.jumps.push(jump);
            slot
        };
        self.arena.queue.push((Reverse(paid + left), slot));
        Continue(())
    }
}

/// The straight steps that a diagonal one is made of.
#[inline]
fn components(step: Step) -> [Step; 2] {
    let (row, col) = step.delta();
    [if row < 0 { Step::Up } else { Step::Down }, if col < 0 { Step::Left } else { Step::Right }]
}
