//! Jump point search: where all cells cost the same, only cells at which an obstacle forces a turn enter the queue.
//! Their distances along rows and columns are looked up ([`Leaps`](crate::leaps::Leaps)).
//!
//! A diagonal (four-way: vertical) jump looks along the lines to both sides at each cell. The jump points on them
//! become successors at once; the cells passed diagonally do not.

use pintu_search::{
    Fate, Hold, Node, Stop,
    driver::{Id, Nodes, Open},
};

use crate::{
    Cell, Diagonal, Map,
    field::{Spot, is_stamped},
    heuristic::{CellEstimate, Either},
    map::Lines,
    movement::{NOWHERE, Step},
    query::{Query, write_down},
    terrain::MAX_SIDE,
};

pub(crate) struct Jumps<'a> {
    query: Query<'a>,
    lines: &'a Lines,
    offsets: [isize; 8],
    straight: u64,
    diagonal: u64,
    /// A spot's `paid` is here the slot of its cell's jump point.
    spots: &'a mut [Spot<u32>],
    stamp: u32,
    arena: &'a mut Arena,
    estimate: Either<'a, u64>,
    /// The cost of the best known path to a goal.
    best: u64,
    /// The cells at which jumps have looked: those that were expanded, and those passed on the way to a turn. Straight
    /// lines are looked up from there, not walked along.
    pub(crate) scanned: u64,
}

/// A cell, its number, and the cost of the path to it.
#[derive(Clone, Copy)]
struct Position {
    cell: Cell,
    index: usize,
    paid: u64,
}

