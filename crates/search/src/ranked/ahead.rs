use std::{cmp::Reverse, collections::BinaryHeap};

use super::greatest;
use crate::{Control, Cost, Heuristic, Hold, Space, Stop, cost::least_sum, driver::Id, hashed::Info, table::Table};

/// Estimates from what a search has found out: the exact cost from an expanded state to the goal through expanded states, or
/// the cost to a state that was not expanded plus the heuristic's estimate there, whichever is less.
pub(super) struct Ahead<St, C, M> {
    table: Table<St, Info<C, M>>,
    left: Vec<Option<C>>,
    #[expect(dead_code, reason = "dropping it gives the bytes back")]
    hold: Hold,
}

impl<St, C, M> Ahead<St, C, M>
where
    St: Clone + Eq + std::hash::Hash,
    C: Cost,
    M: Copy,
{
    /// Dijkstra's algorithm backwards from the goals and the states that were not expanded. `hold` has the table's bytes.
    pub(super) fn new<S, H>(
        space: &S,
        heuristic: &H,
        table: Table<St, Info<C, M>>,
        mut hold: Hold,
        control: &Control,
    ) -> Result<Self, Stop>
    where
        S: Space<State = St, Cost = C>,
        H: Heuristic<S, Memo = M>,
    {
        let estimate = |state: &St| heuristic.estimate(heuristic.start(state));
        // Upper bounds of the costs from some states, and the steps between states: to, from, cost.
        let mut open: Vec<(C, Id)> = Vec::new();
        let mut steps: Vec<(Id, Id, C)> = Vec::new();
        for id in 0..table.len() as Id {
            if id as usize % CHECK_INTERVAL == 0 {
                control.check()?;
            }
            let state = table.state(id);
            let is_closed = table.data(id).closed;
            if !is_closed || space.is_goal(state) {
                let left = if is_closed { Some(C::ZERO) } else { estimate(state) };
                left.map_or(Ok(()), |left| hold.push(&mut open, (left, id)))?;
                continue;
            }
            for action in space.actions(state) {
                let (after, step) = space.follow(state, action);
                match table.find(&after) {
                    Some(to) => hold.push(&mut steps, (to, id, step))?,
                    // A dead end, or its cost does not fit.
                    None => {
                        estimate(&after).map_or(Ok(()), |left| hold.push(&mut open, (least_sum(step, left), id)))?;
                    }
                }
            }
        }
        control.check()?;
        let by_target = Incoming::new(&steps, table.len(), &mut hold)?;
        drop(steps);
        let mut left = Vec::new();
        hold.reserve(&mut left, table.len())?;
        left.resize(table.len(), None);
        spread(&mut left, open, &by_target, control, &mut hold)?;
        drop(by_target);
        hold.set(table.bytes() + (left.capacity() * size_of::<Option<C>>()) as u64)?;
        Ok(Self { table, left, hold })
    }

    /// The estimate at a state, by what is known or else by `estimate`; none at a dead end.
    pub(super) fn left_or(&self, state: &St, estimate: impl FnOnce() -> Option<C>) -> Option<C> {
        match self.table.find(state) {
            Some(id) => self.left[id as usize],
            None => estimate(),
        }
    }
}

/// States between two checks of the control.
const CHECK_INTERVAL: usize = 1 << 12;

/// The steps by the state to which they lead: where they come from, and their cost.
struct Incoming<C> {
    /// The end of each state's range in `steps`, which begins where that of the state before ends.
    ends: Vec<usize>,
    steps: Vec<(Id, C)>,
}

impl<C: Cost> Incoming<C> {
    /// Sorts steps, given as to, from and cost.
    fn new(unsorted: &[(Id, Id, C)], states: usize, hold: &mut Hold) -> Result<Self, Stop> {
        hold.more((states * size_of::<usize>() + unsorted.len() * size_of::<(Id, C)>()) as u64)?;
        let mut ends = vec![0; states];
        for &(to, ..) in unsorted {
            ends[to as usize] += 1;
        }
        // The begin of each range, which becomes its end as it is filled.
        let mut sum = 0;
        for end in &mut ends {
            sum += std::mem::replace(end, sum);
        }
        let mut steps = vec![(0, C::ZERO); unsorted.len()];
        for &(to, from, step) in unsorted {
            let at = &mut ends[to as usize];
            steps[*at] = (from, step);
            *at += 1;
        }
        Ok(Self { ends, steps })
    }

    fn to(&self, id: Id) -> &[(Id, C)] {
        let first = (id as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.steps[first..self.ends[id as usize]]
    }
}

/// Dijkstra's algorithm along the steps, backwards.
fn spread<C: Cost>(
    left: &mut [Option<C>],
    open: Vec<(C, Id)>,
    steps: &Incoming<C>,
    control: &Control,
    hold: &mut Hold,
) -> Result<(), Stop> {
    let most = open.len() + steps.steps.len();
    hold.more((most * size_of::<Reverse<(C, Id)>>()) as u64)?;
    let mut queue = BinaryHeap::with_capacity(most);
    queue.extend(open.into_iter().map(Reverse));
    let mut expanded = 0_usize;
    while let Some(Reverse((cost, id))) = queue.pop() {
        if left[id as usize].is_some() {
            continue;
        }
        if expanded % CHECK_INTERVAL == 0 {
            control.check()?;
        }
        expanded += 1;
        left[id as usize] = Some(cost);
        for &(from, step) in steps.to(id) {
            if left[from as usize].is_none() {
                queue.push(Reverse((step.checked_add(cost).unwrap_or_else(greatest), from)));
            }
        }
    }
    // Rounding depends on the order of addition: the estimate must not be too high.
    for cost in left.iter_mut().flatten().filter(|cost| **cost > C::ZERO) {
        *cost = C::at_least(cost.total(C::ZERO), 1);
    }
    Ok(())
}
