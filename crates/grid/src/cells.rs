//! The nodes of best-first search on a map: its cells, one by one.

#![expect(clippy::inline_always, reason = "the loop is measured, and one call an entry shows")]

use pintu_search::{
    Fate, Guarantee, Node, Stop,
    driver::{Id, Nodes, Open, Rank, fate_of_known},
};

use crate::{
    Cell, Map,
    field::{CLOSED, Spot, is_stamped, step_of},
    heuristic::CellEstimate,
    map::CellCosts,
    movement::{BACK_BIT, DELTAS, NOWHERE, STEPS_IN},
    query::Query,
    scale::{Number, Scale},
};

/// Ranks by `g + h`, whose sum fits.
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

/// The cells of a map. With `PRUNE`, the steps that are not needed are left out where all cells around cost the same.
pub(crate) struct Cells<'a, N, E, const PRUNE: bool> {
    query: Query<'a>,
    spots: &'a mut [Spot<N>],
    stamp: u32,
    estimate: E,
    is_admissible: bool,
    prices: Prices<'a, N>,
    /// Greater costs do not fit, or do not compare reliably.
    limit: N,
    /// After a path that costs less, no step exceeds the limit. 0 on terrain of too many kinds for the fast loop.
    carefree_below: N,
    /// The number that each step adds to a cell's index.
    offsets: [isize; 8],
    count: u64,
}

impl<'a, N: Number, E: CellEstimate<N>, const PRUNE: bool> Cells<'a, N, E, PRUNE> {
    pub(crate) fn new(
        query: Query<'a>,
        (spots, stamp): (&'a mut [Spot<N>], u32),
        estimate: E,
        is_admissible: bool,
    ) -> Self {
        let prices = Prices::new(query.map, query.scale);
        let limit = query.scale.limit::<N>();
        let dearest = query.scale.prices::<N>(query.map.greatest_cost).map(N::get).into_iter().max().unwrap_or(0);
        let carefree_below = if prices.has_many_kinds() { 0 } else { (limit + 1).saturating_sub(dearest) };
        let (limit, carefree_below) = (N::new(limit), N::new(carefree_below));
        let offsets = query.map.offsets();
        Self { query, spots, stamp, estimate, is_admissible, prices, limit, carefree_below, offsets, count: 0 }
    }

    /// The steps to take from a cell that was reached by `arrived`.
    #[inline]
    fn steps(&self, index: usize, arrived: u8) -> u8 {
        let map = self.query.map;
        let around = usize::from(map.around[index]);
        if PRUNE {
            let is_even = map.cell_costs.as_ref().is_none_or(|cell_costs| cell_costs.is_even(index));
            let steps = if is_even { &map.rules.needed } else { &map.rules.useful };
            steps[usize::from(arrived)][around]
        } else {
            map.rules.legal[around] & !BACK_BIT[usize::from(arrived)]
        }
    }

    /// Takes one step and remembers the cell it leads to, if it is new or reached at less cost.
    #[inline(always)]
    fn step<F: Open<Cell, N>, const PRICES: u8>(
        &mut self,
        from: Id,
        here: Cell,
        paid: N,
        step: usize,
        open: &mut F,
    ) -> Result<(), Stop> {
        let index = (from as usize).wrapping_add_signed(self.offsets[step]);
        let charged = || if self.query.against { from as usize } else { index };
        let sum = paid.plus(self.prices.of::<PRICES>(step, charged));
        if PRICES == ANY && sum > self.limit {
            return self.show_overflow(from, here, step, paid, open);
        }
        let spot = self.spots[index];
        // One comparison for new and known cells, because a branch on which they are would be mispredicted.
        let is_known = is_stamped(spot.packed, self.stamp);
        let known = if is_known { spot.paid } else { N::new(N::MAX) };
        let is_closed = is_known && spot.packed & CLOSED != 0;
        let is_followed = sum < known && (open.reopens() || !is_closed);
        if is_followed {
            self.count += u64::from(!is_known);
            self.spots[index] = Spot { paid: sum, packed: self.stamp | step as u32 };
        } else if !open.is_watched() {
            return Ok(());
        }
        let fate = if is_known && open.is_watched() {
            fate_of_known(sum, known, is_closed, open.reopens())
        } else {
            // Without an observer, only whether the cell is followed matters.
            Fate::New
        };
        // Computed only now, because two of three steps are not followed.
        let cell = beside(here, step);
        let left = self.estimate.at(cell);
        open.reach(&node(index as Id, Some(from), &cell, sum, left), fate)
    }

    /// Takes steps whose costs may exceed the limit, on any terrain.
    #[inline(never)]
    fn expand_carefully<F: Open<Cell, N>>(
        &mut self,
        id: Id,
        here: Cell,
        paid: N,
        steps: u8,
        open: &mut F,
    ) -> Result<(), Stop> {
        self.take_steps::<F, ANY>(id, here, paid, steps, open)
    }

    #[inline(always)]
    fn take_steps<F: Open<Cell, N>, const PRICES: u8>(
        &mut self,
        id: Id,
        here: Cell,
        paid: N,
        mut steps: u8,
        open: &mut F,
    ) -> Result<(), Stop> {
        while steps != 0 {
            let step = steps.trailing_zeros() as usize;
            steps &= steps - 1;
            self.step::<F, PRICES>(id, here, paid, step, open)?;
        }
        Ok(())
    }

    #[cold]
    fn show_overflow<F: Open<Cell, N>>(
        &mut self,
        from: Id,
        here: Cell,
        step: usize,
        paid: N,
        open: &mut F,
    ) -> Result<(), Stop> {
        let (index, cell) = ((from as usize).wrapping_add_signed(self.offsets[step]), beside(here, step));
        let is_known = is_stamped(self.spots[index].packed, self.stamp);
        let fate = if is_known { Fate::Known } else { Fate::Overflow };
        open.reach(&node(index as Id, Some(from), &cell, paid, self.estimate.at(cell)), fate)
    }
}

struct Prices<'a, N> {
    scale: Scale,
    /// The cost of each step, where all cells cost the same.
    alike: [N; 8],
    cell_costs: Option<&'a CellCosts>,
    /// The costs of a straight and a diagonal step onto each kind of terrain.
    kinds: [[N; 2]; 256],
}

