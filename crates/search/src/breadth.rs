//! Breadth-first search, with and without duplicate detection.

use std::{
    hash::Hash,
    ops::ControlFlow::{self, Break, Continue},
};

use crate::{
    Bound, Control, Cost as _, Fate, Hold, Meter, Observer, Outcome, Report, ReportOf, Run, Space, Starts, Stop, Tree,
    driver::Id,
    path::{chain, shortest, unguided},
    table::{Entry, NONE, Table},
};

/// Breadth-first search: finds a path with the fewest steps, whatever they cost, and ends as soon as
/// it takes up a goal.
pub fn bfs<S: Space>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    run: impl Run<S::State, S::Cost>,
) -> ReportOf<S> {
    run.run(|control, observer| search(space, start.all(), Table::new(), control, observer))
}

/// Breadth-first search that does not notice when it meets a state again: for teaching what duplicate
/// detection is worth.
pub fn bfs_tree<S: Space>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    run: impl Run<S::State, S::Cost>,
) -> ReportOf<S> {
    run.run(|control, observer| search(space, start.all(), Arena { nodes: Vec::new() }, control, observer))
}

/// Where breadth-first search keeps its states: the order in which they were added is its queue.
trait Line<St> {
    /// Adds a state with its parent, unless the line knows it, if it cares.
    fn add(&mut self, state: &St, parent: Id, hold: &mut Hold) -> ControlFlow<Stop, Entry>;
    /// Adds several.
    fn add_all(&mut self, fresh: &[(St, Id)], hold: &mut Hold) -> ControlFlow<Stop>;
    fn len(&self) -> usize;
    fn state(&self, id: Id) -> &St;
    fn parent(&self, id: Id) -> Id;
}

impl<St: Clone + Eq + Hash> Line<St> for Table<St, Id> {
    fn add(&mut self, state: &St, parent: Id, hold: &mut Hold) -> ControlFlow<Stop, Entry> {
        self.insert(state, parent, hold)
    }

    fn add_all(&mut self, fresh: &[(St, Id)], hold: &mut Hold) -> ControlFlow<Stop> {
        self.insert_all(fresh, hold)
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn state(&self, id: Id) -> &St {
        self.state(id)
    }

    fn parent(&self, id: Id) -> Id {
        *self.data(id)
    }
}

/// States in order, the same one as often as it comes.
struct Arena<St> {
    nodes: Vec<(St, Id)>,
}

impl<St: Clone> Arena<St> {
    fn make_room(&mut self, more: usize, hold: &mut Hold) -> ControlFlow<Stop> {
        let needed = self.nodes.len() + more;
        if needed > self.nodes.capacity() {
            let capacity = needed.max(self.nodes.capacity() / 4 * 5).max(512);
            if capacity >= NONE as usize {
                return Break(Stop::Memory);
            }
            hold.reserve(&mut self.nodes, capacity)?;
        }
        Continue(())
    }
}

impl<St: Clone> Line<St> for Arena<St> {
    fn add(&mut self, state: &St, parent: Id, hold: &mut Hold) -> ControlFlow<Stop, Entry> {
        self.make_room(1, hold)?;
        self.nodes.push((state.clone(), parent));
        Continue(Entry::New(self.nodes.len() as Id - 1))
    }

    fn add_all(&mut self, fresh: &[(St, Id)], hold: &mut Hold) -> ControlFlow<Stop> {
        self.make_room(fresh.len(), hold)?;
        self.nodes.extend_from_slice(fresh);
        Continue(())
    }

    fn len(&self) -> usize {
        self.nodes.len()
    }

    fn state(&self, id: Id) -> &St {
        &self.nodes[id as usize].0
    }

