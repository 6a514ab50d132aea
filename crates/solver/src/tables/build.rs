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

use std::{
    ops::{
        ControlFlow::{self, Continue},
        Range,
    },
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use pintu_search::{Control, Stop};

use super::{
    Pattern,
    packing::{Packing, WORD},
    rank::{factorial, order_of, passing},
    residue::Residue,
    rows::{Rows, bits, neighbour_masks},
};
use crate::threads::together;

/// How far a build has come.
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
) -> ControlFlow<Stop, Vec<u8>> {
    let residue = pattern.residue();
    let mut hold = control.hold();
    hold.more(peak_bytes(rows.count() as u64, pattern.tiles().len(), residue))?;
    control.check()?;
    let work = Groundwork::new(pattern, rows);
    let mut wave: Vec<Wave> = work.chunks.iter().map(|chunk| Wave::new(chunk, work.words)).collect();
    let slabs: Vec<Mutex<Slab>> = work.chunks.iter().map(|chunk| Mutex::new(Slab::new(chunk, &work))).collect();
    work.seed(&slabs, &mut wave);
    let total = (rows.count() * work.orders) as u64;
    let mut done = 1;
    for level in 1.. {
        let reached = AtomicUsize::new(0);
        each_slab(&slabs, threads, control, |index, slab| {
            reached.fetch_add(slab.advance(&work, &work.chunks[index], &wave, level), Ordering::Relaxed);
        })?;
        for (last, slab) in wave.iter_mut().zip(&slabs) {
            std::mem::swap(last, &mut lock(slab).next);
        }
        let reached = reached.into_inner() as u64;
        if reached == 0 {
            break;
        }
        done += reached;
        report(Built { done, total });
    }
    drop(wave);
    Continue(Packing::new(rows.count(), residue).pack(&join(slabs), work.orders))
}

/// The bytes of one plane of a row: a bit for each order of the tiles, in whole words.
pub(crate) fn plane_bytes(tiles: usize) -> usize {
    factorial(tiles).div_ceil(WORD) * (WORD / 8)
}

/// The bytes that a build holds at its peak: the states seen, the last level, the next, and the planes; or the planes, once
/// more as one, and what they are packed into. And what orders of the tiles become.
pub(crate) fn peak_bytes(rows: u64, tiles: usize, residue: Residue) -> u64 {
    let planes = residue.planes() as u64;
    let turns = tiles * tiles * factorial(tiles) * size_of::<u16>();
    (3 + planes).max(3 * planes) * rows * plane_bytes(tiles) as u64 + turns as u64
}

/// What does not change while a table is built.
struct Groundwork<'a> {
    pattern: &'a Pattern,
    rows: &'a Rows,
    masks: Vec<u64>,
    beside: Vec<u64>,
    /// Orders of the tiles: the states of a row.
    orders: usize,
    /// Words of a row's bit set.
    words: usize,
    /// `turns[from][to]`: what each order becomes when the tile in place `from` goes to place `to`.
    turns: Vec<Vec<Vec<u16>>>,
    chunks: Vec<Chunk>,
    sets_a_chunk: usize,
}

/// Sets that are worked on together, and their rows.
struct Chunk {
    sets: Range<usize>,
    rows: Range<usize>,
}

impl<'a> Groundwork<'a> {
    fn new(pattern: &'a Pattern, rows: &'a Rows) -> Self {
        let tiles = pattern.tiles().len();
        let topology = pattern.topology();
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
            beside: neighbour_masks(topology),
            orders: factorial(tiles),
            words: factorial(tiles).div_ceil(WORD),
            turns: turns(tiles, longest_turn(topology.cells(), tiles)),
            chunks,
            sets_a_chunk,
        }
    }

    /// Reaches the goal: level 0.
    fn seed(&self, slabs: &[Mutex<Slab>], wave: &mut [Wave]) {
        let row = self.rows.row(self.pattern.mask(), self.pattern.blank());
        let chunk = self.rows.ranks.rank(self.pattern.mask()) / self.sets_a_chunk;
        let at = row - self.chunks[chunk].rows.start;
        let mut slab = lock(&slabs[chunk]);
        slab.seen[at * self.words] |= 1;
        slab.left[at] -= 1;
        wave[chunk].bits[at * self.words] |= 1;
        wave[chunk].active[at] = true;
    }
}

/// The states reached on one level, for the rows of one chunk.
struct Wave {
    bits: Vec<u64>,
    active: Vec<bool>,
}

impl Wave {
    fn new(chunk: &Chunk, words: usize) -> Self {
        Self { bits: vec![0; chunk.rows.len() * words], active: vec![false; chunk.rows.len()] }
    }
}

/// What one thread at a time works on: the rows of one chunk.
struct Slab {
    next: Wave,
    seen: Vec<u64>,
    /// The planes of the levels' remainders, a row's after the other's.
    planes: Vec<u64>,
    /// For each row, the states not yet reached.
    left: Vec<u32>,
}

