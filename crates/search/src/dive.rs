//! The one loop under depth-first search, iterative deepening and IDA*: depth first, no further than a
//! bound on `g + h`.

use std::{
    hash::Hash,
    ops::ControlFlow::{self, Break, Continue},
};

use crate::{
    Cost, Counters, Heuristic, Node, Observer, Path, Space, Stop,
    table::{Entry, Table},
};

/// A depth-first search.
///
/// It recurses, which is the fastest way to walk a tree, but not for more than a number of levels: then
/// the path is moved from the thread's stack to the heap and the recursion begins anew below it. So no
/// depth overflows the stack, and a level costs the heap next to nothing.
pub(crate) struct Dive<'a, S: Space, H: Heuristic<S>, V, O> {
    space: &'a S,
    heuristic: &'a H,
    observer: &'a mut O,
    pub(crate) counters: Counters,
    seen: V,
    bound: u64,
    /// The smallest `g + h` that the bound cut off. Sums are made in 64 bits, where they cannot wrap.
    cut: u64,
    /// The path above the recursion, root first; at a goal, the whole path but the goal.
    path: Vec<Frame<S, H::Memo>>,
    /// The fewest levels that the recursion had left.
    least_room: usize,
}

/// A state on the path.
struct Frame<S: Space, M> {
    state: S::State,
    memo: M,
    cost: Cost,
    /// The action in hand, and how many are to be tried after it; none if the state is yet to be taken up.
    turn: Option<(S::Action, usize)>,
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

/// Why the recursion ended before it was through.
enum Why {
    Goal(Cost),
    Deep,
    Stop(Stop),
}

impl<'a, S: Space, H: Heuristic<S>, V: Seen<S::State>, O: Observer<S::State>> Dive<'a, S, H, V, O> {
    /// The levels of one recursion: a fraction of a small thread's stack.
    const LEVELS: usize = {
        let levels = (256 << 10) / (512 + 4 * size_of::<Frame<S, H::Memo>>());
        if levels > 2 { levels } else { 2 }
    };

    pub(crate) fn new(space: &'a S, heuristic: &'a H, seen: V, observer: &'a mut O) -> Self {
        let counters = Counters { generated: 1, ..Counters::default() };
        let (bound, cut, path, least_room) = (0, u64::MAX, Vec::new(), 0);
        Self { space, heuristic, observer, counters, seen, bound, cut, path, least_room }
    }

    /// Searches from `start` as far as `bound`.
    pub(crate) fn within(&mut self, start: &S::State, bound: Cost) -> ControlFlow<Stop, End> {
        self.observer.iteration(bound, &self.counters)?;
        self.seen.begin();
        self.bound = u64::from(bound);
        self.cut = u64::MAX;
        self.path.clear();
        self.is_news(start, 0)?;
        let end = self.dive(Frame { state: start.clone(), memo: self.heuristic.start(start), cost: 0, turn: None });
        self.counters.peak_states = self.counters.peak_states.max(self.seen.len() as u64);
        end
    }

    /// Recurses from `frame`, and then from what is left of the path until that is used up.
    fn dive(&mut self, mut frame: Frame<S, H::Memo>) -> ControlFlow<Stop, End> {
        loop {
            self.make_room()?;
            let above = self.path.len();
            self.least_room = Self::LEVELS;
            let ended = self.go_on(&frame);
            let states = above + 1 + Self::LEVELS - self.least_room;
            self.counters.peak_states = self.counters.peak_states.max(states as u64);
            // The recursion has left its frames the deepest first.
            self.path[above..].reverse();
            match ended {
                Continue(()) | Break(Why::Deep) => match self.path.pop() {
                    Some(next) => frame = next,
                    None => return end(self.cut),
                },
                Break(Why::Goal(cost)) => return Continue(End::Goal(cost)),
                Break(Why::Stop(why)) => return Break(why),
            }
        }
    }

    /// Takes up a state, or goes on with what is left of its actions.
    fn go_on(&mut self, frame: &Frame<S, H::Memo>) -> ControlFlow<Why> {
        let before = self.path.last().map(|before| before.state.clone());
        let Frame { state, memo, cost, turn } = frame;
        let Some((_, left)) = turn else {
            return self.take_up(state, before.as_ref(), *memo, *cost, Self::LEVELS);
        };
        let done = self.space.actions(state).count() - left;
        let actions = self.space.actions(state).skip(done);
        self.try_all(actions, state, before.as_ref(), *memo, *cost, Self::LEVELS - 1)
    }

