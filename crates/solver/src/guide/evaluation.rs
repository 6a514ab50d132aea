//! The score of a board in guided beams: its distances, and the excess of the pattern tables' mean over them.

use std::{sync::Arc, time::Duration};

use pintu_search::{Control, Stop};

use super::{
    network::{Moved, Network},
    patterns::{Board, Group, MAX_TILES, Tables},
};

/// Scores are whole numbers: this many to a move.
pub(super) const SCALE: i32 = 64;
/// The most views of a guide: their remainders fit a candidate.
pub(super) const MAX_VIEWS: usize = 8;
/// The most groups of all views together.
const MAX_GROUPS: usize = 4 * REMAINDER_BYTES;
pub(super) const REMAINDER_BYTES: usize = 24;
/// The weight of the tables' excess over the distances, relative to a move. Found by trial.
const EXCESS: f64 = 2.0;

/// About how long laying out a view's partition takes.
const PARTITION_TIME: Duration = Duration::from_millis(3);

/// The tables, weights and network by which a board's states are judged.
pub(crate) struct Guide {
    pub(super) board: Board,
    tables: Tables,
    groups: Vec<Group>,
    /// For each tile, the look-up of each view after the tile has moved.
    lookups: Vec<Lookup>,
    /// For each symmetry, each of a pattern's tiles and each cell, the term of the tile there in an index.
    digits: Vec<[[u32; PLACES]; MAX_TILES]>,
    views: usize,
    /// For each tile, its distance from each cell.
    distances: Vec<u8>,
    /// The weights of a move in the views' sum and in the distances.
    sum_weight: i32,
    distance_weight: i32,
    pub(super) network: Option<Arc<Network>>,
}

/// The length of a list of places: all cells, and the one after the last, where no tile lies.
const PLACES: usize = 128;

/// The cell of each tile; the place of a missing tile is the cell after the last.
pub(super) type Places = [u8; PLACES];

/// A group, as it is looked up.
#[derive(Clone, Copy)]
pub(super) struct Lookup {
    first: u32,
    tiles: [u8; MAX_TILES],
    symmetry: u8,
    /// The position of the group's remainder.
    byte: u8,
    shift: u8,
}

impl Lookup {
    fn new(group: &Group, index: usize) -> Self {
        let Group { tiles, first, symmetry } = *group;
        Self { first, tiles, symmetry, byte: (index / 4) as u8, shift: 2 * (index % 4) as u8 }
    }
}

/// The remainders by four of what each group's table says, two bits each.
#[derive(Clone, Copy, Default)]
pub(super) struct Remainders([u8; REMAINDER_BYTES]);

impl Remainders {
    #[inline]
    fn get(&self, lookup: &Lookup) -> u8 {
        self.0[usize::from(lookup.byte)] >> lookup.shift & 3
    }

    #[inline]
    pub(super) fn set(&mut self, lookup: &Lookup, value: u8) {
        let byte = &mut self.0[usize::from(lookup.byte)];
        *byte = *byte & !(3 << lookup.shift) | value << lookup.shift;
    }
}

/// A whole board's judgement.
pub(super) struct Judged {
    pub(super) remainders: Remainders,
    /// The moves that all groups of all views need, summed.
    pub(super) sum: i32,
    /// The tiles' distances.
    pub(super) far: i32,
}

/// The number of tiles of a pattern, and of views.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) tiles: usize,
    pub(crate) views: usize,
}

