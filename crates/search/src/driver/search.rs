//! The loop itself, a step at a time.

use super::{Id, Nodes, Open, Queue, Rank};
use crate::{Bound, Cost, Fate, Hold, Meter, Node, Observer, Stop};

/// How far a search has come.
pub(crate) struct Progress<V> {
    /// The greatest known lower bound of all open nodes' ranks.
    least: V,
    /// Whether a path was dropped because its cost does not fit.
    pub(crate) has_overflowed: bool,
}

impl<V> Progress<V> {
    pub(crate) fn new<C: Cost>(rank: &impl Rank<C, Value = V>) -> Self {
        Self { least: rank.of(C::ZERO, C::ZERO), has_overflowed: false }
    }

    /// Stops a search that has found no goal if a path was dropped, which may have led to one.
    pub(crate) fn check_overflow(&self) -> Result<(), Stop> {
        if self.has_overflowed { Err(Stop::Overflow) } else { Ok(()) }
    }
}

/// A best-first search, made of parts that outlive it: a search that is interrupted is put together again, and the two halves
/// of a bidirectional search share a meter, a hold and an observer.
pub(crate) struct Search<'a, 'c, Q, R, O, V> {
    pub(crate) queue: &'a mut Q,
    pub(crate) rank: R,
    pub(crate) hold: &'a mut Hold,
    pub(crate) meter: &'a mut Meter<'c>,
    pub(crate) observer: &'a mut O,
    pub(crate) progress: &'a mut Progress<V>,
    pub(crate) is_admissible: bool,
}

impl<Q, R, O, V: Copy + Ord> Search<'_, '_, Q, R, O, V> {
    /// A lower bound of all paths' costs: of those through open nodes, and of those that were dropped.
    pub(crate) fn lower_bound<N>(&self, nodes: &N) -> Option<N::Cost>
    where
        N: Nodes,
        R: Rank<N::Cost, Value = V>,
    {
        let open = self.rank.lower_bound(self.progress.least).filter(|_| self.is_admissible)?;
        let dropped = nodes.most().filter(|_| self.progress.has_overflowed);
        Some(dropped.map_or(open, |most| most.min(open)))
    }

    /// Searches until a goal is expanded or no node is open.
    #[inline]
    pub(super) fn run<N>(&mut self, nodes: &mut N) -> Result<Option<(Id, N::Cost)>, Stop>
    where
        N: Nodes,
        Q: Queue<V, N::Cost>,
        R: Rank<N::Cost, Value = V>,
        O: Observer<N::State, N::Cost>,
    {
        nodes.begin(self)?;
        let mut best: Option<(Id, N::Cost)> = None;
        while let Some((id, paid, is_goal)) = self.next(nodes, best.map(|(_, cost)| cost))? {
            if !is_goal {
                nodes.expand(id, paid, self)?;
            } else if Q::EXACT {
                return Ok(Some((id, paid)));
            } else {
                best = Some((id, paid));
            }
        }
        if best.is_none() {
            self.progress.check_overflow()?;
        }
        Ok(best)
    }

    /// Closes and counts the next open node, unless it costs as much as `best`, the cost of a known goal: its number, the
    /// cost of the path to it, and whether it is a goal. The caller expands it, or not.
    #[expect(clippy::inline_always, reason = "it is the body of the loop")]
    #[inline(always)]
    pub(crate) fn next<N>(&mut self, nodes: &mut N, best: Option<N::Cost>) -> Result<Option<(Id, N::Cost, bool)>, Stop>
    where
        N: Nodes,
        Q: Queue<V, N::Cost>,
        R: Rank<N::Cost, Value = V>,
        O: Observer<N::State, N::Cost>,
    {
        // Observers are told of a bound only when a node is expanded at it, not at an outdated queue entry.
        let mut has_risen = self.observer.watches() && self.meter.counters().expanded == 0;
        while let Some((least, id)) = self.queue.pop() {
            // If the queue is not exact, others of the same range may be cheaper than a known goal.
            let enough = if Q::EXACT { None } else { best.map(|best| self.rank.of(best, N::Cost::ZERO)) };
            if enough.is_some_and(|enough| least > enough) {
                break;
            }
            // The node of this entry is still open, so this is a bound of all open nodes.
            if least > self.progress.least {
                self.progress.least = least;
                has_risen = true;
            }
            let Some((paid, is_goal)) = nodes.close(id) else { continue };
            if enough.is_some_and(|enough| self.rank.of(paid, nodes.estimate(id)) >= enough) {
                continue;
            }
            if self.meter.is_due() {
                self.note_progress(nodes);
            }
            if has_risen && self.observer.watches() {
                self.show_bound(nodes)?;
            }
            self.count(nodes, id, paid)?;
            return Ok(Some((id, paid, is_goal)));
        }
        Ok(None)
    }

