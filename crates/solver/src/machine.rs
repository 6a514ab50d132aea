//! The finite-state machine that leaves out move sequences for which there is a better one.
//!
//! Two sequences that start from the same cell of the blank and lead to the same arrangement are
//! interchangeable. Of each such class only the first is kept: shortest, then in the order of the
//! moves. Whatever contains another is left out; the best path of all, first in the same order,
//! contains none, so it is never lost. As sequences are told apart by the cell from which they start,
//! borders and wraps need no special care.

use std::{
    hash::{BuildHasher, BuildHasherDefault},
    ops::ControlFlow::{self, Continue},
};

use pintu_search::{Control, Hold, Stop};
use pintu_tiles::{Board, Bytes, Direction, Nibbles, Topology};

/// For each state the moves to be made: those that neither lead off the board nor repeat what another sequence
/// does. A state knows where the blank is.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    fans: Vec<Fan>,
    cells: usize,
}

/// The moves to be made in a state.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fan {
    steps: [Step; 4],
    count: u8,
    /// The blank's cell.
    pub(crate) blank: u8,
}

/// A move of the blank.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Step {
    /// The state after it.
    pub(crate) next: u16,
    /// The cell that the blank goes to.
    pub(crate) to: u8,
    /// Four times the blank's cell before, and the direction.
    pub(crate) slide: u8,
}

impl Fan {
    /// The moves, and as many more as make them four.
    #[inline]
    pub(crate) fn padded(&self) -> ([Step; 4], usize) {
        (self.steps, usize::from(self.count))
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps[..usize::from(self.count)]
    }
}

/// No state: a move that is not to be made.
pub const LEFT_OUT: u16 = u16::MAX;

/// Sequences compared for the machine that takes no memory worth a word.
const LEAST_DEPTH: usize = 2;
/// Sequences compared for the machine that is soon there.
const QUICK_DEPTH: usize = 8;
/// Sequences compared for the machine that takes some time to make.
const DEEP_DEPTH: usize = 12;
/// When so many sequences have been looked at, no longer ones are.
const MOST_SEQUENCES: usize = 250_000;

/// For each state of the machine that leaves out most, the state after a move of the blank in each
/// [direction](Direction::ALL), or [`LEFT_OUT`]. Before the first move, the state's number is the blank's cell.
pub fn kept_moves(topology: Topology) -> Vec<[u16; 4]> {
    let next = |fan: &Fan| {
        let mut next = [LEFT_OUT; 4];
        for step in fan.steps() {
            next[usize::from(step.slide % 4)] = step.next;
        }
        next
    };
    Machine::unbounded(topology, DEEP_DEPTH).fans.iter().map(next).collect()
}

impl Machine {
    /// A machine that leaves out little more than the step back, and takes next to nothing to make.
    pub(crate) fn least(topology: Topology) -> Self {
        Self::unbounded(topology, LEAST_DEPTH)
    }

    /// A machine that is made in a few milliseconds; with many wraps it takes some megabytes. What that takes is asked for,
    /// and held when it is made.
    pub(crate) fn quick(topology: Topology, hold: &mut Hold) -> ControlFlow<Stop, Self> {
        Self::with_depth(topology, QUICK_DEPTH, hold)
    }

    /// A machine that takes some tens of milliseconds and some megabytes to make, and leaves out more. What that takes
    /// is asked for, and held when it is made.
    pub(crate) fn deep(topology: Topology, hold: &mut Hold) -> ControlFlow<Stop, Self> {
        Self::with_depth(topology, DEEP_DEPTH, hold)
    }

    fn unbounded(topology: Topology, longest: usize) -> Self {
        let made = Self::with_depth(topology, longest, &mut Control::unlimited().hold());
        made.continue_value().expect("nothing limits it")
    }

    fn with_depth(topology: Topology, longest: usize, hold: &mut Hold) -> ControlFlow<Stop, Self> {
        match topology.cells() {
            0..=16 => Sequences::<Nibbles>::new(topology, longest, hold)?.machine(hold),
            17..=36 => Sequences::<Bytes<36>>::new(topology, longest, hold)?.machine(hold),
            _ => Sequences::<Bytes<256>>::new(topology, longest, hold)?.machine(hold),
        }
    }

    /// The bytes that it holds.
    pub(crate) fn bytes(&self) -> u64 {
        (self.fans.capacity() * size_of::<Fan>()) as u64
    }

    /// The state before the first move, with the blank in this cell.
    pub(crate) fn start(&self, blank: usize) -> u16 {
        debug_assert!(blank < self.cells);
        blank as u16
    }

    /// The moves to be made in a state.
    #[inline]
    pub(crate) fn fan(&self, state: u16) -> &Fan {
        &self.fans[usize::from(state)]
    }

    #[cfg(test)]
    pub(crate) fn states(&self) -> usize {
        self.fans.len()
    }
}

/// All sequences that are kept, as a tree for each start cell, level by level in their order.
struct Sequences<B> {
    topology: Topology,
    nodes: Vec<Sequence<B>>,
    /// The sequences by where they start and the board they lead to: their numbers, or [`NONE`].
    slots: Vec<u32>,
}

