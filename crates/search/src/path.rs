//! From a table of parents back to a path.

use crate::{Bound, Cost, Guarantee, Node, Outcome, Path, Solution, Space, Stop, Tree, driver::Id, table::NONE};

/// The outcome of a search of a space.
pub(crate) type OutcomeOf<S> = Outcome<<S as Space>::State, <S as Space>::Action, <S as Space>::Cost>;
/// A path in a space.
pub(crate) type PathOf<S> = Path<<S as Space>::State, <S as Space>::Action>;

/// The states from the root of `id`'s tree to `id`.
pub(crate) fn chain<St>(id: Id, state: impl Fn(Id) -> St, parent: impl Fn(Id) -> Id) -> Vec<St> {
    let way_back = || std::iter::successors(Some(id), |&at| Some(parent(at)).filter(|&at| at != NONE));
    let mut states = Vec::with_capacity(way_back().count());
    states.extend(way_back().map(state));
    states.reverse();
    states
}

/// The states of a path whose halves were found from its two ends. The one where they meet is on both.
pub(crate) fn joined<St>(mut forward: Vec<St>, backward: Vec<St>) -> Vec<St> {
    forward.extend(backward.into_iter().rev().skip(1));
    forward
}

/// What an observer sees of a node where nothing is estimated.
pub(crate) fn unguided<St, C: Cost>(tree: Tree, id: Id, parent: Id, state: &St, cost: C) -> Node<'_, St, C> {
    let parent = (parent != NONE).then_some(u64::from(parent));
    Node { id: id.into(), parent, tree, state, cost, estimate: Some(C::ZERO) }
}

/// The outcome of an algorithm that minimises steps.
pub(crate) fn shortest<S: Space>(space: &S, states: &[S::State]) -> OutcomeOf<S> {
    let path = through(space, states);
    let steps = path.len() as u64;
    solved(space, path, Guarantee::Shortest, Some(Bound::Steps(steps)))
}

/// The outcome of an algorithm that does not look at costs, which need not fit.
pub(crate) fn solved<S: Space>(
    space: &S,
    path: PathOf<S>,
    guarantee: Guarantee,
    lower_bound: Option<Bound<S::Cost>>,
) -> OutcomeOf<S> {
    match path.cost(space) {
        Some(cost) => Outcome::Solved(Solution { path, cost, guarantee, lower_bound }),
        None => Outcome::Stopped { why: Stop::Overflow, lower_bound },
    }
}

/// A path that is known to be a cheapest one.
pub(crate) fn proven<St, A, C: Copy>(path: Path<St, A>, cost: C) -> Solution<St, A, C> {
    Solution { path, cost, guarantee: Guarantee::Cheapest, lower_bound: Some(Bound::Cost(cost)) }
}

/// The path through `states`, each a successor of the one before. Tables hold no actions: to find the
/// few on the path again is cheaper than to store all.
pub(crate) fn through<S: Space>(space: &S, states: &[S::State]) -> PathOf<S> {
    let actions = states.windows(2).map(|pair| cheapest_action(space, &pair[0], &pair[1])).collect();
    Path { start: states[0].clone(), actions }
}

fn cheapest_action<S: Space>(space: &S, from: &S::State, to: &S::State) -> S::Action {
    let leads_there = |action: S::Action| {
        let mut state = from.clone();
        let cost = space.apply(&mut state, &action);
        (state == *to).then_some((cost, action))
    };
    let ways = space.actions(from).filter_map(leads_there);
    ways.min_by_key(|(cost, _)| *cost).expect("`actions` lists the action that led here, as it did before").1
}
