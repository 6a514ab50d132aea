//! From a table of parents back to a path.

use crate::{Bound, Cost, Guarantee, Node, Outcome, Path, Solution, Space, Stop, Tree, driver::Id, table::NONE};

pub(crate) type OutcomeOf<S> = Outcome<<S as Space>::State, <S as Space>::Action, <S as Space>::Cost>;
pub(crate) type SolutionOf<S> = Solution<<S as Space>::State, <S as Space>::Action, <S as Space>::Cost>;
pub(crate) type PathOf<S> = Path<<S as Space>::State, <S as Space>::Action>;

/// The states from the root of `id`'s tree to `id`.
pub(crate) fn chain<St>(id: Id, state: impl Fn(Id) -> St, parent: impl Fn(Id) -> Id) -> Vec<St> {
    let ids = || std::iter::successors(Some(id), |&at| Some(parent(at)).filter(|&at| at != NONE));
    let mut states = Vec::with_capacity(ids().count());
    states.extend(ids().map(state));
    states.reverse();
    states
}

/// The states of a path whose halves were found from its two ends. The one where they meet is on both.
pub(crate) fn joined<St>(mut forward: Vec<St>, backward: Vec<St>) -> Vec<St> {
    forward.extend(backward.into_iter().rev().skip(1));
    forward
}

/// A node of a search without a heuristic, as an observer sees it.
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

/// The outcome of an algorithm that ignores costs: the path's cost need not fit.
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

/// One of several paths in the order of their costs, the first of which costs `least`. Nothing is guaranteed if the
/// heuristic is not admissible.
pub(crate) fn in_order<St, A, C: Cost>(
    path: Path<St, A>,
    cost: C,
    least: C,
    is_admissible: bool,
) -> Solution<St, A, C> {
    let guarantee = if is_admissible && cost == least { Guarantee::Cheapest } else { Guarantee::None };
    Solution { path, cost, guarantee, lower_bound: is_admissible.then_some(Bound::Cost(least)) }
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
    let actions = space.actions(from).filter_map(leads_there);
    actions.min_by_key(|(cost, _)| *cost).expect("`actions` lists the action that led here, as it did before").1
}
