use crate::{Backward, Space};

/// A space with all its steps turned round: what the backward half of a bidirectional search sees. Its actions are the
/// states that it leads back to.
///
/// A closure from a state to an estimate is a heuristic here as it is anywhere: it estimates what it costs to get from the
/// start to the state.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Reversed<'a, S>(&'a S);

impl<'a, S: Backward> Reversed<'a, S> {
    /// The space turned round.
    pub fn new(space: &'a S) -> Self {
        Self(space)
    }
}

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

    /// No state is: where the search began is known to it alone.
    fn is_goal(&self, _: &S::State) -> bool {
        false
    }
}
