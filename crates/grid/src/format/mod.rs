//! Map files: how they are recognised, read and written.

mod octile;
mod sea;
mod terrain;

use std::{fmt, num::NonZeroU64, str::FromStr};

use crate::{
    Cell, Diagonal, MAX_COST, Terrain, TerrainError, TerrainKind,
    terrain::{Legend, checked_cells},
};

/// The formats of map files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// `rows cols`, then digits: `0` sea, `1` start, `2` island, `3` enemy, `4` goal.
    Sea,
    /// Rows of `#`, `.`, `1` to `9`, `S` and `G`.
    Terrain,
    /// The `.map` files of the `MovingAI` benchmarks.
    Octile,
}

impl Format {
    /// The format of a text, by its first line.
    pub fn recognise(text: &str) -> Self {
        let first = without_mark(text).lines().find(|line| !line.trim().is_empty()).unwrap_or("");
        let words: Vec<&str> = first.split_whitespace().collect();
        match words.as_slice() {
            ["type", ..] => Self::Octile,
            [rows, cols] if rows.parse::<u32>().is_ok() && cols.parse::<u32>().is_ok() => Self::Sea,
            _ => Self::Terrain,
        }
    }

    /// The corner rule that belongs to the format.
    pub fn diagonal(self) -> Diagonal {
        match self {
            Self::Octile => Diagonal::NoCorners,
            Self::Sea | Self::Terrain => Diagonal::Never,
        }
    }

    /// Reads a map. `costs` are the costs of symbols for which the format knows none, or another one; they may be
    /// empty.
    ///
    /// ```
    /// use pintu_grid::{Cell, Format, SymbolCost, TerrainKind};
    ///
    /// let forest: SymbolCost = "f=25".parse()?;
    /// let terrain = Format::Terrain.read("S.f\n.fG\n", &[forest])?;
    /// assert_eq!(terrain.kind(Cell::new(0, 2)), TerrainKind::land(25));
    /// # Ok::<(), pintu_grid::FormatError>(())
    /// ```
    pub fn read(self, text: &str, costs: &[SymbolCost]) -> Result<Terrain, FormatError> {
        let text = without_mark(text);
        match self {
            Self::Sea => sea::read(text, costs),
            Self::Terrain => terrain::read(text, costs),
            Self::Octile => octile::read(text, costs),
        }
    }

    /// An upper bound of the bytes that reading a text's map takes.
    pub fn most_bytes(self, text: &str) -> u64 {
        let goals = self.syntax().ends.map_or(0, |[_, goal]| text.bytes().filter(|&byte| byte == goal).count());
        // A list that grows has room for twice as many.
        (size_of::<[TerrainKind; 256]>() + text.len() + 2 * goals.max(4) * size_of::<Cell>()) as u64
    }

    pub(crate) fn syntax(self) -> &'static Syntax {
        match self {
            Self::Sea => &sea::SYNTAX,
            Self::Terrain => &terrain::SYNTAX,
            Self::Octile => &octile::SYNTAX,
        }
    }

    pub(crate) fn legend(self) -> Legend {
        let mut legend = [None; 256];
        for &(symbols, kind) in self.syntax().symbols {
            symbols.bytes().for_each(|symbol| legend[usize::from(symbol)] = Some(kind));
        }
        legend
    }

    /// The symbols of a line, a byte each. A symbol that is not ASCII becomes one that no format knows and no option can name.
    fn symbols(self, line: &str) -> impl Iterator<Item = u8> {
        const UNKNOWN: u8 = 0x80;
        self.characters(line).map(|symbol| if symbol.is_ascii() { symbol as u8 } else { UNKNOWN })
    }

    fn characters(self, line: &str) -> impl Iterator<Item = char> {
        // Only the sea has spaces between its cells.
        line.chars().filter(move |symbol| self != Self::Sea || !symbol.is_whitespace())
    }
}

pub(crate) struct Syntax {
    /// The symbols and their kinds of terrain.
    symbols: &'static [(&'static str, TerrainKind)],
    /// The symbols for the start and for goals, if it has any.
    ends: Option<[u8; 2]>,
    /// The symbols of a map, for messages.
    expected: &'static str,
    /// The separator between two cells of a row.
    pub(crate) separator: &'static str,
}

impl FromStr for Terrain {
    type Err = FormatError;

    /// Reads a map in the format that its first line shows.
    fn from_str(text: &str) -> Result<Self, FormatError> {
        Format::recognise(text).read(text, &[])
    }
}

impl fmt::Display for Terrain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.format {
            Format::Sea => writeln!(f, "{} {}", self.rows(), self.cols())?,
            Format::Octile => writeln!(f, "type octile\nheight {}\nwidth {}\nmap", self.rows(), self.cols())?,
            Format::Terrain => {}
        }
        f.write_str(&crate::draw(self, &[]))
    }
}

/// The cost of a symbol, where the file does not give it: read from a text such as `3=20`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymbolCost {
    /// The symbol.
    pub symbol: char,
    cost: NonZeroU64,
}

