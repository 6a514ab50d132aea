//! A beam over whole boards: all successors of a level are judged, and the best go on.
//!
//! Nothing is sorted: scores are counted, and candidates below the score that the width allows go on, in the order in
//! which they were made. So parents are visited in order, and four bits for each state (which of its moves went on) are
//! enough to reconstruct the path.

use std::time::Duration;

use pintu_search::{Control, Hold, Meter, Stop, clock::Instant};
use pintu_tiles::{Direction, Topology};

use super::{
    evaluation::{Guide, MAX_VIEWS, Places, Remainders},
    network::{Moved, Sums},
    seen::Seen,
};
use crate::{beam::spread_numbers, views::fetch};

/// The task of a beam.
pub(super) struct GuidedTask<'a> {
    pub(super) guide: &'a Guide,
    /// The tile in each cell of the start, named by its goal cell.
    pub(super) start: &'a [u8],
    pub(super) width: usize,
    /// The most moves that a solution may have.
    pub(super) most: usize,
    /// The moves that a solution is expected to have, and the time after which it should be there.
    pub(super) pace: Option<(usize, Duration)>,
}

/// Watches a beam's levels, to learn from them.
pub(super) trait Watcher {
    /// Whether the watcher is told of levels; if not, the beam leaves the calls out.
    const WATCHES: bool = true;

    /// A level has been made.
    fn level(&mut self, level: &Level<'_>);

    /// A solution follows from this state of the last level.
    fn solved(&mut self, parent: usize);
}

/// What a watcher sees of a level.
#[cfg_attr(not(any(feature = "training", test)), expect(dead_code, reason = "only training watches"))]
pub(super) struct Level<'a> {
    /// The tiles of a state.
    pub(super) tiles: &'a dyn Fn(usize) -> &'a [u8],
    /// The scores without the network, and with it.
    pub(super) bases: &'a [i32],
    pub(super) scores: &'a [i32],
    /// For each state of the level before it, which moves went on.
    pub(super) kept: &'a [u8],
}

impl Watcher for () {
    const WATCHES: bool = false;

    fn level(&mut self, _: &Level<'_>) {}

    fn solved(&mut self, _: usize) {}
}

#[derive(Clone, Copy)]
struct Held<const N: usize> {
    tiles: [u8; N],
    remainders: Remainders,
    hash: u64,
    sum: i32,
    far: u16,
    blank: u8,
    last: u8,
}

#[derive(Clone, Copy)]
struct Candidate {
    score: i32,
    parent: u32,
    /// The remainders, two bits for each view.
    entries: u16,
    change: i8,
    /// The direction's index, and the cell that the tile leaves.
    direction: u8,
    from: u8,
}

/// Counts the scores of a level's candidates, so that those need not be kept that are sure not to go on.
struct Scores {
    counts: Vec<u32>,
    /// The number of candidates that go on.
    width: usize,
    /// The greatest score of those that may go on, and of all that were counted.
    cut: usize,
    most: usize,
    /// The number of candidates with the cut's score or less.
    within: usize,
}

impl Scores {
    /// Scores outside this range count as its ends.
    const FIRST: i32 = -(1 << 10);
    const LAST: i32 = (1 << 15) - 1;

    fn new() -> Self {
        Self { counts: vec![0; Self::of(Self::LAST) + 1], width: 0, cut: 0, most: 0, within: 0 }
    }

    /// Begins a level.
    fn begin(&mut self, width: usize) {
        self.counts[..=self.most].fill(0);
        (self.width, self.cut, self.most, self.within) = (width.max(1), Self::of(Self::LAST), 0, 0);
    }

    #[inline]
    fn of(score: i32) -> usize {
        (score.clamp(Self::FIRST, Self::LAST) - Self::FIRST) as usize
    }

