//! Dijkstra's algorithm to everything that can be reached.

use std::hash::Hash;

use crate::{
    Blend, Control, Cost, Counters, Hold, Observer, Path, Run, Space, Starts, Stop, Zero,
    driver::Id,
    hashed::Info,
    path::{chain, through},
    reach::Walk,
    table::{NONE, Table},
};

/// Dijkstra's algorithm from the start to everything that can be reached: what it costs to get there, and how. Goals are
/// states like any other.
///
/// If it is stopped, the states expanded until then are right all the same: they are the nearest.
///
/// ```
/// use pintu_search::{distances, from_fn};
///
/// let ring = from_fn(|&n: &u32| [((n + 1) % 10, 2_u32), ((n + 9) % 10, 3)], |_| false);
/// let from_zero = distances(&ring, &0, ());
/// assert_eq!(from_zero.len(), 10);
/// assert_eq!(from_zero.cost(&6), Some(12));
/// assert_eq!(from_zero.parent(&7), Some(&8));
/// assert_eq!(from_zero.path(&ring, &8).unwrap().states(&ring).collect::<Vec<_>>(), [0, 9, 8]);
/// assert_eq!(from_zero.iter().map(|(_, cost)| cost).max(), Some(12));
/// ```
#[doc(alias = "dijkstra_all")]
pub fn distances<'c, S: Space>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    run: impl Run<'c, S::State, S::Cost>,
) -> Reached<S::State, S::Cost> {
    distances_until(space, start, |_, _| false, run)
}

/// [`distances`] up to the first state for which `is_enough` is true, which is the last and most expensive one returned.
///
/// ```
/// use pintu_search::{distances_until, from_fn};
///
/// let numbers = from_fn(|&n: &u32| [(n + 1, 2_u32), (n * 3, 5)], |_| false);
/// let near = distances_until(&numbers, &1, |_, cost| cost >= 8, ());
/// assert_eq!(near.iter().collect::<Vec<_>>(), [(&1, 0), (&2, 2), (&3, 4), (&4, 6), (&6, 7), (&5, 8)]);
/// assert_eq!(near.stopped(), None);
/// ```
#[doc(alias = "dijkstra_partial")]
pub fn distances_until<'c, S: Space>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    is_enough: impl FnMut(&S::State, S::Cost) -> bool,
    run: impl Run<'c, S::State, S::Cost>,
) -> Reached<S::State, S::Cost> {
    run.run(|control, observer| search(space, start.all(), is_enough, control, observer))
}

/// The cost of the cheapest path to every state that was reached. Its memory is held until it is dropped.
#[must_use]
pub struct Reached<St, C> {
    table: Table<St, Info<C, ()>>,
    /// The states in the order of their costs.
    order: Vec<Id>,
    stopped: Option<Stop>,
    counters: Counters,
    #[expect(dead_code, reason = "dropping it gives the bytes back")]
    hold: Hold,
}

fn search<S: Space, O: Observer<S::State, S::Cost>>(
    space: &S,
    starts: &[S::State],
    mut is_enough: impl FnMut(&S::State, S::Cost) -> bool,
    control: &Control,
    observer: &mut O,
) -> Reached<S::State, S::Cost> {
    let mut walk = Walk::new(space, Zero, Blend::astar(), starts, control, observer);
    let (mut order, mut refused) = (Vec::new(), None);
    while let Some((id, cost, _)) = walk.next() {
        refused = walk.hold().push(&mut order, id).err();
        if refused.is_some() || is_enough(walk.nodes().table.state(id), cost) {
            break;
        }
    }
    let (stopped, counters) = (walk.stopped().or(refused), walk.counters());
    let (nodes, hold) = walk.into_parts();
    let mut table = nodes.table;
    // The state that was being expanded when the search was stopped is not returned.
    for id in 0..table.len() {
        table.data_mut(id as Id).closed = false;
    }
    for &id in &order {
        table.data_mut(id).closed = true;
    }
    Reached { table, order, stopped, counters, hold }
}

impl<St: Clone + Eq + Hash, C: Cost> Reached<St, C> {
    /// How many states there are.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are none, because the limits allowed no expansion.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The cost of the cheapest path to a state, if it was reached.
    pub fn cost(&self, state: &St) -> Option<C> {
        self.find(state).map(|id| self.table.data(id).cost)
    }

    /// The state before it on a cheapest path; none for a start, and for a state that was not reached.
    pub fn parent(&self, state: &St) -> Option<&St> {
        let parent = self.table.data(self.find(state)?).parent;
        (parent != NONE).then(|| self.table.state(parent))
    }

    /// A cheapest path to a state, if it was reached. The space is the one that was searched.
    pub fn path<S: Space<State = St, Cost = C>>(&self, space: &S, state: &St) -> Option<Path<St, S::Action>> {
        let id = self.find(state)?;
        Some(through(space, &chain(id, |id| self.table.state(id).clone(), |id| self.table.data(id).parent)))
    }

    /// All states with their costs, the cheapest first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&St, C)> {
        self.order.iter().map(|&id| (self.table.state(id), self.table.data(id).cost))
    }

    /// What stopped the search before all was reached, if it was stopped.
    pub fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    /// The counts of the search.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    fn find(&self, state: &St) -> Option<Id> {
        self.table.find(state).filter(|&id| self.table.data(id).closed)
    }
}
