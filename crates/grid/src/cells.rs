//! The nodes of best-first search on a map: its cells, one by one.

#![expect(clippy::inline_always, reason = "the loop is measured, and one call an entry shows")]

use std::ops::ControlFlow::{self, Continue};

use pintu_search::{
    Fate, Guarantee, Node, Stop, Tree,
    driver::{Frontier, Id, Nodes, Rank, fate_of_known},
};

use crate::{
    Cell,
    course::{Course, Prices},
    field::{CLOSED, Spot, is_stamped, start_tag, step_of},
    heuristic::Estimate,
    movement::{BACK_BIT, DELTAS, STEPS_IN},
    number::Number,
};

/// Ranks by `g + h`. What was paid and what is left are small enough to be added.
#[derive(Clone, Copy)]
pub(crate) struct Total;

impl<N: Number> Rank<N> for Total {
    type Value = N;

    #[inline]
    fn of(&self, paid: N, left: N) -> N {
        paid.plus(left)
    }

    #[inline]
    fn reopens(&self) -> bool {
        true
    }

    #[inline]
    fn lower_bound(&self, least: N) -> Option<N> {
        Some(least)
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Cheapest
    }
}

/// The cells of a map. With `PRUNE`, only the steps that are needed on uniform ground are taken where the ground is
/// uniform.
pub(crate) struct Cells<'a, N, E, const PRUNE: bool> {
    course: Course<'a>,
    spots: &'a mut [Spot<N>],
    stamp: u32,
    estimate: E,
    is_admissible: bool,
    prices: Prices<'a, N>,
    /// Costs beyond this cannot be told apart for sure, or stored.
    limit: N,
    /// From what is below, no step leads beyond the limit.
    carefree_below: N,
    /// What each step adds to a cell's number.
    offsets: [isize; 8],
    count: u64,
}

impl<'a, N: Number, E: Estimate<N>, const PRUNE: bool> Cells<'a, N, E, PRUNE> {
    pub(crate) fn new(
        course: Course<'a>,
        (spots, stamp): (&'a mut [Spot<N>], u32),
        estimate: E,
        is_admissible: bool,
    ) -> Self {
        let prices = Prices::new(course.map, course.scale);
        let limit = course.scale.limit::<N>();
        let dearest = course.scale.prices::<N>(course.map.greatest_cost).map(N::get).into_iter().max().unwrap_or(0);
        let (limit, carefree_below) = (N::new(limit), N::new((limit + 1).saturating_sub(dearest)));
        let offsets = course.map.offsets();
        Self { course, spots, stamp, estimate, is_admissible, prices, limit, carefree_below, offsets, count: 0 }
    }

    /// Meets a cell as a start.
    pub(crate) fn start_at<F: Frontier<Cell, N>>(&mut self, from: Id, frontier: &mut F) -> ControlFlow<Stop> {
        frontier.produced(1);
        self.count += 1;
        self.spots[from as usize] = Spot { paid: N::ZERO, tag: start_tag(self.stamp) };
        let cell = self.course.map.cell(from);
        frontier.reach(&node(from, None, &cell, N::ZERO, self.estimate.at(cell)), Fate::New)
    }

    /// The steps to take from a cell that was reached by `arrived`.
    #[inline]
    fn steps(&self, index: usize, arrived: u8) -> u8 {
        let map = self.course.map;
        let around = usize::from(map.around[index]);
        if PRUNE {
            let is_even = map.weights.as_ref().is_none_or(|weights| weights.is_even(index));
            let steps = if is_even { &map.rules.needed } else { &map.rules.useful };
            steps[usize::from(arrived)][around]
        } else {
            map.rules.legal[around] & !BACK_BIT[usize::from(arrived)]
        }
    }

    /// Goes one step and remembers the cell it leads to, if it is new or cheaper to reach this way.
    #[inline(always)]
    fn step<F: Frontier<Cell, N>, const CAREFREE: bool>(
        &mut self,
        from: Id,
        here: Cell,
        paid: N,
        step: usize,
        frontier: &mut F,
    ) -> ControlFlow<Stop> {
        let index = (from as usize).wrapping_add_signed(self.offsets[step]);
        // Whoever searches against the steps pays for the cell that is left.
        let sum = paid.plus(self.prices.of(step, || if self.course.against { from as usize } else { index }));
        if !CAREFREE && sum > self.limit {
            return self.show_too_dear(from, here, step, paid, frontier);
        }
        let spot = self.spots[index];
        // One comparison for cells that are new and cells that are known: which they are cannot be predicted.
        let is_known = is_stamped(spot.tag, self.stamp);
        let known = if is_known { spot.paid } else { N::new(N::MOST) };
        let is_closed = is_known && spot.tag & CLOSED != 0;
        let is_followed = sum < known && (frontier.reopens() || !is_closed);
        if is_followed {
            self.count += u64::from(!is_known);
            self.spots[index] = Spot { paid: sum, tag: self.stamp | step as u32 };
        } else if !frontier.is_watched() {
            return Continue(());
        }
        let fate = if is_known && frontier.is_watched() {
            fate_of_known(sum, known, is_closed, frontier.reopens())
        } else {
            // Nobody asks but for whether it is followed.
            Fate::New
        };
        // Only now: two of three steps lead nowhere.
        let cell = beside(here, step);
        let left = self.estimate.at(cell);
        frontier.reach(&node(index as Id, Some(from), &cell, sum, left), fate)
    }

    /// Takes steps that may lead to where costs are too great.
    #[inline(never)]
    fn expand_carefully<F: Frontier<Cell, N>>(
        &mut self,
        id: Id,
        here: Cell,
        paid: N,
        mut steps: u8,
        frontier: &mut F,
    ) -> ControlFlow<Stop> {
        while steps != 0 {
            let step = steps.trailing_zeros() as usize;
            steps &= steps - 1;
            self.step::<F, false>(id, here, paid, step, frontier)?;
        }
        Continue(())
    }

    #[cold]
    fn show_too_dear<F: Frontier<Cell, N>>(
        &mut self,
        from: Id,
        here: Cell,
        step: usize,
        paid: N,
        frontier: &mut F,
    ) -> ControlFlow<Stop> {
        let (index, cell) = ((from as usize).wrapping_add_signed(self.offsets[step]), beside(here, step));
        let is_known = is_stamped(self.spots[index].tag, self.stamp);
        let fate = if is_known { Fate::Known } else { Fate::TooDear };
        frontier.reach(&node(index as Id, Some(from), &cell, paid, self.estimate.at(cell)), fate)
    }
}

/// The cell to which a step leads.
#[inline]
fn beside(here: Cell, step: usize) -> Cell {
    let (row, col) = DELTAS[step];
    here.moved(row, col)
}

/// A cell as an observer sees it.
#[inline]
fn node<N>(id: Id, parent: Option<Id>, state: &Cell, cost: N, left: N) -> Node<'_, Cell, N> {
    Node { id: u64::from(id), parent: parent.map(u64::from), tree: Tree::Forward, state, cost, estimate: Some(left) }
}

