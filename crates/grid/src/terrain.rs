use std::{collections::HashMap, num::NonZeroU64};

use crate::{Cell, Format, MAX_COST};

/// The kind of terrain that a symbol on a map means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TerrainKind {
    /// It cannot be entered.
    Blocked,
    /// Land, with the cost of entering it.
    Land(NonZeroU64),
    /// Water, with the cost of entering it: paths lead across it, but not from land to water or back.
    Water(NonZeroU64),
}

impl TerrainKind {
    /// Land that costs 1.
    pub const OPEN: Self = Self::Land(NonZeroU64::MIN);

    /// Land with the cost of entering it. (Where the cost may be 0: `NonZeroU64::new(cost).map(TerrainKind::Land)`.)
    ///
    /// # Panics
    /// If the cost is 0, because cycles would be free.
    pub const fn land(cost: u64) -> Self {
        Self::Land(positive(cost))
    }

    /// Water with the cost of entering it.
    ///
    /// # Panics
    /// If the cost is 0.
    pub const fn water(cost: u64) -> Self {
        Self::Water(positive(cost))
    }

    /// The cost of entering it, unless it is blocked.
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

/// The contents of a map file: rows of symbols, their meanings, and the ends of a path.
///
/// It is read from a text (`str::parse`, or [`Format::read`] to name the format or give costs), or made from other data
/// by [`from_fn`](Self::from_fn). A [`Map`](crate::Map) is then prepared from it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Terrain {
    pub(crate) format: Format,
    rows: u32,
    cols: u32,
    symbols: Symbols,
    /// The meaning of each byte; behind them the kinds that have no symbol.
    legend: Vec<TerrainKind>,
    /// The start of a path, if the map has one.
    pub start: Option<Cell>,
    /// The goals of a path, if the map has any; a path leads to the nearest.
    pub goals: Vec<Cell>,
}

/// The index of each cell's kind in the legend.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Symbols {
    /// On maps that are read from a text: ASCII symbols.
    Text(Vec<u8>),
    Made(Vec<u32>),
}

/// The greatest number of rows or columns of a map.
pub(crate) const MAX_SIDE: u32 = 1 << 16;
const MAX_CELLS: u64 = 1 << 28;

impl Terrain {
    /// A map of open land.
    pub fn open(rows: u32, cols: u32) -> Result<Self, TerrainError> {
        Self::from_fn(rows, cols, |_| TerrainKind::OPEN)
    }

    /// A map from data of any kind: `kind` is called for every cell, row by row.
    ///
    /// ```
    /// use pintu_grid::{Cell, Diagonal, Map, Terrain, TerrainKind};
    ///
    /// let heights = [[0, 0, 9], [7, 1, 0]];
    /// let terrain = Terrain::from_fn(2, 3, |Cell { row, col }| match heights[row as usize][col as usize] {
    ///     9 => TerrainKind::Blocked,
    ///     height => TerrainKind::land(1 + height),
    /// })?;
    /// assert_eq!(terrain.to_string(), "..#\n82.\n");
    /// let (_, cost) = Map::new(&terrain, Diagonal::Never).path((0, 0), (1, 2))?.expect("a path across the hill");
    /// assert_eq!(cost.whole(), Some(1 + 2 + 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// A kind that the terrain format has no symbol for is drawn as `?`: such a map can be searched and
    /// [drawn](crate::draw), but the drawing does not tell the costs.
    ///
    /// # Errors
    /// A size that is not allowed, or a cost above [`MAX_COST`].
    pub fn from_fn(rows: u32, cols: u32, mut kind: impl FnMut(Cell) -> TerrainKind) -> Result<Self, TerrainError> {
        let mut symbols = Vec::with_capacity(checked_cells(rows, cols)?);
        let known_symbols = Format::Terrain.legend();
        let mut legend = to_kinds(&known_symbols);
        let mut indices = HashMap::new();
        for cell in (0..rows).flat_map(|row| (0..cols).map(move |col| Cell::new(row, col))) {
            let kind = kind(cell);
            if let Some(cost) = kind.cost().map(NonZeroU64::get).filter(|&cost| cost > MAX_COST) {
                return Err(TerrainError::Cost { cost });
            }
            symbols.push(*indices.entry(kind).or_insert_with(|| {
                // The symbols for terrain come before those for start and goal.
                known_symbols[..b'A'.into()].iter().position(|&known| known == Some(kind)).unwrap_or_else(|| {
                    legend.push(kind);
                    legend.len() - 1
                }) as u32
            }));
        }
        let symbols = Symbols::Made(symbols);
        Ok(Self { format: Format::Terrain, rows, cols, symbols, legend, start: None, goals: Vec::new() })
    }

