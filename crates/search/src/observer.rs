use std::ops::ControlFlow::{self, Continue};

use crate::{Cost, Counters, Stop};

/// Watches a search, and may end it.
///
/// Every method does nothing unless it is written, so `()` is the observer that costs nothing, and a
/// tuple of two observers is an observer. A [`Budget`](crate::Budget) is one, and so is a
/// [`Trace`](crate::Trace).
pub trait Observer<St> {
    /// `node` is about to be taken up; `so_far` does not count it yet.
    #[inline]
    fn expand(&mut self, node: &Node<'_, St>, so_far: &Counters) -> ControlFlow<Stop> {
        let _ = (node, so_far);
        Continue(())
    }

    /// `node` has been produced from the state `from`, and may still be pruned; `so_far` counts it.
    #[inline]
    fn generate(&mut self, from: &St, node: &Node<'_, St>, so_far: &Counters) -> ControlFlow<Stop> {
        let _ = (from, node, so_far);
        Continue(())
    }

    /// An iteration begins that looks no further than `bound` (a cost or a number of steps).
    /// Algorithms that go on by levels report each level.
    #[inline]
    fn iteration(&mut self, bound: Cost, so_far: &Counters) -> ControlFlow<Stop> {
        let _ = (bound, so_far);
        Continue(())
    }

    /// The algorithm's memory is about to grow to `bytes`.
    #[inline]
    fn grow(&mut self, bytes: u64, so_far: &Counters) -> ControlFlow<Stop> {
        let _ = (bytes, so_far);
        Continue(())
    }
}

/// A state as an observer sees it.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a, St> {
    /// The state.
    pub state: &'a St,
    /// What the search has paid to get there: a cost, or a number of steps for the algorithms that
    /// count those.
    pub cost: Cost,
    /// What the heuristic says is left; zero for algorithms that use none.
    pub estimate: Cost,
}

impl<St> Observer<St> for () {}

impl<St, O: Observer<St> + ?Sized> Observer<St> for &mut O {
    #[inline]
    fn expand(&mut self, node: &Node<'_, St>, so_far: &Counters) -> ControlFlow<Stop> {
        (**self).expand(node, so_far)
    }

    #[inline]
    fn generate(&mut self, from: &St, node: &Node<'_, St>, so_far: &Counters) -> ControlFlow<Stop> {
        (**self).generate(from, node, so_far)
    }

    #[inline]
    fn iteration(&mut self, bound: Cost, so_far: &Counters) -> ControlFlow<Stop> {
        (**self).iteration(bound, so_far)
    }

    #[inline]
    fn grow(&mut self, bytes: u64, so_far: &Counters) -> ControlFlow<Stop> {
        (**self).grow(bytes, so_far)
    }
}

/// Both watch; the first that stops ends the search.
impl<St, A: Observer<St>, B: Observer<St>> Observer<St> for (A, B) {
    #[inline]
    fn expand(&mut self, node: &Node<'_, St>, so_far: &Counters) -> ControlFlow<Stop> {
        self.0.expand(node, so_far)?;
        self.1.expand(node, so_far)
    }

    #[inline]
    fn generate(&mut self, from: &St, node: &Node<'_, St>, so_far: &Counters) -> ControlFlow<Stop> {
        self.0.generate(from, node, so_far)?;
        self.1.generate(from, node, so_far)
    }

    #[inline]
    fn iteration(&mut self, bound: Cost, so_far: &Counters) -> ControlFlow<Stop> {
        self.0.iteration(bound, so_far)?;
        self.1.iteration(bound, so_far)
    }

    #[inline]
    fn grow(&mut self, bytes: u64, so_far: &Counters) -> ControlFlow<Stop> {
        self.0.grow(bytes, so_far)?;
        self.1.grow(bytes, so_far)
    }
}
