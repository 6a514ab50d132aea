//! A heuristic as a trait object: searches with it are compiled once for all heuristics.

use pintu_search::Heuristic;
use pintu_tiles::{Board, Cell, TileSpace, Walked};

/// Any heuristic on boards of one packing.
pub(super) struct Erased<'a, B>(&'a dyn Words<B>);

impl<'a, B: Board> Erased<'a, B> {
    pub(super) fn new<H: Heuristic<TileSpace<B>, Memo: Word>>(heuristic: &'a H) -> Self {
        Self(heuristic)
    }
}

impl<B: Board> Heuristic<TileSpace<B>> for Erased<'_, B> {
    type Memo = u64;

    fn start(&self, board: &B) -> u64 {
        self.0.start(board)
    }

    #[inline]
    fn step(&self, memo: u64, before: &B, to: &Cell, after: &B) -> u64 {
        self.0.step(memo, before, *to, after)
    }

    #[inline]
    fn estimate(&self, memo: u64) -> Option<u32> {
        self.0.estimate(memo)
    }
}

/// A heuristic whose memo is converted to a number.
trait Words<B> {
    fn start(&self, board: &B) -> u64;
    fn step(&self, memo: u64, before: &B, to: Cell, after: &B) -> u64;
    fn estimate(&self, memo: u64) -> Option<u32>;
}

impl<B: Board, H: Heuristic<TileSpace<B>, Memo: Word>> Words<B> for H {
    fn start(&self, board: &B) -> u64 {
        Heuristic::start(self, board).into_word()
    }

    fn step(&self, memo: u64, before: &B, to: Cell, after: &B) -> u64 {
        Heuristic::step(self, Word::from_word(memo), before, &to, after).into_word()
    }

    fn estimate(&self, memo: u64) -> Option<u32> {
        Heuristic::estimate(self, Word::from_word(memo))
    }
}

/// A memo that fits into a number.
pub(super) trait Word: Copy {
    fn into_word(self) -> u64;
    fn from_word(word: u64) -> Self;
}

impl Word for () {
    fn into_word(self) -> u64 {
        0
    }

    fn from_word(_: u64) -> Self {}
}

impl Word for u32 {
    fn into_word(self) -> u64 {
        self.into()
    }

    fn from_word(word: u64) -> Self {
        word as Self
    }
}

impl Word for u64 {
    fn into_word(self) -> u64 {
        self
    }

    fn from_word(word: u64) -> Self {
        word
    }
}

impl Word for Walked {
    fn into_word(self) -> u64 {
        u64::from(self.vertical) << 32 | u64::from(self.horizontal)
    }

    fn from_word(word: u64) -> Self {
        Self { vertical: (word >> 32) as u32, horizontal: word as u32 }
    }
}
