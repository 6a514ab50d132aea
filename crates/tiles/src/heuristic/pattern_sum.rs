use pintu_search::{Cost, Heuristic};

use crate::{
    Board, Cell, Puzzle, TileSpace,
    deepening::{Cells, Layout, NO_CELL},
    pattern::{MAX_GROUPS, Tables, to_normal_form},
};

/// The moves that each pattern's tiles need by themselves, summed, from pattern tables; the best of the
/// board's reflections that the goal allows.
pub struct PatternSum<'a> {
    layout: Layout<'a>,
    /// The cell of the tables' board that stands for each cell of the puzzle's.
    cells: Vec<u8>,
    /// The goal cell of each tile there.
    homes: Vec<u8>,
    views: usize,
}

/// What [`PatternSum`] remembers: the moves of each pattern in each view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternMoves {
    moves: [u8; MAX_GROUPS],
    estimate: u16,
}

impl<'a> PatternSum<'a> {
    /// The heuristic for a puzzle's board and goal.
    ///
    /// # Panics
    /// If the tables [serve](Tables::serve) another board or blank cell.
    pub fn new(puzzle: &Puzzle, tables: &'a Tables) -> Self {
        assert!(tables.serve(puzzle), "the tables belong to another board or blank cell");
        let layout = Layout::new(tables);
        let symmetry = to_normal_form(puzzle.topology(), puzzle.goal().blank());
        let cells: Vec<u8> = (0..layout.cells).map(|cell| symmetry.of(cell) as u8).collect();
        let mut homes = vec![0; layout.cells];
        let goal = crate::goal_with_blank(puzzle.size(), puzzle.goal().blank());
        for (cell, &tile) in goal.tiles().iter().enumerate() {
            homes[usize::from(tile)] = cells[cell];
        }
        let views = (MAX_GROUPS / layout.groups.len()).min(layout.views.len());
        Self { layout, cells, homes, views }
    }

    /// The board as the tables see it.
    fn seen<B: Board>(&self, board: &B) -> Cells {
        let mut seen = self.layout.board(&[]);
        for (cell, &image) in self.cells.iter().enumerate() {
            seen[usize::from(image)] = self.homes[board.tile(cell)];
        }
        seen
    }

    fn memo(&self, moves: impl Iterator<Item = u32>) -> PatternMoves {
        let mut memo = PatternMoves { moves: [0; MAX_GROUPS], estimate: 0 };
        let groups = self.layout.groups.len();
        memo.moves[..self.views * groups].iter_mut().zip(moves).for_each(|(own, moves)| *own = moves as u8);
        let sums = memo.moves.chunks(groups).take(self.views);
        memo.estimate = sums.map(|view| view.iter().map(|&moves| u16::from(moves)).sum()).max().unwrap_or(0);
        memo
    }
}

impl<B: Board> Heuristic<TileSpace<B>> for PatternSum<'_> {
    type Memo = PatternMoves;

    fn start(&self, board: &B) -> PatternMoves {
        self.memo(self.layout.lanes(&self.seen(board)).iter().map(|lane| lane.moves))
    }

    fn step(&self, memo: PatternMoves, before: &B, to: &Cell, _: &B) -> PatternMoves {
        let board = self.seen(before);
        let blank = usize::from(self.cells[before.blank()]);
        let to = self.cells[usize::from(*to)];
        let targets = self.layout.targets[blank];
        let direction = targets.iter().position(|&target| target == to && target != NO_CELL).unwrap_or(0);
        let moves =
            self.layout.moves_after(&memo.moves[..self.views * self.layout.groups.len()], &board, blank, direction);
        self.memo(moves)
    }

    fn estimate(&self, memo: PatternMoves) -> Cost {
        Cost::from(memo.estimate)
    }
}
