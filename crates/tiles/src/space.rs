use pintu_search::{Backward, Space};

use crate::{Board, Puzzle, Topology};

/// A puzzle as a space to search. An action is the cell that the blank goes to, so a step through a
/// wrap is just one more neighbour.
#[derive(Clone, Debug)]
pub struct TileSpace<B> {
    neighbours: Box<[Neighbours]>,
    goal: B,
}

/// A cell's neighbours: at most four.
#[derive(Clone, Copy, Debug, Default)]
struct Neighbours {
    cells: [u8; 4],
    count: u8,
}

/// The cell that the blank goes to.
pub type Cell = u8;

impl<B: Board> TileSpace<B> {
    /// The space of a puzzle, and its start.
    pub fn new(puzzle: &Puzzle) -> (Self, B) {
        let goal = crate::goal_with_blank(puzzle.size(), puzzle.goal().blank());
        let space = Self {
            neighbours: (0..puzzle.size().cells()).map(|cell| Neighbours::of(puzzle.topology(), cell)).collect(),
            goal: B::pack(goal.tiles()),
        };
        (space, B::pack(&puzzle.canonical_start()))
    }
}

impl Neighbours {
    fn of(topology: Topology, cell: usize) -> Self {
        let mut neighbours = Self::default();
        for to in topology.neighbours(cell) {
            neighbours.cells[usize::from(neighbours.count)] = to as u8;
            neighbours.count += 1;
        }
        neighbours
    }

    #[inline]
    fn iter(&self) -> impl Iterator<Item = u8> {
        self.cells[..usize::from(self.count)].iter().copied()
    }
}

impl<B: Board> Space for TileSpace<B> {
    type State = B;
    type Action = Cell;
    type Cost = u32;

    #[inline]
    fn actions(&self, state: &B) -> impl Iterator<Item = Cell> {
        self.neighbours[state.blank()].iter()
    }

    #[inline]
    fn apply(&self, state: &mut B, to: &Cell) -> u32 {
        state.slide(state.blank(), usize::from(*to));
        1
    }

    #[inline]
    fn is_goal(&self, state: &B) -> bool {
        *state == self.goal
    }
}

impl<B: Board> Backward for TileSpace<B> {
    fn goals(&self) -> impl Iterator<Item = B> {
        std::iter::once(self.goal.clone())
    }

    fn origins(&self, state: &B) -> impl Iterator<Item = (B, u32)> {
        self.actions(state).map(|to| {
            let mut origin = state.clone();
            let cost = self.apply(&mut origin, &to);
            (origin, cost)
        })
    }
}