impl<'a> Jumps<'a> {
    pub(crate) fn new(
        query: Query<'a>,
        lines: &'a Lines,
        (spots, stamp): (&'a mut [Spot<u32>], u32),
        arena: &'a mut Arena,
        estimate: Either<'a, u64>,
    ) -> Self {
        arena.jumps.clear();
        let [straight, diagonal] = query.scale.prices(1);
        let offsets = query.map.offsets();
        Self { query, lines, offsets, straight, diagonal, spots, stamp, arena, estimate, best: u64::MAX, scanned: 0 }
    }

    fn expand_jump<F: Open<Cell, u64>>(&mut self, slot: u32, open: &mut F) -> Result<(), Stop> {
        let map = self.query.map;
        let jump = self.arena.jumps[slot as usize];
        let index = jump.index as usize;
        let mut steps = map.rules.needed[usize::from(jump.arrived)][usize::from(map.around[index])];
        let is_four_way = map.diagonal == Diagonal::Never;
        let cuts_corners = matches!(map.diagonal, Diagonal::Always | Diagonal::NoSqueeze);
        let position = Position { cell: map.cell(jump.index), index, paid: jump.paid };
        while steps != 0 {
            let step = Step::ALL[steps.trailing_zeros() as usize];
            steps &= steps - 1;
            let aside = if is_four_way { matches!(step, Step::Up | Step::Down) } else { step.is_diagonal() };
            if !aside {
                self.look(slot, position, step, open)?;
            } else if cuts_corners {
                self.cast::<F, true>(slot, position, step, open)?;
            } else {
                self.cast::<F, false>(slot, position, step, open)?;
            }
        }
        Ok(())
    }

    /// Jumps by `step`, cell by cell, and looks to the sides from each. Where corners are cut, an obstacle can force a
    /// turn on a diagonal, too.
    fn cast<F: Open<Cell, u64>, const CUTS_CORNERS: bool>(
        &mut self,
        origin: Id,
        from: Position,
        step: Step,
        open: &mut F,
    ) -> Result<(), Stop> {
        let (map, leaps) = (self.query.map, &self.lines.leaps);
        let (row, col) = step.delta();
        let offset = self.offsets[step as usize];
        let is_four_way = map.diagonal == Diagonal::Never;
        let cost = if is_four_way { self.straight } else { self.diagonal };
        let sides = if is_four_way { [Step::Left, Step::Right] } else { components(step) };
        let natural = map.rules.needed[step as usize][255];
        let bit = 1 << step as u8;
        let crossings = self.crossings(from.cell, step);
        let (mut index, mut gone) = (from.index, 0);
        let mut around = map.around[index];
        while map.rules.legal[usize::from(around)] & bit != 0 {
            gone += 1;
            index = index.wrapping_add_signed(offset);
            around = map.around[index];
            let turns = CUTS_CORNERS && map.rules.needed[step as usize][usize::from(around)] & !natural != 0;
            // No goal lies here or to the sides.
            let is_plain = !turns && crossings.is_some_and(|crossings| !crossings.contains(&gone));
            if is_plain && !leaps.any(index, sides) {
                continue;
            }
            let here = Position {
                cell: from.cell.moved(row * gone, col * gone),
                index,
                paid: from.paid + cost * u64::from(gone.unsigned_abs()),
            };
            if is_plain {
                for side in sides {
                    let distance = leaps.distance(index, side, self.offsets[side as usize]);
                    self.leap(origin, here, side, distance, open)?;
                }
                continue;
            }
            if turns || self.query.is_goal(index as u32) {
                self.scanned += u64::from(gone.unsigned_abs());
                return self.reach(origin, here.cell, index as u32, here.paid, step as u8, open);
            }
            for side in sides {
                self.look(origin, here, side, open)?;
            }
        }
        self.scanned += u64::from(gone.unsigned_abs());
        Ok(())
    }

    /// The numbers of steps to the goal's row and to its column; `None` if there are several goals.
    #[inline]
    fn crossings(&self, cell: Cell, step: Step) -> Option<[i32; 2]> {
        let &[goal] = self.query.cells else {
            return None;
        };
        let (row, col) = step.delta();
        Some([(goal.row as i32 - cell.row as i32) * row, (goal.col as i32 - cell.col as i32) * col])
    }

    /// Looks along a straight line, and reaches the jump point or goal there.
    fn look<F: Open<Cell, u64>>(
        &mut self,
        origin: Id,
        position: Position,
        step: Step,
        open: &mut F,
    ) -> Result<(), Stop> {
        let next = self.lines.leaps.distance(position.index, step, self.offsets[step as usize]);
        let distance = match self.goal_ahead(position.cell, step) {
            u32::MAX => next,
            goal if next > 0 => next.min(goal),
            goal if self.lines.is_open(position.cell, step, goal) => goal,
            _ => 0,
        };
        self.leap(origin, position, step, distance, open)
    }

    /// Reaches the jump point at this distance ahead; 0 means that there is none.
    #[inline]
    fn leap<F: Open<Cell, u64>>(
        &mut self,
        origin: Id,
        position: Position,
        step: Step,
        distance: u32,
        open: &mut F,
    ) -> Result<(), Stop> {
        if distance == 0 {
            return Ok(());
        }
        let (row, col) = step.delta();
        let ahead = distance as i32;
        let cell = position.cell.moved(row * ahead, col * ahead);
        let index = position.index.wrapping_add_signed(self.offsets[step as usize] * ahead as isize);
        let paid = position.paid + self.straight * u64::from(distance);
        self.reach(origin, cell, index as u32, paid, step as u8, open)
    }

    /// The distance to the nearest goal ahead on the line; `u32::MAX` if there is none.
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
            if same_line && (1..MAX_SIDE).contains(&along) { along } else { u32::MAX }
        };
        match self.query.cells {
            &[goal] => ahead(goal),
            goals => goals.iter().map(|&goal| ahead(goal)).min().unwrap_or(u32::MAX),
        }
    }

    /// Stores a path to a jump point if it is the first or the cheapest.
    fn reach<F: Open<Cell, u64>>(
        &mut self,
        origin: Id,
        cell: Cell,
        index: u32,
        paid: u64,
        arrived: u8,
        open: &mut F,
    ) -> Result<(), Stop> {
        let left = self.estimate.at(cell);
        open.count_generated(1);
        let jump = Jump { paid, index, parent: origin, arrived, closed: false };
        let here = self.spots[index as usize];
        let is_known = is_stamped(here.packed, self.stamp);
        // No path through here can be cheaper than the best known one.
        if paid + left >= self.best {
            let slot = if is_known { here.paid } else { NO_SLOT };
            return show_unfollowed(slot, &jump, cell, left, Fate::Cut, open);
        }
        if left == 0 && self.query.is_goal(index) {
            self.best = paid;
        }
        let (slot, fate) = if is_known {
            let (slot, known) = (here.paid, self.arena.jumps[here.paid as usize]);
            if paid >= known.paid {
                return show_unfollowed(slot, &jump, cell, left, Fate::Known, open);
            }
            self.arena.jumps[slot as usize] = jump;
            (slot, if known.closed { Fate::Reopened } else { Fate::Cheaper })
        } else {
            let slot = self.arena.jumps.len() as u32;
            self.arena.add(jump, open.hold())?;
            self.spots[index as usize] = Spot { paid: slot, packed: self.stamp };
            (slot, Fate::New)
        };
        open.reach(&node(slot, &jump, &cell, left), fate)
    }
}

/// Shows a jump point that is not followed to an observer.
#[inline]
fn show_unfollowed<F: Open<Cell, u64>>(
    slot: u32,
    jump: &Jump,
    cell: Cell,
    left: u64,
    fate: Fate,
    open: &mut F,
) -> Result<(), Stop> {
    if open.is_watched() { open.reach(&node(slot, jump, &cell, left), fate) } else { Ok(()) }
}

