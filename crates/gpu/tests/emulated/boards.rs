//! Boards and tables for the tests.

use pintu_gpu::{DeviceTables, Gpu, Searcher, emulator};
use pintu_search::Control;
use pintu_solver::{
    Tables,
    internals::{Options, Pattern},
    store::{Extent, Key},
};
use pintu_tiles::{NamedGoal, Puzzle, Scrambler, Size, Topology};

/// One thread, and nothing known.
pub(crate) const OPTIONS: Options = Options { threads: 1, known: None };

pub(crate) fn gpu() -> Gpu {
    emulator(2 << 30)
}

pub(crate) fn small_tables(puzzle: &Puzzle) -> Tables {
    Tables::build(Key::of(puzzle, Extent::Small), 2, &Control::unlimited()).unwrap()
}

/// Tables of patterns of `size` tiles, in the order of their goal cells.
pub(crate) fn tables_in_reading_order(topology: Topology, blank: usize, size: usize) -> Tables {
    Tables::of_patterns(&in_reading_order(topology, blank, size), 2, &Control::unlimited()).unwrap()
}

pub(crate) fn in_reading_order(topology: Topology, blank: usize, size: usize) -> Vec<Pattern> {
    let tiles: Vec<u8> = (0..topology.cells() as u8).filter(|&tile| usize::from(tile) != blank).collect();
    tiles.chunks(size).map(|tiles| Pattern::new(topology, blank, tiles).unwrap()).collect()
}

pub(crate) fn searcher(gpu: &Gpu, tables: &Tables) -> Searcher {
    Searcher::new(DeviceTables::copy_of(gpu, tables).unwrap()).unwrap()
}

pub(crate) fn wrapped(rows: usize, cols: usize, wraps: (&[usize], &[usize])) -> Topology {
    let size = Size::new(rows, cols).unwrap();
    Topology::wrapped(size, wraps.0.iter().copied(), wraps.1.iter().copied()).unwrap()
}

/// A goal, scrambled by `moves` moves that never step back.
pub(crate) fn scrambled(topology: Topology, goal: NamedGoal, moves: usize, seed: u64) -> Puzzle {
    let goal = goal.on(topology.size());
    let start = Scrambler::new(topology, goal.clone(), seed).walk(moves);
    Puzzle::new(topology, start, goal).unwrap()
}
