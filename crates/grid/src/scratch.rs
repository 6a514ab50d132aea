use crate::{
    Cell, Map,
    jump::Arena,
    levels::Levels,
    movement::NOWHERE,
    queue::{Heap, Sorted, Stacks},
};

/// The memory of searches: one a thread, for any number of maps and searches. It grows to the largest
/// map it has met; from then on a search allocates nothing.
#[derive(Default)]
pub struct Scratch {
    pub(crate) path: Vec<Cell>,
    pub(crate) narrow: Nodes<u32>,
    pub(crate) wide: Nodes<u64>,
    pub(crate) stacks: Stacks,
    pub(crate) sorted: Sorted,
    pub(crate) heap: Heap,
    pub(crate) jumps: Arena,
    pub(crate) levels: Levels,
    pub(crate) line: Vec<u32>,
    pub(crate) marks: Marks,
    pub(crate) goals: Goals,
}

/// The goals of the query in hand that are not blocked.
#[derive(Default)]
pub(crate) struct Goals {
    pub(crate) cells: Vec<Cell>,
    /// Their numbers, sorted.
    pub(crate) numbers: Vec<u32>,
}

impl Scratch {
    /// Memory that has not been used yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The path that the last search found, both ends included; empty if it found none.
    pub fn path(&self) -> &[Cell] {
        &self.path
    }

    /// The bytes held.
    pub fn bytes(&self) -> u64 {
        use crate::queue::Queue;
        let queues = self.stacks.bytes() + self.sorted.bytes() + self.heap.bytes();
        let lists = self.path.capacity() * size_of::<Cell>() + self.line.capacity() * 4 + self.marks.cells.capacity();
        self.narrow.bytes() + self.wide.bytes() + queues + self.jumps.bytes() + self.levels.bytes() + lists as u64
    }
}

/// What is known about each cell. A stamp tells whether it belongs to the present search, so that
/// nothing is cleared between two.
#[derive(Default)]
pub(crate) struct Nodes<N> {
    nodes: Vec<Node<N>>,
    stamp: u32,
}

/// The least that was paid to reach a cell, and how: stamp, whether it was taken up, last step.
#[derive(Clone, Copy, Default)]
#[repr(C, packed(4))]
pub(crate) struct Node<N> {
    pub(crate) paid: N,
    pub(crate) tag: u32,
}

const STEP_BITS: u32 = 4;
/// The tag's bit for a cell that was taken up.
pub(crate) const CLOSED: u32 = 1 << STEP_BITS;
const STAMP_SHIFT: u32 = STEP_BITS + 1;

/// The step in a tag.
#[inline]
pub(crate) fn step_of(tag: u32) -> u8 {
    (tag & ((1 << STEP_BITS) - 1)) as u8
}

impl<N: Number> Nodes<N> {
    /// The bytes needed for so many cells.
    pub(crate) fn bytes_for(numbers: usize) -> u64 {
        (numbers * size_of::<Node<N>>()) as u64
    }

    pub(crate) fn bytes(&self) -> u64 {
        Self::bytes_for(self.nodes.capacity())
    }

    pub(crate) fn has_room(&self, numbers: usize) -> bool {
        self.nodes.len() >= numbers
    }

    /// The tag of a cell.
    pub(crate) fn tag(&self, index: usize) -> u32 {
        self.nodes[index].tag
    }

    /// The nodes of the last search, and their stamp.
    pub(crate) fn last(&self) -> (&[Node<N>], u32) {
        (&self.nodes, self.stamp << STAMP_SHIFT)
    }

    /// The nodes, all of them forgotten, and the stamp of those to be written.
    pub(crate) fn fresh(&mut self, numbers: usize) -> (&mut [Node<N>], u32) {
        if self.nodes.len() < numbers {
            self.nodes.reserve_exact(numbers - self.nodes.len());
            self.nodes.resize(numbers, Node::default());
        }
        self.stamp += 1;
        if self.stamp == 1 << (u32::BITS - STAMP_SHIFT) {
            self.nodes.fill(Node::default());
            self.stamp = 1;
        }
        (&mut self.nodes[..numbers], self.stamp << STAMP_SHIFT)
    }
}

/// Whether a tag bears a stamp.
#[inline]
pub(crate) fn is_stamped(tag: u32, stamp: u32) -> bool {
    (tag ^ stamp) >> STAMP_SHIFT == 0
}

/// The tag of a cell that is reached for the first time.
#[inline]
pub(crate) fn start_tag(stamp: u32) -> u32 {
    stamp | u32::from(NOWHERE)
}

/// How each cell was reached, a byte a cell: what breadth-first search needs. The high half is the
/// search's number, the low half the step; blocked cells look as if they had been reached by every search.
#[derive(Default)]
pub(crate) struct Marks {
    cells: Vec<u8>,
    search: u8,
    /// The map that the blocked cells are of.
    map: u64,
}

/// The bits of a mark that tell the step.
pub(crate) const MARK_STEP: u8 = (1 << STEP_BITS) - 1;

impl Marks {
    /// The marks, all of them forgotten, and the high half of those to be made.
    pub(crate) fn fresh(&mut self, map: &Map) -> (&mut [u8], u8) {
        const LAST: u8 = 14;
        const BLOCKED: u8 = u8::MAX;
        if !self.has_room(map) {
            self.cells.reserve_exact(map.numbers() - self.cells.len());
            self.cells.resize(map.numbers(), 0);
        }
        let marks = &mut self.cells[..map.numbers()];
        if self.map != map.id {
            for (index, mark) in marks.iter_mut().enumerate() {
                *mark = if map.pieces.of(index) == 0 { BLOCKED } else { 0 };
            }
            (self.search, self.map) = (0, map.id);
        }
        if self.search == LAST {
            for mark in &mut *marks {
                *mark = if *mark == BLOCKED { BLOCKED } else { 0 };
            }
            self.search = 0;
        }
        self.search += 1;
        (marks, self.search << STEP_BITS)
    }

    pub(crate) fn has_room(&self, map: &Map) -> bool {
        self.cells.len() >= map.numbers()
    }

    pub(crate) fn step(&self, index: usize) -> u8 {
        self.cells[index] & MARK_STEP
    }
}

/// What costs are stored as. They are computed with 64 bits.
pub(crate) trait Number: Copy + Default {
    const MOST: u64;
    fn store(value: u64) -> Self;
    fn load(self) -> u64;
}

impl Number for u32 {
    const MOST: u64 = u32::MAX as u64;

    #[inline]
    fn store(value: u64) -> Self {
        value as Self
    }

    #[inline]
    fn load(self) -> u64 {
        u64::from(self)
    }
}

impl Number for u64 {
    const MOST: u64 = 1 << 62;

    #[inline]
    fn store(value: u64) -> Self {
        value
    }

    #[inline]
    fn load(self) -> u64 {
        self
    }
}
