//! Every cheapest path.

use std::ops::ControlFlow::{self, Break, Continue};

use crate::{
    Bound, Control, Cost, Guarantee, Heuristic, Hold, Observer, Outcome, Report, ReportOf, Run, Space, Starts, Stop,
    Zero,
    cost::least_sum,
    driver::{Id, Nodes},
    hashed::Info,
    path::{OutcomeOf, PathOf, proven, through},
    reach::by_estimate,
    table::{NONE, Table},
};

/// All cheapest paths from the start to a goal. Paths are different if they lead through different states; each ends at
/// the first goal that it comes to, and comes to no state twice.
///
/// The search is done at once: [`report`](CheapestPaths::report) says how it ended, and what a cheapest path costs. The
/// paths, of which there may be very many, are made one after the other.
///
/// ```
/// use pintu_search::{cheapest_paths, from_fn};
///
/// // Right and down through a square of five by five, each way eight steps long.
/// let moves = |&(x, y): &(u32, u32)| [((x + 1, y), 1_u32), ((x, y + 1), 1)];
/// let square = from_fn(move |at| moves(at).into_iter().filter(|to| to.0.0 < 5 && to.0.1 < 5), |&at| at == (4, 4));
/// let paths = cheapest_paths(&square, &(0, 0), ());
/// assert_eq!(paths.report().solution().unwrap().cost, 8);
/// assert_eq!(paths.count(), 70);
/// ```
pub fn cheapest_paths<'a, S: Space>(
    space: &'a S,
    start: &(impl Starts<S::State> + ?Sized),
    run: impl Run<S::State, S::Cost>,
) -> CheapestPaths<'a, S> {
    cheapest_paths_with(space, start, &Zero, run)
}

/// [`cheapest_paths`] led by a heuristic, which must be admissible: the search takes up no state through which every path is
/// dearer than the cheapest, as far as the heuristic knows.
///
/// ```
/// use pintu_search::{cheapest_paths, cheapest_paths_with, from_fn};
///
/// let moves = |&(x, y): &(i32, i32)| [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)].map(|to| (to, 1_u32));
/// let plane = from_fn(moves, |&at| at == (9, 1));
/// let left = |&(x, y): &(i32, i32)| x.abs_diff(9) + y.abs_diff(1);
/// let led = cheapest_paths_with(&plane, &(0, 0), &left, ());
/// assert!(led.report().counters.expanded < 25, "twenty states lie between the two");
/// assert!(cheapest_paths(&plane, &(0, 0), ()).report().counters.expanded > 200);
/// assert_eq!(led.count(), 10);
/// ```
#[doc(alias = "astar_bag")]
pub fn cheapest_paths_with<'a, S: Space, H: Heuristic<S>>(
    space: &'a S,
    start: &(impl Starts<S::State> + ?Sized),
    heuristic: &H,
    run: impl Run<S::State, S::Cost>,
) -> CheapestPaths<'a, S, H::Memo> {
    run.run(|control, observer| search(space, start.all(), heuristic, control, observer))
}

/// What [`cheapest_paths`] and [`cheapest_paths_with`] return: an iterator over the paths. The memory that it takes is held
/// until it is dropped.
#[must_use]
pub struct CheapestPaths<'a, S: Space, M = ()> {
    space: &'a S,
    table: Table<S::State, Info<S::Cost, M>>,
    goals: Vec<Id>,
    /// The steps that lie on cheapest ways, as pairs of a state and one before it, in order.
    steps: Vec<(Id, Id)>,
    /// Whether some of them add nothing to the cost, being free or too small for a sum to show: then they may lead in
    /// circles.
    has_free: bool,
    report: ReportOf<S>,
    /// The goal in hand is the one before this.
    next_goal: usize,
    /// The path in hand from its goal back: each state with the place of its next step, and whether the path that begins
    /// there has been returned.
    trail: Vec<(Id, usize, bool)>,
    hold: Hold,
}

