//! Every cheapest path.

use crate::{
    Blend, Bound, Control, Cost, Heuristic, Hold, Observer, Outcome, Report, ReportOf, Run, Space, Starts, Stop, Zero,
    cost::least_sum,
    driver::{Id, Nodes},
    hashed::Info,
    path::{PathOf, in_order, through},
    reach::Walk,
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
/// // Right and down through a square of five by five, each path eight steps long.
/// let moves = |&(x, y): &(u32, u32)| [((x + 1, y), 1_u32), ((x, y + 1), 1)];
/// let square = from_fn(move |at| moves(at).into_iter().filter(|to| to.0.0 < 5 && to.0.1 < 5), |&at| at == (4, 4));
/// let mut paths = cheapest_paths(&square, &(0, 0), ());
/// assert_eq!(paths.report().solution().unwrap().cost, 8);
/// assert_eq!(paths.number(), Ok(70));
/// assert_eq!(paths.count(), 70);
/// ```
pub fn cheapest_paths<'a, 'c, S: Space>(
    space: &'a S,
    start: &(impl Starts<S::State> + ?Sized),
    run: impl Run<'c, S::State, S::Cost>,
) -> CheapestPaths<'a, S> {
    cheapest_paths_with(space, start, Zero, run)
}

/// [`cheapest_paths`] guided by a heuristic, which must be admissible: the search expands no state through which, by the
/// heuristic, every path costs more than the cheapest.
///
/// ```
/// use pintu_search::{cheapest_paths, cheapest_paths_with, from_fn};
///
/// let moves = |&(x, y): &(i32, i32)| [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)].map(|to| (to, 1_u32));
/// let plane = from_fn(moves, |&at| at == (9, 1));
/// let left = |&(x, y): &(i32, i32)| x.abs_diff(9) + y.abs_diff(1);
/// let led = cheapest_paths_with(&plane, &(0, 0), left, ());
/// assert!(led.report().counters.expanded < 25, "twenty states lie between the two");
/// assert!(cheapest_paths(&plane, &(0, 0), ()).report().counters.expanded > 200);
/// assert_eq!(led.count(), 10);
/// ```
#[doc(alias = "astar_bag")]
pub fn cheapest_paths_with<'a, 'c, S: Space, H: Heuristic<S>>(
    space: &'a S,
    start: &(impl Starts<S::State> + ?Sized),
    heuristic: H,
    run: impl Run<'c, S::State, S::Cost>,
) -> CheapestPaths<'a, S, H::Memo> {
    run.run(|control, observer| search(space, start.all(), heuristic, control, observer))
}

/// Iterator over all cheapest paths, returned by [`cheapest_paths`] and [`cheapest_paths_with`]. Its memory is held
/// until it is dropped.
#[must_use]
pub struct CheapestPaths<'a, S: Space, M = ()> {
    space: &'a S,
    table: Table<S::State, Info<S::Cost, M>>,
    goals: Vec<Id>,
    /// The steps on cheapest paths, as pairs of a state and its predecessor, sorted.
    steps: Vec<(Id, Id)>,
    /// Whether some steps do not raise the cost, being zero or lost to rounding: such steps may form cycles.
    has_zero_cost: bool,
    report: ReportOf<S>,
    /// Index of the goal after the current one.
    next_goal: usize,
    /// The current path from its goal back: each state with the index of its next step, and whether the path that begins
    /// there has been returned.
    path_back: Vec<(Id, usize, bool)>,
    hold: Hold,
}

/// States that are linked between two checks of the control.
const CHECK_INTERVAL: Id = 1024;

