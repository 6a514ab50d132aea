//! The one loop under depth-first search, iterative deepening and IDA*: depth first, no further than a
//! bound on `g + h`.

mod memory;
mod seen;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow::{self, Break, Continue};

pub(crate) use self::memory::{Forgetful, Memory, Once};
use crate::{Bound, Control, Cost, Counters, Fate, Heuristic, Hold, Meter, Observer, Path, Space, Stop, trail::Trail};

/// A depth-first search.
///
/// It recurses, which is the fastest way to walk a tree, but not for more than a number of levels: then
/// the path is moved from the thread's stack to the heap and the recursion begins anew below it. So no
/// depth overflows the stack, and a level costs the heap next to nothing.
pub(crate) struct Dive<'a, 'c, S: Space, H: Heuristic<S>, M, O> {
    space: &'a S,
    heuristic: &'a H,
    memory: M,
    starts: &'a [S::State],
    observer: &'a mut O,
    meter: Meter<'c>,
    hold: Hold,
    bound: <S::Cost as Cost>::Rank,
    /// The smallest `g + h` that the bound cut off; whether one was beyond all that can be added up, and whether there was
    /// a `g` that does not fit.
    cut: <S::Cost as Cost>::Rank,
    is_beyond: bool,
    is_too_dear: bool,
    /// The path above the recursion, root first; at a goal, the whole path but the goal.
    path: Vec<Frame<S, H::Memo>>,
    /// The start of the path.
    root: usize,
    /// The levels of one recursion, and the fewest that it had left.
    levels: usize,
    least_room: usize,
    /// The states that free steps have left, on the path and in the recursion.
    trail: Trail<S::State, S::Cost>,
    /// The numbers of the states on the path, where somebody watches, and the next one's. They are held besides, so that
    /// a search says the same of itself whether it is watched or not.
    ids: Vec<u64>,
    hold_for_ids: Hold,
    next_id: u64,
}

/// A state on the path.
struct Frame<S: Space, M> {
    state: S::State,
    memo: M,
    cost: S::Cost,
    /// The action in hand, and how many are to be tried after it; none if the state is yet to be taken up.
    turn: Option<(S::Action, usize)>,
}

/// States that are gone through between two looks at the control where none is expanded.
const BETWEEN_LOOKS: usize = 1 << 10;

/// How a dive ended.
pub(crate) enum End<C: Cost> {
    /// At a goal, after paying this.
    Goal(C),
    /// The bound cut something off; this is the smallest `g + h` among it, or the greatest rank, where only a dive that no
    /// estimate cuts off can tell what is there.
    Cut(C::Rank),
    /// Nothing was cut off: no goal can be reached.
    Exhausted,
}

/// The cost that a rank is; the greatest, if none is as great.
pub(crate) fn cost_of<C: Cost>(rank: C::Rank) -> C {
    C::from_rank(rank).unwrap_or_else(|| C::at_least(rank, 1))
}

