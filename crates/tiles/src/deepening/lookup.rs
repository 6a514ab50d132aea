//! One look-up in a table, in two steps: the first asks for an entry, the second reads it. Whoever has several to
//! make takes the first step for all of them before the second, so that they wait for memory together.
//!
//! This is where a search spends its time, and the one place of this crate that needs `unsafe`.

use super::state::State;
use crate::pattern::{MappedSets, Packing, Residue, Rows, Sets, Table};

/// Slots of a board in hand: more than a board has cells, and a power of two.
pub(crate) const SLOTS: usize = 64;

/// The moves of a board, as one view sees them.
pub(crate) struct Sight {
    /// The lane of each tile.
    lane: [u8; SLOTS],
    /// What a tile's passing another adds to the order's rank: on its way to higher cells, then to lower.
    passing: Box<[[u16; SLOTS]; 2 * SLOTS]>,
    /// For each cell of the blank and each direction, the slide of the tile that goes into it.
    slides: Box<[Slide; 4 * SLOTS]>,
    /// The cells passed in slides that pass more than most.
    far_between: Vec<u8>,
}

/// What a tile's slide does to a view.
#[derive(Clone, Copy, Default)]
struct Slide {
    flip: u64,
    /// The cells that the tile passes, filled up with the cell that it comes from, as no tile passes itself: on a
    /// plain board fewer than a row.
    between: [u8; NEAR],
    /// Those beyond, of which there are some only through wraps and on the widest boards.
    far: (u16, u16),
    /// Which half of `passing` it needs.
    half: u8,
    /// Where the view sees the blank after it.
    blank: u8,
}

const NEAR: usize = 4;

/// How many cells a tile passes on its way to the next row, on the boards that matter most.
const fn near(slots: usize) -> usize {
    if slots <= 16 { 3 } else { NEAR }
}

impl Default for Sight {
    fn default() -> Self {
        Self {
            lane: [0; SLOTS],
            passing: Box::new([[0; SLOTS]; 2 * SLOTS]),
            slides: Box::new([Slide::default(); 4 * SLOTS]),
            far_between: Vec::new(),
        }
    }
}

impl Sight {
    pub(crate) fn add_tile(&mut self, tile: usize, lane: u8) {
        self.lane[tile] = lane;
    }

    /// What a tile's passing another on its way to higher cells adds to the order's rank.
    pub(crate) fn add_passing(&mut self, tile: usize, other: usize, term: i32) {
        self.passing[tile][other] = term as u16;
        self.passing[SLOTS + tile][other] = -term as u16;
    }

    /// A tile's slide from a cell to another, which are seen as `a` and `b`, past some cells, on a board of so many.
    pub(crate) fn add_slide(&mut self, slide: usize, from: usize, (a, b): (usize, usize), passed: &[u8], cells: usize) {
        assert!(from < cells && passed.iter().all(|&cell| usize::from(cell) < cells), "cells of the board");
        let near = passed.len().min(near(cells));
        let mut between = [from as u8; NEAR];
        between[..near].copy_from_slice(&passed[..near]);
        let first = self.far_between.len() as u16;
        self.far_between.extend_from_slice(&passed[near..]);
        let far = (first, self.far_between.len() as u16);
        let half = if a < b { 0 } else { SLOTS as u8 };
        self.slides[slide] = Slide { flip: 1 << a | 1 << b, between, far, half, blank: a as u8 };
    }

    /// The lane of a tile.
    #[inline]
    pub(crate) fn lane(&self, tile: u8) -> u8 {
        self.lane[usize::from(tile) % SLOTS]
    }

