use std::{hash::Hash, marker::PhantomData};

use crate::{Backward, Cost, Space};

/// A space made of two closures: the successors of a state, each with the cost of getting there, and
/// the test for a goal.
///
/// ```
/// use pintu_search::{dijkstra, from_fn};
///
/// // From 1 to 100 by doubling, which costs 2, and by subtracting three, which costs 1.
/// let space = from_fn(|&n: &i64| [(n * 2, 2_u32), (n - 3, 1)].into_iter().filter(|(n, _)| *n < 1000), |&n| n == 100);
/// let report = dijkstra(&space, &1, ());
/// assert_eq!(report.solution().unwrap().cost, 19);
/// ```
pub fn from_fn<St, C, I, F, G>(successors: F, is_goal: G) -> FromFn<St, C, I, F, G>
where
    St: Clone + Eq + Hash,
    C: Cost,
    I: IntoIterator<Item = (St, C)>,
    F: Fn(&St) -> I,
    G: Fn(&St) -> bool,
{
    FromFn { successors, is_goal, backward: (), shape: PhantomData }
}

/// The space that [`from_fn`] makes. Its actions are the successors themselves.
#[must_use]
pub struct FromFn<St, C, I, F, G, B = ()> {
    successors: F,
    is_goal: G,
    backward: B,
    shape: PhantomData<fn(&St, C) -> I>,
}

/// The goals and predecessors that [`FromFn::backward`] adds to a space.
pub struct BackwardFn<St, J, P> {
    goals: Vec<St>,
    predecessors: P,
    shape: PhantomData<fn() -> J>,
}

impl<St, C, I, F, G> FromFn<St, C, I, F, G>
where
    Self: Space<State = St, Cost = C>,
{
    /// The same space, which can then also be searched from its `goals` back: `predecessors` lists the
    /// states from which a state can be reached in one step, with the cost of that step.
    ///
    /// ```
    /// use pintu_search::{bidirectional, from_fn};
    ///
    /// let step = |&n: &i32| [(n + 1, 1_u32), (n * 2, 1)];
    /// let back = |&n: &i32| [(n - 1, 1_u32), (n / 2, 1)].into_iter().filter(move |p| p.0 + 1 == n || p.0 * 2 == n);
    /// let space = from_fn(step, |&n| n == 1_000_000).backward(vec![1_000_000], back);
    /// assert_eq!(bidirectional(&space, &1, ()).solution().unwrap().path.len(), 25);
    /// ```
    pub fn backward<J, P>(self, goals: Vec<St>, predecessors: P) -> FromFn<St, C, I, F, G, BackwardFn<St, J, P>>
    where
        J: IntoIterator<Item = (St, C)>,
        P: Fn(&St) -> J,
    {
        let backward = BackwardFn { goals, predecessors, shape: PhantomData };
        FromFn { successors: self.successors, is_goal: self.is_goal, backward, shape: PhantomData }
    }
}

impl<St, C, I, F, G, B> Space for FromFn<St, C, I, F, G, B>
where
    St: Clone + Eq + Hash,
    C: Cost,
    I: IntoIterator<Item = (St, C)>,
    F: Fn(&St) -> I,
    G: Fn(&St) -> bool,
{
    type State = St;
    type Action = (St, C);
    type Cost = C;

    #[inline]
    fn actions(&self, state: &St) -> impl Iterator<Item = (St, C)> {
        (self.successors)(state).into_iter()
    }

    #[inline]
    fn apply(&self, state: &mut St, action: &(St, C)) -> C {
        state.clone_from(&action.0);
        action.1
    }

    #[inline]
    fn follow(&self, _: &St, action: (St, C)) -> (St, C) {
        action
    }

    #[inline]
    fn is_goal(&self, state: &St) -> bool {
        (self.is_goal)(state)
    }
}

impl<St, C, I, F, G, J, P> Backward for FromFn<St, C, I, F, G, BackwardFn<St, J, P>>
where
    Self: Space<State = St, Cost = C>,
    St: Clone,
    J: IntoIterator<Item = (St, C)>,
    P: Fn(&St) -> J,
{
    fn goals(&self) -> impl Iterator<Item = St> {
        self.backward.goals.iter().cloned()
    }

    fn origins(&self, state: &St) -> impl Iterator<Item = (St, C)> {
        (self.backward.predecessors)(state).into_iter()
    }
}
