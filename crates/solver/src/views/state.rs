//! A state as the searches on tables hold it: the board, and for each table where its tiles lie.

use super::{
    layout::{Cells, Layout},
    lookup::Mask,
};
use crate::tables::MAX_VIEWS;

/// A state of a search. Its arrays are as long as the board and the tables need, for it is copied for every
/// successor that is not pruned.
#[derive(Clone, Copy)]
pub(crate) struct State<M, const CELLS: usize, const GROUPS: usize> {
    pub(crate) board: [u8; CELLS],
    /// For each group, the mask of the cells where its tiles are seen, their order's rank and their moves.
    pub(crate) masks: [M; GROUPS],
    pub(crate) orders: [u16; GROUPS],
    pub(crate) moves: [u8; GROUPS],
    /// For each view, the moves that may still be made less those that its groups need.
    pub(crate) slack: [i16; MAX_VIEWS],
    /// The index of its parent among the expanded states, or the number of the root that it is.
    pub(crate) before: u32,
    /// The automaton's state, which knows where the blank is.
    pub(crate) automaton: u16,
}

impl<M: Mask, const CELLS: usize, const GROUPS: usize> State<M, CELLS, GROUPS> {
    /// The state of a board, whose groups' moves are known, with `left` moves to be made.
    pub(crate) fn new(layout: &Layout<'_>, board: &Cells, moves: &[u8], left: u16) -> Self {
        let named = |&tile: &u8| usize::from(tile) < layout.cells;
        assert!(layout.cells <= CELLS && board[..layout.cells].iter().all(named), "look-ups trust what boards hold");
        let mut state = Self { board: [layout.blank; CELLS], ..Self::default() };
        state.board[..layout.cells].copy_from_slice(&board[..layout.cells]);
        state.moves[..moves.len()].copy_from_slice(moves);
        for (group, (mask, order)) in layout.lie(board).enumerate() {
            (state.masks[group], state.orders[group]) = (M::new(mask), order);
        }
        for (slack, sum) in state.slack.iter_mut().zip(layout.sums(moves)) {
            *slack = left as i16 - sum as i16;
        }
        state
    }

    #[inline]
    pub(crate) fn is_goal(&self) -> bool {
        self.moves == [0; GROUPS]
    }

    /// A hash of the board.
    #[inline]
    pub(crate) fn hash(&self) -> u64 {
        let (words, _) = self.board.as_chunks::<8>();
        words.iter().fold(0, |hash, word| {
            let hash = (hash ^ u64::from_le_bytes(*word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            hash ^ hash >> 29
        })
    }
}

impl<M: Mask, const CELLS: usize, const GROUPS: usize> Default for State<M, CELLS, GROUPS> {
    fn default() -> Self {
        Self {
            board: [0; CELLS],
            masks: [M::default(); GROUPS],
            orders: [0; GROUPS],
            moves: [0; GROUPS],
            slack: [0; MAX_VIEWS],
            before: 0,
            automaton: 0,
        }
    }
}