    /// Has brought near what [`ask`](Self::ask) will look at.
    #[inline]
    pub(crate) fn prepare<M: Mask, const CELLS: usize, const LANES: usize>(
        &self,
        here: &State<M, CELLS, LANES>,
        slide: u8,
        tile: u8,
        lanes: &[Access<'_, M>; LANES],
    ) {
        let lane = usize::from(self.lane(tile)) % LANES;
        M::fetch(lanes[lane].sets, here.masks[lane].flip(self.slides[usize::from(slide)].flip));
    }

    /// Asks what a slide of `tile` makes of its lane.
    #[inline]
    pub(crate) fn ask<M: Mask, const PARITY: bool, const CELLS: usize, const LANES: usize>(
        &self,
        here: &State<M, CELLS, LANES>,
        slide: u8,
        tile: u8,
        lanes: &[Access<'_, M>; LANES],
    ) -> Lookup<M> {
        let slide = &self.slides[usize::from(slide)];
        let number = self.lane(tile);
        let lane = usize::from(number) % LANES;
        let terms = &self.passing[(usize::from(slide.half) | usize::from(tile)) % (2 * SLOTS)];
        let mut order = here.orders[lane];
        for &cell in &slide.between[..near(CELLS)] {
            debug_assert!(usize::from(cell) < CELLS, "{cell}");
            // SAFETY: slides pass cells of the board (`add_slide` sees to it), which has no more than `CELLS`, and
            // what lies in a cell is named by a cell of the board (`State::new` sees to both; moves only exchange
            // what lies where).
            #[expect(unsafe_code, reason = "checks take a tenth of a search's time")]
            let term = unsafe { *terms.get_unchecked(usize::from(*here.board.get_unchecked(usize::from(cell)))) };
            order = order.wrapping_add(term);
        }
        if slide.far.0 != slide.far.1 {
            for &cell in &self.far_between[usize::from(slide.far.0)..usize::from(slide.far.1)] {
                order = order.wrapping_add(terms[usize::from(here.board[usize::from(cell)])]);
            }
        }
        lanes[lane].ask::<PARITY>(number, here.masks[lane].flip(slide.flip), order, slide.blank)
    }
}

/// A table, as a search looks boards up in it.
#[derive(Clone, Copy)]
pub(crate) struct Access<'a, M: Mask> {
    sets: M::Sets<'a>,
    entries: &'a [u8],
    packing: Packing,
}

/// A look-up in the making: what a move changes in a view.
#[derive(Clone, Copy, Default)]
pub(crate) struct Lookup<M> {
    /// Where the lane's tiles lie after the move, and in which order.
    pub(crate) mask: M,
    pub(crate) order: u16,
    pub(crate) lane: u8,
    /// The bit of the entries.
    place: usize,
}

impl<'a, M: Mask> Access<'a, M> {
    /// Nothing if the table's rows are laid out for other masks.
    pub(crate) fn new(table: &'a Table) -> Option<Self> {
        Some(Self { sets: M::sets(&table.rows)?, entries: table.entries(), packing: table.packing })
    }

    /// Asks for the entry of tiles that lie in the cells of a mask, in an order, when the blank is seen in a cell.
    #[inline]
    pub(crate) fn ask<const PARITY: bool>(&self, lane: u8, mask: M, order: u16, blank: u8) -> Lookup<M> {
        let row = M::row(self.sets, mask, usize::from(blank));
        let place = usize::from(order) * self.packing.stride + if PARITY { row } else { 2 * row };
        fetch(self.entries, place / 8);
        Lookup { mask, order, lane, place }
    }

    /// Reads the entry: the moves that are needed, when they were so many before the move.
    #[inline]
    pub(crate) fn read<const PARITY: bool>(&self, lookup: &Lookup<M>, before: u8) -> u8 {
        let held = self.entries[lookup.place / 8] >> (lookup.place % 8);
        if PARITY { Residue::Parity.after(before, held & 1) } else { Residue::Three.after(before, held & 3) }
    }
}

/// Has an item brought near.
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

    /// Has what [`row`](Self::row) will look at brought near.
    fn fetch(sets: Self::Sets<'_>, mask: Self);

    /// The row of a set, with the blank in a cell.
    fn row(sets: Self::Sets<'_>, mask: Self, blank: usize) -> usize;
}

macro_rules! mask {
    ($mask:ty, $sets:ty, $of:expr, $fetch:expr, $row:expr) => {
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
            fn fetch(sets: Self::Sets<'_>, mask: Self) {
                let fetch: fn(&$sets, Self) = $fetch;
                fetch(sets, mask);
            }

            #[inline]
            fn row(sets: Self::Sets<'_>, mask: Self, blank: usize) -> usize {
                let row: fn(&$sets, Self, usize) -> usize = $row;
                row(sets, mask, blank)
            }
        }
    };
}

mask!(
    u16,
    MappedSets<{ 1 << 8 }>,
    |rows| if let Sets::Small(sets) = rows.sets() { Some(sets) } else { None },
    |sets, mask| fetch(sets.sets(), sets.rank(mask as usize)),
    |sets, mask, blank| sets.row(sets.rank(mask as usize), blank)
);
mask!(
    u32,
    MappedSets<{ 1 << 13 }>,
    |rows| if let Sets::Medium(sets) = rows.sets() { Some(sets) } else { None },
    |sets, mask| fetch(sets.sets(), sets.rank(mask as usize)),
    |sets, mask, blank| sets.row(sets.rank(mask as usize), blank)
);
mask!(u64, Rows, |rows| Some(rows), |_, _| (), |rows, mask, blank| rows.row(mask, blank));
