//! The `.map` files of the `MovingAI` benchmarks.

use super::{Format, FormatError, SymbolCost, Syntax, assemble, numbered};
use crate::{Terrain, TerrainKind};

pub(super) const SYNTAX: Syntax = Syntax {
    // Swamp is land. Water is separate: paths lead across it, but not onto it from land.
    symbols: &[(".GS", TerrainKind::OPEN), ("W", TerrainKind::water(1)), ("@OT", TerrainKind::Blocked)],
    ends: None,
    expected: ". or G (open), S (swamp), W (water), @, O or T (blocked)",
    separator: "",
};

pub(super) fn read(text: &str, costs: &[SymbolCost]) -> Result<Terrain, FormatError> {
    if let Some(cost) = costs.iter().find(|cost| !matches!(cost.symbol, '.' | 'G' | 'S')) {
        return Err(FormatError::no_cost(cost.symbol, "is not one of the symbols . G S that can have one here"));
    }
    let mut lines = numbered(text);
    expect(&mut lines, &["type", "octile"])?;
    let height = dimension(&mut lines, "height")?;
    let width = dimension(&mut lines, "width")?;
    expect(&mut lines, &["map"])?;
    assemble(Format::Octile, lines, Some([height, width]), costs)
}

fn expect<'a>(lines: &mut impl Iterator<Item = (usize, &'a str)>, words: &[&str]) -> Result<(), FormatError> {
    let (line, found) = lines.next().unwrap_or((0, ""));
    if found.split_whitespace().eq(words.iter().copied()) {
        return Ok(());
    }
    Err(FormatError::at(line, format_args!("found `{found}`, expected `{}`", words.join(" "))))
}

fn dimension<'a>(lines: &mut impl Iterator<Item = (usize, &'a str)>, name: &str) -> Result<usize, FormatError> {
    let (line, found) = lines.next().unwrap_or((0, ""));
    let words: Vec<&str> = found.split_whitespace().collect();
    let number = match words.as_slice() {
        [word, number] if *word == name => number.parse().ok(),
        _ => None,
    };
    number.ok_or_else(|| FormatError::at(line, format_args!("found `{found}`, expected `{name}` and a number")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cell;

    const MAP: &str = "type octile\nheight 2\nwidth 3\nmap\n.G@\nSWT\n";

    #[test]
    fn reads_what_it_writes() {
        let map = read(MAP, &[]).unwrap();
        assert_eq!(map.to_string(), MAP);
        assert_eq!(map.kind(Cell::new(1, 0)), TerrainKind::OPEN);
        assert_eq!(map.kind(Cell::new(0, 2)), TerrainKind::Blocked);
        assert!(matches!(map.kind(Cell::new(1, 1)), TerrainKind::Water(_)));
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        let message = |text: &str| read(text, &[]).unwrap_err().to_string();
        assert!(message("type hex\n").starts_with("line 1: found `type hex`, expected `type octile`"));
        assert!(message("type octile\nwidth 3").starts_with("line 2: found `width 3`, expected `height` and a number"));
        assert!(message(&MAP.replace("SWT", "SW")).starts_with("line 6: found a row of 2 cells, expected 3"));
        assert!(message(&MAP.replace("height 2", "height 3")).starts_with("found 2 rows, expected 3"));
        assert!(message(&MAP.replace('S', "x")).starts_with("line 6, column 1: found `x`"));
    }
}
