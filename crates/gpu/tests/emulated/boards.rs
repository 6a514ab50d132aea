//! Boards and tables for the tests.

use pintu_gpu::{DeviceTables, Gpu, Searcher, emulator};
use pintu_search::Control;
use pintu_solver::tables::{Extent, Key, Pattern, SharedRows, Table, Tables};
use pintu_tiles::{Arrangement, Direction, NamedGoal, Puzzle, Size, Topology};

pub(crate) fn gpu() -> Gpu {
    emulator(2 << 30)
}

pub(crate) fn build(patterns: &[Pattern]) -> Tables {
    let rows = SharedRows::new();
    let table = |pattern| Table::build(pattern, &rows, 2, &Control::unlimited(), &mut |_| ()).continue_value().unwrap();
    Tables::new(patterns.iter().map(table).collect()).unwrap()
}

pub(crate) fn small_tables(puzzle: &Puzzle) -> Tables {
    build(&Key::of(puzzle, Extent::Small).patterns().unwrap())
}

/// Tables of patterns of `size` tiles, in the order of their goal cells.
pub(crate) fn tables_in_reading_order(topology: Topology, blank: usize, size: usize) -> Tables {
    build(&in_reading_order(topology, blank, size))
}

pub(crate) fn in_reading_order(topology: Topology, blank: usize, size: usize) -> Vec<Pattern> {
    let tiles: Vec<u8> = (0..topology.cells() as u8).filter(|&tile| usize::from(tile) != blank).collect();
    tiles.chunks(size).map(|tiles| Pattern::new(topology, blank, tiles).unwrap()).collect()
}

pub(crate) fn searcher(gpu: &Gpu, tables: &Tables) -> Searcher {
    Searcher::new(DeviceTables::bring(gpu, tables).unwrap()).unwrap()
}

pub(crate) fn wrapped(rows: usize, cols: usize, wraps: (&[usize], &[usize])) -> Topology {
    let size = Size::new(rows, cols).unwrap();
    Topology::wrapped(size, wraps.0.iter().copied(), wraps.1.iter().copied()).unwrap()
}

/// A goal, scrambled by so many moves that never step back.
pub(crate) fn scrambled(topology: Topology, goal: NamedGoal, moves: usize, seed: u64) -> Puzzle {
    let goal = goal.on(topology.size());
    let mut tiles: Vec<u32> = goal.tiles().iter().map(|&tile| u32::from(tile)).collect();
    let (mut blank, mut before, mut random) = (goal.blank(), usize::MAX, seed);
    let mut made = 0;
    while made < moves {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let direction = Direction::ALL[(random >> 61) as usize % 4];
        let Some(to) = topology.neighbour(blank, direction).filter(|&to| to != before) else { continue };
        tiles.swap(blank, to);
        (before, blank) = (blank, to);
        made += 1;
    }
    let start = Arrangement::new(topology.size(), &tiles).unwrap();
    Puzzle::new(topology, start, goal).unwrap()
}
