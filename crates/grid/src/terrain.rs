use std::{
    collections::{HashMap, hash_map::Entry},
    num::NonZeroU64,
};

use crate::{Cell, Format};

/// What a symbol on a map stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ground {
    /// Nobody gets there.
    Blocked,
    /// Land that costs so much to enter.
    Land(NonZeroU64),
    /// Water: one moves about on it, but not from land to water or back.
    Water(NonZeroU64),
}

impl Ground {
    /// Land that costs 1.
    pub const OPEN: Self = Self::Land(NonZeroU64::MIN);

    /// Land that costs so much to enter. (For a cost that may be none there is `NonZeroU64::new(cost).map(Ground::Land)`.)
    ///
    /// # Panics
    /// If the cost is 0: walking in circles would be free.
    pub const fn land(cost: u64) -> Self {
        Self::Land(positive(cost))
    }

    /// Water that costs so much to enter.
    ///
    /// # Panics
    /// If the cost is 0.
    pub const fn water(cost: u64) -> Self {
        Self::Water(positive(cost))
    }

    /// What it costs to enter, if one can.
    pub const fn cost(self) -> Option<NonZeroU64> {
        match self {
            Self::Blocked => None,
            Self::Land(cost) | Self::Water(cost) => Some(cost),
        }
    }
}

const fn positive(cost: u64) -> NonZeroU64 {
    NonZeroU64::new(cost).expect("found a cost of 0, expected 1 or more")
}

/// What a map file says: rows of symbols, what they stand for, and where to go.
///
/// It is read from a text (`str::parse`, or [`Format::read`] to name the format or give costs), or made from other data
/// by [`from_fn`](Self::from_fn). A [`Map`](crate::Map) is then prepared from it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Terrain {
    pub(crate) format: Format,
    rows: u32,
    cols: u32,
    symbols: Vec<u8>,
    legend: Box<[Ground; 256]>,
    /// Where a path is to begin, if the map says so.
    pub start: Option<Cell>,
    /// Where it is to end, if the map says so; the nearest counts.
    pub goals: Vec<Cell>,
}

/// The most rows or columns of a map, and with them the numbers that everything else must hold.
pub const MAX_SIDE: u32 = 1 << 16;
/// The most cells of a map.
pub const MAX_CELLS: u64 = 1 << 28;

impl Terrain {
    /// A map of open ground, to which [`set`](Self::set) and [`set_ground`](Self::set_ground) add what is not.
    pub fn open(rows: u32, cols: u32) -> Result<Self, SizeError> {
        let symbols = vec![b'.'; checked_cells(rows, cols)?];
        Ok(Self::of(Format::Terrain, [rows, cols], symbols, Box::new(Format::Terrain.legend())))
    }

