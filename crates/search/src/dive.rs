//! The one loop under depth-first search, iterative deepening and IDA*: depth first, no further than a
//! bound on `g + h`.

use std::{
    hash::Hash,
    mem,
    ops::ControlFlow::{self, Break, Continue},
};

use crate::{
    Cost, Counters, Heuristic, Node, Observer, Path, Space, Stop,
    table::{Entry, Table},
};

/// A depth-first search. Its stack is explicit, so that no depth overflows the thread's own.
pub(crate) struct Dive<'a, S: Space, H: Heuristic<S>, V, O> {
    pub(crate) space: &'a S,
    pub(crate) heuristic: &'a H,
    pub(crate) observer: &'a mut O,
    pub(crate) counters: Counters,
    seen: V,
    /// The path in hand, without its last state.
    frames: Vec<Frame<S::State, H::Memo>>,
    /// The actions of all states of the path, one state's after the other's.
    actions: Vec<S::Action>,
}

/// A state on the path. Its actions before `next` have been tried; `next - 1` is the one in hand.
struct Frame<St, M> {
    state: St,
    memo: M,
    cost: Cost,
    next: usize,
    end: usize,
}

/// How a dive ended.
pub(crate) enum End {
    /// At a goal, after paying this.
    Goal(Cost),
    /// The bound cut something off; this is the smallest `g + h` among it.
    Cut(Cost),
    /// Nothing was cut off: no goal can be reached.
    Exhausted,
}

impl<'a, S: Space, H: Heuristic<S>, V: Seen<S::State>, O: Observer<S::State>> Dive<'a, S, H, V, O> {
    pub(crate) fn new(space: &'a S, heuristic: &'a H, seen: V, observer: &'a mut O) -> Self {
        let counters = Counters { generated: 1, ..Counters::default() };
        Self { space, heuristic, observer, counters, seen, frames: Vec::new(), actions: Vec::new() }
    }

    /// Searches from `start` as far as `bound`.
    pub(crate) fn within(&mut self, start: &S::State, bound: Cost) -> ControlFlow<Stop, End> {
        self.observer.iteration(bound, &self.counters)?;
        self.seen.begin();
        self.frames.clear();
        self.actions.clear();
        // The loop counts in locals, which stay in registers; they are written back however it ends.
        let mut counters = self.counters;
        let end = self.descend(start, bound, &mut counters);
        counters.peak_states = counters.peak_states.max(self.seen.len() as u64);
        self.counters = counters;
        end
    }

