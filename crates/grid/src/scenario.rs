use std::fmt;

use crate::{Cell, FormatError, format::without_mark};

/// One line of a scenario file (`.scen`): a query whose answer is on record.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The index of a group of queries of similar difficulty.
    pub bucket: u32,
    /// The map's file name.
    pub map: String,
    /// The map's rows.
    pub rows: u32,
    /// The map's columns.
    pub cols: u32,
    /// The start of the path.
    pub from: Cell,
    /// Its goal.
    pub to: Cell,
    /// The length on record, rounded.
    pub length: f64,
}

impl Scenario {
    /// Upper bound of the bytes of a text's queries, which reading them does not exceed.
    pub fn most_bytes(text: &str) -> u64 {
        // A list that grows has room for twice as many; beside each query there is a name.
        (text.lines().count().max(4) * 2 * size_of::<Self>() + 2 * text.len()) as u64
    }

    /// Reads a scenario file. Blank lines and a first line `version 1` are skipped.
    pub fn read_all(text: &str) -> Result<Vec<Self>, FormatError> {
        let lines = without_mark(text).lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let queries = lines.filter(|(_, line)| !line.trim_start().starts_with("version"));
        let expected = "bucket, map, width, height, start x, start y, goal x, goal y, length";
        let refused =
            |at: usize, line: &str| FormatError::at(at + 1, format_args!("found `{line}`, expected {expected}"));
        queries.map(|(at, line)| Self::read(line).ok_or_else(|| refused(at, line))).collect()
    }

    fn read(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let &[bucket, map, width, height, from_x, from_y, to_x, to_y, length] = words.as_slice() else {
            return None;
        };
        let number = |word: &str| word.parse::<u32>().ok();
        let length = length.parse().ok().filter(|&length: &f64| length.is_finite() && length >= 0.0)?;
        Some(Self {
            bucket: number(bucket)?,
            map: map.to_owned(),
            rows: number(height)?,
            cols: number(width)?,
            from: Cell::new(number(from_y)?, number(from_x)?),
            to: Cell::new(number(to_y)?, number(to_x)?),
            length,
        })
    }

    /// Whether a length agrees with the one on record, which is rounded: within 0.0001, or a hundred
    /// thousandth of it where that is more.
    pub fn agrees(&self, length: f64) -> bool {
        (length - self.length).abs() <= f64::max(0.0001, 0.00001 * self.length)
    }
}

impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bucket, map, rows, cols, from, to, length } = self;
        write!(f, "{bucket}\t{map}\t{cols}\t{rows}\t{}\t{}\t{}\t{}\t{length}", from.col, from.row, to.col, to.row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        let line = "1\tmaps/a.map\t512\t256\t479\t146\t477\t142\t4.82843";
        let all = Scenario::read_all(&format!("version 1\n\n{line}\n\n")).unwrap();
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].to_string(), line);
        assert_eq!((all[0].from, all[0].to), (Cell::new(146, 479), Cell::new(142, 477)));
        assert_eq!((all[0].rows, all[0].cols), (256, 512));
    }

    #[test]
    fn agreement_allows_for_rounding() {
        let mut query = Scenario::read_all("0 m 9 9 0 0 1 1 1.41421").unwrap().remove(0);
        assert!(query.agrees(std::f64::consts::SQRT_2) && !query.agrees(1.4144));
        query.length = 1000.0;
        assert!(query.agrees(1000.009) && !query.agrees(1000.02));
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        for bad in ["1 m 5 5 0 0 1 1", "1 m 5 5 0 0 1 1 x", "1 m 5 5 -1 0 1 1 2", "1 m 5 5 0 0 1 1 NaN"] {
            let message = Scenario::read_all(&format!("version 1\n{bad}")).unwrap_err().to_string();
            assert!(message.starts_with("line 2: found"), "{message}");
        }
    }
}
