//! Helpers of several tests. (Those in `tests/` may use packages that are not published, these may not.)

mod oracle;

use pintu_search::Control;
use pintu_tiles::{Arrangement, NamedGoal, Puzzle, Size, Topology};

pub(crate) use self::oracle::{exact_lengths, puzzle_from};
use crate::tables::{Pattern, Tables};

pub(crate) fn build(patterns: &[Pattern]) -> Tables {
    Tables::of_patterns(patterns, 2, &Control::unlimited()).unwrap()
}

/// Tables of patterns of `size` neighbouring tiles, in reading order.
pub(crate) fn tables_in_reading_order(topology: Topology, blank: usize, size: usize) -> Tables {
    let tiles: Vec<u8> = (0..topology.cells() as u8).filter(|&tile| usize::from(tile) != blank).collect();
    let patterns: Vec<Pattern> =
        tiles.chunks(size).map(|tiles| Pattern::new(topology, blank, tiles).unwrap()).collect();
    build(&patterns)
}

pub(crate) fn topologies(rows: usize, cols: usize, wraps: &[(&[usize], &[usize])]) -> Vec<Topology> {
    let size = Size::new(rows, cols).unwrap();
    wraps.iter().map(|(r, c)| Topology::wrapped(size, r.iter().copied(), c.iter().copied()).unwrap()).collect()
}

/// Some of Korf's 15-puzzles, with the lengths of their shortest solutions.
pub(crate) fn fifteen_puzzles() -> Vec<(Puzzle, usize)> {
    let puzzle = |&(length, tiles): &(usize, &str)| {
        let start: Arrangement = tiles.parse().unwrap();
        let goal = NamedGoal::BlankFirst.on(start.size());
        (Puzzle::new(Topology::plain(start.size()), start, goal).unwrap(), length)
    };
    FIFTEEN_PUZZLES.iter().map(puzzle).collect()
}

const FIFTEEN_PUZZLES: [(usize, &str); 13] = [
    (57, "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"),
    (55, "13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6"),
    (59, "14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15"),
    (56, "5 12 10 7 15 11 14 0 8 2 1 13 3 4 9 6"),
    (56, "4 7 14 13 10 3 9 12 11 5 6 15 1 2 8 0"),
    (52, "14 7 1 9 12 3 6 15 8 11 2 5 10 0 4 13"),
    (52, "2 11 15 5 13 4 6 7 12 8 10 1 9 3 14 0"),
    (50, "12 11 15 3 8 0 4 2 6 13 9 5 14 1 10 7"),
    (46, "3 14 9 11 5 4 8 2 13 12 6 7 10 1 15 0"),
    (59, "13 11 8 9 0 15 7 10 4 3 6 14 5 12 2 1"),
    (57, "5 9 13 14 6 3 7 12 10 8 4 0 15 2 11 1"),
    (45, "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15"),
    (65, "15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4"),
];