    /// Counts a candidate, if it may go on; returns whether it may.
    #[inline]
    fn admit(&mut self, score: i32) -> bool {
        let score = Self::of(score);
        if score > self.cut {
            return false;
        }
        self.counts[score] += 1;
        self.within += 1;
        self.most = self.most.max(score);
        if self.within >= self.width {
            self.cut = self.cut.min(self.most);
            while self.within - self.counts[self.cut] as usize >= self.width {
                self.within -= self.counts[self.cut] as usize;
                self.cut -= 1;
            }
        }
        true
    }

    /// The score below which all candidates go on, and how many of those that have it.
    fn cut(&self) -> (usize, usize) {
        let below = self.within - self.counts[self.cut] as usize;
        (self.cut, self.width - below)
    }
}

/// A move that has not been judged.
#[derive(Clone, Copy, Default)]
struct Move {
    hash: u64,
    parent: u32,
    from: u8,
    direction: u8,
}

const NOWHERE: u8 = u8::MAX;
/// States expanded together, so that their memory accesses overlap.
const BLOCK: usize = 32;
/// States made between two checks of the clock.
const CHECK_INTERVAL: usize = 4096;
/// A beam that is late gets no narrower than this.
const NARROWEST: usize = 48;

/// The bytes that a beam holds for each state of its width, if its solution has up to `levels` moves.
pub(super) fn bytes_a_width(cells: usize, levels: usize) -> u64 {
    let state = match cells {
        ..=40 => size_of::<Held<40>>(),
        41..=56 => size_of::<Held<56>>(),
        _ => size_of::<Held<64>>(),
    };
    (2 * state + 3 * size_of::<Candidate>() + Seen::BYTES + levels) as u64
}

/// Searches; returns the cells that the blank goes to, if it finds a solution.
pub(super) fn search(
    task: &GuidedTask<'_>,
    control: &Control,
    watcher: &mut impl Watcher,
) -> Result<Option<Vec<u8>>, Stop> {
    match task.guide.board.cells {
        ..=40 => Beam::<40>::new(task, control)?.run(watcher),
        41..=56 => Beam::<56>::new(task, control)?.run(watcher),
        _ => Beam::<64>::new(task, control)?.run(watcher),
    }
}

struct Beam<'a, const N: usize> {
    task: &'a GuidedTask<'a>,
    control: &'a Control,
    meter: Meter<'a>,
    _hold: Hold,
    steps: Vec<Vec<(u8, u8)>>,
    /// The hash key of each tile in each cell.
    keys: Vec<u64>,
    level: Vec<Held<N>>,
    next: Vec<Held<N>>,
    candidates: Vec<Candidate>,
    seen: Seen,
    /// For each level and each of its states, which moves went on.
    kept: Vec<Vec<u8>>,
    /// The goal, if it has been reached in this level.
    goal: Option<Candidate>,
    counted: Scores,
    width: usize,
    began: Instant,
    block: Block,
    /// The scores of a level, for an observer.
    scores: Vec<i32>,
}

/// Buffers of a block of states that are expanded together.
#[derive(Default)]
struct Block {
    moves: Vec<Move>,
    /// For each state, where its tiles lie, and the network's sums.
    places: Vec<Places>,
    sums: Vec<Sums>,
    at: Vec<u32>,
    /// The moves that the network is to judge, and the tables' judgements of them.
    moved: Vec<Moved>,
    judged: Vec<Candidate>,
    /// The cells in which a state differs from the one before it.
    differ: Vec<u8>,
}

impl Block {
    /// Adds a state, from what is known of the one before it, if there is one: neighbours in a level mostly have a parent or
    /// grandparent in common.
    #[inline]
    fn push<const N: usize>(&mut self, guide: &Guide, before: Option<&[u8; N]>, tiles: &[u8; N]) {
        let Some(before) = before else {
            self.places.push(guide.places(tiles));
            self.sums.extend(guide.network.as_ref().map(|network| network.sums(tiles)));
            return;
        };
        differences(before, tiles, &mut self.differ);
        let mut places = *self.places.last().expect("of the state before");
        for &cell in &self.differ {
            places[usize::from(tiles[usize::from(cell)])] = cell;
        }
        self.places.push(places);
        if let Some(network) = &guide.network {
            let mut sums = *self.sums.last().expect("of the state before");
            if 2 * self.differ.len() > guide.board.cells {
                sums = network.sums(tiles);
            } else {
                network.change(&mut sums, before, tiles, &self.differ);
            }
            self.sums.push(sums);
        }
    }

