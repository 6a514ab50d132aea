//! The loop under depth-first search, iterative deepening and IDA*: a depth-first search within a bound on `g + h`.

mod memory;
#[cfg(test)]
mod tests;
mod zero_cost;

pub(crate) use self::memory::{Forgetful, Memory, Met};
use self::zero_cost::ZeroCostPath;
use crate::{Bound, Control, Cost, Counters, Fate, Heuristic, Hold, Meter, Node, Observer, Path, Space, Stop, Tree};

/// A depth-first search.
///
/// It recurses, which is fastest, but only for a number of levels: then the path is moved from the thread's stack to the
/// heap, and the recursion begins anew below it. So no depth overflows the stack.
pub(crate) struct Dive<'a, 'c, S: Space, H: Heuristic<S>, M, O> {
    space: &'a S,
    heuristic: &'a H,
    memory: M,
    starts: &'a [S::State],
    observer: &'a mut O,
    meter: Meter<'c>,
    hold: Hold,
    bound: <S::Cost as Cost>::Rank,
    /// The smallest `g + h` that the bound cut off, and whether it cut anything off.
    cut: <S::Cost as Cost>::Rank,
    was_cut: bool,
    /// Whether a path was dropped because its cost does not fit.
    has_overflowed: bool,
    /// The path above the recursion, root first; at a goal, the whole path but the goal.
    path: Vec<Frame<S, H::Memo>>,
    root: usize,
    /// The levels of one recursion, and the fewest that it had left.
    levels: usize,
    least_room: usize,
    /// The states on the path that were left by zero-cost steps.
    zero_cost: ZeroCostPath<S::State, S::Cost>,
    /// The numbers of the states on the path for an observer, and the next number. They have a hold of their own, so that a
    /// watched search reports the same counts.
    ids: Vec<u64>,
    hold_for_ids: Hold,
    next_id: u64,
}

struct Frame<S: Space, M> {
    state: S::State,
    memo: M,
    cost: S::Cost,
    /// The action that the path takes, and the number still to be tried after it; `None` for an unexpanded state.
    action: Option<(S::Action, usize)>,
}

/// Frames between two checks of the control while the search backtracks.
const CHECK_INTERVAL: usize = 1 << 10;

pub(crate) enum End<C> {
    /// At a goal, with the cost of the path to it.
    Goal(C),
    /// The bound cut something off; the smallest `g + h` of all that was cut off.
    Cut(C),
    /// Nothing was cut off: no goal can be reached.
    Exhausted,
}

enum Interrupt<C> {
    Goal(C),
    Deep,
    Stop(Stop),
}

