use std::ops::ControlFlow::{self, Continue};

use crate::{Bound, Control, Counters, Stop};

/// Watches a search, and may end it.
///
/// Every method does nothing unless it is written, so `()` is the observer that costs nothing; a tuple of two observers is
/// an observer, and so is an `Option` of one. A [`Trace`](crate::Trace) is one.
pub trait Observer<St, C> {
    /// Whether it looks at what it is shown. Where nobody looks, searches need not prepare what there is to see.
    #[inline]
    fn watches(&self) -> bool {
        true
    }

    /// `node` is about to be taken up; `so_far` counts it.
    #[inline]
    fn expand(&mut self, node: &Node<'_, St, C>, so_far: &Counters) -> ControlFlow<Stop> {
        let _ = (node, so_far);
        Continue(())
    }

    /// `node` has been produced from its parent; `so_far` counts it.
    #[inline]
    fn generate(&mut self, node: &Node<'_, St, C>, fate: Fate, so_far: &Counters) -> ControlFlow<Stop> {
        let _ = (node, fate, so_far);
        Continue(())
    }

    /// An iteration begins that looks no further than `bound`. Algorithms that go on by levels report each level; those
    /// that take up the best first, each bound that is higher than those before.
    #[inline]
    fn iteration(&mut self, bound: Bound<C>, so_far: &Counters) -> ControlFlow<Stop> {
        let _ = (bound, so_far);
        Continue(())
    }
}

/// A state as an observer sees it.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a, St, C> {
    /// Its number within the search and its tree. States are numbered in the order in which they were first met;
    /// depth-first searches, which do not remember states, number what they produce.
    pub id: u64,
    /// The number of the state from which it was produced; none for a root.
    pub parent: Option<u64>,
    /// The tree that it belongs to.
    pub tree: Tree,
    /// The state.
    pub state: &'a St,
    /// What the search has paid to get there: a cost, or a number of steps for the algorithms that
    /// count those.
    pub cost: C,
    /// What the heuristic says is left, zero for algorithms that use none; nothing at a dead end.
    pub estimate: Option<C>,
}

/// From which end a state was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tree {
    /// From the start.
    Forward,
    /// From a goal.
    Backward,
}

/// What becomes of a state that was produced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fate {
    /// It was met for the first time, and will be taken up in its turn.
    New,
    /// It is known, and this way to it is no better.
    Known,
    /// It waits to be taken up, and this way to it is cheaper: it has a new parent.
    Cheaper,
    /// It was taken up already, and this way to it is cheaper: it has a new parent and will be taken up again.
    Reopened,
    /// It lies beyond the bound.
    Cut,
    /// No goal can be reached from it, the heuristic says.
    DeadEnd,
    /// Its cost does not fit.
    TooDear,
}

impl Fate {
    /// Whether the state will be taken up, or taken up again.
    #[inline]
    pub fn is_followed(self) -> bool {
        matches!(self, Self::New | Self::Cheaper | Self::Reopened)
    }
}

impl<St, C> Observer<St, C> for () {
    #[inline]
    fn watches(&self) -> bool {
        false
    }
}

impl<St, C, O: Observer<St, C> + ?Sized> Observer<St, C> for &mut O {
    #[inline]
    fn watches(&self) -> bool {
        (**self).watches()
    }

    #[inline]
    fn expand(&mut self, node: &Node<'_, St, C>, so_far: &Counters) -> ControlFlow<Stop> {
        (**self).expand(node, so_far)
    }

    #[inline]
    fn generate(&mut self, node: &Node<'_, St, C>, fate: Fate, so_far: &Counters) -> ControlFlow<Stop> {
        (**self).generate(node, fate, so_far)
    }

    #[inline]
    fn iteration(&mut self, bound: Bound<C>, so_far: &Counters) -> ControlFlow<Stop> {
        (**self).iteration(bound, so_far)
    }
}

/// Watches if there is somebody to watch.
impl<St, C, O: Observer<St, C>> Observer<St, C> for Option<O> {
    #[inline]
    fn watches(&self) -> bool {
        self.as_ref().is_some_and(Observer::watches)
    }

    #[inline]
    fn expand(&mut self, node: &Node<'_, St, C>, so_far: &Counters) -> ControlFlow<Stop> {
        self.as_mut().map_or(Continue(()), |observer| observer.expand(node, so_far))
    }

