//! Paths in the order of their costs.

mod ahead;
mod spur;

use std::{collections::BTreeMap, sync::Arc};

use self::{
    ahead::Ahead,
    spur::{Spur, SpurEstimate},
};
use crate::{
    ByRef, Control, Cost, Counters, Heuristic, Hold, Limits, Observer, Outcome, Run, Scratch, Space, Starts, Stop,
    Tree,
    cost::least_sum,
    driver::{self, Blend, Buckets},
    hashed::{Hashed, Info},
    path::{SolutionOf, in_order, through},
    table::Table,
};

/// All paths from the start to a goal that come to no state twice, the cheapest first: `take(k)` for the `k` cheapest.
/// Paths are different if they lead through different states; each ends at the first goal that it comes to.
///
/// This is Yen's algorithm in Lawler's form, with A* inside. The first search's costs serve later searches as estimates
/// and bound each deviation from a path: only one that may come next is searched. A path takes about as many steps as
/// it has states where few deviations are dead ends, and at worst a search for each of its states. The heuristic must
/// be admissible for the order to hold; [`Zero`](crate::Zero) always is.
///
/// ```
/// use pintu_search::{from_fn, paths_by_cost, Zero};
///
/// let stairs = from_fn(|&n: &u32| [(n + 1, 2_u32), (n + 2, 3)].into_iter().filter(|to| to.0 <= 4), |&n| n == 4);
/// let costs: Vec<_> = paths_by_cost(&stairs, &0, Zero, ()).map(|path| path.cost).collect();
/// assert_eq!(costs, [6, 7, 7, 7, 8]);
/// ```
#[doc(alias = "yen")]
#[doc(alias = "k_shortest_path")]
pub fn paths_by_cost<'a, S: Space, H: Heuristic<S>, R: Run<'a, S::State, S::Cost>>(
    space: &'a S,
    start: &(impl Starts<S::State> + ?Sized),
    heuristic: H,
    run: R,
) -> PathsByCost<'a, S, H, R::Observer> {
    let (whole, observer) = run.parts();
    // A part of its own adds up the counts and bytes of all its searches.
    let control = whole.part(Limits::default());
    PathsByCost {
        space,
        heuristic,
        starts: start.all().to_vec(),
        observer,
        met: None,
        ahead: None,
        scratch: Scratch::new(),
        scratch_hold: control.hold(),
        hold: control.hold(),
        control,
        waiting: BTreeMap::new(),
        made: 0,
        last: None,
        has_ended: false,
        has_overflowed: false,
        least: None,
        stopped: None,
    }
}

/// The iterator of [`paths_by_cost`].
#[must_use]
pub struct PathsByCost<'a, S: Space, H: Heuristic<S>, O = ()> {
    space: &'a S,
    heuristic: H,
    starts: Vec<S::State>,
    control: Control,
    observer: O,
    /// The table of the first search, until a second path is asked for.
    met: Option<Met<S, H>>,
    /// Estimates from that table.
    ahead: Option<Ahead<S::State, S::Cost, H::Memo>>,
    scratch: Scratch<S::State, S::Cost, Option<S::Cost>>,
    /// The bytes of the scratch between two searches, and those of `waiting`.
    scratch_hold: Hold,
    hold: Hold,
    /// A partition of all paths that were not returned yet.
    waiting: BTreeMap<Order<S::Cost>, CandidateOf<S>>,
    made: u64,
    /// The set whose cheapest path was returned last, which is divided before the next path is found.
    last: Option<CandidateOf<S>>,
    has_ended: bool,
    has_overflowed: bool,
    /// The cost of the first path.
    least: Option<S::Cost>,
    stopped: Option<Stop>,
}

/// The table of a search, and the hold on its bytes.
type Met<S, H> = (Table<<S as Space>::State, Info<<S as Space>::Cost, <H as Heuristic<S>>::Memo>>, Hold);

/// The cost or lower bound of a set of paths, whether its cheapest path is yet to be found, and its age.
type Order<C> = (C, bool, u64);

