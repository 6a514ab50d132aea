//! The tree that a search has grown in the end, laid out so that it can be drawn as it grows and no node ever moves.

#[cfg(test)]
mod tests;
mod tidy;

use super::{NOBODY, Recording, What};

/// Every recorded state in the final tree: under the parent that it had last, with a place of its own.
///
/// A depth-first search forgets: each of its iterations is a tree of its own, and what it meets again is a node again.
/// A search from both ends has grown trees from both; those from the goals stand beside the others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// The state that each came from in the end; [`NOBODY`] for a root.
    pub parent: Vec<u32>,
    /// How far to the right each stands, in widths of a node; the leftmost of all at 0.
    pub x: Vec<f32>,
    /// How many steps each is from its root.
    pub depth: Vec<u32>,
    /// How many nodes there are below each, itself included.
    pub size: Vec<u32>,
    /// The first of those that came from each; [`NOBODY`] for none.
    pub first: Vec<u32>,
    /// The next that came from the same parent; [`NOBODY`] for none.
    pub next: Vec<u32>,
}

impl Tree {
    /// The most bytes that laying a node out takes, what is kept of it included.
    pub(crate) const BYTES_OF_NODE: usize = 176;

    /// The tree of a recording.
    pub fn of(recording: &Recording) -> Self {
        Self::over(final_parents(recording), &recording.nodes.backward)
    }

    /// Lays out nodes by their parents; those that are marked beside the others. In time linear in their number, whatever
    /// their depth.
    pub(crate) fn over(mut parent: Vec<u32>, backward: &[bool]) -> Self {
        let nodes = parent.len();
        let depth = depths(&mut parent);
        let (mut first, mut next) = (vec![NOBODY; nodes], vec![NOBODY; nodes]);
        for node in (0..nodes).rev() {
            let above = parent[node] as usize;
            if above < nodes {
                next[node] = std::mem::replace(&mut first[above], node as u32);
            }
        }
        let size = sizes(&parent, &depth);
        let mut tree = Self { parent, x: vec![0.0; nodes], depth, size, first, next };
        let is_root = |node: &u32| tree.parent[*node as usize] == NOBODY;
        let (later, roots): (Vec<u32>, Vec<u32>) =
            (0..nodes as u32).filter(is_root).partition(|&node| backward[node as usize]);
        let places = [roots, later].map(|roots| tidy::place(&roots, &tree.first, &tree.next));
        let mut left = 0.0;
        for placed in places.into_iter().filter(|placed| !placed.is_empty()) {
            let least = placed.iter().map(|&(_, x)| x).fold(f64::INFINITY, f64::min);
            let most = placed.iter().map(|&(_, x)| x).fold(f64::NEG_INFINITY, f64::max);
            for (node, x) in placed {
                tree.x[node as usize] = (x - least + left) as f32;
            }
            left += most - least + BESIDE;
        }
        tree
    }
}

/// How far trees from the goals stand from those from the start.
const BESIDE: f64 = 2.0;

/// The parent with which each state was met first, or that was found to be better later.
fn final_parents(recording: &Recording) -> Vec<u32> {
    let events = &recording.events;
    let mut parent = vec![NOBODY; recording.nodes.backward.len()];
    let mut is_met = vec![false; parent.len()];
    for index in 0..events.what.len() {
        let node = events.node[index] as usize;
        if node >= parent.len() {
            continue;
        }
        let is_better = matches!(What::ALL[usize::from(events.what[index])], What::Cheaper | What::Reopened);
        if !std::mem::replace(&mut is_met[node], true) || is_better {
            parent[node] = events.parent[index];
        }
    }
    parent
}

/// How deep each node is. Where parents lead in a circle, which no search does, it is broken.
fn depths(parent: &mut [u32]) -> Vec<u32> {
    const UNKNOWN: u32 = u32::MAX;
    const ON_THE_WAY: u32 = u32::MAX - 1;
    let mut depth = vec![UNKNOWN; parent.len()];
    let mut way = Vec::new();
    for node in 0..parent.len() {
        let mut at = node;
        while depth[at] == UNKNOWN {
            depth[at] = ON_THE_WAY;
            way.push(at);
            match parent[at] as usize {
                above if above < parent.len() && depth[above] != ON_THE_WAY => at = above,
                _ => parent[at] = NOBODY,
            }
        }
        while let Some(below) = way.pop() {
            let above = parent[below];
            depth[below] = if above == NOBODY { 0 } else { depth[above as usize] + 1 };
        }
    }
    depth
}

/// How many nodes there are below each, from the deepest up.
fn sizes(parent: &[u32], depth: &[u32]) -> Vec<u32> {
    let deepest = depth.iter().max().map_or(0, |&depth| depth as usize + 1);
    let mut starts = vec![0_usize; deepest + 1];
    for &depth in depth {
        starts[depth as usize + 1] += 1;
    }
    (0..deepest).for_each(|level| starts[level + 1] += starts[level]);
    let mut by_depth = vec![0; depth.len()];
    for (node, &depth) in depth.iter().enumerate() {
        by_depth[starts[depth as usize]] = node;
        starts[depth as usize] += 1;
    }
    let mut size = vec![1; parent.len()];
    for &node in by_depth.iter().rev() {
        if parent[node] != NOBODY {
            size[parent[node] as usize] += size[node];
        }
    }
    size
}