    fn parent(&self, id: Id) -> Id {
        self.nodes[id as usize].1
    }
}

/// A search in progress.
struct Breadth<'a, 'c, S: Space, L, O> {
    space: &'a S,
    line: L,
    hold: Hold,
    meter: Meter<'c>,
    observer: &'a mut O,
    /// The depth of the state in hand.
    depth: u64,
}

fn search<S: Space>(
    space: &S,
    starts: &[S::State],
    line: impl Line<S::State>,
    control: &Control,
    observer: &mut impl Observer<S::State, S::Cost>,
) -> ReportOf<S> {
    let mut search = Breadth { space, line, hold: control.hold(), meter: control.meter(), observer, depth: 0 };
    let mut fresh = Vec::with_capacity(BATCH + 16);
    let found = search.run(starts, &mut fresh);
    let Breadth { mut line, mut hold, mut meter, depth, .. } = search;
    // What was produced before the end is held, if there is room for it, whether or not somebody watches.
    let _ = line.add_all(&fresh, &mut hold);
    meter.counters.peak_states = line.len() as u64;
    meter.counters.peak_bytes = hold.peak();
    let outcome = match found {
        Continue(None) => Outcome::NoSolution,
        Continue(Some(goal)) => shortest(space, &chain(goal, |id| line.state(id).clone(), |id| line.parent(id))),
        Break(why) => Outcome::Stopped { why, lower_bound: Some(Bound::Steps(depth)) },
    };
    Report { outcome, counters: meter.counters }
}

/// Successors that are collected before they are added, where nobody watches.
const BATCH: usize = 64;

impl<S: Space, L: Line<S::State>, O: Observer<S::State, S::Cost>> Breadth<'_, '_, S, L, O> {
    /// Takes up the states in the order in which they were added.
    // In a function of its own it has the registers to itself.
    #[inline(never)]
    fn run(&mut self, starts: &[S::State], fresh: &mut Vec<(S::State, Id)>) -> ControlFlow<Stop, Option<Id>> {
        for start in starts {
            self.meter.counters.generated += 1;
            self.line.add(start, NONE, &mut self.hold)?;
        }
        self.observer.iteration(Bound::Steps(0), &self.meter.counters)?;
        // Successors are added several at a time, which is faster, and all before the next level begins.
        let mut level_end = self.line.len();
        let mut next = 0;
        while next < level_end {
            let id = next as Id;
            let state = self.line.state(id).clone();
            if self.meter.is_due() {
                self.meter.counters.peak_states = self.line.len() as u64;
            }
            self.meter.expand()?;
            if self.observer.watches() {
                let node = unguided(Tree::Forward, id, self.line.parent(id), &state, S::Cost::steps(self.depth));
                self.observer.expand(&node, &self.meter.counters)?;
            }
            if self.space.is_goal(&state) {
                return Continue(Some(id));
            }
            if self.observer.watches() {
                self.spread_shown(id, &state)?;
            } else {
                self.spread(id, &state, fresh);
            }
            next += 1;
            if fresh.len() >= BATCH || next == level_end {
                self.line.add_all(fresh, &mut self.hold)?;
                fresh.clear();
            }
            if next == level_end && level_end < self.line.len() {
                self.depth += 1;
                level_end = self.line.len();
                self.meter.control().note_bound(self.depth);
                self.observer.iteration(Bound::Steps(self.depth), &self.meter.counters)?;
            }
        }
        Continue(None)
    }

    /// The state before one, to which no step leads back.
    #[inline]
    fn before(&self, id: Id) -> Option<S::State> {
        let parent = self.line.parent(id);
        (parent != NONE).then(|| self.line.state(parent).clone())
    }

    /// Collects the successors of a state, where nobody watches.
    #[inline]
    fn spread(&mut self, id: Id, state: &S::State, fresh: &mut Vec<(S::State, Id)>) {
        let (space, before, held) = (self.space, self.before(id), fresh.len());
        for action in space.actions(state) {
            let (after, _) = space.follow(state, action);
            // Whether a step leads back is anybody's guess, so there is no branch on it.
            let back = before.as_ref() == Some(&after);
            fresh.push((after, id));
            fresh.truncate(fresh.len() - usize::from(back));
        }
        self.meter.counters.generated += (fresh.len() - held) as u64;
    }

    /// Adds the successors of a state, each at once, for somebody who watches.
    fn spread_shown(&mut self, id: Id, state: &S::State) -> ControlFlow<Stop> {
        let (space, before) = (self.space, self.before(id));
        for action in space.actions(state) {
            let (after, _) = space.follow(state, action);
            if before.as_ref() == Some(&after) {
                continue;
            }
            self.meter.counters.generated += 1;
            let (to, fate) = match self.line.add(&after, id, &mut self.hold)? {
                Entry::New(to) => (to, Fate::New),
                Entry::Known(to) => (to, Fate::Known),
            };
            let node = unguided(Tree::Forward, to, id, &after, S::Cost::steps(self.depth + 1));
            self.observer.generate(&node, fate, &self.meter.counters)?;
        }
        Continue(())
    }
}
