//! What a beam sorts boards by: their distances, and by how much the means of pattern tables exceed them.

use std::{sync::Arc, time::Duration};

use pintu_search::{Control, Stop};

use super::{
    network::Network,
    patterns::{Board, Group, MAX_TILES, Tables},
};

/// Scores are whole numbers: this many to a move.
pub(super) const SCALE: i32 = 64;
/// The most views of a guide: their remainders fit a candidate.
pub(super) const MAX_VIEWS: usize = 8;
/// The most groups of all views together.
const MAX_GROUPS: usize = 4 * REMAINDER_BYTES;
pub(super) const REMAINDER_BYTES: usize = 24;
/// By how much the tables' excess over the distances counts more than a move. Found by trial.
const EXCESS: f64 = 2.0;

/// About how long laying out a view's partition takes.
const PARTITION_TIME: Duration = Duration::from_millis(3);

/// What the states of a board are judged by.
pub(crate) struct Guide {
    pub(super) board: Board,
    tables: Tables,
    groups: Vec<Group>,
    /// For each view and tile, the tile's group.
    group_of: Vec<u8>,
    views: usize,
    /// For each tile, its distance from each cell.
    distances: Vec<u8>,
    /// What a move of the views' sum counts, and what one of the distances does.
    sum_weight: i32,
    distance_weight: i32,
    pub(super) network: Option<Arc<Network>>,
}

/// The remainders by four of what each group's table says, two bits each.
#[derive(Clone, Copy, Default)]
pub(super) struct Remainders([u8; REMAINDER_BYTES]);

impl Remainders {
    #[inline]
    fn get(&self, group: usize) -> u8 {
        self.0[group / 4] >> (2 * (group % 4)) & 3
    }

    #[inline]
    fn set(&mut self, group: usize, value: u8) {
        let shift = 2 * (group % 4);
        let byte = &mut self.0[group / 4];
        *byte = *byte & !(3 << shift) | value << shift;
    }
}

/// A whole board's judgement.
pub(super) struct Judged {
    pub(super) remainders: Remainders,
    /// What all groups of all views need.
    pub(super) sum: i32,
    /// The tiles' distances.
    pub(super) far: i32,
}

/// How many views patterns of how many tiles have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) tiles: usize,
    pub(crate) views: usize,
}

impl Guide {
    /// Builds the tables, unless that would take more than `most`; or an error, if the control ends that.
    pub(super) fn new(
        board: Board,
        shape: Shape,
        most: Option<Duration>,
        control: &Control,
    ) -> Result<Option<Self>, Stop> {
        let patterns = (board.cells - 1).div_ceil(shape.tiles);
        let count = shape.views.min(MAX_VIEWS).min(MAX_GROUPS / patterns);
        if most.is_some_and(|most| Tables::least_time(&board, shape.tiles) + PARTITION_TIME * count as u32 > most) {
            return Ok(None);
        }
        let partitions = board.partitions(shape.tiles, count);
        if most.is_some_and(|most| Tables::time(&board, &partitions) + PARTITION_TIME * count as u32 > most) {
            return Ok(None);
        }
        let (tables, views) = Tables::build(&board, &partitions, control)?;
        let mut group_of = vec![0; views.len() * board.cells];
        let mut groups = Vec::new();
        for (view, members) in views.iter().enumerate() {
            for group in members {
                for &tile in group.tiles.iter().filter(|&&tile| tile != board.none()) {
                    group_of[view * board.cells + usize::from(tile)] = groups.len() as u8;
                }
                groups.push(group.clone());
            }
        }
        let between = board.topology.distances();
        let distances = (0..board.cells * board.cells)
            .map(|at| (at / board.cells, at % board.cells))
            .map(|(tile, cell)| if tile == board.blank { 0 } else { between.between(tile, cell) as u8 })
            .collect();
        let sum_weight = (EXCESS * f64::from(SCALE) / views.len() as f64).round() as i32;
        let distance_weight = SCALE - views.len() as i32 * sum_weight;
        Ok(Some(Self {
            board,
            tables,
            groups,
            group_of,
            views: views.len(),
            distances,
            sum_weight,
            distance_weight,
            network: None,
        }))
    }

    pub(super) fn views(&self) -> usize {
        self.views
    }

    #[inline]
    pub(super) fn distance(&self, tile: usize, cell: usize) -> i32 {
        i32::from(self.distances[tile * self.board.cells + cell])
    }

    /// The score of what tables and distances say.
    #[inline]
    pub(super) fn score(&self, sum: i32, far: i32) -> i32 {
        self.sum_weight * sum + self.distance_weight * far
    }

    /// Where the tiles lie, and where no tile lies: in the cell after the last.
    #[inline]
    pub(super) fn places(&self, tiles: &[u8]) -> [u8; 64 + 1] {
        let mut places = [0; 64 + 1];
        for (cell, &tile) in tiles[..self.board.cells].iter().enumerate() {
            places[usize::from(tile & 63)] = cell as u8;
        }
        places[self.board.cells] = self.board.cells as u8;
        places
    }

    /// The group of a tile in a view.
    #[inline]
    pub(super) fn group(&self, view: usize, tile: usize) -> usize {
        usize::from(self.group_of[view * self.board.cells + tile])
    }

