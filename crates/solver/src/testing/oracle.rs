//! The lengths of shortest solutions by plain breadth-first search, for the tests here and those in `tests/suite`.

use std::collections::HashMap;

use pintu_tiles::{Arrangement, Puzzle, Topology};

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
        if next.is_empty() {
            break;
        }
        level = next;
    }
    lengths
}

/// The puzzle from some tiles to a goal.
pub(crate) fn puzzle_from(tiles: &[u8], goal: &Arrangement, topology: Topology) -> Puzzle {
    let tiles: Vec<u32> = tiles.iter().map(|&tile| u32::from(tile)).collect();
    Puzzle::new(topology, Arrangement::new(topology.size(), &tiles).unwrap(), goal.clone()).unwrap()
}
