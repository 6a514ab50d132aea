//! Breadth-first and depth-first order.

use crate::{
    Control, Cost, Counters, Fate, Hold, Meter, Observer, Run, Space, Starts, Stop, Tree,
    driver::Id,
    path::unguided,
    table::{Entry, NONE, Table},
};

/// All states that can be reached, each with the fewest steps that lead there, in the order in which breadth-first search
/// expands them. Goals are states like any other.
///
/// Nothing is searched before it is asked for.
///
/// ```
/// use pintu_search::{breadth_first, from_fn};
///
/// let numbers = from_fn(|&n: &u32| [(n + 1, 1_u32), (n * 3, 1)], |_| false);
/// let near: Vec<_> = breadth_first(&numbers, &1, ()).take_while(|&(_, steps)| steps <= 2).collect();
/// assert_eq!(near, [(1, 0), (2, 1), (3, 1), (6, 2), (4, 2), (9, 2)]);
/// ```
#[doc(alias = "bfs_reach")]
pub fn breadth_first<'a, S: Space, R: Run<'a, S::State, S::Cost>>(
    space: &'a S,
    start: &(impl Starts<S::State> + ?Sized),
    run: R,
) -> Traversal<'a, S, R::Observer> {
    Traversal::new(space, start.all(), Open::Queue(0), run.parts())
}

/// All states that can be reached, each with its depth, in the order in which a recursive depth-first search enters them:
/// a state comes before all that is first found through it, and its successors are tried in the order of their actions.
///
/// ```
/// use pintu_search::{depth_first, from_fn};
///
/// let tree = from_fn(|&n: &u32| [(2 * n, 1_u32), (2 * n + 1, 1)].into_iter().filter(|to| to.0 < 8), |_| false);
/// let order: Vec<u32> = depth_first(&tree, &1, ()).map(|(n, _)| n).collect();
/// assert_eq!(order, [1, 2, 4, 5, 3, 6, 7]);
/// ```
#[doc(alias = "dfs_reach")]
pub fn depth_first<'a, S: Space, R: Run<'a, S::State, S::Cost>>(
    space: &'a S,
    start: &(impl Starts<S::State> + ?Sized),
    run: R,
) -> Traversal<'a, S, R::Observer> {
    Traversal::new(space, start.all(), Open::Stack { ids: Vec::new(), fresh: 0 }, run.parts())
}

/// The iterator of [`breadth_first`] and [`depth_first`].
///
/// A state is expanded when the one after it is asked for: a caller that stops early pays for no more.
#[must_use]
pub struct Traversal<'a, S: Space, O = ()> {
    space: &'a S,
    table: Table<S::State, Known>,
    open: Open,
    hold: Hold,
    meter: Meter<'a>,
    observer: O,
    /// The state that was returned last, which is yet to be expanded.
    last: Option<Id>,
    ended: Option<Result<(), Stop>>,
}

struct Known {
    steps: u64,
    parent: Id,
    is_closed: bool,
}

enum Open {
    /// First in, first out: states come out in the order of their numbers, from this one on.
    Queue(Id),
    /// Last in, first out; the successors of one state, from `fresh` on, in the order of its actions.
    Stack { ids: Vec<Id>, fresh: usize },
}

impl<'a, S: Space, O: Observer<S::State, S::Cost>> Traversal<'a, S, O> {
    fn new(space: &'a S, starts: &[S::State], open: Open, (control, observer): (&'a Control, O)) -> Self {
        let (hold, meter) = (control.hold(), control.meter());
        let mut new = Self { space, table: Table::new(), open, hold, meter, observer, last: None, ended: None };
        let begun = starts.iter().try_for_each(|start| new.meet(start, 0, NONE));
        new.ended = begun.err().map(Err);
        new
    }

    /// What stopped the search before all was seen, if it was stopped.
    pub fn stopped(&self) -> Option<Stop> {
        self.ended.and_then(Result::err)
    }

    /// The counts of the search so far.
    pub fn counters(&self) -> Counters {
        Counters { peak_bytes: self.hold.peak(), ..*self.meter.counters() }
    }

    /// A step leads to `state`.
    fn meet(&mut self, state: &S::State, steps: u64, parent: Id) -> Result<(), Stop> {
        self.meter.generate(1);
        let (id, fate) = match self.table.insert(state, Known { steps, parent, is_closed: false }, &mut self.hold)? {
            Entry::New(id) => (id, Fate::New),
            Entry::Known(id) => {
                let known = self.table.data_mut(id);
                // As in a recursion, the parent of a state is the last from which it was generated before it is expanded.
                let moves_up = matches!(self.open, Open::Stack { .. }) && !known.is_closed;
                if moves_up {
                    *known = Known { steps, parent, is_closed: false };
                }
                (id, if moves_up { Fate::Cheaper } else { Fate::Known })
            }
        };
        if self.observer.watches() && parent != NONE {
            let node = unguided(Tree::Forward, id, parent, state, S::Cost::steps(steps));
            self.observer.generate(&node, fate, self.meter.counters())?;
        }
        match &mut self.open {
            Open::Stack { ids, .. } if fate.is_followed() => self.hold.push(ids, id),
            _ => Ok(()),
        }
    }

    fn pop(&mut self) -> Option<Id> {
        match &mut self.open {
            Open::Queue(next) => {
                let id = *next;
                ((id as usize) < self.table.len()).then(|| {
                    *next += 1;
                    id
                })
            }
            Open::Stack { ids, fresh } => {
                ids[*fresh..].reverse();
                let id = ids.pop()?;
                *fresh = ids.len();
                Some(id)
            }
        }
    }

    fn expand(&mut self, id: Id) -> Result<(), Stop> {
        let (space, state) = (self.space, self.table.state(id).clone());
        let Known { steps, parent, .. } = *self.table.data(id);
        let before = (parent != NONE).then(|| self.table.state(parent).clone());
        for action in space.actions(&state) {
            let (after, _) = space.follow(&state, action);
            if before.as_ref() != Some(&after) {
                self.meet(&after, steps + 1, id)?;
            }
        }
        Ok(())
    }

    /// Expands the state that was returned last, and closes and counts the next.
    fn advance(&mut self) -> Result<Option<Id>, Stop> {
        if let Some(last) = self.last.take() {
            self.expand(last)?;
        }
        while let Some(id) = self.pop() {
            let Known { steps, parent, is_closed } = self.table.data_mut(id);
            if std::mem::replace(is_closed, true) {
                continue;
            }
            let node = (*parent, S::Cost::steps(*steps));
            self.meter.expand()?;
            if self.observer.watches() {
                let node = unguided(Tree::Forward, id, node.0, self.table.state(id), node.1);
                self.observer.expand(&node, self.meter.counters())?;
            }
            self.last = Some(id);
            return Ok(Some(id));
        }
        Ok(None)
    }
}

impl<S: Space, O: Observer<S::State, S::Cost>> Iterator for Traversal<'_, S, O> {
    type Item = (S::State, u64);

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended.is_some() {
            return None;
        }
        let next = self.advance();
        self.meter.note_states(self.table.len() as u64);
        self.meter.pause();
        match next {
            Ok(Some(id)) => return Some((self.table.state(id).clone(), self.table.data(id).steps)),
            Ok(None) => self.ended = Some(Ok(())),
            Err(why) => self.ended = Some(Err(why)),
        }
        None
    }
}
