//! The sea: `rows cols`, then digits.

use super::{Format, FormatError, SymbolCost, Syntax, assemble, numbered};
use crate::{Terrain, TerrainKind};

pub(super) const SYNTAX: Syntax = Syntax {
    // An enemy costs 20, unless another cost is given.
    symbols: &[("014", TerrainKind::OPEN), ("2", TerrainKind::Blocked), ("3", TerrainKind::land(20))],
    ends: Some([b'1', b'4']),
    expected: "0 (sea), 1 (start), 2 (island), 3 (enemy), 4 (goal) or a digit that was given a cost",
    separator: " ",
};

pub(super) fn read(text: &str, costs: &[SymbolCost]) -> Result<Terrain, FormatError> {
    check_costs(costs)?;
    let mut lines = numbered(text).filter(|(_, line)| !line.trim().is_empty());
    let (line, header) = lines.next().unwrap_or((1, ""));
    let expected = "the numbers of rows and columns";
    let size =
        size(header).ok_or_else(|| FormatError::at(line, format_args!("found `{header}`, expected {expected}")))?;
    assemble(Format::Sea, lines, Some(size), costs)
}

fn size(header: &str) -> Option<[usize; 2]> {
    let numbers: Option<Vec<usize>> = header.split_whitespace().map(|word| word.parse().ok()).collect();
    numbers?.try_into().ok()
}

fn check_costs(costs: &[SymbolCost]) -> Result<(), FormatError> {
    for &SymbolCost { symbol, .. } in costs {
        if symbol == '2' {
            return Err(FormatError::no_cost(symbol, "is an island: it cannot be entered at any cost"));
        }
        if !symbol.is_ascii_digit() {
            return Err(FormatError::no_cost(symbol, "is not a digit, and sea maps have nothing else"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cell;

    #[test]
    fn reads_with_and_without_spaces() {
        let spaced = read("2 3\n1 0 3\n2 0 4\n", &[]).unwrap();
        assert_eq!(spaced, read("2 3\r\n103\r\n204", &[]).unwrap());
        assert_eq!((spaced.start, spaced.goals.as_slice()), (Some(Cell::new(0, 0)), [Cell::new(1, 2)].as_slice()));
        assert_eq!(spaced.kind(Cell::new(0, 2)), TerrainKind::land(20));
        assert_eq!(spaced.kind(Cell::new(1, 0)), TerrainKind::Blocked);
        assert_eq!(spaced.to_string(), "2 3\n1 0 3\n2 0 4\n");
    }

    #[test]
    fn costs_can_be_given() {
        let costs = ["3=7".parse().unwrap(), "5=2".parse().unwrap()];
        let sea = read("1 4\n1354", &costs).unwrap();
        assert_eq!(sea.kind(Cell::new(0, 1)), TerrainKind::land(7));
        assert_eq!(sea.kind(Cell::new(0, 2)), TerrainKind::land(2));
        for bad in ["3=0", "3=-4", "3", "=4", "3=9007199254740993", "3=18446744073709551616", "33=1"] {
            assert!(bad.parse::<SymbolCost>().is_err(), "{bad}");
        }
        assert!(Format::Sea.read("1 1\n0", &["3=9007199254740992".parse().unwrap()]).is_ok());
        let refused = |cost: SymbolCost| Format::Sea.read("1 1\n0", &[cost]).unwrap_err().to_string();
        assert!(refused("2=5".parse().unwrap()).starts_with("found a cost for `2`, which is an island"));
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        let message = |text: &str| read(text, &[]).unwrap_err().to_string();
        assert!(message("").starts_with("line 1: found ``, expected the numbers of rows"));
        assert!(message("2 2\n00\n0").starts_with("line 3: found a row of 1 cells, expected 2"));
        assert!(message("2 2\n00").starts_with("found 1 rows, expected 2"));
        assert!(message("1 3\n0x0").starts_with("line 2, column 2: found `x`"));
        assert!(message("1 3\n0 ０ 0").starts_with("line 2, column 2: found `０`"));
        assert!(message("1 3\n050").contains("found `5`"));
        assert!(message("1 3\n101").contains("second start at 0,2"));
        assert!(message("0 0\n").contains("found a map of 0 rows"));
    }
}
