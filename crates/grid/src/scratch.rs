use std::{
    fmt,
    ops::ControlFlow::{self, Continue},
};

use pintu_search::{Control, Hold, Stop, driver::Heap};

use crate::{
    Cell, Map,
    field::{Field, STEP_BITS},
    jump::Arena,
    levels::Levels,
    number::Huge,
    queue::{Pairs, Sorted, Stacks},
};

/// The memory of searches: one a thread, for any number of maps and searches. It grows to the largest
/// map it has met; from then on a search allocates nothing, unless it needs numbers of more than 32 bits.
///
/// While a search uses it, all of it counts as held by the search's control. With more than one thread under one limit
/// on memory, make it [`within`](Self::within) their control: then it counts from the beginning to the end.
#[derive(Default)]
pub struct Scratch {
    pub(crate) path: Vec<Cell>,
    pub(crate) goals: Goals,
    pub(crate) narrow: Field<u32>,
    pub(crate) wide: Field<u64>,
    pub(crate) huge: Field<Huge>,
    pub(crate) stacks: Stacks,
    pub(crate) sorted: Sorted,
    pub(crate) heap: Heap<u64, u32>,
    pub(crate) jumps: Arena,
    pub(crate) pairs: Pairs,
    pub(crate) levels: Levels,
    pub(crate) line: Vec<u32>,
    pub(crate) marks: Marks,
    hold: Option<Hold>,
}

/// The goals of the query in hand that are not blocked.
#[derive(Default)]
pub(crate) struct Goals {
    pub(crate) cells: Vec<Cell>,
    /// Their numbers, sorted.
    pub(crate) numbers: Vec<u32>,
}

impl fmt::Debug for Scratch {
    /// How much there is, not what is in it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Scratch");
        shown.field("bytes", &self.bytes()).field("path_cells", &self.path.len()).finish_non_exhaustive()
    }
}

impl Scratch {
    /// Memory that has not been used yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Memory that counts as held by a control for as long as it exists. What searches with it take is asked of this
    /// control, of which theirs should be clones or parts.
    pub fn within(control: &Control) -> Self {
        Self { hold: Some(control.hold()), ..Self::default() }
    }

    /// The path that the last search found, both ends included; empty if it found none.
    pub fn path(&self) -> &[Cell] {
        &self.path
    }

    /// The bytes held.
    pub fn bytes(&self) -> u64 {
        let fields = self.narrow.bytes() + self.wide.bytes() + self.huge.bytes();
        let queues = self.stacks.bytes() + self.sorted.bytes() + self.heap.bytes() + self.pairs.bytes();
        let lists = (self.path.capacity() + self.goals.cells.capacity()) * size_of::<Cell>()
            + (self.line.capacity() + self.goals.numbers.capacity()) * 4
            + self.marks.cells.capacity();
        fields + queues + self.jumps.bytes() + self.levels.bytes() + lists as u64
    }

    /// The hold that a search is to ask, in which what is here already is entered. If that alone is too much, it is given
    /// up.
    pub(crate) fn lend(&mut self, control: &Control) -> Hold {
        if let Some(mut hold) = self.hold.take() {
            hold.forget_peak();
            return hold;
        }
        let mut hold = control.hold();
        if hold.more(self.bytes()).is_break() {
            *self = Self::new();
        }
        hold
    }

    /// The search is over.
    pub(crate) fn take_back(&mut self, hold: Hold, was_within: bool) {
        self.hold = was_within.then_some(hold);
    }

    pub(crate) fn is_within(&self) -> bool {
        self.hold.is_some()
    }
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
    pub(crate) fn fresh(&mut self, map: &Map, hold: &mut Hold) -> ControlFlow<Stop, (&mut [u8], u8)> {
        const LAST: u8 = 14;
        const BLOCKED: u8 = u8::MAX;
        make_room(&mut self.cells, map.numbers(), hold)?;
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
        Continue((marks, self.search << STEP_BITS))
    }

    pub(crate) fn step(&self, index: usize) -> u8 {
        self.cells[index] & MARK_STEP
    }
}

/// Makes a list as long as it must be at least. What it grows by is asked for first; what it held may be lost.
pub(crate) fn make_room<T: Clone + Default>(list: &mut Vec<T>, len: usize, hold: &mut Hold) -> ControlFlow<Stop> {
    if list.len() < len {
        hold.more(((len - list.capacity().min(len)) * size_of::<T>()) as u64)?;
        // Given up first, so that the two are never held together.
        *list = Vec::new();
        *list = vec![T::default(); len];
    }
    Continue(())
}
