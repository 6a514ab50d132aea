//! Everything that can be reached, one state after the other.

mod traversal;
mod walk;

use std::iter::from_fn;

pub use self::traversal::{Traversal, breadth_first, depth_first};
pub(crate) use self::walk::Walk;
use crate::{
    Blend, Counters, Observer, Run, Space, Starts, Stop, Zero,
    path::{SolutionOf, in_order, through},
};

/// All states that can be reached, each with the cost of the cheapest path to it, in the order of that cost.
///
/// ```
/// use pintu_search::{cheapest_first, from_fn, Control, Limits, Stop};
///
/// let numbers = from_fn(|&n: &u32| [(n + 1, 2_u32), (n * 3, 1)], |_| false);
/// let cheap: Vec<_> = cheapest_first(&numbers, &1, ()).take_while(|&(_, cost)| cost < 3).collect();
/// assert_eq!(cheap, [(1, 0), (3, 1), (9, 2), (2, 2)]);
///
/// let control = Control::new(Limits::none().nodes(50));
/// let mut all = cheapest_first(&numbers, &1, &control);
/// assert_eq!(all.by_ref().count(), 50);
/// assert_eq!(all.stopped(), Some(Stop::Nodes));
/// ```
#[doc(alias = "dijkstra_reach")]
pub fn cheapest_first<'a, S: Space, R: Run<'a, S::State, S::Cost>>(
    space: &'a S,
    start: &(impl Starts<S::State> + ?Sized),
    run: R,
) -> CheapestFirst<'a, S, R::Observer> {
    let (control, observer) = run.parts();
    CheapestFirst(Walk::new(space, Zero, Blend::astar(), start.all(), control, observer))
}

/// A cheapest path to every goal that can be reached, the nearest goal first: `take(k)` for the nearest `k`.
///
/// [`Guarantee::Cheapest`](crate::Guarantee::Cheapest) is said of those goals that are as near as the first. A path to a
/// goal further away is a cheapest one to that goal, but not to the goals in general.
///
/// ```
/// use pintu_search::{from_fn, nearest_goals};
///
/// let numbers = from_fn(|&n: &u32| [(n + 1, 1_u32), (n + 10, 5)], |&n| n % 7 == 0);
/// let costs: Vec<_> = nearest_goals(&numbers, &8, ()).take(3).map(|goal| goal.cost).collect();
/// assert_eq!(costs, [6, 8, 10]);
/// let goals: Vec<_> = nearest_goals(&numbers, &8, ()).take(3).map(|goal| goal.path.end(&numbers)).collect();
/// assert_eq!(goals, [14, 21, 28]);
/// ```
pub fn nearest_goals<'a, S: Space, R: Run<'a, S::State, S::Cost>>(
    space: &'a S,
    start: &(impl Starts<S::State> + ?Sized),
    run: R,
) -> NearestGoals<'a, S, R::Observer> {
    NearestGoals { states: cheapest_first(space, start, run), least: None }
}

/// The iterator of [`cheapest_first`].
#[must_use]
pub struct CheapestFirst<'a, S: Space, O = ()>(Walk<'a, 'a, S, Zero, O>);

impl<S: Space, O: Observer<S::State, S::Cost>> CheapestFirst<'_, S, O> {
    /// What stopped the search before all was seen, if it was stopped.
    pub fn stopped(&self) -> Option<Stop> {
        self.0.stopped()
    }

    /// The counts of the search so far.
    pub fn counters(&self) -> Counters {
        self.0.counters()
    }
}

impl<S: Space, O: Observer<S::State, S::Cost>> Iterator for CheapestFirst<'_, S, O> {
    type Item = (S::State, S::Cost);

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.0.next();
        self.0.pause();
        next.map(|(id, cost, _)| (self.0.nodes().table.state(id).clone(), cost))
    }
}

/// The iterator of [`nearest_goals`].
#[must_use]
pub struct NearestGoals<'a, S: Space, O = ()> {
    states: CheapestFirst<'a, S, O>,
    least: Option<S::Cost>,
}

impl<S: Space, O: Observer<S::State, S::Cost>> NearestGoals<'_, S, O> {
    /// What stopped the search before all was seen, if it was stopped.
    pub fn stopped(&self) -> Option<Stop> {
        self.states.stopped()
    }

    /// The counts of the search so far.
    pub fn counters(&self) -> Counters {
        self.states.counters()
    }
}

impl<S: Space, O: Observer<S::State, S::Cost>> Iterator for NearestGoals<'_, S, O> {
    type Item = SolutionOf<S>;

    fn next(&mut self) -> Option<Self::Item> {
        let walk = &mut self.states.0;
        let goal = from_fn(|| walk.next()).find_map(|(id, cost, is_goal)| is_goal.then_some((id, cost)));
        walk.pause();
        let (id, cost) = goal?;
        let path = through(walk.nodes().space, &walk.nodes().states_to(id));
        Some(in_order(path, cost, *self.least.get_or_insert(cost), true))
    }
}
