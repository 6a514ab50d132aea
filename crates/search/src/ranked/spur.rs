use super::ahead::Ahead;
use crate::{Heuristic, Space, table::Table};

/// A space without the states of a path, and without some of the steps from its last state.
pub(super) struct Spur<'a, S: Space> {
    pub(super) space: &'a S,
    /// The last state of the path, if it has one.
    pub(super) from: Option<&'a S::State>,
    /// Where the first step may not lead.
    pub(super) bans: &'a [S::State],
    /// The states of the path.
    pub(super) taken: &'a Table<S::State, ()>,
}

impl<S: Space> Space for Spur<'_, S> {
    type State = S::State;
    type Action = (S::State, S::Cost);
    type Cost = S::Cost;

    fn actions(&self, state: &S::State) -> impl Iterator<Item = (S::State, S::Cost)> {
        let bans = if self.from == Some(state) { self.bans } else { &[] };
        let is_free = |(to, _): &(S::State, S::Cost)| !bans.contains(to) && self.taken.find(to).is_none();
        self.space.actions(state).map(|action| self.space.follow(state, action)).filter(is_free)
    }

    fn apply(&self, state: &mut S::State, action: &(S::State, S::Cost)) -> S::Cost {
        state.clone_from(&action.0);
        action.1
    }

    #[inline]
    fn follow(&self, _: &S::State, action: (S::State, S::Cost)) -> (S::State, S::Cost) {
        action
    }

    fn is_goal(&self, state: &S::State) -> bool {
        self.space.is_goal(state)
    }
}

/// Estimates for the whole space, which hold in a part of it as well: from the first search, or else from the heuristic.
pub(super) struct SpurEstimate<'a, S: Space, H: Heuristic<S>> {
    pub(super) heuristic: &'a H,
    pub(super) ahead: Option<&'a Ahead<S::State, S::Cost, H::Memo>>,
}

impl<S: Space, H: Heuristic<S>> SpurEstimate<'_, S, H> {
    pub(super) fn left(&self, state: &S::State) -> Option<S::Cost> {
        let estimate = || self.heuristic.estimate(self.heuristic.start(state));
        match self.ahead {
            Some(ahead) => ahead.left_or(state, estimate),
            None => estimate(),
        }
    }
}

impl<S: Space, H: Heuristic<S>> Heuristic<Spur<'_, S>> for SpurEstimate<'_, S, H> {
    type Memo = Option<S::Cost>;

    fn start(&self, state: &S::State) -> Option<S::Cost> {
        self.left(state)
    }

    fn estimate(&self, left: Option<S::Cost>) -> Option<S::Cost> {
        left
    }

    /// Some paths are left out, so a lower bound of the others does not hold for all.
    fn is_admissible(&self) -> bool {
        false
    }
}
