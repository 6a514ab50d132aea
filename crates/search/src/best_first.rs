//! The one engine under Dijkstra's algorithm, greedy best-first search, A* and weighted A*.

use std::ops::ControlFlow::{self, Break, Continue};

use crate::{
    Cost, Counters, Guarantee, Heuristic, Node, Observer, Outcome, Report, Solution, Space, Stop, Weight, Zero,
    path::{chain, through},
    queue::Queue,
    table::{Entry, Id, NONE, Table},
};

/// Dijkstra's algorithm: a cheapest path.
pub fn dijkstra<S: Space>(space: &S, start: &S::State, observer: &mut impl Observer<S::State>) -> Report<S> {
    best_first(space, start, &Zero, Rank::astar(), observer)
}

/// Greedy best-first search: always takes up the state that looks nearest to a goal. Often fast,
/// never sure.
pub fn greedy<S: Space, H: Heuristic<S>>(
    space: &S,
    start: &S::State,
    heuristic: &H,
    observer: &mut impl Observer<S::State>,
) -> Report<S> {
    best_first(space, start, heuristic, Rank::greedy(), observer)
}

/// A*: a cheapest path if the heuristic is admissible. States are reopened when a cheaper way to them
/// is found, so an inconsistent heuristic does no harm to the result.
pub fn astar<S: Space, H: Heuristic<S>>(
    space: &S,
    start: &S::State,
    heuristic: &H,
    observer: &mut impl Observer<S::State>,
) -> Report<S> {
    best_first(space, start, heuristic, Rank::astar(), observer)
}

/// Weighted A*: ranks states by `g + weight × h`. With an admissible heuristic, the path found costs
/// at most `weight` times the optimum.
pub fn weighted_astar<S: Space, H: Heuristic<S>>(
    space: &S,
    start: &S::State,
    heuristic: &H,
    weight: Weight,
    observer: &mut impl Observer<S::State>,
) -> Report<S> {
    best_first(space, start, heuristic, Rank::weighted(weight), observer)
}

/// What decides which state is next: the smallest `g × paid + h × left`.
#[derive(Clone, Copy, Debug)]
pub struct Rank {
    paid: u64,
    left: u64,
}

impl Rank {
    /// `g + h`.
    pub fn astar() -> Self {
        Self { paid: 1, left: 1 }
    }

    /// `h` alone.
    pub fn greedy() -> Self {
        Self { paid: 0, left: 1 }
    }

    /// `g + weight × h`.
    pub fn weighted(weight: Weight) -> Self {
        let (left, paid) = weight.ratio();
        Self { paid, left }
    }

    #[inline]
    fn of(self, paid: Cost, left: Cost) -> u64 {
        u64::from(paid) * self.paid + u64::from(left) * self.left
    }

    fn guarantee(self) -> Guarantee {
        match (self.paid, self.left) {
            (0, _) => Guarantee::None,
            (paid, left) if paid == left => Guarantee::Cheapest,
            (paid, left) => Guarantee::Within { weight: left as f64 / paid as f64 },
        }
    }

    /// A lower bound on the cost of every path, from the smallest rank in the queue: the cheapest path
    /// has a state there with g + h ≤ C, and so a rank of at most `left` × C.
    fn lower_bound(self, least: u64) -> Option<Cost> {
        (self.paid > 0).then(|| Cost::try_from(least.div_ceil(self.left.max(self.paid))).unwrap_or(Cost::MAX))
    }
}

/// Best-first search by any [`Rank`].
pub fn best_first<S: Space, H: Heuristic<S>>(
    space: &S,
    start: &S::State,
    heuristic: &H,
    rank: Rank,
    observer: &mut impl Observer<S::State>,
) -> Report<S> {
    let mut search = Search {
        space,
        heuristic,
        rank,
        table: Table::new(),
        queue: Queue::new(),
        counters: Counters { generated: 1, ..Counters::default() },
        observer,
        lower_bound: 0,
    };
    let found = search.run(start);
    let mut counters = search.counters;
    counters.peak_states = search.table.len() as u64;
    counters.peak_bytes = counters.peak_bytes.max(search.table.bytes() + search.queue.bytes());
    let outcome = match found {
        Continue(None) => Outcome::NoSolution,
        Continue(Some(goal)) => search.solved(goal),
        Break(why) => Outcome::Stopped { why, lower_bound: search.bound() },
    };
    Report { outcome, counters }
}

