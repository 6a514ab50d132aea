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
    plain: Topology,
    tiles: Vec<u8>,
    goal: &'a [u8],
    locked: Vec<bool>,
    moves: Vec<Direction>,
}

impl<'a> Work<'a> {
    fn new(ground: &'a Ground, start: &[u8], goal: &'a [u8]) -> Self {
        Self {
            ground,
            plain: Topology::plain(ground.size),
            tiles: start.to_vec(),
            goal,
            locked: vec![false; ground.cells],
            moves: Vec::new(),
        }
    }

    /// The cells beside a cell that are not locked.
    fn ways(&self, cell: usize) -> impl Iterator<Item = usize> + '_ {
        let beside = Direction::ALL.into_iter().filter_map(move |direction| self.plain.neighbour(cell, direction));
        beside.filter(|&to| !self.locked[to])
    }

    /// The steps between two cells of the rectangle.
    fn distance(&self, a: usize, b: usize) -> usize {
        let (a, b) = (self.ground.places[a], self.ground.places[b]);
        usize::from(a.row.abs_diff(b.row)) + usize::from(a.col.abs_diff(b.col))
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
        let position = |&cell: &usize| self.tiles.iter().position(|&tile| tile == self.goal[cell]);
        let tile_at = |cell: &usize| position(cell).expect("same tiles") as u8;
        let at = [tile_at(&cells[0]), cells.get(1).map_or(0, tile_at)];
        let first = Placing { blank: blank_of(&self.tiles) as u8, at };
        let rank = |state: &Placing| -> usize {
            let loose = || cells.iter().zip(state.at.map(usize::from)).filter(|&(&home, at)| home != at);
            let far: usize = loose().map(|(&home, at)| self.distance(home, at)).sum();
            4 * far + loose().map(|(_, at)| self.distance(usize::from(state.blank), at)).min().unwrap_or(0)
        };
        let mut met = HashMap::from([(first, None)]);
        let mut open = BinaryHeap::from([Reverse((rank(&first), 0_u32))]);
        let mut states = vec![first];
        while let Some(Reverse((_, index))) = open.pop() {
            let state: Placing = states[index as usize];
            if cells.iter().zip(state.at).all(|(&home, at)| home == usize::from(at)) {
                self.carry_out(&states, &met, state);
                return;
            }
            for to in self.ways(usize::from(state.blank)) {
                let next = state.after(to as u8, cells.len());
                if let Entry::Vacant(place) = met.entry(next) {
                    place.insert(Some(index));
                    open.push(Reverse((rank(&next), states.len() as u32)));
                    states.push(next);
                }
            }
        }
        unreachable!("one or two tiles can be brought anywhere on the cells that are left");
    }

    fn carry_out(&mut self, states: &[Placing], met: &HashMap<Placing, Option<u32>>, last: Placing) {
        let mut way = vec![last.blank];
        let mut at = last;
        while let Some(parent) = met[&at] {
            at = states[parent as usize];
            way.push(at.blank);
        }
        way.reverse();
        for pair in way.windows(2) {
            self.step(usize::from(pair[0]), usize::from(pair[1]));
        }
    }

    /// Solves the last six cells, breadth first.
    fn finish(&mut self) {
        let cells: Vec<usize> = (0..self.tiles.len()).filter(|&cell| !self.locked[cell]).collect();
        // What lies on the cells that are left; six, in the order of the board.
        let on =
            |tiles: &[u8]| -> [u8; 6] { std::array::from_fn(|place| cells.get(place).map_or(0, |&cell| tiles[cell])) };
        let blank_at = |left: &[u8; 6]| left.iter().position(|&tile| tile == 0).expect("the blank is never locked");
        let (first, goal) = (on(&self.tiles), on(self.goal));
        let mut parents: HashMap<[u8; 6], Option<[u8; 6]>> = HashMap::from([(first, None)]);
        let mut queue = VecDeque::from([first]);
        while let Some(left) = queue.pop_front() {
            if left == goal {
                break;
            }
            let blank = blank_at(&left);
            for to in self.ways(cells[blank]) {
                let mut next = left;
                next.swap(blank, cells.iter().position(|&cell| cell == to).expect("it is not locked"));
                if let Entry::Vacant(place) = parents.entry(next) {
                    place.insert(Some(left));
                    queue.push_back(next);
                }
            }
        }
        let mut way = vec![blank_at(&goal)];
        let mut at = goal;
        while let Some(parent) = parents[&at] {
            way.push(blank_at(&parent));
            at = parent;
        }
        way.reverse();
        for pair in way.windows(2) {
            self.step(cells[pair[0]], cells[pair[1]]);
        }
    }
}

/// Where the blank and the tiles to be placed are. The second is 0 when there is only one.
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