/// Why the recursion ended before it was through.
enum Why<C> {
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
        meter.counters.generated = starts.len() as u64;
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
            is_beyond: false,
            is_too_dear: false,
            path: Vec::new(),
            root: 0,
            levels: levels::<S, H::Memo>(space, starts),
            least_room: 0,
            trail: Trail::new(),
            ids: Vec::new(),
            hold_for_ids: control.hold(),
            next_id: 0,
        }
    }

    /// What all dives have done together.
    pub(crate) fn counters(&self) -> Counters {
        Counters { peak_bytes: self.hold.peak(), ..self.meter.counters }
    }

    /// Searches from each start as far as `bound`, which observers are told as `said`.
    pub(crate) fn within(
        &mut self,
        bound: <S::Cost as Cost>::Rank,
        said: Bound<S::Cost>,
    ) -> ControlFlow<Stop, End<S::Cost>> {
        self.observer.iteration(said, &self.meter.counters)?;
        self.memory.begin();
        self.bound = bound;
        self.cut = S::Cost::MOST_RANK;
        self.is_beyond = false;
        self.is_too_dear = false;
        for root in 0..self.starts.len() {
            self.root = root;
            if let Some(cost) = self.dive_from(&self.starts[root])? {
                return Continue(End::Goal(cost));
            }
        }
        if self.leads_on() {
            return Continue(End::Cut(self.cut));
        }
        let is_beyond = self.cut < S::Cost::MOST_RANK || self.is_beyond;
        if is_beyond && (M::REMEMBERS || !self.heuristic.is_admissible()) {
            // One dive that no estimate cuts off shows what is there.
            return Continue(End::Cut(S::Cost::MOST_RANK));
        }
        let leads_beyond = is_beyond || (self.is_too_dear && self.leads_beyond()?);
        if leads_beyond { Break(Stop::Overflow) } else { Continue(End::Exhausted) }
    }

    /// Whether something that was cut off is worth going on to. Where an estimate may be too high, what it makes dearer
    /// than any cost may be cheap all the same.
    fn leads_on(&self) -> bool {
        let is_cost = S::Cost::from_rank(self.cut).is_some();
        is_cost || (self.cut < S::Cost::MOST_RANK && !self.heuristic.is_admissible())
    }

    /// Whether something can only be reached at a cost that does not fit, now that all that fits was gone through. A
    /// dive that remembers nothing has to believe it of every dear step.
    #[cold]
    fn leads_beyond(&self) -> ControlFlow<Stop, bool> {
        if !M::REMEMBERS {
            return Continue(true);
        }
        for at in 0..self.memory.len() {
            if at % BETWEEN_LOOKS == 0 {
                self.meter.control().check()?;
            }
            if self.memory.entry(at).is_some_and(|(state, paid)| self.leads_beyond_from(state, paid)) {
                return Continue(true);
            }
        }
        Continue(false)
    }

    fn leads_beyond_from(&self, state: &S::State, paid: S::Cost) -> bool {
        self.space.actions(state).any(|action| {
            let (after, step) = self.space.follow(state, action);
            let is_dead_end = self.heuristic.estimate(self.heuristic.start(&after)).is_none();
            paid.checked_add(step).is_none() && !is_dead_end && !self.memory.knows(&after)
        })
    }

    #[inline]
    fn cut_off(&mut self, total: <S::Cost as Cost>::Rank) {
        self.cut = self.cut.min(total);
        self.is_beyond |= total == S::Cost::MOST_RANK;
    }

    fn dive_from(&mut self, start: &S::State) -> ControlFlow<Stop, Option<S::Cost>> {
        let memo = self.heuristic.start(start);
        let Some(estimate) = self.heuristic.estimate(memo) else { return Continue(None) };
        let total = S::Cost::ZERO.total(estimate);
        if total > self.bound {
            self.cut_off(total);
            return Continue(None);
        }
        self.path.clear();
        self.trail.clear();
        self.number_root()?;
        self.memory.is_news(start, S::Cost::ZERO, &mut self.hold)?;
        let end = self.dive(Frame { state: start.clone(), memo, cost: S::Cost::ZERO, turn: None });
        let peak = self.meter.counters.peak_states.max(self.memory.len() as u64);
        self.meter.counters.peak_states = peak;
        end
    }

    /// Recurses from `frame`, and then from what is left of the path until that is used up.
    fn dive(&mut self, mut frame: Frame<S, H::Memo>) -> ControlFlow<Stop, Option<S::Cost>> {
        let mut turns = 0_usize;
        loop {
            turns += 1;
            if turns % BETWEEN_LOOKS == 0 {
                // A long path may be gone back without an expansion.
                self.meter.control().check()?;
            }
            let needed = self.path.len() + self.levels + 1;
            if self.path.capacity() < needed {
                let capacity = needed.max(self.path.capacity() * 2);
                self.hold.reserve(&mut self.path, capacity)?;
            }
            let above = self.path.len();
            self.least_room = self.levels;
            let ended = self.go_on(&frame);
            let states = (above + 1 + self.levels - self.least_room) as u64;
            self.meter.counters.peak_states = self.meter.counters.peak_states.max(states);
            // The recursion has left its frames the deepest first.
            self.path[above..].reverse();
            match ended {
                Continue(()) | Break(Why::Deep) => match self.path.pop() {
                    Some(next) => frame = next,
                    None => return Continue(None),
                },
                Break(Why::Goal(cost)) => return Continue(Some(cost)),
                Break(Why::Stop(why)) => return Break(why),
            }
        }
    }

    /// Takes up a state, or goes on with what is left of its actions.
    fn go_on(&mut self, frame: &Frame<S, H::Memo>) -> ControlFlow<Why<S::Cost>> {
        self.ids.truncate(self.path.len() + 1);
        if frame.turn.is_some() {
            self.trail.return_to(&frame.state, frame.cost);
        }
        let before = self.path.last().map(|before| before.state.clone());
        let Frame { state, memo, cost, turn } = frame;
        let Some((_, left)) = turn else {
            return self.take_up(state, before.as_ref(), *memo, *cost, self.levels);
        };
        let actions = listed(self.space, state);
        let done = actions.len() - left;
        self.try_all(actions.skip(done), state, before.as_ref(), *memo, *cost, self.levels - 1)
    }

    fn take_up(
        &mut self,
        state: &S::State,
        before: Option<&S::State>,
        memo: H::Memo,
        cost: S::Cost,
        room: usize,
    ) -> ControlFlow<Why<S::Cost>> {
        self.least_room = self.least_room.min(room);
        if room == 0 {
            self.path.push(Frame { state: state.clone(), memo, cost, turn: None });
            return Break(Why::Deep);
        }
        self.meter.expand().map_break(Why::Stop)?;
        if self.observer.watches() {
            self.show(state, memo, cost).map_break(Why::Stop)?;
        }
        if self.space.is_goal(state) {
            return Break(Why::Goal(cost));
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
    ) -> ControlFlow<Why<S::Cost>> {
        while let Some(action) = actions.next() {
            let mut after = state.clone();
            let step = self.space.apply(&mut after, &action);
            if before == Some(&after) {
                continue;
            }
            self.meter.counters.generated += 1;
            let memo_after = self.heuristic.step(memo, state, &action, &after);
            let (fate, cost) = self.judge(state, &after, memo_after, paid, step).map_break(Why::Stop)?;
            if self.observer.watches() {
                self.show_new(&after, memo_after, cost, fate).map_break(Why::Stop)?;
            }
            if fate != Fate::New {
                continue;
            }
            let ended = if cost == paid {
                self.take_up_for_free(&after, state, memo_after, cost, room)
            } else {
                self.take_up(&after, Some(state), memo_after, cost, room)
            };
            if ended.is_break() {
                if !matches!(ended, Break(Why::Stop(_))) {
                    let turn = Some((action, actions.count()));
                    self.path.push(Frame { state: state.clone(), memo, cost: paid, turn });
                }
                return ended;
            }
            if self.observer.watches() {
                self.ids.pop();
            }
        }
        Continue(())
    }

    /// Whether a successor is worth taking up, and what it costs to get there.
    #[inline]
    fn judge(
        &mut self,
        state: &S::State,
        after: &S::State,
        memo: H::Memo,
        paid: S::Cost,
        step: S::Cost,
    ) -> ControlFlow<Stop, (Fate, S::Cost)> {
        let Some(estimate) = self.heuristic.estimate(memo) else { return Continue((Fate::DeadEnd, paid)) };
        let Some(cost) = paid.checked_add(step) else {
            if state == after {
                return Continue((Fate::Known, paid));
            }
            self.is_too_dear = true;
            return Continue((Fate::TooDear, paid));
        };
        let total = cost.total(estimate);
        if total > self.bound {
            self.cut_off(total);
            return Continue((Fate::Cut, cost));
        }
        if cost == paid && (state == after || self.trail.contains(after, cost)) {
            return Continue((Fate::Known, cost));
        }
        let is_news = self.memory.is_news(after, cost, &mut self.hold)?;
        Continue((if is_news { Fate::New } else { Fate::Known }, cost))
    }

    /// Takes up a state that a free step led to.
    #[cold]
    fn take_up_for_free(
        &mut self,
        after: &S::State,
        state: &S::State,
        memo: H::Memo,
        cost: S::Cost,
        room: usize,
    ) -> ControlFlow<Why<S::Cost>> {
        self.trail.leave(state, cost, &mut self.hold).map_break(Why::Stop)?;
        self.take_up(after, Some(state), memo, cost, room)?;
        self.trail.return_to(state, cost);
        Continue(())
    }

    /// The path to the goal at which the last dive ended.
    pub(crate) fn path(&self) -> Path<S::State, S::Action> {
        let actions = self.path.iter().filter_map(|frame| frame.turn.as_ref()).map(|(action, _)| action.clone());
        Path { start: self.starts[self.root].clone(), actions: actions.collect() }
    }
}

/// A state's actions on the heap. In a function of its own, so that nothing of how they are made stays on the stack.
#[inline(never)]
fn listed<S: Space>(space: &S, state: &S::State) -> std::vec::IntoIter<S::Action> {
    space.actions(state).collect::<Vec<_>>().into_iter()
}

/// Whether the actions of a state, as the space hands them out, are a burden for a stack, as large arrays of them are.
#[inline]
fn are_large<S: Space>(space: &S, state: &S::State) -> bool {
    const LARGE: usize = 1 << 12;
    bytes_made(|| space.actions(state)) > LARGE
}

/// The size of what is made, which is not made.
#[inline]
fn bytes_made<T>(_: impl FnOnce() -> T) -> usize {
    size_of::<T>()
}

/// The levels of one recursion: a fraction of a small thread's stack. A level holds a state's actions too, which may be
/// large where they are listed in an array.
fn levels<S: Space, M>(space: &S, starts: &[S::State]) -> usize {
    let actions = starts.first().map_or(0, |start| bytes_made(|| space.actions(start)));
    let each = 512 + 4 * size_of::<Frame<S, M>>() + 4 * actions;
    ((256 << 10) / each).max(2)
}
