//! A solution without a search for quality: long, but always there, in milliseconds.
//!
//! The board is taken as the plain rectangle that it contains. Its outer rows and columns are put in order one after the
//! other, each farthest from the goal's blank, until 2×3 cells are left; those are searched exhaustively. Tiles are placed
//! one by one, the last two of a line together, by a best-first search in the space of the blank and those tiles. That
//! space is connected on the cells that are left (a rectangle, or one with a bite out of its first line).

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashSet},
};

use pintu_tiles::{Direction, Kind, Moves, Puzzle, Topology};

use super::{
    geometry::{Geometry, Rectangle, blank_of},
    stage::is_twisted,
};

/// Solves a puzzle that has a solution, on a board with both sides of at least two cells and not 2×2.
pub(super) fn construct(geometry: &Geometry, start: &[u8], goal: &[u8]) -> Vec<Direction> {
    let (plain, locked) = (Topology::plain(geometry.size), vec![false; geometry.cells]);
    let mut work = Work { geometry, plain, tiles: start.to_vec(), goal, locked, moves: Vec::new() };
    if geometry.topology.kind() == Kind::Mixed && is_twisted(geometry, start, goal) {
        let moves = untwist(geometry, start);
        geometry.play(&mut work.tiles, &moves);
        work.moves = moves;
    }
    let mut rectangle = Rectangle::new(geometry.size, blank_of(goal));
    while let Some(line) = rectangle.peel() {
        work.fill(&line);
    }
    work.finish();
    work.moves
}

/// Takes the blank to the nearest wrap that joins two cells of the same colour, and once through it. The
/// board must have one.
pub(super) fn untwist(geometry: &Geometry, tiles: &[u8]) -> Vec<Direction> {
    let odd_step = |cell: usize| geometry.neighbours(cell).find(|&(to, _)| geometry.same_colour(cell, to));
    let mut at = blank_of(tiles);
    let odd_cells = (0..geometry.cells).filter(|&cell| odd_step(cell).is_some());
    let target = odd_cells.min_by_key(|&cell| geometry.distance(at, cell)).expect("a mixed board has such a wrap");
    let mut moves = Vec::new();
    // No cell before the nearest has such a step, so the path there changes nothing.
    while at != target {
        let nearer = geometry.neighbours(at).min_by_key(|&(to, _)| geometry.distance(to, target));
        let (to, direction) = nearer.expect("every cell has a neighbour");
        moves.push(Direction::ALL[usize::from(direction)]);
        at = to;
    }
    moves.extend(odd_step(target).map(|(_, direction)| Direction::ALL[usize::from(direction)]));
    moves
}

/// The shortest solution of a puzzle that has one on a line or a ring.
pub(crate) fn slide(puzzle: &Puzzle) -> Moves {
    let (topology, start) = (puzzle.topology(), puzzle.canonical_start());
    let goal = puzzle.canonical_goal();
    // Without turning back, from each neighbour of the blank. On a ring the states form one circle, so the goal comes.
    let solutions = topology.neighbours(blank_of(&start)).filter_map(|first| go(topology, &start, goal.tiles(), first));
    Moves(solutions.min_by_key(Vec::len).unwrap_or_default())
}

/// The moves to the goal without turning back. `None` if a line ends before it.
fn go(topology: Topology, start: &[u8], goal: &[u8], first: usize) -> Option<Vec<Direction>> {
    let (mut tiles, mut blank, mut next) = (start.to_vec(), blank_of(start), Some(first));
    let mut moves = Vec::new();
    while tiles != goal {
        let to = next?;
        tiles.swap(blank, to);
        moves.push(topology.direction(blank, to).expect("the cells are neighbours"));
        next = topology.neighbours(to).find(|&after| after != blank);
        debug_assert!(next.is_some() || topology.kind() == Kind::Line, "a ring goes on");
        blank = to;
    }
    Some(moves)
}

struct Work<'a> {
    geometry: &'a Geometry,
    plain: Topology,
    tiles: Vec<u8>,
    goal: &'a [u8],
    locked: Vec<bool>,
    moves: Vec<Direction>,
}

