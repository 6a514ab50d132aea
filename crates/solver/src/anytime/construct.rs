//! A solution without a search for quality: long, but always there, in milliseconds.
//!
//! The board is taken as the plain rectangle that it contains. Its outer rows and columns are put in
//! order one after the other, each farthest from the goal's blank, until 2×3 cells are left; those
//! are searched exhaustively. Tiles are placed one by one, the last two of a line together. Each
//! placement is a best-first search in the finite space of the blank and the one or two tiles, which
//! is connected on the cells that are left (at least 2×3 of them, a rectangle or one with a bite out of
//! its first line), so it ends with the tiles in place.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, VecDeque, hash_map::Entry},
};

use pintu_tiles::{Direction, Kind, Topology};

use super::{
    ground::{Ground, blank_of},
    rim::Rim,
    stage::is_twisted,
};

/// Solves a puzzle that has a solution, on a board with both sides of at least two cells and not 2×2.
pub(super) fn construct(ground: &Ground, start: &[u8], goal: &[u8]) -> Vec<Direction> {
    let mut work = Work::new(ground, start, goal);
    if ground.topology.kind() == Kind::Mixed && is_twisted(ground, start, goal) {
        let moves = untwist(ground, start);
        ground.play(&mut work.tiles, &moves);
        work.moves = moves;
    }
    let mut rim = Rim::new(ground.size, blank_of(goal));
    while let Some(line) = rim.peel() {
        work.fill(&line);
    }
    work.finish();
    work.moves
}

/// Takes the blank to the nearest wrap that joins two cells of the same colour, and once through it. The
/// board must have one.
pub(super) fn untwist(ground: &Ground, tiles: &[u8]) -> Vec<Direction> {
    let odd_step = |cell: usize| ground.steps(cell).find(|&(to, _)| ground.same_colour(cell, to));
    let mut at = blank_of(tiles);
    let odd_cells = (0..ground.cells).filter(|&cell| odd_step(cell).is_some());
    let target = odd_cells.min_by_key(|&cell| ground.distance(at, cell)).expect("a mixed board has such a wrap");
    let mut moves = Vec::new();
    // No cell before the nearest has such a step, so the way there changes nothing.
    while at != target {
        let nearer = ground.steps(at).min_by_key(|&(to, _)| ground.distance(to, target));
        let (to, direction) = nearer.expect("every cell has a neighbour");
        moves.push(Direction::ALL[usize::from(direction)]);
        at = to;
    }
    moves.extend(odd_step(target).map(|(_, direction)| Direction::ALL[usize::from(direction)]));
    moves
}

struct Work<'a> {
    ground: &'a Ground,
    plain: Ground,
    tiles: Vec<u8>,
    goal: &'a [u8],
    locked: Vec<bool>,
    moves: Vec<Direction>,
}

impl<'a> Work<'a> {
    fn new(ground: &'a Ground, start: &[u8], goal: &'a [u8]) -> Self {
        Self {
            ground,
            plain: Ground::without_keys(Topology::plain(ground.size)),
            tiles: start.to_vec(),
            goal,
            locked: vec![false; ground.cells],
            moves: Vec::new(),
        }
    }

    fn step(&mut self, blank: usize, to: usize) {
        self.tiles.swap(blank, to);
        self.moves.push(self.ground.topology.direction(blank, to).expect("the cells are neighbours"));
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
        let tile_at = |&cell: &usize| self.tiles.iter().position(|&tile| tile == self.goal[cell]).expect("same tiles");
        let first = Placing { blank: blank_of(&self.tiles), at: [tile_at(&cells[0]), cells.get(1).map_or(0, tile_at)] };
        let rank = |state: &Placing| -> usize {
            let loose = || cells.iter().zip(state.at).filter(|&(&home, at)| home != at);
            let far: usize = loose().map(|(&home, at)| self.plain.distance(home, at)).sum();
            4 * far + loose().map(|(_, at)| self.plain.distance(state.blank, at)).min().unwrap_or(0)
        };
        let mut met = HashMap::from([(first, None)]);
        let mut open = BinaryHeap::from([Reverse((rank(&first), 0))]);
        let mut states = vec![first];
        while let Some(Reverse((_, index))) = open.pop() {
            let state: Placing = states[index];
            if cells.iter().zip(state.at).all(|(&home, at)| home == at) {
                self.carry_out(&states, &met, state);
                return;
            }
            for (to, _) in self.plain.steps(state.blank).filter(|&(to, _)| !self.locked[to]) {
                let next = state.after(to, cells.len());
                if let Entry::Vacant(place) = met.entry(next) {
                    place.insert(Some(index));
                    open.push(Reverse((rank(&next), states.len())));
                    states.push(next);
                }
            }
        }
        unreachable!("one or two tiles can be brought anywhere on the cells that are left");
    }

    fn carry_out(&mut self, states: &[Placing], met: &HashMap<Placing, Option<usize>>, last: Placing) {
        let mut way = vec![last.blank];
        let mut at = last;
        while let Some(parent) = met[&at] {
            at = states[parent];
            way.push(at.blank);
        }
        way.reverse();
        for pair in way.windows(2) {
            self.step(pair[0], pair[1]);
        }
    }

    /// Solves the last six cells, breadth first.
    fn finish(&mut self) {
        let mut parents: HashMap<Vec<u8>, Option<Vec<u8>>> = HashMap::from([(self.tiles.clone(), None)]);
        let mut queue = VecDeque::from([self.tiles.clone()]);
        while let Some(tiles) = queue.pop_front() {
            if tiles == self.goal {
                break;
            }
            let blank = blank_of(&tiles);
            for (to, _) in self.plain.steps(blank).filter(|&(to, _)| !self.locked[to]) {
                let mut next = tiles.clone();
                next.swap(blank, to);
                if let Entry::Vacant(place) = parents.entry(next.clone()) {
                    place.insert(Some(tiles.clone()));
                    queue.push_back(next);
                }
            }
        }
        let mut way = vec![blank_of(self.goal)];
        let mut at = self.goal.to_vec();
        while let Some(parent) = &parents[&at] {
            way.push(blank_of(parent));
            at.clone_from(parent);
        }
        way.reverse();
        for pair in way.windows(2) {
            self.step(pair[0], pair[1]);
        }
    }
}

/// Where the blank and the tiles to be placed are. The second is 0 when there is only one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Placing {
    blank: usize,
    at: [usize; 2],
}

impl Placing {
    fn after(self, to: usize, tiles: usize) -> Self {
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
