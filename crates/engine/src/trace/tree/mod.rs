//! The final tree of a search, laid out so that it can be drawn as it grows and no node ever moves.

#[cfg(test)]
mod tests;
mod tidy;

use super::{EventKind, NO_NODE, Recording};

/// Every recorded state in the final tree: under its last parent, with its own position.
///
/// A depth-first search does not remember states: each of its iterations is a tree, and a state that it meets again is
/// another node. A search from both ends has trees from both; those from the goals stand beside the others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// The final parent of each state; [`NO_NODE`] for a root.
    pub parent: Vec<u32>,
    /// The horizontal position of each node, in widths of a node; the leftmost is at 0.
    pub x: Vec<f32>,
    /// The number of steps from each node to its root.
    pub depth: Vec<u32>,
    /// The number of nodes in each subtree.
    pub size: Vec<u32>,
    /// The first child of each node; [`NO_NODE`] for none.
    pub first: Vec<u32>,
    /// The next sibling of each node; [`NO_NODE`] for none.
    pub next: Vec<u32>,
}

impl Tree {
    /// The most bytes that laying out a node takes, including those that are kept.
    pub(crate) const BYTES_OF_NODE: usize = 176;

    pub fn of(recording: &Recording) -> Self {
        Self::over(final_parents(recording), &recording.nodes.backward)
    }

    /// Lays out nodes by their parents, those marked `backward` beside the others, in time linear in their number,
    /// whatever their depth.
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

    /// Computes the nodes' depths and the sizes of their subtrees; parents come before their children.
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

/// The distance of trees from the goals to those from the start, in widths of a node.
const BESIDE: f64 = 2.0;

/// The parent of each state: the first one, or a better one found later.
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
