//! The finite automaton that leaves out move sequences for which there is a better one.
//!
//! A sequence of moves is written as the cells that the blank goes to. Sequences from the same cell are ordered by
//! length, then by their cells' numbers, first cell first. The automaton leaves out a sequence only if it contains one for
//! which an earlier one, from the same cell, leads to the same arrangement. As sequences are told apart by the cell from
//! which they start, borders and wraps need no special care. From a start without a history no optimum is lost: the first
//! of the optimal paths contains nothing that is left out, for with the earlier sequence in its place it would be earlier.
//!
//! # Roots with one move of history
//!
//! The open states of an A\* enter the automaton with the last move of the path by which they were stored, one of several
//! perhaps. Duplicate detection beside move pruning can lose solutions (Holte 2013, "Move Pruning and Duplicate
//! Detection"): what one root leaves to another, the other may leave to the first. Not here:
//!
//! *Claim.* If A\* ends before it closes the goal, some open state `r`, reached by a shortest path, has a tail `w` to the
//! goal such that path and tail together are optimal, and the automaton, entered with the last move to `r`, leaves out no
//! part of `w`.
//!
//! *A\* itself* is given one move of history, so that it sees sequences of two moves, and leaves out only steps back: other
//! sequences of at most two moves differ in where the blank ends or in the tile that comes to where it started. A step
//! back leads to the stored parent, which is nearer to the start, so it is no step of an optimal solution. A closed state
//! was expanded at its stored distance, for a shorter path to it opens it again. Therefore (∗) wherever a closed state at
//! its shortest distance lies on an optimal solution, that solution goes on through closed states at their shortest
//! distances to an open one at its own. Which open state A\* expands next makes no difference.
//!
//! *Proof.* By (∗) from the start, there are pairs `(r, w)` of an open state at its shortest distance and a tail that
//! make an optimal solution. Take one with `r` as deep as possible; among these the number of the blank's cell `b` as
//! small as possible; then `w` as early as possible. Suppose that the automaton leaves something out: a part `y` of `b·w`,
//! seen from `r`'s parent `p`, for which `z` is earlier. If `z` is shorter, there is a shorter solution; so it is as long.
//! If `y` lies within `w`, or if `z` begins with `b` too, an earlier tail from `r` does the same; so `z` leads from `p` to
//! a cell `a < b` first. `p` is closed, at its shortest distance because `r` is, and with `z` in place of `y` the solution
//! is still optimal. By (∗) it goes from `p` on to an open state at its shortest distance, at least as deep as `r`, hence exactly
//! as deep: that is `p`'s successor with the blank in `a`, which contradicts that `b` is smallest. ∎
//!
//! The proof needs that the order of moves is that of the cells they lead to. On boards without wraps that is up, left,
//! right, down. (If `r` is the start, it has no parent, and `y` lies within `w`.)
//!
//! At a bound below the optimum, some state of `w` is cut by its estimate, which is admissible, or `r` itself is not
//! searched from: so the next bound does not exceed the optimum. A GPU's searches start from the same open states with the
//! same automaton. A round that is divided into shards keeps with each subtree how many of its last moves the automaton
//! has seen. On large boards a GPU's searches start from a whole level of a breadth-first search that leaves out steps
//! back and duplicates: (∗) holds of it too, and its states enter the automaton without a history, as do the roots of a
//! batch. Then `y` lies within `w`, and the earliest tail of any root is kept. Beams drop duplicates as well, but prove
//! nothing.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use pintu_search::{Control, Hold, Stop};
use pintu_tiles::{Board, Bytes, Direction, Nibbles, Topology};

