use std::hash::Hash;

use crate::{
    Control, Cost, Heuristic, Hold, ReportOf, Run, Space, Starts, Zero, best_first,
    driver::{Blend, Buckets},
    hashed::Info,
    table::Table,
};

/// Memory that best-first searches use again: once it has grown, a search allocates nothing but the path that it returns.
///
/// It serves searches of any space and heuristic with the same types of state, cost and memo. A closure's memo is the
/// type that it returns, as in `Scratch<State, u32, u32>`. [`dijkstra`](Self::dijkstra) has none, as in `Scratch<State,
/// u32>`: A* and Dijkstra's algorithm need a scratch each. Its bytes count in each search's memory; if they exceed the
/// limit, it is freed first.
///
/// ```
/// use pintu_search::{from_fn, Control, Scratch};
///
/// let mut scratch = Scratch::new();
/// let control = Control::unlimited();
/// for goal in 1..100_u32 {
///     let line = from_fn(|&n: &u32| [(n + 1, 1_u32), (n + 2, 3)], |&n| n == goal);
///     let far = |&n: &u32| goal.checked_sub(n);
///     assert_eq!(scratch.astar(&line, &0, far, &control).solution().unwrap().cost, goal);
/// }
/// ```
pub struct Scratch<St, C: Cost, M = ()> {
    /// Missing during a search, and after one that panicked.
    parts: Option<Parts<St, C, M>>,
    bytes: u64,
}

/// The scratch for searches of a space with a heuristic.
pub(crate) type ScratchOf<S, H> = Scratch<<S as Space>::State, <S as Space>::Cost, <H as Heuristic<S>>::Memo>;

pub(crate) struct Parts<St, C: Cost, M> {
    pub(crate) table: Table<St, Info<C, M>>,
    pub(crate) queue: Buckets<C>,
}

impl<St: Clone + Eq + Hash, C: Cost, M: Copy> Scratch<St, C, M> {
    /// Scratch that holds nothing yet.
    pub fn new() -> Self {
        Self { parts: None, bytes: 0 }
    }

    /// The bytes that it holds between searches.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// [`astar`](crate::astar) in this memory.
    pub fn astar<'c, S: Space<State = St, Cost = C>, H: Heuristic<S, Memo = M>>(
        &mut self,
        space: &S,
        start: &(impl Starts<St> + ?Sized),
        heuristic: H,
        run: impl Run<'c, St, C>,
    ) -> ReportOf<S> {
        self.best_first(space, start, heuristic, Blend::astar(), run)
    }

    /// [`best_first`](crate::best_first()) in this memory: greedy and weighted searches are blends, too.
    pub fn best_first<'c, S: Space<State = St, Cost = C>, H: Heuristic<S, Memo = M>>(
        &mut self,
        space: &S,
        start: &(impl Starts<St> + ?Sized),
        heuristic: H,
        rank: Blend,
        run: impl Run<'c, St, C>,
    ) -> ReportOf<S> {
        run.run(|control, observer| best_first::search(space, start.all(), heuristic, rank, self, control, observer))
    }

    /// The parts, emptied, and a hold on their bytes.
    pub(crate) fn take(&mut self, control: &Control) -> (Parts<St, C, M>, Hold) {
        let mut hold = control.hold();
        let parts = self.parts.take().filter(|_| hold.more(self.bytes).is_ok());
        self.bytes = 0;
        let parts = match parts {
            Some(mut parts) => {
                parts.table.clear();
                parts.queue.clear();
                parts
            }
            None => Parts { table: Table::new(), queue: Buckets::new() },
        };
        (parts, hold)
    }

    /// Keeps the parts, whose bytes `hold` has.
    pub(crate) fn put_back(&mut self, parts: Parts<St, C, M>, hold: &Hold) {
        self.parts = Some(parts);
        self.bytes = hold.bytes();
    }
}

impl<St: Clone + Eq + Hash, C: Cost> Scratch<St, C> {
    /// [`dijkstra`](crate::dijkstra) in this memory.
    pub fn dijkstra<'c, S: Space<State = St, Cost = C>>(
        &mut self,
        space: &S,
        start: &(impl Starts<St> + ?Sized),
        run: impl Run<'c, St, C>,
    ) -> ReportOf<S> {
        self.best_first(space, start, Zero, Blend::astar(), run)
    }
}

impl<St: Clone + Eq + Hash, C: Cost, M: Copy> Default for Scratch<St, C, M> {
    fn default() -> Self {
        Self::new()
    }
}
