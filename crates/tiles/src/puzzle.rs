use std::fmt;

use crate::{Arrangement, Kind, Moves, NamedGoal, Size, Topology, goal::with_blank};

/// A board with a start and a goal arrangement.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Puzzle {
    topology: Topology,
    start: Arrangement,
    goal: Arrangement,
}

impl Puzzle {
    /// The puzzle that most people mean: nothing wraps around, and the goal is 1, 2, 3, … with the blank last.
    ///
    /// ```
    /// use pintu_tiles::Puzzle;
    ///
    /// let puzzle = Puzzle::standard("1 2 3 / 4 5 6 / 7 0 8".parse().unwrap());
    /// assert!(puzzle.solvable().is_ok());
    /// assert_eq!(puzzle.goal().to_string(), "1 2 3 4 5 6 7 8 0");
    /// ```
    pub fn standard(start: Arrangement) -> Self {
        let (topology, goal) = (Topology::plain(start.size()), NamedGoal::Standard.on(start.size()));
        Self { topology, start, goal }
    }

    /// The puzzle of a board, a start and a goal, which must be of one size.
    pub fn new(topology: Topology, start: Arrangement, goal: Arrangement) -> Result<Self, PuzzleError> {
        let size = topology.size();
        if start.size() != size {
            return Err(PuzzleError::Start { found: start.size(), expected: size });
        }
        if goal.size() != size {
            return Err(PuzzleError::Goal { found: goal.size(), expected: size });
        }
        Ok(Self { topology, start, goal })
    }

    /// The board.
    pub fn topology(&self) -> Topology {
        self.topology
    }

    /// The board's sides.
    pub fn size(&self) -> Size {
        self.topology.size()
    }

    /// The start arrangement.
    pub fn start(&self) -> &Arrangement {
        &self.start
    }

    /// The goal arrangement.
    pub fn goal(&self) -> &Arrangement {
        &self.goal
    }

    /// Whether it is solved already.
    pub fn is_solved(&self) -> bool {
        self.start == self.goal
    }

    /// Whether `moves` lead from the start to the goal.
    pub fn is_solved_by(&self, moves: &Moves) -> bool {
        let mut board = self.start.clone();
        board.play(self.topology, moves).is_ok() && board == self.goal
    }

    /// The moves that take the blank from its start through these cells, each beside the one before.
    ///
    /// # Panics
    /// If a cell is not beside the one before.
    pub fn moves_through(&self, cells: &[u8]) -> Moves {
        let mut blank = self.start.blank();
        let step = |&to: &u8| {
            let from = std::mem::replace(&mut blank, usize::from(to));
            self.topology.direction(from, blank).expect("the blank goes from a cell to its neighbour")
        };
        Moves(cells.iter().map(step).collect())
    }

    /// The start with its tiles renumbered so that the goal is 1, 2, 3, … in reading order around its
    /// blank. So every goal with the same blank cell is the same goal.
    pub fn canonical_start(&self) -> Vec<u8> {
        let mut label = vec![0; self.size().cells()];
        let goal_tiles = self.goal.tiles().iter().filter(|&&tile| tile != 0);
        for (index, &tile) in goal_tiles.enumerate() {
            label[usize::from(tile)] = (index + 1) as u8;
        }
        self.start.tiles().iter().map(|&tile| label[usize::from(tile)]).collect()
    }

    /// The goal with its tiles renumbered likewise.
    pub fn canonical_goal(&self) -> Arrangement {
        with_blank(self.size(), self.goal.blank())
    }

    /// Each goal cell but the blank's, with the canonical tile that belongs there.
    pub fn canonical_homes(&self) -> impl Iterator<Item = (usize, usize)> {
        let blank = self.goal.blank();
        (0..self.size().cells()).filter(move |&cell| cell != blank).zip(1..)
    }

    /// Whether the goal can be reached from the start, and why or why not.
    pub fn solvable(&self) -> Result<Solvable, Unsolvable> {
        let start = self.canonical_start();
        match self.topology.kind() {
            Kind::Mixed => Ok(Solvable::Any),
            Kind::TwoColoured => self.check_parity(&start),
            Kind::Line => {
                let tiles = start.iter().filter(|&&tile| tile != 0);
                if tiles.is_sorted() { Ok(Solvable::Line) } else { Err(Unsolvable::Line) }
            }
            Kind::Ring => {
                let is_same = self.cyclic_order(&start) == self.cyclic_order(self.canonical_goal().tiles());
                if is_same { Ok(Solvable::Ring) } else { Err(Unsolvable::Ring) }
            }
        }
    }

    /// Two tiles whose swap makes the goal reachable, if one swap is enough: two that lie in each other's goal cells, else
    /// the last two that are adjacent in reading order, else the nearest.
    pub fn repairing_swap(&self) -> Option<[u8; 2]> {
        let (tiles, goal) = (self.start.tiles(), self.goal.tiles());
        let home = |at: usize| goal.iter().position(|&tile| tile == tiles[at]);
        let crossed = (0..tiles.len()).rev().filter_map(|at| Some((home(at)?, at)));
        let crossed = crossed.filter(|&(to, at)| to < at && home(to) == Some(at));
        let pairs = (1..tiles.len()).flat_map(|apart| (apart..tiles.len()).rev().map(move |at| (at - apart, at)));
        let mut pairs = crossed.chain(pairs).filter(|&(a, b)| tiles[a] != 0 && tiles[b] != 0);
        let repairs = |&(a, b): &(usize, usize)| {
            let mut swapped = tiles.to_vec();
            swapped.swap(a, b);
            let start = Arrangement::from_tiles(self.size(), &swapped);
            Self { start, ..self.clone() }.solvable().is_ok()
        };
        pairs.find(repairs).map(|(a, b)| [tiles[a], tiles[b]])
    }