/// For each state the moves that neither lead off the board nor complete a redundant sequence. A state knows the
/// blank's cell.
#[derive(Clone, Debug)]
pub(crate) struct Automaton {
    transitions: Vec<Transitions>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Transitions {
    steps: [Step; 4],
    count: u8,
    pub(crate) blank: u8,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Step {
    pub(crate) next: u16,
    pub(crate) to: u8,
    /// Four times the blank's cell before, and the direction.
    pub(crate) slide: u8,
}

impl Transitions {
    /// The moves, padded to four, and their number.
    #[inline]
    pub(crate) fn padded(&self) -> ([Step; 4], usize) {
        (self.steps, usize::from(self.count))
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps[..usize::from(self.count)]
    }
}

/// No state: a move that is not to be made.
pub const PRUNED: u16 = u16::MAX;

/// The greatest length, in moves, of sequences compared for an automaton that leaves out little more than the step
/// back, and is built at once.
pub(crate) const LEAST_DEPTH: usize = 2;
/// The same for one that is built in a few milliseconds; with many wraps it takes some megabytes.
pub(crate) const QUICK_DEPTH: usize = 8;
/// The same for one that takes some tens of milliseconds and some megabytes to build, and leaves out more.
pub(crate) const DEEP_DEPTH: usize = 12;
/// Sequences grow longer until this many have been compared.
const MOST_SEQUENCES: usize = 250_000;

/// For each state of the automaton that leaves out most, the state after a move of the blank in each
/// [direction](Direction::ALL), or [`PRUNED`]. Before the first move, the state's number is the blank's cell.
pub fn transition_table(topology: Topology) -> Vec<[u16; 4]> {
    let next = |transitions: &Transitions| {
        let mut next = [PRUNED; 4];
        for step in transitions.steps() {
            next[usize::from(step.slide % 4)] = step.next;
        }
        next
    };
    Automaton::unbounded(topology, DEEP_DEPTH).transitions.iter().map(next).collect()
}

impl Automaton {
    /// An automaton by sequences of at most `longest` moves, without a memory limit.
    pub(crate) fn unbounded(topology: Topology, longest: usize) -> Self {
        let made = Self::with_depth(topology, longest, &mut Control::unlimited().hold());
        made.expect("nothing limits it")
    }

    /// The same, asking for the memory that building takes, which `hold` still has on return.
    pub(crate) fn with_depth(topology: Topology, longest: usize, hold: &mut Hold) -> Result<Self, Stop> {
        match topology.cells() {
            0..=16 => Sequences::<Nibbles>::new(topology, longest, hold)?.automaton(hold),
            17..=36 => Sequences::<Bytes<36>>::new(topology, longest, hold)?.automaton(hold),
            _ => Sequences::<Bytes<256>>::new(topology, longest, hold)?.automaton(hold),
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.transitions.capacity() * size_of::<Transitions>()) as u64
    }

    /// The state before the first move, with the blank in this cell.
    pub(crate) fn start(blank: usize) -> u16 {
        blank as u16
    }

    #[inline]
    pub(crate) fn transitions(&self, state: u16) -> &Transitions {
        &self.transitions[usize::from(state)]
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
    /// The state after each move: a sequence that is kept, or one of the two below.
    moves: [u32; 4],
}

const NONE: u32 = u32::MAX;
/// A move off the board, or not looked at.
const OPEN: u32 = u32::MAX;
/// A move to a sequence that is left out.
const REDUNDANT: u32 = u32::MAX - 1;

impl<B: Board> Sequences<B> {
    fn new(topology: Topology, longest: usize, hold: &mut Hold) -> Result<Self, Stop> {
        let cells = topology.cells();
        let mut sequences = Self { topology, nodes: Vec::new(), slots: Vec::new() };
        for start in 0..cells {
            let goal = pintu_tiles::goal_with_blank(topology.size(), start).expect("the start is a cell");
            let board = B::pack(goal.tiles());
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
        Ok(sequences)
    }

    /// Extends a sequence by each move that completes no redundant one.
    fn extend(&mut self, at: usize, hold: &mut Hold) -> Result<(), Stop> {
        let (start, blank) = (self.nodes[at].start, self.nodes[at].board.blank());
        let mut moves = [0, 1, 2, 3].map(|index| (self.topology.neighbour(blank, Direction::ALL[index]), index));
        // The proof above stands on this order.
        moves.sort_unstable();
        for (to, index) in moves {
            let Some(to) = to else { continue };
            let suffix = match self.nodes[at].suffix {
                // After the first move, the suffix is the empty sequence from the cell that it leads to.
                NONE => to as u32,
                shorter => self.nodes[shorter as usize].moves[index],
            };
            self.nodes[at].moves[index] = if suffix == REDUNDANT || suffix == OPEN {
                REDUNDANT
            } else {
                let mut board = self.nodes[at].board.clone();
                board.slide(blank, to);
                self.keep(Sequence { board, parent: at as u32, suffix, start, moves: [OPEN; 4] }, hold)?
            };
        }
        Ok(())
    }

    /// Keeps a sequence unless another leads from the same start to the same board: its number, or [`REDUNDANT`].
    fn keep(&mut self, sequence: Sequence<B>, hold: &mut Hold) -> Result<u32, Stop> {
        self.make_room(hold)?;
        let slot = self.slot(&sequence);
        if self.slots[slot] != NONE {
            return Ok(REDUNDANT);
        }
        let number = self.nodes.len() as u32;
        self.slots[slot] = number;
        self.nodes.push(sequence);
        Ok(number)
    }

    /// The slot of a sequence's number, or a free one for it.
    fn slot(&self, sequence: &Sequence<B>) -> usize {
        let mask = self.slots.len() - 1;
        let hash = FixedState::default().hash_one((sequence.start, &sequence.board));
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
    fn make_room(&mut self, hold: &mut Hold) -> Result<(), Stop> {
        const FIRST: usize = 1 << 10;
        let count = self.nodes.len();
        if count == self.nodes.capacity() {
            hold.reserve(&mut self.nodes, (count + count / 4).max(FIRST))?;
        }
        if 2 * count >= self.slots.len() {
            // The old slots are freed first.
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
        Ok(())
    }

    /// The automaton whose states are the beginnings of sequences that are left out.
    fn automaton(self, hold: &mut Hold) -> Result<Automaton, Stop> {
        const BYTES_A_STATE: usize = size_of::<Transitions>() + size_of::<[u16; 4]>() + 2 * size_of::<usize>();
        let states = self.nodes.len().min(usize::from(PRUNED));
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
        Ok(self.number(&needed))
    }

    fn is_news(&self, at: usize, index: usize) -> bool {
        let node = &self.nodes[at];
        let suffix_leaves_it_out = node.suffix != NONE && self.nodes[node.suffix as usize].moves[index] == REDUNDANT;
        node.moves[index] == REDUNDANT && !suffix_leaves_it_out
    }

    fn number(&self, needed: &[bool]) -> Automaton {
        let mut states = vec![PRUNED; self.nodes.len()];
        let mut next: Vec<[u16; 4]> = Vec::new();
        let most = usize::from(PRUNED);
        let kept: Vec<usize> = (0..self.nodes.len()).filter(|&at| needed[at]).take(most).collect();
        for (state, &at) in (0_u16..).zip(&kept) {
            states[at] = state;
        }
        // A state's suffix is shorter, so its row is there already.
        for &at in &kept {
            let row = std::array::from_fn(|index| self.transition(at, index, &states, &next));
            next.push(row);
        }
        let transitions = |(&at, row): (&usize, &[u16; 4])| {
            let blank = self.nodes[at].board.blank();
            let mut transitions = Transitions { blank: blank as u8, ..Transitions::default() };
            for (index, &next) in row.iter().enumerate().filter(|(_, next)| **next != PRUNED) {
                let to = self.topology.neighbour(blank, Direction::ALL[index]).expect("a kept move stays on the board");
                transitions.steps[usize::from(transitions.count)] =
                    Step { next, to: to as u8, slide: (4 * blank + index) as u8 };
                transitions.count += 1;
            }
            transitions
        };
        Automaton { transitions: kept.iter().zip(&next).map(transitions).collect() }
    }

    fn transition(&self, at: usize, index: usize, states: &[u16], next: &[[u16; 4]]) -> u16 {
        let node = &self.nodes[at];
        let blank = node.board.blank();
        let Some(to) = self.topology.neighbour(blank, Direction::ALL[index]) else { return PRUNED };
        let fallback = || match node.suffix {
            NONE => to as u16,
            mut shorter => loop {
                match states[shorter as usize] {
                    PRUNED => shorter = self.nodes[shorter as usize].suffix,
                    state => break next[usize::from(state)][index],
                }
            },
        };
        match node.moves[index] {
            REDUNDANT => PRUNED,
            OPEN => fallback(),
            longer => Some(states[longer as usize]).filter(|&state| state != PRUNED).unwrap_or_else(fallback),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashMap, HashSet};

    use pintu_tiles::{Size, goal_with_blank};

    use super::*;
    use crate::testing::topologies;

    /// Of the shortest paths to a state, the first in the order of the cells is made: no state is lost, and the proof
    /// above has its order.
    #[test]
    fn the_first_of_the_shortest_paths_to_each_state_is_made() {
        let wraps: [(&[usize], &[usize]); 3] = [(&[], &[]), (&[1], &[]), (&[0, 1, 2], &[0, 1, 2])];
        for topology in topologies(3, 3, &wraps).into_iter().chain(topologies(2, 4, &[(&[], &[]), (&[0], &[])])) {
            let automaton = Automaton::unbounded(topology, 8);
            for start in 0..topology.cells() {
                let tiles = goal_with_blank(topology.size(), start).unwrap().tiles().to_vec();
                let mut met = HashSet::from([tiles.clone()]);
                let mut level = vec![(tiles, Automaton::start(start))];
                for _ in 0..if topology.is_plain() { 16 } else { 11 } {
                    let mut next = Vec::new();
                    for (tiles, state) in level {
                        let transitions = automaton.transitions(state);
                        let blank = usize::from(transitions.blank);
                        assert_eq!(tiles[blank], 0);
                        let mut neighbours: Vec<usize> = topology.neighbours(blank).collect();
                        neighbours.sort_unstable();
                        for to in neighbours {
                            let mut after = tiles.clone();
                            after.swap(blank, to);
                            if met.insert(after.clone()) {
                                let step = transitions.steps().iter().find(|step| usize::from(step.to) == to);
                                let step = step.unwrap_or_else(|| panic!("{topology}: {tiles:?}, blank to {to}"));
                                let direction = Direction::ALL[usize::from(step.slide % 4)];
                                assert_eq!(usize::from(step.slide / 4), blank);
                                assert_eq!(topology.neighbour(blank, direction), Some(to));
                                next.push((after, step.next));
                            }
                        }
                    }
                    level = next;
                }
            }
        }
    }

    /// A graph search up to a depth: each state met, with its depth, the cell that the blank came from, and whether it is
    /// open.
    struct DepthBounded {
        topology: Topology,
        most: usize,
        met: HashMap<Vec<u8>, (usize, Option<usize>, bool)>,
    }

    impl DepthBounded {
        fn open(&self) -> Vec<Vec<u8>> {
            let mut open: Vec<_> = self.met.iter().filter(|(_, known)| known.2 && known.0 < self.most).collect();
            open.sort();
            open.into_iter().map(|(tiles, _)| tiles.clone()).collect()
        }

        /// Expands a state; returns the successors that are new or reached by a shorter path.
        fn expand(&mut self, tiles: &[u8]) -> Vec<Vec<u8>> {
            let mut fresh = Vec::new();
            let (depth, before, _) = self.met[tiles];
            self.met.insert(tiles.to_vec(), (depth, before, false));
            let blank = blank_of(tiles);
            for to in self.topology.neighbours(blank).filter(|&to| Some(to) != before) {
                let mut after = tiles.to_vec();
                after.swap(blank, to);
                if self.met.get(&after).is_none_or(|known| known.0 > depth + 1) {
                    self.met.insert(after.clone(), (depth + 1, Some(blank), true));
                    fresh.push(after);
                }
            }
            fresh
        }

        /// The least depths at which the automaton leads to each state, entered from the open states as roots are.
        fn reached(&self, automaton: &Automaton) -> HashMap<Vec<u8>, usize> {
            let enter = |tiles: &[u8], before: Option<usize>| {
                let moved = |before| automaton.transitions(Automaton::start(before)).steps();
                let step = before.and_then(|before| {
                    moved(before).iter().find(|step| usize::from(step.to) == blank_of(tiles)).map(|step| step.next)
                });
                step.unwrap_or(Automaton::start(blank_of(tiles)))
            };
            let mut levels: BTreeMap<usize, Vec<(Vec<u8>, u16)>> = BTreeMap::new();
            for (tiles, &(depth, before, _)) in self.met.iter().filter(|(_, known)| known.2) {
                levels.entry(depth).or_default().push((tiles.clone(), enter(tiles, before)));
            }
            let (mut reached, mut seen) = (HashMap::new(), HashSet::new());
            while let Some((depth, level)) = levels.pop_first() {
                for (tiles, state) in level {
                    if depth > self.most || !seen.insert((tiles.clone(), state)) {
                        continue;
                    }
                    for step in automaton.transitions(state).steps() {
                        let mut after = tiles.clone();
                        after.swap(blank_of(&tiles), usize::from(step.to));
                        levels.entry(depth + 1).or_default().push((after, step.next));
                    }
                    reached.entry(tiles).or_insert(depth);
                }
            }
            reached
        }
    }

    fn blank_of(tiles: &[u8]) -> usize {
        tiles.iter().position(|&tile| tile == 0).unwrap()
    }

    /// The claim, for every state up to a depth as the goal: from the open states of any graph search, whatever the order
    /// in which it expands and whichever of several shortest paths it has stored, the automaton leads to every state that
    /// is not closed at its shortest distance.
    #[test]
    fn no_optimum_is_lost_from_any_frontier() {
        let wraps: [(&[usize], &[usize]); 4] = [(&[], &[]), (&[0], &[]), (&[0, 1], &[]), (&[1], &[])];
        let square: [(&[usize], &[usize]); 3] = [(&[], &[]), (&[1], &[1]), (&[0, 1, 2], &[0, 1, 2])];
        let deep = |topology: Topology, most: usize| (topology, if topology.is_plain() { most + 4 } else { most });
        let boards = (topologies(2, 3, &wraps).into_iter().map(|board| (board, usize::MAX)))
            .chain(topologies(2, 4, &wraps).into_iter().map(|board| deep(board, 9)))
            .chain(topologies(3, 3, &square).into_iter().map(|board| deep(board, 7)))
            .chain(topologies(3, 4, &[(&[], &[]), (&[2], &[0, 3])]).into_iter().map(|board| deep(board, 7)));
        let mut random = 1_u64;
        let mut below = |most: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize % most
        };
        for (topology, most) in boards {
            let automaton = Automaton::unbounded(topology, DEEP_DEPTH);
            for start in (0..topology.cells()).step_by(if topology.cells() > 6 { 3 } else { 1 }) {
                let tiles = goal_with_blank(topology.size(), start).unwrap().tiles().to_vec();
                let begin = || DepthBounded { topology, most, met: HashMap::from([(tiles.clone(), (0, None, true))]) };
                let (mut exact, mut level) = (begin(), vec![tiles.clone()]);
                while !level.is_empty() && exact.met[&level[0]].0 < most {
                    level = level.iter().flat_map(|tiles| exact.expand(tiles)).collect();
                }
                for _ in 0..6 {
                    let mut frontier = begin();
                    for _ in 0..below(exact.met.len().min(150)) {
                        let open = frontier.open();
                        let Some(next) = (!open.is_empty()).then(|| open[below(open.len())].clone()) else { break };
                        frontier.expand(&next);
                    }
                    let reached = frontier.reached(&automaton);
                    for (goal, &(depth, ..)) in &exact.met {
                        let is_closed = frontier.met.get(goal).is_some_and(|known| !known.2 && known.0 == depth);
                        assert!(is_closed || reached.get(goal) == Some(&depth), "{topology}: {start} to {goal:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn longer_sequences_leave_out_more() {
        let topology = Topology::plain(Size::new(4, 4).unwrap());
        let states: Vec<usize> =
            [2, 8, 10].map(|depth| Automaton::unbounded(topology, depth).transitions.len()).to_vec();
        assert_eq!(states[0], 16 + 48);
        assert!(states.is_sorted() && states[1] > states[0], "{states:?}");
    }
}
