//! A* as far as memory and time allow: its open states are where the depth-first searches begin.
//!
//! IDA* meets the same state again and again by different ways. What A* has closed is searched no
//! more, and each open state is searched from once, by the shortest way to it. So the larger the
//! frontier, the fewer the states searched; and its parts are what threads share out.

use std::ops::ControlFlow::{self, Continue};

use super::{
    control::Allowance,
    dive::Halt,
    layout::{Cells, Layout},
    machine::Machine,
};

/// The states that A* has met, each stored once.
pub(crate) struct Frontier<'a> {
    layout: &'a Layout<'a>,
    /// For each state, its board and the moves of all its lanes.
    bytes: Vec<u8>,
    nodes: Vec<Node>,
    /// Open addressing: indices of nodes.
    slots: Vec<u32>,
    /// Open states by the least length of a solution through them; stale entries are skipped.
    open: Vec<Vec<u32>>,
}

#[derive(Clone, Copy)]
struct Node {
    parent: u32,
    paid: u16,
    /// The estimate of the moves left.
    left: u16,
    blank: u8,
    closed: bool,
}

/// Where a depth-first search begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Root<'a> {
    pub(crate) board: Cells,
    /// The moves that the tiles of each lane need.
    pub(crate) moves: &'a [u8],
    pub(crate) blank: u8,
    /// The moves made so far.
    pub(crate) paid: u32,
    /// The cell that the blank came from, if it has moved.
    pub(crate) before: Option<u8>,
}

/// How far A* came.
pub(crate) enum Grown {
    /// It found the goal.
    Solved(u32),
    /// It holds as many states as it may.
    Full,
}

const NONE: u32 = u32::MAX;

impl<'a> Frontier<'a> {
    pub(crate) fn new(layout: &'a Layout<'a>, board: &Cells, blank: usize) -> Self {
        let mut frontier =
            Self { layout, bytes: Vec::new(), nodes: Vec::new(), slots: vec![NONE; 1024], open: Vec::new() };
        let moves = layout.moves(board);
        let left = layout.sums(&moves).max().unwrap_or(0);
        frontier.reach(board, &moves, Node { parent: NONE, paid: 0, left, blank: blank as u8, closed: false });
        frontier
    }

    /// How many states it holds.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The bytes that it holds.
    pub(crate) fn bytes(&self) -> u64 {
        (self.len() * self.bytes_a_state()) as u64
    }

    /// The bytes that a state takes, its share of the slots and of the queue included.
    pub(crate) fn bytes_a_state(&self) -> usize {
        self.stride() + size_of::<Node>() + 3 * size_of::<u32>() + size_of::<u32>()
    }

    /// Goes on with A* until it holds so many states.
    pub(crate) fn grow(
        &mut self,
        most: usize,
        machine: &Machine,
        allowance: &mut Allowance<'_>,
    ) -> ControlFlow<Halt, Grown> {
        while self.len() < most {
            let Some(id) = self.pop() else { return Continue(Grown::Full) };
            allowance.expand(1)?;
            if self.nodes[id as usize].left == 0 {
                return Continue(Grown::Solved(id));
            }
            self.expand(id, machine, allowance);
        }
        Continue(Grown::Full)
    }

    /// No solution is shorter than this.
    pub(crate) fn least(&self) -> u32 {
        let open = |id: &u32| !self.nodes[*id as usize].closed;
        let bucket = self.open.iter().position(|bucket| bucket.iter().any(open));
        bucket.unwrap_or(0) as u32
    }

    /// The open states through which a solution may be as short as `bound`, those nearest to the goal
    /// first.
    pub(crate) fn roots(&self, bound: u32) -> Vec<u32> {
        let within = |id: &u32| {
            let node = &self.nodes[*id as usize];
            !node.closed && u32::from(node.paid + node.left) <= bound
        };
        let mut roots: Vec<u32> = (0..self.len() as u32).filter(within).collect();
        roots.sort_by_key(|&id| self.nodes[id as usize].left);
        roots
    }

    /// By how much at least the bound must rise for another open state to be searched from.
    pub(crate) fn shortfall(&self, bound: u32) -> u32 {
        let open = self.nodes.iter().filter(|node| !node.closed);
        open.map(|node| u32::from(node.paid + node.left)).filter(|&least| least > bound).min().unwrap_or(u32::MAX)
            - bound
    }

