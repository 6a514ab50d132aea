//! Fills a pattern's table by breadth-first search from the goal.
//!
//! A state of that search is where the pattern's tiles lie and the region that the blank is in: a tile
//! moves only into the blank's region, and the blank travels free within it. The states of one row
//! (one set of cells, one region) differ in the tiles' order alone, and a tile that moves from one
//! cell to another does the same to every order. So the search goes row by row over bit sets, each
//! level pulling into a row what the last level's rows send there: no row has two writers, and nothing
//! is out of order in memory.
//!
//! A move changes the level by one at most, so a table need not hold levels: their remainders do
//! ([`Residue`]), and those are bit sets too.

use std::ops::Range;

use pintu_search::{Control, Stop};

use super::{
    Pattern,
    packing::{Packing, Residue, WORD},
    rank::{factorial, order_of, passing},
    rows::{Rows, bits, neighbour_masks},
};
use crate::threads::share_out;

/// The progress of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Built {
    /// States reached so far.
    pub done: u64,
    /// States to reach at most.
    pub total: u64,
}

/// The packed entries of a pattern's table, unless the control ends the build. `report` is called after every level.
pub(crate) fn build(
    pattern: &Pattern,
    rows: &Rows,
    threads: usize,
    control: &Control,
    report: &mut dyn FnMut(Built),
) -> Result<Vec<u8>, Stop> {
    let residue = pattern.residue();
    let mut hold = control.hold();
    hold.more(peak_bytes(rows.count() as u64, pattern.tiles().len(), residue))?;
    control.check()?;
    let work = BuildContext::new(pattern, rows);
    let mut last: Vec<Level> = work.chunks.iter().map(|chunk| Level::new(chunk, work.words)).collect();
    let mut chunks: Vec<ChunkRows> = work.chunks.iter().map(|chunk| ChunkRows::new(chunk, &work)).collect();
    work.reach_goal(&mut chunks, &mut last);
    let total = (rows.count() * work.orders) as u64;
    let mut done = 1;
    for level in 1.. {
        let reached = share_out(threads, work.chunks.iter().zip(&mut chunks).collect(), |(chunk, rows)| {
            control.check()?;
            Ok(rows.advance(&work, chunk, &last, level))
        });
        let reached = reached.into_iter().sum::<Result<usize, Stop>>()? as u64;
        for (last, rows) in last.iter_mut().zip(&mut chunks) {
            std::mem::swap(last, &mut rows.next);
        }
        if reached == 0 {
            break;
        }
        done += reached;
        report(Built { done, total });
    }
    drop(last);
    // The chunks' other buffers are freed before their planes are joined.
    let planes: Vec<Vec<u64>> = chunks.into_iter().map(|rows| rows.planes).collect();
    Ok(Packing::new(rows.count(), residue).pack(&planes.concat(), work.orders))
}

/// The bytes of one plane of a row: a bit for each order of the tiles, in whole words.
pub(crate) fn plane_bytes(tiles: usize) -> usize {
    factorial(tiles).div_ceil(WORD) * (WORD / 8)
}

/// The bytes that a build holds at its peak: the reorderings, and either the seen states, the last level, the next and
/// the planes, or the planes twice (by chunk and joined) and the packed entries.
pub(crate) fn peak_bytes(rows: u64, tiles: usize, residue: Residue) -> u64 {
    let planes = residue.planes() as u64;
    let reorderings = tiles * tiles * factorial(tiles) * size_of::<u16>();
    (3 + planes).max(3 * planes) * rows * plane_bytes(tiles) as u64 + reorderings as u64
}

struct BuildContext<'a> {
    pattern: &'a Pattern,
    rows: &'a Rows,
    masks: Vec<u64>,
    beside: Vec<u64>,
    /// Orders of the tiles: the states of a row.
    orders: usize,
    /// Words of a row's bit set.
    words: usize,
    reorderings: Vec<Vec<u16>>,
    chunks: Vec<Chunk>,
    sets_a_chunk: usize,
}

/// Sets that are worked on together, and their rows.
struct Chunk {
    sets: Range<usize>,
    rows: Range<usize>,
}

impl<'a> BuildContext<'a> {
    fn new(pattern: &'a Pattern, rows: &'a Rows) -> Self {
        let tiles = pattern.tiles().len();
        let sets = rows.ranks.count();
        let sets_a_chunk = sets.div_ceil(64).max(1);
        let chunks = (0..sets)
            .step_by(sets_a_chunk)
            .map(|first| {
                let end = (first + sets_a_chunk).min(sets);
                Chunk { sets: first..end, rows: rows.first_of_set(first)..rows.first_of_set(end) }
            })
            .collect();
        Self {
            pattern,
            rows,
            masks: rows.ranks.masks().collect(),
            beside: neighbour_masks(pattern.topology()),
            orders: factorial(tiles),
            words: factorial(tiles).div_ceil(WORD),
            reorderings: reorderings(tiles),
            chunks,
            sets_a_chunk,
        }
    }

    fn reach_goal(&self, chunks: &mut [ChunkRows], levels: &mut [Level]) {
        let row = self.rows.row(self.pattern.mask(), self.pattern.blank());
        let chunk = self.rows.ranks.rank(self.pattern.mask()) / self.sets_a_chunk;
        let at = row - self.chunks[chunk].rows.start;
        chunks[chunk].seen[at * self.words] |= 1;
        chunks[chunk].left[at] -= 1;
        levels[chunk].bits[at * self.words] |= 1;
        levels[chunk].active[at] = true;
    }
}

