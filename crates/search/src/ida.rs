use std::{
    hash::Hash,
    ops::ControlFlow::{self, Break, Continue},
};

use crate::{
    Bound, Control, Cost, Counters, Guarantee, Heuristic, Hold, Observer, Outcome, Report, ReportOf, Run, Solution,
    Space, Starts, Stop,
    dive::{Dive, End, Forgetful, Memory, cost_of},
    driver::Id,
    table::{Entry, Table},
};

/// Iterative deepening A*: depth-first searches, each cut off where `g + h` exceeds a bound that grows
/// to the smallest value that was cut off. A cheapest path if the heuristic is admissible, in memory
/// that grows with the path's length alone. It detects no duplicates but those that free steps lead back to, so where
/// there is no solution it ends only in spaces without cycles that cost something.
#[doc(alias = "idastar")]
pub fn ida<S: Space, H: Heuristic<S>>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    heuristic: &H,
    run: impl Run<S::State, S::Cost>,
) -> ReportOf<S> {
    run.run(|control, observer| deepen(space, start.all(), heuristic, Forgetful, control, observer))
}

/// IDA* with a transposition table: a state is searched again only if it was reached for less, or for
/// as little in an earlier iteration. It ends where there is no solution, too, and does well in spaces
/// with many paths to the same state, at the price of remembering every state met.
///
/// ```
/// use pintu_search::{from_fn, ida_with_table, Outcome, Zero};
///
/// // Round in a circle: plain IDA* would never end.
/// let ring = from_fn(|&n: &u32| [((n + 1) % 9, 1_u32)], |&n| n == 10);
/// assert!(matches!(ida_with_table(&ring, &0, &Zero, ()).outcome, Outcome::NoSolution));
/// ```
pub fn ida_with_table<S: Space, H: Heuristic<S>>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    heuristic: &H,
    run: impl Run<S::State, S::Cost>,
) -> ReportOf<S> {
    let memory = Transpositions { table: Table::new(), iteration: 0 };
    run.run(|control, observer| deepen(space, start.all(), heuristic, memory, control, observer))
}

fn deepen<S: Space, H: Heuristic<S>>(
    space: &S,
    starts: &[S::State],
    heuristic: &H,
    memory: impl Memory<S::State, S::Cost>,
    control: &Control,
    observer: &mut impl Observer<S::State, S::Cost>,
) -> ReportOf<S> {
    let estimates = starts.iter().filter_map(|start| heuristic.estimate(heuristic.start(start)));
    let Some(least) = estimates.min() else {
        let counters = Counters { generated: starts.len() as u64, ..Counters::default() };
        return Report { outcome: Outcome::NoSolution, counters };
    };
    let is_admissible = heuristic.is_admissible();
    let mut dive = Dive::new(space, heuristic, memory, starts, control, observer);
    let mut bound = least.total(S::Cost::ZERO);
    let outcome = loop {
        let said = cost_of::<S::Cost>(bound);
        if is_admissible {
            control.note_bound(said.whole());
        }
        match dive.within(bound, Bound::Cost(said)) {
            Continue(End::Goal(cost)) => {
                let guarantee = if is_admissible { Guarantee::Cheapest } else { Guarantee::None };
                let lower_bound = is_admissible.then_some(Bound::Cost(cost));
                break Outcome::Solved(Solution { path: dive.path(), cost, guarantee, lower_bound });
            }
            Continue(End::Cut(next)) => bound = next,
            Continue(End::Exhausted) => break Outcome::NoSolution,
            Break(why) => {
                let lower_bound = is_admissible.then_some(Bound::Cost(said));
                break Outcome::Stopped { why, lower_bound };
            }
        }
    };
    Report { outcome, counters: dive.counters() }
}

/// The least cost at which each state was reached, and in which iteration.
///
/// What was reached for less in an earlier iteration need not be searched: each iteration goes further
/// than those before it, so that it gets there for that little again.
struct Transpositions<St, C> {
    table: Table<St, (C, u32)>,
    iteration: u32,
}

impl<St: Clone + Eq + Hash, C: Cost> Memory<St, C> for Transpositions<St, C> {
    fn begin(&mut self) {
        self.iteration += 1;
    }

    #[inline]
    fn is_news(&mut self, state: &St, cost: C, hold: &mut Hold) -> ControlFlow<Stop, bool> {
        let now = (cost, self.iteration);
        let Entry::Known(id) = self.table.insert(state, now, hold)? else {
            return Continue(true);
        };
        let known = self.table.data_mut(id);
        let news = cost < known.0 || (cost == known.0 && self.iteration > known.1);
        if news {
            *known = now;
        }
        Continue(news)
    }

    fn len(&self) -> usize {
        self.table.len()
    }

    fn entry(&self, at: usize) -> Option<(&St, C)> {
        (at < self.table.len()).then(|| (self.table.state(at as Id), self.table.data(at as Id).0))
    }

    fn knows(&self, state: &St) -> bool {
        self.table.find(state).is_some()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Zero, dijkstra, from_fn};

    proptest! {
        /// On random graphs, with and without a consistent heuristic.
        #[test]
        fn the_table_changes_no_answer(edges in prop::collection::vec((0..12_u32, 0..12_u32, 0..9_u32), 0..40)) {
            let successors = |&n: &u32| {
                edges.iter().filter(move |edge| edge.0 == n).map(|&(_, to, cost)| (to, cost)).collect::<Vec<_>>()
            };
            let space = from_fn(successors, |&n| n == 11);
            let expected = dijkstra(&space, &0, ()).solution().map(|solution| solution.cost);
            let blind = ida_with_table(&space, &0, &Zero, ());
            prop_assert_eq!(blind.solution().map(|solution| solution.cost), expected);
            // Half of the true distance, rounded down, is admissible and not always consistent.
            let half = |&n: &u32| dijkstra(&space, &n, ()).solution().map_or(0, |solution| solution.cost / 2);
            let informed = ida_with_table(&space, &0, &half, ());
            prop_assert_eq!(informed.solution().map(|solution| solution.cost), expected);
        }
    }
}
