//! The memory of searches by levels, kept from search to search, and its sets of cells.

use pintu_search::{Hold, Stop};

use crate::{Cell, raster::Raster, scratch::make_room};

#[derive(Default)]
pub(crate) struct Levels {
    blocks: Vec<Block>,
    rows: Vec<Row>,
    /// The cells that the current level reaches in the row that was expanded last, above the goal's row and below. Zero
    /// everywhere else.
    pub(super) reached: [Vec<u64>; 2],
    /// The cells that have been generated, for observers.
    pub(super) met: Vec<u64>,
    words: usize,
    search: u32,
}

/// The state of 64 cells of a row.
#[derive(Clone, Copy, Default)]
pub(super) struct Block {
    /// The free cells that have not been expanded.
    pub(super) open: u64,
    /// The lowest bit of the level.
    pub(super) odd: u64,
    /// The seeds of the current and of the next level, indexed by the lowest bits of their numbers.
    pub(super) seeds: [u64; 2],
}

#[derive(Clone, Copy, Default)]
pub(super) struct Row {
    /// The search to which its blocks belong.
    search: u32,
    /// The blocks that hold seeds.
    pub(super) seeds: [Span; 2],
    pub(super) expanded: Span,
}

impl Levels {
    pub(crate) fn bytes(&self) -> u64 {
        let lists = self.reached.iter().chain([&self.met]).map(|list| list.capacity() * 8).sum::<usize>();
        (self.blocks.capacity() * size_of::<Block>() + self.rows.capacity() * size_of::<Row>() + lists) as u64
    }

    /// Makes room for a map, and forgets all earlier searches.
    pub(super) fn fresh(&mut self, raster: &Raster, is_watched: bool, hold: &mut Hold) -> Result<(), Stop> {
        self.words = raster.words;
        make_room(&mut self.blocks, raster.rows() * raster.words, hold)?;
        make_room(&mut self.rows, raster.rows(), hold)?;
        for list in &mut self.reached {
            make_room(list, raster.words, hold)?;
            list.fill(0);
        }
        if is_watched {
            make_room(&mut self.met, raster.rows() * raster.words, hold)?;
            self.met.fill(0);
        }
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.rows.fill(Row::default());
            self.search = 1;
        }
        Ok(())
    }

    /// Clears a row that an earlier search has used.
    #[inline]
    pub(super) fn touch(&mut self, row: usize, raster: &Raster) {
        if self.rows[row].search != self.search {
            self.rows[row] = Row { search: self.search, ..Row::default() };
            for (block, &open) in self.blocks[row * self.words..].iter_mut().zip(raster.row(row)) {
                *block = Block { open, ..Block::default() };
            }
        }
    }

    /// This search's record of a row, if it has been there.
    #[inline]
    pub(super) fn row(&mut self, row: usize) -> Option<&mut Row> {
        let search = self.search;
        self.rows.get_mut(row).filter(|known| known.search == search)
    }

    /// A row that has been [touched](Self::touch), its blocks, and what the level reaches on one side.
    #[inline]
    pub(super) fn line(&mut self, row: usize, side: usize) -> (&mut Row, &mut [Block], &mut [u64]) {
        let blocks = &mut self.blocks[row * self.words..][..self.words];
        (&mut self.rows[row], blocks, &mut self.reached[side][..self.words])
    }

    /// The blocks of a row, and which of them hold expanded cells.
    pub(super) fn expanded(&self, row: usize) -> Option<(Span, &[Block])> {
        let known = self.rows.get(row).filter(|known| known.search == self.search)?;
        Some((known.expanded, &self.blocks[row * self.words..][..self.words]))
    }

    /// The block of a cell and its index, if the cell is on the map and its row has been touched.
    #[inline]
    pub(super) fn block(&self, cell: Cell) -> Option<(usize, &Block)> {
        let (row, at) = (cell.row.wrapping_add(1) as usize, cell.col as usize / 64);
        let is_known = self.rows.get(row).is_some_and(|known| known.search == self.search);
        let word = row * self.words + at;
        (is_known && at < self.words).then(|| (word, &self.blocks[word]))
    }
}

/// A range of blocks in a row, or of rows.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) first: u32,
    pub(super) end: u32,
}

impl Default for Span {
    fn default() -> Self {
        Self { first: u32::MAX, end: 0 }
    }
}

impl Span {
    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.first >= self.end
    }

    #[inline]
    pub(super) fn blocks(self) -> std::ops::Range<usize> {
        self.first.min(self.end) as usize..self.end as usize
    }

    // One of these for each block that is reached.
    #[inline]
    pub(super) fn add(&mut self, at: usize) {
        self.first = self.first.min(at as u32);
        self.end = self.end.max(at as u32 + 1);
    }

    #[inline]
    pub(super) fn join(self, other: Self) -> Self {
        Self { first: self.first.min(other.first), end: self.end.max(other.end) }
    }
}

/// The open cells that can be reached from some of them by going on to the next column. `carry` tells whether the last
/// of the block before was reached, and then whether the last of this one is.
#[inline]
pub(super) fn fill_up(from: u64, open: u64, carry: &mut bool) -> u64 {
    let from = from | (open & u64::from(*carry));
    // An addition carries a one through the ones above it, up to the first zero.
    let (sum, over) = open.overflowing_add(from);
    *carry = over;
    ((sum ^ open) & open) | from
}

/// The same to the column before.
#[inline]
pub(super) fn fill_down(from: u64, open: u64, carry: &mut bool) -> u64 {
    let mut filled = from | (open & u64::from(*carry) << 63);
    if (filled >> 1) & open & !filled != 0 {
        let mut through = open;
        for shift in [1, 2, 4, 8, 16, 32] {
            filled |= through & (filled >> shift);
            through &= through >> shift;
        }
    }
    *carry = filled & 1 == 1;
    filled
}
