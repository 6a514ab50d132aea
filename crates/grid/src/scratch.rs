use std::fmt;

use pintu_search::{Control, Hold, Stop, driver::Heap};

use crate::{
    Cell, Map,
    field::{Field, STEP_BITS},
    jump::Arena,
    levels::Levels,
    query::Goals,
    queue::{Pairs, Sorted, Stacks},
};

/// The memory of searches: one a thread, for any number of maps and searches. It grows to the largest
/// map it was used for; from then on a search allocates nothing, unless it needs 64-bit numbers.
///
/// While a search uses it, all of it counts as held by the search's control. With more than one thread under one limit
/// on memory, make it [`within`](Self::within) their control: then it counts from the beginning to the end.
#[derive(Default)]
pub struct Scratch {
    pub(crate) path: Vec<Cell>,
    pub(crate) goals: Goals,
    pub(crate) narrow: Field<u32>,
    pub(crate) wide: Field<u64>,
    pub(crate) stacks: Stacks,
    pub(crate) sorted: Sorted,
    pub(crate) heap: Heap<u64, u32>,
    pub(crate) jumps: Arena,
    pub(crate) pairs: Pairs,
    pub(crate) levels: Levels,
    /// The queue of breadth-first search.
    pub(crate) queue: Vec<u32>,
    pub(crate) marks: Marks,
    hold: Option<Hold>,
}

impl fmt::Debug for Scratch {
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

    /// Memory that counts as held by a control for as long as it exists. Searches that use it ask this control for
    /// memory, so theirs should be clones or parts of it.
    pub fn within(control: &Control) -> Self {
        Self { hold: Some(control.hold()), ..Self::default() }
    }

    /// The path that the last search found, both ends included; empty if it found none.
    pub fn path(&self) -> &[Cell] {
        &self.path
    }

    /// The bytes held.
    pub fn bytes(&self) -> u64 {
        let fields = self.narrow.bytes() + self.wide.bytes();
        let queues = self.stacks.bytes() + self.sorted.bytes() + self.heap.bytes() + self.pairs.bytes();
        let lists = (self.path.capacity() + self.goals.cells.capacity()) * size_of::<Cell>()
            + (self.queue.capacity() + self.goals.numbers.capacity()) * 4
            + self.marks.cells.capacity();
        fields + queues + self.jumps.bytes() + self.levels.bytes() + lists as u64
    }

    /// The hold of a search, with what is here already, and whether to [keep](Self::take_back) it. If what is here exceeds
    /// the limit, it is freed.
    pub(crate) fn lend(&mut self, control: &Control) -> (Hold, bool) {
        if let Some(mut hold) = self.hold.take() {
            hold.forget_peak();
            return (hold, true);
        }
        let mut hold = control.hold();
        if hold.more(self.bytes()).is_err() {
            *self = Self::new();
        }
        (hold, false)
    }

    pub(crate) fn take_back(&mut self, hold: Hold, is_kept: bool) {
        self.hold = is_kept.then_some(hold);
    }
}

/// How each cell was reached, in one byte, for breadth-first search. The high half is the search's number, the low half
/// the step; blocked cells look as if every search had reached them.
#[derive(Default)]
pub(crate) struct Marks {
    cells: Vec<u8>,
    search: u8,
    /// The map to which the blocked cells belong.
    map: u64,
}

/// The bits of a mark that hold the step.
pub(crate) const MARK_STEP: u8 = (1 << STEP_BITS) - 1;

impl Marks {
    /// The marks, cleared of earlier searches, and the high half of the next search's marks.
    pub(crate) fn fresh(&mut self, map: &Map, hold: &mut Hold) -> Result<(&mut [u8], u8), Stop> {
        const LAST: u8 = 14;
        const BLOCKED: u8 = u8::MAX;
        make_room(&mut self.cells, map.numbers(), hold)?;
        let marks = &mut self.cells[..map.numbers()];
        if self.map != map.id {
            for (index, mark) in marks.iter_mut().enumerate() {
                *mark = if map.pieces.is_blocked(index) { BLOCKED } else { 0 };
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
        Ok((marks, self.search << STEP_BITS))
    }

    pub(crate) fn step(&self, index: usize) -> u8 {
        self.cells[index] & MARK_STEP
    }
}

/// Makes a list at least `len` long, after its growth has been reserved. Its contents may be lost.
pub(crate) fn make_room<T: Clone + Default>(list: &mut Vec<T>, len: usize, hold: &mut Hold) -> Result<(), Stop> {
    if list.len() < len {
        hold.more(((len - list.capacity().min(len)) * size_of::<T>()) as u64)?;
        // The old list is freed first, so that the two are never held together.
        *list = Vec::new();
        *list = vec![T::default(); len];
    }
    Ok(())
}