impl<N: Number, E: Estimate<N>, const PRUNE: bool> Nodes for Cells<'_, N, E, PRUNE> {
    type State = Cell;
    type Cost = N;
    const AT_ONCE: u64 = 1 << 12;

    fn begin<F: Frontier<Cell, N>>(&mut self, frontier: &mut F) -> ControlFlow<Stop> {
        self.start_at(self.course.from, frontier)
    }

    #[inline]
    fn take_up(&mut self, id: Id) -> Option<(N, bool)> {
        let spot = &mut self.spots[id as usize];
        if spot.tag & CLOSED != 0 {
            return None;
        }
        spot.tag |= CLOSED;
        Some((spot.paid, self.course.is_goal(id)))
    }

    fn paid(&self, id: Id) -> N {
        self.spots[id as usize].paid
    }

    #[inline]
    fn left(&self, id: Id) -> N {
        self.estimate.at(self.course.map.cell(id))
    }

    fn show<T>(&self, id: Id, paid: N, see: impl FnOnce(&Node<'_, Cell, N>) -> T) -> T {
        let step = usize::from(step_of(self.spots[id as usize].tag));
        let parent = self.offsets.get(step).map(|&offset| (id as usize).wrapping_add_signed(-offset) as Id);
        let cell = self.course.map.cell(id);
        see(&node(id, parent, &cell, paid, self.estimate.at(cell)))
    }

    #[inline]
    fn expand<F: Frontier<Cell, N>>(&mut self, id: Id, paid: N, frontier: &mut F) -> ControlFlow<Stop> {
        let here = self.course.map.cell(id);
        let mut steps = self.steps(id as usize, step_of(self.spots[id as usize].tag));
        frontier.produced(u64::from(STEPS_IN[usize::from(steps)]));
        if paid >= self.carefree_below {
            return self.expand_carefully(id, here, paid, steps, frontier);
        }
        while steps != 0 {
            let step = steps.trailing_zeros() as usize;
            steps &= steps - 1;
            self.step::<F, true>(id, here, paid, step, frontier)?;
        }
        Continue(())
    }

    fn count(&self) -> u64 {
        self.count
    }

    fn most(&self) -> Option<N> {
        Some(self.limit)
    }

    fn is_admissible(&self) -> bool {
        self.is_admissible
    }

    fn whole(&self, bound: N) -> u64 {
        self.course.scale.whole(bound.get(), self.course.map.unit)
    }
}