    /// Clears the block, but for the last state's places and sums.
    fn clear(&mut self) {
        self.moves.clear();
        self.at.clear();
        self.moved.clear();
        self.judged.clear();
        self.places.drain(..self.places.len().saturating_sub(1));
        self.sums.drain(..self.sums.len().saturating_sub(1));
    }
}

/// The cells in which two boards differ.
#[inline]
fn differences<const N: usize>(a: &[u8; N], b: &[u8; N], cells: &mut Vec<u8>) {
    cells.clear();
    let (a, b) = (a.as_chunks::<8>().0, b.as_chunks::<8>().0);
    for (first, (a, b)) in (0..).step_by(8).zip(a.iter().zip(b)) {
        let mut differ = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        while differ != 0 {
            let at = differ.trailing_zeros() / 8;
            cells.push(first + at as u8);
            differ &= !(0xFF << (8 * at));
        }
    }
}

impl<'a, const N: usize> Beam<'a, N> {
    fn new(task: &'a GuidedTask<'a>, control: &'a Control) -> Result<Self, Stop> {
        let board = &task.guide.board;
        let mut hold = control.hold();
        hold.more(bytes_a_width(board.cells, task.most) * task.width as u64)?;
        Ok(Self {
            task,
            control,
            meter: control.meter(),
            _hold: hold,
            steps: (0..board.cells).map(|cell| steps(board.topology, cell)).collect(),
            keys: spread_numbers(0x0DD5_EED5).take(N * N).collect(),
            level: Vec::with_capacity(task.width),
            next: Vec::with_capacity(task.width),
            candidates: Vec::with_capacity(3 * task.width),
            seen: Seen::new(task.width),
            kept: Vec::new(),
            goal: None,
            counted: Scores::new(),
            width: task.width,
            began: Instant::now(),
            block: Block::default(),
            scores: Vec::new(),
        })
    }

    fn run<W: Watcher>(mut self, watcher: &mut W) -> Result<Option<Vec<u8>>, Stop> {
        let first = self.first();
        if first.far == 0 {
            return Ok(Some(Vec::new()));
        }
        self.seen.is_new(first.hash);
        self.level.push(first);
        for depth in 1..=self.task.most {
            self.set_width(depth);
            self.candidates.clear();
            self.counted.begin(self.width);
            for block in (0..self.level.len()).step_by(BLOCK) {
                self.expand(block, depth)?;
            }
            if let Some(goal) = self.goal {
                // The goal counts as expanded, if the limit allows it.
                let _ = self.meter.expand();
                watcher.solved(goal.parent as usize);
                return Ok(Some(self.way(&goal)));
            }
            self.select::<W>()?;
            if W::WATCHES {
                self.show(watcher);
            }
            self.meter.note_states(self.level.len() as u64);
            if self.level.is_empty() {
                break;
            }
        }
        Ok(None)
    }

    fn first(&self) -> Held<N> {
        let guide = self.task.guide;
        let mut tiles = [0; N];
        tiles[..guide.board.cells].copy_from_slice(self.task.start);
        let judged = guide.judge(&tiles);
        let is_blank = |&tile: &u8| usize::from(tile) == guide.board.blank;
        Held {
            tiles,
            remainders: judged.remainders,
            hash: 0,
            sum: judged.sum,
            far: judged.far as u16,
            blank: self.task.start.iter().position(is_blank).expect("a board has a blank") as u8,
            last: NOWHERE,
        }
    }