/// The set of all paths that begin with the first `fixed` states of a path and do not continue with one of `bans`. If the
/// set's cheapest path is found, it is that path.
struct Candidate<St, C> {
    path: Arc<States<St>>,
    fixed: usize,
    /// The cost of the path through the fixed states.
    paid: C,
    bans: Vec<St>,
}

type CandidateOf<S> = Candidate<<S as Space>::State, <S as Space>::Cost>;

/// A set whose cheapest path is found, and that path's cost.
type Found<S> = (<S as Space>::Cost, CandidateOf<S>);

/// The states of a path, shared by all sets that begin with a part of it.
struct States<St> {
    states: Vec<St>,
    #[expect(dead_code, reason = "dropping it gives the bytes back")]
    hold: Hold,
}

impl<St, C> Candidate<St, C> {
    /// Bytes of a set in `waiting`, a tree whose nodes may be less than half full.
    fn bytes(&self) -> u64 {
        (self.bans.capacity() * size_of::<St>() + 3 * size_of::<(Order<C>, Self)>()) as u64
    }

    /// The states that are fixed.
    fn root(&self) -> &[St] {
        &self.path.states[..self.fixed]
    }
}

fn greatest<C: Cost>() -> C {
    C::at_least(C::MOST_RANK, 1)
}

