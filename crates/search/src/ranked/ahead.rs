use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    ops::ControlFlow::{self, Continue},
};

use super::greatest;
use crate::{Control, Cost, Heuristic, Hold, Space, Stop, cost::least_sum, driver::Id, hashed::Info, table::Table};

/// What is left to pay from the states that a search has met, as far as it knows: from what it has taken up exactly, unless
/// a way leads out of what it knows, which costs as much from there on as the heuristic says.
pub(super) struct Ahead<St, C, M> {
    table: Table<St, Info<C, M>>,
    left: Vec<Option<C>>,
    #[expect(dead_code, reason = "what is held is given back when it is dropped")]
    hold: Hold,
}

impl<St, C, M> Ahead<St, C, M>
where
    St: Clone + Eq + std::hash::Hash,
    C: Cost,
    M: Copy,
{
    /// Goes back from the goal, and from all that was not taken up, along the steps between the states of a search.
    pub(super) fn new<S, H>(
        space: &S,
        heuristic: &H,
        table: Table<St, Info<C, M>>,
        control: &Control,
    ) -> ControlFlow<Stop, Self>
    where
        S: Space<State = St, Cost = C>,
        H: Heuristic<S, Memo = M>,
    {
        let mut hold = control.hold();
        hold.more(table.bytes())?;
        let estimate = |state: &St| heuristic.estimate(heuristic.start(state));
        // What each state has to pay at most, and the steps between states, as where they lead, whence, and their cost.
        let mut open: Vec<(C, Id)> = Vec::new();
        let mut steps: Vec<(Id, Id, C)> = Vec::new();
        for id in 0..table.len() as Id {
            if id as usize % BETWEEN_LOOKS == 0 {
                control.check()?;
            }
            let state = table.state(id);
            let is_closed = table.data(id).closed;
            if !is_closed || space.is_goal(state) {
                let left = if is_closed { Some(C::ZERO) } else { estimate(state) };
                left.map_or(Continue(()), |left| hold.push(&mut open, (left, id)))?;
                continue;
            }
            for action in space.actions(state) {
                let (after, step) = space.follow(state, action);
                match table.find(&after) {
                    Some(to) => hold.push(&mut steps, (to, id, step))?,
                    // A dead end, or too dear to be met.
                    None => estimate(&after)
                        .map_or(Continue(()), |left| hold.push(&mut open, (least_sum(step, left), id)))?,
                }
            }
        }
        let by_target = Steps::new(&steps, table.len(), control, &mut hold)?;
        drop(steps);
        let mut left = Vec::new();
        hold.reserve(&mut left, table.len())?;
        left.resize(table.len(), None);
        settle(&mut left, open, &by_target, control, &mut hold)?;
        drop(by_target);
        hold.set(table.bytes() + (left.capacity() * size_of::<Option<C>>()) as u64)?;
        Continue(Self { table, left, hold })
    }

    /// What is left from a state, by what is known or else by `estimate`; nothing where no goal can be reached.
    pub(super) fn left_or(&self, state: &St, estimate: impl FnOnce() -> Option<C>) -> Option<C> {
        match self.table.find(state) {
            Some(id) => self.left[id as usize],
            None => estimate(),
        }
    }
}

/// How many small things are done between two looks at the control.
const BETWEEN_LOOKS: usize = 1 << 12;

/// The steps that lead to each state: whence, and what they cost.
struct Steps<C> {
    /// Those that lead to a state end here; they begin where those to the state before end.
    ends: Vec<usize>,
    steps: Vec<(Id, C)>,
}

impl<C: Cost> Steps<C> {
    /// Steps, each as where it leads, whence, and its cost, by where they lead.
    fn new(unsorted: &[(Id, Id, C)], states: usize, control: &Control, hold: &mut Hold) -> ControlFlow<Stop, Self> {
        hold.more((states * size_of::<usize>() + unsorted.len() * size_of::<(Id, C)>()) as u64)?;
        let mut ends = vec![0; states];
        for some in unsorted.chunks(BETWEEN_LOOKS) {
            control.check()?;
            for &(to, ..) in some {
                ends[to as usize] += 1;
            }
        }
        // Where they begin, which each that is put there moves on.
        let mut sum = 0;
        for end in &mut ends {
            sum += std::mem::replace(end, sum);
        }
        let mut steps = vec![(0, C::ZERO); unsorted.len()];
        for some in unsorted.chunks(BETWEEN_LOOKS) {
            control.check()?;
            for &(to, from, step) in some {
                let at = &mut ends[to as usize];
                steps[*at] = (from, step);
                *at += 1;
            }
        }
        Continue(Self { ends, steps })
    }

    fn to(&self, id: Id) -> &[(Id, C)] {
        let first = (id as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.steps[first..self.ends[id as usize]]
    }
}

/// Dijkstra's algorithm along the steps, each of which is gone back.
fn settle<C: Cost>(
    left: &mut [Option<C>],
    open: Vec<(C, Id)>,
    steps: &Steps<C>,
    control: &Control,
    hold: &mut Hold,
) -> ControlFlow<Stop> {
    let most = open.len() + steps.steps.len();
    hold.more((most * size_of::<Reverse<(C, Id)>>()) as u64)?;
    let mut queue = BinaryHeap::with_capacity(most);
    queue.extend(open.into_iter().map(Reverse));
    let mut settled = 0_usize;
    while let Some(Reverse((cost, id))) = queue.pop() {
        if left[id as usize].is_some() {
            continue;
        }
        if settled % BETWEEN_LOOKS == 0 {
            control.check()?;
        }
        settled += 1;
        left[id as usize] = Some(cost);
        for &(from, step) in steps.to(id) {
            if left[from as usize].is_none() {
                queue.push(Reverse((step.checked_add(cost).unwrap_or_else(greatest), from)));
            }
        }
    }
    // A sum of fractions depends on where one begins to add: it must not be too high.
    for cost in left.iter_mut().flatten().filter(|cost| **cost > C::ZERO) {
        *cost = C::at_least(cost.total(C::ZERO), 1);
    }
    Continue(())
}
