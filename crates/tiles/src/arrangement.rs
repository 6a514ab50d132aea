use std::fmt;

use crate::{Direction, Moves, Size, Topology};

/// Where each tile lies: the numbers 0 to cells − 1, each once, in reading order. 0 is the blank.
///
/// ```
/// use pintu_tiles::{Arrangement, Size};
///
/// let board: Arrangement = "1 2 3 / 4 5 6 / 7 0 8".parse()?;
/// assert_eq!(board, Arrangement::new(Size::new(3, 3)?, &[1, 2, 3, 4, 5, 6, 7, 0, 8])?);
/// assert_eq!(board.to_string().parse(), Ok(board));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Arrangement {
    size: Size,
    tiles: Box<[u8]>,
}

impl Arrangement {
    /// Checks that each number is there once. The error lists everything that is wrong.
    pub fn new(size: Size, tiles: &[u32]) -> Result<Self, ArrangementError> {
        let cells = size.cells();
        if tiles.len() != cells {
            return Err(ArrangementError::Count { found: tiles.len(), size });
        }
        let mut count = vec![0_usize; cells];
        let mut foreign = Vec::new();
        for &tile in tiles {
            match count.get_mut(tile as usize) {
                Some(count) => *count += 1,
                None => foreign.push(tile),
            }
        }
        let tiles_with = |wanted: fn(usize) -> bool| -> Vec<u32> {
            (0..cells as u32).filter(|&tile| wanted(count[tile as usize])).collect()
        };
        let (missing, repeated) = (tiles_with(|count| count == 0), tiles_with(|count| count > 1));
        if missing.is_empty() {
            Ok(Self { size, tiles: tiles.iter().map(|&tile| tile as u8).collect() })
        } else {
            Err(ArrangementError::Tiles { size, foreign, missing, repeated })
        }
    }

    /// An arrangement of tiles that the caller has checked.
    ///
    /// # Panics
    /// If they are not a permutation.
    pub(crate) fn from_tiles(size: Size, tiles: &[u8]) -> Self {
        let tiles: Vec<u32> = tiles.iter().map(|&tile| u32::from(tile)).collect();
        Self::new(size, &tiles).expect("the tiles are a permutation")
    }

    /// The board's sides.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The tiles in reading order.
    pub fn tiles(&self) -> &[u8] {
        &self.tiles
    }

    /// The blank's cell.
    ///
    /// # Panics
    /// Never: each arrangement has a blank.
    pub fn blank(&self) -> usize {
        self.cell_of(0)
    }

    /// The cell of a tile.
    ///
    /// # Panics
    /// If the board has no such tile.
    pub fn cell_of(&self, tile: u8) -> usize {
        self.tiles.iter().position(|&other| other == tile).expect("the board has this tile")
    }

    /// Moves the blank to a cell beside it.
    pub(crate) fn slide(&mut self, to: usize) {
        let blank = self.blank();
        self.tiles.swap(blank, to);
    }

    /// Carries out moves, or says which one leads off the board.
    pub fn play(&mut self, topology: Topology, moves: &Moves) -> Result<(), IllegalMove> {
        let mut blank = self.blank();
        for (number, &direction) in (1..).zip(&moves.0) {
            let (row, col) = (self.size.row(blank), self.size.col(blank));
            let to = topology.neighbour(blank, direction).ok_or(IllegalMove { number, direction, row, col })?;
            self.tiles.swap(blank, to);
            blank = to;
        }
        Ok(())
    }
}

impl fmt::Display for Arrangement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.tiles.iter().map(u8::to_string).collect();
        f.write_str(&numbers.join(" "))
    }
}

/// Why numbers are no arrangement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what each means")]
pub enum ArrangementError {
    #[error("found {found} tile{}, expected {} for a board of {size}", if *found == 1 { "" } else { "s" }, size.cells())]
    Count { found: usize, size: Size },
    /// The tiles are not the numbers from 0 on, each once.
    #[error("{}, expected each of 0 to {} once on a board of {size}", complaints(foreign, missing, repeated), size.cells() - 1)]
    Tiles { size: Size, foreign: Vec<u32>, missing: Vec<u32>, repeated: Vec<u32> },
}

fn complaints(foreign: &[u32], missing: &[u32], repeated: &[u32]) -> String {
    let list = |what: &str, tiles: &[u32]| {
        let shown: Vec<String> = tiles.iter().take(8).map(u32::to_string).collect();
        let more = if tiles.len() > 8 { format!(" and {} more", tiles.len() - 8) } else { String::new() };
        (!tiles.is_empty()).then(|| format!("{what} {}{more}", shown.join(", ")))
    };
    let parts = [list("found", foreign), list("repeated", repeated), list("missing", missing)];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// A move that leads off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "move {number} ({}) leads off the board: the blank is at {},{}",
    direction.letter(), row, col
)]
pub struct IllegalMove {
    /// The number of the move, from 1 on.
    pub number: usize,
    /// Its direction.
    pub direction: Direction,
    /// The blank's row before it.
    pub row: usize,
    /// The blank's column before it.
    pub col: usize,
}
