use pintu_search::{Backward, Space};

use crate::{Board, Puzzle, Topology};

/// A puzzle as a space to search. An action is the cell that the blank goes to, so a step through a
/// wrap is just one more neighbour.
#[derive(Clone, Debug)]
#[must_use]
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
    ///
    /// ```
    /// use pintu_search::bfs;
    /// use pintu_tiles::{Bytes, Nibbles, Puzzle, TileSpace};
    ///
    /// // Up to 16 cells.
    /// let eight = Puzzle::standard("1 2 3 / 4 5 6 / 0 7 8".parse().unwrap());
    /// let (space, start) = TileSpace::<Nibbles>::new(&eight);
    /// assert_eq!(bfs(&space, &start, ()).solution().unwrap().path.len(), 2);
    ///
    /// // 5×5.
    /// let large = Puzzle::standard("5 5 / 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 0 24".parse().unwrap());
    /// let (space, start) = TileSpace::<Bytes<25>>::new(&large);
    /// assert_eq!(bfs(&space, &start, ()).solution().unwrap().path.len(), 1);
    /// ```
    ///
    /// # Panics
    /// If `B` holds fewer cells than the board has: [`Nibbles`](crate::Nibbles) hold 16, and
    /// [`Bytes<N>`](crate::Bytes) `N`, such as `Bytes<25>` for 5×5 and `Bytes<256>` for every board.
    pub fn new(puzzle: &Puzzle) -> (Self, B) {
        let space = Self {
            neighbours: (0..puzzle.size().cells()).map(|cell| Neighbours::of(puzzle.topology(), cell)).collect(),
            goal: B::pack(puzzle.canonical_goal().tiles()),
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
