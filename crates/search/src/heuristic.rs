use crate::{Cost, Space};

/// An estimate of what is left to pay from a state to the nearest goal.
///
/// It is *admissible* if it never overestimates, and *consistent* if along no step it falls by more
/// than the step costs. A* and IDA* find cheapest paths with every admissible heuristic, consistent
/// or not.
///
/// A heuristic carries a memo from state to state, so that one which can be updated after a step
/// need not be computed anew. The memo rides along by value; there is nothing to undo.
///
/// A closure from a state to its estimate is a heuristic, and so is one to an `Option` of it, where `None` says that
/// the state is a dead end. Write down what it takes, as in `|&n: &u32|`: what it is passed to does not say so.
///
/// What a search says of its path believes the heuristic: wrap one that may overestimate in [`Overestimating`].
///
/// ```
/// use pintu_search::{astar, from_fn, Outcome};
///
/// let numbers = from_fn(|&n: &u32| [(n + 2, 2_u32), (n * 3, 1)], |&n| n == 30);
/// // Numbers only grow, so nothing leads back from beyond the goal, and the search ends.
/// let report = astar(&numbers, &2, &|&n: &u32| (n <= 30).then_some(0), ());
/// assert_eq!(report.solution().unwrap().cost, 6); // 2 6 8 10 30
/// assert_eq!(astar(&numbers, &31, &|&n: &u32| (n <= 30).then_some(0), ()).outcome, Outcome::NoSolution);
/// ```
pub trait Heuristic<S: Space> {
    /// What the heuristic remembers about a state: its value at least, often nothing more.
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

    /// Whether it never overestimates. If it may, nothing that a search says with its help is a bound or a guarantee.
    #[inline]
    fn is_admissible(&self) -> bool {
        true
    }
}

/// The heuristic that knows nothing: A* with it is Dijkstra's algorithm.
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

/// A heuristic that may overestimate: searches with it promise nothing.
///
/// ```
/// use pintu_search::{astar, from_fn, Guarantee, Overestimating};
///
/// let line = from_fn(|&n: &u32| [(n + 1, 1_u32)], |&n| n == 9);
/// let report = astar(&line, &0, &Overestimating(|&n: &u32| 2 * (9 - n)), ());
/// assert_eq!(report.solution().unwrap().guarantee, Guarantee::None);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Overestimating<H>(pub H);

impl<S: Space, H: Heuristic<S>> Heuristic<S> for Overestimating<H> {
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

    fn is_admissible(&self) -> bool {
        false
    }
}

/// What a closure may say is left: a cost, or nothing at a dead end.
pub trait Estimate<C>: Copy {
    /// As an option.
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
