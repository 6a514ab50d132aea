use crate::{Cost, Space};

/// An estimate of the cost from a state to the nearest goal.
///
/// It is *admissible* if it never overestimates, and *consistent* if along no step it falls by more
/// than the step costs. A* and IDA* find cheapest paths with every admissible heuristic, consistent
/// or not.
///
/// A heuristic carries a memo from state to state, so that an estimate can be updated after a step
/// instead of being computed anew. The memo is passed by value; there is nothing to undo.
///
/// A closure from a state to its estimate is a heuristic, and so is one to an `Option` of it, where `None` marks a dead
/// end. Write down the type of its argument, as in `|&n: &u32|`: it is not inferred.
///
/// A heuristic is taken to be admissible. Wrap one that may overestimate in [`Overestimating`]: nothing is guaranteed
/// then.
///
/// ```
/// use pintu_search::{astar, from_fn, Outcome};
///
/// let numbers = from_fn(|&n: &u32| [(n + 2, 2_u32), (n * 3, 1)], |&n| n == 30);
/// // Numbers only grow, so nothing leads back from beyond the goal, and the search ends.
/// let report = astar(&numbers, &2, |&n: &u32| (n <= 30).then_some(0), ());
/// assert_eq!(report.solution().unwrap().cost, 6); // 2 6 8 10 30
/// assert_eq!(astar(&numbers, &31, |&n: &u32| (n <= 30).then_some(0), ()).outcome, Outcome::NoSolution);
/// ```
pub trait Heuristic<S: Space> {
    /// The heuristic's memo of a state: at least the estimate, often nothing else.
    type Memo: Copy;

    /// The memo of a state, computed from scratch.
    fn start(&self, state: &S::State) -> Self::Memo;

    /// The memo of `after`, which `action` made of `before`. Equal to `start(after)`.
    #[inline]
    fn step(&self, memo: Self::Memo, before: &S::State, action: &S::Action, after: &S::State) -> Self::Memo {
        let _ = (memo, before, action);
        self.start(after)
    }

    /// The estimate that a memo stands for; `None` if no goal can be reached from there.
    fn estimate(&self, memo: Self::Memo) -> Option<S::Cost>;

    /// Whether it never overestimates. If it may, a search with it gives neither a bound nor a guarantee.
    #[inline]
    fn is_admissible(&self) -> bool {
        true
    }
}

/// The heuristic that is zero everywhere: A* with it is Dijkstra's algorithm.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

impl<S: Space> Heuristic<S> for Zero {
    type Memo = ();

    #[inline]
    fn start(&self, _: &S::State) {}

    #[inline]
    fn step(&self, (): (), _: &S::State, _: &S::Action, _: &S::State) {}

    #[inline]
    fn estimate(&self, (): ()) -> Option<S::Cost> {
        Some(S::Cost::ZERO)
    }
}

/// A heuristic that may overestimate: searches with it guarantee nothing.
///
/// ```
/// use pintu_search::{astar, from_fn, Guarantee, Overestimating};
///
/// let line = from_fn(|&n: &u32| [(n + 1, 1_u32)], |&n| n == 9);
/// let report = astar(&line, &0, Overestimating(|&n: &u32| 2 * (9 - n)), ());
/// assert_eq!(report.solution().unwrap().guarantee, Guarantee::None);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Overestimating<H>(pub H);

/// A heuristic that is borrowed. (References to closures are closures, and need no `ByRef`.)
///
/// ```
/// use pintu_search::{astar, from_fn, ByRef, Overestimating};
///
/// let line = from_fn(|&n: &u32| [(n + 1, 1_u32)], |&n| n == 9);
/// let heuristic = Overestimating(|&n: &u32| 2 * (9 - n));
/// assert_eq!(astar(&line, &0, ByRef(&heuristic), ()), astar(&line, &0, heuristic, ()));
/// ```
#[derive(Debug)]
pub struct ByRef<'a, H>(pub &'a H);

/// The methods of a heuristic that are those of `self.0`.
macro_rules! forward {
    () => {
        type Memo = H::Memo;

        #[inline]
        fn start(&self, state: &S::State) -> H::Memo {
            self.0.start(state)
        }

        #[inline]
        fn step(&self, memo: H::Memo, before: &S::State, action: &S::Action, after: &S::State) -> H::Memo {
            self.0.step(memo, before, action, after)
        }

        #[inline]
        fn estimate(&self, memo: H::Memo) -> Option<S::Cost> {
            self.0.estimate(memo)
        }
    };
}

impl<S: Space, H: Heuristic<S>> Heuristic<S> for Overestimating<H> {
    forward!();

    fn is_admissible(&self) -> bool {
        false
    }
}

impl<S: Space, H: Heuristic<S>> Heuristic<S> for ByRef<'_, H> {
    forward!();

    fn is_admissible(&self) -> bool {
        self.0.is_admissible()
    }
}

/// A closure's estimate: a cost, or an option of one.
pub trait Estimate<C>: Copy {
    /// The estimate; `None` at a dead end.
    fn estimate(self) -> Option<C>;
}

impl<C: Cost> Estimate<C> for C {
    #[inline]
    fn estimate(self) -> Option<C> {
        Some(self)
    }
}

impl<C: Cost> Estimate<C> for Option<C> {
    #[inline]
    fn estimate(self) -> Self {
        self
    }
}

impl<S: Space, E: Estimate<S::Cost>, F: Fn(&S::State) -> E> Heuristic<S> for F {
    type Memo = E;

    #[inline]
    fn start(&self, state: &S::State) -> E {
        self(state)
    }

    #[inline]
    fn estimate(&self, memo: E) -> Option<S::Cost> {
        memo.estimate()
    }
}
