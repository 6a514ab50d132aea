//! Tables of small patterns whose tiles slide into any free cell, as if the blank were everywhere.
//!
//! Without the blank a table needs no regions: it is built in a fraction of a second, and holds nearly what a table with
//! the blank does. Its sums are no more than a solution's moves, but a beam takes means of them, so that nothing here is a
//! bound.

use std::time::Duration;

use pintu_search::{Control, Hold, Stop};
use pintu_tiles::Topology;

use crate::{
    beam::spread_numbers,
    tables::{Symmetry, stabiliser},
};

/// The most tiles of a pattern.
pub(super) const MAX_TILES: usize = 4;

/// Which tiles go together: every tile of the board but the blank is in one pattern. A tile is named by its goal cell.
type Partition = Vec<Vec<u8>>;

/// All tables of a board, in one array of two bits an entry: the moves that a pattern needs, by four.
pub(super) struct Tables {
    entries: Vec<u8>,
    /// The index of each table's first entry, and its tiles' goal cells.
    known: Vec<(usize, Vec<u8>)>,
    hold: Hold,
}

/// A pattern, and how it is looked up in a table.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The tiles in the order of the table's; where there are fewer, [`NONE`](Board::none) stands for the rest.
    pub(super) tiles: [u8; MAX_TILES],
    /// The index of the first entry of its table.
    pub(super) first: u32,
    /// The symmetry under which it is the table's.
    pub(super) symmetry: u8,
}

/// A board and its goal's blank cell, in normal form, and its symmetries.
pub(super) struct Board {
    pub(super) topology: Topology,
    pub(super) blank: usize,
    pub(super) cells: usize,
    /// The symmetries of the board, which need not keep the blank cell.
    symmetries: Vec<Symmetry>,
    /// For each of them, where each cell goes; the cell after the last, where no tile lies, goes to the first.
    pub(super) images: Vec<[u8; 64 + 1]>,
}

impl Board {
    pub(super) fn new(topology: Topology, blank: usize) -> Self {
        let cells = topology.cells();
        let mut symmetries: Vec<Symmetry> = Vec::new();
        for symmetry in Symmetry::all(topology) {
            if symmetry.topology == topology && !symmetries.contains(&symmetry) {
                symmetries.push(symmetry);
            }
        }
        let image = |symmetry: &Symmetry| {
            let mut image = [0; 64 + 1];
            (0..cells).for_each(|cell| image[cell] = symmetry.of(cell) as u8);
            image
        };
        let images = symmetries.iter().map(image).collect();
        Self { topology, blank, cells, symmetries, images }
    }

    /// The stand-in for a tile that a pattern does not have.
    pub(super) fn none(&self) -> u8 {
        self.cells as u8
    }

    /// The normal form of a pattern, after the symmetry that leads to it.
    fn normal_form(&self, tiles: &[u8]) -> (usize, Vec<u8>) {
        let images = self.symmetries.iter().map(|symmetry| turned(symmetry, tiles)).enumerate();
        images.min_by(|a, b| a.1.cmp(&b.1)).expect("the identity is one")
    }

    /// One partition for each view: compact ones, no two alike, and their images under the symmetries that keep the
    /// blank cell.
    pub(super) fn partitions(&self, tiles: usize, count: usize) -> Vec<Partition> {
        let keeping = stabiliser(self.topology, self.blank);
        let mut views: Vec<Partition> = Vec::new();
        let mut covered = vec![0; self.cells * self.cells];
        for seed in 0..count as u64 {
            let partition = compact(self, tiles, seed, &covered);
            for symmetry in &keeping {
                let turned = sorted(partition.iter().map(|group| turned(symmetry, group)).collect());
                if views.len() < count && !views.contains(&turned) {
                    for group in &turned {
                        for (&a, &b) in group.iter().flat_map(|a| group.iter().map(move |b| (a, b))) {
                            covered[usize::from(a) * self.cells + usize::from(b)] += 1;
                        }
                    }
                    views.push(turned);
                }
            }
        }
        views
    }
}

fn turned(symmetry: &Symmetry, group: &[u8]) -> Vec<u8> {
    let mut image: Vec<u8> = group.iter().map(|&cell| symmetry.of(usize::from(cell)) as u8).collect();
    image.sort_unstable();
    image
}

fn sorted(mut partition: Partition) -> Partition {
    partition.sort_unstable();
    partition
}

