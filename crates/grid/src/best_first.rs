//! The one loop under Dijkstra's algorithm, greedy search, A*, weighted A* and the pruned A*.

use std::ops::ControlFlow::{self, Break, Continue};

use pintu_search::{Counters, Node as Seen, Observer, Stop};

use crate::{
    Cell, Map,
    heuristic::Estimate,
    map::Weights,
    movement::{BACK, DELTAS, NOWHERE},
    queue::Queue,
    scale::Scale,
    scratch::{CLOSED, Node, Nodes, Number, is_stamped, start_tag, step_of},
};

/// What decides which cell is next.
pub(crate) trait Rank {
    /// Whether a cell that was taken up is taken up again when a cheaper way to it is found.
    const REOPENS: bool;
    fn of(&self, paid: u64, left: u64) -> u64;
    /// A lower bound on every path's cost, from the smallest rank in the queue.
    fn lower_bound(&self, least: u64) -> Option<u64>;
}

/// `g + h`.
pub(crate) struct Total;

impl Rank for Total {
    const REOPENS: bool = true;

    #[inline]
    fn of(&self, paid: u64, left: u64) -> u64 {
        paid + left
    }

    fn lower_bound(&self, least: u64) -> Option<u64> {
        Some(least)
    }
}

/// `h` alone.
pub(crate) struct Left;

impl Rank for Left {
    const REOPENS: bool = false;

    fn of(&self, _: u64, left: u64) -> u64 {
        left
    }

    fn lower_bound(&self, _: u64) -> Option<u64> {
        None
    }
}

/// `paid·g + left·h`.
pub(crate) struct Weighted {
    pub(crate) paid: u64,
    pub(crate) left: u64,
}

impl Rank for Weighted {
    const REOPENS: bool = true;

    fn of(&self, paid: u64, left: u64) -> u64 {
        paid.saturating_mul(self.paid).saturating_add(left.saturating_mul(self.left))
    }

    fn lower_bound(&self, least: u64) -> Option<u64> {
        Some(least / self.left.max(1))
    }
}

/// The query in numbers: where from, where to, and the integers for lengths.
#[derive(Clone, Copy)]
pub(crate) struct Course<'a> {
    pub(crate) map: &'a Map,
    pub(crate) scale: Scale,
    pub(crate) from: u32,
    /// The goals' numbers, sorted.
    pub(crate) goals: &'a [u32],
    /// The goals.
    pub(crate) cells: &'a [Cell],
    /// Whether steps are taken backwards, so that the cell that is left is the one to pay for.
    pub(crate) against: bool,
}

impl Course<'_> {
    #[inline]
    pub(crate) fn is_goal(&self, cell: u32) -> bool {
        match *self.goals {
            [goal] => cell == goal,
            ref goals => goals.binary_search(&cell).is_ok(),
        }
    }

    /// What an observer sees: whole lengths, rounded down.
    #[inline]
    pub(crate) fn whole(&self, number: u64) -> u32 {
        u32::try_from(number / self.scale.straight).unwrap_or(u32::MAX)
    }
}

/// Every so many cells taken up, the queue's memory is reported.
const LOOK_AT_MEMORY: u64 = (1 << 16) - 1;

/// How a search ended.
pub(crate) enum End {
    /// At this goal, after paying this.
    Goal { cell: u32, paid: u64 },
    /// Everything that can be reached was taken up.
    Exhausted,
    /// It was stopped; no path costs less than the bound.
    Stopped { why: Stop, lower_bound: Option<u64> },
}