    /// A map from data of any kind: `ground` is asked for every cell, row by row. There is room for 115 kinds of ground,
    /// and besides for blocked cells and for land that costs 1 to 9.
    ///
    /// ```
    /// use pintu_grid::{Cell, Diagonal, Ground, Map, Terrain};
    ///
    /// let heights = [[0, 0, 9], [7, 1, 0]];
    /// let terrain = Terrain::from_fn(2, 3, |Cell { row, col }| match heights[row as usize][col as usize] {
    ///     9 => Ground::Blocked,
    ///     height => Ground::land(1 + height),
    /// })?;
    /// assert_eq!(terrain.to_string(), "..#\n82.\n");
    /// let (_, cost) = Map::new(&terrain, Diagonal::Never).path((0, 0), (1, 2))?.expect("a way across the hill");
    /// assert_eq!(cost.whole(), Some(1 + 2 + 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Ground that a terrain file can say has its symbol there, as above. Any other has one of the map's own: such a map
    /// can be searched and [drawn](crate::draw), but whoever reads the drawing must be told the costs.
    pub fn from_fn(rows: u32, cols: u32, mut ground: impl FnMut(Cell) -> Ground) -> Result<Self, TerrainError> {
        let mut terrain = Self::open(rows, cols)?;
        let mut known = HashMap::new();
        let cells = (0..rows).flat_map(|row| (0..cols).map(move |col| Cell::new(row, col)));
        for (at, cell) in cells.enumerate() {
            terrain.symbols[at] = match known.entry(ground(cell)) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => {
                    let symbol = terrain.symbol_for(*new.key())?;
                    *new.insert(symbol)
                }
            };
        }
        Ok(terrain)
    }

    /// `symbols` must be rows × columns, and the size checked.
    pub(crate) fn of(format: Format, [rows, cols]: [u32; 2], symbols: Vec<u8>, legend: Box<[Ground; 256]>) -> Self {
        Self { format, rows, cols, symbols, legend, start: None, goals: Vec::new() }
    }

    /// The number of rows.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The number of columns.
    pub fn cols(&self) -> u32 {
        self.cols
    }

    /// The format the map was read in, and in which it is written.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Whether the cell lies on the map.
    pub fn contains(&self, cell: Cell) -> bool {
        cell.row < self.rows && cell.col < self.cols
    }

    /// The symbol at a cell of the map, as it stands in the file.
    pub fn symbol(&self, cell: Cell) -> Option<char> {
        self.contains(cell).then(|| char::from(self.symbols[self.index(cell)]))
    }

    /// What lies at a cell; beyond the map's edges everything is blocked.
    pub fn ground(&self, cell: Cell) -> Ground {
        if self.contains(cell) { self.legend[usize::from(self.symbols[self.index(cell)])] } else { Ground::Blocked }
    }

    /// Puts a symbol at a cell: one of the map's format, or one that was [defined](Self::define).
    pub fn set(&mut self, cell: Cell, symbol: char) -> Result<(), TerrainError> {
        let at = self.checked_index(cell)?;
        let known = ascii(symbol)?;
        if !self.format.knows(known, &self.legend) {
            return Err(TerrainError::UnknownSymbol { symbol, expected: self.format.expected() });
        }
        self.symbols[at] = known;
        Ok(())
    }

    /// Puts ground at a cell, under the symbol that stands for it; one that stands for nothing yet comes to do so if
    /// need be.
    pub fn set_ground(&mut self, cell: Cell, ground: Ground) -> Result<(), TerrainError> {
        let at = self.checked_index(cell)?;
        self.symbols[at] = self.symbol_for(ground)?;
        Ok(())
    }

    /// Gives a symbol another ground, wherever it stands. Only ASCII characters are symbols.
    pub fn define(&mut self, symbol: char, ground: Ground) -> Result<(), TerrainError> {
        self.legend[usize::from(ascii(symbol)?)] = ground;
        Ok(())
    }

    /// The symbol for a kind of ground, which is made one if there is none.
    fn symbol_for(&mut self, ground: Ground) -> Result<u8, TerrainError> {
        let Self { format, legend, .. } = self;
        let stands = |symbol: &u8| format.knows(*symbol, legend) && legend[usize::from(*symbol)] == ground;
        if let Some(symbol) = (0..=0x7f).filter(|&symbol| !format.is_place(symbol)).find(stands) {
            return Ok(symbol);
        }
        let unused = spares().find(|&symbol| !format.knows(symbol, legend)).ok_or(TerrainError::TooManyKinds)?;
        self.legend[usize::from(unused)] = ground;
        Ok(unused)
    }

    /// The bytes that it holds.
    pub fn bytes(&self) -> usize {
        size_of::<[Ground; 256]>() + self.symbols.capacity() + self.goals.capacity() * size_of::<Cell>()
    }

    /// The symbols of one row.
    pub(crate) fn row(&self, row: u32) -> &[u8] {
        &self.symbols[row as usize * self.cols as usize..][..self.cols as usize]
    }

    pub(crate) fn legend(&self) -> &[Ground; 256] {
        &self.legend
    }

    fn checked_index(&self, cell: Cell) -> Result<usize, TerrainError> {
        let Self { rows, cols, .. } = *self;
        if self.contains(cell) { Ok(self.index(cell)) } else { Err(TerrainError::Outside { cell, rows, cols }) }
    }

    fn index(&self, cell: Cell) -> usize {
        cell.row as usize * self.cols as usize + cell.col as usize
    }
}

/// All that can be symbols: letters first, then what else can be seen (but for the mark of a path), then the rest.
fn spares() -> impl Iterator<Item = u8> {
    let seen = (b'a'..=b'z').chain(b'A'..=b'Z').chain(b'!'..=b'~').filter(|&symbol| symbol != b'*');
    seen.chain(0..=0x7f)
}

