//! The one loop under every best-first search: Dijkstra's algorithm, greedy search, A*, weighted A*, on spaces and on
//! maps, cell by cell or by jump points.
//!
//! A search is made of four things: [`Nodes`] (where states are kept, and how one leads to the next), a [`Queue`] (in
//! which order entries come back), a [`Rank`] (what decides which is next), and whoever controls and watches it. The
//! loop itself is here, and so is everything that it promises: which node is taken up, what is counted, what every path
//! costs at least, and what happens to a cost that does not fit.

mod buckets;
mod heap;
mod progress;
mod rank;
mod search;

use std::ops::ControlFlow;

pub use self::{
    buckets::Buckets,
    heap::Heap,
    rank::{Blend, Rank},
};
pub(crate) use self::{progress::Progress, search::Search};
use crate::{Control, Cost, Counters, Fate, Guarantee, Hold, Meter, Node, Observer, Stop};

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

    /// Takes up a node that is open, which it then is no longer: what was paid to get there, and whether it is a goal.
    /// Nothing if it has been taken up before, and not been reopened since.
    fn take_up(&mut self, id: Id) -> Option<(Self::Cost, bool)>;

    /// What was paid to get to a node, the cheapest way so far.
    fn paid(&self, id: Id) -> Self::Cost;

    /// What is left to pay from a node, by estimate.
    fn left(&self, id: Id) -> Self::Cost;

    /// Shows a node that is taken up to an observer.
    fn show<T>(&self, id: Id, paid: Self::Cost, see: impl FnOnce(&Node<'_, Self::State, Self::Cost>) -> T) -> T;

    /// Produces the successors of a node that was [taken up](Self::take_up), through [`Frontier::reach`]. What is known
    /// already or leads nowhere is never too dear.
    fn expand<F: Frontier<Self::State, Self::Cost>>(
        &mut self,
        id: Id,
        paid: Self::Cost,
        frontier: &mut F,
    ) -> ControlFlow<Stop>;

    /// How many nodes there are.
    fn count(&self) -> u64;

    /// The greatest cost that is kept: what is set aside costs more. Nothing if that is the greatest cost there is.
    fn most(&self) -> Option<Self::Cost> {
        None
    }

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
    fn is_watched(&self) -> bool;

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
    /// Whether some way was not followed because its cost does not fit.
    pub has_set_aside: bool,
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
    let (mut meter, mut progress) = (control.meter(), Progress::new(&rank));
    let is_admissible = nodes.is_admissible();
    let mut search = Search { queue, rank, hold, meter: &mut meter, observer, progress: &mut progress, is_admissible };
    search.meter.begin_with(N::AT_ONCE);
    let found = search.run(nodes);
    search.progress.settled(search.meter);
    search.note_progress(nodes);
    let lower_bound = search.lower_bound(nodes);
    let counters = take_stock(&mut meter, hold, nodes.count());
    let guarantee = if is_admissible { rank.guarantee() } else { Guarantee::None };
    End { found, lower_bound, guarantee, counters, has_set_aside: progress.has_set_aside() }
}

/// Enters what is held in the counts, which the control is told when the meter is dropped.
pub(crate) fn take_stock(meter: &mut Meter<'_>, hold: &Hold, states: u64) -> Counters {
    meter.counters.peak_states = states;
    meter.counters.peak_bytes = hold.peak();
    meter.counters
}
