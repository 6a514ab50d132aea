use std::{fmt, hash::Hash, marker::PhantomData};

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
    FromFn { successors, is_goal, shape: PhantomData }
}

/// The space that [`from_fn`] makes. Its actions are the successors themselves.
#[must_use]
pub struct FromFn<St, C, I, F, G> {
    successors: F,
    is_goal: G,
    shape: PhantomData<fn(&St, C) -> I>,
}

impl<St, C, I, F: Clone, G: Clone> Clone for FromFn<St, C, I, F, G> {
    fn clone(&self) -> Self {
        Self { successors: self.successors.clone(), is_goal: self.is_goal.clone(), shape: PhantomData }
    }
}

impl<St, C, I, F, G> fmt::Debug for FromFn<St, C, I, F, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FromFn").finish_non_exhaustive()
    }
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
    pub fn backward<J, B>(self, goals: Vec<St>, predecessors: B) -> WithBackward<Self, J, B>
    where
        J: IntoIterator<Item = (St, C)>,
        B: Fn(&St) -> J,
    {
        WithBackward { forward: self, goals, predecessors, shape: PhantomData }
    }
}

impl<St, C, I, F, G> Space for FromFn<St, C, I, F, G>
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

/// The space that [`FromFn::backward`] makes: another one, and the way back.
#[must_use]
pub struct WithBackward<S: Space, J, B> {
    forward: S,
    goals: Vec<S::State>,
    predecessors: B,
    shape: PhantomData<fn() -> J>,
}

impl<S: Space + fmt::Debug, J, B> fmt::Debug for WithBackward<S, J, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WithBackward").field("forward", &self.forward).finish_non_exhaustive()
    }
}

impl<S: Space, J, B> Space for WithBackward<S, J, B> {
    type State = S::State;
    type Action = S::Action;
    type Cost = S::Cost;

    #[inline]
    fn actions(&self, state: &S::State) -> impl Iterator<Item = S::Action> {
        self.forward.actions(state)
    }

    #[inline]
    fn apply(&self, state: &mut S::State, action: &S::Action) -> S::Cost {
        self.forward.apply(state, action)
    }

    #[inline]
    fn follow(&self, state: &S::State, action: S::Action) -> (S::State, S::Cost) {
        self.forward.follow(state, action)
    }

    #[inline]
    fn is_goal(&self, state: &S::State) -> bool {
        self.forward.is_goal(state)
    }
}

impl<S, J, B> Backward for WithBackward<S, J, B>
where
    S: Space,
    J: IntoIterator<Item = (S::State, S::Cost)>,
    B: Fn(&S::State) -> J,
{
    fn goals(&self) -> impl Iterator<Item = S::State> {
        self.goals.iter().cloned()
    }

    fn origins(&self, state: &S::State) -> impl Iterator<Item = (S::State, S::Cost)> {
        (self.predecessors)(state).into_iter()
    }
}
