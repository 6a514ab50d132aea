use std::sync::LazyLock;

use crate::{Bound, Control, Counters, Stop};

/// Watches a search, and may end it.
///
/// The methods do nothing by default, and `()` is the observer that costs nothing. A tuple of two observers is an observer,
/// and so is an `Option` of one.
pub trait Observer<St, C> {
    /// Whether the observer wants events. If not, searches skip the work of making them.
    #[inline]
    fn watches(&self) -> bool {
        true
    }

    /// `node` is about to be expanded; `so_far` counts it.
    #[inline]
    fn expand(&mut self, node: &Node<'_, St, C>, so_far: &Counters) -> Result<(), Stop> {
        let _ = (node, so_far);
        Ok(())
    }

    /// `node` was generated from its parent; `so_far` counts it.
    #[inline]
    fn generate(&mut self, node: &Node<'_, St, C>, fate: Fate, so_far: &Counters) -> Result<(), Stop> {
        let _ = (node, fate, so_far);
        Ok(())
    }

    /// An iteration begins that goes no further than `bound`. Breadth-first searches report each level, best-first searches
    /// each lower bound as it rises; weighted ones may repeat one.
    #[inline]
    fn iteration(&mut self, bound: Bound<C>, so_far: &Counters) -> Result<(), Stop> {
        let _ = (bound, so_far);
        Ok(())
    }
}

/// A state as an observer sees it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Node<'a, St, C> {
    /// Its number within the search and its tree. States are numbered in the order in which they were first generated;
    /// depth-first searches, which do not remember states, give each generated state a new number.
    pub id: u64,
    /// The number of the state from which it was generated; none for a root.
    pub parent: Option<u64>,
    /// The tree that it belongs to.
    pub tree: Tree,
    /// The state.
    pub state: &'a St,
    /// The cost of the path to it, or its number of steps for the algorithms that count those.
    pub cost: C,
    /// The heuristic's estimate, zero for algorithms without a heuristic; none at a dead end.
    pub estimate: Option<C>,
}

impl<'a, St, C> Node<'a, St, C> {
    /// A node of the tree that grows from the start.
    #[doc(hidden)]
    #[inline]
    pub fn new(id: u64, parent: Option<u64>, state: &'a St, cost: C, estimate: C) -> Self {
        Self { id, parent, tree: Tree::Forward, state, cost, estimate: Some(estimate) }
    }

    /// The same node with its costs in another unit.
    #[doc(hidden)]
    #[inline]
    pub fn map_costs<D>(self, unit: impl Fn(C) -> D) -> Node<'a, St, D> {
        let Self { id, parent, tree, state, cost, estimate } = self;
        Node { id, parent, tree, state, cost: unit(cost), estimate: estimate.map(unit) }
    }
}

/// From which end a state was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tree {
    /// From the start.
    Forward,
    /// From a goal.
    Backward,
}

/// The fate of a generated state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fate {
    /// It is new, and will be expanded.
    New,
    /// It is known, and this path to it is no better.
    Known,
    /// It is open, and this path to it is cheaper: it has a new parent.
    Cheaper,
    /// It was expanded already, and this path to it is cheaper: it has a new parent and will be expanded again.
    Reopened,
    /// It lies beyond the bound.
    Cut,
    /// It is a dead end, by the heuristic.
    DeadEnd,
    /// Its cost does not fit: the path is dropped.
    Overflow,
}

impl Fate {
    /// Whether the state will be expanded, or expanded again.
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
    fn expand(&mut self, node: &Node<'_, St, C>, so_far: &Counters) -> Result<(), Stop> {
        (**self).expand(node, so_far)
    }

    #[inline]
    fn generate(&mut self, node: &Node<'_, St, C>, fate: Fate, so_far: &Counters) -> Result<(), Stop> {
        (**self).generate(node, fate, so_far)
    }

    #[inline]
    fn iteration(&mut self, bound: Bound<C>, so_far: &Counters) -> Result<(), Stop> {
        (**self).iteration(bound, so_far)
    }
}

impl<St, C, O: Observer<St, C>> Observer<St, C> for Option<O> {
    #[inline]
    fn watches(&self) -> bool {
        self.as_ref().is_some_and(Observer::watches)
    }

