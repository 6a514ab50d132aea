use std::hash::Hash;

use crate::Cost;

/// A graph that is known by its rules rather than by a list of its edges.
///
/// States are values; an action leads from one state to another. Algorithms copy a state and apply an
/// action to the copy, so there is no undo to write: for the small, packed states that are worth
/// searching, a copy is cheaper than undoing.
///
/// ```
/// use pintu_search::Space;
///
/// /// Count up by one or double, from any number to `target`.
/// struct Numbers { target: u32 }
///
/// #[derive(Clone, Copy, PartialEq, Eq, Debug)]
/// enum Step { Increment, Double }
///
/// impl Space for Numbers {
///     type State = u32;
///     type Action = Step;
///     type Cost = u32;
///
///     fn actions(&self, state: &u32) -> impl Iterator<Item = Step> {
///         let limit = self.target;
///         let next = *state;
///         [Step::Increment, Step::Double].into_iter().filter(move |_| next < limit)
///     }
///
///     fn apply(&self, state: &mut u32, action: &Step) -> u32 {
///         match action {
///             Step::Increment => *state += 1,
///             Step::Double => *state *= 2,
///         }
///         1
///     }
///
///     fn is_goal(&self, state: &u32) -> bool {
///         *state == self.target
///     }
/// }
///
/// let report = pintu_search::bfs(&Numbers { target: 10 }, &1, ());
/// assert_eq!(report.solution().unwrap().path.len(), 4); // 1 2 4 5 10
/// ```
pub trait Space {
    /// A state. Cheap to clone, ideally `Copy`: it is what tables hold.
    type State: Clone + Eq + Hash;
    /// A step from one state to the next.
    type Action: Clone + Eq;
    /// The cost of steps.
    type Cost: Cost;

    /// The actions that are possible in `state`, in the order in which they are to be tried. They must depend on the
    /// state alone: a search asks again when it reconstructs its path, and panics if the actions differ.
    ///
    /// An action that leads straight back to where the search has just come from may be listed:
    /// every algorithm leaves it out by itself.
    fn actions(&self, state: &Self::State) -> impl Iterator<Item = Self::Action>;

    /// Carries out `action`, which is one of [`actions`](Self::actions), and returns its cost.
    fn apply(&self, state: &mut Self::State, action: &Self::Action) -> Self::Cost;

    /// The state that `action` leads to and its cost, by [`apply`](Self::apply) on a copy. Override it where actions
    /// are states themselves, which need no copy.
    #[inline]
    fn follow(&self, state: &Self::State, action: Self::Action) -> (Self::State, Self::Cost) {
        let mut after = state.clone();
        let cost = self.apply(&mut after, &action);
        (after, cost)
    }

    /// Whether the search may end here.
    fn is_goal(&self, state: &Self::State) -> bool;
}

/// A space that can also be searched from its goals back to the start.
pub trait Backward: Space {
    /// Every goal state. Must agree with [`Space::is_goal`].
    fn goals(&self) -> impl Iterator<Item = Self::State>;

    /// The states from which one action leads to `state`, each with what that action costs.
    fn origins(&self, state: &Self::State) -> impl Iterator<Item = (Self::State, Self::Cost)>;
}

/// The space that the backward half of a bidirectional search sees: all steps turned round. An action is the
/// predecessor that it leads to.
///
/// A closure from a state to an estimate is a heuristic here as it is anywhere: it estimates what it costs to get from the
/// start to the state.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Reversed<'a, S>(pub(crate) &'a S);

impl<S: Backward> Space for Reversed<'_, S> {
    type State = S::State;
    type Action = (S::State, S::Cost);
    type Cost = S::Cost;

    #[inline]
    fn actions(&self, state: &S::State) -> impl Iterator<Item = (S::State, S::Cost)> {
        self.0.origins(state)
    }

    #[inline]
    fn apply(&self, state: &mut S::State, action: &(S::State, S::Cost)) -> S::Cost {
        state.clone_from(&action.0);
        action.1
    }

    /// No state is a goal: only the search knows where it began.
    fn is_goal(&self, _: &S::State) -> bool {
        false
    }
}

/// The starts of a search: one state, or a slice, array or vector of states, of which the search finds the best.
///
/// ```
/// use pintu_search::{dijkstra, from_fn};
///
/// let line = from_fn(|&n: &u32| [(n + 1, 1_u32)], |&n| n == 100);
/// assert_eq!(dijkstra(&line, &40, ()).solution().unwrap().cost, 60);
/// assert_eq!(dijkstra(&line, &[40, 70, 200], ()).solution().unwrap().path.start, 70);
/// ```
pub trait Starts<St> {
    /// All starts.
    fn all(&self) -> &[St];
}

impl<St> Starts<St> for St {
    fn all(&self) -> &[St] {
        std::slice::from_ref(self)
    }
}

impl<St> Starts<St> for [St] {
    fn all(&self) -> &[St] {
        self
    }
}

impl<St, const N: usize> Starts<St> for [St; N] {
    fn all(&self) -> &[St] {
        self
    }
}

impl<St> Starts<St> for Vec<St> {
    fn all(&self) -> &[St] {
        self
    }
}