    /// Judges the successors of a block of states.
    fn expand(&mut self, first: usize, depth: usize) -> Result<(), Stop> {
        let guide = self.task.guide;
        let views = guide.views();
        let room = self.task.most as i32 - depth as i32;
        let end = (first + BLOCK).min(self.level.len());
        let block = &mut self.block;
        block.clear();
        // The entry left of the block before is that of the previous state.
        let before = usize::from(first > 0);
        if before == 0 {
            (block.places, block.sums) = Default::default();
        }
        for (index, held) in (first..).zip(&self.level[first..end]) {
            self.meter.expand()?;
            block.push(guide, index.checked_sub(1).map(|at| &self.level[at].tiles), &held.tiles);
            for &(from, direction) in &self.steps[usize::from(held.blank)] {
                if from == held.last {
                    continue;
                }
                let tile = usize::from(held.tiles[usize::from(from)]);
                let keys = &self.keys[tile * N..][..N];
                let hash = held.hash ^ keys[usize::from(from)] ^ keys[usize::from(held.blank)];
                self.seen.fetch(hash);
                block.moves.push(Move { hash, parent: index as u32, from, direction });
            }
        }
        self.meter.generate(block.moves.len() as u64);
        block.moves.retain(|made| self.seen.is_new(made.hash));
        for made in &block.moves {
            let held = &self.level[made.parent as usize];
            let places = &mut block.places[made.parent as usize - first + before];
            let tile = usize::from(held.tiles[usize::from(made.from)]);
            places[tile] = held.blank;
            for lookup in guide.lookups(tile) {
                let at = guide.place_in_table(lookup, places);
                fetch(guide.entries(), at as usize / 4);
                block.at.push(at);
            }
            places[tile] = made.from;
        }
        for (made, at) in block.moves.iter().zip(block.at.chunks_exact(views)) {
            let held = &self.level[made.parent as usize];
            let tile = held.tiles[usize::from(made.from)];
            let (mut change, mut entries) = (0, 0);
            for ((view, &at), lookup) in (0..).zip(at).zip(guide.lookups(tile.into())) {
                let entry = guide.entry(at);
                change += Guide::change(&held.remainders, lookup, entry);
                entries |= u16::from(entry) << (2 * view);
            }
            let far = far_after(guide, held, made.from);
            if far > room {
                continue;
            }
            let of = made.parent - first as u32 + before as u32;
            block.moved.push(Moved { of, tile, from: made.from, blank: held.blank });
            block.judged.push(Candidate {
                score: guide.score(held.sum + change, far),
                parent: made.parent,
                entries,
                change: change as i8,
                direction: made.direction,
                from: made.from,
            });
            if far == 0 && self.goal.is_none() {
                self.goal = block.judged.last().copied();
            }
        }
        let (judged, candidates, counted) = (&mut block.judged, &mut self.candidates, &mut self.counted);
        let mut admit = |candidate: Candidate| {
            if counted.admit(candidate.score) {
                candidates.push(candidate);
            }
        };
        match &guide.network {
            Some(network) => network.judge(&block.sums, &block.moved, |at, said| {
                let candidate = judged[at];
                admit(Candidate { score: network.scaled(candidate.score) + said, ..candidate });
            }),
            None => judged.iter().for_each(|&candidate| admit(candidate)),
        }
        Ok(())
    }