/// The weights of a move in the sum of `views` views, and in the distances.
pub(super) fn weights(views: usize) -> (i32, i32) {
    let sum = (EXCESS * f64::from(SCALE) / views as f64).round() as i32;
    (sum, SCALE - views as i32 * sum)
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
        let groups: Vec<Group> = views.iter().flatten().cloned().collect();
        let mut lookups = vec![Lookup::new(&groups[0], 0); board.cells * views.len()];
        let view_of = views.iter().enumerate().flat_map(|(view, groups)| std::iter::repeat_n(view, groups.len()));
        for ((index, group), view) in groups.iter().enumerate().zip(view_of) {
            for &tile in group.tiles.iter().filter(|&&tile| tile != board.none()) {
                lookups[usize::from(tile) * views.len() + view] = Lookup::new(group, index);
            }
        }
        let digit = |image: &[u8; 64 + 1], at: usize, place: usize| {
            image.get(place).map_or(0, |&cell| u32::from(cell) * (board.cells as u32).pow(at as u32))
        };
        let digits_of = |image| std::array::from_fn(|at| std::array::from_fn(|place| digit(image, at, place)));
        let digits = board.images.iter().map(digits_of).collect();
        let between = board.topology.distances();
        let distances = (0..board.cells * board.cells)
            .map(|at| (at / board.cells, at % board.cells))
            .map(|(tile, cell)| if tile == board.blank { 0 } else { between.between(tile, cell) as u8 })
            .collect();
        let (sum_weight, distance_weight) = weights(views.len());
        Ok(Some(Self {
            board,
            tables,
            groups,
            lookups,
            digits,
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

    /// The score for the tables' sum and the sum of distances.
    #[inline]
    pub(super) fn score(&self, sum: i32, far: i32) -> i32 {
        self.sum_weight * sum + self.distance_weight * far
    }

    #[inline]
    pub(super) fn places(&self, tiles: &[u8]) -> Places {
        let mut places = [0; PLACES];
        for (cell, &tile) in tiles[..self.board.cells].iter().enumerate() {
            places[usize::from(tile) % PLACES] = cell as u8;
        }
        places[self.board.cells] = self.board.cells as u8;
        places
    }

    /// The look-up of each view after a tile has moved.
    #[inline]
    pub(super) fn lookups(&self, tile: usize) -> &[Lookup] {
        &self.lookups[tile * self.views..][..self.views]
    }

    /// The index of a group's entry.
    #[inline]
    pub(super) fn place_in_table(&self, lookup: &Lookup, places: &Places) -> u32 {
        let digits = &self.digits[usize::from(lookup.symmetry)];
        let place = |at: usize| usize::from(places[usize::from(lookup.tiles[at]) % PLACES]) % PLACES;
        lookup.first + digits[0][place(0)] + digits[1][place(1)] + digits[2][place(2)] + digits[3][place(3)]
    }

    #[inline]
    pub(super) fn entries(&self) -> &[u8] {
        self.tables.entries()
    }

    #[inline]
    pub(super) fn entry(&self, at: u32) -> u8 {
        self.tables.entry(at as usize)
    }

    /// The change of a group's moves from one remainder to the next.
    #[inline]
    pub(super) fn change(remainders: &Remainders, lookup: &Lookup, entry: u8) -> i32 {
        let change = entry.wrapping_sub(remainders.get(lookup)) & 3;
        // A difference of 3 is one less: a group's moves never grow by two at once.
        i32::from(change as i8) - if change == 3 { 4 } else { 0 }
    }

    /// Judges a board from scratch.
    pub(super) fn judge(&self, tiles: &[u8]) -> Judged {
        let places = self.places(tiles);
        let mut judged = Judged { remainders: Remainders::default(), sum: 0, far: 0 };
        for (index, group) in self.groups.iter().enumerate() {
            let lookup = Lookup::new(group, index);
            judged.remainders.set(&lookup, self.entry(self.place_in_table(&lookup, &places)));
            judged.sum += self.moves_left(&lookup, places);
        }
        let held = tiles[..self.board.cells].iter().enumerate();
        judged.far = held.map(|(cell, &tile)| self.distance(tile.into(), cell)).sum();
        judged
    }

    /// The network's and the tables' judgement of a board, in 1/64 of a move.
    pub(super) fn estimate(&self, tiles: &[u8]) -> i32 {
        let judged = self.judge(tiles);
        let tables = self.score(judged.sum, judged.far);
        let Some(network) = &self.network else { return tables };
        // A tile that does not move changes nothing.
        let still = Moved { of: 0, tile: 1, from: 0, blank: 0 };
        let mut score = network.scaled(tables);
        network.judge(&[network.sums(tiles)], &[still], |_, said| score += said);
        score
    }

    /// The moves that a group needs: it walks to the goal, for entries only say whether a move leads nearer.
    fn moves_left(&self, lookup: &Lookup, mut places: Places) -> i32 {
        let mut tiles = [0_u8; MAX_TILES];
        let members = lookup.tiles.iter().filter(|&&tile| tile != self.board.none());
        let count = members.zip(&mut tiles).map(|(&tile, slot)| *slot = tile).count();
        let tiles = &tiles[..count];
        let mut moves = 0;
        while tiles.iter().any(|&tile| places[usize::from(tile)] != tile) {
            let wanted = self.entry(self.place_in_table(lookup, &places)).wrapping_sub(1) & 3;
            let step = tiles.iter().find_map(|&tile| {
                let from = usize::from(places[usize::from(tile)]);
                self.board.topology.neighbours(from).find_map(|to| {
                    if tiles.iter().any(|&other| usize::from(places[usize::from(other)]) == to) {
                        return None;
                    }
                    let mut after = places;
                    after[usize::from(tile)] = to as u8;
                    (self.entry(self.place_in_table(lookup, &after)) == wanted).then_some(after)
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
                    for lookup in guide.lookups(tile) {
                        let entry = guide.entry(guide.place_in_table(lookup, &places));
                        judged.sum += Guide::change(&judged.remainders, lookup, entry);
                        judged.remainders.set(lookup, entry);
                    }
                }
                let scratch = guide.judge(&tiles);
                assert_eq!((judged.sum, judged.far), (scratch.sum, scratch.far), "{topology}");
                assert_eq!(judged.remainders.0, scratch.remainders.0, "{topology}");
            }
        }
    }
}