fn search<'a, S: Space, H: Heuristic<S>, O: Observer<S::State, S::Cost>>(
    space: &'a S,
    starts: &[S::State],
    heuristic: &H,
    control: &Control,
    observer: &mut O,
) -> CheapestPaths<'a, S, H::Memo> {
    let is_admissible = heuristic.is_admissible();
    let mut walk = by_estimate(space, heuristic, starts, control, observer);
    let (mut goals, mut least, mut best) = (Vec::new(), S::Cost::ZERO, None);
    let mut refused = None;
    while let Some((id, cost, is_goal)) = walk.next() {
        let bound = least_sum(cost, walk.nodes().left(id));
        if best.is_some_and(|best| bound > best) {
            break;
        }
        least = bound.max(least);
        if is_goal {
            best = Some(best.map_or(cost, |best: S::Cost| best.min(cost)));
            refused = walk.hold().push(&mut goals, id).break_value();
            walk.leave();
        }
        if refused.is_some() {
            break;
        }
    }
    // What is dearer than a cost can say is dearer than the best.
    let stopped = walk.stopped().filter(|&why| why != Stop::Overflow || best.is_none()).or(refused);
    let mut counters = walk.counters();
    let (nodes, hold) = walk.into_parts();
    if let (false, Some(best)) = (is_admissible, best) {
        // A goal may have been taken up before a cheaper one, or a cheaper way to it.
        goals.retain(|&goal| nodes.table.data(goal).cost == best);
        goals.sort_unstable();
        goals.dedup();
    }
    let mut paths = CheapestPaths {
        space,
        table: nodes.table,
        goals,
        steps: Vec::new(),
        has_free: false,
        report: Report { outcome: Outcome::NoSolution, counters },
        next_goal: 0,
        trail: Vec::new(),
        hold,
    };
    let found = match (stopped, best) {
        (Some(why), _) => Break(why),
        (None, Some(best)) => paths.link(best, control),
        (None, None) => Continue(()),
    };
    counters.peak_bytes = paths.hold.peak();
    let bound = Some(Bound::Cost(least)).filter(|_| is_admissible);
    let mut outcome = paths.outcome(found, best, bound);
    if let (Outcome::Solved(solution), false) = (&mut outcome, is_admissible) {
        solution.guarantee = Guarantee::None;
        solution.lower_bound = None;
    }
    paths.report = Report { outcome, counters };
    paths
}

impl<S: Space, M: Copy> CheapestPaths<'_, S, M> {
    /// How the search ended: with the first of the paths, without any because there is none, or stopped before it knew
    /// them all.
    pub fn report(&self) -> &ReportOf<S> {
        &self.report
    }

    /// Finds the steps that lie on cheapest ways to the states that cost no more than `best`.
    fn link(&mut self, best: S::Cost, control: &Control) -> ControlFlow<Stop> {
        let space = self.space;
        for from in 0..self.table.len() as Id {
            if from % 1024 == 0 {
                control.check()?;
            }
            let Info { cost: paid, closed, .. } = *self.table.data(from);
            let state = self.table.state(from).clone();
            if !closed || paid > best || space.is_goal(&state) {
                continue;
            }
            for action in space.actions(&state) {
                let (after, step) = space.follow(&state, action);
                let Some(to) = self.table.find(&after) else { continue };
                let known = self.table.data(to);
                if known.closed && to != from && paid.checked_add(step) == Some(known.cost) {
                    self.has_free |= known.cost == paid;
                    self.hold.push(&mut self.steps, (to, from))?;
                }
            }
        }
        self.steps.sort_unstable();
        self.steps.dedup();
        Continue(())
    }

    fn outcome(
        &mut self,
        found: ControlFlow<Stop>,
        best: Option<S::Cost>,
        lower_bound: Option<Bound<S::Cost>>,
    ) -> OutcomeOf<S> {
        if let Break(why) = found {
            self.goals.clear();
            return Outcome::Stopped { why, lower_bound };
        }
        let (Some(first), Some(best)) = (self.next(), best) else { return Outcome::NoSolution };
        self.next_goal = 0;
        self.trail.clear();
        Outcome::Solved(proven(first, best))
    }

    fn enter(&mut self, id: Id) {
        self.trail.push((id, self.steps.partition_point(|&(to, _)| to < id), false));
    }

    fn is_on_trail(&self, id: Id) -> bool {
        self.has_free && self.trail.iter().any(|&(on, ..)| on == id)
    }

    fn path(&self) -> PathOf<S> {
        let states: Vec<S::State> = self.trail.iter().rev().map(|&(id, ..)| self.table.state(id).clone()).collect();
        through(self.space, &states)
    }
}

impl<S: Space, M: Copy> Iterator for CheapestPaths<'_, S, M> {
    type Item = PathOf<S>;

    fn next(&mut self) -> Option<PathOf<S>> {
        loop {
            let Some((id, step, is_returned)) = self.trail.last_mut() else {
                let goal = *self.goals.get(self.next_goal)?;
                self.next_goal += 1;
                self.enter(goal);
                continue;
            };
            if self.table.data(*id).parent == NONE && !std::mem::replace(is_returned, true) {
                return Some(self.path());
            }
            match self.steps.get(*step) {
                Some(&(to, before)) if to == *id => {
                    *step += 1;
                    if !self.is_on_trail(before) {
                        self.enter(before);
                    }
                }
                _ => {
                    self.trail.pop();
                }
            }
        }
    }
}

impl<S: Space, M: Copy> std::iter::FusedIterator for CheapestPaths<'_, S, M> {}