struct Search<'a, S: Space, H: Heuristic<S>, O> {
    space: &'a S,
    heuristic: &'a H,
    rank: Rank,
    table: Table<S::State, Info<H::Memo>>,
    queue: Queue,
    counters: Counters,
    observer: &'a mut O,
    /// The largest smallest rank seen so far.
    lower_bound: u64,
}

/// What is known about a state: the cheapest way to it so far, and whether it has been taken up since
/// that way was found.
#[derive(Clone, Copy)]
struct Info<M> {
    cost: Cost,
    parent: Id,
    memo: M,
    closed: bool,
}

impl<S: Space, H: Heuristic<S>, O: Observer<S::State>> Search<'_, S, H, O> {
    fn run(&mut self, start: &S::State) -> ControlFlow<Stop, Option<Id>> {
        let memo = self.heuristic.start(start);
        self.reach(start, Info { cost: 0, parent: NONE, memo, closed: false })?;
        while let Some((least, id)) = self.queue.pop() {
            if least > self.lower_bound || self.counters.expanded == 0 {
                self.lower_bound = least;
                let bound = self.rank.lower_bound(least).unwrap_or(0);
                self.observer.iteration(bound, &self.counters)?;
            }
            if self.table.data(id).closed {
                continue;
            }
            if self.take_up(id)? {
                return Continue(Some(id));
            }
        }
        Continue(None)
    }

    /// Takes up a state; true if it is a goal.
    #[inline]
    fn take_up(&mut self, id: Id) -> ControlFlow<Stop, bool> {
        let info = *self.table.data(id);
        let state = self.table.state(id).clone();
        let estimate = self.heuristic.estimate(info.memo);
        self.observer.expand(&Node { state: &state, cost: info.cost, estimate }, &self.counters)?;
        self.counters.expanded += 1;
        if self.space.is_goal(&state) {
            return Continue(true);
        }
        self.table.data_mut(id).closed = true;
        let before = (info.parent != NONE).then(|| self.table.state(info.parent).clone());
        for action in self.space.actions(&state) {
            let mut after = state.clone();
            let step = self.space.apply(&mut after, &action);
            if before.as_ref() == Some(&after) {
                continue;
            }
            let Some(cost) = info.cost.checked_add(step) else {
                return Break(Stop::Overflow);
            };
            let memo = self.heuristic.step(info.memo, &state, &action, &after);
            self.counters.generated += 1;
            let estimate = self.heuristic.estimate(memo);
            self.observer.generate(&state, &Node { state: &after, cost, estimate }, &self.counters)?;
            self.reach(&after, Info { cost, parent: id, memo, closed: false })?;
        }
        Continue(false)
    }

    /// A way to `state` has been found: remembers it if it is the first or the cheapest.
    #[inline]
    fn reach(&mut self, state: &S::State, info: Info<H::Memo>) -> ControlFlow<Stop> {
        let queue_bytes = self.queue.bytes();
        let id = match self.table.insert(state, info, queue_bytes, &mut self.counters, self.observer)? {
            Entry::New(id) => id,
            Entry::Known(id) => {
                let known = self.table.data_mut(id);
                // Greedy search does not look at costs, so a cheaper way does not reopen a state.
                if info.cost >= known.cost || (known.closed && self.rank.paid == 0) {
                    return Continue(());
                }
                *known = info;
                id
            }
        };
        let estimate = self.heuristic.estimate(info.memo);
        self.queue.push(self.rank.of(info.cost, estimate), estimate, id);
        Continue(())
    }

    fn bound(&self) -> Option<Cost> {
        self.rank.lower_bound(self.lower_bound)
    }

    fn solved(&self, goal: Id) -> Outcome<S> {
        let states = chain(goal, |id| self.table.state(id).clone(), |id| self.table.data(id).parent);
        let path = through(self.space, &states);
        // A state before the goal may have become cheaper to reach since.
        let cost = path.cost(self.space).unwrap_or(self.table.data(goal).cost);
        let guarantee = self.rank.guarantee();
        let lower_bound = self.bound().map(|bound| bound.min(cost));
        Outcome::Solved(Solution { path, cost, guarantee, lower_bound })
    }
}
