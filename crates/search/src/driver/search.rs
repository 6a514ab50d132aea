//! The loop itself, a step at a time.

use std::ops::ControlFlow::{self, Break, Continue};

use super::{Frontier, Id, Nodes, Progress, Queue, Rank};
use crate::{Bound, Cost, Fate, Hold, Meter, Node, Observer, Stop};

/// A best-first search, put together from parts that outlive it: a search that is interrupted is put together again, and
/// two searches that take turns share a meter, a hold and an observer.
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
    /// What every path costs at least, whether it leads through what is open or through what was set aside.
    pub(super) fn lower_bound<N>(&self, nodes: &N) -> Option<N::Cost>
    where
        N: Nodes,
        R: Rank<N::Cost, Value = V>,
    {
        let open = self.rank.lower_bound(self.progress.least).filter(|_| self.is_admissible)?;
        let aside = nodes.most().filter(|_| self.progress.has_set_aside());
        Some(aside.map_or(open, |most| most.min(open)))
    }

    /// Searches until a goal is taken up or nothing is left. Nodes are expanded in one place, so that there is one copy
    /// of the code for that: those that are next, and, when nothing is left and no goal is known, those that must be
    /// expanded once more.
    #[inline]
    pub(super) fn run<N>(&mut self, nodes: &mut N) -> ControlFlow<Stop, Option<(Id, N::Cost)>>
    where
        N: Nodes,
        Q: Queue<V, N::Cost>,
        R: Rank<N::Cost, Value = V>,
        O: Observer<N::State, N::Cost>,
    {
        nodes.begin(self)?;
        let mut best: Option<(Id, N::Cost)> = None;
        while let Some((id, paid, is_goal)) = match self.next(nodes, best.map(|(_, cost)| cost))? {
            None if best.is_none() => self.progress.unsettled(self.meter)?.map(|id| (id, nodes.paid(id), false)),
            next => next,
        } {
            if !is_goal {
                nodes.expand(id, paid, self)?;
            } else if Q::EXACT {
                return Continue(Some((id, paid)));
            } else {
                best = Some((id, paid));
            }
        }
        Continue(best)
    }

    /// Now that nothing is left to take up: stops the search if something can only be reached at a cost that does not
    /// fit. Where a dear step leads, a cheap way may have led since, so those steps are taken once more. That counts
    /// nothing, shows nothing and finds nothing new, for all that fits is known.
    pub(crate) fn settle<N>(&mut self, nodes: &mut N) -> ControlFlow<Stop>
    where
        N: Nodes,
        Q: Queue<V, N::Cost>,
        R: Rank<N::Cost, Value = V>,
        O: Observer<N::State, N::Cost>,
    {
        let ended = loop {
            match self.progress.unsettled(self.meter) {
                Continue(Some(id)) => match nodes.expand(id, nodes.paid(id), self) {
                    Continue(()) => {}
                    stopped @ Break(_) => break stopped,
                },
                Continue(None) => break Continue(()),
                Break(why) => break Break(why),
            }
        };
        self.progress.settled(self.meter);
        ended
    }

    /// Takes up the next node that is open, unless it is as dear as `best`, the cost of a goal that is known: its
    /// number, what was paid to get there, and whether it is a goal. The caller expands it, or does not.
    #[expect(clippy::inline_always, reason = "it is the body of the loop")]
    #[inline(always)]
    pub(crate) fn next<N>(
        &mut self,
        nodes: &mut N,
        best: Option<N::Cost>,
    ) -> ControlFlow<Stop, Option<(Id, N::Cost, bool)>>
    where
        N: Nodes,
        Q: Queue<V, N::Cost>,
        R: Rank<N::Cost, Value = V>,
        O: Observer<N::State, N::Cost>,
    {
        while let Some((least, id)) = self.queue.pop() {
            // Where the queue is not exact, others of the same range may be cheaper than a goal that is known.
            let enough = if Q::EXACT { None } else { best.map(|best| self.rank.of(best, N::Cost::ZERO)) };
            if enough.is_some_and(|enough| least > enough) {
                break;
            }
            // Nothing has been taken out but this entry, whose node is open still if it was: the bound holds now.
            let is_first = self.observer.watches() && self.meter.counters.expanded == 0;
            if least > self.progress.least || is_first {
                self.progress.least = least;
                if self.observer.watches() {
                    self.show_bound(nodes)?;
                }
            }
            let Some((paid, is_goal)) = nodes.take_up(id) else { continue };
            if enough.is_some_and(|enough| self.rank.of(paid, nodes.left(id)) >= enough) {
                continue;
            }
            if self.meter.is_due() {
                self.note_progress(nodes);
            }
            self.count(nodes, id, paid)?;
            return Continue(Some((id, paid, is_goal)));
        }
        Continue(None)
    }

    /// Takes up an entry that the caller has taken out of the queue, if its node is open.
    pub(crate) fn take_up<N>(&mut self, nodes: &mut N, id: Id) -> ControlFlow<Stop, Option<N::Cost>>
    where
        N: Nodes,
        O: Observer<N::State, N::Cost>,
    {
        let Some((paid, _)) = nodes.take_up(id) else { return Continue(None) };
        self.count(nodes, id, paid)?;
        Continue(Some(paid))
    }

    /// Counts a node that is taken up, and shows it.
    #[inline]
    fn count<N>(&mut self, nodes: &N, id: Id, paid: N::Cost) -> ControlFlow<Stop>
    where
        N: Nodes,
        O: Observer<N::State, N::Cost>,
    {
        self.meter.expand()?;
        if self.observer.watches() {
            nodes.show(id, paid, |node| self.observer.expand(node, &self.meter.counters))?;
        }
        Continue(())
    }

    fn show_bound<N>(&mut self, nodes: &N) -> ControlFlow<Stop>
    where
        N: Nodes,
        R: Rank<N::Cost, Value = V>,
        O: Observer<N::State, N::Cost>,
    {
        match self.lower_bound(nodes) {
            Some(bound) => self.observer.iteration(Bound::Cost(bound), &self.meter.counters),
            None => Continue(()),
        }
    }

    /// Tells the control how far the bound has come and how many nodes there are: rarely, for many threads may look at
    /// it.
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

impl<St, C, Q, R, O, V> Frontier<St, C> for Search<'_, '_, Q, R, O, V>
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
    fn produced(&mut self, many: u64) {
        self.meter.counters.generated += many;
    }

    #[expect(
        clippy::inline_always,
        reason = "what nobody looks at need not be put together: a sixth of A*'s instructions"
    )]
    #[inline(always)]
    fn reach(&mut self, node: &Node<'_, St, C>, fate: Fate) -> ControlFlow<Stop> {
        if self.observer.watches() && node.parent.is_some() && !self.progress.is_settling() {
            self.observer.generate(node, fate, &self.meter.counters)?;
        }
        if let (true, Some(left)) = (fate.is_followed(), node.estimate) {
            return self.queue.push(self.rank.of(node.cost, left), left, node.id as Id, self.hold);
        }
        match node.parent.filter(|_| fate == Fate::TooDear) {
            Some(from) => self.progress.set_aside(from as Id, self.hold),
            None => Continue(()),
        }
    }
}
