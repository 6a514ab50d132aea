//! A beam over whole boards: all successors of a level are judged, and the best go on.
//!
//! Nothing is sorted: scores are counted, and what is below the score that the width allows goes on, in the order in which it
//! was made. So parents are visited in their order, and four bits for each state, which of its moves went on, are enough to
//! find the way back.

use std::time::Duration;

use pintu_search::{Control, Hold, Meter, Stop, clock::Instant};
use pintu_tiles::{Direction, Topology};

use super::{
    evaluation::{Guide, MAX_VIEWS, Remainders},
    seen::Seen,
};
use crate::{beam::spread_numbers, views::fetch};

/// What a beam looks for.
pub(super) struct GuidedTask<'a> {
    pub(super) guide: &'a Guide,
    /// The start: what lies in each cell is named by its goal cell.
    pub(super) start: &'a [u8],
    pub(super) width: usize,
    /// The most moves that a solution may have.
    pub(super) most: usize,
    /// The moves that a solution is expected to have, and the time after which it should be there.
    pub(super) pace: Option<(usize, Duration)>,
}

/// Watches a beam's levels, to learn from them.
pub(super) trait Watcher {
    /// Whether it watches at all.
    const WATCHES: bool = true;

    /// A level has been made.
    fn level(&mut self, level: &Level<'_>);

    /// A solution follows from this state of the last level.
    fn solved(&mut self, parent: usize);
}

/// What a watcher sees of a level.
#[cfg_attr(not(feature = "training"), expect(dead_code, reason = "only training watches"))]
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
    hash: u64,
    score: i32,
    parent: u32,
    /// Two bits for each view.
    entries: u16,
    change: i8,
    /// The direction's index, and the cell that the tile leaves.
    direction: u8,
    from: u8,
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
/// How many states are expanded together, so that they wait for memory together.
const BLOCK: usize = 32;
/// How many states are made between two looks at the clock.
const CHECK_INTERVAL: usize = 4096;
/// A beam that is late gets no narrower than this.
const NARROWEST: usize = 48;

/// The bytes that a beam holds for each state of its width, if its solution has up to `levels` moves.
pub(super) fn bytes_a_width(cells: usize, levels: usize) -> u64 {
    let state = match cells {
        ..=40 => size_of::<Held<40>>(),
        41..=52 => size_of::<Held<52>>(),
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
        41..=52 => Beam::<52>::new(task, control)?.run(watcher),
        _ => Beam::<64>::new(task, control)?.run(watcher),
    }
}

struct Beam<'a, const N: usize> {
    task: &'a GuidedTask<'a>,
    control: &'a Control,
    meter: Meter<'a>,
    _hold: Hold,
    steps: Vec<Vec<(u8, u8)>>,
    /// What each tile in each cell adds to a hash.
    keys: Vec<u64>,
    level: Vec<Held<N>>,
    next: Vec<Held<N>>,
    candidates: Vec<Candidate>,
    seen: Seen,
    /// For each level and each of its states, which moves went on.
    kept: Vec<Vec<u8>>,
    counts: Vec<u32>,
    width: usize,
    began: Instant,
    block: Block,
    /// The scores of a level, for an observer.
    scores: Vec<i32>,
}

/// Buffers of a block of states that are expanded together.
struct Block {
    moves: Vec<Move>,
    places: Vec<[u8; 64 + 1]>,
    at: Vec<u32>,
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
            counts: Vec::new(),
            width: task.width,
            began: Instant::now(),
            block: Block { moves: Vec::new(), places: Vec::new(), at: Vec::new() },
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
            self.candidates.clear();
            for block in (0..self.level.len()).step_by(BLOCK) {
                self.expand(block, depth)?;
            }
            let goal = self.candidates.iter().find(|candidate| self.is_goal(candidate)).copied();
            if let Some(goal) = goal {
                // The goal counts as expanded, if the limit allows it.
                let _ = self.meter.expand();
                watcher.solved(goal.parent as usize);
                return Ok(Some(self.way(&goal)));
            }
            self.set_width(depth);
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

    fn is_goal(&self, candidate: &Candidate) -> bool {
        let parent = &self.level[candidate.parent as usize];
        parent.far == 1 && self.far(parent, candidate.from) == 0
    }

    /// The distances after the tile in the cell `from` has moved.
    #[inline]
    fn far(&self, parent: &Held<N>, from: u8) -> i32 {
        let (from, blank) = (usize::from(from), usize::from(parent.blank));
        let tile = usize::from(parent.tiles[from]);
        i32::from(parent.far) + self.task.guide.distance(tile, blank) - self.task.guide.distance(tile, from)
    }

