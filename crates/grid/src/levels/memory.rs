//! What a search by levels keeps of the map, for this search and the next.

use std::ops::ControlFlow::{self, Continue};

use pintu_search::{Hold, Stop};

use super::span::Span;
use crate::{Cell, raster::Raster, scratch::make_room};

/// The memory of a search.
#[derive(Default)]
pub(crate) struct Levels {
    blocks: Vec<Block>,
    rows: Vec<Row>,
    /// What the level in hand reaches in the row that was taken up last, above the goal's row and below.
    /// Zero everywhere else.
    pub(super) reached: [Vec<u64>; 2],
    /// Which cells have been produced, where somebody watches.
    pub(super) met: Vec<u64>,
    /// Words a row.
    words: usize,
    search: u32,
}

/// What is known of 64 cells of a row.
#[derive(Clone, Copy, Default)]
pub(super) struct Block {
    /// The free cells that have not been taken up.
    pub(super) open: u64,
    /// The lowest bit of the level.
    pub(super) odd: u64,
    /// Where the level in hand begins, and where the next one will; they take turns.
    pub(super) seeds: [u64; 2],
}

/// What is known of a row.
#[derive(Clone, Copy, Default)]
pub(super) struct Row {
    /// The search that its blocks are of.
    search: u32,
    /// Which blocks hold seeds.
    pub(super) seeds: [Span; 2],
    /// Which blocks hold cells that were taken up.
    pub(super) taken: Span,
}

impl Levels {
    pub(crate) fn bytes(&self) -> u64 {
        let lists = self.reached.iter().chain([&self.met]).map(|list| list.capacity() * 8).sum::<usize>();
        (self.blocks.capacity() * size_of::<Block>() + self.rows.capacity() * size_of::<Row>() + lists) as u64
    }

    /// Room for a map, in which everything is forgotten.
    pub(super) fn fresh(&mut self, raster: &Raster, is_watched: bool, hold: &mut Hold) -> ControlFlow<Stop> {
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
        Continue(())
    }

    /// Forgets what another search knew of a row.
    #[inline]
    pub(super) fn touch(&mut self, row: usize, raster: &Raster) {
        if self.rows[row].search != self.search {
            self.rows[row] = Row { search: self.search, ..Row::default() };
            for (block, &open) in self.blocks[row * self.words..].iter_mut().zip(raster.row(row)) {
                *block = Block { open, ..Block::default() };
            }
        }
    }

    /// What this search knows of a row, if it has been there.
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

    /// The blocks of a row, and which of them hold cells that were taken up.
    pub(super) fn taken(&self, row: usize) -> Option<(Span, &[Block])> {
        let known = self.rows.get(row).filter(|known| known.search == self.search)?;
        Some((known.taken, &self.blocks[row * self.words..][..self.words]))
    }

    /// What is known of the cells around one and the place of their word, if it is on the map and its row has been touched.
    #[inline]
    pub(super) fn block(&self, cell: Cell) -> Option<(usize, &Block)> {
        let (row, at) = (cell.row.wrapping_add(1) as usize, cell.col as usize / 64);
        let is_known = self.rows.get(row).is_some_and(|known| known.search == self.search);
        let place = row * self.words + at;
        (is_known && at < self.words).then(|| (place, &self.blocks[place]))
    }
}
