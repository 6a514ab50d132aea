//! Breadth-first search from both ends.

use crate::{
    Backward, Bound, Control, Cost as _, Fate, Hold, Meter, Observer, Outcome, Report, ReportOf, Run, Starts, Stop,
    Tree,
    driver::Id,
    path::{OutcomeOf, chain, joined, shortest, unguided},
    table::{Entry, NONE, Table},
};

/// Breadth-first search from the start and from the goals at once: finds a path with the fewest
/// steps. It goes on by whole levels, each time on the side whose last level is smaller.
///
/// The first meeting gives a shortest path because each level is finished before the other side goes on: after levels
/// `f` and `b` without a meeting, no path has `f + b` steps or fewer.
pub fn bidirectional<'c, S: Backward>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    run: impl Run<'c, S::State, S::Cost>,
) -> ReportOf<S> {
    run.run(|control, observer| search(space, start.all(), control, observer))
}

fn search<S: Backward>(
    space: &S,
    starts: &[S::State],
    control: &Control,
    observer: &mut impl Observer<S::State, S::Cost>,
) -> ReportOf<S> {
    let mut search = Bidirectional {
        space,
        sides: [Side::new(), Side::new()],
        bound: 0,
        hold: control.hold(),
        meter: control.meter(),
        observer,
    };
    let met = search.run(starts);
    let counters = search.meter.finish(search.states(), search.hold.peak());
    let outcome = match met {
        Ok(None) => Outcome::NoSolution,
        Ok(Some(meeting)) => search.solved(meeting),
        Err(why) => Outcome::Stopped { why, lower_bound: Some(Bound::Steps(search.bound)) },
    };
    Report { outcome, counters }
}

const FORWARD: usize = 0;
const BACKWARD: usize = 1;
const TREES: [Tree; 2] = [Tree::Forward, Tree::Backward];

struct Bidirectional<'a, 'c, S: Backward, O> {
    space: &'a S,
    sides: [Side<S::State>; 2],
    /// Lower bound of the number of steps of all paths.
    bound: u64,
    hold: Hold,
    meter: Meter<'c>,
    observer: &'a mut O,
}

struct Side<St> {
    table: Table<St, Id>,
    /// The first state of the last level; the level ends with the table.
    level: usize,
    depth: u64,
}

impl<St: Clone + Eq + std::hash::Hash> Side<St> {
    fn new() -> Self {
        Self { table: Table::new(), level: 0, depth: 0 }
    }

    fn width(&self) -> usize {
        self.table.len() - self.level
    }
}

/// The same state's index on both sides.
type Meeting = [Id; 2];

impl<S: Backward, O: Observer<S::State, S::Cost>> Bidirectional<'_, '_, S, O> {
    fn run(&mut self, starts: &[S::State]) -> Result<Option<Meeting>, Stop> {
        for start in starts {
            self.meter.generate(1);
            self.add(FORWARD, start, NONE)?;
        }
        for goal in self.space.goals() {
            if let (id, _, Some(meeting)) = self.add(BACKWARD, &goal, NONE)? {
                self.count(BACKWARD, id, &goal)?;
                return Ok(Some(meeting));
            }
        }
        loop {
            let widths = [self.sides[FORWARD].width(), self.sides[BACKWARD].width()];
            if widths.contains(&0) {
                return Ok(None);
            }
            self.bound = self.sides[FORWARD].depth + self.sides[BACKWARD].depth + 1;
            self.meter.control().note_bound(self.bound);
            self.observer.iteration(Bound::Steps(self.bound), self.meter.counters())?;
            let side = if widths[FORWARD] <= widths[BACKWARD] { FORWARD } else { BACKWARD };
            let meeting = self.level(side)?;
            if meeting.is_some() {
                return Ok(meeting);
            }
        }
    }

    fn level(&mut self, side: usize) -> Result<Option<Meeting>, Stop> {
        let level = self.sides[side].level..self.sides[side].table.len();
        for id in level.clone() {
            let id = id as Id;
            let state = self.sides[side].table.state(id).clone();
            self.count(side, id, &state)?;
            let space = self.space;
            let met = if side == FORWARD {
                let successors = space.actions(&state).map(|action| space.follow(&state, action).0);
                self.spread(side, id, successors)?
            } else {
                self.spread(side, id, space.origins(&state).map(|(origin, _)| origin))?
            };
            if met.is_some() {
                return Ok(met);
            }
        }
        self.sides[side].level = level.end;
        self.sides[side].depth += 1;
        Ok(None)
    }

    /// Counts a state that is about to be expanded, and shows it.
    fn count(&mut self, side: usize, id: Id, state: &S::State) -> Result<(), Stop> {
        if self.meter.is_due() {
            self.meter.note_states(self.states());
        }
        self.meter.expand()?;
        if self.observer.watches() {
            let parent = *self.sides[side].table.data(id);
            let node = unguided(TREES[side], id, parent, state, S::Cost::steps(self.sides[side].depth));
            self.observer.expand(&node, self.meter.counters())?;
        }
        Ok(())
    }

    /// Adds the neighbours of one state; ends at the first that the other side knows.
    fn spread(
        &mut self,
        side: usize,
        id: Id,
        neighbours: impl Iterator<Item = S::State>,
    ) -> Result<Option<Meeting>, Stop> {
        let parent = *self.sides[side].table.data(id);
        let before = (parent != NONE).then(|| self.sides[side].table.state(parent).clone());
        for neighbour in neighbours {
            if before.as_ref() == Some(&neighbour) {
                continue;
            }
            self.meter.generate(1);
            let (to, fate, meeting) = self.add(side, &neighbour, id)?;
            if self.observer.watches() {
                let node = unguided(TREES[side], to, id, &neighbour, S::Cost::steps(self.sides[side].depth + 1));
                self.observer.generate(&node, fate, self.meter.counters())?;
            }
            if meeting.is_some() {
                return Ok(meeting);
            }
        }
        Ok(None)
    }

    fn add(&mut self, side: usize, state: &S::State, parent: Id) -> Result<(Id, Fate, Option<Meeting>), Stop> {
        let [forward, backward] = &mut self.sides;
        let (own, other) = if side == FORWARD { (forward, backward) } else { (backward, forward) };
        Ok(match own.table.insert(state, parent, &mut self.hold)? {
            Entry::Known(id) => (id, Fate::Known, None),
            Entry::New(id) => {
                let meeting = other.table.find(state).map(|met| {
                    let mut meeting = [met; 2];
                    meeting[side] = id;
                    meeting
                });
                (id, Fate::New, meeting)
            }
        })
    }

    fn states(&self) -> u64 {
        self.sides.iter().map(|side| side.table.len() as u64).sum()
    }

    fn solved(&self, meeting: Meeting) -> OutcomeOf<S> {
        let half = |side: usize| {
            let table = &self.sides[side].table;
            chain(meeting[side], |id| table.state(id).clone(), |id| *table.data(id))
        };
        shortest(self.space, &joined(half(FORWARD), half(BACKWARD)))
    }
}
