//! The board as the beam walks on it: neighbours, distances and hash keys, looked up once.

use pintu_tiles::{Direction, Distances, Kind, Size, Topology};

/// What does not depend on where the tiles lie.
pub(super) struct Ground {
    pub(super) topology: Topology,
    pub(super) size: Size,
    pub(super) cells: usize,
    /// Each cell's row and column.
    pub(super) places: Box<[Place]>,
    /// Rows and columns in which a tile cannot pass another by going round.
    pub(super) straight_rows: Box<[bool]>,
    pub(super) straight_cols: Box<[bool]>,
    steps: Box<[Steps]>,
    distances: Distances,
    keys: Box<[u64]>,
}

/// A cell's row and column, or a tile's goal row and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) row: u8,
    pub(super) col: u8,
}

/// The blank's ways out of a cell.
#[derive(Clone, Copy, Default)]
struct Steps {
    list: [(u8, u8); 4],
    count: u8,
}

impl Ground {
    /// All that a beam needs.
    pub(super) fn new(topology: Topology) -> Self {
        Self { keys: keys(topology.cells()), ..Self::without_keys(topology) }
    }

    /// What a construction needs, which compares no states: a small part of it.
    pub(super) fn without_keys(topology: Topology) -> Self {
        let (size, cells) = (topology.size(), topology.cells());
        let place = |cell| Place { row: size.row(cell) as u8, col: size.col(cell) as u8 };
        let lines = |count: usize, wraps: &mut dyn Iterator<Item = usize>| {
            let mut straight = vec![true; count].into_boxed_slice();
            wraps.for_each(|line| straight[line] = false);
            straight
        };
        Self {
            topology,
            size,
            cells,
            places: (0..cells).map(place).collect(),
            straight_rows: lines(size.rows(), &mut topology.wrap_rows()),
            straight_cols: lines(size.cols(), &mut topology.wrap_cols()),
            steps: (0..cells).map(|cell| Steps::of(topology, cell)).collect(),
            distances: topology.distances(),
            keys: Box::default(),
        }
    }

    /// The cells beside a cell, each with its direction's place in [`Direction::ALL`].
    #[inline]
    pub(super) fn steps(&self, cell: usize) -> impl Iterator<Item = (usize, u8)> {
        let steps = &self.steps[cell];
        steps.list[..usize::from(steps.count)].iter().map(|&(to, direction)| (usize::from(to), direction))
    }

    #[inline]
    pub(super) fn distance(&self, from: usize, to: usize) -> usize {
        self.distances.between(from, to)
    }

    /// Whether two cells have the same colour, as on a chessboard.
    #[inline]
    pub(super) fn same_colour(&self, a: usize, b: usize) -> bool {
        let colour = |cell: usize| self.places[cell].row ^ self.places[cell].col;
        (colour(a) ^ colour(b)) & 1 == 0
    }

    /// The part of a board's hash that this tile, or the blank, in this cell contributes.
    #[inline]
    pub(super) fn key(&self, tile: usize, cell: usize) -> u64 {
        self.keys[tile * self.cells + cell]
    }

    /// Whether equal hashes are equal boards.
    pub(super) fn hashes_exactly(&self) -> bool {
        self.cells <= EXACT
    }

    /// The bytes that a [new](Self::new) one holds.
    pub(super) fn bytes(topology: Topology) -> u64 {
        (topology.cells().pow(2) * (size_of::<u64>() + 1)) as u64
    }

    /// The length of every solution is even, or every one is odd.
    pub(super) fn keeps_parity(&self) -> bool {
        self.topology.kind() == Kind::TwoColoured
    }

    /// Carries out moves that are known to be legal.
    pub(super) fn play(&self, tiles: &mut [u8], moves: &[Direction]) {
        let mut blank = blank_of(tiles);
        for &direction in moves {
            let to = self.topology.neighbour(blank, direction).expect("the move stays on the board");
            tiles.swap(blank, to);
            blank = to;
        }
    }
}

pub(super) fn blank_of(tiles: &[u8]) -> usize {
    tiles.iter().position(|&tile| tile == 0).expect("a board has a blank")
}

impl Steps {
    fn of(topology: Topology, cell: usize) -> Self {
        let mut steps = Self::default();
        for (index, direction) in Direction::ALL.into_iter().enumerate() {
            if let Some(to) = topology.neighbour(cell, direction) {
                steps.list[usize::from(steps.count)] = (to as u8, index as u8);
                steps.count += 1;
            }
        }
        steps
    }
}

/// Boards of at most so many cells fit into the upper 48 bits of a hash, four bits a cell.
const EXACT: usize = 12;

/// For small boards the tiles themselves, so that equal hashes are equal boards. For others fixed, evenly
/// spread numbers (Steele, Lea and Flood's `SplitMix64`).
fn keys(cells: usize) -> Box<[u64]> {
    if cells <= EXACT {
        let key = |index: usize| ((index / cells) as u64) << (16 + 4 * (index % cells));
        return (0..cells * cells).map(key).collect();
    }
    let mut state = 0x5EED_u64;
    let next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    };
    std::iter::repeat_with(next).take(cells * cells).collect()
}
