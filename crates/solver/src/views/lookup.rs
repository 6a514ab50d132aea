//! One look-up in a table, in three steps: the first finds the set of cells, the second asks for the entry, the third
//! reads it. For several lookups, each step is taken for all of them before the next, so that they wait for memory
//! together.
//!
//! This is where a search spends its time, and the one module of this crate that needs `unsafe`.

use super::state::State;
use crate::tables::{MappedSets, Residue, Rows, Sets, Table};

/// Slots of a board: more than a board has cells, and a power of two.
pub(crate) const SLOTS: usize = 64;

/// The moves of a board, as one view sees them.
pub(crate) struct Slides {
    pub(crate) group: [u8; SLOTS],
    /// The change of the order's rank when a tile passes another: towards higher cells, then towards lower.
    passing: Box<[[u16; SLOTS]; 2 * SLOTS]>,
    /// For each cell of the blank and each direction, the slide of the tile that goes into it.
    all: Box<[Slide; 4 * SLOTS]>,
    /// The cells passed in slides that pass more than most; none at first.
    far: Vec<Box<[u8]>>,
}

#[derive(Clone, Copy, Default)]
struct Slide {
    flip: u64,
    /// The cells that the tile passes, filled up with the cell that it comes from, as no tile passes itself: on a
    /// plain board fewer than a row.
    between: [u8; NEAR],
    /// The index of the cells beyond in `Slides::far`: only wraps and the widest boards have some.
    far: u16,
    /// Which half of `passing` it needs.
    half: u8,
    /// Where the view sees the blank after it.
    blank: u8,
}

const NEAR: usize = 4;

/// How many cells a tile passes when it moves to the next row, on the boards that matter most.
const fn near(slots: usize) -> usize {
    if slots <= 16 { 3 } else { NEAR }
}

impl Default for Slides {
    fn default() -> Self {
        Self {
            group: [0; SLOTS],
            passing: Box::new([[0; SLOTS]; 2 * SLOTS]),
            all: Box::new([Slide::default(); 4 * SLOTS]),
            far: vec![Box::default()],
        }
    }
}

impl Slides {
    /// Sets the change of the order's rank when `tile` passes `other` towards higher cells.
    pub(crate) fn add_passing(&mut self, tile: usize, other: usize, term: i32) {
        self.passing[tile][other] = term as u16;
        self.passing[SLOTS + tile][other] = -term as u16;
    }

    /// A tile's slide from a cell to another, which are seen as `a` and `b`, past the cells `passed`, on a board of `cells` cells.
    pub(crate) fn add_slide(&mut self, slide: usize, from: usize, (a, b): (usize, usize), passed: &[u8], cells: usize) {
        assert!(from < cells && passed.iter().all(|&cell| usize::from(cell) < cells), "cells of the board");
        let near = passed.len().min(near(cells));
        let mut between = [from as u8; NEAR];
        between[..near].copy_from_slice(&passed[..near]);
        let far = if passed.len() > near { self.far.len() as u16 } else { 0 };
        if far > 0 {
            self.far.push(passed[near..].into());
        }
        let half = if a < b { 0 } else { SLOTS as u8 };
        self.all[slide] = Slide { flip: 1 << a | 1 << b, between, far, half, blank: a as u8 };
    }

    #[inline]
    pub(crate) fn group(&self, tile: u8) -> u8 {
        self.group[usize::from(tile) % SLOTS]
    }

