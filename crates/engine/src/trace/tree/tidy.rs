//! Tidy trees: parents centred over their children, equal subtrees drawn alike, nothing overlapping, and as narrow as
//! that allows. The algorithm of Buchheim, Jünger and Leipert, without recursion: a search may go a hundred thousand
//! steps deep.

use super::NO_NODE;

/// The positions of all nodes below some roots, which stand side by side: each node with its horizontal position.
/// Parents come before their children.
pub(super) fn positions(roots: &[u32], first: &[u32], next: &[u32]) -> Vec<(u32, f64)> {
    let Some(order) = Preorder::of(roots, first, next) else { return Vec::new() };
    let mut tidy = Tidy::new(&order);
    for node in (0..order.nodes.len()).rev() {
        tidy.arrange(node);
    }
    tidy.positions()
}

/// A preorder in which the last child comes first, below an artificial root: read backwards, all children come in
/// order, and before their parent.
struct Preorder {
    /// Their numbers in the recording.
    nodes: Vec<u32>,
    parent: Vec<u32>,
    first: Vec<u32>,
    last: Vec<u32>,
    before: Vec<u32>,
}

impl Preorder {
    fn of(roots: &[u32], first: &[u32], next: &[u32]) -> Option<Self> {
        if roots.is_empty() {
            return None;
        }
        let mut order = Self {
            nodes: vec![NO_NODE],
            parent: vec![NO_NODE],
            first: vec![NO_NODE],
            last: vec![NO_NODE],
            before: vec![NO_NODE],
        };
        // Nodes whose children are to be listed, with their positions in the order.
        let mut waiting: Vec<(u32, u32)> = roots.iter().map(|&root| (root, 0)).collect();
        while let Some((node, parent)) = waiting.pop() {
            let at = order.push(node, parent);
            let children =
                std::iter::successors(Some(first[node as usize]), |&child| next.get(child as usize).copied());
            waiting.extend(children.take_while(|&child| child != NO_NODE).map(|child| (child, at)));
        }
        order.link();
        Some(order)
    }

    fn push(&mut self, node: u32, parent: u32) -> u32 {
        let at = self.nodes.len() as u32;
        self.nodes.push(node);
        self.parent.push(parent);
        for links in [&mut self.first, &mut self.last, &mut self.before] {
            links.push(NO_NODE);
        }
        at
    }

    /// Links each node to its first and last child and to the sibling before it: children were listed from the last to the
    /// first.
    fn link(&mut self) {
        for at in 1..self.nodes.len() {
            let parent = self.parent[at] as usize;
            let after = std::mem::replace(&mut self.first[parent], at as u32);
            if after == NO_NODE {
                self.last[parent] = at as u32;
            } else {
                self.before[after as usize] = at as u32;
            }
        }
    }
}

struct Tidy<'a> {
    order: &'a Preorder,
    /// Each node's position relative to its siblings' subtrees, and the shift of all nodes below it.
    x: Vec<f64>,
    below: Vec<f64>,
    /// The changes of spacing and shifts that are yet to be applied to the siblings before each node.
    change: Vec<f64>,
    shift: Vec<f64>,
    /// The next node of a contour, where that is no child.
    thread: Vec<u32>,
    ancestor: Vec<u32>,
    /// For a parent: the child whose subtree has the contour of its children so far.
    latest: Vec<u32>,
    number: Vec<u32>,
}

const SPACE: f64 = 1.0;

impl<'a> Tidy<'a> {
    fn new(order: &'a Preorder) -> Self {
        let nodes = order.nodes.len();
        Self {
            order,
            x: vec![0.0; nodes],
            below: vec![0.0; nodes],
            change: vec![0.0; nodes],
            shift: vec![0.0; nodes],
            thread: vec![NO_NODE; nodes],
            ancestor: (0..nodes as u32).collect(),
            latest: order.first.clone(),
            number: vec![0; nodes],
        }
    }

    /// Places a node whose children are placed, and those before it.
    fn arrange(&mut self, node: usize) {
        let Preorder { first, last, before, parent, .. } = self.order;
        let left = before[node] as usize;
        let beside = self.x.get(left).map(|x| x + SPACE);
        self.number[node] = self.number.get(left).map_or(0, |number| number + 1);
        if first[node] == NO_NODE {
            self.x[node] = beside.unwrap_or(0.0);
        } else {
            self.spread(node);
            let middle = f64::midpoint(self.x[first[node] as usize], self.x[last[node] as usize]);
            self.x[node] = beside.unwrap_or(middle);
            self.below[node] = beside.map_or(0.0, |x| x - middle);
        }
        if beside.is_some() {
            self.push_away(node, parent[node] as usize);
        }
    }