struct Sequence<B> {
    board: B,
    parent: u32,
    /// The same sequence without its first move.
    suffix: u32,
    start: u8,
    /// What each move leads to: a sequence that is kept, or one of the two below.
    moves: [u32; 4],
}

/// No sequence.
const NONE: u32 = u32::MAX;
/// A move off the board, or not looked at.
const OPEN: u32 = u32::MAX;
/// A move to a sequence that is left out.
const NOT_KEPT: u32 = u32::MAX - 1;

impl<B: Board> Sequences<B> {
    fn new(topology: Topology, longest: usize, hold: &mut Hold) -> ControlFlow<Stop, Self> {
        let cells = topology.cells();
        let mut sequences = Self { topology, nodes: Vec::new(), slots: Vec::new() };
        for start in 0..cells {
            let board = B::pack(pintu_tiles::goal_with_blank(topology.size(), start).tiles());
            sequences.keep(Sequence { board, parent: 0, suffix: NONE, start: start as u8, moves: [OPEN; 4] }, hold)?;
        }
        let mut level = 0..cells;
        for _ in 0..longest {
            let end = sequences.nodes.len();
            if (end - level.start) * 2 + end > MOST_SEQUENCES {
                break;
            }
            for node in level.clone() {
                sequences.extend(node, hold)?;
            }
            level = end..sequences.nodes.len();
        }
        Continue(sequences)
    }

    /// Adds to a sequence each move that makes no sequence to be left out.
    fn extend(&mut self, at: usize, hold: &mut Hold) -> ControlFlow<Stop> {
        let (start, blank) = (self.nodes[at].start, self.nodes[at].board.blank());
        for (index, direction) in Direction::ALL.into_iter().enumerate() {
            let Some(to) = self.topology.neighbour(blank, direction) else { continue };
            let suffix = match self.nodes[at].suffix {
                // The first move: what is left without it is nothing, from where it led.
                NONE => to as u32,
                shorter => self.nodes[shorter as usize].moves[index],
            };
            self.nodes[at].moves[index] = if suffix == NOT_KEPT || suffix == OPEN {
                NOT_KEPT
            } else {
                let mut board = self.nodes[at].board.clone();
                board.slide(blank, to);
                self.keep(Sequence { board, parent: at as u32, suffix, start, moves: [OPEN; 4] }, hold)?
            };
        }
        Continue(())
    }

    /// Keeps a sequence unless another leads from the same start to the same board: its number, or [`NOT_KEPT`].
    fn keep(&mut self, sequence: Sequence<B>, hold: &mut Hold) -> ControlFlow<Stop, u32> {
        self.make_room(hold)?;
        let slot = self.slot(&sequence);
        if self.slots[slot] != NONE {
            return Continue(NOT_KEPT);
        }
        let number = self.nodes.len() as u32;
        self.slots[slot] = number;
        self.nodes.push(sequence);
        Continue(number)
    }

