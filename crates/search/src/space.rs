use std::hash::Hash;

/// What a step, or a whole path, costs.
///
/// Sums are checked: a path dearer than `Cost::MAX` ends a search with [`Stop::Overflow`](crate::Stop::Overflow)
/// instead of wrapping around.
pub type Cost = u32;

/// A graph that is known by its rules rather than by a list of its edges.
///
/// States are values; an action leads from one state to another. Algorithms copy a state and apply an
/// action to the copy, so there is no undo to write: for the small, packed states that are worth
/// searching, a copy is cheaper than undoing.
///
/// ```
/// use pintu_search::{Cost, Space};
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
///
///     fn actions(&self, state: &u32) -> impl Iterator<Item = Step> {
///         let limit = self.target;
///         let next = *state;
///         [Step::Increment, Step::Double].into_iter().filter(move |_| next < limit)
///     }
///
///     fn apply(&self, state: &mut u32, action: &Step) -> Cost {
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
/// let report = pintu_search::bfs(&Numbers { target: 10 }, &1, &mut ());
/// assert_eq!(report.solution().unwrap().path.len(), 4); // 1 2 4 5 10
/// ```
pub trait Space {
    /// A state. Cheap to clone, ideally `Copy`: it is what tables hold.
    type State: Clone + Eq + Hash;
    /// What leads from one state to the next.
    type Action: Clone + Eq;

    /// The actions that are possible in `state`, in the order in which they are to be tried.
    ///
    /// An action that leads straight back to where the search has just come from may be listed:
    /// every algorithm leaves it out by itself.
    fn actions(&self, state: &Self::State) -> impl Iterator<Item = Self::Action>;

    /// Carries out `action`, which is one of [`actions`](Self::actions), and says what it costs.
    fn apply(&self, state: &mut Self::State, action: &Self::Action) -> Cost;

    /// Whether the search may end here.
    fn is_goal(&self, state: &Self::State) -> bool;
}

/// A space that can also be searched from its goals back to the start.
pub trait Backward: Space {
    /// Every goal state. Must agree with [`Space::is_goal`].
    fn goals(&self) -> impl Iterator<Item = Self::State>;

    /// The states from which one action leads to `state`.
    fn origins(&self, state: &Self::State) -> impl Iterator<Item = Self::State>;
}
