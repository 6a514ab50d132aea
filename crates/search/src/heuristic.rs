use crate::{Cost, Space};

/// An estimate of what is left to pay from a state to the nearest goal.
///
/// It is *admissible* if it never overestimates, and *consistent* if along no step it falls by more
/// than the step costs. A* and IDA* find cheapest paths with every admissible heuristic, consistent
/// or not.
///
/// A heuristic carries a memo from state to state, so that one which can be updated after a step
/// need not be computed anew. The memo rides along by value; there is nothing to undo.
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

    /// The estimate that a memo stands for.
    fn estimate(&self, memo: Self::Memo) -> Cost;
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
    fn estimate(&self, (): ()) -> Cost {
        0
    }
}

/// A closure from a state to its estimate is a heuristic.
impl<S: Space, F: Fn(&S::State) -> Cost> Heuristic<S> for F {
    type Memo = Cost;

    #[inline]
    fn start(&self, state: &S::State) -> Cost {
        self(state)
    }

    #[inline]
    fn estimate(&self, memo: Cost) -> Cost {
        memo
    }
}