    /// Where a group's entry is.
    #[inline]
    pub(super) fn place_in_table(&self, group: usize, places: &[u8; 64 + 1]) -> u32 {
        let group = &self.groups[group];
        let image = &self.board.images[usize::from(group.symmetry)];
        let cells = self.board.cells as u32;
        let digit = |at: usize| u32::from(image[usize::from(places[usize::from(group.tiles[at] & 127) % 65]) % 65]);
        let high = digit(3) * cells + digit(2);
        let low = digit(1) * cells + digit(0);
        group.first + high * (cells * cells) + low
    }

    #[inline]
    pub(super) fn entries(&self) -> &[u8] {
        self.tables.entries()
    }

    #[inline]
    pub(super) fn entry(&self, at: u32) -> u8 {
        self.tables.entry(at as usize)
    }

    /// By how much a group's moves change from one remainder to the next.
    #[inline]
    pub(super) fn change(remainders: &Remainders, group: usize, entry: u8) -> i32 {
        let change = entry.wrapping_sub(remainders.get(group)) & 3;
        // 3 is one less. Tiles of a group never take two moves more at once.
        i32::from(change as i8) - if change == 3 { 4 } else { 0 }
    }

    #[inline]
    pub(super) fn remember(remainders: &mut Remainders, group: usize, entry: u8) {
        remainders.set(group, entry);
    }

    /// Judges a board from scratch.
    pub(super) fn judge(&self, tiles: &[u8]) -> Judged {
        let places = self.places(tiles);
        let mut judged = Judged { remainders: Remainders::default(), sum: 0, far: 0 };
        for group in 0..self.groups.len() {
            judged.remainders.set(group, self.entry(self.place_in_table(group, &places)));
            judged.sum += self.moves_left(group, places);
        }
        let held = tiles[..self.board.cells].iter().enumerate();
        judged.far = held.map(|(cell, &tile)| self.distance(tile.into(), cell)).sum();
        judged
    }

    /// The moves that a group needs: it walks to the goal, for entries only say whether a move leads nearer.
    fn moves_left(&self, group: usize, mut places: [u8; 64 + 1]) -> i32 {
        let mut tiles = [0_u8; MAX_TILES];
        let members = self.groups[group].tiles.iter().filter(|&&tile| tile != self.board.none());
        let count = members.zip(&mut tiles).map(|(&tile, slot)| *slot = tile).count();
        let tiles = &tiles[..count];
        let mut moves = 0;
        while tiles.iter().any(|&tile| places[usize::from(tile)] != tile) {
            let wanted = self.entry(self.place_in_table(group, &places)).wrapping_sub(1) & 3;
            let step = tiles.iter().find_map(|&tile| {
                let from = usize::from(places[usize::from(tile)]);
                self.board.topology.neighbours(from).find_map(|to| {
                    if tiles.iter().any(|&other| usize::from(places[usize::from(other)]) == to) {
                        return None;
                    }
                    let mut after = places;
                    after[usize::from(tile)] = to as u8;
                    (self.entry(self.place_in_table(group, &after)) == wanted).then_some(after)
                })
            });
            places = step.expect("every placement but the goal has a move that leads nearer");
            moves += 1;
        }
        moves
    }
}

#[cfg(test)]
mod tests {
    use pintu_tiles::Size;

    use super::*;
    use crate::{beam::spread_numbers, testing::topologies};

    /// On random walks the changes that moves make add up to what is judged from scratch, on boards with wraps and
    /// without, square or not, wherever the blank belongs.
    #[test]
    fn changes_add_up() {
        let plain = |rows, cols| pintu_tiles::Topology::plain(Size::new(rows, cols).unwrap());
        let wrapped = topologies(4, 5, &[(&[1], &[0, 2])])[0];
        for (topology, blank) in [(plain(4, 4), 0), (plain(3, 5), 7), (wrapped, 2), (plain(6, 6), 0)] {
            for shape in [Shape { tiles: 3, views: 4 }, Shape { tiles: 2, views: 8 }] {
                let guide =
                    Guide::new(Board::new(topology, blank), shape, None, &Control::unlimited()).unwrap().unwrap();
                let mut tiles: Vec<u8> = (0..topology.cells() as u8).collect();
                let mut judged = guide.judge(&tiles);
                assert_eq!((judged.sum, judged.far), (0, 0), "the goal");
                let mut at = blank;
                for number in spread_numbers(7).take(400) {
                    let beside: Vec<usize> = topology.neighbours(at).collect();
                    let from = beside[(number >> 33) as usize % beside.len()];
                    let tile = usize::from(tiles[from]);
                    judged.far += guide.distance(tile, at) - guide.distance(tile, from);
                    tiles.swap(at, from);
                    at = from;
                    let places = guide.places(&tiles);
                    for view in 0..guide.views() {
                        let group = guide.group(view, tile);
                        let entry = guide.entry(guide.place_in_table(group, &places));
                        judged.sum += Guide::change(&judged.remainders, group, entry);
                        Guide::remember(&mut judged.remainders, group, entry);
                    }
                }
                let scratch = guide.judge(&tiles);
                assert_eq!((judged.sum, judged.far), (scratch.sum, scratch.far), "{topology}");
                assert_eq!(judged.remainders.0, scratch.remainders.0, "{topology}");
            }
        }
    }
}