    /// An open state, to search from.
    pub(crate) fn root(&self, id: u32) -> Root<'_> {
        let node = self.nodes[id as usize];
        let (board, moves) = self.state(id);
        let before = (node.parent != NONE).then(|| self.nodes[node.parent as usize].blank);
        Root { board, moves, blank: node.blank, paid: u32::from(node.paid), before }
    }

    /// The cells that the blank went to on the way to a state.
    pub(crate) fn path(&self, mut id: u32) -> Vec<u8> {
        let mut cells = Vec::new();
        while self.nodes[id as usize].parent != NONE {
            cells.push(self.nodes[id as usize].blank);
            id = self.nodes[id as usize].parent;
        }
        cells.reverse();
        cells
    }

    fn stride(&self) -> usize {
        self.layout.cells + self.layout.lanes.len()
    }

    fn state(&self, id: u32) -> (Cells, &[u8]) {
        let state = &self.bytes[id as usize * self.stride()..][..self.stride()];
        let (cells, moves) = state.split_at(self.layout.cells);
        (self.layout.board(cells), moves)
    }

    fn pop(&mut self) -> Option<u32> {
        for bucket in &mut self.open {
            while let Some(id) = bucket.pop() {
                if !self.nodes[id as usize].closed {
                    return Some(id);
                }
            }
        }
        None
    }

    fn expand(&mut self, id: u32, machine: &Machine, allowance: &mut Allowance<'_>) {
        self.nodes[id as usize].closed = true;
        let node = self.nodes[id as usize];
        let root = self.root(id);
        let (board, before, moves) = (root.board, root.before, root.moves.to_vec());
        let blank = usize::from(node.blank);
        for step in machine.fan(machine.start(blank)).steps().iter().filter(|step| before != Some(step.to)) {
            allowance.generated += 1;
            let mut moves = moves.clone();
            self.layout.step(&mut moves, &board, blank, usize::from(step.to));
            let left = self.layout.sums(&moves).max().unwrap_or(0);
            let mut board = board;
            board.swap(blank, usize::from(step.to));
            let paid = node.paid + 1;
            self.reach(&board, &moves, Node { parent: id, paid, left, blank: step.to, closed: false });
        }
    }

    /// A way to a state has been found: keeps it if it is the first or the shortest.
    fn reach(&mut self, board: &Cells, moves: &[u8], node: Node) {
        let cells = self.layout.cells;
        let mut slot = self.home(&board[..cells]);
        let id = loop {
            match self.slots[slot] {
                NONE => {
                    let id = self.nodes.len() as u32;
                    self.slots[slot] = id;
                    self.bytes.extend_from_slice(&board[..cells]);
                    self.bytes.extend_from_slice(moves);
                    self.nodes.push(node);
                    break id;
                }
                id if self.bytes[id as usize * self.stride()..][..cells] == board[..cells] => {
                    if self.nodes[id as usize].paid <= node.paid {
                        return;
                    }
                    self.nodes[id as usize] = node;
                    break id;
                }
                _ => slot = (slot + 1) % self.slots.len(),
            }
        };
        let bucket = usize::from(node.paid + node.left);
        if self.open.len() <= bucket {
            self.open.resize_with(bucket + 1, Vec::new);
        }
        self.open[bucket].push(id);
        if self.nodes.len() * 2 > self.slots.len() {
            self.rehash();
        }
    }

    fn home(&self, cells: &[u8]) -> usize {
        let mut hash = 0_u64;
        for piece in cells.chunks(8) {
            let mut word = [0; 8];
            word[..piece.len()].copy_from_slice(piece);
            hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            hash ^= hash >> 29;
        }
        hash as usize % self.slots.len()
    }

    fn rehash(&mut self) {
        self.slots = vec![NONE; self.slots.len() * 2];
        for id in 0..self.nodes.len() {
            let mut slot = self.home(&self.bytes[id * self.stride()..][..self.layout.cells]);
            while self.slots[slot] != NONE {
                slot = (slot + 1) % self.slots.len();
            }
            self.slots[slot] = id as u32;
        }
    }
}

impl Root<'_> {
    /// The machine's state after the last move. The moves before it are not counted in: what A* keeps
    /// of several ways to a state is not what the machine would keep.
    pub(crate) fn machine_state(&self, machine: &Machine) -> u16 {
        let start = machine.start(usize::from(self.blank));
        let Some(before) = self.before else { return start };
        let steps = machine.fan(machine.start(usize::from(before))).steps();
        steps.iter().find(|step| step.to == self.blank).map_or(start, |step| step.next)
    }
}
