//! Paths in the order of their costs.

mod spur;

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    iter::FusedIterator,
    ops::ControlFlow::{self, Break, Continue},
};

use self::spur::{Same, Spur};
use crate::{
    Control, Cost, Counters, Guarantee, Heuristic, Hold, LazyRun, Limits, Observer, Outcome, Solution, Space, Starts,
    Stop,
    driver::Blend,
    path::{proven, through},
    scratch::ScratchOf,
    table::Table,
};

/// All paths from the start to a goal that come to no state twice, the cheapest first: `take(k)` for the `k` cheapest.
/// Paths are different if they lead through different states; each ends at the first goal that it comes to.
///
/// This is Yen's algorithm in Lawler's form, with A* inside: each path returned is followed by as many searches as it has
/// states. The heuristic must be admissible for the order to hold; [`Zero`](crate::Zero) always is.
///
/// ```
/// use pintu_search::{from_fn, paths_by_cost, Zero};
///
/// let stairs = from_fn(|&n: &u32| [(n + 1, 2_u32), (n + 2, 3)].into_iter().filter(|to| to.0 <= 4), |&n| n == 4);
/// let costs: Vec<_> = paths_by_cost(&stairs, &0, &Zero, ()).map(|path| path.cost).collect();
/// assert_eq!(costs, [6, 7, 7, 7, 8]);
/// ```
#[doc(alias = "yen")]
#[doc(alias = "k_shortest_path")]
pub fn paths_by_cost<'a, S: Space, H: Heuristic<S>, R: LazyRun<'a, S::State, S::Cost>>(
    space: &'a S,
    start: &(impl Starts<S::State> + ?Sized),
    heuristic: &'a H,
    run: R,
) -> PathsByCost<'a, S, H, R::Observer> {
    let (whole, observer) = run.parts();
    // A part of its own adds up what all its searches do and hold.
    let control = whole.part(Limits::default());
    PathsByCost {
        space,
        heuristic,
        starts: start.all().to_vec(),
        observer,
        scratch: ScratchOf::<S, H>::new(),
        kept: control.hold(),
        hold: control.hold(),
        control,
        waiting: BinaryHeap::new(),
        made: 0,
        last: Some(Last::Nothing),
        is_too_dear: false,
        stopped: None,
    }
}

/// What [`paths_by_cost`] returns.
#[must_use]
pub struct PathsByCost<'a, S: Space, H: Heuristic<S>, O = ()> {
    space: &'a S,
    heuristic: &'a H,
    starts: Vec<S::State>,
    control: Control,
    observer: O,
    scratch: ScratchOf<S, H>,
    /// What the scratch holds between two searches.
    kept: Hold,
    /// What the paths that wait hold.
    hold: Hold,
    /// The best path of each set of paths into which all that are not returned yet are divided.
    waiting: BinaryHeap<Candidate<S::State, S::Cost>>,
    made: u64,
    /// What is to be divided before the next path is known; nothing once all is over.
    last: Option<Last<S::State, S::Cost>>,
    is_too_dear: bool,
    stopped: Option<Stop>,
}

enum Last<St, C> {
    /// Nothing was returned yet: all paths are one set.
    Nothing,
    Path(Candidate<St, C>),
}

/// The cheapest of all paths that begin with the first `fixed` of its states and do not go on with one of `bans`.
struct Candidate<St, C> {
    /// The cheapest first, and among equals the one that was found first.
    order: Reverse<(C, u64)>,
    states: Vec<St>,
    fixed: usize,
    bans: Vec<St>,
}

impl<St, C> Candidate<St, C> {
    fn bytes(&self) -> u64 {
        ((self.states.capacity() + self.bans.capacity()) * size_of::<St>()) as u64
    }
}

