//! Boards with the standard goal, for tests.

use pintu_tiles::{NamedGoal, Puzzle, Scrambler, Size, Topology, read_board};

pub(crate) fn puzzle(board: &str) -> Puzzle {
    let start = read_board(board, None).unwrap();
    let goal = NamedGoal::Standard.on(start.size());
    Puzzle::new(Topology::plain(start.size()), start, goal).unwrap()
}

pub(crate) fn scrambled(rows: usize, cols: usize, seed: u64) -> impl Iterator<Item = Puzzle> {
    let topology = Topology::plain(Size::new(rows, cols).unwrap());
    let goal = NamedGoal::Standard.on(topology.size());
    let mut scrambler = Scrambler::new(topology, goal.clone(), seed);
    std::iter::repeat_with(move || Puzzle::new(topology, scrambler.uniform(), goal.clone()).unwrap())
}

pub(crate) fn solved(rows: usize, cols: usize) -> Puzzle {
    let size = Size::new(rows, cols).unwrap();
    let goal = NamedGoal::Standard.on(size);
    Puzzle::new(Topology::plain(size), goal.clone(), goal).unwrap()
}
