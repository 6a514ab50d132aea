use std::ops::ControlFlow::{Break, Continue};

use crate::{
    Guarantee, Heuristic, Observer, Outcome, Report, Solution, Space,
    dive::{Dive, End, Forgetful},
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
    let mut bound = heuristic.estimate(heuristic.start(start));
    let mut dive = Dive::new(space, heuristic, Forgetful, observer);
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
