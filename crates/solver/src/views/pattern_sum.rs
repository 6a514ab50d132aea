use std::cmp::Reverse;

use pintu_search::Heuristic;
use pintu_tiles::{Board, Cell, Puzzle, TileSpace};

use super::layout::{Cells, Layout};
use crate::tables::{MAX_PATTERNS, Tables, to_normal_form};

/// The moves that each pattern's tiles need by themselves, summed, from pattern tables; the best of the
/// board's reflections that the goal allows.
pub struct PatternSum<'a> {
    layout: Layout<'a>,
    /// The cell of the tables' board that stands for each cell of the puzzle's.
    cells: Vec<u8>,
    /// The goal cell of each tile there.
    homes: Vec<u8>,
    /// The number of groups that are looked up: those of the first views.
    groups: usize,
}

/// The memo of [`PatternSum`]: the moves of each pattern in each view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternMoves {
    moves: [u8; MAX_PATTERNS],
    estimate: u16,
}

impl<'a> PatternSum<'a> {
    /// The heuristic for a puzzle's board and goal.
    ///
    /// # Panics
    /// If the tables [serve](Tables::serve) another board or blank cell.
    pub fn new(puzzle: &Puzzle, tables: &'a Tables) -> Self {
        assert!(tables.serve(puzzle), "the tables belong to another board or blank cell");
        let layout = Layout::new(tables, tables.first_views());
        let symmetry = to_normal_form(puzzle.topology(), puzzle.goal().blank());
        let cells: Vec<u8> = (0..layout.cells).map(|cell| symmetry.of(cell) as u8).collect();
        let mut homes = vec![0; layout.cells];
        let goal = puzzle.canonical_goal();
        for (cell, &tile) in goal.tiles().iter().enumerate() {
            homes[usize::from(tile)] = cells[cell];
        }
        let groups = layout.views.iter().map(|view| view.groups.end).take_while(|&end| end <= MAX_PATTERNS).last();
        Self { layout, cells, homes, groups: groups.unwrap_or(0) }
    }

    /// The groups that make up the estimate of a board: their tiles, as a search numbers them, and the moves that each
    /// group needs by itself.
    pub fn groups<B: Board>(&self, board: &B) -> Vec<(Vec<usize>, u8)> {
        let PatternMoves { moves, .. } = Heuristic::<TileSpace<B>>::start(self, board);
        let sums = self.layout.sums(&moves[..self.groups]);
        // The first of equally good views.
        let best = self.layout.views.iter().zip(sums).min_by_key(|(_, sum)| Reverse(*sum));
        let Some((view, _)) = best else { return Vec::new() };
        let tile = |home: u8| self.homes.iter().position(|&own| own == home).unwrap_or(0);
        let group = |group: usize| (self.layout.tiles(view, group).map(tile).collect(), moves[group]);
        view.groups.clone().map(group).collect()
    }

    fn seen<B: Board>(&self, board: &B) -> Cells {
        let mut seen = self.layout.board(&[]);
        for (cell, &image) in self.cells.iter().enumerate() {
            seen[usize::from(image)] = self.homes[board.tile(cell)];
        }
        seen
    }

    fn memo(&self, moves: [u8; MAX_PATTERNS]) -> PatternMoves {
        PatternMoves { moves, estimate: self.layout.sums(&moves[..self.groups]).max().unwrap_or(0) }
    }
}

impl<B: Board> Heuristic<TileSpace<B>> for PatternSum<'_> {
    type Memo = PatternMoves;

    fn start(&self, board: &B) -> PatternMoves {
        let mut moves = [0; MAX_PATTERNS];
        moves.iter_mut().zip(self.layout.moves(&self.seen(board))).for_each(|(own, moves)| *own = moves);
        self.memo(moves)
    }

    fn step(&self, mut memo: PatternMoves, before: &B, to: &Cell, _: &B) -> PatternMoves {
        let board = self.seen(before);
        let blank = usize::from(self.cells[before.blank()]);
        let to = usize::from(self.cells[usize::from(*to)]);
        self.layout.step(&mut memo.moves[..self.groups], &board, blank, to);
        self.memo(memo.moves)
    }

    fn estimate(&self, memo: PatternMoves) -> Option<u32> {
        Some(u32::from(memo.estimate))
    }
}
