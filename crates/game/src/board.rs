use pintu_tiles::{Arrangement, Direction, Topology};

/// Where the tiles lie now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    topology: Topology,
    tiles: Box<[u8]>,
    blank: usize,
}

impl Board {
    pub(crate) fn new(topology: Topology, tiles: &Arrangement) -> Self {
        Self { topology, tiles: tiles.tiles().into(), blank: tiles.blank() }
    }

    pub(crate) fn tiles(&self) -> &[u8] {
        &self.tiles
    }

    pub(crate) fn blank(&self) -> usize {
        self.blank
    }

    /// Moves the blank, or leaves the board as it is if there is no cell on that side.
    pub(crate) fn step(&mut self, direction: Direction) -> bool {
        let Some(to) = self.topology.neighbour(self.blank, direction) else { return false };
        self.tiles.swap(self.blank, to);
        self.blank = to;
        true
    }

    /// Moves the blank until a move leads off the board; whether none did.
    pub(crate) fn steps(&mut self, moves: &[Direction]) -> bool {
        moves.iter().all(|&direction| self.step(direction))
    }

    /// The straight way of the blank to a cell of its row or column: the shorter one where the line
    /// wraps, and of two equally long ones that which does not go through the wrap.
    pub(crate) fn run_to(&self, cell: usize) -> Option<(Direction, usize)> {
        let ways = Direction::ALL.into_iter().filter_map(|direction| {
            let (steps, wraps) = self.walk(direction, cell)?;
            Some(((steps, wraps), direction))
        });
        ways.min_by_key(|&(rank, _)| rank).map(|((steps, _), direction)| (direction, steps))
    }

    /// How many steps lead the blank to a cell, and whether one goes through a wrap.
    fn walk(&self, direction: Direction, cell: usize) -> Option<(usize, bool)> {
        let size = self.topology.size();
        let mut at = self.blank;
        let mut wraps = false;
        for steps in 1.. {
            let next = self.topology.neighbour(at, direction)?;
            wraps |= size.row(at).abs_diff(size.row(next)) + size.col(at).abs_diff(size.col(next)) > 1;
            if next == cell || next == self.blank {
                return (next == cell && cell != self.blank).then_some((steps, wraps));
            }
            at = next;
        }
        None
    }
}