impl Work<'_> {
    fn free_neighbours(&self, cell: usize) -> impl Iterator<Item = usize> + '_ {
        self.plain.neighbours(cell).filter(|&to| !self.locked[to])
    }

    /// The steps between two cells of the rectangle.
    fn distance(&self, a: usize, b: usize) -> usize {
        let (a, b) = (self.geometry.positions[a], self.geometry.positions[b]);
        usize::from(a.row.abs_diff(b.row)) + usize::from(a.col.abs_diff(b.col))
    }

    /// Takes the blank along a path from its last cell to its first.
    fn go_back(&mut self, path: &[usize]) {
        for (&to, &blank) in path.iter().zip(&path[1..]).rev() {
            self.tiles.swap(blank, to);
            self.moves.push(self.geometry.topology.direction(blank, to).expect("the cells are neighbours"));
        }
    }

    /// Places a line's tiles and locks them.
    fn fill(&mut self, line: &[usize]) {
        let (single, pair) = line.split_at(line.len() - 2);
        for cells in single.chunks(1).chain([pair]) {
            self.place(cells);
            for &cell in cells {
                self.locked[cell] = true;
            }
        }
    }

    /// Brings the tiles that belong to one or two cells there, past nothing that is locked.
    fn place(&mut self, cells: &[usize]) {
        let position = |&cell: &usize| self.tiles.iter().position(|&tile| tile == self.goal[cell]);
        let tile_at = |cell: &usize| position(cell).expect("same tiles") as u8;
        let at = [tile_at(&cells[0]), cells.get(1).map_or(0, tile_at)];
        let first = Placing { blank: blank_of(&self.tiles) as u8, at };
        let rank = |state: &Placing| -> usize {
            let loose = || cells.iter().zip(state.at.map(usize::from)).filter(|&(&home, at)| home != at);
            let far: usize = loose().map(|(&home, at)| self.distance(home, at)).sum();
            4 * far + loose().map(|(_, at)| self.distance(usize::from(state.blank), at)).min().unwrap_or(0)
        };
        // Each state with the index of its parent.
        let mut states = vec![(first, 0)];
        let mut seen = HashSet::from([first]);
        let mut open = BinaryHeap::from([Reverse((rank(&first), 0))]);
        while let Some(Reverse((_, index))) = open.pop() {
            let (state, _) = states[index];
            if cells.iter().zip(state.at).all(|(&home, at)| home == usize::from(at)) {
                return self.go_back(&path_back(&states, index, |state| state.blank.into()));
            }
            for to in self.free_neighbours(usize::from(state.blank)) {
                let next = state.after(to as u8, cells.len());
                if seen.insert(next) {
                    open.push(Reverse((rank(&next), states.len())));
                    states.push((next, index));
                }
            }
        }
        unreachable!("one or two tiles can be brought anywhere on the cells that are left");
    }

    /// Solves the last six cells, breadth first.
    fn finish(&mut self) {
        let cells: Vec<usize> = (0..self.tiles.len()).filter(|&cell| !self.locked[cell]).collect();
        // The tiles on the six cells that are left, in the order of the board.
        let on =
            |tiles: &[u8]| -> [u8; 6] { std::array::from_fn(|index| cells.get(index).map_or(0, |&cell| tiles[cell])) };
        let blank_at = |left: &[u8; 6]| left.iter().position(|&tile| tile == 0).expect("the blank is never locked");
        let (first, goal) = (on(&self.tiles), on(self.goal));
        let mut states = vec![(first, 0)];
        let mut seen = HashSet::from([first]);
        let mut at = 0;
        while states[at].0 != goal {
            let (left, _) = states[at];
            let blank = blank_at(&left);
            for to in self.free_neighbours(cells[blank]) {
                let mut next = left;
                next.swap(blank, cells.iter().position(|&cell| cell == to).expect("it is not locked"));
                if seen.insert(next) {
                    states.push((next, at));
                }
            }
            at += 1;
        }
        self.go_back(&path_back(&states, at, |left| cells[blank_at(left)]));
    }
}

/// The blank's cells from a state back to the first one, by the index of each state's parent.
fn path_back<S>(states: &[(S, usize)], mut at: usize, blank: impl Fn(&S) -> usize) -> Vec<usize> {
    let mut path = vec![blank(&states[at].0)];
    while at != 0 {
        at = states[at].1;
        path.push(blank(&states[at].0));
    }
    path
}

/// The cells of the blank and of the tiles to be placed. The second tile's is 0 when there is only one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Placing {
    blank: u8,
    at: [u8; 2],
}

impl Placing {
    fn after(self, to: u8, tiles: usize) -> Self {
        let mut at = self.at;
        at[..tiles].iter_mut().filter(|cell| **cell == to).for_each(|cell| *cell = self.blank);
        Self { blank: to, at }
    }
}

/// Whether an odd number of exchanges, the blank's included, makes one arrangement of the other.
pub(super) fn is_odd(tiles: &[u8], goal: &[u8]) -> bool {
    let mut home = [0; 256];
    goal.iter().enumerate().for_each(|(cell, &tile)| home[usize::from(tile)] = cell);
    let mut seen = [false; 256];
    let mut odd = false;
    for first in 0..tiles.len() {
        let mut at = first;
        while !seen[at] {
            seen[at] = true;
            at = home[usize::from(tiles[at])];
            // A cycle of k elements is k − 1 exchanges.
            odd ^= at != first;
        }
    }
    odd
}