    /// Judges the successors of a block of states.
    fn expand(&mut self, first: usize, depth: usize) -> Result<(), Stop> {
        let guide = self.task.guide;
        let views = guide.views();
        let room = self.task.most as i32 - depth as i32;
        let end = (first + BLOCK).min(self.level.len());
        let Block { moves, places, at } = &mut self.block;
        moves.clear();
        places.clear();
        for (index, held) in (first..).zip(&self.level[first..end]) {
            self.meter.expand()?;
            places.push(guide.places(&held.tiles));
            for &(from, direction) in &self.steps[usize::from(held.blank)] {
                if from == held.last {
                    continue;
                }
                let tile = usize::from(held.tiles[usize::from(from)]);
                let keys = &self.keys[tile * N..][..N];
                let hash = held.hash ^ keys[usize::from(from)] ^ keys[usize::from(held.blank)];
                self.seen.fetch(hash);
                moves.push(Move { hash, parent: index as u32, from, direction });
            }
        }
        self.meter.generate(moves.len() as u64);
        moves.retain(|made| self.seen.is_new(made.hash));
        at.clear();
        for made in moves.iter() {
            let held = &self.level[made.parent as usize];
            let places = &mut places[made.parent as usize - first];
            let tile = usize::from(held.tiles[usize::from(made.from)]);
            places[tile] = held.blank;
            for view in 0..views {
                let place = guide.place_in_table(guide.group(view, tile), places);
                fetch(guide.entries(), place as usize / 4);
                at.push(place);
            }
            places[tile] = made.from;
        }
        let network = guide.network.as_deref();
        let mut sums = None;
        for (made, at) in moves.iter().zip(at.chunks_exact(views)) {
            let held = &self.level[made.parent as usize];
            let tile = usize::from(held.tiles[usize::from(made.from)]);
            let (mut change, mut entries) = (0, 0);
            for (view, &at) in at.iter().enumerate() {
                let entry = guide.entry(at);
                change += Guide::change(&held.remainders, guide.group(view, tile), entry);
                entries |= u16::from(entry) << (2 * view);
            }
            let (from, blank) = (usize::from(made.from), usize::from(held.blank));
            let far = i32::from(held.far) + guide.distance(tile, blank) - guide.distance(tile, from);
            if far > room {
                continue;
            }
            let mut score = guide.score(held.sum + change, far);
            if let Some(network) = network {
                if sums.as_ref().is_none_or(|&(of, _)| of != made.parent) {
                    sums = Some((made.parent, network.sums(&held.tiles)));
                }
                let sums = &sums.as_ref().expect("they have been made").1;
                score = network.scaled(score) + network.after(sums, tile, from, blank);
            }
            self.candidates.push(Candidate {
                hash: made.hash,
                score,
                parent: made.parent,
                entries,
                change: change as i8,
                direction: made.direction,
                from: made.from,
            });
        }
        Ok(())
    }

    /// Makes the next level of the best candidates.
    fn select<W: Watcher>(&mut self) -> Result<(), Stop> {
        let guide = self.task.guide;
        let (cut, mut at_cut) = self.cut();
        let mut kept = vec![0; self.level.len()];
        self.next.clear();
        self.scores.clear();
        for (index, candidate) in self.candidates.iter().enumerate() {
            if index % CHECK_INTERVAL == 0 {
                self.control.check()?;
            }
            if candidate.score >= cut {
                if candidate.score > cut || at_cut == 0 {
                    continue;
                }
                at_cut -= 1;
            }
            let parent = &self.level[candidate.parent as usize];
            let (from, blank) = (usize::from(candidate.from), usize::from(parent.blank));
            let tile = parent.tiles[from];
            let mut held = *parent;
            held.far = self.far(parent, candidate.from) as u16;
            held.tiles[blank] = tile;
            held.tiles[from] = guide.board.blank as u8;
            for view in 0..guide.views() {
                let entry = (candidate.entries >> (2 * view) & 3) as u8;
                Guide::remember(&mut held.remainders, guide.group(view, tile.into()), entry);
            }
            held.hash = candidate.hash;
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

    /// The score below which all candidates go on, and how many of those that have it.
    fn cut(&mut self) -> (i32, usize) {
        if self.candidates.len() <= self.width {
            return (i32::MAX, 0);
        }
        let scores = || self.candidates.iter().map(|candidate| candidate.score);
        let (least, most) = (scores().min().unwrap_or(0), scores().max().unwrap_or(0));
        self.counts.clear();
        self.counts.resize((most - least) as usize + 1, 0);
        for score in self.candidates.iter().map(|candidate| candidate.score) {
            self.counts[(score - least) as usize] += 1;
        }
        let mut sum = 0;
        for (score, &count) in (least..).zip(&self.counts) {
            if sum + count as usize > self.width {
                return (score, self.width - sum);
            }
            sum += count as usize;
        }
        (i32::MAX, 0)
    }

    /// The way from the start to a candidate.
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
            // Those of the parent's moves that come before.
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

/// The cells beside a cell, each with its direction's index.
fn steps(topology: Topology, cell: usize) -> Vec<(u8, u8)> {
    let step = |(index, direction)| Some((topology.neighbour(cell, direction)? as u8, index as u8));
    Direction::ALL.into_iter().zip(0..).map(|(direction, index)| (index, direction)).filter_map(step).collect()
}

const _: () = assert!(2 * MAX_VIEWS <= 16, "the views' remainders fit a candidate");
