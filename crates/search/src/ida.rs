use std::hash::Hash;

use crate::{
    Bound, Control, Cost, Counters, Guarantee, Heuristic, Hold, Observer, Outcome, Report, ReportOf, Run, Solution,
    Space, Starts, Stop,
    dive::{Dive, End, Forgetful, Memory},
    table::{Entry, Table},
};

/// Iterative deepening A*: depth-first searches, each cut off where `g + h` exceeds a bound that grows
/// to the smallest value that was cut off. A cheapest path if the heuristic is admissible, in memory
/// that grows with the path's length alone. It detects no duplicates but those that free steps lead back to, so where
/// there is no solution it ends only in spaces without cycles that cost something.
#[doc(alias = "idastar")]
#[expect(clippy::needless_pass_by_value, reason = "all algorithms take heuristics by value")]
pub fn ida<'c, S: Space, H: Heuristic<S>>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    heuristic: H,
    run: impl Run<'c, S::State, S::Cost>,
) -> ReportOf<S> {
    run.run(|control, observer| deepen(space, start.all(), &heuristic, Forgetful, control, observer))
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
/// assert!(matches!(ida_with_table(&ring, &0, Zero, ()).outcome, Outcome::NoSolution));
/// ```
#[expect(clippy::needless_pass_by_value, reason = "all algorithms take heuristics by value")]
pub fn ida_with_table<'c, S: Space, H: Heuristic<S>>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    heuristic: H,
    run: impl Run<'c, S::State, S::Cost>,
) -> ReportOf<S> {
    let memory = Transpositions { table: Table::new(), iteration: 0 };
    run.run(|control, observer| deepen(space, start.all(), &heuristic, memory, control, observer))
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
    let Some(mut bound) = estimates.min() else {
        let counters = Counters { generated: starts.len() as u64, ..Counters::default() };
        return Report { outcome: Outcome::NoSolution, counters };
    };
    let is_admissible = heuristic.is_admissible();
    let mut dive = Dive::new(space, heuristic, memory, starts, control, observer);
    let outcome = loop {
        if is_admissible {
            control.note_bound(bound.whole());
        }
        match dive.within(bound, Bound::Cost(bound)) {
            Ok(End::Goal(cost)) => {
                let guarantee = if is_admissible { Guarantee::Cheapest } else { Guarantee::None };
                let lower_bound = is_admissible.then_some(Bound::Cost(cost));
                break Outcome::Solved(Solution { path: dive.path(), cost, guarantee, lower_bound });
            }
            Ok(End::Cut(next)) => bound = next,
            Ok(End::Exhausted) => break Outcome::NoSolution,
            Err(why) => {
                break Outcome::Stopped { why, lower_bound: is_admissible.then_some(Bound::Cost(bound)) };
            }
        }
    };
    Report { outcome, counters: dive.counters() }
}

/// The least cost at which each state was reached, and in which iteration.
///
/// A state that an earlier iteration reached for less need not be searched: this iteration goes further, so it gets
/// there for that little again.
struct Transpositions<St, C> {
    table: Table<St, (C, u32)>,
    iteration: u32,
}

impl<St: Clone + Eq + Hash, C: Cost> Memory<St, C> for Transpositions<St, C> {
    fn begin(&mut self) {
        self.iteration += 1;
    }

    #[inline]
    fn is_news(&mut self, state: &St, cost: C, hold: &mut Hold) -> Result<bool, Stop> {
        let now = (cost, self.iteration);
        let Entry::Known(id) = self.table.insert(state, now, hold)? else {
            return Ok(true);
        };
        let known = self.table.data_mut(id);
        let news = cost < known.0 || (cost == known.0 && self.iteration > known.1);
        if news {
            *known = now;
        }
        Ok(news)
    }

    fn len(&self) -> usize {
        self.table.len()
    }
}
