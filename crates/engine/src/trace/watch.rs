//! From what an observer is shown to what a recorder notes.

use pintu_search::{Bound, Counters, Fate, Node, Tree};

use super::{Recorder, What, recorder::Shown};
use crate::path::PathCost;

pub(super) fn note_expansion<St, C: Copy, S: Iterator<Item = u32>>(
    recorder: &mut Recorder,
    node: &Node<'_, St, C>,
    so_far: &Counters,
    cost: impl Fn(C) -> PathCost,
    state: impl FnOnce() -> S,
) {
    // The state is counted already: two runs of a search that have each expanded one are two.
    recorder.follow(so_far.expanded.saturating_sub(1), so_far.expanded);
    recorder.note(What::Expanded, &shown(node, cost), state);
}

pub(super) fn note_generation<St, C: Copy, S: Iterator<Item = u32>>(
    recorder: &mut Recorder,
    node: &Node<'_, St, C>,
    fate: Fate,
    cost: impl Fn(C) -> PathCost,
    state: impl FnOnce() -> S,
) {
    let what = match fate {
        Fate::New => What::New,
        Fate::Cheaper => What::Cheaper,
        Fate::Reopened => What::Reopened,
        Fate::Cut => What::Cut,
        Fate::DeadEnd => What::DeadEnd,
        Fate::TooDear => What::TooDear,
        // Whatever else may become of a state one day, it is not followed.
        _ => What::Known,
    };
    recorder.note(what, &shown(node, cost), state);
}

pub(super) fn note_iteration<C: Copy>(
    recorder: &mut Recorder,
    bound: Bound<C>,
    so_far: &Counters,
    cost: impl Fn(C) -> PathCost,
) {
    recorder.follow(so_far.expanded, so_far.expanded);
    recorder.iteration(bound_as(bound, cost));
}

/// A bound as a cost.
pub(super) fn bound_as<C: Copy>(bound: Bound<C>, cost: impl Fn(C) -> PathCost) -> PathCost {
    match bound {
        Bound::Cost(bound) => cost(bound),
        Bound::Steps(steps) => PathCost::Whole(steps),
    }
}

fn shown<St, C: Copy>(node: &Node<'_, St, C>, cost: impl Fn(C) -> PathCost) -> Shown {
    Shown {
        id: node.id,
        parent: node.parent,
        backward: node.tree == Tree::Backward,
        paid: cost(node.cost),
        left: node.estimate.map(&cost),
    }
}
