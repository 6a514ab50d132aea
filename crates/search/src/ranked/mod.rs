//! Paths in the order of their costs.

mod ahead;
mod spur;

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    iter::FusedIterator,
    ops::ControlFlow::{self, Break, Continue},
    sync::Arc,
};

use self::{
    ahead::Ahead,
    spur::{Guide, Spur},
};
use crate::{
    Control, Cost, Counters, Guarantee, Heuristic, Hold, LazyRun, Limits, Observer, Outcome, Scratch, Solution, Space,
    Starts, Stop, Tree,
    cost::least_sum,
    driver::{self, Blend, Buckets},
    hashed::{Hashed, Info},
    path::{proven, through},
    table::Table,
};

/// All paths from the start to a goal that come to no state twice, the cheapest first: `take(k)` for the `k` cheapest.
/// Paths are different if they lead through different states; each ends at the first goal that it comes to.
///
/// This is Yen's algorithm in Lawler's form, with A* inside. What the first search has found out leads those that follow, and
/// says what a path costs at least that leaves another at some state: only where that may be next is there a search. So a
/// path takes about as many steps as it has states where few detours are blind, and at worst a search for each of its states.
/// The heuristic must be admissible for the order to hold; [`Zero`](crate::Zero) always is.
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
        met: None,
        ahead: None,
        scratch: Scratch::new(),
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
    /// What the first search has met, if there was room to keep it, until a second path is wanted.
    met: Option<Met<S, H>>,
    /// What that says of what is left to pay.
    ahead: Option<Ahead<S::State, S::Cost, H::Memo>>,
    scratch: Scratch<S::State, S::Cost, Option<S::Cost>>,
    /// What the scratch holds between two searches.
    kept: Hold,
    /// What the paths that wait hold.
    hold: Hold,
    /// The sets of paths into which all that are not returned yet are divided.
    waiting: BinaryHeap<CandidateOf<S>>,
    made: u64,
    /// What is to be divided before the next path is known; nothing once all is over.
    last: Option<Last<S::State, S::Cost>>,
    is_too_dear: bool,
    stopped: Option<Stop>,
}

/// The states that a search has met, and what they hold.
type Met<S, H> = (Table<<S as Space>::State, Info<<S as Space>::Cost, <H as Heuristic<S>>::Memo>>, Hold);

enum Last<St, C> {
    /// Nothing was returned yet: all paths are one set.
    Nothing,
    Path(Candidate<St, C>),
}

/// All paths that begin with the first `fixed` states of a way and do not go on with one of `bans`. The way is the cheapest
/// of them, if that was found out already.
struct Candidate<St, C> {
    /// The cheapest first, by what is known; among equals those whose cheapest path is found, and then the first.
    order: Reverse<(C, bool, u64)>,
    way: Arc<Way<St>>,
    fixed: usize,
    /// What the fixed states cost.
    paid: C,
    bans: Vec<St>,
}

type CandidateOf<S> = Candidate<<S as Space>::State, <S as Space>::Cost>;

/// The states of a path, which all candidates share that begin as it does.
struct Way<St> {
    states: Vec<St>,
    #[expect(dead_code, reason = "what is held is given back when it is dropped")]
    hold: Hold,
}

impl<St, C: Copy> Candidate<St, C> {
    fn bytes(&self) -> u64 {
        (self.bans.capacity() * size_of::<St>()) as u64
    }

    fn is_found(&self) -> bool {
        let Reverse((_, is_yet_to_be_found, _)) = self.order;
        !is_yet_to_be_found
    }
}