    /// Closes and counts the node of an entry that the caller has taken out of the queue, if it is open.
    pub(crate) fn close<N>(&mut self, nodes: &mut N, id: Id) -> Result<Option<N::Cost>, Stop>
    where
        N: Nodes,
        O: Observer<N::State, N::Cost>,
    {
        let Some((paid, _)) = nodes.close(id) else { return Ok(None) };
        self.count(nodes, id, paid)?;
        Ok(Some(paid))
    }

    /// Counts a node that is about to be expanded, and shows it.
    #[inline]
    fn count<N>(&mut self, nodes: &N, id: Id, paid: N::Cost) -> Result<(), Stop>
    where
        N: Nodes,
        O: Observer<N::State, N::Cost>,
    {
        self.meter.expand()?;
        if self.observer.watches() {
            nodes.show(id, paid, |node| self.observer.expand(node, self.meter.counters()))?;
        }
        Ok(())
    }

    fn show_bound<N>(&mut self, nodes: &N) -> Result<(), Stop>
    where
        N: Nodes,
        R: Rank<N::Cost, Value = V>,
        O: Observer<N::State, N::Cost>,
    {
        match self.lower_bound(nodes) {
            Some(bound) => self.observer.iteration(Bound::Cost(bound), self.meter.counters()),
            None => Ok(()),
        }
    }

    /// Tells the control the bound and the number of nodes. Rarely called, because threads share the control.
    #[cold]
    pub(super) fn note_progress<N>(&self, nodes: &N)
    where
        N: Nodes,
        R: Rank<N::Cost, Value = V>,
    {
        self.meter.control().note_states(nodes.count());
        if let Some(bound) = self.lower_bound(nodes) {
            self.meter.control().note_bound(nodes.whole(bound));
        }
    }
}

impl<St, C, Q, R, O, V> Open<St, C> for Search<'_, '_, Q, R, O, V>
where
    C: Cost,
    Q: Queue<V, C>,
    R: Rank<C, Value = V>,
    O: Observer<St, C>,
{
    #[inline]
    fn is_watched(&self) -> bool {
        self.observer.watches()
    }

    #[inline]
    fn hold(&mut self) -> &mut Hold {
        self.hold
    }

    #[inline]
    fn reopens(&self) -> bool {
        self.rank.reopens()
    }

    #[inline]
    fn count_generated(&mut self, count: u64) {
        self.meter.generate(count);
    }

    #[expect(
        clippy::inline_always,
        reason = "a node that nobody looks at is not even made: a sixth of A*'s instructions"
    )]
    #[inline(always)]
    fn reach(&mut self, node: &Node<'_, St, C>, fate: Fate) -> Result<(), Stop> {
        if self.observer.watches() && node.parent.is_some() {
            self.observer.generate(node, fate, self.meter.counters())?;
        }
        if let (true, Some(left)) = (fate.is_followed(), node.estimate) {
            return self.queue.push(self.rank.of(node.cost, left), left, node.id as Id, self.hold);
        }
        if fate == Fate::Overflow {
            self.progress.has_overflowed = true;
        }
        Ok(())
    }
}