impl<S: Space, H: Heuristic<S>, O: Observer<S::State, S::Cost>> PathsByCost<'_, S, H, O> {
    /// What ended it before all paths were found, if something did.
    pub fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    /// What all searches have done so far.
    pub fn counters(&self) -> Counters {
        self.control.counters()
    }

    /// Divides the paths that `last` was the best of, itself excepted, by where they leave it.
    fn divide(&mut self, last: Last<S::State, S::Cost>) -> ControlFlow<Stop> {
        let Candidate { states, fixed, mut bans, .. } = match last {
            Last::Nothing => return self.find(&[], S::Cost::ZERO, Vec::new(), &Table::new()),
            Last::Path(path) => {
                self.hold.less(path.bytes());
                path
            }
        };
        let mut hold = self.control.hold();
        let mut taken = Table::new();
        let mut paid = S::Cost::ZERO;
        for (at, next) in states.iter().enumerate() {
            if at >= 2 {
                paid = paid.checked_add(self.step(&states[at - 2], &states[at - 1])).unwrap_or(paid);
            }
            if at >= fixed {
                bans.push(next.clone());
                self.find(&states[..at], paid, std::mem::take(&mut bans), &taken)?;
            }
            taken.insert(next, (), &mut hold)?;
        }
        Continue(())
    }

    /// What the cheapest step between two states of a path costs.
    fn step(&self, from: &S::State, to: &S::State) -> S::Cost {
        through(self.space, &[from.clone(), to.clone()]).cost(self.space).unwrap_or(S::Cost::ZERO)
    }

    /// Finds the cheapest path that begins with `root`, whose states are `taken` and cost `paid`, and then avoids `bans`.
    fn find(
        &mut self,
        root: &[S::State],
        paid: S::Cost,
        bans: Vec<S::State>,
        taken: &Table<S::State, ()>,
    ) -> ControlFlow<Stop> {
        let spur = Spur { space: self.space, from: root.last(), bans: &bans, taken };
        let starts: Vec<S::State> = match root.last() {
            Some(last) => vec![last.clone()],
            None => self.starts.iter().filter(|start| !bans.contains(start)).cloned().collect(),
        };
        let same = Same { heuristic: self.heuristic, sees_all: root.is_empty() && bans.is_empty() };
        let run = (&self.control, &mut self.observer);
        self.kept.less(u64::MAX);
        let report = self.scratch.best_first(&spur, &starts, &same, Blend::astar(), run);
        self.kept.more(self.scratch.bytes())?;
        let solution = match report.outcome {
            Outcome::Solved(solution) => solution,
            Outcome::NoSolution => return Continue(()),
            Outcome::Stopped { why: Stop::Overflow, .. } => {
                self.is_too_dear = true;
                return Continue(());
            }
            Outcome::Stopped { why, .. } => return Break(why),
        };
        let Some(cost) = paid.checked_add(solution.cost) else {
            self.is_too_dear = true;
            return Continue(());
        };
        let before = &root[..root.len().saturating_sub(1)];
        let states = before.iter().cloned().chain(solution.path.states(&spur)).collect();
        self.made += 1;
        self.wait(Candidate { order: Reverse((cost, self.made)), states, fixed: root.len(), bans })
    }

    fn wait(&mut self, candidate: Candidate<S::State, S::Cost>) -> ControlFlow<Stop> {
        self.hold.more(candidate.bytes())?;
        if self.waiting.len() == self.waiting.capacity() {
            let more = self.waiting.len().max(16);
            self.hold.more((more * size_of::<Candidate<S::State, S::Cost>>()) as u64)?;
            self.waiting.reserve_exact(more);
        }
        self.waiting.push(candidate);
        Continue(())
    }
}

impl<S: Space, H: Heuristic<S>, O: Observer<S::State, S::Cost>> Iterator for PathsByCost<'_, S, H, O> {
    type Item = Solution<S::State, S::Action, S::Cost>;

    fn next(&mut self) -> Option<Self::Item> {
        let last = self.last.take()?;
        self.stopped = self.divide(last).break_value();
        if self.stopped.is_some() {
            return None;
        }
        let Some(best) = self.waiting.pop() else {
            self.stopped = self.is_too_dear.then_some(Stop::Overflow);
            return None;
        };
        let Reverse((cost, number)) = best.order;
        let mut solution = proven(through(self.space, &best.states), cost);
        if !self.heuristic.is_admissible() || number > 1 {
            // It is the best of those that are left, not of all.
            solution.guarantee = Guarantee::None;
            solution.lower_bound = None;
        }
        self.last = Some(Last::Path(best));
        Some(solution)
    }
}

impl<S: Space, H: Heuristic<S>, O: Observer<S::State, S::Cost>> FusedIterator for PathsByCost<'_, S, H, O> {}

impl<St, C: Ord> PartialEq for Candidate<St, C> {
    fn eq(&self, other: &Self) -> bool {
        self.order == other.order
    }
}

impl<St, C: Ord> Eq for Candidate<St, C> {}

impl<St, C: Ord> PartialOrd for Candidate<St, C> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<St, C: Ord> Ord for Candidate<St, C> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.order.cmp(&other.order)
    }
}
