//! Random boards. The generator is `ChaCha` with eight rounds, seeded with the seed's bytes; how its numbers become a board
//! is written out here. So a seed means the same board for ever.

use chacha20::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

use crate::{Arrangement, Kind, Puzzle, Topology};

/// Makes random starts for one board and goal.
///
/// ```
/// use pintu_tiles::{NamedGoal, Scrambler, Size, Topology};
///
/// let size = Size::new(3, 3).unwrap();
/// let goal = NamedGoal::Standard.on(size);
/// let mut scrambler = Scrambler::new(Topology::plain(size), goal.clone(), 7);
/// let first = scrambler.uniform();
/// assert_ne!(first, goal);
/// assert_eq!(Scrambler::new(Topology::plain(size), goal, 7).uniform(), first);
/// ```
#[derive(Debug)]
pub struct Scrambler {
    topology: Topology,
    goal: Arrangement,
    random: ChaCha8Rng,
}

impl Scrambler {
    /// A source of boards that is fixed by its seed.
    ///
    /// # Panics
    /// If the goal is of another size than the board.
    pub fn new(topology: Topology, goal: Arrangement, seed: u64) -> Self {
        assert_eq!(topology.size(), goal.size(), "the goal is of the board's size");
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        Self { topology, goal, random: ChaCha8Rng::from_seed(bytes) }
    }

    /// A board from which the goal can be reached, each as likely as any other; never the goal.
    pub fn uniform(&mut self) -> Arrangement {
        loop {
            let tiles = match self.topology.kind() {
                Kind::Line | Kind::Ring => self.slid(),
                Kind::TwoColoured | Kind::Mixed => self.shuffled(),
            };
            let board = Arrangement::from_tiles(self.goal.size(), &tiles);
            if board != self.goal {
                return board;
            }
        }
    }

    /// A board that a random walk of the blank has reached from the goal. It takes no step back, except
    /// at the end of a line; if it would end at the goal, it goes on until it has left it.
    pub fn walk(&mut self, steps: usize) -> Arrangement {
        let mut board = self.goal.clone();
        let mut last = None;
        let mut taken = 0;
        while taken < steps || board == self.goal {
            let blank = board.blank();
            let mut to: Vec<usize> = self.topology.neighbours(blank).collect();
            if to.len() > 1 {
                to.retain(|&cell| Some(cell) != last);
            }
            board.slide(to[self.below(to.len())]);
            last = Some(blank);
            taken += 1;
        }
        board
    }

    /// A usual number of steps for a [walk](Self::walk): ten a cell.
    pub fn usual_steps(&self) -> usize {
        self.topology.cells() * 10
    }

    /// All cells shuffled; where only half of the arrangements can be reached, two tiles are exchanged
    /// if it is the other half.
    fn shuffled(&mut self) -> Vec<u8> {
        let mut tiles = self.goal.tiles().to_vec();
        for last in (1..tiles.len()).rev() {
            tiles.swap(last, self.below(last + 1));
        }
        let board = Arrangement::from_tiles(self.goal.size(), &tiles);
        let puzzle = Puzzle::new(self.topology, board, self.goal.clone()).expect("all of one size");
        if puzzle.solvable().is_err() {
            let mut cells = (0..tiles.len()).filter(|&cell| tiles[cell] != 0);
            let pair = (cells.next().expect("at least five tiles"), cells.next().expect("at least five tiles"));
            tiles.swap(pair.0, pair.1);
        }
        tiles
    }

    /// On a line or a ring: the blank in any cell, and on a ring the tiles rotated by any number of cells.
    fn slid(&mut self) -> Vec<u8> {
        let cells = self.topology.cells();
        let around = self.topology.around();
        let mut order: Vec<u8> = around.iter().map(|&cell| self.goal.tiles()[cell]).filter(|&tile| tile != 0).collect();
        if self.topology.kind() == Kind::Ring {
            let cells = self.below(order.len());
            order.rotate_left(cells);
        }
        order.insert(self.below(cells), 0);
        let mut tiles = vec![0; cells];
        for (&cell, tile) in around.iter().zip(order) {
            tiles[cell] = tile;
        }
        tiles
    }

    /// A number below `end`, each as likely as any other.
    fn below(&mut self, end: usize) -> usize {
        let end = end as u32;
        let fair = u32::MAX - u32::MAX % end;
        loop {
            let number = self.random.next_u32();
            if number < fair {
                return (number % end) as usize;
            }
        }
    }
}
