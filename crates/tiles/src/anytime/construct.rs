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

use super::{
    ground::{Ground, blank_of},
    rim::Rim,
    stage::is_twisted,
};
use crate::{Direction, Kind, Topology};

/// Solves a puzzle that has a solution, on a board with both sides of at least two cells and not 2×2.
pub(super) fn construct(ground: &Ground, start: &[u8], goal: &[u8]) -> Vec<Direction> {
    let mut work = Work::new(ground, start, goal);
    if ground.topology.kind() == Kind::Mixed && is_twisted(ground, start, goal) {
        work.change_parity();
    }
    let mut rim = Rim::new(ground.size, blank_of(goal));
    while let Some(line) = rim.peel() {
        work.fill(&line);
    }
    work.finish();
    work.moves
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
            plain: Ground::new(Topology::plain(ground.size)),
            tiles: start.to_vec(),
            goal,
            locked: vec![false; ground.cells],
            moves: Vec::new(),
        }
    }

    /// Takes the blank once through a wrap that joins two cells of the same colour.
    fn change_parity(&mut self) {
        let ground = self.ground;
        let odd_step = |&cell: &usize| ground.steps(cell).find(|&(to, _)| ground.same_colour(cell, to));
        let blank = blank_of(&self.tiles);
        let from = (0..self.ground.cells)
            .filter(|cell| odd_step(cell).is_some())
            .min_by_key(|&cell| self.plain.distance(blank, cell))
            .expect("a mixed board has a wrap between cells of one colour");
        let (to, _) = odd_step(&from).expect("this cell was chosen for it");
        let mut at = blank;
        while at != from {
            let (next, _) =
                self.plain.steps(at).min_by_key(|&(next, _)| self.plain.distance(next, from)).expect("a way");
            self.step(at, next);
            at = next;
        }
        self.step(from, to);
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
            cells.iter().for_each(|&cell| self.locked[cell] = true);
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