fn ascii(symbol: char) -> Result<u8, TerrainError> {
    u8::try_from(symbol).ok().filter(u8::is_ascii).ok_or(TerrainError::NoSymbol { symbol })
}

/// What cannot be put on a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TerrainError {
    /// Too small or too large.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A cell that is not on the map.
    #[error("found the cell {cell}, expected rows from 0 to {} and columns from 0 to {}", .rows - 1, .cols - 1)]
    Outside {
        /// The cell.
        cell: Cell,
        /// The map's rows.
        rows: u32,
        /// The map's columns.
        cols: u32,
    },
    /// A symbol that the map does not know.
    #[error("found `{symbol}`, expected {expected}, or a symbol that was defined")]
    UnknownSymbol {
        /// The symbol.
        symbol: char,
        /// What may stand there.
        expected: &'static str,
    },
    /// A character that cannot be a symbol.
    #[error("found `{symbol}`, expected an ASCII character: maps have no other symbols")]
    NoSymbol {
        /// The character.
        symbol: char,
    },
    /// Every symbol stands for a kind of ground already.
    #[error("found one kind of ground too many: every symbol that a map can have stands for another")]
    TooManyKinds,
}

/// A map that has no cells, or more than can be handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "found a map of {rows} rows and {cols} columns, expected 1 to {MAX_SIDE} of each and at most {MAX_CELLS} cells"
)]
pub struct SizeError {
    rows: u64,
    cols: u64,
}

/// The number of cells of a map of that size.
pub(crate) fn checked_cells(rows: u32, cols: u32) -> Result<usize, SizeError> {
    let cells = u64::from(rows) * u64::from(cols);
    if cells == 0 || cells > MAX_CELLS || rows > MAX_SIDE || cols > MAX_SIDE {
        return Err(SizeError { rows: rows.into(), cols: cols.into() });
    }
    Ok(cells as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_ground_are_told_apart_until_symbols_run_out() {
        let most = 125;
        let ground = |cell: Cell| if cell.col == 0 { Ground::Blocked } else { Ground::water(cell.col.into()) };
        // Nine kinds of land have their symbols already.
        let terrain = Terrain::from_fn(2, most - 9, ground).unwrap();
        for cell in (0..2).flat_map(|row| (0..most - 9).map(move |col| Cell::new(row, col))) {
            assert_eq!(terrain.ground(cell), ground(cell), "{cell}");
        }
        let drawn = terrain.to_string();
        assert_eq!((drawn.lines().count(), drawn.chars().filter(|symbol| symbol.is_control()).count()), (2, 2));
        assert_eq!(Terrain::from_fn(1, most - 8, ground), Err(TerrainError::TooManyKinds));
        assert!(matches!(Terrain::from_fn(0, 5, ground), Err(TerrainError::Size(_))));
    }

    #[test]
    fn what_does_not_belong_on_a_map_is_refused_with_a_reason() {
        let mut terrain = Terrain::open(2, 3).unwrap();
        let says = |set: Result<(), TerrainError>| set.unwrap_err().to_string();
        let corner = Cell::new(1, 2);
        assert!(says(terrain.set(corner, 'x')).starts_with("found `x`, expected # (blocked)"));
        assert!(says(terrain.set(Cell::new(2, 0), '#')).starts_with("found the cell 2,0, expected rows from 0 to 1"));
        assert!(says(terrain.set_ground(Cell::new(0, 3), Ground::OPEN)).contains("columns from 0 to 2"));
        assert!(says(terrain.define('é', Ground::OPEN)).contains("expected an ASCII character"));
        assert_eq!(terrain, Terrain::open(2, 3).unwrap());
        terrain.define('x', Ground::land(500)).unwrap();
        terrain.set(corner, 'x').unwrap();
        terrain.set_ground(Cell::new(0, 0), Ground::land(500)).unwrap();
        terrain.set_ground(Cell::new(0, 1), Ground::land(9)).unwrap();
        terrain.set_ground(Cell::new(0, 2), Ground::water(1)).unwrap();
        assert_eq!(terrain.to_string(), "x9a\n..x\n");
    }
}
