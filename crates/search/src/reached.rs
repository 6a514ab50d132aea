//! Dijkstra's algorithm to everything that can be reached.

use std::{fmt, hash::Hash};

use crate::{
    Control, Cost, Counters, Hold, Observer, Path, Run, Space, Starts, Stop,
    driver::Id,
    hashed::Info,
    path::{chain, through},
    reach::by_cost,
    table::{NONE, Table},
};

/// Dijkstra's algorithm from the start to everything that can be reached: what it costs to get there, and how. Goals are
/// states like any other.
///
/// If it is stopped, what has been taken up until then is right all the same: it is what is nearest.
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
/// assert!(format!("{from_zero:?}").starts_with("{0: 0, 1: 2, "));
/// ```
#[doc(alias = "dijkstra_all")]
pub fn distances<S: Space>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    run: impl Run<S::State, S::Cost>,
) -> Reached<S::State, S::Cost> {
    distances_until(space, start, |_, _| false, run)
}

/// [`distances`] as far as a state at which it is to end, which is the last and dearest of what it returns.
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
pub fn distances_until<S: Space>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    is_enough: impl FnMut(&S::State, S::Cost) -> bool,
    run: impl Run<S::State, S::Cost>,
) -> Reached<S::State, S::Cost> {
    run.run(|control, observer| search(space, start.all(), is_enough, control, observer))
}

/// What it costs to get to every state that was reached. The memory that it takes is held until it is dropped.
#[must_use]
pub struct Reached<St, C> {
    table: Table<St, Info<C, ()>>,
    /// The states in the order of their costs.
    order: Vec<Id>,
    stopped: Option<Stop>,
    counters: Counters,
    #[expect(dead_code, reason = "what is held is given back when it is dropped")]
    hold: Hold,
}

fn search<S: Space, O: Observer<S::State, S::Cost>>(
    space: &S,
    starts: &[S::State],
    mut is_enough: impl FnMut(&S::State, S::Cost) -> bool,
    control: &Control,
    observer: &mut O,
) -> Reached<S::State, S::Cost> {
    let mut walk = by_cost(space, starts, control, observer);
    let (mut order, mut refused) = (Vec::new(), None);
    while let Some((id, cost, _)) = walk.next() {
        if order.len() == order.capacity() {
            let capacity = order.len() + order.len().clamp(64, 1 << 20);
            refused = walk.hold().reserve(&mut order, capacity).break_value();
            if refused.is_some() {
                break;
            }
        }
        order.push(id);
        if is_enough(walk.nodes().table.state(id), cost) {
            break;
        }
    }
    let (stopped, counters) = (walk.stopped().or(refused), walk.counters());
    let (nodes, hold) = walk.into_parts();
    let mut table = nodes.table;
    // What was in hand when the search was stopped is not among what it returns.
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

    /// Whether there are none, because nothing was allowed.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// What the cheapest way to a state costs, if it was reached.
    pub fn cost(&self, state: &St) -> Option<C> {
        self.find(state).map(|id| self.table.data(id).cost)
    }

    /// The state before it on a cheapest way; none for a start, and for what was not reached.
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

    /// What ended the search before all was reached, if something did.
    pub fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    /// What the search did.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    fn find(&self, state: &St) -> Option<Id> {
        self.table.find(state).filter(|&id| self.table.data(id).closed)
    }
}

impl<St: Clone + Eq + Hash + fmt::Debug, C: Cost> fmt::Debug for Reached<St, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
