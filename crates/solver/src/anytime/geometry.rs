//! A board's geometry, computed once: neighbours, distances and hash keys.

use std::ops::Range;

use pintu_tiles::{Direction, Distances, Kind, Size, Topology};

use crate::beam::spread_numbers;

/// The properties of a board that do not depend on where the tiles lie.
pub(super) struct Geometry {
    pub(super) topology: Topology,
    pub(super) size: Size,
    pub(super) cells: usize,
    pub(super) positions: Box<[Position]>,
    /// Rows and columns in which a tile cannot pass another by going round.
    pub(super) straight_rows: Box<[bool]>,
    pub(super) straight_cols: Box<[bool]>,
    steps: Box<[Neighbours]>,
    distances: Distances,
    keys: Box<[u64]>,
}

/// A cell's row and column, or a tile's goal row and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) row: u8,
    pub(super) col: u8,
}

#[derive(Clone, Copy, Default)]
struct Neighbours {
    list: [(u8, u8); 4],
    count: u8,
}

impl Geometry {
    pub(super) fn new(topology: Topology) -> Self {
        Self { keys: keys(topology.cells()), ..Self::without_keys(topology) }
    }

    /// The geometry without hash keys, which take most of its memory: a construction compares no states.
    pub(super) fn without_keys(topology: Topology) -> Self {
        let (size, cells) = (topology.size(), topology.cells());
        let position = |cell| Position { row: size.row(cell) as u8, col: size.col(cell) as u8 };
        Self {
            topology,
            size,
            cells,
            positions: (0..cells).map(position).collect(),
            straight_rows: (0..size.rows()).map(|row| topology.wrap_rows().all(|wrap| wrap != row)).collect(),
            straight_cols: (0..size.cols()).map(|col| topology.wrap_cols().all(|wrap| wrap != col)).collect(),
            steps: (0..cells).map(|cell| Neighbours::of(topology, cell)).collect(),
            distances: topology.distances(),
            keys: Box::default(),
        }
    }

    /// The cells beside a cell, each with its direction's index in [`Direction::ALL`].
    #[inline]
    pub(super) fn neighbours(&self, cell: usize) -> impl Iterator<Item = (usize, u8)> {
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
        let colour = |cell: usize| self.positions[cell].row ^ self.positions[cell].col;
        (colour(a) ^ colour(b)) & 1 == 0
    }

    /// The part of a board's hash that this tile, or the blank, in this cell contributes.
    #[inline]
    pub(super) fn key(&self, tile: usize, cell: usize) -> u64 {
        self.keys[tile * self.cells + cell]
    }

    /// Whether equal hashes are equal boards.
    pub(super) fn hashes_exactly(&self) -> bool {
        self.cells <= MAX_EXACT_CELLS
    }

    /// The bytes that a [new](Self::new) one holds.
    pub(super) fn bytes(topology: Topology) -> u64 {
        (topology.cells().pow(2) * (size_of::<u64>() + 1)) as u64
    }

    /// Whether the lengths of all solutions have the same parity.
    pub(super) fn keeps_parity(&self) -> bool {
        self.topology.kind() == Kind::TwoColoured
    }

    /// The least difference between two solutions of different lengths.
    pub(super) fn least_gain(&self) -> usize {
        if self.keeps_parity() { 2 } else { 1 }
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

impl Neighbours {
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

/// Boards of up to this many cells fit into the upper 48 bits of a hash, four bits a cell.
const MAX_EXACT_CELLS: usize = 12;

/// For small boards the tiles themselves, so that equal hashes are equal boards. For others fixed numbers.
fn keys(cells: usize) -> Box<[u64]> {
    if cells <= MAX_EXACT_CELLS {
        let key = |index: usize| ((index / cells) as u64) << (16 + 4 * (index % cells));
        return (0..cells * cells).map(key).collect();
    }
    spread_numbers(0x5EED).take(cells * cells).collect()
}

/// A set of cells of a board with at most 64·K of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellSet<const K: usize>([u64; K]);

impl<const K: usize> CellSet<K> {
    pub(super) const EMPTY: Self = Self([0; K]);

    #[inline]
    pub(super) fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    #[inline]
    pub(super) fn remove(&mut self, cell: usize) {
        self.0[cell / 64] &= !(1 << (cell % 64));
    }

    #[inline]
    fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).fold(0, |common, (a, b)| common | a & b) != 0
    }
}

/// For each cell, the cells within each distance of it.
pub(super) struct Balls<const K: usize> {
    sets: Box<[CellSet<K>]>,
    reach: usize,
}

impl<const K: usize> Balls<K> {
    pub(super) fn new(geometry: &Geometry) -> Self {
        let pairs = |from| (0..geometry.cells).map(move |to| (to, geometry.distance(from, to)));
        let reach = (0..geometry.cells).flat_map(pairs).map(|(_, far)| far).max().unwrap_or(0) + 1;
        let ball = |from: usize, radius: usize| {
            let mut set = CellSet::EMPTY;
            pairs(from).filter(|&(_, far)| far <= radius).for_each(|(to, _)| set.insert(to));
            set
        };
        Self { sets: (0..geometry.cells * reach).map(|index| ball(index / reach, index % reach)).collect(), reach }
    }

    /// Upper bound of the bytes of a board's balls.
    pub(super) fn most_bytes(geometry: &Geometry) -> u64 {
        let reach = geometry.size.rows() + geometry.size.cols();
        (geometry.cells * reach * size_of::<CellSet<K>>()) as u64
    }

    /// The distance from a cell to the nearest of a set, known to be at least `least`; 0 if the set
    /// is empty.
    #[inline]
    pub(super) fn nearest(&self, from: usize, set: &CellSet<K>, least: usize) -> usize {
        let balls = &self.sets[from * self.reach..][..self.reach];
        (least..self.reach).find(|&radius| set.meets(&balls[radius])).unwrap_or(0)
    }
}

/// The rest of a rectangle when outer lines have been taken off.
pub(super) struct Rectangle {
    size: Size,
    blank: usize,
    rows: Range<usize>,
    cols: Range<usize>,
}

impl Rectangle {
    pub(super) fn new(size: Size, blank: usize) -> Self {
        Self { size, blank, rows: 0..size.rows(), cols: 0..size.cols() }
    }

    pub(super) fn side(&self) -> usize {
        self.rows.len().max(self.cols.len())
    }

    /// Takes off the row or column, across the longer side, that is farthest from the goal's blank, and
    /// returns its cells; none when only 2×3 cells are left, which have no line to spare.
    pub(super) fn peel(&mut self) -> Option<Vec<usize>> {
        if self.rows.len() * self.cols.len() <= 6 {
            return None;
        }
        let by_row = self.rows.len() >= self.cols.len();
        let (range, at) = if by_row {
            (&mut self.rows, self.size.row(self.blank))
        } else {
            (&mut self.cols, self.size.col(self.blank))
        };
        let line = if at - range.start >= range.end - 1 - at {
            range.start += 1;
            range.start - 1
        } else {
            range.end -= 1;
            range.end
        };
        let size = self.size;
        Some(if by_row {
            self.cols.clone().map(|col| size.cell(line, col)).collect()
        } else {
            self.rows.clone().map(|row| size.cell(row, line)).collect()
        })
    }
}