impl<S: Space, H: Heuristic<S>, O: Observer<S::State, S::Cost>> PathsByCost<'_, S, H, O> {
    /// What stopped the search before all paths were found, if it was stopped.
    pub fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    /// The counts of all searches so far.
    pub fn counters(&self) -> Counters {
        self.control.counters()
    }

    /// Finds the cheapest path of all, and keeps the table of that search.
    fn begin(&mut self) -> Result<(), Stop> {
        let (space, heuristic) = (self.space, ByRef(&self.heuristic));
        let (mut hold, mut queue) = (self.control.hold(), Buckets::new());
        let mut nodes = Hashed { space, heuristic, starts: &self.starts, tree: Tree::Forward, table: Table::new() };
        let run = (&self.control, &mut self.observer);
        let end = driver::best_first(&mut nodes, &mut queue, Blend::astar(), &mut hold, run.0, run.1);
        drop(queue);
        let goal = match end.found {
            Ok(Some((goal, _))) => goal,
            Ok(None) => return Ok(()),
            Err(Stop::Overflow) => {
                self.has_overflowed = true;
                return Ok(());
            }
            Err(why) => return Err(why),
        };
        let states = nodes.states_to(goal);
        let cost = through(space, &states).cost(space).unwrap_or(nodes.table.data(goal).cost);
        hold.set(nodes.table.bytes())?;
        self.met = Some((nodes.table, hold));
        let path = self.path(states)?;
        self.wait(cost, true, Candidate { path, fixed: 0, paid: S::Cost::ZERO, bans: Vec::new() })
    }

    /// Makes estimates from the table of the first search, now that a second path is asked for. If there is no memory for
    /// them, later searches have only the heuristic.
    fn look_ahead(&mut self) -> Result<(), Stop> {
        if let Some((table, hold)) = self.met.take() {
            self.ahead = match Ahead::new(self.space, &self.heuristic, table, hold, &self.control) {
                Ok(ahead) => Some(ahead),
                Err(Stop::Memory) => None,
                Err(why) => return Err(why),
            };
        }
        Ok(())
    }

    fn path(&self, states: Vec<S::State>) -> Result<Arc<States<S::State>>, Stop> {
        let mut hold = self.control.hold();
        hold.more((states.capacity() * size_of::<S::State>() + size_of::<States<S::State>>()) as u64)?;
        Ok(Arc::new(States { states, hold }))
    }

    /// Divides the set whose cheapest path was returned last: one set for each state at which other paths leave it.
    fn divide(&mut self, last: CandidateOf<S>) -> Result<(), Stop> {
        self.look_ahead()?;
        self.hold.less(last.bytes());
        let Candidate { path, fixed, mut bans, .. } = last;
        let mut hold = self.control.hold();
        let mut taken = Table::new();
        let mut paid = S::Cost::ZERO;
        for (at, next) in path.states.iter().enumerate() {
            if at >= 2 {
                paid = paid.checked_add(self.step(&path.states[at - 2], &path.states[at - 1])).unwrap_or(paid);
            }
            if at >= fixed {
                bans.push(next.clone());
                let (path, bans) = (Arc::clone(&path), std::mem::take(&mut bans));
                self.propose(Candidate { path, fixed: at, paid, bans }, &taken)?;
            }
            taken.insert(next, (), &mut hold)?;
        }
        Ok(())
    }

    /// The cost of the cheapest step between two states.
    fn step(&self, from: &S::State, to: &S::State) -> S::Cost {
        through(self.space, &[from.clone(), to.clone()]).cost(self.space).unwrap_or(S::Cost::ZERO)
    }

    /// Adds a set of paths with a lower bound of their costs. Its fixed states are `taken`.
    fn propose(&mut self, set: CandidateOf<S>, taken: &Table<S::State, ()>) -> Result<(), Stop> {
        let guide = SpurEstimate { heuristic: &self.heuristic, ahead: self.ahead.as_ref() };
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
            None => Ok(()),
        }
    }

    fn find(&mut self, set: CandidateOf<S>) -> Result<(), Stop> {
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
        let guide = SpurEstimate { heuristic: &self.heuristic, ahead: self.ahead.as_ref() };
        let run = (&self.control, &mut self.observer);
        self.scratch_hold.less(u64::MAX);
        let report = self.scratch.best_first(&spur, &starts, guide, Blend::astar(), run);
        self.scratch_hold.more(self.scratch.bytes())?;
        let solution = match report.outcome {
            Outcome::Solved(solution) => solution,
            Outcome::NoSolution => return Ok(()),
            Outcome::Stopped { why: Stop::Overflow, .. } => {
                self.has_overflowed = true;
                return Ok(());
            }
            Outcome::Stopped { why, .. } => return Err(why),
        };
        let Some(cost) = set.paid.checked_add(solution.cost) else {
            self.has_overflowed = true;
            return Ok(());
        };
        let before = &root[..root.len().saturating_sub(1)];
        let states = before.iter().cloned().chain(solution.path.states(&spur)).collect();
        let path = self.path(states)?;
        self.wait(cost, true, Candidate { path, ..set })
    }

    fn wait(&mut self, cost: S::Cost, is_found: bool, candidate: CandidateOf<S>) -> Result<(), Stop> {
        self.made += 1;
        self.hold.more(candidate.bytes())?;
        self.waiting.insert((cost, !is_found, self.made), candidate);
        Ok(())
    }

    /// The cheapest of the remaining paths, if there is one.
    fn cheapest(&mut self) -> Result<Option<Found<S>>, Stop> {
        match self.last.take() {
            Some(last) => self.divide(last)?,
            None => self.begin()?,
        }
        while let Some(((cost, is_yet_to_be_found, _), set)) = self.waiting.pop_first() {
            if !is_yet_to_be_found {
                return Ok(Some((cost, set)));
            }
            self.find(set)?;
        }
        if self.has_overflowed { Err(Stop::Overflow) } else { Ok(None) }
    }
}

impl<S: Space, H: Heuristic<S>, O: Observer<S::State, S::Cost>> Iterator for PathsByCost<'_, S, H, O> {
    type Item = SolutionOf<S>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        let cheapest = self.cheapest();
        self.stopped = cheapest.as_ref().err().copied();
        let Some((cost, best)) = cheapest.ok().flatten() else {
            self.has_ended = true;
            return None;
        };
        let first = *self.least.get_or_insert(cost);
        let path = through(self.space, &best.path.states);
        self.last = Some(best);
        Some(in_order(path, cost, first, self.heuristic.is_admissible()))
    }
}