impl<'a, N: Number> Prices<'a, N> {
    fn new(map: &'a Map, scale: Scale) -> Self {
        let cell_costs = map.cell_costs.as_ref();
        let kinds = cell_costs.map_or([[N::ZERO; 2]; 256], |cell_costs| {
            std::array::from_fn(|kind| scale.prices(cell_costs.cost_of_kind(kind as u8)))
        });
        let [straight, diagonal] = scale.prices(map.least_cost);
        Self { scale, alike: std::array::from_fn(|step| if step < 4 { straight } else { diagonal }), cell_costs, kinds }
    }

    fn has_many_kinds(&self) -> bool {
        self.cell_costs.is_some_and(CellCosts::has_many_kinds)
    }

    /// The cost of a step that is charged for the cell `index`.
    #[inline(always)]
    fn of<const PRICES: u8>(&self, step: usize, index: impl FnOnce() -> usize) -> N {
        match self.cell_costs {
            Some(cell_costs) if PRICES == ANY && cell_costs.has_many_kinds() => {
                self.scale.prices(cell_costs.cost(index()))[usize::from(step >= 4)]
            }
            Some(cell_costs) if PRICES != ALIKE => {
                self.kinds[usize::from(cell_costs.kind(index()))][usize::from(step >= 4)]
            }
            _ => self.alike[step],
        }
    }
}

/// Maps on which all cells cost the same.
const ALIKE: u8 = 0;
/// Maps of few kinds of terrain.
const FEW: u8 = 1;
/// Any maps, and costs that may exceed the limit.
const ANY: u8 = 2;

#[inline]
fn beside(here: Cell, step: usize) -> Cell {
    let (row, col) = DELTAS[step];
    here.moved(row, col)
}

#[inline]
fn node<N>(id: Id, parent: Option<Id>, state: &Cell, cost: N, left: N) -> Node<'_, Cell, N> {
    Node::new(u64::from(id), parent.map(u64::from), state, cost, left)
}

impl<N: Number, E: CellEstimate<N>, const PRUNE: bool> Nodes for Cells<'_, N, E, PRUNE> {
    type State = Cell;
    type Cost = N;
    const FIRST_BLOCK: u64 = 1 << 12;

    fn begin<F: Open<Cell, N>>(&mut self, open: &mut F) -> Result<(), Stop> {
        let from = self.query.from;
        open.count_generated(1);
        self.count += 1;
        self.spots[from as usize] = Spot { paid: N::ZERO, packed: self.stamp | u32::from(NOWHERE) };
        let cell = self.query.map.cell(from);
        open.reach(&node(from, None, &cell, N::ZERO, self.estimate.at(cell)), Fate::New)
    }

    #[inline]
    fn close(&mut self, id: Id) -> Option<(N, bool)> {
        let spot = &mut self.spots[id as usize];
        if spot.packed & CLOSED != 0 {
            return None;
        }
        spot.packed |= CLOSED;
        Some((spot.paid, self.query.is_goal(id)))
    }

    #[inline]
    fn estimate(&self, id: Id) -> N {
        self.estimate.at(self.query.map.cell(id))
    }

    fn show<T>(&self, id: Id, paid: N, see: impl FnOnce(&Node<'_, Cell, N>) -> T) -> T {
        let step = usize::from(step_of(self.spots[id as usize].packed));
        let parent = self.offsets.get(step).map(|&offset| (id as usize).wrapping_add_signed(-offset) as Id);
        let cell = self.query.map.cell(id);
        see(&node(id, parent, &cell, paid, self.estimate.at(cell)))
    }

    #[inline]
    fn expand<F: Open<Cell, N>>(&mut self, id: Id, paid: N, open: &mut F) -> Result<(), Stop> {
        let here = self.query.map.cell(id);
        let steps = self.steps(id as usize, step_of(self.spots[id as usize].packed));
        open.count_generated(u64::from(STEPS_IN[usize::from(steps)]));
        if paid >= self.carefree_below {
            return self.expand_carefully(id, here, paid, steps, open);
        }
        if self.prices.cell_costs.is_none() {
            self.take_steps::<F, ALIKE>(id, here, paid, steps, open)
        } else {
            self.take_steps::<F, FEW>(id, here, paid, steps, open)
        }
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
        self.query.scale.whole(bound.get(), self.query.map.unit)
    }
}