/// No cost is greater.
fn greatest<C: Cost>() -> C {
    C::at_least(C::MOST_RANK, 1)
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

    /// Finds the cheapest path of all, and keeps what the search knows.
    fn begin(&mut self) -> ControlFlow<Stop> {
        let (space, heuristic) = (self.space, self.heuristic);
        let (mut hold, mut queue) = (self.control.hold(), Buckets::new());
        let mut nodes = Hashed { space, heuristic, starts: &self.starts, tree: Tree::Forward, table: Table::new() };
        let run = (&self.control, &mut self.observer);
        let end = driver::best_first(&mut nodes, &mut queue, Blend::astar(), &mut hold, run.0, run.1);
        drop((queue, hold));
        let goal = match end.found {
            Continue(Some((goal, _))) => goal,
            Continue(None) => return Continue(()),
            Break(Stop::Overflow) => {
                self.is_too_dear = true;
                return Continue(());
            }
            Break(why) => return Break(why),
        };
        let states = nodes.states_to(goal);
        let cost = through(space, &states).cost(space).unwrap_or(nodes.table.data(goal).cost);
        let mut hold = self.control.hold();
        // Without it, each search has to find it out anew.
        self.met = hold.more(nodes.table.bytes()).is_continue().then_some((nodes.table, hold));
        let way = self.way(states)?;
        self.wait(cost, true, Candidate::new(way, 0, S::Cost::ZERO, Vec::new()))
    }

    /// Looks ahead by what the first search has met, now that this is worth it.
    fn look_ahead(&mut self) -> ControlFlow<Stop> {
        if let Some((table, hold)) = self.met.take() {
            drop(hold);
            self.ahead = match Ahead::new(self.space, self.heuristic, table, &self.control) {
                Continue(ahead) => Some(ahead),
                Break(Stop::Memory) => None,
                Break(why) => return Break(why),
            };
        }
        Continue(())
    }

    fn way(&self, states: Vec<S::State>) -> ControlFlow<Stop, Arc<Way<S::State>>> {
        let mut hold = self.control.hold();
        hold.more((states.capacity() * size_of::<S::State>() + size_of::<Way<S::State>>()) as u64)?;
        Continue(Arc::new(Way { states, hold }))
    }

    /// Divides the paths that `last` was the best of, itself excepted, by where they leave it.
    fn divide(&mut self, last: Last<S::State, S::Cost>) -> ControlFlow<Stop> {
        let Last::Path(path) = last else { return self.begin() };
        self.look_ahead()?;
        self.hold.less(path.bytes());
        let Candidate { way, fixed, mut bans, .. } = path;
        let mut hold = self.control.hold();
        let mut taken = Table::new();
        let mut paid = S::Cost::ZERO;
        for (at, next) in way.states.iter().enumerate() {
            if at >= 2 {
                paid = paid.checked_add(self.step(&way.states[at - 2], &way.states[at - 1])).unwrap_or(paid);
            }
            if at >= fixed {
                bans.push(next.clone());
                self.propose(Candidate::new(Arc::clone(&way), at, paid, std::mem::take(&mut bans)), &taken)?;
            }
            taken.insert(next, (), &mut hold)?;
        }
        Continue(())
    }

    /// What the cheapest step between two states of a path costs.
    fn step(&self, from: &S::State, to: &S::State) -> S::Cost {
        through(self.space, &[from.clone(), to.clone()]).cost(self.space).unwrap_or(S::Cost::ZERO)
    }

    /// Has a set of paths wait until its turn may have come, by what they cost at least. Its fixed states are `taken`.
    fn propose(&mut self, set: CandidateOf<S>, taken: &Table<S::State, ()>) -> ControlFlow<Stop> {
        let guide = Guide { heuristic: self.heuristic, ahead: self.ahead.as_ref() };
        let least = match set.root().last() {
            None => {
                self.starts.iter().filter(|start| !set.bans.contains(start)).filter_map(|start| guide.left(start)).min()
            }
            Some(last) => {
                let spur = Spur { space: self.space, from: Some(last), bans: &set.bans, taken };
                let cost = |(to, step): (S::State, S::Cost)| {
                    guide
                        .left(&to)
                        .map(|left| set.paid.checked_add(step).map_or_else(greatest, |paid| least_sum(paid, left)))
                };
                spur.actions(last).filter_map(cost).min()
            }
        };
        match least {
            Some(least) => self.wait(least, false, set),
            None => Continue(()),
        }
    }

    /// Finds the cheapest path of a set.
    fn find(&mut self, set: CandidateOf<S>) -> ControlFlow<Stop> {
        self.hold.less(set.bytes());
        let root = set.root();
        let (mut hold, mut taken) = (self.control.hold(), Table::new());
        for state in root {
            taken.insert(state, (), &mut hold)?;
        }
        let spur = Spur { space: self.space, from: root.last(), bans: &set.bans, taken: &taken };
        let starts: Vec<S::State> = match root.last() {
            Some(last) => vec![last.clone()],
            None => self.starts.iter().filter(|start| !set.bans.contains(start)).cloned().collect(),
        };
        let guide = Guide { heuristic: self.heuristic, ahead: self.ahead.as_ref() };
        let run = (&self.control, &mut self.observer);
        self.kept.less(u64::MAX);
        let report = self.scratch.best_first(&spur, &starts, &guide, Blend::astar(), run);
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
        let Some(cost) = set.paid.checked_add(solution.cost) else {
            self.is_too_dear = true;
            return Continue(());
        };
        let before = &root[..root.len().saturating_sub(1)];
        let states = before.iter().cloned().chain(solution.path.states(&spur)).collect();
        let way = self.way(states)?;
        self.wait(cost, true, Candidate { way, ..set })
    }

    fn wait(&mut self, cost: S::Cost, is_found: bool, mut candidate: CandidateOf<S>) -> ControlFlow<Stop> {
        self.made += 1;
        candidate.order = Reverse((cost, !is_found, self.made));
        self.hold.more(candidate.bytes())?;
        if self.waiting.len() == self.waiting.capacity() {
            let more = self.waiting.len().max(16);
            self.hold.more((more * size_of::<CandidateOf<S>>()) as u64)?;
            self.waiting.reserve_exact(more);
        }
        self.waiting.push(candidate);
        Continue(())
    }

    /// The cheapest path that is left, if there is one.
    fn cheapest(&mut self) -> ControlFlow<Stop, Option<CandidateOf<S>>> {
        loop {
            match self.waiting.pop() {
                Some(set) if !set.is_found() => self.find(set)?,
                best => return Continue(best),
            }
        }
    }
}

impl<St, C: Cost> Candidate<St, C> {
    fn new(way: Arc<Way<St>>, fixed: usize, paid: C, bans: Vec<St>) -> Self {
        Self { order: Reverse((C::ZERO, true, 0)), way, fixed, paid, bans }
    }

    /// The states that are fixed.
    fn root(&self) -> &[St] {
        &self.way.states[..self.fixed]
    }
}

impl<S: Space, H: Heuristic<S>, O: Observer<S::State, S::Cost>> Iterator for PathsByCost<'_, S, H, O> {
    type Item = Solution<S::State, S::Action, S::Cost>;

    fn next(&mut self) -> Option<Self::Item> {
        let last = self.last.take()?;
        let best = match self.divide(last).map_continue(|()| self.cheapest()) {
            Continue(Continue(Some(best))) => best,
            Continue(Continue(None)) => {
                self.stopped = self.is_too_dear.then_some(Stop::Overflow);
                return None;
            }
            Continue(Break(why)) | Break(why) => {
                self.stopped = Some(why);
                return None;
            }
        };
        let Reverse((cost, _, number)) = best.order;
        let mut solution = proven(through(self.space, &best.way.states), cost);
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