    fn descend(&mut self, start: &S::State, bound: Cost, counters: &mut Counters) -> ControlFlow<Stop, End> {
        let (space, heuristic) = (self.space, self.heuristic);
        let mut cut = None;
        let mut here = Frame { state: start.clone(), memo: heuristic.start(start), cost: 0, next: 0, end: 0 };
        self.is_news(start, 0, counters)?;
        loop {
            let estimate = heuristic.estimate(here.memo);
            self.observer.expand(&Node { state: &here.state, cost: here.cost, estimate }, counters)?;
            counters.expanded += 1;
            if space.is_goal(&here.state) {
                return Continue(End::Goal(here.cost));
            }
            here.next = self.actions.len();
            self.actions.extend(space.actions(&here.state));
            here.end = self.actions.len();
            let child = 'child: loop {
                while here.next < here.end {
                    let action = self.actions[here.next].clone();
                    here.next += 1;
                    let mut after = here.state.clone();
                    let step = space.apply(&mut after, &action);
                    if self.frames.last().is_some_and(|before| before.state == after) {
                        continue;
                    }
                    let memo = heuristic.step(here.memo, &here.state, &action, &after);
                    let estimate = heuristic.estimate(memo);
                    let Some(total) = here.cost.checked_add(step).and_then(|cost| cost.checked_add(estimate)) else {
                        return Break(Stop::Overflow);
                    };
                    let cost = total - estimate;
                    counters.generated += 1;
                    self.observer.generate(&here.state, &Node { state: &after, cost, estimate }, counters)?;
                    if total > bound {
                        cut = Some(cut.map_or(total, |least: Cost| least.min(total)));
                    } else if self.is_news(&after, cost, counters)? {
                        break 'child Frame { state: after, memo, cost, next: 0, end: 0 };
                    }
                }
                match self.frames.pop() {
                    Some(parent) => here = parent,
                    None => return Continue(cut.map_or(End::Exhausted, End::Cut)),
                }
                self.actions.truncate(here.end);
            };
            if self.frames.len() == self.frames.capacity() {
                self.make_room(counters)?;
            }
            self.frames.push(mem::replace(&mut here, child));
            counters.peak_states = counters.peak_states.max(self.frames.len() as u64 + 1);
        }
    }

    #[inline]
    fn is_news(&mut self, state: &S::State, cost: Cost, counters: &mut Counters) -> ControlFlow<Stop, bool> {
        let stacks = Self::stack_bytes(self.frames.capacity());
        self.seen.is_news(state, cost, stacks, counters, self.observer)
    }

    #[cold]
    fn make_room(&mut self, counters: &mut Counters) -> ControlFlow<Stop> {
        let capacity = (self.frames.capacity() * 2).max(64);
        let bytes = Self::stack_bytes(capacity) + self.seen.bytes();
        self.observer.grow(bytes, counters)?;
        counters.peak_bytes = counters.peak_bytes.max(bytes);
        self.frames.reserve_exact(capacity - self.frames.len());
        Continue(())
    }

    /// The stacks' bytes, with four actions to a frame.
    fn stack_bytes(frames: usize) -> u64 {
        (frames * (size_of::<Frame<S::State, H::Memo>>() + 4 * size_of::<S::Action>())) as u64
    }

    /// The path to the goal at which the last dive ended.
    pub(crate) fn path<T>(&self, start: &S::State) -> Path<T>
    where
        T: Space<State = S::State, Action = S::Action>,
    {
        let actions = self.frames.iter().map(|frame| self.actions[frame.next - 1].clone()).collect();
        Path { start: start.clone(), actions }
    }
}

/// What a dive remembers of the states it has met.
pub(crate) trait Seen<St> {
    /// A dive begins.
    fn begin(&mut self) {}
    /// Whether `state` is worth searching after paying `cost`: not if it was searched at that cost or
    /// less.
    fn is_news<O: Observer<St>>(
        &mut self,
        state: &St,
        cost: Cost,
        stacks: u64,
        counters: &mut Counters,
        observer: &mut O,
    ) -> ControlFlow<Stop, bool>;
    fn len(&self) -> usize;
    fn bytes(&self) -> u64;
}

impl<St: Clone + Eq + Hash> Seen<St> for Table<St, Cost> {
    #[inline]
    fn is_news<O: Observer<St>>(
        &mut self,
        state: &St,
        cost: Cost,
        stacks: u64,
        counters: &mut Counters,
        observer: &mut O,
    ) -> ControlFlow<Stop, bool> {
        let Entry::Known(id) = self.insert(state, cost, stacks, counters, observer)? else {
            return Continue(true);
        };
        let least = self.data_mut(id);
        let news = cost < *least;
        *least = cost.min(*least);
        Continue(news)
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn bytes(&self) -> u64 {
        self.bytes()
    }
}

/// Remembers nothing: every state is news.
pub(crate) struct Forgetful;

impl<St> Seen<St> for Forgetful {
    #[inline]
    fn is_news<O: Observer<St>>(
        &mut self,
        _: &St,
        _: Cost,
        _: u64,
        _: &mut Counters,
        _: &mut O,
    ) -> ControlFlow<Stop, bool> {
        Continue(true)
    }

    fn len(&self) -> usize {
        0
    }

    fn bytes(&self) -> u64 {
        0
    }
}
