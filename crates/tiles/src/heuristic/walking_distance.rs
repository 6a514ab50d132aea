use std::collections::HashMap;

use pintu_search::{Control, Heuristic, Hold, Stop};

use super::BuildError;
use crate::{Board, Cell, NotApplicable, Puzzle, Size, TileSpace};

/// Walking distance: the fewest vertical moves that bring every tile to its row if tiles of one row
/// are all alike, and the fewest horizontal moves for the columns likewise. (Takahashi Ken'ichirō,
/// 2002.)
#[derive(Clone, Debug)]
pub struct WalkingDistance {
    size: Size,
    vertical: WalkTable,
    horizontal: WalkTable,
    /// For each tile, its goal row and column.
    homes: Box<[(u8, u8)]>,
}

impl WalkingDistance {
    /// The heuristic for a puzzle's board and goal.
    pub fn new(puzzle: &Puzzle) -> Result<Self, NotApplicable> {
        match Self::under(puzzle, &Control::unlimited()) {
            Ok((heuristic, _)) => Ok(heuristic),
            Err(BuildError::NotApplicable(error)) => Err(error),
            Err(BuildError::Stopped(_)) => unreachable!("nothing limits it"),
        }
    }

    /// Refuses boards that wrap. Boards whose tables are too large are refused only when the tables are built.
    pub fn check(puzzle: &Puzzle) -> Result<(), NotApplicable> {
        if puzzle.topology().is_plain() {
            return Ok(());
        }
        let why = "its table knows steps between neighbouring rows and columns only";
        Err(NotApplicable::Wraps { heuristic: "walking-distance", why })
    }

    /// The same under a control's limits, with the hold on the memory of its tables.
    pub fn under(puzzle: &Puzzle, control: &Control) -> Result<(Self, Hold), BuildError> {
        Self::check(puzzle)?;
        let size = puzzle.size();
        let blank = puzzle.goal().blank();
        let mut hold = control.hold();
        let vertical = WalkTable::new(size.rows(), size.cols(), size.row(blank), control, &mut hold)?;
        let horizontal = WalkTable::new(size.cols(), size.rows(), size.col(blank), control, &mut hold)?;
        let (Some(vertical), Some(horizontal)) = (vertical, horizontal) else {
            let mebibytes = MAX_BYTES >> 20;
            return Err(NotApplicable::TableTooLarge { heuristic: "walking-distance", size, mebibytes }.into());
        };
        let mut homes = vec![(0, 0); size.cells()].into_boxed_slice();
        for (home, tile) in puzzle.canonical_homes() {
            homes[tile] = (size.row(home) as u8, size.col(home) as u8);
        }
        Ok((Self { size, vertical, horizontal, homes }, hold))
    }

    /// The vertical moves that bring the tiles to their rows, and the horizontal ones that bring them to their columns.
    pub fn parts(&self, memo: Walked) -> [u32; 2] {
        [self.vertical.distance(memo.vertical), self.horizontal.distance(memo.horizontal)]
    }
}

/// The memo: the number of the board's entry in each of the two tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walked {
    /// The number of the rows' entry.
    pub vertical: u32,
    /// The number of the columns' entry.
    pub horizontal: u32,
}

impl<B: Board> Heuristic<TileSpace<B>> for WalkingDistance {
    type Memo = Walked;

    fn start(&self, board: &B) -> Walked {
        let lie = |line: fn(Size, usize) -> usize, home: fn((u8, u8)) -> u8| {
            (0..self.size.cells())
                .filter(|&cell| board.tile(cell) != 0)
                .map(move |cell| (line(self.size, cell), usize::from(home(self.homes[board.tile(cell)]))))
        };
        Walked {
            vertical: self.vertical.entry(lie(Size::row, |home| home.0)),
            horizontal: self.horizontal.entry(lie(Size::col, |home| home.1)),
        }
    }

    #[inline]
    fn step(&self, memo: Walked, before: &B, action: &Cell, _: &B) -> Walked {
        let (from, to) = (usize::from(*action), before.blank());
        let (home_row, home_col) = self.homes[before.tile(from)];
        let (from_row, to_row) = (self.size.row(from), self.size.row(to));
        if from_row == to_row {
            Walked { horizontal: self.horizontal.step(memo.horizontal, from > to, home_col), ..memo }
        } else {
            Walked { vertical: self.vertical.step(memo.vertical, from > to, home_row), ..memo }
        }
    }

    #[inline]
    fn estimate(&self, memo: Walked) -> Option<u32> {
        let [rows, cols] = self.parts(memo);
        Some(rows + cols)
    }
}

/// Bytes that both tables together may take: 4×4 fits, 5×5 with its 65 million entries does not.
const MAX_BYTES: usize = 64 << 20;