/// A partition into patterns of neighbours, by exchanging tiles that are drawn at random.
fn compact(board: &Board, tiles: usize, seed: u64, covered: &[i64]) -> Partition {
    // Larger patterns can be put together in more ways.
    let rounds = 10_000 * (tiles as i64 - 2).pow(2).max(1);
    let distances = board.topology.distances();
    let mut numbers = spread_numbers(0xC0_FFEE + seed);
    let mut draw = |below: usize| (numbers.next().expect("they never end") >> 33) as usize % below;
    let mut order: Vec<u8> = (0..board.cells as u8).filter(|&cell| usize::from(cell) != board.blank).collect();
    for at in (1..order.len()).rev() {
        order.swap(at, draw(at + 1));
    }
    let mut groups: Partition = order.chunks(tiles).map(<[u8]>::to_vec).collect();
    let close = |group: &[u8]| -> i64 {
        let pairs = (0..group.len()).flat_map(|a| (0..a).map(move |b| (group[a], group[b])));
        let worth = |(a, b): (u8, u8)| {
            let (a, b) = (usize::from(a), usize::from(b));
            match [0, 10, 4, 1, -3, -8][distances.between(a, b).min(5)] * 12 {
                worth @ 1.. => worth / (1 + covered[a * board.cells + b]),
                worth => worth,
            }
        };
        pairs.map(worth).sum()
    };
    if groups.len() < 2 {
        return sorted(groups);
    }
    for round in 0..rounds {
        let (a, b) = (draw(groups.len()), draw(groups.len()));
        if a == b {
            continue;
        }
        let (i, j) = (draw(groups[a].len()), draw(groups[b].len()));
        let before = close(&groups[a]) + close(&groups[b]);
        let (left, right) = (groups[a][i], groups[b][j]);
        (groups[a][i], groups[b][j]) = (right, left);
        let gain = close(&groups[a]) + close(&groups[b]) - before;
        // The largest loss that may be accepted falls from round to round.
        let most = (12 * 24 * (rounds * 9 / 10 - round)).max(0) / rounds;
        if gain < 0 && -gain > draw(most as usize + 1) as i64 {
            (groups[a][i], groups[b][j]) = (left, right);
        }
    }
    for group in &mut groups {
        group.sort_unstable();
    }
    sorted(groups)
}

impl Tables {
    /// Builds the tables of these partitions; a table serves all patterns that are rotations or reflections of each
    /// other.
    pub(super) fn build(
        board: &Board,
        partitions: &[Partition],
        control: &Control,
    ) -> Result<(Self, Vec<Vec<Group>>), Stop> {
        let mut tables = Self { entries: Vec::new(), known: Vec::new(), hold: control.hold() };
        let mut views = Vec::new();
        for partition in partitions {
            let mut groups = Vec::new();
            for tiles in partition {
                groups.push(tables.group(board, tiles, control)?);
            }
            views.push(groups);
        }
        Ok((tables, views))
    }

    /// About how long building the tables of these partitions takes.
    pub(super) fn time(board: &Board, partitions: &[Partition]) -> Duration {
        let mut homes: Vec<Vec<u8>> = partitions.iter().flatten().map(|tiles| board.normal_form(tiles).1).collect();
        homes.sort_unstable();
        homes.dedup();
        homes.iter().map(|homes| time(board.cells, homes.len())).sum()
    }

    /// About how long it takes at least: a table for each shape of the corners.
    pub(super) fn least_time(board: &Board, tiles: usize) -> Duration {
        4 * time(board.cells, tiles)
    }

    fn group(&mut self, board: &Board, tiles: &[u8], control: &Control) -> Result<Group, Stop> {
        let (symmetry, homes) = board.normal_form(tiles);
        let first = match self.known.iter().find(|(_, known)| *known == homes) {
            Some(&(first, _)) => first,
            None => self.add(board, &homes, control)?,
        };
        let mut ordered = [board.none(); MAX_TILES];
        for &tile in tiles {
            let home = board.images[symmetry][usize::from(tile)];
            ordered[homes.iter().position(|&other| other == home).expect("it is one of them")] = tile;
        }
        Ok(Group { tiles: ordered, first: first as u32, symmetry: symmetry as u8 })
    }

    /// Builds one more table.
    fn add(&mut self, board: &Board, homes: &[u8], control: &Control) -> Result<usize, Stop> {
        let entries = board.cells.pow(homes.len() as u32);
        let first = self.entries.len() * 4;
        self.hold.more(entries.div_ceil(4) as u64)?;
        let moves = free_moves(board.topology, homes, control)?;
        let pack = |four: &[u8]| four.iter().enumerate().fold(0, |byte, (at, moves)| byte | (moves & 3) << (2 * at));
        self.entries.extend(moves.chunks(4).map(pack));
        self.known.push((first, homes.to_vec()));
        Ok(first)
    }

    /// The bytes in which the entries lie.
    #[inline]
    pub(super) fn entries(&self) -> &[u8] {
        &self.entries
    }

    /// An entry.
    #[inline]
    pub(super) fn entry(&self, at: usize) -> u8 {
        self.entries[at / 4] >> (2 * (at % 4)) & 3
    }
}

/// About how long building a table takes.
fn time(cells: usize, tiles: usize) -> Duration {
    let placements: u64 = (0..tiles as u64).map(|tile| cells as u64 - tile).product();
    Duration::from_nanos(placements * 3 * tiles as u64)
}

