//! Jump point search: on uniform ground, only the cells at which an obstacle forces a turn are put
//! into the queue. Where they lie along rows and columns is looked up ([`Leaps`]), or, where a goal may
//! lie before them, looked for in the maps of free cells, many cells at a time.
//!
//! Going diagonally (four-way: vertically), the lines to both sides are looked along at each cell, and
//! the jump points on them become successors at once; the cells passed diagonally do not.

mod arena;

use std::{
    marker::PhantomData,
    ops::ControlFlow::{self, Continue},
};

use pintu_search::{
    Fate, Node, Stop, Tree,
    driver::{Frontier, Id, Nodes},
};

pub(crate) use self::arena::Arena;
use self::arena::{Jump, NO_SLOT};
use crate::{
    Cell,
    course::Course,
    field::{Spot, is_stamped},
    heuristic::Estimate,
    leaps::Leaps,
    map::Lines,
    movement::{NOWHERE, Step},
    scan::{Corners, Line},
};

/// The nodes of jump point search under a corner rule.
pub(crate) struct Jumps<'a, E, C> {
    course: Course<'a>,
    tools: Tools<'a>,
    /// `paid` is the slot of the cell's jump point here.
    spots: &'a mut [Spot<u32>],
    stamp: u32,
    arena: &'a mut Arena,
    estimate: E,
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

/// A place in both maps of free cells, and what was paid to get there.
#[derive(Clone, Copy)]
struct Place {
    cell: Cell,
    across: usize,
    down: usize,
    paid: u64,
}

impl<'a, E: Estimate<u64>, C: Corners> Jumps<'a, E, C> {
    pub(crate) fn new(
        course: Course<'a>,
        lines: &'a Lines,
        (spots, stamp): (&'a mut [Spot<u32>], u32),
        arena: &'a mut Arena,
        estimate: E,
    ) -> Self {
        let map = course.map;
        arena.jumps.clear();
        let [straight, diagonal] = course.scale.prices(1);
        let tools = Tools {
            across: Line { bits: &lines.across, stride: map.stride },
            down: Line { bits: &lines.down, stride: lines.down_stride },
            leaps: map.leaps.as_ref(),
            offsets: map.offsets(),
            straight,
            diagonal,
        };
        Self { course, tools, spots, stamp, arena, estimate, best: u64::MAX, corners: PhantomData }
    }

    fn go_on<F: Frontier<Cell, u64>>(&mut self, slot: u32, frontier: &mut F) -> ControlFlow<Stop> {
        let map = self.course.map;
        let jump = self.arena.jumps[slot as usize];
        let cell = map.cell(jump.index);
        let mut steps = map.rules.needed[usize::from(jump.arrived)][usize::from(map.around[jump.index as usize])];
        let down = (cell.col as usize + 1) * self.tools.down.stride + cell.row as usize + 1;
        let place = Place { cell, across: jump.index as usize, down, paid: jump.paid };
        let origin = slot;
        while steps != 0 {
            let step = Step::ALL[steps.trailing_zeros() as usize];
            steps &= steps - 1;
            let aside = if C::FOUR_WAY { matches!(step, Step::Up | Step::Down) } else { step.is_diagonal() };
            if aside {
                self.cast(origin, place, step, frontier)?;
            } else {
                self.look(origin, place, step, frontier)?;
            }
        }
        Continue(())
    }

    /// Goes on by `step`, cell by cell, and looks to the sides from each.
    fn cast<F: Frontier<Cell, u64>>(
        &mut self,
        origin: Id,
        mut place: Place,
        step: Step,
        frontier: &mut F,
    ) -> ControlFlow<Stop> {
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
                    self.leap(origin, here, side, distance, frontier)?;
                }
                continue;
            }
            if turns || self.course.is_goal(here.across as u32) {
                return self.reach(origin, here.cell, here.across as u32, here.paid, step as u8, frontier);
            }
            for side in sides {
                self.look(origin, here, side, frontier)?;
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
    fn look<F: Frontier<Cell, u64>>(
        &mut self,
        origin: Id,
        place: Place,
        step: Step,
        frontier: &mut F,
    ) -> ControlFlow<Stop> {
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
        self.leap(origin, place, step, distance, frontier)
    }

    /// Remembers the jump point so far ahead; if that is 0, there is none.
    #[inline]
    fn leap<F: Frontier<Cell, u64>>(
        &mut self,
        origin: Id,
        place: Place,
        step: Step,
        distance: u32,
        frontier: &mut F,
    ) -> ControlFlow<Stop> {
        if distance == 0 {
            return Continue(());
        }
        let (row, col) = step.delta();
        let ahead = distance as i32;
        let cell = place.cell.moved(row * ahead, col * ahead);
        let index = place.across.wrapping_add_signed(self.tools.offsets[step as usize] * ahead as isize);
        let paid = place.paid + self.tools.straight * u64::from(distance);
        self.reach(origin, cell, index as u32, paid, step as u8, frontier)
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
    fn reach<F: Frontier<Cell, u64>>(
        &mut self,
        origin: Id,
        cell: Cell,
        index: u32,
        paid: u64,
        arrived: u8,
        frontier: &mut F,
    ) -> ControlFlow<Stop> {
        let left = self.estimate.at(cell);
        frontier.produced(1);
        let jump = Jump { paid, index, parent: origin, arrived, closed: false };
        let here = self.spots[index as usize];
        let is_known = is_stamped(here.tag, self.stamp);
        // Nothing through here can be cheaper than what is known already.
        if paid + left >= self.best {
            let slot = if is_known { here.paid } else { NO_SLOT };
            return show_unfollowed(slot, &jump, cell, left, Fate::Cut, frontier);
        }
        if left == 0 && self.course.is_goal(index) {
            self.best = paid;
        }
        let (slot, fate) = if is_known {
            let (slot, known) = (here.paid, self.arena.jumps[here.paid as usize]);
            if paid >= known.paid {
                return show_unfollowed(slot, &jump, cell, left, Fate::Known, frontier);
            }
            self.arena.jumps[slot as usize] = jump;
            (slot, if known.closed { Fate::Reopened } else { Fate::Cheaper })
        } else {
            let slot = self.arena.jumps.len() as u32;
            self.arena.add(jump, frontier.hold())?;
            self.spots[index as usize] = Spot { paid: slot, tag: self.stamp };
            (slot, Fate::New)
        };
        frontier.reach(&node(slot, &jump, &cell, left), fate)
    }
}

/// Shows a jump point that is not followed to those who watch.
#[inline]
fn show_unfollowed<F: Frontier<Cell, u64>>(
    slot: u32,
    jump: &Jump,
    cell: Cell,
    left: u64,
    fate: Fate,
    frontier: &mut F,
) -> ControlFlow<Stop> {
    if frontier.is_watched() { frontier.reach(&node(slot, jump, &cell, left), fate) } else { Continue(()) }
}

/// A jump point as an observer sees it.
#[inline]
fn node<'c>(slot: u32, jump: &Jump, state: &'c Cell, left: u64) -> Node<'c, Cell, u64> {
    let number = |slot: u32| (slot != NO_SLOT).then_some(u64::from(slot));
    let id = number(slot).unwrap_or(u64::MAX);
    Node { id, parent: number(jump.parent), tree: Tree::Forward, state, cost: jump.paid, estimate: Some(left) }
}