    /// `symbols` must be rows × columns, and the size checked.
    pub(crate) fn of(format: Format, [rows, cols]: [u32; 2], symbols: Vec<u8>, legend: &Legend) -> Self {
        let (symbols, legend) = (Symbols::Text(symbols), to_kinds(legend));
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

    /// The symbol at a cell of the map, as it stands in the file; `?` for a kind that has none.
    pub(crate) fn symbol(&self, cell: Cell) -> char {
        u8::try_from(self.kind_index(cell)).map_or('?', char::from)
    }

    /// The kind of terrain at a cell; beyond the map's edges everything is blocked.
    pub fn kind(&self, cell: Cell) -> TerrainKind {
        if self.contains(cell) { self.legend[self.kind_index(cell)] } else { TerrainKind::Blocked }
    }

    fn kind_index(&self, cell: Cell) -> usize {
        let at = cell.row as usize * self.cols as usize + cell.col as usize;
        match &self.symbols {
            Symbols::Text(symbols) => symbols[at].into(),
            Symbols::Made(kinds) => kinds[at] as usize,
        }
    }

    /// The bytes that it holds.
    pub fn bytes(&self) -> usize {
        let symbols = match &self.symbols {
            Symbols::Text(symbols) => symbols.capacity(),
            Symbols::Made(kinds) => kinds.capacity() * size_of::<u32>(),
        };
        self.legend.capacity() * size_of::<TerrainKind>() + symbols + self.goals.capacity() * size_of::<Cell>()
    }

    /// Shows the columns of one row, with their kinds as indices in the legend.
    #[inline]
    pub(crate) fn each_of_row(&self, row: u32, mut see: impl FnMut(usize, usize)) {
        let (first, cols) = (row as usize * self.cols as usize, self.cols as usize);
        match &self.symbols {
            Symbols::Text(symbols) => {
                (0..).zip(&symbols[first..][..cols]).for_each(|(col, &kind)| see(col, kind.into()));
            }
            Symbols::Made(kinds) => (0..).zip(&kinds[first..][..cols]).for_each(|(col, &kind)| see(col, kind as usize)),
        }
    }

    pub(crate) fn legend(&self) -> &[TerrainKind] {
        &self.legend
    }
}

/// The meaning of each byte, if it is a symbol.
pub(crate) type Legend = [Option<TerrainKind>; 256];

fn to_kinds(legend: &Legend) -> Vec<TerrainKind> {
    legend.iter().map(|kind| kind.unwrap_or(TerrainKind::Blocked)).collect()
}

/// Why a map cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what each means")]
pub enum TerrainError {
    #[error(
        "found a map of {rows} rows and {cols} columns, expected 1 to {MAX_SIDE} of each and at most {MAX_CELLS} cells"
    )]
    Size { rows: u32, cols: u32 },
    #[error("found a cell that costs {cost}, expected at most {MAX_COST}")]
    Cost { cost: u64 },
}

/// The number of cells of a map of that size.
pub(crate) fn checked_cells(rows: u32, cols: u32) -> Result<usize, TerrainError> {
    let cells = u64::from(rows) * u64::from(cols);
    if cells == 0 || cells > MAX_CELLS || rows > MAX_SIDE || cols > MAX_SIDE {
        return Err(TerrainError::Size { rows, cols });
    }
    Ok(cells as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_apart_however_many_there_are() {
        for (rows, cols) in [(2, 116), (2, 130), (300, 220)] {
            let kind = |Cell { row, col }: Cell| match u64::from(row * cols + col) {
                0 => TerrainKind::Blocked,
                cost if row == 1 => TerrainKind::water(cost),
                cost => TerrainKind::land(cost),
            };
            let terrain = Terrain::from_fn(rows, cols, kind).unwrap();
            for cell in (0..rows).flat_map(|row| (0..cols).map(move |col| Cell::new(row, col))) {
                assert_eq!(terrain.kind(cell), kind(cell), "{cell}");
            }
            assert_eq!(terrain.to_string().lines().count(), rows as usize);
        }
    }

    #[test]
    fn what_does_not_belong_on_a_map_is_refused_with_a_reason() {
        let says = |size, kind| Terrain::from_fn(size, size, |_| kind).unwrap_err().to_string();
        let expected = "found a cell that costs 9007199254740993, expected at most 9007199254740992";
        assert_eq!(says(1, TerrainKind::land(MAX_COST + 1)), expected);
        assert!(says(0, TerrainKind::OPEN).starts_with("found a map of 0 rows and 0 columns, expected 1 to 65536"));
        let dearest = Terrain::from_fn(1, 2, |cell| TerrainKind::land(if cell.col == 0 { MAX_COST } else { 9 }));
        assert_eq!(dearest.unwrap().to_string(), "?9\n");
    }
}