impl FromStr for SymbolCost {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Self, FormatError> {
        let no_pair = || {
            let expected = "SYMBOL=COST, one ASCII symbol and what it costs, as in 3=20";
            FormatError::whole(format_args!("found `{text}`, expected {expected}"))
        };
        let (symbol, cost) = text.split_once('=').ok_or_else(no_pair)?;
        let (&[symbol], cost) = (symbol.trim().as_bytes(), cost.trim()) else { return Err(no_pair()) };
        let symbol = char::from(symbol);
        let number = cost.parse().ok().filter(|cost: &NonZeroU64| cost.get() <= MAX_COST);
        number.map(|cost| Self { symbol, cost }).ok_or_else(|| FormatError::bad_cost(symbol, cost))
    }
}

/// An error in the text of a map, a graph, scenarios or a cost: what was found, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FormatError {
    /// The line that is wrong, from 1, if it is one line.
    pub line: Option<usize>,
    message: String,
}

impl FormatError {
    pub(crate) fn at(line: usize, message: impl fmt::Display) -> Self {
        Self { line: Some(line), message: format!("line {line}: {message}") }
    }

    pub(crate) fn whole(message: impl fmt::Display) -> Self {
        Self { line: None, message: message.to_string() }
    }

    fn bad_cost(symbol: char, found: &str) -> Self {
        let circles = circles(found);
        Self::whole(format_args!(
            "found the cost `{found}` for `{symbol}`, expected a whole number from 1 to {MAX_COST}{circles}"
        ))
    }

    fn no_cost(symbol: char, reason: &str) -> Self {
        Self::whole(format_args!("found a cost for `{symbol}`, which {reason}"))
    }
}

impl From<TerrainError> for FormatError {
    fn from(error: TerrainError) -> Self {
        Self::whole(error)
    }
}

/// Why a number that is zero or less is no cost.
fn circles(cost: &str) -> &'static str {
    let is_too_small = cost.parse::<i128>().is_ok_and(|cost| cost <= 0);
    if is_too_small { ": walking in circles would be free, or pay" } else { "" }
}

/// Turns lines into a map: all of one length, all symbols known. `promised` are the rows and columns that the file says
/// it has.
///
/// The lines are read several times, so that only the map is held.
fn assemble<'t>(
    format: Format,
    lines: impl Iterator<Item = (usize, &'t str)> + Clone,
    promised: Option<[usize; 2]>,
    costs: &[SymbolCost],
) -> Result<Terrain, FormatError> {
    let mut legend = format.legend();
    for &SymbolCost { symbol, cost } in costs {
        legend[symbol as usize] = Some(TerrainKind::Land(cost));
    }
    let first = lines.clone().next().map_or(0, |(_, line)| format.symbols(line).count());
    let (rows, cols) = (lines.clone().count(), promised.map_or(first, |[_, cols]| cols));
    let ragged = |(line, text): (usize, &str)| {
        let found = format.symbols(text).count();
        (found != cols).then(|| FormatError::at(line, format_args!("found a row of {found} cells, expected {cols}")))
    };
    // Before the cells are asked for: there are no more of them than bytes in the text.
    lines.clone().find_map(ragged).map_or(Ok(()), Err)?;
    if let Some([expected, _]) = promised.filter(|&[expected, _]| rows != expected) {
        return Err(FormatError::whole(format_args!("found {rows} rows, expected {expected}")));
    }
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let mut symbols = Vec::with_capacity(checked_cells(count(rows), count(cols))?);
    for (line, text) in lines {
        let before = symbols.len();
        symbols.extend(format.symbols(text));
        if let Some(at) = symbols[before..].iter().position(|&symbol| legend[usize::from(symbol)].is_none()) {
            let found = format.characters(text).nth(at).unwrap_or_default();
            let (column, expected) = (at + 1, format.syntax().expected);
            let message = format!("line {line}, column {column}: found `{found}`, expected {expected}");
            return Err(FormatError { line: Some(line), message });
        }
    }
    let mut terrain = Terrain::of(format, [count(rows), count(cols)], symbols, &legend);
    format.syntax().ends.map_or(Ok(()), |ends| mark(&mut terrain, ends))?;
    Ok(terrain)
}

/// Notes where the start and the goals stand.
fn mark(terrain: &mut Terrain, [start, goal]: [u8; 2]) -> Result<(), FormatError> {
    let (mut starts, mut goals) = (Vec::new(), Vec::new());
    for row in 0..terrain.rows() {
        terrain.each_of_row(row, |col, symbol| {
            if symbol == usize::from(goal) {
                goals.push(Cell::new(row, col as u32));
            } else if symbol == usize::from(start) && starts.len() < 2 {
                starts.push(Cell::new(row, col as u32));
            }
        });
    }
    if let &[first, second] = starts.as_slice() {
        return Err(FormatError::whole(format_args!(
            "found a second start at {second} (row,column from 0), expected one; the first is at {first}"
        )));
    }
    (terrain.start, terrain.goals) = (starts.first().copied(), goals);
    Ok(())
}

/// A text without the byte-order mark that some editors put before it.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The lines of a text with their numbers, without blank ones at the end.
fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    text.trim_end().lines().enumerate().map(|(index, line)| (index + 1, line.trim_end()))
}