impl<E: Estimate<u64>, C: Corners> Nodes for Jumps<'_, E, C> {
    type State = Cell;
    type Cost = u64;
    const AT_ONCE: u64 = 1 << 8;

    fn begin<F: Frontier<Cell, u64>>(&mut self, frontier: &mut F) -> ControlFlow<Stop> {
        let start = self.course.map.cell(self.course.from);
        self.reach(NO_SLOT, start, self.course.from, 0, NOWHERE, frontier)
    }

    #[inline]
    fn take_up(&mut self, slot: Id) -> Option<(u64, bool)> {
        let jump = &mut self.arena.jumps[slot as usize];
        let was_closed = std::mem::replace(&mut jump.closed, true);
        (!was_closed).then(|| (jump.paid, self.course.is_goal(jump.index)))
    }

    fn paid(&self, slot: Id) -> u64 {
        self.arena.jumps[slot as usize].paid
    }

    #[inline]
    fn left(&self, slot: Id) -> u64 {
        self.estimate.at(self.course.map.cell(self.arena.jumps[slot as usize].index))
    }

    fn show<T>(&self, slot: Id, _: u64, see: impl FnOnce(&Node<'_, Cell, u64>) -> T) -> T {
        let jump = &self.arena.jumps[slot as usize];
        let cell = self.course.map.cell(jump.index);
        see(&node(slot, jump, &cell, self.estimate.at(cell)))
    }

    #[inline]
    fn expand<F: Frontier<Cell, u64>>(&mut self, slot: Id, _: u64, frontier: &mut F) -> ControlFlow<Stop> {
        self.go_on(slot, frontier)
    }

    fn count(&self) -> u64 {
        self.arena.jumps.len() as u64
    }

    fn whole(&self, bound: u64) -> u64 {
        self.course.scale.whole(bound.into(), self.course.map.unit)
    }
}

/// The straight steps that a diagonal one is made of.
#[inline]
fn components(step: Step) -> [Step; 2] {
    let (row, col) = step.delta();
    [if row < 0 { Step::Up } else { Step::Down }, if col < 0 { Step::Left } else { Step::Right }]
}