    fn take_up(
        &mut self,
        state: &S::State,
        before: Option<&S::State>,
        memo: H::Memo,
        cost: Cost,
        room: usize,
    ) -> ControlFlow<Why> {
        self.least_room = self.least_room.min(room);
        if room == 0 {
            self.path.push(Frame { state: state.clone(), memo, cost, turn: None });
            return Break(Why::Deep);
        }
        let estimate = self.heuristic.estimate(memo);
        self.observer.expand(&Node { state, cost, estimate }, &self.counters).map_break(Why::Stop)?;
        self.counters.expanded += 1;
        if self.space.is_goal(state) {
            return Break(Why::Goal(cost));
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
        paid: Cost,
        room: usize,
    ) -> ControlFlow<Why> {
        while let Some(action) = actions.next() {
            let mut after = state.clone();
            let step = self.space.apply(&mut after, &action);
            if before == Some(&after) {
                continue;
            }
            let memo_after = self.heuristic.step(memo, state, &action, &after);
            let estimate = self.heuristic.estimate(memo_after);
            let total = u64::from(paid) + u64::from(step) + u64::from(estimate);
            let cost = paid.saturating_add(step);
            self.counters.generated += 1;
            let node = Node { state: &after, cost, estimate };
            self.observer.generate(state, &node, &self.counters).map_break(Why::Stop)?;
            if total > self.bound {
                self.cut = self.cut.min(total);
            } else if self.is_news(&after, cost).map_break(Why::Stop)? {
                let ended = self.take_up(&after, Some(state), memo_after, cost, room);
                if ended.is_break() {
                    if !matches!(ended, Break(Why::Stop(_))) {
                        let turn = Some((action, actions.count()));
                        self.path.push(Frame { state: state.clone(), memo, cost: paid, turn });
                    }
                    return ended;
                }
            }
        }
        Continue(())
    }

    #[inline]
    fn is_news(&mut self, state: &S::State, cost: Cost) -> ControlFlow<Stop, bool> {
        let stacks = Self::path_bytes(self.path.capacity());
        self.seen.is_news(state, cost, stacks, &mut self.counters, self.observer)
    }

    /// Makes room for what one recursion may add to the path.
    fn make_room(&mut self) -> ControlFlow<Stop> {
        let needed = self.path.len() + Self::LEVELS + 1;
        if self.path.capacity() < needed {
            let capacity = needed.max(self.path.capacity() * 2);
            let bytes = Self::path_bytes(capacity) + self.seen.bytes();
            self.observer.grow(bytes, &self.counters)?;
            self.counters.peak_bytes = self.counters.peak_bytes.max(bytes);
            self.path.reserve_exact(capacity - self.path.len());
        }
        Continue(())
    }

    fn path_bytes(frames: usize) -> u64 {
        (frames * size_of::<Frame<S, H::Memo>>()) as u64
    }

    /// The path to the goal at which the last dive ended.
    pub(crate) fn path<T>(&self, start: &S::State) -> Path<T>
    where
        T: Space<State = S::State, Action = S::Action>,
    {
        let actions = self.path.iter().filter_map(|frame| frame.turn.as_ref()).map(|(action, _)| action.clone());
        Path { start: start.clone(), actions: actions.collect() }
    }
}

/// The end of a dive without a goal, from the smallest sum that was cut off.
fn end(cut: u64) -> ControlFlow<Stop, End> {
    match Cost::try_from(cut) {
        Ok(cut) => Continue(End::Cut(cut)),
        Err(_) if cut == u64::MAX => Continue(End::Exhausted),
        Err(_) => Break(Stop::Overflow),
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Zero, from_fn};

    /// A number in a state so large that a recursion gets few levels.
    #[derive(Clone, PartialEq, Eq, Hash)]
    struct Large(u32, [u8; 1 << 14]);

    /// What a dive to a bound finds and counts.
    fn dive<S: Space>(space: &S, start: &S::State, bound: Cost) -> (Option<Cost>, usize, Counters) {
        let mut observer = ();
        let mut dive = Dive::new(space, &Zero, Forgetful, &mut observer);
        let Continue(end) = dive.within(start, bound) else { panic!("nothing stops it") };
        let cost = if let End::Goal(cost) = end { Some(cost) } else { None };
        (cost, cost.map_or(0, |_| dive.path::<S>(start).len()), dive.counters)
    }

    proptest! {
        #[test]
        fn moving_the_path_to_the_heap_changes_nothing(
            edges in prop::collection::vec((0..9_u32, 0..9_u32, 1..3_u32), 0..20),
            bound in 0..9_u32,
        ) {
            let successors = |n: u32| edges.iter().filter(move |edge| edge.0 == n).map(|&(_, to, cost)| (to, cost));
            let small = from_fn(|&n: &u32| successors(n).collect::<Vec<_>>(), |&n| n == 8);
            let large = |n| Large(n, [0; 1 << 14]);
            let wide = from_fn(
                |state: &Large| successors(state.0).map(|(to, cost)| (large(to), cost)).collect::<Vec<_>>(),
                |state| state.0 == 8,
            );
            let few = dive(&wide, &large(0), bound);
            let many = dive(&small, &0, bound);
            prop_assert_eq!((few.0, few.1, few.2.expanded, few.2.generated), (many.0, many.1, many.2.expanded, many.2.generated));
            prop_assert_eq!(few.2.peak_states, many.2.peak_states);
        }
    }

    #[test]
    fn a_million_levels_do_not_overflow_the_stack() {
        // Each number also has a dead end, which is tried first.
        let comb =
            from_fn(|&n: &u32| [(n + 1, 2), (n + 2, 1)].into_iter().filter(move |_| n % 2 == 0), |&n| n == 2_000_000);
        let (cost, length, counters) = dive(&comb, &0, Cost::MAX);
        assert_eq!((cost, length), (Some(1_000_000), 1_000_000));
        assert_eq!(counters.expanded, 2_000_001);
        assert_eq!(counters.peak_states, 1_000_001);
    }
}
