//! Rows of `#`, `.`, `1` to `9`, `S` and `G`.

use super::{Format, FormatError, SymbolCost, Syntax, assemble, numbered};
use crate::{Terrain, TerrainKind};

pub(super) const SYNTAX: Syntax = Syntax {
    symbols: &[
        ("#", TerrainKind::Blocked),
        (".SG1", TerrainKind::OPEN),
        ("2", TerrainKind::land(2)),
        ("3", TerrainKind::land(3)),
        ("4", TerrainKind::land(4)),
        ("5", TerrainKind::land(5)),
        ("6", TerrainKind::land(6)),
        ("7", TerrainKind::land(7)),
        ("8", TerrainKind::land(8)),
        ("9", TerrainKind::land(9)),
    ],
    ends: Some([b'S', b'G']),
    expected: "# (blocked), . (cost 1), 1 to 9 (their cost), S (start) or G (goal)",
    separator: "",
};

pub(super) fn read(text: &str, costs: &[SymbolCost]) -> Result<Terrain, FormatError> {
    for &SymbolCost { symbol, .. } in costs {
        if symbol == '#' {
            return Err(FormatError::no_cost(symbol, "is blocked in a terrain map"));
        }
        if !symbol.is_ascii_graphic() {
            return Err(FormatError::no_cost(symbol, "is not a symbol that a terrain map can have"));
        }
    }
    assemble(Format::Terrain, numbered(text), None, costs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cell;

    #[test]
    fn reads_what_it_writes() {
        let text = "S.#\n9.G\n";
        let terrain = read(text, &[]).unwrap();
        assert_eq!(terrain.to_string(), text);
        assert_eq!(terrain.kind(Cell::new(1, 0)), TerrainKind::land(9));
        assert_eq!(terrain.kind(Cell::new(2, 0)), TerrainKind::Blocked);
        assert_eq!((terrain.start, terrain.goals.as_slice()), (Some(Cell::new(0, 0)), [Cell::new(1, 2)].as_slice()));
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        let message = |text: &str| read(text, &[]).unwrap_err().to_string();
        assert!(message("").contains("found a map of 0 rows"));
        assert!(message("..\n.").starts_with("line 2: found a row of 1 cells, expected 2"));
        assert!(message("..\n.x").starts_with("line 2, column 2: found `x`, expected #"));
        assert!(message("..\n.é").starts_with("line 2, column 2: found `é`, expected #"));
        assert!(message("..\n拼.").contains("column 1: found `拼`"));
        let priced = read(".?\n.é", &["?=5".parse().unwrap()]).unwrap_err().to_string();
        assert!(priced.contains("line 2, column 2: found `é`"), "it is no `?`, whatever that costs: {priced}");
        assert!(message("0").contains("found `0`"));
    }
}