impl<'a, 'c, S, H, M, O> Dive<'a, 'c, S, H, M, O>
where
    S: Space,
    H: Heuristic<S>,
    M: Memory<S::State, S::Cost>,
    O: Observer<S::State, S::Cost>,
{
    pub(crate) fn new(
        space: &'a S,
        heuristic: &'a H,
        memory: M,
        starts: &'a [S::State],
        control: &'c Control,
        observer: &'a mut O,
    ) -> Self {
        let mut meter = control.meter();
        meter.generate(starts.len() as u64);
        Self {
            space,
            heuristic,
            memory,
            starts,
            observer,
            meter,
            hold: control.hold(),
            bound: S::Cost::ZERO.total(S::Cost::ZERO),
            cut: S::Cost::MOST_RANK,
            was_cut: false,
            has_overflowed: false,
            path: Vec::new(),
            root: 0,
            levels: levels::<S, H::Memo>(space, starts),
            least_room: 0,
            zero_cost: ZeroCostPath::new(),
            ids: Vec::new(),
            hold_for_ids: control.hold(),
            next_id: 0,
        }
    }

    /// The counts of all dives together.
    pub(crate) fn counters(&self) -> Counters {
        Counters { peak_bytes: self.hold.peak(), ..*self.meter.counters() }
    }

    /// Searches from each start as far as `bound`, which observers are told as `shown`.
    pub(crate) fn within(&mut self, bound: S::Cost, shown: Bound<S::Cost>) -> Result<End<S::Cost>, Stop> {
        self.observer.iteration(shown, self.meter.counters())?;
        self.memory.begin();
        self.bound = bound.total(S::Cost::ZERO);
        self.cut = S::Cost::MOST_RANK;
        (self.was_cut, self.has_overflowed) = (false, false);
        for root in 0..self.starts.len() {
            self.root = root;
            if let Some(cost) = self.dive_from(&self.starts[root])? {
                return Ok(End::Goal(cost));
            }
        }
        match S::Cost::from_rank(self.cut) {
            Some(next) => Ok(End::Cut(next)),
            None if self.was_cut || self.has_overflowed => Err(Stop::Overflow),
            None => Ok(End::Exhausted),
        }
    }

    #[inline]
    fn cut_off(&mut self, total: <S::Cost as Cost>::Rank) {
        self.cut = self.cut.min(total);
        self.was_cut = true;
    }

    fn dive_from(&mut self, start: &S::State) -> Result<Option<S::Cost>, Stop> {
        let memo = self.heuristic.start(start);
        let Some(estimate) = self.heuristic.estimate(memo) else { return Ok(None) };
        let total = S::Cost::ZERO.total(estimate);
        if total > self.bound {
            self.cut_off(total);
            return Ok(None);
        }
        self.path.clear();
        self.zero_cost.clear();
        if self.observer.watches() {
            self.ids.clear();
            self.number(self.next_id)?;
            self.next_id += 1;
        }
        self.memory.is_news(start, S::Cost::ZERO, &mut self.hold)?;
        let end = self.dive(Frame { state: start.clone(), memo, cost: S::Cost::ZERO, action: None });
        self.meter.note_states(self.memory.len() as u64);
        end
    }

    /// Recurses from `frame`, and then from what is left of the path until that is used up.
    fn dive(&mut self, mut frame: Frame<S, H::Memo>) -> Result<Option<S::Cost>, Stop> {
        let mut rounds = 0_usize;
        loop {
            rounds += 1;
            if rounds % CHECK_INTERVAL == 0 {
                // The search may go back along a path without expanding anything.
                self.meter.control().check()?;
            }
            let needed = self.path.len() + self.levels + 1;
            if self.path.capacity() < needed {
                let capacity = needed.max(self.path.capacity() * 2);
                self.hold.reserve(&mut self.path, capacity)?;
            }
            let above = self.path.len();
            self.least_room = self.levels;
            let ended = self.resume(&frame);
            let states = (above + 1 + self.levels - self.least_room) as u64;
            self.meter.note_states(states);
            // The recursion has left its frames the deepest first.
            self.path[above..].reverse();
            match ended {
                Ok(()) | Err(Interrupt::Deep) => match self.path.pop() {
                    Some(next) => frame = next,
                    None => return Ok(None),
                },
                Err(Interrupt::Goal(cost)) => return Ok(Some(cost)),
                Err(Interrupt::Stop(why)) => return Err(why),
            }
        }
    }

    /// Expands a state, or tries the rest of its actions.
    fn resume(&mut self, frame: &Frame<S, H::Memo>) -> Result<(), Interrupt<S::Cost>> {
        self.ids.truncate(self.path.len() + 1);
        if frame.action.is_some() {
            self.zero_cost.return_to(&frame.state, frame.cost);
        }
        let before = self.path.last().map(|before| before.state.clone());
        let Frame { state, memo, cost, action } = frame;
        let Some((_, left)) = action else {
            return self.expand(state, before.as_ref(), *memo, *cost, self.levels);
        };
        let actions = listed(self.space, state);
        let done = actions.len() - left;
        self.try_all(actions.skip(done), state, before.as_ref(), *memo, *cost, self.levels - 1)
    }

    fn expand(
        &mut self,
        state: &S::State,
        before: Option<&S::State>,
        memo: H::Memo,
        cost: S::Cost,
        room: usize,
    ) -> Result<(), Interrupt<S::Cost>> {
        self.least_room = self.least_room.min(room);
        if room == 0 {
            self.path.push(Frame { state: state.clone(), memo, cost, action: None });
            return Err(Interrupt::Deep);
        }
        self.meter.expand().map_err(Interrupt::Stop)?;
        if self.observer.watches() {
            self.show(state, memo, cost).map_err(Interrupt::Stop)?;
        }
        if self.space.is_goal(state) {
            return Err(Interrupt::Goal(cost));
        }
        if are_large(self.space, state) {
            return self.try_all(listed(self.space, state), state, before, memo, cost, room - 1);
        }
        self.try_all(self.space.actions(state), state, before, memo, cost, room - 1)
    }

    #[inline]
    fn try_all(
        &mut self,
        mut actions: impl Iterator<Item = S::Action>,
        state: &S::State,
        before: Option<&S::State>,
        memo: H::Memo,
        paid: S::Cost,
        room: usize,
    ) -> Result<(), Interrupt<S::Cost>> {
        while let Some(action) = actions.next() {
            let mut after = state.clone();
            let step = self.space.apply(&mut after, &action);
            if before == Some(&after) {
                continue;
            }
            self.meter.generate(1);
            let memo_after = self.heuristic.step(memo, state, &action, &after);
            let (fate, cost) = self.judge(state, &after, memo_after, paid, step).map_err(Interrupt::Stop)?;
            if self.observer.watches() {
                self.show_new(&after, memo_after, cost, fate).map_err(Interrupt::Stop)?;
            }
            if fate != Fate::New {
                continue;
            }
            let ended = if cost == paid {
                self.expand_at_zero_cost(&after, state, memo_after, cost, room)
            } else {
                self.expand(&after, Some(state), memo_after, cost, room)
            };
            if ended.is_err() {
                if !matches!(ended, Err(Interrupt::Stop(_))) {
                    let action = Some((action, actions.count()));
                    self.path.push(Frame { state: state.clone(), memo, cost: paid, action });
                }
                return ended;
            }
            if self.observer.watches() {
                self.ids.pop();
            }
        }
        Ok(())
    }

    /// The fate of a successor, and the cost of the path to it.
    #[inline]
    fn judge(
        &mut self,
        state: &S::State,
        after: &S::State,
        memo: H::Memo,
        paid: S::Cost,
        step: S::Cost,
    ) -> Result<(Fate, S::Cost), Stop> {
        let Some(estimate) = self.heuristic.estimate(memo) else { return Ok((Fate::DeadEnd, paid)) };
        let Some(cost) = paid.checked_add(step) else {
            self.has_overflowed = true;
            return Ok((Fate::Overflow, paid));
        };
        let total = cost.total(estimate);
        if total > self.bound {
            self.cut_off(total);
            return Ok((Fate::Cut, cost));
        }
        if cost == paid && (state == after || self.zero_cost.contains(after, cost)) {
            return Ok((Fate::Known, cost));
        }
        let is_news = self.memory.is_news(after, cost, &mut self.hold)?;
        Ok((if is_news { Fate::New } else { Fate::Known }, cost))
    }

    /// Expands a state that was reached by a zero-cost step.
    #[cold]
    fn expand_at_zero_cost(
        &mut self,
        after: &S::State,
        state: &S::State,
        memo: H::Memo,
        cost: S::Cost,
        room: usize,
    ) -> Result<(), Interrupt<S::Cost>> {
        self.zero_cost.leave(state, cost, &mut self.hold).map_err(Interrupt::Stop)?;
        self.expand(after, Some(state), memo, cost, room)?;
        self.zero_cost.return_to(state, cost);
        Ok(())
    }

    /// Notes the number of the state that is expanded next, for an observer.
    fn number(&mut self, id: u64) -> Result<(), Stop> {
        self.hold_for_ids.push(&mut self.ids, id)
    }

    /// Shows a state that is about to be expanded.
    fn show(&mut self, state: &S::State, memo: H::Memo, cost: S::Cost) -> Result<(), Stop> {
        let parent = self.ids.len().checked_sub(2).map(|at| self.ids[at]);
        let id = self.ids.last().copied().unwrap_or(0);
        let estimate = self.heuristic.estimate(memo);
        let node = Node { id, parent, tree: Tree::Forward, state, cost, estimate };
        self.observer.expand(&node, self.meter.counters())
    }

    /// Shows a state that was generated, and numbers it if it is to be expanded.
    fn show_new(&mut self, state: &S::State, memo: H::Memo, cost: S::Cost, fate: Fate) -> Result<(), Stop> {
        let (id, parent) = (self.next_id, self.ids.last().copied());
        let estimate = self.heuristic.estimate(memo);
        self.next_id += 1;
        let node = Node { id, parent, tree: Tree::Forward, state, cost, estimate };
        self.observer.generate(&node, fate, self.meter.counters())?;
        if fate == Fate::New {
            self.number(id)?;
        }
        Ok(())
    }

    /// The path to the goal at which the last dive ended.
    pub(crate) fn path(&self) -> Path<S::State, S::Action> {
        let actions = self.path.iter().filter_map(|frame| frame.action.as_ref()).map(|(action, _)| action.clone());
        Path { start: self.starts[self.root].clone(), actions: actions.collect() }
    }
}

/// A state's actions on the heap. A function of its own, so that the iterator does not stay on the stack.
#[inline(never)]
fn listed<S: Space>(space: &S, state: &S::State) -> std::vec::IntoIter<S::Action> {
    space.actions(state).collect::<Vec<_>>().into_iter()
}

/// Whether the iterator over a state's actions is too large for the stack, as one over a large array is.
#[inline]
fn are_large<S: Space>(space: &S, state: &S::State) -> bool {
    const MAX_STACK_BYTES: usize = 1 << 12;
    size_of_result(|| space.actions(state)) > MAX_STACK_BYTES
}

/// The size of what a closure would return. It is not called.
#[inline]
fn size_of_result<T>(_: impl FnOnce() -> T) -> usize {
    size_of::<T>()
}

/// The levels of one recursion: as many as take 256 KiB of stack, a fraction of a small thread's.
fn levels<S: Space, M>(space: &S, starts: &[S::State]) -> usize {
    let actions = starts.first().map_or(0, |start| size_of_result(|| space.actions(start)));
    let each = 512 + 4 * size_of::<Frame<S, M>>() + 4 * actions;
    ((256 << 10) / each).max(2)
}
