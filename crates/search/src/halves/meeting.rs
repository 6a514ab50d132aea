use crate::{
    Cost, Fate, Guarantee, Heuristic, Hold, Node, Observer, Space, Stop, Tree,
    driver::{Buckets, Id, Open, Progress, Queue, Rank, Search},
    hashed::Hashed,
    table::Table,
};

/// The driver's search, as one half uses it.
type HalfSearch<'a, 'c, C, O> = Search<'a, 'c, Buckets<C>, Meet, O, <C as Cost>::Rank>;

pub(super) struct Side<'x, S: Space, H: Heuristic<S>> {
    pub(super) nodes: Hashed<'x, S, H>,
    pub(super) queue: Buckets<S::Cost>,
    pub(super) progress: Progress<<S::Cost as Cost>::Rank>,
    /// The first entry, once it was taken out of the queue.
    pub(super) first_entry: Option<(<S::Cost as Cost>::Rank, Id)>,
    /// Whether its starts have been generated.
    pub(super) has_begun: bool,
}

impl<'x, S: Space, H: Heuristic<S>> Side<'x, S, H> {
    pub(super) fn new(space: &'x S, heuristic: H, starts: &'x [S::State], tree: Tree) -> Self {
        let nodes = Hashed { space, heuristic, starts, tree, table: Table::new() };
        let progress = Progress::new::<S::Cost>(&Meet { is_blind: true });
        Self { nodes, queue: Buckets::new(), progress, first_entry: None, has_begun: false }
    }

    /// The smallest rank, below which no open state's is.
    pub(super) fn first(&mut self) -> Option<<S::Cost as Cost>::Rank> {
        self.first_entry = self.first_entry.take().or_else(|| self.queue.pop());
        self.first_entry.map(|(rank, _)| rank)
    }

    /// Whether no state is open and no path was dropped.
    pub(super) fn is_exhausted(&mut self) -> bool {
        self.first().is_none() && !self.progress.has_overflowed
    }
}

/// How both halves rank: by `g` where they know nothing else, otherwise by the greater of `g + h` and `2 g`.
#[derive(Clone, Copy)]
pub(super) struct Meet {
    pub(super) is_blind: bool,
}

impl Meet {
    /// Lower bound of the cost of all paths not known yet, given the smallest rank of each half.
    pub(super) fn joint<C: Cost>(self, least: [C::Rank; 2]) -> C::Rank {
        match least.map(C::from_rank) {
            [Some(forward), Some(backward)] if self.is_blind => forward.total(backward),
            _ => least[0].min(least[1]),
        }
    }
}

impl<C: Cost> Rank<C> for Meet {
    type Value = C::Rank;

    #[inline]
    fn of(&self, paid: C, left: C) -> C::Rank {
        if self.is_blind { paid.total(C::ZERO) } else { paid.total(left).max(paid.total(paid)) }
    }

    #[inline]
    fn reopens(&self) -> bool {
        true
    }

    /// One half alone has no bound of all paths.
    fn lower_bound(&self, _: C::Rank) -> Option<C> {
        None
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }
}

/// A state that both halves know, and the cost of the path through it.
pub(super) struct Meeting<C: Cost> {
    pub(super) total: C::Rank,
    pub(super) forward: Id,
    pub(super) backward: Id,
}

/// Looks up each state that one half reaches in the other half's table.
pub(super) struct Watching<'a, 'c, 'o, C: Cost, O, T: Space<Cost = C>, G: Heuristic<T>> {
    pub(super) search: HalfSearch<'a, 'c, C, O>,
    pub(super) other: &'a Hashed<'o, T, G>,
    pub(super) best: &'a mut Option<Meeting<C>>,
    /// The half whose search it is.
    pub(super) tree: Tree,
}

impl<C: Cost, O, T, G> Watching<'_, '_, '_, C, O, T, G>
where
    T: Space<Cost = C>,
    G: Heuristic<T>,
{
    fn look_up(&mut self, node: &Node<'_, T::State, C>) {
        let Some(met) = self.other.table.find(node.state) else { return };
        let total = node.cost.total(self.other.table.data(met).cost);
        if self.best.as_ref().is_none_or(|best| total < best.total) {
            let own = node.id as Id;
            let (forward, backward) = if self.tree == Tree::Forward { (own, met) } else { (met, own) };
            *self.best = Some(Meeting { total, forward, backward });
        }
    }
}

impl<C: Cost, O, T, G> Open<T::State, C> for Watching<'_, '_, '_, C, O, T, G>
where
    O: Observer<T::State, C>,
    T: Space<Cost = C>,
    G: Heuristic<T>,
{
    fn is_watched(&self) -> bool {
        Open::<T::State, C>::is_watched(&self.search)
    }

    fn hold(&mut self) -> &mut Hold {
        self.search.hold
    }

    fn reopens(&self) -> bool {
        true
    }

    fn count_generated(&mut self, count: u64) {
        self.search.meter.generate(count);
    }

    fn reach(&mut self, node: &Node<'_, T::State, C>, fate: Fate) -> Result<(), Stop> {
        if fate.is_followed() {
            self.look_up(node);
        }
        self.search.reach(node, fate)
    }
}
