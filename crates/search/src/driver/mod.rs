//! The one loop under every best-first search: Dijkstra's algorithm, greedy search, A*, weighted A*, on spaces and on
//! maps, cell by cell or by jump points.
//!
//! A search is made of four things: [`Nodes`] (where states are kept, and how one leads to the next), a [`Queue`] (in
//! which order entries come back), a [`Rank`] (what decides which is next), and whoever controls and watches it. The
//! loop itself is here, and so is everything that it promises: which node is taken up, what is counted, what every path
//! costs at least, and what happens to a cost that does not fit.

mod buckets;
mod heap;
mod rank;

use std::ops::ControlFlow::{self, Break, Continue};

pub use self::{
    buckets::Buckets,
    heap::Heap,
    rank::{Blend, Rank},
};
use crate::{Bound, Control, Cost, Counters, Fate, Guarantee, Hold, Meter, Node, Observer, Stop};

/// A node's number.
pub type Id = u32;

/// Where the nodes of a search are kept, and how one leads to the next.
pub trait Nodes {
    /// What an observer sees of a node.
    type State;
    /// What steps cost.
    type Cost: Cost;
    /// As many nodes as can be taken up before the clock is read for the first time.
    const AT_ONCE: u64 = 1;

    /// Meets the starts, through [`Frontier::reach`].
    fn begin<F: Frontier<Self::State, Self::Cost>>(&mut self, frontier: &mut F) -> ControlFlow<Stop>;

    /// What was paid to get to an open node; nothing if it has been taken up and not been reopened since.
    fn open(&self, id: Id) -> Option<Self::Cost>;

    /// What is left to pay from a node, by estimate.
    fn left(&self, id: Id) -> Self::Cost;

    /// Whether the search may end here.
    fn is_goal(&self, id: Id) -> bool;