    fn check_parity(&self, start: &[u8]) -> Result<Solvable, Unsolvable> {
        let goal = self.canonical_goal();
        let permutation: Vec<usize> = start.iter().map(|&tile| goal.cell_of(tile)).collect();
        let odd_tiles = is_odd(&permutation);
        let steps = self.topology.distances().between(self.start.blank(), self.goal.blank());
        if odd_tiles == (steps % 2 == 1) {
            return Ok(Solvable::Parity { odd_tiles, steps });
        }
        let tiles: Vec<u8> = start.iter().copied().filter(|&tile| tile != 0).collect();
        Err(Unsolvable::Parity { odd_tiles, steps, inversions: self.topology.is_plain().then(|| inversions(&tiles)) })
    }

    /// The tiles in the order in which they lie around the ring, from the first one on.
    fn cyclic_order(&self, tiles: &[u8]) -> Vec<u8> {
        let around = self.topology.around().into_iter();
        let mut order: Vec<u8> = around.map(|cell| tiles[cell]).filter(|&tile| tile != 0).collect();
        let first = order.iter().position(|&tile| tile == 1).unwrap_or(0);
        order.rotate_left(first);
        order
    }
}

/// Why board, start and goal make no puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what each means")]
pub enum PuzzleError {
    #[error("found a start of {found}, expected {expected}")]
    Start { found: Size, expected: Size },
    #[error("found a goal of {found}, expected {expected} as the board")]
    Goal { found: Size, expected: Size },
}

/// Why a goal can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Solvable {
    /// The permutation's parity and the blank's distance agree.
    Parity {
        /// Whether the permutation, blank included, is odd.
        odd_tiles: bool,
        /// The blank's distance from its goal cell.
        steps: usize,
    },
    /// Every arrangement of the board can be reached.
    Any,
    /// Tiles on a line are in the goal's order.
    Line,
    /// Tiles on a ring are in the goal's cyclic order.
    Ring,
}

impl fmt::Display for Solvable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parity { odd_tiles, steps } => write!(
                f,
                "tiles and blank together are an {} permutation of the goal, and the blank is {} from its goal cell: \
                 the two parities agree",
                parity(*odd_tiles),
                counted(*steps),
            ),
            Self::Any => f.write_str("a wrap joins two cells of one colour, so every arrangement can be reached"),
            Self::Line => f.write_str("on a single line tiles only slide, and they are in the goal's order"),
            Self::Ring => {
                f.write_str("on a ring of cells tiles only go round, and they are in the goal's cyclic order")
            }
        }
    }
}

fn counted(steps: usize) -> String {
    format!("{steps} step{}, an {} number,", if steps == 1 { "" } else { "s" }, parity(steps % 2 == 1))
}

fn parity(odd: bool) -> &'static str {
    if odd { "odd" } else { "even" }
}

/// Why a goal cannot be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what each means")]
pub enum Unsolvable {
    /// Each move changes the permutation's parity and the colour of the blank's cell; the two do not
    /// agree.
    #[error(
        "tiles and blank together are an {} permutation of the goal{}, but the blank is {} from its goal cell: \
         each move changes both parities, so they never agree",
        parity(*odd_tiles),
        inverted(*inversions),
        counted(*steps),
    )]
    Parity {
        odd_tiles: bool,
        steps: usize,
        /// Inversions of the tiles without the blank against the goal's reading order, on plain boards. Their parity need
        /// not be that of the permutation, which includes the blank.
        inversions: Option<usize>,
    },
    #[error("on a single line tiles only slide and never pass each other, and their order differs from the goal's")]
    Line,
    #[error("on a ring of cells tiles only go round, and their cyclic order differs from the goal's")]
    Ring,
}

fn inverted(inversions: Option<usize>) -> String {
    match inversions {
        Some(1) => " (the tiles alone have 1 inversion)".to_owned(),
        Some(count) => format!(" (the tiles alone have {count} inversions)"),
        None => String::new(),
    }
}

fn is_odd(permutation: &[usize]) -> bool {
    let mut visited = vec![false; permutation.len()];
    let mut odd = false;
    for start in 0..permutation.len() {
        let mut at = start;
        while !visited[at] {
            visited[at] = true;
            at = permutation[at];
            // A cycle of k elements is k − 1 swaps: one for each element after the first.
            odd ^= at != start;
        }
    }
    odd
}

fn inversions(tiles: &[u8]) -> usize {
    let later = |index: usize, tile: u8| tiles[index + 1..].iter().filter(|&&other| other < tile).count();
    tiles.iter().enumerate().map(|(index, &tile)| later(index, tile)).sum()
}
