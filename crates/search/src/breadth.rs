//! Breadth-first search, with and without duplicate detection.

use crate::{
    Bound, Control, Cost as _, Fate, Hold, Meter, Observer, Outcome, Report, ReportOf, Run, Space, Starts, Stop, Tree,
    driver::Id,
    path::{chain, shortest, unguided},
    table::{Entry, NONE, Table},
};

/// Breadth-first search: finds a path with the fewest steps, whatever they cost, and ends as soon as
/// it expands a goal.
pub fn bfs<'c, S: Space>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    run: impl Run<'c, S::State, S::Cost>,
) -> ReportOf<S> {
    run.run(|control, observer| search::<S, false>(space, start.all(), control, observer))
}

/// Breadth-first search that does not notice when it meets a state again: for teaching what duplicate
/// detection is worth.
pub fn bfs_tree<'c, S: Space>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    run: impl Run<'c, S::State, S::Cost>,
) -> ReportOf<S> {
    run.run(|control, observer| search::<S, true>(space, start.all(), control, observer))
}

/// A search in progress. If it is a `TREE` search, it does not notice that it meets a state again.
struct Breadth<'a, 'c, S: Space, O, const TREE: bool> {
    space: &'a S,
    /// The states in the order in which they were generated, which is the queue, with their parents.
    table: Table<S::State, Id>,
    hold: Hold,
    meter: Meter<'c>,
    observer: &'a mut O,
    depth: u64,
}

fn search<S: Space, const TREE: bool>(
    space: &S,
    starts: &[S::State],
    control: &Control,
    observer: &mut impl Observer<S::State, S::Cost>,
) -> ReportOf<S> {
    let (table, hold, meter) = (Table::new(), control.hold(), control.meter());
    let mut search = Breadth::<_, _, TREE> { space, table, hold, meter, observer, depth: 0 };
    let mut fresh = Vec::with_capacity(MAX_BATCH);
    let found = search.run(starts, &mut fresh);
    // The last states generated count as held, as they do if an observer watches.
    let _ = search.add_all(&mut fresh);
    let Breadth { table, hold, mut meter, depth, .. } = search;
    let counters = meter.finish(table.len() as u64, hold.peak());
    let outcome = match found {
        Ok(None) => Outcome::NoSolution,
        Ok(Some(goal)) => shortest(space, &chain(goal, |id| table.state(id).clone(), |id| *table.data(id))),
        Err(why) => Outcome::Stopped { why, lower_bound: Some(Bound::Steps(depth)) },
    };
    Report { outcome, counters }
}

/// Without an observer, successors are added in batches: after an expansion, once there are this many…
const BATCH: usize = 64;
/// …and within one expansion at this many, so that memory is asked for in time.
const MAX_BATCH: usize = 256;

impl<S: Space, O: Observer<S::State, S::Cost>, const TREE: bool> Breadth<'_, '_, S, O, TREE> {
    // A separate function, so that the compiler keeps its variables in registers.
    #[inline(never)]
    fn run(&mut self, starts: &[S::State], fresh: &mut Vec<(S::State, Id)>) -> Result<Option<Id>, Stop> {
        for start in starts {
            self.meter.generate(1);
            self.add(start, NONE)?;
        }
        self.observer.iteration(Bound::Steps(0), self.meter.counters())?;
        // Successors are added several at a time, which is faster, and all before the next level begins.
        let mut level_end = self.table.len();
        let mut next = 0;
        while next < level_end {
            let id = next as Id;
            let state = self.table.state(id).clone();
            if self.meter.is_due() {
                self.meter.note_states(self.table.len() as u64);
            }
            self.meter.expand()?;
            if self.observer.watches() {
                let node = unguided(Tree::Forward, id, *self.table.data(id), &state, S::Cost::steps(self.depth));
                self.observer.expand(&node, self.meter.counters())?;
            }
            if self.space.is_goal(&state) {
                return Ok(Some(id));
            }
            if self.observer.watches() {
                self.spread_shown(id, &state)?;
            } else {
                self.spread(id, &state, fresh)?;
            }
            next += 1;
            if fresh.len() >= BATCH || next == level_end {
                self.add_all(fresh)?;
            }
            if next == level_end && level_end < self.table.len() {
                self.depth += 1;
                level_end = self.table.len();
                self.meter.control().note_bound(self.depth);
                self.observer.iteration(Bound::Steps(self.depth), self.meter.counters())?;
            }
        }
        Ok(None)
    }

    #[inline]
    fn add(&mut self, state: &S::State, parent: Id) -> Result<Entry, Stop> {
        if TREE {
            self.table.append(state, parent, &mut self.hold)
        } else {
            self.table.insert(state, parent, &mut self.hold)
        }
    }

    /// Counts and adds generated states, and empties `fresh`.
    #[inline(never)]
    fn add_all(&mut self, fresh: &mut Vec<(S::State, Id)>) -> Result<(), Stop> {
        self.meter.generate(fresh.len() as u64);
        let added = if TREE {
            fresh.iter().try_for_each(|(state, parent)| self.add(state, *parent).map(drop))
        } else {
            self.table.insert_all(fresh, &mut self.hold)
        };
        fresh.clear();
        added
    }

    /// The parent of a state, to which no step leads back.
    #[inline]
    fn before(&self, id: Id) -> Option<S::State> {
        let parent = *self.table.data(id);
        (parent != NONE).then(|| self.table.state(parent).clone())
    }

    /// Generates the successors of a state into `fresh`, and adds those when they are many.
    #[inline]
    fn spread(&mut self, id: Id, state: &S::State, fresh: &mut Vec<(S::State, Id)>) -> Result<(), Stop> {
        let (space, before) = (self.space, self.before(id));
        for action in space.actions(state) {
            let (after, _) = space.follow(state, action);
            // Whether a step leads back cannot be predicted, so there is no branch on it.
            let back = before.as_ref() == Some(&after);
            fresh.push((after, id));
            fresh.truncate(fresh.len() - usize::from(back));
            if fresh.len() >= MAX_BATCH {
                self.add_all(fresh)?;
            }
        }
        Ok(())
    }

    /// Generates the successors of a state and adds each at once, for an observer.
    fn spread_shown(&mut self, id: Id, state: &S::State) -> Result<(), Stop> {
        let (space, before) = (self.space, self.before(id));
        for action in space.actions(state) {
            let (after, _) = space.follow(state, action);
            if before.as_ref() == Some(&after) {
                continue;
            }
            self.meter.generate(1);
            let (to, fate) = match self.add(&after, id)? {
                Entry::New(to) => (to, Fate::New),
                Entry::Known(to) => (to, Fate::Known),
            };
            let node = unguided(Tree::Forward, to, id, &after, S::Cost::steps(self.depth + 1));
            self.observer.generate(&node, fate, self.meter.counters())?;
        }
        Ok(())
    }
}