    #[inline]
    fn generate(&mut self, node: &Node<'_, St, C>, fate: Fate, so_far: &Counters) -> ControlFlow<Stop> {
        self.as_mut().map_or(Continue(()), |observer| observer.generate(node, fate, so_far))
    }

    #[inline]
    fn iteration(&mut self, bound: Bound<C>, so_far: &Counters) -> ControlFlow<Stop> {
        self.as_mut().map_or(Continue(()), |observer| observer.iteration(bound, so_far))
    }
}

/// Both watch; the first that stops ends the search.
impl<St, C: Copy, A: Observer<St, C>, B: Observer<St, C>> Observer<St, C> for (A, B) {
    #[inline]
    fn watches(&self) -> bool {
        self.0.watches() || self.1.watches()
    }

    #[inline]
    fn expand(&mut self, node: &Node<'_, St, C>, so_far: &Counters) -> ControlFlow<Stop> {
        self.0.expand(node, so_far)?;
        self.1.expand(node, so_far)
    }

    #[inline]
    fn generate(&mut self, node: &Node<'_, St, C>, fate: Fate, so_far: &Counters) -> ControlFlow<Stop> {
        self.0.generate(node, fate, so_far)?;
        self.1.generate(node, fate, so_far)
    }

    #[inline]
    fn iteration(&mut self, bound: Bound<C>, so_far: &Counters) -> ControlFlow<Stop> {
        self.0.iteration(bound, so_far)?;
        self.1.iteration(bound, so_far)
    }
}

/// How a search is run, the last argument of every algorithm: `()` runs it to its end, `&control` within limits,
/// `&mut observer` watched, and `(&control, &mut observer)` both.
///
/// ```
/// use pintu_search::{bfs, from_fn, Control, Limits, Trace};
///
/// let line = from_fn(|&n: &u32| [(n + 1, 1_u32)], |&n| n == 100);
/// assert!(bfs(&line, &0, ()).solution().is_some());
/// let control = Control::new(Limits { nodes: Some(50), ..Limits::default() });
/// let mut trace = Trace::new(10);
/// assert!(bfs(&line, &0, (&control, &mut trace)).solution().is_none());
/// assert_eq!(trace.visits().len(), 10);
/// // An observer whose type is not known.
/// let mut watcher: Box<dyn pintu_search::Observer<u32, u32>> = Box::new(Trace::new(5));
/// assert!(bfs(&line, &0, &mut *watcher).solution().is_some());
/// ```
pub trait Run<St, C> {
    /// Who watches.
    type Observer: Observer<St, C>;

    /// Does the work under its control, watched by its observer.
    fn run<T>(self, work: impl FnOnce(&Control, &mut Self::Observer) -> T) -> T;
}

impl<St, C> Run<St, C> for () {
    type Observer = ();

    fn run<T>(self, work: impl FnOnce(&Control, &mut ()) -> T) -> T {
        work(&Control::unlimited(), &mut ())
    }
}

impl<St, C> Run<St, C> for &Control {
    type Observer = ();

    fn run<T>(self, work: impl FnOnce(&Control, &mut ()) -> T) -> T {
        work(self, &mut ())
    }
}

impl<St, C, O: Observer<St, C>> Run<St, C> for &mut O {
    type Observer = O;

    fn run<T>(self, work: impl FnOnce(&Control, &mut O) -> T) -> T {
        work(&Control::unlimited(), self)
    }
}

impl<St, C, O: Observer<St, C>> Run<St, C> for (&Control, &mut O) {
    type Observer = O;

    fn run<T>(self, work: impl FnOnce(&Control, &mut O) -> T) -> T {
        work(self.0, self.1)
    }
}

/// One whose type is not known: `&mut *boxed`.
impl<St, C> Run<St, C> for &mut (dyn Observer<St, C> + '_) {
    type Observer = Self;

    fn run<T>(mut self, work: impl FnOnce(&Control, &mut Self) -> T) -> T {
        work(&Control::unlimited(), &mut self)
    }
}

impl<'o, 'd, St, C> Run<St, C> for (&Control, &'o mut (dyn Observer<St, C> + 'd)) {
    type Observer = &'o mut (dyn Observer<St, C> + 'd);

    fn run<T>(mut self, work: impl FnOnce(&Control, &mut Self::Observer) -> T) -> T {
        work(self.0, &mut self.1)
    }
}