impl Slab {
    fn new(chunk: &Chunk, work: &Groundwork<'_>) -> Self {
        Self {
            next: Wave::new(chunk, work.words),
            seen: vec![0; chunk.rows.len() * work.words],
            planes: vec![0; chunk.rows.len() * work.words * work.pattern.residue().planes()],
            left: vec![work.orders as u32; chunk.rows.len()],
        }
    }

    /// Pulls one level into the chunk's rows; says how many states are new.
    fn advance(&mut self, work: &Groundwork<'_>, chunk: &Chunk, wave: &[Wave], level: u32) -> usize {
        self.next.bits.fill(0);
        self.next.active.fill(false);
        for set in chunk.sets.clone() {
            self.pull(work, chunk, wave, set);
        }
        (0..chunk.rows.len()).map(|row| self.settle(work, row, level)).sum()
    }

    /// Brings into the rows of a set what one move leads there: a tile that now lies in `to` came from
    /// `from`, where the blank is now.
    fn pull(&mut self, work: &Groundwork<'_>, chunk: &Chunk, wave: &[Wave], set: usize) {
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
                let last = &wave[chunk_before];
                if !last.active[row] {
                    continue;
                }
                let coming = &last.bits[row * work.words..][..work.words];
                let taken = &mut self.next.bits[target * work.words..][..work.words];
                self.next.active[target] = true;
                let place = |cells: u64, cell: usize| (cells & ((1 << cell) - 1)).count_ones() as usize;
                merge(coming, taken, &work.turns, place(before, from), place(mask, to));
            }
        }
    }

    /// Keeps of a row's pulled states those that are new.
    fn settle(&mut self, work: &Groundwork<'_>, row: usize, level: u32) -> usize {
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
                planes[plane * work.words + index] |= if residue.bit(level, plane) { *next } else { 0 };
            }
        }
        self.next.active[row] = reached > 0;
        self.left[row] -= reached;
        reached as usize
    }
}

#[inline]
fn merge(sent: &[u64], taken: &mut [u64], turns: &[Vec<Vec<u16>>], from: usize, to: usize) {
    if from == to {
        for (taken, sent) in taken.iter_mut().zip(sent) {
            *taken |= sent;
        }
        return;
    }
    let turn = &turns[from][to];
    for (index, &word) in sent.iter().enumerate() {
        for bit in bits(word) {
            let order = usize::from(turn[index * WORD + bit]);
            taken[order / WORD] |= 1 << (order % WORD);
        }
    }
}

/// No tile passes more others than there are, nor more than cells lie between.
fn longest_turn(cells: usize, tiles: usize) -> usize {
    (tiles - 1).min(cells)
}

fn turns(tiles: usize, longest: usize) -> Vec<Vec<Vec<u16>>> {
    let orders: Vec<Vec<u8>> = (0..factorial(tiles)).map(|rank| order_of(rank, tiles)).collect();
    let turn = |from: usize, to: usize| -> Vec<u16> {
        if from == to || from.abs_diff(to) > longest { Vec::new() } else { turn(&orders, from, to).collect() }
    };
    (0..tiles).map(|from| (0..tiles).map(|to| turn(from, to)).collect()).collect()
}

/// What each order becomes when its tile in place `from` goes to place `to`.
pub(crate) fn turn(orders: &[Vec<u8>], from: usize, to: usize) -> impl Iterator<Item = u16> {
    orders.iter().enumerate().map(move |(rank, order)| (rank as i32 + shift(order, from, to)) as u16)
}

/// How an order's rank changes when its tile in place `from` goes to place `to`.
fn shift(order: &[u8], from: usize, to: usize) -> i32 {
    let mover = usize::from(order[from]);
    let sum = |passed: &[u8]| passed.iter().map(|&tile| passing(mover, usize::from(tile))).sum::<i32>();
    if from < to { sum(&order[from + 1..=to]) } else { -sum(&order[to..from]) }
}

/// Runs `work` on every slab, each on one of so many threads, unless the control ends it.
fn each_slab(
    slabs: &[Mutex<Slab>],
    threads: usize,
    control: &Control,
    work: impl Fn(usize, &mut Slab) + Sync,
) -> ControlFlow<Stop> {
    let next = AtomicUsize::new(0);
    let run = || {
        while let Some((index, slab)) = {
            let index = next.fetch_add(1, Ordering::Relaxed);
            slabs.get(index).map(|slab| (index, slab))
        } {
            control.check()?;
            work(index, &mut lock(slab));
        }
        Continue(())
    };
    together(threads, run).into_iter().find(ControlFlow::is_break).unwrap_or(Continue(()))
}

fn lock(slab: &Mutex<Slab>) -> std::sync::MutexGuard<'_, Slab> {
    slab.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The planes of all slabs.
fn join(slabs: Vec<Mutex<Slab>>) -> Vec<u64> {
    let planes = slabs.into_iter().map(|slab| slab.into_inner().unwrap_or_else(PoisonError::into_inner).planes);
    // What else a slab holds goes before they are joined.
    let planes: Vec<Vec<u64>> = planes.collect();
    planes.concat()
}