#[inline]
fn node<'c>(slot: u32, jump: &Jump, state: &'c Cell, left: u64) -> Node<'c, Cell, u64> {
    let number = |slot: u32| (slot != NO_SLOT).then_some(u64::from(slot));
    let id = number(slot).unwrap_or(u64::MAX);
    Node::new(id, number(jump.parent), state, jump.paid, left)
}

impl Nodes for Jumps<'_> {
    type State = Cell;
    type Cost = u64;
    const FIRST_BLOCK: u64 = 1 << 8;

    fn begin<F: Open<Cell, u64>>(&mut self, open: &mut F) -> Result<(), Stop> {
        let start = self.query.map.cell(self.query.from);
        self.reach(NO_SLOT, start, self.query.from, 0, NOWHERE, open)
    }

    #[inline]
    fn close(&mut self, slot: Id) -> Option<(u64, bool)> {
        let jump = &mut self.arena.jumps[slot as usize];
        let was_closed = std::mem::replace(&mut jump.closed, true);
        self.scanned += u64::from(!was_closed);
        (!was_closed).then(|| (jump.paid, self.query.is_goal(jump.index)))
    }

    #[inline]
    fn estimate(&self, slot: Id) -> u64 {
        self.estimate.at(self.query.map.cell(self.arena.jumps[slot as usize].index))
    }

    fn show<T>(&self, slot: Id, _: u64, see: impl FnOnce(&Node<'_, Cell, u64>) -> T) -> T {
        let jump = &self.arena.jumps[slot as usize];
        let cell = self.query.map.cell(jump.index);
        see(&node(slot, jump, &cell, self.estimate.at(cell)))
    }

    #[inline]
    fn expand<F: Open<Cell, u64>>(&mut self, slot: Id, _: u64, open: &mut F) -> Result<(), Stop> {
        self.expand_jump(slot, open)
    }

    fn count(&self) -> u64 {
        self.arena.jumps.len() as u64
    }

    fn whole(&self, bound: u64) -> u64 {
        self.query.scale.whole(bound, self.query.map.unit)
    }
}

/// The straight steps that a diagonal one is made of.
#[inline]
fn components(step: Step) -> [Step; 2] {
    let (row, col) = step.delta();
    [if row < 0 { Step::Up } else { Step::Down }, if col < 0 { Step::Left } else { Step::Right }]
}

#[derive(Default)]
pub(crate) struct Arena {
    jumps: Vec<Jump>,
}

#[derive(Clone, Copy)]
struct Jump {
    paid: u64,
    index: u32,
    parent: u32,
    arrived: u8,
    closed: bool,
}

const NO_SLOT: u32 = u32::MAX;

impl Arena {
    pub(crate) fn bytes(&self) -> u64 {
        (self.jumps.capacity() * size_of::<Jump>()) as u64
    }

    /// Grows by less than a vector does by itself, because its memory counts.
    #[inline]
    fn add(&mut self, jump: Jump, hold: &mut Hold) -> Result<(), Stop> {
        if self.jumps.len() == self.jumps.capacity() {
            let capacity = self.jumps.len() + self.jumps.len() / 4 + 64;
            hold.reserve(&mut self.jumps, capacity)?;
        }
        self.jumps.push(jump);
        Ok(())
    }

    /// Writes down the path to a jump point. Between two of them it goes diagonally (four-way: vertically) first.
    pub(crate) fn unfold(&self, map: &Map, mut slot: u32, path: &mut Vec<Cell>, hold: &mut Hold) -> Result<(), Stop> {
        path.clear();
        while let Some(jump) = self.jumps.get(slot as usize) {
            slot = jump.parent;
            let goal = map.cell(jump.index);
            let Some(&last) = path.last() else {
                write_down(goal, path, hold)?;
                continue;
            };
            // Backwards from the later one, the straight part comes first.
            let (rows, cols) = (goal.row as i32 - last.row as i32, goal.col as i32 - last.col as i32);
            let diagonal = if map.diagonal == Diagonal::Never { 0 } else { rows.abs().min(cols.abs()) };
            let (row, col) = (rows.signum(), cols.signum());
            let mut at = last;
            for (steps, row, col) in
                [(cols.abs() - diagonal, 0, col), (rows.abs() - diagonal, row, 0), (diagonal, row, col)]
            {
                for _ in 0..steps {
                    at = at.moved(row, col);
                    write_down(at, path, hold)?;
                }
            }
        }
        path.reverse();
        Ok(())
    }
}
