//! The lengths of shortest solutions by plain breadth-first search, for the tests here and those in `tests/suite`.

use std::collections::{HashMap, hash_map::Entry};

use foldhash::fast::FixedState;
use pintu_tiles::{Arrangement, Puzzle, Topology};

/// The exact number of moves from states of at most 16 cells that have at most `most`, by breadth-first search: from every
/// `every`th of them, in the order of their tiles.
pub(crate) fn exact_lengths(
    goal: &Arrangement,
    topology: Topology,
    most: usize,
    every: usize,
) -> Vec<(Vec<u8>, usize)> {
    let cells = topology.cells();
    // A board is a number with a tile in each of its digits.
    let shift = |cell: usize| 4 * (cells - 1 - cell);
    let packed = goal.tiles().iter().fold(0_u64, |board, &tile| board << 4 | u64::from(tile));
    let blank = goal.tiles().iter().position(|&tile| tile == 0).unwrap();
    let mut lengths = HashMap::with_hasher(FixedState::default());
    lengths.insert(packed, 0);
    let mut level = vec![(packed, blank)];
    for depth in 1..=most {
        let mut next = Vec::new();
        for (board, blank) in level {
            for to in topology.neighbours(blank) {
                let tile = board >> shift(to) & 15;
                let after = board ^ (tile << shift(to) | tile << shift(blank));
                if let Entry::Vacant(entry) = lengths.entry(after) {
                    entry.insert(depth);
                    next.push((after, to));
                }
            }
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    let mut lengths: Vec<(u64, usize)> = lengths.into_iter().collect();
    lengths.sort_unstable();
    let tiles = |board: u64| (0..cells).map(|cell| (board >> shift(cell) & 15) as u8).collect();
    lengths.into_iter().step_by(every).map(|(board, length)| (tiles(board), length)).collect()
}

pub(crate) fn puzzle_from(tiles: &[u8], goal: &Arrangement, topology: Topology) -> Puzzle {
    let tiles: Vec<u32> = tiles.iter().map(|&tile| u32::from(tile)).collect();
    Puzzle::new(topology, Arrangement::new(topology.size(), &tiles).unwrap(), goal.clone()).unwrap()
}