    #[inline]
    fn expand(&mut self, node: &Node<'_, St, C>, so_far: &Counters) -> Result<(), Stop> {
        self.as_mut().map_or(Ok(()), |observer| observer.expand(node, so_far))
    }

    #[inline]
    fn generate(&mut self, node: &Node<'_, St, C>, fate: Fate, so_far: &Counters) -> Result<(), Stop> {
        self.as_mut().map_or(Ok(()), |observer| observer.generate(node, fate, so_far))
    }

    #[inline]
    fn iteration(&mut self, bound: Bound<C>, so_far: &Counters) -> Result<(), Stop> {
        self.as_mut().map_or(Ok(()), |observer| observer.iteration(bound, so_far))
    }
}

/// Both watch; either may end the search.
impl<St, C: Copy, A: Observer<St, C>, B: Observer<St, C>> Observer<St, C> for (A, B) {
    #[inline]
    fn watches(&self) -> bool {
        self.0.watches() || self.1.watches()
    }

    #[inline]
    fn expand(&mut self, node: &Node<'_, St, C>, so_far: &Counters) -> Result<(), Stop> {
        self.0.expand(node, so_far)?;
        self.1.expand(node, so_far)
    }

    #[inline]
    fn generate(&mut self, node: &Node<'_, St, C>, fate: Fate, so_far: &Counters) -> Result<(), Stop> {
        self.0.generate(node, fate, so_far)?;
        self.1.generate(node, fate, so_far)
    }

    #[inline]
    fn iteration(&mut self, bound: Bound<C>, so_far: &Counters) -> Result<(), Stop> {
        self.0.iteration(bound, so_far)?;
        self.1.iteration(bound, so_far)
    }
}

/// How a search is run, the last argument of every algorithm: `()` without limits, `&control` within limits,
/// `&mut observer` watched, and `(&control, &mut observer)` both. Iterators borrow them for as long as they live.
///
/// ```
/// use pintu_search::{bfs, from_fn, Control, Counters, Limits, Node, Observer, Stop};
///
/// struct Expanded(Vec<u32>);
///
/// impl Observer<u32, u32> for Expanded {
///     fn expand(&mut self, node: &Node<'_, u32, u32>, _: &Counters) -> Result<(), Stop> {
///         self.0.push(*node.state);
///         Ok(())
///     }
/// }
///
/// let line = from_fn(|&n: &u32| [(n + 1, 1_u32)], |&n| n == 100);
/// assert!(bfs(&line, &0, ()).solution().is_some());
/// let (control, mut seen) = (Control::new(Limits::none().nodes(3)), Expanded(Vec::new()));
/// assert!(bfs(&line, &0, (&control, &mut seen)).solution().is_none());
/// assert_eq!(seen.0, [0, 1, 2]);
/// // Two observers at once.
/// let mut both = (seen, Expanded(Vec::new()));
/// assert!(bfs(&line, &0, &mut both).solution().is_some());
/// assert_eq!(both.0.0[3..], both.1.0);
/// ```
pub trait Run<'c, St, C>: Sized {
    /// The observer.
    type Observer: Observer<St, C>;

    /// The control and the observer.
    fn parts(self) -> (&'c Control, Self::Observer);

    /// Does some work under the control, watched by the observer.
    fn run<T>(self, work: impl FnOnce(&'c Control, &mut Self::Observer) -> T) -> T {
        let (control, mut observer) = self.parts();
        work(control, &mut observer)
    }
}

/// The control of every search that is run without one.
static UNLIMITED: LazyLock<Control> = LazyLock::new(Control::unlimited);

impl<'c, St, C> Run<'c, St, C> for () {
    type Observer = ();

    fn parts(self) -> (&'c Control, ()) {
        (&UNLIMITED, ())
    }
}

impl<'c, St, C> Run<'c, St, C> for &'c Control {
    type Observer = ();

    fn parts(self) -> (&'c Control, ()) {
        (self, ())
    }
}

impl<'c, St, C, O: Observer<St, C> + ?Sized> Run<'c, St, C> for &mut O {
    type Observer = Self;

    fn parts(self) -> (&'c Control, Self) {
        (&UNLIMITED, self)
    }
}

impl<'c, 'o, St, C, O: Observer<St, C> + ?Sized> Run<'c, St, C> for (&'c Control, &'o mut O) {
    type Observer = &'o mut O;

    fn parts(self) -> (&'c Control, &'o mut O) {
        self
    }
}
