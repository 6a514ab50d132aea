//! The tree that a search has grown in the end, laid out so that it can be drawn as it grows and no node ever moves.

#[cfg(test)]
mod tests;
mod tidy;

use super::{EventKind, NO_NODE, Recording};

/// Every recorded state in the final tree: under the parent that it had last, with a position of its own.
///
/// A depth-first search forgets: each of its iterations is a tree of its own, and what it meets again is a node again.
/// A search from both ends has grown trees from both; those from the goals stand beside the others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// The state that each came from in the end; [`NO_NODE`] for a root.
    pub parent: Vec<u32>,
    /// How far to the right each stands, in widths of a node; the leftmost of all at 0.
    pub x: Vec<f32>,
    /// How many steps each is from its root.
    pub depth: Vec<u32>,
    /// How many nodes there are below each, itself included.
    pub size: Vec<u32>,
    /// The first of those that came from each; [`NO_NODE`] for none.
    pub first: Vec<u32>,
    /// The next that came from the same parent; [`NO_NODE`] for none.
    pub next: Vec<u32>,
}

impl Tree {
    /// The most bytes that laying a node out takes, what is kept of it included.
    pub(crate) const BYTES_OF_NODE: usize = 176;

    pub fn of(recording: &Recording) -> Self {
        Self::over(final_parents(recording), &recording.nodes.backward)
    }

    /// Lays out nodes by their parents; those that are marked beside the others. In time linear in their number, whatever
    /// their depth.
    pub(crate) fn over(parent: Vec<u32>, backward: &[bool]) -> Self {
        let nodes = parent.len();
        let (mut first, mut next) = (vec![NO_NODE; nodes], vec![NO_NODE; nodes]);
        for node in (0..nodes).rev() {
            let above = parent[node] as usize;
            if above < nodes {
                next[node] = std::mem::replace(&mut first[above], node as u32);
            }
        }
        let (depth, size) = (vec![0; nodes], vec![1; nodes]);
        let mut tree = Self { parent, x: vec![0.0; nodes], depth, size, first, next };
        let is_root = |node: &u32| tree.parent[*node as usize] == NO_NODE;
        let (later, roots): (Vec<u32>, Vec<u32>) =
            (0..nodes as u32).filter(is_root).partition(|&node| backward[node as usize]);
        let positions = [roots, later].map(|roots| tidy::positions(&roots, &tree.first, &tree.next));
        let mut left = 0.0;
        for placed in positions.into_iter().filter(|placed| !placed.is_empty()) {
            let least = placed.iter().map(|&(_, x)| x).fold(f64::INFINITY, f64::min);
            let most = placed.iter().map(|&(_, x)| x).fold(f64::NEG_INFINITY, f64::max);
            tree.count(&placed);
            for (node, x) in placed {
                tree.x[node as usize] = (x - least + left) as f32;
            }
            left += most - least + BESIDE;
        }
        tree
    }

    /// Counts how deep nodes are and how many are below each; parents come before their children.
    fn count(&mut self, nodes: &[(u32, f64)]) {
        let links = || nodes.iter().map(|&(node, _)| (node as usize, self.parent[node as usize] as usize));
        for (node, parent) in links().filter(|&(_, parent)| parent < self.parent.len()) {
            self.depth[node] = self.depth[parent] + 1;
        }
        for (node, parent) in links().rev().filter(|&(_, parent)| parent < self.parent.len()) {
            self.size[parent] += self.size[node];
        }
    }
}

/// How far trees from the goals stand from those from the start.
const BESIDE: f64 = 2.0;

/// The parent with which each state was met first, or that was found to be better later.
fn final_parents(recording: &Recording) -> Vec<u32> {
    let events = &recording.events;
    let mut parent = vec![NO_NODE; recording.nodes.backward.len()];
    let mut is_met = vec![false; parent.len()];
    for index in 0..events.what.len() {
        let node = events.node[index] as usize;
        if node >= parent.len() {
            continue;
        }
        let is_better =
            matches!(EventKind::ALL[usize::from(events.what[index])], EventKind::Cheaper | EventKind::Reopened);
        if !std::mem::replace(&mut is_met[node], true) || is_better {
            parent[node] = events.parent[index];
        }
    }
    parent
}