fn search<'a, S: Space, H: Heuristic<S>, O: Observer<S::State, S::Cost>>(
    space: &'a S,
    starts: &[S::State],
    heuristic: H,
    control: &Control,
    observer: &mut O,
) -> CheapestPaths<'a, S, H::Memo> {
    let is_admissible = heuristic.is_admissible();
    let mut walk = Walk::new(space, heuristic, Blend::astar(), starts, control, observer);
    let (mut goals, mut least, mut best) = (Vec::new(), S::Cost::ZERO, None);
    let (mut refused, mut unexpanded) = (None, None);
    while let Some((id, cost, is_goal)) = walk.next() {
        let bound = least_sum(cost, walk.nodes().estimate(id));
        if best.is_some_and(|best| bound > best) {
            unexpanded = Some(id);
            break;
        }
        least = bound.max(least);
        if is_goal {
            best = Some(best.map_or(cost, |best: S::Cost| best.min(cost)));
            refused = walk.hold().push(&mut goals, id).err();
            walk.skip_last();
        }
        if refused.is_some() {
            break;
        }
    }
    // An overflowing path costs more than the best, so it matters only if no goal was found.
    let stopped = walk.stopped().filter(|&why| why != Stop::Overflow || best.is_none()).or(refused);
    let mut counters = walk.counters();
    let (mut nodes, hold) = walk.into_parts();
    if let Some(id) = unexpanded {
        nodes.table.data_mut(id).closed = false;
    }
    if let (false, Some(best)) = (is_admissible, best) {
        // A goal may have been expanded before a cheaper one, or before a cheaper path to it was found.
        goals.retain(|&goal| nodes.table.data(goal).cost == best);
        goals.sort_unstable();
        goals.dedup();
    }
    let mut paths = CheapestPaths {
        space,
        table: nodes.table,
        goals,
        steps: Vec::new(),
        has_zero_cost: false,
        report: Report { outcome: Outcome::NoSolution, counters },
        next_goal: 0,
        path_back: Vec::new(),
        hold,
    };
    let found = match (stopped, best) {
        (Some(why), _) => Err(why),
        (None, Some(best)) => paths.link(best, control),
        (None, None) => Ok(()),
    };
    counters.peak_bytes = paths.hold.peak();
    if found.is_err() {
        paths.goals.clear();
    }
    let outcome = match (found, paths.next(), best) {
        (Err(why), ..) => Outcome::Stopped { why, lower_bound: is_admissible.then_some(Bound::Cost(least)) },
        (Ok(()), Some(first), Some(best)) => Outcome::Solved(in_order(first, best, best, is_admissible)),
        _ => Outcome::NoSolution,
    };
    paths.rewind();
    paths.report = Report { outcome, counters };
    paths
}

impl<S: Space, M: Copy> CheapestPaths<'_, S, M> {
    /// The report of the search: solved by the first path, proved to have no solution, or stopped early.
    pub fn report(&self) -> &ReportOf<S> {
        &self.report
    }

    /// Counts the paths without listing them, up to `u128::MAX`. They are listed only where zero-cost steps may form
    /// cycles.
    pub fn number(&mut self) -> Result<u128, Stop> {
        if self.has_zero_cost {
            let number = self.by_ref().map(|_| 1_u128).sum();
            self.rewind();
            return Ok(number);
        }
        let bytes = self.table.len() as u64 * (size_of::<u128>() + size_of::<Id>()) as u64;
        self.hold.more(bytes)?;
        // The number of paths to each state: of those to its predecessors, which cost less.
        let mut by_cost: Vec<Id> = (0..self.table.len() as Id).collect();
        by_cost.sort_unstable_by_key(|&id| self.table.data(id).cost);
        let mut numbers = vec![0_u128; self.table.len()];
        for id in by_cost {
            let first = self.steps.partition_point(|&(to, _)| to < id);
            let before =
                self.steps[first..].iter().take_while(|(to, _)| *to == id).map(|&(_, from)| numbers[from as usize]);
            let start = u128::from(self.table.data(id).parent == NONE);
            numbers[id as usize] = before.fold(start, u128::saturating_add);
        }
        self.hold.less(bytes);
        Ok(self.goals.iter().fold(0, |sum, &goal| sum.saturating_add(numbers[goal as usize])))
    }

    fn rewind(&mut self) {
        self.next_goal = 0;
        self.path_back.clear();
    }

    /// Finds the steps on cheapest paths to the states that cost no more than `best`.
    fn link(&mut self, best: S::Cost, control: &Control) -> Result<(), Stop> {
        let space = self.space;
        for from in 0..self.table.len() as Id {
            if from % CHECK_INTERVAL == 0 {
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
                    self.has_zero_cost |= known.cost == paid;
                    self.hold.push(&mut self.steps, (to, from))?;
                }
            }
        }
        self.steps.sort_unstable();
        self.steps.dedup();
        Ok(())
    }

    fn enter(&mut self, id: Id) {
        self.path_back.push((id, self.steps.partition_point(|&(to, _)| to < id), false));
    }

    fn is_on_path(&self, id: Id) -> bool {
        self.has_zero_cost && self.path_back.iter().any(|&(on, ..)| on == id)
    }

    fn path(&self) -> PathOf<S> {
        let states: Vec<S::State> = self.path_back.iter().rev().map(|&(id, ..)| self.table.state(id).clone()).collect();
        through(self.space, &states)
    }
}

impl<S: Space, M: Copy> Iterator for CheapestPaths<'_, S, M> {
    type Item = PathOf<S>;

    fn next(&mut self) -> Option<PathOf<S>> {
        loop {
            let Some((id, step, is_returned)) = self.path_back.last_mut() else {
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
                    if !self.is_on_path(before) {
                        self.enter(before);
                    }
                }
                _ => {
                    self.path_back.pop();
                }
            }
        }
    }
}