/// The table of one direction. An entry is a matrix: how many tiles lie in line `i` and belong to line
/// `j`.
#[derive(Clone, Debug)]
struct WalkTable {
    lines: usize,
    bits: usize,
    distances: Box<[u8]>,
    /// For each entry, the entries after a tile of each home line has come from the line before the
    /// blank's, and after it has come from the line behind it.
    steps: Box<[u32]>,
    index: HashMap<u128, u32>,
}

/// No tile of that home line can move.
const NO_STEP: u32 = u32::MAX;

impl WalkTable {
    /// The table for `lines` lines of a length, with the goal's blank in one of them; `None` if it is
    /// too large.
    fn new(
        lines: usize,
        length: usize,
        blank_line: usize,
        control: &Control,
        hold: &mut Hold,
    ) -> Result<Option<Self>, Stop> {
        let bits = (usize::BITS - length.leading_zeros()) as usize;
        if lines * lines * bits > u128::BITS as usize {
            return Ok(None);
        }
        let before = hold.bytes();
        let most = MAX_BYTES / 2 / (1 + 2 * lines * size_of::<u32>());
        let mut walk = Self { lines, bits, distances: Box::default(), steps: Box::default(), index: HashMap::new() };
        let goal = (0..lines).fold(0, |matrix, line| {
            matrix + walk.unit(line, line) * (length - usize::from(line == blank_line)) as u128
        });
        let mut queue = Vec::new();
        let mut steps: Vec<u32> = Vec::new();
        let mut room = 0;
        let mut next = 0;
        loop {
            // Make room for all successors of the next entry.
            if queue.len() + 2 * lines + 1 > room {
                room = (room * 2).max(64);
                hold.set(before + (room * (Self::ENTRY + 2 * lines * size_of::<u32>())) as u64)?;
                queue.reserve_exact(room - queue.len());
                steps.reserve_exact(room * 2 * lines - steps.len());
                walk.index.reserve(room - walk.index.len());
            }
            if queue.is_empty() {
                queue.push((goal, blank_line as u8, 0_u8));
                walk.index.insert(goal, 0);
            }
            if next == queue.len() {
                break;
            }
            if next.trailing_zeros() >= 12 {
                control.check()?;
            }
            let (matrix, blank, distance) = queue[next];
            next += 1;
            let behind = walk.moves(matrix, blank, blank.checked_add(1));
            let before = walk.moves(matrix, blank, blank.checked_sub(1));
            for to in before.into_iter().chain(behind) {
                let Some((matrix, blank)) = to else {
                    steps.push(NO_STEP);
                    continue;
                };
                let fresh = queue.len() as u32;
                let entry = *walk.index.entry(matrix).or_insert(fresh);
                if entry == fresh {
                    queue.push((matrix, blank, distance + 1));
                }
                steps.push(entry);
            }
            if queue.len() > most {
                return Ok(None);
            }
        }
        walk.distances = queue.iter().map(|entry| entry.2).collect();
        walk.steps = steps.into_boxed_slice();
        drop(queue);
        hold.set(before + walk.bytes())?;
        Ok(Some(walk))
    }

    /// Bytes of an entry while the table is built, without its steps: an element of the queue, a distance, and two
    /// slots of the index, which holds half as many more while it grows.
    const ENTRY: usize = size_of::<(u128, u8, u8)>() + 1 + 3 * (size_of::<(u128, u32)>() + 1);

    fn bytes(&self) -> u64 {
        let slots = self.index.capacity() * 8 / 7 * (size_of::<(u128, u32)>() + 1);
        (self.distances.len() + size_of_val(&*self.steps) + slots) as u64
    }

    /// The matrices, with the blank's line, after a tile of each home line has moved from line `from`
    /// into the blank's.
    fn moves(&self, matrix: u128, blank: u8, from: Option<u8>) -> Vec<Option<(u128, u8)>> {
        let from = from.filter(|&line| usize::from(line) < self.lines);
        let moved = |home: usize| {
            let from = from?;
            let tile = self.unit(from.into(), home);
            let count = matrix / tile % (1 << self.bits);
            (count > 0).then(|| (matrix - tile + self.unit(blank.into(), home), from))
        };
        (0..self.lines).map(moved).collect()
    }

    /// One tile that lies in `line` and belongs to `home`.
    fn unit(&self, line: usize, home: usize) -> u128 {
        1 << ((line * self.lines + home) * self.bits)
    }

    fn entry(&self, tiles: impl Iterator<Item = (usize, usize)>) -> u32 {
        let matrix = tiles.fold(0, |matrix, (line, home)| matrix + self.unit(line, home));
        self.index[&matrix]
    }

    #[inline]
    fn step(&self, entry: u32, from_behind: bool, home: u8) -> u32 {
        self.steps[(entry as usize * 2 + usize::from(from_behind)) * self.lines + usize::from(home)]
    }

    #[inline]
    fn distance(&self, entry: u32) -> u32 {
        u32::from(self.distances[entry as usize])
    }
}
