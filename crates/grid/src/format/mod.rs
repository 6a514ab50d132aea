//! Map files: how they are recognised, read and written.

mod octile;
mod sea;
mod terrain;

use std::{fmt, num::NonZeroU64, str::FromStr};

use crate::{Cell, Diagonal, Ground, SizeError, Terrain};

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
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Sea, Self::Terrain, Self::Octile];

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

    /// Reads a map. `costs` are what symbols cost that the format knows no cost for, or another than it knows; there need
    /// be none.
    ///
    /// ```
    /// use pintu_grid::{Cell, Format, Ground, SymbolCost};
    ///
    /// let forest: SymbolCost = "f=25".parse()?;
    /// let terrain = Format::Terrain.read("S.f\n.fG\n", &[forest])?;
    /// assert_eq!(terrain.ground(Cell::new(0, 2)), Ground::land(25));
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

    /// The most bytes that a text's map can take, as far as its symbols tell: so much is enough to read it.
    pub fn most_bytes(self, text: &str) -> u64 {
        let goals = self.goal().map_or(0, |goal| text.bytes().filter(|&byte| byte == goal).count());
        // A list that grows has room for twice as many.
        (size_of::<[Ground; 256]>() + text.len() + 2 * goals.max(4) * size_of::<Cell>()) as u64
    }

    /// The symbol for goals, if it has one.
    const fn goal(self) -> Option<u8> {
        match self {
            Self::Sea => Some(sea::GOAL),
            Self::Terrain => Some(terrain::GOAL),
            Self::Octile => None,
        }
    }

    /// The symbols of a line, a byte each. What is not ASCII becomes one that no format knows and nobody can name.
    fn symbols(self, line: &str) -> impl Iterator<Item = u8> {
        const UNKNOWN: u8 = 0x80;
        self.characters(line).map(|symbol| if symbol.is_ascii() { symbol as u8 } else { UNKNOWN })
    }

    /// What stands in the cells of a line.
    fn characters(self, line: &str) -> impl Iterator<Item = char> {
        // Only the sea has spaces between its cells.
        line.chars().filter(move |symbol| self != Self::Sea || !symbol.is_whitespace())
    }

    pub(crate) fn legend(self) -> [Ground; 256] {
        match self {
            Self::Sea => sea::legend(),
            Self::Terrain => terrain::legend(),
            Self::Octile => octile::legend(),
        }
    }

    /// Whether a symbol may stand on a map of this format with that legend.
    pub(crate) fn knows(self, symbol: u8, legend: &[Ground; 256]) -> bool {
        legend[usize::from(symbol)] != Ground::Blocked || self.obstacles().contains(&symbol)
    }

    fn obstacles(self) -> &'static [u8] {
        match self {
            Self::Sea => b"2",
            Self::Terrain => b"#",
            Self::Octile => b"@OT",
        }
    }

    /// Whether a symbol says where to go rather than what is there.
    pub(crate) fn is_place(self, symbol: u8) -> bool {
        match self {
            Self::Sea => matches!(symbol, sea::START | sea::GOAL),
            Self::Terrain => matches!(symbol, terrain::START | terrain::GOAL),
            Self::Octile => false,
        }
    }

    /// What may stand in a map, for messages.
    pub(crate) fn expected(self) -> &'static str {
        match self {
            Self::Sea => "0 (sea), 1 (start), 2 (island), 3 (enemy), 4 (goal) or a digit that was given a cost",
            Self::Terrain => "# (blocked), . (cost 1), 1 to 9 (their cost), S (start) or G (goal)",
            Self::Octile => ". or G (open), S (swamp), W (water), @, O or T (blocked)",
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Sea => "sea",
            Self::Terrain => "terrain",
            Self::Octile => "octile",
        }
    }

    /// What stands between two cells of a row.
    pub(crate) const fn separator(self) -> &'static str {
        match self {
            Self::Sea => " ",
            Self::Terrain | Self::Octile => "",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Terrain {
    type Err = FormatError;

    /// Reads a map in the format that its first line shows.
    fn from_str(text: &str) -> Result<Self, FormatError> {
        Format::recognise(text).read(text, &[])
    }
}

impl fmt::Display for Terrain {
    /// The map as a file of its format.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.format {
            Format::Sea => writeln!(f, "{} {}", self.rows(), self.cols())?,
            Format::Octile => writeln!(f, "type octile\nheight {}\nwidth {}\nmap", self.rows(), self.cols())?,
            Format::Terrain => {}
        }
        f.write_str(&crate::draw(self, &[]))
    }
}

/// What a symbol costs, where the file does not say so. As a text: `3=20`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymbolCost {
    /// The symbol.
    pub symbol: char,
    /// What it costs to enter a cell with it.
    pub cost: NonZeroU64,
}

