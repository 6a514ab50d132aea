//! What several tests need.

use std::collections::HashMap;

use pintu_search::Control;
use pintu_tiles::{Arrangement, Puzzle, Size, Topology};

use crate::tables::{Extent, Key, Pattern, SharedRows, Table, Tables};

pub(crate) fn build(patterns: &[Pattern]) -> Tables {
    let rows = SharedRows::new();
    let table = |pattern| Table::build(pattern, &rows, 2, &Control::unlimited(), &mut |_| ()).continue_value().unwrap();
    Tables::new(patterns.iter().map(table).collect()).unwrap()
}

pub(crate) fn small_tables(puzzle: &Puzzle) -> Tables {
    let key = Key::of(puzzle, Extent::Small);
    build(&key.patterns().unwrap())
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

/// The exact number of moves from every state that has at most `most`, by breadth-first search.
pub(crate) fn exact_lengths(goal: &Arrangement, topology: Topology, most: usize) -> HashMap<Vec<u8>, usize> {
    let mut lengths = HashMap::from([(goal.tiles().to_vec(), 0)]);
    let mut level = vec![goal.tiles().to_vec()];
    for depth in 1..=most {
        let mut next = Vec::new();
        for tiles in level {
            let blank = tiles.iter().position(|&tile| tile == 0).unwrap();
            for to in topology.neighbours(blank) {
                let mut after = tiles.clone();
                after.swap(blank, to);
                if !lengths.contains_key(&after) {
                    lengths.insert(after.clone(), depth);
                    next.push(after);
                }
            }
        }
        level = next;
    }
    lengths
}