    /// Where a sequence's number is, or would be.
    fn slot(&self, sequence: &Sequence<B>) -> usize {
        let mask = self.slots.len() - 1;
        let hash = BuildHasherDefault::<Mix>::default().hash_one((sequence.start, &sequence.board));
        let mut slot = hash as usize & mask;
        while let Some(other) = self.nodes.get(self.slots[slot] as usize) {
            if other.start == sequence.start && other.board == sequence.board {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Room for one more, if there is memory for that. At most half of the slots are used.
    fn make_room(&mut self, hold: &mut Hold) -> ControlFlow<Stop> {
        const FIRST: usize = 1 << 10;
        let count = self.nodes.len();
        if count == self.nodes.capacity() {
            hold.reserve(&mut self.nodes, (count + count / 4).max(FIRST))?;
        }
        if 2 * count >= self.slots.len() {
            // The old ones go first.
            hold.less((self.slots.len() * size_of::<u32>()) as u64);
            let slots = (4 * count).next_power_of_two().max(FIRST);
            self.slots = Vec::new();
            hold.reserve(&mut self.slots, slots)?;
            self.slots.resize(slots, NONE);
            for number in 0..count {
                let slot = self.slot(&self.nodes[number]);
                self.slots[slot] = number as u32;
            }
        }
        Continue(())
    }

    /// The machine whose states are the beginnings of sequences that are left out.
    fn machine(self, hold: &mut Hold) -> ControlFlow<Stop, Machine> {
        const BYTES_A_STATE: usize = size_of::<Fan>() + size_of::<[u16; 4]>() + 2 * size_of::<usize>();
        let states = self.nodes.len().min(usize::from(LEFT_OUT));
        hold.more((self.nodes.len() * size_of::<(bool, u16)>() + states * BYTES_A_STATE) as u64)?;
        let cells = self.topology.cells();
        let mut needed = vec![false; self.nodes.len()];
        needed[..cells].fill(true);
        for at in 0..self.nodes.len() {
            // A sequence that is left out for its suffix alone is recognised by the suffix's own state.
            if (0..4).any(|index| self.is_news(at, index)) {
                let mut at = at;
                while !needed[at] {
                    needed[at] = true;
                    at = self.nodes[at].parent as usize;
                }
            }
        }
        Continue(self.number(&needed))
    }

    fn is_news(&self, at: usize, index: usize) -> bool {
        let node = &self.nodes[at];
        let suffix_leaves_it_out = node.suffix != NONE && self.nodes[node.suffix as usize].moves[index] == NOT_KEPT;
        node.moves[index] == NOT_KEPT && !suffix_leaves_it_out
    }

    fn number(&self, needed: &[bool]) -> Machine {
        let cells = self.topology.cells();
        let mut states = vec![LEFT_OUT; self.nodes.len()];
        let mut next: Vec<[u16; 4]> = Vec::new();
        let most = usize::from(LEFT_OUT);
        let kept: Vec<usize> = (0..self.nodes.len()).filter(|&at| needed[at]).take(most).collect();
        for (state, &at) in (0_u16..).zip(&kept) {
            states[at] = state;
        }
        // A state's suffix is shorter, so its row is there already.
        for &at in &kept {
            let row = std::array::from_fn(|index| self.transition(at, index, &states, &next));
            next.push(row);
        }
        let fan = |(&at, row): (&usize, &[u16; 4])| {
            let blank = self.nodes[at].board.blank();
            let mut fan = Fan { blank: blank as u8, ..Fan::default() };
            for (index, &next) in row.iter().enumerate().filter(|(_, next)| **next != LEFT_OUT) {
                let to = self.topology.neighbour(blank, Direction::ALL[index]).expect("a kept move stays on the board");
                fan.steps[usize::from(fan.count)] = Step { next, to: to as u8, slide: (4 * blank + index) as u8 };
                fan.count += 1;
            }
            fan
        };
        Machine { fans: kept.iter().zip(&next).map(fan).collect(), cells }
    }

    fn transition(&self, at: usize, index: usize, states: &[u16], next: &[[u16; 4]]) -> u16 {
        let node = &self.nodes[at];
        let blank = node.board.blank();
        let Some(to) = self.topology.neighbour(blank, Direction::ALL[index]) else { return LEFT_OUT };
        let fallback = || match node.suffix {
            NONE => to as u16,
            mut shorter => loop {
                match states[shorter as usize] {
                    LEFT_OUT => shorter = self.nodes[shorter as usize].suffix,
                    state => break next[usize::from(state)][index],
                }
            },
        };
        match node.moves[index] {
            NOT_KEPT => LEFT_OUT,
            OPEN => fallback(),
            longer => Some(states[longer as usize]).filter(|&state| state != LEFT_OUT).unwrap_or_else(fallback),
        }
    }
}

/// A hasher for boards, which are few words each and need no defence against an adversary.
#[derive(Default)]
struct Mix(u64);

impl std::hash::Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for piece in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..piece.len()].copy_from_slice(piece);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, byte: u8) {
        self.write_u64(u64::from(byte));
    }

    fn write_u64(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ mixed >> 32;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use pintu_tiles::{Size, goal_with_blank};

    use super::*;
    use crate::testing::{exact_lengths, topologies};

    /// The machine may leave out sequences, but no state: each is still reached, and no later.
    #[test]
    fn the_machine_loses_no_state() {
        let wraps: [(&[usize], &[usize]); 3] = [(&[], &[]), (&[1], &[]), (&[0, 1, 2], &[0, 1, 2])];
        for topology in topologies(3, 3, &wraps).into_iter().chain(topologies(2, 4, &[(&[], &[]), (&[0], &[])])) {
            for start in 0..topology.cells() {
                let goal = goal_with_blank(topology.size(), start);
                let most = if topology.is_plain() { 16 } else { 11 };
                let exact = exact_lengths(&goal, topology, most);
                let machine = Machine::unbounded(topology, 8);
                let mut reached = HashMap::new();
                let mut level = vec![(goal.tiles().to_vec(), start, machine.start(start))];
                for depth in 0..=most {
                    let mut next = Vec::new();
                    for (tiles, blank, state) in level {
                        assert_eq!(usize::from(machine.fan(state).blank), blank);
                        for step in machine.fan(state).steps() {
                            let to = usize::from(step.to);
                            let direction = Direction::ALL[usize::from(step.slide % 4)];
                            assert_eq!(
                                (usize::from(step.slide / 4), Some(to)),
                                (blank, topology.neighbour(blank, direction))
                            );
                            let mut tiles = tiles.clone();
                            tiles.swap(blank, to);
                            next.push((tiles, to, step.next));
                        }
                        reached.entry(tiles).or_insert(depth);
                    }
                    level = next;
                }
                assert!(exact.iter().all(|(tiles, length)| reached.get(tiles) == Some(length)), "{topology}, {start}");
            }
        }
    }

    #[test]
    fn longer_sequences_leave_out_more() {
        let topology = Topology::plain(Size::new(4, 4).unwrap());
        let states: Vec<usize> = [2, 8, 10].map(|depth| Machine::unbounded(topology, depth).states()).to_vec();
        assert_eq!(states[0], 16 + 48);
        assert!(states.is_sorted() && states[1] > states[0], "{states:?}");
    }
}
