//! Depth-first search to a bound, once or with a growing bound.

use crate::{
    Bound, Control, Cost, Guarantee, Observer, Outcome, Report, ReportOf, Run, Space, Starts, Stop, Zero,
    dive::{Dive, End, Forgetful, Memory, Met},
    path::solved,
};

/// Depth-first search that goes no deeper than `max_depth` steps; as deep as it can with [`u32::MAX`].
///
/// Within a bound, a state that is met again at a smaller depth is searched again: otherwise the bound would hide
/// solutions behind states that were first met too deep. That may take as much as the square of the states' number. Without
/// a bound every state is searched once.
///
/// ```
/// use pintu_search::{dfs, from_fn, Outcome};
///
/// let plane = from_fn(|&(x, y): &(u32, u32)| [((x + 1) % 40, y), (x, (y + 1) % 40)].map(|to| (to, 1_u32)), |_| false);
/// let report = dfs(&plane, &(0, 0), u32::MAX, ());
/// assert_eq!((report.outcome, report.counters.expanded), (Outcome::NoSolution, 1600));
/// ```
pub fn dfs<'c, S: Space>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    max_depth: u32,
    run: impl Run<'c, S::State, S::Cost>,
) -> ReportOf<S> {
    let starts = start.all();
    let memory = Met::new(max_depth < u32::MAX);
    run.run(|control, observer| once(space, starts, max_depth, memory, control, observer))
}

/// [`dfs`] that does not notice when it meets a state again: for teaching what duplicate detection is
/// worth.
pub fn dfs_tree<'c, S: Space>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    max_depth: u32,
    run: impl Run<'c, S::State, S::Cost>,
) -> ReportOf<S> {
    run.run(|control, observer| once(space, start.all(), max_depth, Forgetful, control, observer))
}

/// Depth-first search to the depths 0, 1, 2, … until a goal is found: a path with the fewest steps, in
/// memory that grows with the depth alone. It detects no duplicates, so where there is no solution
/// it ends only in spaces without cycles.
pub fn iddfs<'c, S: Space>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    run: impl Run<'c, S::State, S::Cost>,
) -> ReportOf<S> {
    run.run(|control, observer| deepen(space, start.all(), control, observer))
}

fn deepen<S: Space>(
    space: &S,
    starts: &[S::State],
    control: &Control,
    observer: &mut impl Observer<S::State, S::Cost>,
) -> ReportOf<S> {
    let unit = UnitCost(space);
    let mut dive = Dive::new(&unit, &Zero, Forgetful, starts, control, observer);
    let mut bound = S::Cost::ZERO;
    let outcome = loop {
        let steps = Some(Bound::Steps(bound.whole()));
        control.note_bound(bound.whole());
        match dive.within(bound, Bound::Steps(bound.whole())) {
            Ok(End::Goal(_)) => break solved(space, dive.path(), Guarantee::Shortest, steps),
            Ok(End::Exhausted) => break Outcome::NoSolution,
            Ok(End::Cut(next)) => bound = next,
            Err(why) => break Outcome::Stopped { why, lower_bound: steps },
        }
    };
    Report { outcome, counters: dive.counters() }
}

fn once<S: Space>(
    space: &S,
    starts: &[S::State],
    max_depth: u32,
    memory: impl Memory<S::State, S::Cost>,
    control: &Control,
    observer: &mut impl Observer<S::State, S::Cost>,
) -> ReportOf<S> {
    let unit = UnitCost(space);
    let mut dive = Dive::new(&unit, &Zero, memory, starts, control, observer);
    let most = u64::from(max_depth);
    let outcome = match dive.within(S::Cost::steps(most), Bound::Steps(most)) {
        Ok(End::Goal(_)) => solved(space, dive.path(), Guarantee::None, None),
        Ok(End::Exhausted) => Outcome::NoSolution,
        Ok(End::Cut(next)) => Outcome::Stopped { why: Stop::Depth, lower_bound: Some(Bound::Steps(next.whole())) },
        Err(why) => Outcome::Stopped { why, lower_bound: None },
    };
    Report { outcome, counters: dive.counters() }
}

/// The same space with every step costing one.
struct UnitCost<'a, S>(&'a S);

impl<S: Space> Space for UnitCost<'_, S> {
    type State = S::State;
    type Action = S::Action;
    type Cost = S::Cost;

    #[inline]
    fn actions(&self, state: &S::State) -> impl Iterator<Item = S::Action> {
        self.0.actions(state)
    }

    #[inline]
    fn apply(&self, state: &mut S::State, action: &S::Action) -> S::Cost {
        self.0.apply(state, action);
        S::Cost::ONE
    }

    #[inline]
    fn follow(&self, state: &S::State, action: S::Action) -> (S::State, S::Cost) {
        (self.0.follow(state, action).0, S::Cost::ONE)
    }

    #[inline]
    fn is_goal(&self, state: &S::State) -> bool {
        self.0.is_goal(state)
    }
}