/// Best-first search. With `PRUNE`, only the steps that are needed on uniform ground are taken where the
/// ground is uniform.
pub(crate) fn best_first<N: Number, Q: Queue, E: Estimate, R: Rank, O: Observer<Cell>, const PRUNE: bool>(
    course: Course<'_>,
    nodes: &mut Nodes<N>,
    queue: &mut Q,
    estimate: &E,
    rank: &R,
    observer: &mut O,
    counters: &mut Counters,
) -> End {
    let (straight, diagonal) = (course.scale.straight, course.scale.diagonal);
    // The queue must have room for an estimate across the whole map on top of what was paid.
    let across = u64::from(course.map.rows + course.map.cols) * straight.max(diagonal);
    let farthest = across.saturating_mul(u64::from(course.map.least_cost));
    let limit = course.scale.exact_below.min(N::MOST).min(Q::MOST.saturating_sub(farthest));
    let dearest = u64::from(course.map.greatest_cost) * straight.max(diagonal);
    let start = course.map.cell(course.from);
    let first = rank.of(0, estimate.at(start));
    // Along a step, the estimate changes by two straight ones at most.
    queue.reset(first, dearest + 2 * straight * u64::from(course.map.least_cost), straight);
    let room = (nodes.has_room(course.map.numbers()), Nodes::<N>::bytes_for(course.map.numbers()));
    if let (false, Break(why)) = (room.0, observer.grow(room.1 + queue.bytes(), counters)) {
        return End::Stopped { why, lower_bound: None };
    }
    let (nodes, stamp) = nodes.fresh(course.map.numbers());
    let prices = Prices::new(course.map, course.scale);
    let offsets = course.map.offsets();
    let mut search =
        Search { course, nodes, stamp, queue, estimate, rank, observer, limit, dearest, prices, offsets, best: None };
    let end = search.run::<PRUNE>(start, first, counters);
    let lower_bound = rank.lower_bound(search.queue.least());
    counters.peak_bytes = counters.peak_bytes.max(room.1 + search.queue.bytes());
    match end {
        Continue(Some((cell, paid))) => End::Goal { cell, paid },
        Continue(None) => End::Exhausted,
        Break(why) => End::Stopped { why, lower_bound },
    }
}

/// What steps cost.
struct Prices<'a> {
    /// A straight and a diagonal step where all ground is alike.
    alike: [u64; 2],
    /// Where it is not: the kinds of ground, and the same for each of them.
    weights: Option<&'a Weights>,
    kinds: [[u64; 2]; 256],
}

impl<'a> Prices<'a> {
    fn new(map: &'a Map, scale: Scale) -> Self {
        let price = |cost: u32| [scale.straight, scale.diagonal].map(|unit| unit * u64::from(cost));
        let weights = map.weights.as_ref();
        let kinds = weights
            .map_or([[0; 2]; 256], |weights| std::array::from_fn(|kind| price(weights.cost_of_kind(kind as u8))));
        Self { alike: price(map.least_cost), weights, kinds }
    }

    /// A step that is paid for at this cell.
    #[inline]
    fn of(&self, step: usize, index: usize) -> u64 {
        let prices = match self.weights {
            None => self.alike,
            Some(weights) => self.kinds[usize::from(weights.kind(index))],
        };
        prices[usize::from(step >= 4)]
    }
}

struct Search<'a, N, Q, E, R, O> {
    course: Course<'a>,
    nodes: &'a mut [Node<N>],
    stamp: u32,
    queue: &'a mut Q,
    estimate: &'a E,
    rank: &'a R,
    observer: &'a mut O,
    /// Costs beyond this cannot be told apart for sure, or stored.
    limit: u64,
    /// The most that a step costs.
    dearest: u64,
    prices: Prices<'a>,
    /// What each step adds to a cell's number.
    offsets: [isize; 8],
    /// The best goal so far, where the queue is not exact: others of the same bucket may be cheaper.
    best: Option<(u32, u64)>,
}

