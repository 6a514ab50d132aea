//! Jump point search: on uniform ground, only the cells at which an obstacle forces a turn are put
//! into the queue. Where they lie along rows and columns is looked up ([`Leaps`]), or, where a goal may
//! lie before them, looked for in the maps of free cells, many cells at a time.
//!
//! Going diagonally (four-way: vertically), the lines to both sides are looked along at each cell, and
//! the jump points on them become successors at once; the cells passed diagonally do not.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    marker::PhantomData,
    ops::ControlFlow::{self, Break, Continue},
};

use pintu_search::{Counters, Node as Seen, Observer, Stop};

use crate::{
    Cell, Diagonal,
    best_first::{Course, End},
    heuristic::Estimate,
    leaps::Leaps,
    map::Lines,
    movement::{NOWHERE, Step},
    scan::{Corners, Cut, Line, Round},
    scratch::{Node, Nodes, is_stamped},
};

/// The jump points of one search.
#[derive(Default)]
pub(crate) struct Arena {
    jumps: Vec<Jump>,
    queue: BinaryHeap<Entry>,
}

/// A rank and the slot of a jump point; the greatest entry comes first.
type Entry = (Reverse<u64>, u32);

#[derive(Clone, Copy)]
struct Jump {
    paid: u64,
    index: u32,
    parent: u32,
    arrived: u8,
    closed: bool,
}

const NO_PARENT: u32 = u32::MAX;

impl Arena {
    pub(crate) fn bytes(&self) -> u64 {
        (self.jumps.capacity() * size_of::<Jump>() + self.queue.capacity() * size_of::<Entry>()) as u64
    }

    /// Grows by less than a vector does by itself: memory is counted by the cell.
    #[inline]
    fn add(&mut self, jump: Jump) {
        if self.jumps.len() == self.jumps.capacity() {
            self.jumps.reserve_exact(self.jumps.len() / 4 + 64);
        }
        self.jumps.push(jump);
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
    let (straight, diagonal) = (course.scale.straight, course.scale.diagonal);
    let least = u64::from(course.map.least_cost);
    let tools = Tools {
        across: Line { bits: &lines.across, stride: course.map.stride },
        down: Line { bits: &lines.down, stride: lines.down_stride },
        leaps: course.map.leaps.as_ref(),
        offsets: course.map.offsets(),
        straight: straight * least,
        diagonal: diagonal * least,
    };
    let search = Search {
        course,
        tools,
        nodes,
        stamp,
        arena: &mut *arena,
        estimate,
        observer,
        best: u64::MAX,
        corners: PhantomData,
    };
    let end = match course.map.diagonal {
        Diagonal::Never => search.under::<Round<true>>().run(counters),
        Diagonal::Always => search.under::<Cut<false>>().run(counters),
        Diagonal::NoSqueeze => search.under::<Cut<true>>().run(counters),
        Diagonal::NoCorners => search.under::<Round<false>>().run(counters),
    };
    counters.peak_states = arena.jumps.len() as u64;
    counters.peak_bytes = counters.peak_bytes.max(bytes + arena.bytes());
    match end {
        Continue(Some((slot, paid))) => End::Goal { cell: slot, paid },
        Continue(None) => End::Exhausted,
        Break(why) => End::Stopped { why, lower_bound: arena.queue.peek().map(|(Reverse(rank), _)| *rank) },
    }
}

struct Search<'a, E, O, C> {
    course: Course<'a>,
    tools: Tools<'a>,
    /// `paid` is the slot of the cell's jump point here.
    nodes: &'a mut [Node<u32>],
    stamp: u32,
    arena: &'a mut Arena,
    estimate: &'a E,
    observer: &'a mut O,
    /// What the best path to a goal costs that is known so far.
    best: u64,
    corners: PhantomData<C>,
}

/// What stays the same during a search.
#[derive(Clone, Copy)]
struct Tools<'a> {
    across: Line<'a>,
    down: Line<'a>,
    leaps: Option<&'a Leaps>,
    offsets: [isize; 8],
    /// What a straight step costs.
    straight: u64,
    /// What a diagonal step costs.
    diagonal: u64,
}