    /// The look-up of a tile's group after the tile's slide.
    #[expect(clippy::inline_always, reason = "a call takes a tenth of a search's time")]
    #[inline(always)]
    pub(crate) fn aim<M: Mask, const CELLS: usize, const GROUPS: usize>(
        &self,
        here: &State<M, CELLS, GROUPS>,
        slide: u8,
        tile: u8,
        groups: &[Access<'_, M>; GROUPS],
    ) -> Lookup<M> {
        let slide = &self.all[usize::from(slide)];
        let number = self.group(tile);
        let group = usize::from(number) % GROUPS;
        let order = here.orders[group].wrapping_add(self.pass(slide, tile, &here.board));
        let mask = here.masks[group].flip(slide.flip);
        let set = groups[group].set(mask);
        Lookup { mask, set, order, group: number, before: here.moves[group], blank: slide.blank }
    }

    /// The change of the order's rank by the tiles that `tile` passes in a slide.
    #[inline]
    fn pass<const CELLS: usize>(&self, slide: &Slide, tile: u8, board: &[u8; CELLS]) -> u16 {
        let terms = &self.passing[(usize::from(slide.half) | usize::from(tile)) % (2 * SLOTS)];
        let mut sum = 0_u16;
        for &cell in &slide.between[..near(CELLS)] {
            // Tests and fuzzing run with these.
            debug_assert!(usize::from(cell) < CELLS, "a slide passes cell {cell} of {CELLS}");
            debug_assert!(usize::from(board[usize::from(cell)]) < SLOTS, "cell {cell} holds no tile of the board");
            // SAFETY: slides pass cells of the board (`add_slide` sees to it), which has no more than `CELLS`, and
            // what lies in a cell is named by a cell of the board (`State::new` sees to both; moves only exchange
            // what lies where).
            #[expect(unsafe_code, reason = "checks take a tenth of a search's time")]
            let term = unsafe { *terms.get_unchecked(usize::from(*board.get_unchecked(usize::from(cell)))) };
            sum = sum.wrapping_add(term);
        }
        if slide.far > 0 {
            for &cell in &self.far[usize::from(slide.far)] {
                sum = sum.wrapping_add(terms[usize::from(board[usize::from(cell)])]);
            }
        }
        sum
    }
}

/// A table, as a search looks boards up in it.
#[derive(Clone, Copy)]
pub(crate) struct Access<'a, M: Mask> {
    sets: M::Sets<'a>,
    entries: &'a [u8],
    stride: usize,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Lookup<M> {
    /// Where its tiles lie after the move, the rank of that set of cells, and in which order they lie.
    pub(crate) mask: M,
    set: u32,
    pub(crate) order: u16,
    pub(crate) group: u8,
    /// The moves that they needed before it.
    pub(crate) before: u8,
    /// Where the blank is seen after it.
    blank: u8,
}

#[derive(Clone, Copy)]
pub(crate) struct Entry<'a> {
    byte: &'a u8,
    shift: u8,
    /// The moves that were needed before the move.
    before: u8,
}

impl<'a, M: Mask> Access<'a, M> {
    /// # Panics
    /// If the table's rows are laid out for other masks.
    pub(crate) fn new(table: &'a Table) -> Self {
        let sets = M::sets(&table.rows).expect("masks that suit the tables");
        Self { sets, entries: table.entries(), stride: table.packing.stride }
    }

    /// The rank of a set of cells, whose rows are prefetched.
    #[inline]
    fn set(&self, mask: M) -> u32 {
        let set = M::rank(self.sets, mask);
        M::fetch(self.sets, set);
        set as u32
    }

    #[inline]
    pub(crate) fn ask<const PARITY: bool>(&self, lookup: &Lookup<M>) -> Entry<'a> {
        let row = M::row(self.sets, lookup.set as usize, usize::from(lookup.blank));
        let bit = usize::from(lookup.order) * self.stride + if PARITY { row } else { 2 * row };
        fetch(self.entries, bit / 8);
        Entry { byte: &self.entries[bit / 8], shift: bit as u8 % 8, before: lookup.before }
    }
}

impl Entry<'_> {
    pub(crate) const NONE: Self = Self { byte: &0, shift: 0, before: 0 };

    /// The change of the group's moves by the move.
    #[inline]
    pub(crate) fn change<const PARITY: bool>(self) -> i8 {
        let held = self.byte >> self.shift;
        if PARITY {
            Residue::Parity.change(self.before, held & 1)
        } else {
            Residue::Three.change(self.before, held & 3)
        }
    }
}