impl<N: Number, Q: Queue, E: Estimate, R: Rank, O: Observer<Cell>> Search<'_, N, Q, E, R, O> {
    fn run<const PRUNE: bool>(
        &mut self,
        start: Cell,
        first: u64,
        counters: &mut Counters,
    ) -> ControlFlow<Stop, Option<(u32, u64)>> {
        self.observer.iteration(self.course.whole(first), counters)?;
        self.nodes[self.course.from as usize] = Node { paid: N::store(0), tag: start_tag(self.stamp) };
        self.queue.push(first, self.estimate.at(start), self.course.from);
        counters.generated += 1;
        counters.peak_states += 1;
        while let Some(index) = self.queue.pop() {
            let node = self.nodes[index as usize];
            if node.tag & CLOSED != 0 {
                continue;
            }
            if !Q::EXACT && self.is_beaten(index, node.paid.load()) {
                if self.queue.least() > self.best.map_or(0, |(_, paid)| paid) {
                    break;
                }
                continue;
            }
            if counters.expanded & LOOK_AT_MEMORY == LOOK_AT_MEMORY {
                let bytes = size_of_val(self.nodes) as u64 + self.queue.bytes();
                self.observer.grow(bytes, counters)?;
            }
            if self.take_up::<PRUNE>(index, node, counters)? {
                let found = (index, node.paid.load());
                if Q::EXACT {
                    return Continue(Some(found));
                }
                self.best = Some(found);
            }
        }
        Continue(self.best)
    }

    /// Whether a goal is known that is as cheap as any path through here.
    #[inline]
    fn is_beaten(&self, index: u32, paid: u64) -> bool {
        self.best.is_some_and(|(_, best)| paid + self.estimate.at(self.course.map.cell(index)) >= best)
    }

    /// Takes up a cell; true if it is a goal.
    #[inline]
    fn take_up<const PRUNE: bool>(
        &mut self,
        index: u32,
        node: Node<N>,
        counters: &mut Counters,
    ) -> ControlFlow<Stop, bool> {
        let map = self.course.map;
        let cell = map.cell(index);
        let paid = node.paid.load();
        let seen = Seen { state: &cell, cost: self.course.whole(paid), estimate: self.left(cell) };
        self.observer.expand(&seen, counters)?;
        counters.expanded += 1;
        self.nodes[index as usize].tag = node.tag | CLOSED;
        if self.course.is_goal(index) {
            return Continue(true);
        }
        if paid + self.dearest >= self.limit {
            return Break(Stop::Overflow);
        }
        let mut steps = self.steps::<PRUNE>(index as usize, step_of(node.tag));
        counters.generated += u64::from(steps.count_ones());
        while steps != 0 {
            let step = steps.trailing_zeros() as usize;
            steps &= steps - 1;
            self.reach(index, cell, paid, step, counters)?;
        }
        Continue(false)
    }

    /// The steps to take from a cell that was reached by `arrived`.
    #[inline]
    fn steps<const PRUNE: bool>(&self, index: usize, arrived: u8) -> u8 {
        let map = self.course.map;
        let around = usize::from(map.around[index]);
        if PRUNE {
            let is_even = map.weights.as_ref().is_none_or(|weights| weights.is_even(index));
            let steps = if is_even { &map.rules.needed } else { &map.rules.useful };
            steps[usize::from(arrived)][around]
        } else if arrived == NOWHERE {
            map.rules.legal[around]
        } else {
            map.rules.legal[around] & !(1 << BACK[usize::from(arrived)])
        }
    }

    /// Goes one step and remembers the cell it leads to, if it is new or cheaper to reach this way.
    #[inline]
    fn reach(&mut self, from: u32, here: Cell, paid: u64, step: usize, counters: &mut Counters) -> ControlFlow<Stop> {
        let (row, col) = DELTAS[step];
        let index = (from as usize).wrapping_add_signed(self.offsets[step]);
        // Whoever searches against the steps pays for the cell that is left.
        let paid = paid + self.prices.of(step, if self.course.against { from as usize } else { index });
        let cell = here.moved(row, col);
        let seen = Seen { state: &cell, cost: self.course.whole(paid), estimate: self.left(cell) };
        self.observer.generate(&here, &seen, counters)?;
        let node = self.nodes[index];
        // One comparison for cells that are new and cells that are known: which they are cannot be predicted.
        let is_known = is_stamped(node.tag, self.stamp);
        let known = if is_known { node.paid.load() } else { u64::MAX };
        if paid >= known || (!R::REOPENS && is_known && node.tag & CLOSED != 0) {
            return Continue(());
        }
        counters.peak_states += u64::from(!is_known);
        self.nodes[index] = Node { paid: N::store(paid), tag: self.stamp | step as u32 };
        let left = self.estimate.at(cell);
        self.queue.push(self.rank.of(paid, left), left, index as u32);
        Continue(())
    }

    /// The estimate as an observer sees it.
    #[inline]
    fn left(&self, cell: Cell) -> u32 {
        self.course.whole(self.estimate.at(cell))
    }
}
