//! The loop under every best-first search: Dijkstra's algorithm, greedy search, A* and weighted A*, on spaces and on maps.
//!
//! A search has four parts: [`Nodes`] (the states met, and their successors), a [`Queue`] (the open list), a [`Rank`] (which
//! open node is next), and the control and observer. The loop decides which node is expanded, what is counted, what the
//! lower bound is, and what happens to a cost that does not fit.

mod buckets;
mod heap;
mod rank;
mod search;

pub(crate) use self::search::{Progress, Search};
pub use self::{
    buckets::Buckets,
    heap::Heap,
    rank::{Blend, Rank},
};
use crate::{Control, Cost, Counters, Fate, Guarantee, Hold, Node, Observer, Stop};

/// A node's number.
pub type Id = u32;

/// The states that a search has met, and their successors.
pub trait Nodes {
    /// A node's state, as an observer sees it.
    type State;
    /// The cost of steps.
    type Cost: Cost;
    /// The first block of expansions to ask for: as many as surely take less than a millisecond.
    const FIRST_BLOCK: u64 = 1;

    /// Generates the starts, through [`Open::reach`].
    fn begin<F: Open<Self::State, Self::Cost>>(&mut self, open: &mut F) -> Result<(), Stop>;

    /// Closes an open node that is about to be expanded: the cost of the path to it, and whether it is a goal. `None` if
    /// it is closed already.
    fn close(&mut self, id: Id) -> Option<(Self::Cost, bool)>;

    /// The heuristic's estimate at a node.
    fn estimate(&self, id: Id) -> Self::Cost;

    /// Shows a node that is about to be expanded to an observer.
    fn show<T>(&self, id: Id, paid: Self::Cost, see: impl FnOnce(&Node<'_, Self::State, Self::Cost>) -> T) -> T;

    /// Generates the successors of a node that was [closed](Self::close), through [`Open::reach`]. Only a state that is
    /// neither known nor a dead end may have [`Fate::Overflow`].
    fn expand<F: Open<Self::State, Self::Cost>>(&mut self, id: Id, paid: Self::Cost, open: &mut F) -> Result<(), Stop>;

    /// The number of nodes.
    fn count(&self) -> u64;

    /// The greatest cost that is kept, if that is less than the greatest cost there is: a path that is dropped costs more.
    fn most(&self) -> Option<Self::Cost> {
        None
    }

    /// Whether the estimates are admissible. If not, nothing is guaranteed.
    fn is_admissible(&self) -> bool {
        true
    }

    /// A bound in whole units, rounded down, for [`Control::bound`].
    fn whole(&self, bound: Self::Cost) -> u64 {
        bound.whole()
    }
}

/// The search as [`Nodes`] see it: where they report the nodes that they generate.
pub trait Open<St, C: Cost> {
    /// Whether an observer wants to see nodes that are not followed, too.
    fn is_watched(&self) -> bool;

    /// The hold that is asked for memory before it is taken.
    fn hold(&mut self) -> &mut Hold;

    /// Whether a closed node is opened again when a cheaper path to it is found.
    fn reopens(&self) -> bool;

    /// Counts generated nodes.
    fn count_generated(&mut self, count: u64);

    /// Puts a generated node into the queue if its fate is to be followed, and shows it to the observer.
    fn reach(&mut self, node: &Node<'_, St, C>, fate: Fate) -> Result<(), Stop>;
}

/// The fate of a node that is reached for `paid` and was reached for `known` before.
#[inline]
pub fn fate_of_known<C: Cost>(paid: C, known: C, is_closed: bool, reopens: bool) -> Fate {
    match (paid < known && (reopens || !is_closed), is_closed) {
        (false, _) => Fate::Known,
        (true, false) => Fate::Cheaper,
        (true, true) => Fate::Reopened,
    }
}

/// A priority queue: the smallest rank comes first.
pub trait Queue<V, C> {
    /// Whether ranks come out in order. If not, ranges of ranks do, and the order within a range is arbitrary.
    const EXACT: bool = true;

    /// Adds an entry. Among equal ranks an exact queue gives the smallest estimate first, and then the last entry. If memory
    /// is refused, nothing has changed.
    fn push(&mut self, rank: V, estimate: C, id: Id, hold: &mut Hold) -> Result<(), Stop>;

    /// Takes out the first entry, with a lower bound of all ranks in the queue: its own rank if the queue is exact.
    fn pop(&mut self) -> Option<(V, Id)>;
}

/// How a best-first search ended.
#[derive(Clone, Copy, Debug)]
pub struct End<C> {
    /// The goal and the cost of the path to it, `None` if there is none, or what stopped the search.
    pub found: Result<Option<(Id, C)>, Stop>,
    /// A lower bound of all paths' costs, if one is known.
    pub lower_bound: Option<C>,
    /// The guarantee of the path that is found.
    pub guarantee: Guarantee,
    /// The counts of the search.
    pub counters: Counters,
    /// Whether a path was dropped because its cost does not fit.
    pub has_overflowed: bool,
}

/// Searches until a goal is expanded, no node is open, or the control or the observer ends the search.
///
/// `hold` has the bytes of the nodes and the queue already, and is asked before they grow.
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
    search.meter.begin_with(N::FIRST_BLOCK);
    let found = search.run(nodes);
    search.note_progress(nodes);
    let lower_bound = search.lower_bound(nodes);
    let counters = meter.finish(nodes.count(), hold.peak());
    let guarantee = if is_admissible { rank.guarantee() } else { Guarantee::None };
    End { found, lower_bound, guarantee, counters, has_overflowed: progress.has_overflowed }
}