/// The moves from every placement of some tiles to their goal cells, each move of one tile into a free cell. The index
/// of a placement has the first tile's cell as its lowest digit. Where two tiles share a cell, the entry is arbitrary.
pub(super) fn free_moves(topology: Topology, homes: &[u8], control: &Control) -> Result<Vec<u8>, Stop> {
    let (cells, tiles) = (topology.cells(), homes.len());
    let count = cells.pow(tiles as u32);
    let mut hold = control.hold();
    // The moves, and two levels of placements, each of which has a small part of all.
    hold.more(3 * count as u64)?;
    control.check()?;
    let mut moves = vec![UNKNOWN; count];
    forbid_meetings(&mut moves, cells, tiles);
    // A division by a constant is compiled to a multiplication.
    match cells {
        36 => flood::<36>(topology, homes, &mut moves, control)?,
        49 => flood::<49>(topology, homes, &mut moves, control)?,
        _ => flood::<0>(topology, homes, &mut moves, control)?,
    }
    Ok(moves)
}

const UNKNOWN: u8 = u8::MAX;

/// Fills in what is unknown, level by level. A board has `CELLS` cells, unless that is zero.
fn flood<const CELLS: usize>(
    topology: Topology,
    homes: &[u8],
    moves: &mut [u8],
    control: &Control,
) -> Result<(), Stop> {
    let cells = if CELLS > 0 { CELLS } else { topology.cells() } as u32;
    let strides: Vec<u32> = (0..homes.len() as u32).map(|tile| cells.pow(tile)).collect();
    // For each tile and cell, by how much a step changes a placement's index; zero where there is no step.
    let mut steps = vec![[0_u32; 4]; homes.len() * cells as usize];
    for (at, steps) in steps.iter_mut().enumerate() {
        let (tile, cell) = (at / cells as usize, at % cells as usize);
        for (step, to) in steps.iter_mut().zip(topology.neighbours(cell)) {
            *step = (to as u32).wrapping_sub(cell as u32).wrapping_mul(strides[tile]);
        }
    }
    let start: u32 = homes.iter().zip(&strides).map(|(&home, stride)| u32::from(home) * stride).sum();
    moves[start as usize] = 0;
    let (mut level, mut next) = (vec![start], Vec::new());
    let mut depth = 0;
    while !level.is_empty() {
        depth += 1;
        for block in level.chunks(1 << 14) {
            control.check()?;
            for &at in block {
                let mut rest = at;
                for steps in steps.chunks_exact(cells as usize) {
                    let cell = rest % cells;
                    rest /= cells;
                    for step in steps[cell as usize] {
                        let to = at.wrapping_add(step);
                        let known = &mut moves[to as usize];
                        if *known == UNKNOWN {
                            *known = depth;
                            next.push(to);
                        }
                    }
                }
            }
        }
        level.clear();
        std::mem::swap(&mut level, &mut next);
    }
    Ok(())
}

/// Marks the placements in which two tiles lie in one cell as known, so that none is entered.
fn forbid_meetings(moves: &mut [u8], cells: usize, tiles: usize) {
    if tiles < 2 {
        return;
    }
    // The higher tiles' cells are the same for a row of placements.
    let row = cells * cells;
    for (at, placements) in moves.chunks_mut(row).enumerate() {
        let mut above = [0; MAX_TILES];
        let mut rest = at;
        for cell in &mut above[2..tiles] {
            *cell = rest % cells;
            rest /= cells;
        }
        let above = &above[2..tiles];
        let meet = above.iter().enumerate().any(|(index, cell)| above[..index].contains(cell));
        if meet {
            placements.fill(0);
            continue;
        }
        for cell in 0..cells {
            placements[cell * cells + cell] = 0;
        }
        for &taken in above {
            placements[taken * cells..][..cells].fill(0);
            (0..cells).for_each(|cell| placements[cell * cells + taken] = 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use pintu_tiles::Size;

    use super::*;

    #[test]
    fn every_tile_is_in_one_pattern_of_each_partition() {
        let board = Board::new(Topology::plain(Size::new(6, 6).unwrap()), 0);
        for (tiles, count) in [(4, 4), (3, 8)] {
            let views = board.partitions(tiles, count);
            assert_eq!(views.len(), count);
            for (at, partition) in views.iter().enumerate() {
                let mut all: Vec<u8> = partition.concat();
                all.sort_unstable();
                assert_eq!(all, (1..36).collect::<Vec<u8>>());
                assert!(!views[..at].contains(partition), "no two are alike");
            }
        }
    }

    /// Two tiles that must pass each other in a row need two moves more than their distances; alone, a tile needs its
    /// distance.
    #[test]
    fn tiles_wait_for_each_other_and_not_for_the_blank() {
        let topology = Topology::plain(Size::new(3, 3).unwrap());
        let alone = free_moves(topology, &[4], &Control::unlimited()).unwrap();
        assert_eq!(alone, [2, 1, 2, 1, 0, 1, 2, 1, 2]);
        let pair = free_moves(topology, &[1, 2], &Control::unlimited()).unwrap();
        assert_eq!(pair[1 + 9 * 2], 0);
        assert_eq!(pair[2 + 9], 4, "they change places: a step each, and one of them goes round");
        let limited = Control::new(pintu_search::Limits::none().memory(100));
        assert!(free_moves(topology, &[1, 2], &limited).is_err(), "memory is asked for");
    }
}
