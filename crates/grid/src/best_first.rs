//! Best-first search cell by cell, in 32-bit numbers if they suffice, else in 64-bit ones.

use pintu_search::{
    Blend, Control, Counters, Hold, Observer, Stop,
    driver::{self, Heap, Queue, Rank},
};

use crate::{
    Cell, Heuristic, Outcome, Report, Scratch,
    cells::{Cells, Total},
    field::{Field, step_of},
    heuristic::CellEstimate,
    observer::InLengths,
    query::{Query, walk_back},
    queue::{Sorted, Stacks},
    ring::Layout,
    scale::Number,
};

/// A best-first search, which starts again with 64-bit costs if only costs that do not fit 32 bits are left.
///
/// Its counts, and those of its control, are those of the last run: cells that the first run expanded are expanded
/// again and would count twice. A node limit does not end a 32-bit run that has left out a cost that does not fit: so
/// it ends the search if, and only if, the last run expands as many. Bounds proved by the first run stay proved.
pub(crate) struct BestFirst<'a, O> {
    pub(crate) query: Query<'a>,
    pub(crate) heuristic: Heuristic,
    pub(crate) is_admissible: bool,
    pub(crate) hold: &'a mut Hold,
    pub(crate) control: &'a Control,
    pub(crate) observer: &'a mut O,
    pub(crate) counters: Counters,
    pub(crate) proved: Option<f64>,
}

impl<O: Observer<Cell, f64>> BestFirst<'_, O> {
    /// By `g + h`: smallest first, among equals the nearest to the goal, among those the last. `estimate` gives the
    /// heuristic's estimates in 32 bits.
    pub(crate) fn in_order(mut self, estimate: impl CellEstimate<u32>, scratch: &mut Scratch) -> Report {
        let Scratch { narrow, sorted, path, .. } = scratch;
        let (report, fits) = self.attempt::<_, _, _, _, false>(estimate, narrow, path, sorted, Total, Sorted::reset);
        if fits { report } else { self.wide(Total, scratch) }
    }

    /// By approximately `g + h`, which is fast. Leaves out needless steps.
    pub(crate) fn pruned(mut self, estimate: impl CellEstimate<u32>, scratch: &mut Scratch) -> Report {
        let Scratch { narrow, wide, stacks, path, .. } = scratch;
        let (report, fits) = self.attempt::<_, _, _, _, true>(estimate, narrow, path, stacks, Total, Stacks::reset);
        if fits {
            return report;
        }
        let estimate = self.query.nearest(self.heuristic);
        self.attempt::<u64, _, _, _, true>(estimate, wide, path, stacks, Total, Stacks::reset).0
    }

    /// By a blend, whose ranks may fall.
    pub(crate) fn blended(mut self, rank: Blend, scratch: &mut Scratch) -> Report {
        let Scratch { narrow, heap, path, .. } = scratch;
        heap.clear();
        let estimate = self.query.nearest(self.heuristic);
        let (report, fits) = self.attempt::<_, _, _, _, false>(estimate, narrow, path, heap, rank, |_, _, _| Ok(()));
        if fits { report } else { self.wide(rank, scratch) }
    }

    /// By any rank, in 64 bits.
    fn wide<R: Rank<u64>>(mut self, rank: R, scratch: &mut Scratch) -> Report {
        let Scratch { wide, path, .. } = scratch;
        let estimate = self.query.nearest(self.heuristic);
        self.attempt::<u64, _, _, _, false>(estimate, wide, path, &mut Heap::new(), rank, |_, _, _| Ok(())).0
    }

    /// One run with numbers of one size, and whether they were large enough.
    fn attempt<N, E, Q, R, const PRUNE: bool>(
        &mut self,
        estimate: E,
        field: &mut Field<N>,
        path: &mut Vec<Cell>,
        queue: &mut Q,
        rank: R,
        prepare: impl FnOnce(&mut Q, Layout, &mut Hold) -> Result<(), Stop>,
    ) -> (Report, bool)
    where
        N: Number,
        E: CellEstimate<N>,
        Q: Queue<R::Value, N>,
        R: Rank<N>,
    {
        let is_last = N::MAX == u64::MAX;
        let query = self.query.in_numbers::<N>();
        let (map, scale) = (query.map, query.scale);
        let first = estimate.at(map.cell(query.from));
        let bound = rank.lower_bound(rank.of(N::ZERO, first)).filter(|_| self.is_admissible);
        if !is_last && (!query.fits::<N>() || first.get() > scale.limit::<N>()) {
            return (self.report(query.stopped(Stop::Overflow, bound)), false);
        }
        let layout = Layout { first: first.get(), spread: query.spread(), unit: scale.straight, least: map.least_cost };
        let room = prepare(queue, layout, self.hold).and_then(|()| field.fresh(map.numbers(), self.hold));
        let spots = match room {
            Ok(spots) => spots,
            Err(why) => return (self.report(query.stopped(why, bound)), true),
        };
        let mut nodes = Cells::<N, _, PRUNE>::new(query, spots, estimate, self.is_admissible);
        let mut observer = InLengths::new(self.observer, map, scale).from(self.proved);
        let before = std::mem::take(&mut self.counters);
        self.control.forget(&before);
        let mut end = driver::best_first(&mut nodes, queue, rank, self.hold, self.control, &mut observer);
        // A queue that returns ranges of ranks may begin with a lower bound below the start's estimate.
        end.lower_bound = end.lower_bound.max(bound);
        end.counters.peak_states = end.counters.peak_states.max(before.peak_states);
        self.counters = end.counters;
        let proved = match end.found {
            // Every path whose cost fits was searched, so all others cost more than the limit.
            Err(Stop::Overflow) => Some(bound.map(|_| N::new(scale.limit::<N>()))),
            // The cheapest path may lead through a cell whose cost did not fit.
            Err(Stop::Nodes) if !is_last && end.has_overflowed => Some(end.lower_bound),
            _ => None,
        };
        if let Some(bound) = proved {
            let bound = bound.map(|bound| scale.value(bound.get(), map.unit));
            self.proved = bound.into_iter().chain(self.proved).reduce(f64::max);
        }
        let (spots, _) = field.last();
        let hold = &mut *self.hold;
        let outcome = query.conclude(&end, |goal| {
            walk_back(map, |index| step_of(spots[index].packed), goal, path, hold)?;
            Ok(&path[..])
        });
        (self.report(outcome), proved.is_none())
    }

    fn report(&self, mut outcome: Outcome) -> Report {
        if let (Outcome::Stopped { lower_bound, .. }, Some(proved)) = (&mut outcome, self.proved) {
            *lower_bound = Some(lower_bound.map_or(proved, |bound| bound.max(proved)));
        }
        self.query.report(outcome, self.counters)
    }
}
