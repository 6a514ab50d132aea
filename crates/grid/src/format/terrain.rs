//! Rows of `#`, `.`, `1` to `9`, `S` and `G`.

use super::{Format, FormatError, SymbolCost, assemble, mark, numbered};
use crate::{Ground, Terrain};

pub(super) const START: u8 = b'S';
pub(super) const GOAL: u8 = b'G';

pub(super) fn legend() -> [Ground; 256] {
    let mut legend = [Ground::Blocked; 256];
    for symbol in [b'.', START, GOAL] {
        legend[usize::from(symbol)] = Ground::OPEN;
    }
    for digit in 1..=9_u8 {
        legend[usize::from(b'0' + digit)] = Ground::land(digit.into());
    }
    legend
}

pub(super) fn read(text: &str, costs: &[SymbolCost]) -> Result<Terrain, FormatError> {
    for &SymbolCost { symbol, .. } in costs {
        if symbol == '#' {
            return Err(FormatError::NoCost { symbol, reason: "is blocked in a terrain map" });
        }
        if !symbol.is_ascii_graphic() {
            return Err(FormatError::NoCost { symbol, reason: "is not a symbol that a terrain map can have" });
        }
    }
    let mut terrain = assemble(Format::Terrain, numbered(text), None, costs)?;
    mark(&mut terrain, START, GOAL)?;
    Ok(terrain)
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
        assert_eq!(terrain.ground(Cell::new(1, 0)), Ground::land(9));
        assert_eq!(terrain.ground(Cell::new(2, 0)), Ground::Blocked);
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
