use std::{
    hash::Hash,
    ops::ControlFlow::{self, Break, Continue},
};

use crate::{
    Cost, Counters, Guarantee, Heuristic, Observer, Outcome, Report, Solution, Space, Stop,
    dive::{Dive, End, Forgetful, Seen},
    table::{Entry, Table},
};

/// Iterative deepening A*: depth-first searches, each cut off where `g + h` exceeds a bound that grows
/// to the smallest value that was cut off. A cheapest path if the heuristic is admissible, in memory
/// that grows with the path's length alone. It detects no duplicates, so where there is no solution
/// it ends only in spaces without cycles.
pub fn ida<S: Space, H: Heuristic<S>>(
    space: &S,
    start: &S::State,
    heuristic: &H,
    observer: &mut impl Observer<S::State>,
) -> Report<S> {
    deepen(space, start, heuristic, Forgetful, observer)
}

/// IDA* with a transposition table: a state is searched again only if it was reached for less, or for
/// as little in an earlier iteration. It ends where there is no solution, too, and does well in spaces
/// with many paths to the same state, at the price of remembering every state met.
///
/// ```
/// use pintu_search::{from_fn, ida_with_table, Outcome, Zero};
///
/// // Round in a circle: plain IDA* would never end.
/// let ring = from_fn(|&n: &u32| [((n + 1) % 9, 1)], |&n| n == 10);
/// assert!(matches!(ida_with_table(&ring, &0, &Zero, &mut ()).outcome, Outcome::NoSolution));
/// ```
pub fn ida_with_table<S: Space, H: Heuristic<S>>(
    space: &S,
    start: &S::State,
    heuristic: &H,
    observer: &mut impl Observer<S::State>,
) -> Report<S> {
    deepen(space, start, heuristic, Transpositions { table: Table::new(), iteration: 0 }, observer)
}

fn deepen<S: Space, H: Heuristic<S>>(
    space: &S,
    start: &S::State,
    heuristic: &H,
    seen: impl Seen<S::State>,
    observer: &mut impl Observer<S::State>,
) -> Report<S> {
    let mut bound = heuristic.estimate(heuristic.start(start));
    let mut dive = Dive::new(space, heuristic, seen, observer);
    let outcome = loop {
        match dive.within(start, bound) {
            Continue(End::Goal(cost)) => {
                let path = dive.path(start);
                break Outcome::Solved(Solution {
                    path,
                    cost,
                    guarantee: Guarantee::Cheapest,
                    lower_bound: Some(cost),
                });
            }
            Continue(End::Cut(next)) => bound = next,
            Continue(End::Exhausted) => break Outcome::NoSolution,
            Break(why) => break Outcome::Stopped { why, lower_bound: Some(bound) },
        }
    };
    Report { outcome, counters: dive.counters }
}

/// The least cost at which each state was reached, and in which iteration.
///
/// What was reached for less in an earlier iteration need not be searched: each iteration goes further
/// than those before it, so that it gets there for that little again.
struct Transpositions<St> {
    table: Table<St, (Cost, u32)>,
    iteration: u32,
}

impl<St: Clone + Eq + Hash> Seen<St> for Transpositions<St> {
    fn begin(&mut self) {
        self.iteration += 1;
    }

    #[inline]
    fn is_news<O: Observer<St>>(
        &mut self,
        state: &St,
        cost: Cost,
        stacks: u64,
        counters: &mut Counters,
        observer: &mut O,
    ) -> ControlFlow<Stop, bool> {
        let now = (cost, self.iteration);
        let Entry::Known(id) = self.table.insert(state, now, stacks, counters, observer)? else {
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

    fn bytes(&self) -> u64 {
        self.table.bytes()
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
            let expected = dijkstra(&space, &0, &mut ()).solution().map(|solution| solution.cost);
            let blind = ida_with_table(&space, &0, &Zero, &mut ());
            prop_assert_eq!(blind.solution().map(|solution| solution.cost), expected);
            // Half of the true distance, rounded down, is admissible and not always consistent.
            let half = |&n: &u32| dijkstra(&space, &n, &mut ()).solution().map_or(0, |solution| solution.cost / 2);
            let informed = ida_with_table(&space, &0, &half, &mut ());
            prop_assert_eq!(informed.solution().map(|solution| solution.cost), expected);
        }
    }
}