/// The jump point that is taken up.
#[derive(Clone, Copy)]
struct Origin {
    cell: Cell,
    slot: u32,
}

/// A place in both maps of free cells, and what was paid to get there.
#[derive(Clone, Copy)]
struct Place {
    cell: Cell,
    across: usize,
    down: usize,
    paid: u64,
}

impl<'a, E, O> Search<'a, E, O, ()> {
    /// The search under a corner rule.
    fn under<C>(self) -> Search<'a, E, O, C> {
        let Self { course, tools, nodes, stamp, arena, estimate, observer, best, corners: _ } = self;
        Search { course, tools, nodes, stamp, arena, estimate, observer, best, corners: PhantomData }
    }
}

impl<E: Estimate, O: Observer<Cell>, C: Corners> Search<'_, E, O, C> {
    fn run(mut self, counters: &mut Counters) -> ControlFlow<Stop, Option<(u32, u64)>> {
        let start = self.course.map.cell(self.course.from);
        self.observer.iteration(self.course.whole(self.estimate.at(start)), counters)?;
        let origin = Origin { cell: start, slot: NO_PARENT };
        self.reach(origin, start, self.course.from, 0, NOWHERE, counters)?;
        while let Some((Reverse(rank), slot)) = self.arena.queue.pop() {
            let jump = self.arena.jumps[slot as usize];
            if jump.closed {
                continue;
            }
            let cell = self.course.map.cell(jump.index);
            let left = self.estimate.at(cell);
            if jump.paid + left != rank {
                continue;
            }
            self.arena.jumps[slot as usize].closed = true;
            let seen = Seen { state: &cell, cost: self.course.whole(jump.paid), estimate: self.course.whole(left) };
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
        let down = (cell.col as usize + 1) * self.tools.down.stride + cell.row as usize + 1;
        let place = Place { cell, across: jump.index as usize, down, paid: jump.paid };
        let origin = Origin { cell, slot };
        while steps != 0 {
            let step = Step::ALL[steps.trailing_zeros() as usize];
            steps &= steps - 1;
            let aside = if C::FOUR_WAY { matches!(step, Step::Up | Step::Down) } else { step.is_diagonal() };
            if aside {
                self.sweep(origin, place, step, counters)?;
            } else {
                self.look(origin, place, step, counters)?;
            }
        }
        Continue(())
    }

    /// Goes on by `step`, cell by cell, and looks to the sides from each.
    fn sweep(&mut self, origin: Origin, mut place: Place, step: Step, counters: &mut Counters) -> ControlFlow<Stop> {
        let map = self.course.map;
        let (row, col) = step.delta();
        let across = row as isize * map.stride as isize + col as isize;
        let down = col as isize * self.tools.down.stride as isize + row as isize;
        let cost = if C::FOUR_WAY { self.tools.straight } else { self.tools.diagonal };
        let sides = if C::FOUR_WAY { [Step::Left, Step::Right] } else { components(step) };
        let natural = map.rules.needed[step as usize][255];
        let bit = 1 << step as u8;
        let crossings = self.crossings(place.cell, step);
        let mut gone = 0;
        let mut around = map.around[place.across];
        while map.rules.legal[usize::from(around)] & bit != 0 {
            gone += 1;
            place.across = place.across.wrapping_add_signed(across);
            around = map.around[place.across];
            let turns = C::TURNS_ASIDE && map.rules.needed[step as usize][usize::from(around)] & !natural != 0;
            let is_known = !turns && crossings.is_some_and(|crossings| !crossings.contains(&gone));
            let known = self.tools.leaps.filter(|_| is_known);
            if known.is_some_and(|leaps| !leaps.any(place.across, sides)) {
                continue;
            }
            let here = Place {
                cell: place.cell.moved(row * gone, col * gone),
                across: place.across,
                down: place.down.wrapping_add_signed(down * gone as isize),
                paid: place.paid + cost * u64::from(gone.unsigned_abs()),
            };
            if let Some(leaps) = known {
                // No goal lies to the sides, so what is looked up is all there is.
                for side in sides {
                    let distance = leaps.distance(here.across, side, self.tools.offsets[side as usize]);
                    self.leap(origin, here, side, distance, counters)?;
                }
                continue;
            }
            if turns || self.course.is_goal(here.across as u32) {
                return self.reach(origin, here.cell, here.across as u32, here.paid, step as u8, counters);
            }
            for side in sides {
                self.look(origin, here, side, counters)?;
            }
        }
        Continue(())
    }

    /// After how many steps one is in the goal's row and in its column; `None` if there are several goals.
    #[inline]
    fn crossings(&self, cell: Cell, step: Step) -> Option<[i32; 2]> {
        let &[goal] = self.course.cells else {
            return None;
        };
        let (row, col) = step.delta();
        Some([(goal.row as i32 - cell.row as i32) * row, (goal.col as i32 - cell.col as i32) * col])
    }

    /// Looks along a straight line, and remembers the jump point there.
    fn look(&mut self, origin: Origin, place: Place, step: Step, counters: &mut Counters) -> ControlFlow<Stop> {
        let goal = self.goal_ahead(place.cell, step);
        let Tools { across, down, leaps, .. } = self.tools;
        let distance = match (step, leaps) {
            (_, Some(leaps)) if goal == u32::MAX => {
                leaps.distance(place.across, step, self.tools.offsets[step as usize])
            }
            (Step::Left, _) => across.backward::<C>(place.across, goal),
            (Step::Right, _) => across.onward::<C>(place.across, goal),
            (Step::Up, _) => down.backward::<C>(place.down, goal),
            _ => down.onward::<C>(place.down, goal),
        };
        self.leap(origin, place, step, distance, counters)
    }

    /// Remembers the jump point so far ahead; if that is 0, there is none.
    #[inline]
    fn leap(
        &mut self,
        origin: Origin,
        place: Place,
        step: Step,
        distance: u32,
        counters: &mut Counters,
    ) -> ControlFlow<Stop> {
        if distance == 0 {
            return Continue(());
        }
        let (row, col) = step.delta();
        let ahead = distance as i32;
        let cell = place.cell.moved(row * ahead, col * ahead);
        let index = place.across.wrapping_add_signed(self.tools.offsets[step as usize] * ahead as isize);
        let paid = place.paid + self.tools.straight * u64::from(distance);
        self.reach(origin, cell, index as u32, paid, step as u8, counters)
    }

    /// How far ahead on the line the nearest goal lies.
    #[inline]
    fn goal_ahead(&self, cell: Cell, step: Step) -> u32 {
        let ahead = |goal: Cell| {
            let (same_line, along) = match step {
                Step::Left => (goal.row == cell.row, cell.col.wrapping_sub(goal.col)),
                Step::Right => (goal.row == cell.row, goal.col.wrapping_sub(cell.col)),
                Step::Up => (goal.col == cell.col, cell.row.wrapping_sub(goal.row)),
                _ => (goal.col == cell.col, goal.row.wrapping_sub(cell.row)),
            };
            // A goal behind wraps around to a distance beyond every map.
            if same_line && along != 0 { along } else { u32::MAX }
        };
        match self.course.cells {
            &[goal] => ahead(goal),
            goals => goals.iter().map(|&goal| ahead(goal)).min().unwrap_or(u32::MAX),
        }
    }

    /// A way to a jump point was found: remembers it if it is the first or the cheapest.
    fn reach(
        &mut self,
        origin: Origin,
        cell: Cell,
        index: u32,
        paid: u64,
        arrived: u8,
        counters: &mut Counters,
    ) -> ControlFlow<Stop> {
        let left = self.estimate.at(cell);
        counters.generated += 1;
        if origin.slot != NO_PARENT {
            let seen = Seen { state: &cell, cost: self.course.whole(paid), estimate: self.course.whole(left) };
            self.observer.generate(&origin.cell, &seen, counters)?;
        }
        // Nothing through here can be cheaper than what is known already.
        if paid + left >= self.best {
            return Continue(());
        }
        if left == 0 && self.course.is_goal(index) {
            self.best = paid;
        }
        let jump = Jump { paid, index, parent: origin.slot, arrived, closed: false };
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
            self.arena.add(jump);
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