#[inline]
pub(crate) fn fetch<T>(items: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch is a hint. It reads nothing that the program could see and faults on no address.
        #[expect(unsafe_code, reason = "waiting for all entries together takes a quarter of the time off")]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(items.as_ptr().wrapping_add(at).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, at);
}

/// A set of cells, as wide as the board needs, and how its row is found.
pub(crate) trait Mask: Copy + Default + Send + Sync {
    /// The layout of sets that it is looked up in.
    type Sets<'a>: Copy + Send + Sync;

    fn new(mask: u64) -> Self;

    fn flip(self, cells: u64) -> Self;

    /// The sets, if they are laid out for it.
    fn sets(rows: &Rows) -> Option<Self::Sets<'_>>;

    fn rank(sets: Self::Sets<'_>, mask: Self) -> usize;

    fn fetch(sets: Self::Sets<'_>, rank: usize);

    /// The row of the set with this rank, with the blank in a cell.
    fn row(sets: Self::Sets<'_>, rank: usize, blank: usize) -> usize;
}

macro_rules! mask {
    ($mask:ty, $sets:ty, $of:expr, $fetch:expr) => {
        impl Mask for $mask {
            type Sets<'a> = &'a $sets;

            #[inline]
            fn new(mask: u64) -> Self {
                mask as Self
            }

            #[inline]
            fn flip(self, cells: u64) -> Self {
                self ^ cells as Self
            }

            fn sets(rows: &Rows) -> Option<Self::Sets<'_>> {
                let of: fn(&Rows) -> Option<&$sets> = $of;
                of(rows)
            }

            #[inline]
            fn rank(sets: Self::Sets<'_>, mask: Self) -> usize {
                sets.ranks.rank(mask.into())
            }

            #[inline]
            fn fetch(sets: Self::Sets<'_>, rank: usize) {
                let fetch: fn(&$sets, usize) = $fetch;
                fetch(sets, rank);
            }

            #[inline]
            fn row(sets: Self::Sets<'_>, rank: usize, blank: usize) -> usize {
                sets.row_of_set(rank, blank)
            }
        }
    };
}

mask!(
    u16,
    MappedSets<{ 1 << 8 }>,
    |rows| if let Sets::Small(sets) = &rows.sets { Some(sets) } else { None },
    |sets, rank| fetch(&sets.sets, rank)
);
mask!(
    u32,
    MappedSets<{ 1 << 13 }>,
    |rows| if let Sets::Medium(sets) = &rows.sets { Some(sets) } else { None },
    |sets, rank| fetch(&sets.sets, rank)
);
mask!(u64, Rows, |rows| Some(rows), |_, _| ());

#[cfg(test)]
mod tests {
    #[cfg(debug_assertions)]
    use std::panic::catch_unwind;

    use super::*;

    /// A view of a board of 16 cells in which one slide passes three cells.
    fn slides() -> Slides {
        let mut slides = Slides::default();
        slides.add_slide(1, 4, (8, 4), &[5, 6, 7], 16);
        slides
    }

    const BOARD: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

    #[test]
    #[should_panic(expected = "cells of the board")]
    fn a_slide_past_a_cell_that_the_board_has_not_is_refused() {
        slides().add_slide(2, 4, (8, 4), &[5, 16], 16);
    }

    // The debug assertions before look-ups without checks.
    #[cfg(debug_assertions)]
    #[test]
    fn a_broken_slide_or_board_is_noticed() {
        let (sound, mut broken) = (slides(), slides());
        broken.all[1].between[2] = 16;
        let mut board = BOARD;
        board[6] = SLOTS as u8;
        assert!(catch_unwind(|| broken.pass(&broken.all[1], 3, &BOARD)).is_err());
        assert!(catch_unwind(|| sound.pass(&sound.all[1], 3, &board)).is_err());
    }
}