    /// Makes the next level of the best candidates.
    fn select<W: Watcher>(&mut self) -> Result<(), Stop> {
        let guide = self.task.guide;
        let (cut, mut at_cut) = self.counted.cut();
        let mut kept = vec![0; self.level.len()];
        self.next.clear();
        self.scores.clear();
        for (index, candidate) in self.candidates.iter().enumerate() {
            if index % CHECK_INTERVAL == 0 {
                self.control.check()?;
            }
            let score = Scores::of(candidate.score);
            if score >= cut {
                if score > cut || at_cut == 0 {
                    continue;
                }
                at_cut -= 1;
            }
            let parent = &self.level[candidate.parent as usize];
            let (from, blank) = (usize::from(candidate.from), usize::from(parent.blank));
            let tile = parent.tiles[from];
            let mut held = *parent;
            held.far = far_after(guide, parent, candidate.from) as u16;
            held.tiles[blank] = tile;
            held.tiles[from] = guide.board.blank as u8;
            for (view, lookup) in (0..).zip(guide.lookups(tile.into())) {
                held.remainders.set(lookup, (candidate.entries >> (2 * view) & 3) as u8);
            }
            held.hash ^= self.keys[usize::from(tile) * N + from] ^ self.keys[usize::from(tile) * N + blank];
            held.sum += i32::from(candidate.change);
            held.last = parent.blank;
            held.blank = candidate.from;
            kept[candidate.parent as usize] |= 1 << candidate.direction;
            self.next.push(held);
            if W::WATCHES {
                self.scores.push(candidate.score);
            }
        }
        self.kept.push(kept);
        std::mem::swap(&mut self.level, &mut self.next);
        Ok(())
    }

    fn show(&self, watcher: &mut impl Watcher) {
        let guide = self.task.guide;
        let bases: Vec<i32> = self.level.iter().map(|held| guide.score(held.sum, held.far.into())).collect();
        watcher.level(&Level {
            tiles: &|at| &self.level[at].tiles[..guide.board.cells],
            bases: &bases,
            scores: &self.scores,
            kept: self.kept.last().map_or(&[], Vec::as_slice),
        });
    }

    /// The blank's cells on the path from the start to a candidate.
    fn way(&self, goal: &Candidate) -> Vec<u8> {
        let mut directions = vec![goal.direction];
        let mut at = goal.parent as usize;
        for kept in self.kept.iter().rev() {
            let mut before = 0;
            let parent = kept.iter().position(|moves| {
                before += moves.count_ones() as usize;
                before > at
            });
            let parent = parent.expect("every state has a parent");
            let mut moves = kept[parent];
            // Skip the parent's moves whose states come before.
            for _ in before - moves.count_ones() as usize..at {
                moves &= moves - 1;
            }
            directions.push(moves.trailing_zeros() as u8);
            at = parent;
        }
        let is_blank = |&tile: &u8| usize::from(tile) == self.task.guide.board.blank;
        let mut cell = self.task.start.iter().position(is_blank).expect("a board has a blank");
        let step = |direction: &u8| {
            let to = self.steps[cell].iter().find(|(_, known)| known == direction).expect("it went that way").0;
            cell = usize::from(to);
            to
        };
        directions.iter().rev().map(step).collect()
    }

    /// Narrows the beam so that it arrives in time.
    fn set_width(&mut self, depth: usize) {
        let Some((levels, time)) = self.task.pace else { return };
        let spent = self.began.elapsed();
        let expanded = self.meter.counters().expanded;
        if expanded < 10_000 {
            return;
        }
        let each = spent.as_secs_f64() / expanded as f64;
        let levels_left = levels.saturating_sub(depth).max(levels / 20 + 1);
        let affordable = time.saturating_sub(spent).as_secs_f64() / (each * levels_left as f64);
        self.width = (affordable as usize).clamp(NARROWEST.min(self.task.width), self.task.width);
    }
}

/// The distances after the tile in the cell `from` has moved.
#[inline]
fn far_after<const N: usize>(guide: &Guide, parent: &Held<N>, from: u8) -> i32 {
    let (from, blank) = (usize::from(from), usize::from(parent.blank));
    let tile = usize::from(parent.tiles[from]);
    i32::from(parent.far) + guide.distance(tile, blank) - guide.distance(tile, from)
}

/// The cells beside a cell, each with its direction's index.
fn steps(topology: Topology, cell: usize) -> Vec<(u8, u8)> {
    let step = |(index, direction)| Some((topology.neighbour(cell, direction)? as u8, index as u8));
    Direction::ALL.into_iter().zip(0..).map(|(direction, index)| (index, direction)).filter_map(step).collect()
}

const _: () = assert!(2 * MAX_VIEWS <= 16, "the views' remainders fit a candidate");
