use std::num::NonZeroU64;

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

    /// What it costs to enter, if one can.
    pub const fn cost(self) -> Option<NonZeroU64> {
        match self {
            Self::Blocked => None,
            Self::Land(cost) | Self::Water(cost) => Some(cost),
        }
    }
}

/// What a map file says: rows of symbols, what they stand for, and where to go.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// A map of open ground, to which [`set`](Self::set) adds what is not.
    pub fn open(rows: u32, cols: u32) -> Result<Self, SizeError> {
        let symbols = vec![b'.'; checked_cells(rows, cols)?];
        Ok(Self::of(Format::Terrain, rows, cols, symbols))
    }

    /// `symbols` must be rows × columns, and the size checked.
    pub(crate) fn of(format: Format, rows: u32, cols: u32, symbols: Vec<u8>) -> Self {
        Self { format, rows, cols, symbols, legend: Box::new(format.legend()), start: None, goals: Vec::new() }
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

    /// Puts a symbol of the map's format at a cell. False if the cell is not on the map, or the format
    /// does not know the symbol.
    pub fn set(&mut self, cell: Cell, symbol: char) -> bool {
        let Ok(symbol) = u8::try_from(symbol) else {
            return false;
        };
        if !self.contains(cell) || !self.format.knows(symbol, &self.legend) {
            return false;
        }
        let index = self.index(cell);
        self.symbols[index] = symbol;
        true
    }

    /// Gives a symbol another ground. False if it is not an ASCII character: maps have no others.
    pub fn define(&mut self, symbol: u8, ground: Ground) -> bool {
        if symbol.is_ascii() {
            self.legend[usize::from(symbol)] = ground;
        }
        symbol.is_ascii()
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

    fn index(&self, cell: Cell) -> usize {
        cell.row as usize * self.cols as usize + cell.col as usize
    }
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