    /// Applies the pending shifts to the children of a node.
    fn spread(&mut self, node: usize) {
        let (mut shift, mut change) = (0.0, 0.0);
        let mut child = self.order.last[node] as usize;
        while child < self.x.len() {
            self.x[child] += shift;
            self.below[child] += shift;
            change += self.change[child];
            shift += self.shift[child] + change;
            child = self.order.before[child] as usize;
        }
    }

    /// Moves a subtree to the right until it is clear of all before it, along their contours.
    fn push_away(&mut self, node: usize, parent: usize) {
        let before = self.order.before[node] as usize;
        let mut inner = [before, node];
        let mut outer = [self.order.first[parent] as usize, node];
        let mut sums = [inner, outer].map(|pair| pair.map(|at| self.below[at]));
        while let (Some(left), Some(right)) = (self.right_of(inner[0]), self.left_of(inner[1])) {
            inner = [left, right];
            // The outer contours are as long as the inner ones.
            let (Some(first), Some(last)) = (self.left_of(outer[0]), self.right_of(outer[1])) else { break };
            outer = [first, last];
            self.ancestor[last] = node as u32;
            let shift = self.x[left] + sums[0][0] - (self.x[right] + sums[0][1]) + SPACE;
            if shift > 0.0 {
                self.move_subtree(self.owner(left, parent), node, shift);
                sums[0][1] += shift;
                sums[1][1] += shift;
            }
            for (sums, positions) in sums.iter_mut().zip([inner, outer]) {
                sums[0] += self.below[positions[0]];
                sums[1] += self.below[positions[1]];
            }
        }
        self.thread_on(inner, outer, sums, node, parent);
    }

    /// Lets the shorter contour go on along the longer one.
    fn thread_on(&mut self, inner: [usize; 2], outer: [usize; 2], sums: [[f64; 2]; 2], node: usize, parent: usize) {
        if let (Some(longer), None) = (self.right_of(inner[0]), self.right_of(outer[1])) {
            self.thread[outer[1]] = longer as u32;
            self.below[outer[1]] += sums[0][0] - sums[1][1];
        }
        if let (Some(longer), None) = (self.left_of(inner[1]), self.left_of(outer[0])) {
            self.thread[outer[0]] = longer as u32;
            self.below[outer[0]] += sums[0][1] - sums[1][0];
            self.latest[parent] = node as u32;
        }
    }

    /// The next node of a left contour.
    fn left_of(&self, node: usize) -> Option<usize> {
        self.on(self.order.first[node], node)
    }

    /// The next node of a right contour.
    fn right_of(&self, node: usize) -> Option<usize> {
        self.on(self.order.last[node], node)
    }

    fn on(&self, child: u32, node: usize) -> Option<usize> {
        let next = if child == NO_NODE { self.thread[node] } else { child };
        (next != NO_NODE).then_some(next as usize)
    }

    /// The child, by its number, to whose subtree a node of the contour belongs.
    fn owner(&self, node: usize, parent: usize) -> usize {
        let ancestor = self.ancestor[node];
        let is_child = self.order.parent[ancestor as usize] == parent as u32;
        (if is_child { ancestor } else { self.latest[parent] }) as usize
    }

    /// Moves a subtree, and records that those between are to be spread.
    fn move_subtree(&mut self, from: usize, to: usize, shift: f64) {
        let between = f64::from(self.number[to] - self.number[from]);
        self.change[to] -= shift / between;
        self.shift[to] += shift;
        self.change[from] += shift / between;
        self.x[to] += shift;
        self.below[to] += shift;
    }

    /// Adds up the shifts of all ancestors.
    fn positions(self) -> Vec<(u32, f64)> {
        let mut moved = vec![0.0; self.x.len()];
        let mut positions = Vec::with_capacity(self.x.len() - 1);
        for at in 0..self.x.len() {
            let parent = self.order.parent[at] as usize;
            let above: f64 = moved.get(parent).copied().unwrap_or(0.0);
            moved[at] = above + self.below[at];
            if at > 0 {
                positions.push((self.order.nodes[at], self.x[at] + above));
            }
        }
        positions
    }
}