/// The states reached on one level, for the rows of one chunk.
struct Level {
    bits: Vec<u64>,
    active: Vec<bool>,
}

impl Level {
    fn new(chunk: &Chunk, words: usize) -> Self {
        Self { bits: vec![0; chunk.rows.len() * words], active: vec![false; chunk.rows.len()] }
    }
}

/// The rows of one chunk, on which one thread at a time works.
struct ChunkRows {
    next: Level,
    seen: Vec<u64>,
    /// The planes of the levels' remainders, a row's after the other's.
    planes: Vec<u64>,
    /// For each row, the states not yet reached.
    left: Vec<u32>,
}

impl ChunkRows {
    fn new(chunk: &Chunk, work: &BuildContext<'_>) -> Self {
        Self {
            next: Level::new(chunk, work.words),
            seen: vec![0; chunk.rows.len() * work.words],
            planes: vec![0; chunk.rows.len() * work.words * work.pattern.residue().planes()],
            left: vec![work.orders as u32; chunk.rows.len()],
        }
    }

    /// Pulls one level into the chunk's rows; returns how many states are new.
    fn advance(&mut self, work: &BuildContext<'_>, chunk: &Chunk, last: &[Level], level: u32) -> usize {
        self.next.bits.fill(0);
        self.next.active.fill(false);
        for set in chunk.sets.clone() {
            self.pull(work, chunk, last, set);
        }
        (0..chunk.rows.len()).map(|row| self.keep_new(work, row, level)).sum()
    }

    /// Brings into the rows of a set what one move leads there: a tile that now lies in `to` came from
    /// `from`, where the blank is now.
    fn pull(&mut self, work: &BuildContext<'_>, chunk: &Chunk, last: &[Level], set: usize) {
        let mask = work.masks[set];
        for to in bits(mask) {
            for from in bits(work.beside[to] & !mask) {
                let target = work.rows.row_of_set(set, from) - chunk.rows.start;
                if self.left[target] == 0 {
                    continue;
                }
                let before = mask ^ 1 << to ^ 1 << from;
                let set_before = work.rows.ranks.rank(before);
                let chunk_before = set_before / work.sets_a_chunk;
                let row = work.rows.row_of_set(set_before, to) - work.chunks[chunk_before].rows.start;
                let last = &last[chunk_before];
                if !last.active[row] {
                    continue;
                }
                let coming = &last.bits[row * work.words..][..work.words];
                let taken = &mut self.next.bits[target * work.words..][..work.words];
                self.next.active[target] = true;
                let position = |cells: u64, cell: usize| (cells & ((1 << cell) - 1)).count_ones() as usize;
                let (from, to) = (position(before, from), position(mask, to));
                let reordering = &work.reorderings[from * work.pattern.tiles().len() + to];
                merge(coming, taken, (from != to).then_some(reordering));
            }
        }
    }

    /// Keeps those of a row's pulled states that are new.
    fn keep_new(&mut self, work: &BuildContext<'_>, row: usize, level: u32) -> usize {
        if !self.next.active[row] {
            return 0;
        }
        let next = &mut self.next.bits[row * work.words..][..work.words];
        let seen = &mut self.seen[row * work.words..][..work.words];
        let residue = work.pattern.residue();
        let planes = &mut self.planes[row * work.words * residue.planes()..][..work.words * residue.planes()];
        let mut reached = 0;
        for (index, (next, seen)) in next.iter_mut().zip(seen).enumerate() {
            *next &= !*seen;
            *seen |= *next;
            reached += next.count_ones();
            for plane in 0..residue.planes() {
                planes[plane * work.words + index] |= if residue.hold(level) >> plane & 1 == 1 { *next } else { 0 };
            }
        }
        self.next.active[row] = reached > 0;
        self.left[row] -= reached;
        reached as usize
    }
}

#[inline]
fn merge(sent: &[u64], taken: &mut [u64], reordering: Option<&Vec<u16>>) {
    let Some(reordering) = reordering else {
        return taken.iter_mut().zip(sent).for_each(|(taken, sent)| *taken |= sent);
    };
    for (index, &word) in sent.iter().enumerate() {
        for bit in bits(word) {
            let order = usize::from(reordering[index * WORD + bit]);
            taken[order / WORD] |= 1 << (order % WORD);
        }
    }
}

/// The rank of each order of the tiles after the tile at position `from` has gone to position `to`: for all pairs,
/// `from` first.
pub(crate) fn reorderings(tiles: usize) -> Vec<Vec<u16>> {
    let orders: Vec<Vec<u8>> = (0..factorial(tiles)).map(|rank| order_of(rank, tiles)).collect();
    let moved = |from: usize, to: usize| {
        orders.iter().zip(0..).map(|(order, rank): (_, i32)| (rank + shift(order, from, to)) as u16).collect()
    };
    (0..tiles * tiles).map(|pair| moved(pair / tiles, pair % tiles)).collect()
}

/// The change of an order's rank when its tile at position `from` goes to position `to`.
fn shift(order: &[u8], from: usize, to: usize) -> i32 {
    let mover = usize::from(order[from]);
    let sum = |passed: &[u8]| passed.iter().map(|&tile| passing(mover, usize::from(tile))).sum::<i32>();
    if from < to { sum(&order[from + 1..=to]) } else { -sum(&order[to..from]) }
}