    /// Shows a node that is about to be taken up to an observer.
    fn show<T>(&self, id: Id, paid: Self::Cost, see: impl FnOnce(&Node<'_, Self::State, Self::Cost>) -> T) -> T;

    /// A goal is taken up and is open no longer; its successors are not asked for.
    fn close(&mut self, id: Id);

    /// A node is taken up and is open no longer: produces its successors, through [`Frontier::reach`].
    fn expand<F: Frontier<Self::State, Self::Cost>>(
        &mut self,
        id: Id,
        paid: Self::Cost,
        frontier: &mut F,
    ) -> ControlFlow<Stop>;

    /// How many nodes there are.
    fn count(&self) -> u64;

    /// Whether estimates never exceed what is left. If they may, nothing is guaranteed.
    fn is_admissible(&self) -> bool {
        true
    }

    /// A bound in whole units, rounded down: for those who watch.
    fn whole(&self, bound: Self::Cost) -> u64 {
        bound.whole()
    }
}

/// Where nodes go that have been reached: the search, as [`Nodes`] see it.
pub trait Frontier<St, C: Cost> {
    /// Whether anybody looks at what is [reached](Self::reach) and not followed.
    const WATCHED: bool;

    /// Memory is asked for here before it is taken.
    fn hold(&mut self) -> &mut Hold;

    /// Whether a node that was taken up is taken up again when a cheaper way to it is found.
    fn reopens(&self) -> bool;

    /// So many successors have been produced.
    fn produced(&mut self, many: u64);

    /// A node was reached, and this is what becomes of it: it is put into the queue if it is to be followed, and shown to
    /// whoever watches.
    fn reach(&mut self, node: &Node<'_, St, C>, fate: Fate) -> ControlFlow<Stop>;
}

/// Whether a way that costs `paid` is worth following to a node that could be reached for `known` so far: the rule of
/// all stores. (A node that is new could not be reached for anything that fits.)
#[inline]
pub fn is_better<C: Cost>(paid: C, known: C, is_closed: bool, reopens: bool) -> bool {
    paid < known && (reopens || !is_closed)
}

/// What becomes of a known node that is reached again.
#[inline]
pub fn fate_of_known<C: Cost>(paid: C, known: C, is_closed: bool, reopens: bool) -> Fate {
    match (is_better(paid, known, is_closed, reopens), is_closed) {
        (false, _) => Fate::Known,
        (true, false) => Fate::Cheaper,
        (true, true) => Fate::Reopened,
    }
}

/// A queue that gives back the entry with the smallest rank.
pub trait Queue<V, C> {
    /// Whether ranks come out in order. Otherwise ranges of ranks do, and within one the order is any.
    const EXACT: bool = true;

    /// Adds an entry. Among equal ranks, the smallest estimate comes first, and then the last entry, where the queue is
    /// exact. If memory is refused, nothing has changed.
    fn push(&mut self, rank: V, estimate: C, id: Id, hold: &mut Hold) -> ControlFlow<Stop>;

    /// Takes the first entry out. With it comes a rank that no entry's was below: its own, where the queue is exact.
    fn pop(&mut self) -> Option<(V, Id)>;
}

/// How a best-first search ended.
#[derive(Clone, Copy, Debug)]
pub struct End<C> {
    /// The goal that was taken up and what was paid to get there, if one was, or what stopped the search.
    pub found: ControlFlow<Stop, Option<(Id, C)>>,
    /// What every path costs at least, where that is known.
    pub lower_bound: Option<C>,
    /// What is guaranteed about the path found.
    pub guarantee: Guarantee,
    /// What it took.
    pub counters: Counters,
}

/// Searches until a goal is taken up, nothing is left, or the control or the observer ends it.
///
/// `hold` holds what the nodes and the queue hold already; it is asked for all that they grow by.
pub fn best_first<N, Q, R, O>(
    nodes: &mut N,
    queue: &mut Q,
    rank: R,
    hold: &mut Hold,
    control: &Control,
    observer: &mut O,
) -> End<N::Cost>
where
    N: Nodes,
    Q: Queue<R::Value, N::Cost>,
    R: Rank<N::Cost>,
    O: Observer<N::State, N::Cost>,
{
    let is_admissible = nodes.is_admissible();
    // Before anything is taken up, nothing is known but that costs are not negative.
    let least = rank.of(N::Cost::ZERO, N::Cost::ZERO);
    let mut search =
        Search { queue, rank, hold, meter: control.meter(), observer, set_aside: false, least, is_admissible };
    search.meter.begin_with(N::AT_ONCE);
    let found = search.run(nodes);
    search.note_bound(nodes);
    let mut counters = search.meter.counters;
    counters.peak_states = nodes.count();
    counters.peak_bytes = search.hold.peak();
    search.meter.counters = counters;
    let guarantee = if is_admissible { rank.guarantee() } else { Guarantee::None };
    End { found, lower_bound: search.lower_bound(), guarantee, counters }
}

struct Search<'a, 'c, Q, R, O, V> {
    queue: &'a mut Q,
    rank: R,
    hold: &'a mut Hold,
    meter: Meter<'c>,
    observer: &'a mut O,
    /// Whether a successor's cost did not fit.
    set_aside: bool,
    /// The greatest rank that no open node's was below, seen when nothing was missing from the queue.
    least: V,
    is_admissible: bool,
}

impl<Q, R, O, V: Copy + Ord> Search<'_, '_, Q, R, O, V> {
    fn lower_bound<C: Cost>(&self) -> Option<C>
    where
        R: Rank<C, Value = V>,
    {
        self.rank.lower_bound(self.least).filter(|_| self.is_admissible)
    }

    fn run<N>(&mut self, nodes: &mut N) -> ControlFlow<Stop, Option<(Id, N::Cost)>>
    where
        N: Nodes,
        Q: Queue<V, N::Cost>,
        R: Rank<N::Cost, Value = V>,
        O: Observer<N::State, N::Cost>,
    {
        nodes.begin(self)?;
        let mut best: Option<(Id, N::Cost)> = None;
        while let Some((least, id)) = self.queue.pop() {
            // A goal is known that is cheaper than any path through what is left.
            if !Q::EXACT && best.is_some_and(|(_, best)| least > self.rank.of(best, N::Cost::ZERO)) {
                break;
            }
            // Nothing has been taken out but this entry, which is still open: the bound holds now.
            let is_news = least > self.least || (O::WATCHES && self.meter.counters.expanded == 0);
            self.least = if is_news { least } else { self.least };
            if O::WATCHES && is_news {
                self.show_bound::<N>()?;
            }
            let Some(paid) = nodes.open(id) else { continue };
            if let (false, Some((_, best))) = (Q::EXACT, best) {
                // A goal is known that is as cheap as any path through here.
                if self.rank.of(paid, nodes.left(id)) >= self.rank.of(best, N::Cost::ZERO) {
                    continue;
                }
            }
            if self.meter.is_due() {
                self.note_bound(nodes);
            }
            self.meter.expand()?;
            if O::WATCHES {
                nodes.show(id, paid, |node| self.observer.expand(node, &self.meter.counters))?;
            }
            if nodes.is_goal(id) {
                if Q::EXACT {
                    return Continue(Some((id, paid)));
                }
                nodes.close(id);
                best = Some((id, paid));
            } else {
                nodes.expand(id, paid, self)?;
            }
        }
        if best.is_none() && self.set_aside { Break(Stop::Overflow) } else { Continue(best) }
    }

    fn show_bound<N>(&mut self) -> ControlFlow<Stop>
    where
        N: Nodes,
        R: Rank<N::Cost, Value = V>,
        O: Observer<N::State, N::Cost>,
    {
        match self.lower_bound::<N::Cost>() {
            Some(bound) => self.observer.iteration(Bound::Cost(bound), &self.meter.counters),
            None => Continue(()),
        }
    }

    /// Tells the control how far the bound has come: rarely, for many threads may look at it.
    #[cold]
    fn note_bound<N>(&self, nodes: &N)
    where
        N: Nodes,
        R: Rank<N::Cost, Value = V>,
    {
        if let Some(bound) = self.lower_bound::<N::Cost>() {
            self.meter.control().note_bound(nodes.whole(bound));
        }
    }
}

impl<St, C, Q, R, O, V> Frontier<St, C> for Search<'_, '_, Q, R, O, V>
where
    C: Cost,
    Q: Queue<V, C>,
    R: Rank<C, Value = V>,
    O: Observer<St, C>,
{
    const WATCHED: bool = O::WATCHES;

    #[inline]
    fn hold(&mut self) -> &mut Hold {
        self.hold
    }

    #[inline]
    fn reopens(&self) -> bool {
        self.rank.reopens()
    }

    #[inline]
    fn produced(&mut self, many: u64) {
        self.meter.counters.generated += many;
    }

    #[inline(always)]
    fn reach(&mut self, node: &Node<'_, St, C>, fate: Fate) -> ControlFlow<Stop> {
        if O::WATCHES && node.parent.is_some() {
            self.observer.generate(node, fate, &self.meter.counters)?;
        }
        if let (true, Some(left)) = (fate.is_followed(), node.estimate) {
            return self.queue.push(self.rank.of(node.cost, left), left, node.id as Id, self.hold);
        }
        self.set_aside |= fate == Fate::TooDear;
        Continue(())
    }
}