impl FromStr for SymbolCost {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Self, FormatError> {
        let no_pair = || FormatError::NoCostOfSymbol { found: text.to_owned() };
        let (symbol, cost) = text.split_once('=').ok_or_else(no_pair)?;
        let (&[symbol], cost) = (symbol.trim().as_bytes(), cost.trim()) else { return Err(no_pair()) };
        let symbol = char::from(symbol);
        let bad = |_| FormatError::BadCost { symbol, found: cost.to_owned() };
        Ok(Self { symbol, cost: cost.parse().map_err(bad)? })
    }
}

/// What is wrong with a map file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// Not a symbol and its cost.
    #[error("found `{found}`, expected SYMBOL=COST, one ASCII symbol and what it costs, as in 3=20")]
    NoCostOfSymbol {
        /// What was given.
        found: String,
    },
    /// A cost that is not one.
    #[error(
        "found the cost `{found}` for `{symbol}`, expected a whole number from 1 to {}{}",
        u64::MAX,
        circles(found)
    )]
    BadCost {
        /// The symbol.
        symbol: char,
        /// What was given.
        found: String,
    },
    /// A cost for a symbol that can have none.
    #[error("found a cost for `{symbol}`, which {reason}")]
    NoCost {
        /// The symbol.
        symbol: char,
        /// Why it cannot have one.
        reason: &'static str,
    },
    /// The lines before the map.
    #[error("line {line}: found `{found}`, expected {expected}")]
    Header {
        /// The line, from 1.
        line: usize,
        /// What stands there.
        found: String,
        /// What should.
        expected: String,
    },
    /// A symbol that the format does not know.
    #[error("line {line}, column {column}: found `{found}`, expected {expected}")]
    Symbol {
        /// The line, from 1.
        line: usize,
        /// The column of the map, from 1.
        column: usize,
        /// What stands there.
        found: char,
        /// What may.
        expected: &'static str,
    },
    /// A row that is shorter or longer than the others.
    #[error("line {line}: found a row of {found} cells, expected {expected}")]
    Ragged {
        /// The line, from 1.
        line: usize,
        /// Its cells.
        found: usize,
        /// The cells of a row.
        expected: usize,
    },
    /// Too few or too many rows.
    #[error("found {found} rows, expected {expected}")]
    Rows {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A second start.
    #[error("found a second start at {second} (row,column from 0), expected one; the first is at {first}")]
    TwoStarts {
        /// The first start.
        first: Cell,
        /// The second.
        second: Cell,
    },
    /// Too small or too large.
    #[error(transparent)]
    Size(#[from] SizeError),
}

/// Why a cost that is a number, but zero or less, is none.
fn circles(cost: &str) -> &'static str {
    let is_too_small = cost.parse::<i128>().is_ok_and(|cost| cost <= 0);
    if is_too_small { ": walking in circles would be free, or pay" } else { "" }
}

/// Turns lines into a map: all of one length, all symbols known. What is `promised` are the rows and columns that the file
/// says it has.
///
/// The lines are gone over several times, so that nothing is held but the map.
fn assemble<'t>(
    format: Format,
    lines: impl Iterator<Item = (usize, &'t str)> + Clone,
    promised: Option<[usize; 2]>,
    costs: &[SymbolCost],
) -> Result<Terrain, FormatError> {
    let mut legend = Box::new(format.legend());
    for cost in costs.iter().filter(|cost| cost.symbol.is_ascii()) {
        legend[cost.symbol as usize] = Ground::Land(cost.cost);
    }
    let first = lines.clone().next().map_or(0, |(_, line)| format.symbols(line).count());
    let (rows, cols) = (lines.clone().count(), promised.map_or(first, |[_, cols]| cols));
    let ragged = |(line, text): (usize, &str)| {
        let found = format.symbols(text).count();
        (found != cols).then_some(FormatError::Ragged { line, found, expected: cols })
    };
    if let Some([expected, _]) = promised {
        lines.clone().find_map(ragged).map_or(Ok(()), Err)?;
        if rows != expected {
            return Err(FormatError::Rows { found: rows, expected });
        }
    }
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let mut symbols = Vec::with_capacity(crate::terrain::checked_cells(count(rows), count(cols))?);
    for (line, text) in lines {
        ragged((line, text)).map_or(Ok(()), Err)?;
        let before = symbols.len();
        symbols.extend(format.symbols(text));
        if let Some(at) = symbols[before..].iter().position(|&symbol| !format.knows(symbol, &legend)) {
            let found = format.characters(text).nth(at).unwrap_or_default();
            return Err(FormatError::Symbol { line, column: at + 1, found, expected: format.expected() });
        }
    }
    Ok(Terrain::of(format, [count(rows), count(cols)], symbols, legend))
}

/// Notes where the start and the goals stand.
fn mark(terrain: &mut Terrain, start: u8, goal: u8) -> Result<(), FormatError> {
    for row in 0..terrain.rows() {
        for col in 0..terrain.cols() {
            let symbol = terrain.row(row)[col as usize];
            let cell = Cell::new(row, col);
            if symbol == goal {
                terrain.goals.push(cell);
            } else if symbol == start {
                if let Some(first) = terrain.start {
                    return Err(FormatError::TwoStarts { first, second: cell });
                }
                terrain.start = Some(cell);
            }
        }
    }
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
