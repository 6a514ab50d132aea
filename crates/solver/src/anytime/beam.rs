//! The beam: all successors of up to `width` states a level, of which the `width` best go on.
//!
//! States of all stages of a solution are compared at the same number of moves only. A state that has
//! finished its stage waits, with the moves that it took, until the stage ends, and enters the next
//! stage at that level: so an early finish competes with a late, better one.

use std::time::Duration;

use pintu_search::{Control, Hold, Meter, Stop, clock::Instant};
use pintu_tiles::Direction;

use super::{
    geometry::{Balls, CellSet, Geometry, blank_of},
    parents::Parents,
    select::{LevelSet, Past, cut},
    stage::{Stage, is_twisted},
};

pub(super) struct BeamTask<'a> {
    pub(super) geometry: &'a Geometry,
    pub(super) start: &'a [u8],
    pub(super) goal: &'a [u8],
    pub(super) stages: &'a [Stage],
    pub(super) width: usize,
    /// The most moves that a solution may have.
    pub(super) most: usize,
    /// The moves that a solution is expected to have, and the time after which it should be there: the
    /// beam gets narrower when it is late.
    pub(super) pace: Option<(usize, Duration)>,
    /// Whether the board itself is searched, from the solution's start: only then does a beam that leaves nothing out
    /// prove anything.
    pub(super) proves: bool,
}

pub(super) enum BeamEnd {
    Found(Vec<Direction>),
    /// The beam left no state out: no solution has at most `most` moves.
    Proved,
    Lost,
}

/// Levels that a stage goes on after its first finish.
const LEVELS_AFTER_FINISH: usize = 20;
/// Levels that a stage may go on without bringing its tiles nearer.
const MAX_IDLE_LEVELS: usize = 200;
/// Finishes that end a stage, in beam widths.
const FINISHES_PER_WIDTH: usize = 4;
/// States that are judged when all stages are done.
const JUDGED: usize = 500;
/// Candidates expanded, or arrivals weighed, between two checks of the control.
const CHECK_INTERVAL: usize = 2048;
const ARRIVAL_CHECK_INTERVAL: usize = 64;

pub(super) fn beam(task: &BeamTask<'_>, control: &Control) -> BeamEnd {
    fn run<const N: usize, const K: usize>(task: &BeamTask<'_>, control: &Control) -> BeamEnd {
        match Beam::<N, K>::new(task, control) {
            Ok(beam) => beam.run(),
            Err(_) => BeamEnd::Lost,
        }
    }
    match task.geometry.cells {
        0..=16 => run::<16, 1>(task, control),
        17..=32 => run::<32, 1>(task, control),
        33..=64 => run::<64, 1>(task, control),
        65..=128 => run::<128, 2>(task, control),
        _ => run::<256, 4>(task, control),
    }
}

/// The moves through all stages to the state with the least sum of judgement and moves, both in the judge's unit: a
/// move counts `a_move`. Only states that look best by their distances are judged.
pub(super) fn best_through(
    task: &BeamTask<'_>,
    control: &Control,
    a_move: i32,
    judge: &mut dyn FnMut(&[u8]) -> i32,
) -> Option<Vec<Direction>> {
    match task.geometry.cells {
        0..=64 => Beam::<64, 1>::new(task, control).ok()?.best_through(a_move, judge),
        65..=128 => Beam::<128, 2>::new(task, control).ok()?.best_through(a_move, judge),
        _ => Beam::<256, 4>::new(task, control).ok()?.best_through(a_move, judge),
    }
}

#[derive(Clone, Copy)]
pub(super) struct BeamBytes {
    /// Bytes for each state of the width.
    each: u64,
    /// Bytes that do not depend on the width.
    rest: u64,
}

impl BeamBytes {
    /// The bytes of a beam of `levels` levels on a board of `cells` cells.
    pub(super) fn of(cells: usize, levels: usize) -> Self {
        let state = match cells {
            0..=16 => bytes_a_width::<16, 1>(),
            17..=32 => bytes_a_width::<32, 1>(),
            33..=64 => bytes_a_width::<64, 1>(),
            65..=128 => bytes_a_width::<128, 2>(),
            _ => bytes_a_width::<256, 4>(),
        };
        let each = state + Parents::BYTES * (levels as u64 + levels as u64 / 4);
        Self { each, rest: (2 * Parents::CHUNK_BYTES + 8 * LevelSet::LEAST * 4) as u64 }
    }

    pub(super) fn bytes(self, width: usize) -> u64 {
        self.each * width as u64 + self.rest
    }

    pub(super) fn width(self, bytes: u64) -> usize {
        (bytes.saturating_sub(self.rest) / self.each) as usize
    }
}

/// Bytes of two levels, the states that wait for this stage and the next, the candidates and the table of seen states;
/// half as much again for buffers that grow by doubling.
const fn bytes_a_width<const N: usize, const K: usize>() -> u64 {
    let held = size_of::<BeamState<N, K>>() * (2 + 2 * (FINISHES_PER_WIDTH + 1));
    let candidates = 4 * size_of::<Candidate>() + 8 * (LevelSet::SLOTS + Past::SLOTS);
    (held + candidates) as u64 * 3 / 2
}

#[derive(Clone, Copy)]
struct BeamState<const N: usize, const K: usize> {
    tiles: [u8; N],
    /// The cells of the stage's tiles that are not at home.
    loose: CellSet<K>,
    hash: u64,
    disorder: i32,
    node: u32,
    /// Distances left: of the stage's tiles, and of all.
    own: i16,
    all: i16,
    blank: u8,
    last: u8,
    near: u8,
    twisted: bool,
}

#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) hash: u64,
    pub(super) score: i32,
    disorder: i32,
    parent: u32,
    own: i16,
    all: i16,
    to: u8,
    direction: u8,
    near: u8,
    twisted: bool,
}

/// The direction of a candidate that comes from the stage before.
const ARRIVED: u8 = u8::MAX;
const NOWHERE: u8 = u8::MAX;

#[inline]
fn score(stage: &Stage, disorder: i32, near: usize, twisted: bool) -> i32 {
    disorder + stage.blank_weight * near as i32 + if twisted { stage.twist } else { 0 }
}

struct Beam<'a, const N: usize, const K: usize> {
    task: &'a BeamTask<'a>,
    control: &'a Control,
    meter: Meter<'a>,
    hold: Hold,
    /// `None` where the blank's distance does not count.
    balls: Option<Balls<K>>,
    parents: Parents,
    level: Vec<BeamState<N, K>>,
    next: Vec<BeamState<N, K>>,
    candidates: Vec<Candidate>,
    /// The number of candidates that have finished their stage.
    done: usize,
    seen: LevelSet,
    past: Past,
    width: usize,
    complete: bool,
    began: Instant,
}

/// The states that enter a stage, or leave it, by level.
type Arrivals<const N: usize, const K: usize> = Vec<Vec<BeamState<N, K>>>;

impl<'a, const N: usize, const K: usize> Beam<'a, N, K> {
    /// Asks for the memory that the beam holds from the start.
    fn new(task: &'a BeamTask<'a>, control: &'a Control) -> Result<Self, Stop> {
        let mut hold = control.hold();
        hold.more(LevelSet::bytes(task.width) + Past::bytes(task.width) + Balls::<K>::most_bytes(task.geometry))?;
        Ok(Self {
            task,
            control,
            meter: control.meter(),
            hold,
            balls: task.stages.iter().any(|stage| stage.blank_weight != 0).then(|| Balls::new(task.geometry)),
            parents: Parents::new(),
            level: Vec::new(),
            next: Vec::new(),
            candidates: Vec::new(),
            done: 0,
            seen: LevelSet::new(task.width),
            past: Past::new(task.width),
            width: task.width,
            complete: task.proves && task.stages.len() == 1 && task.geometry.hashes_exactly(),
            began: Instant::now(),
        })
    }

    fn run(mut self) -> BeamEnd {
        let mut arrivals = vec![vec![self.first()]];
        for (index, stage) in self.task.stages.iter().enumerate() {
            let last = index + 1 == self.task.stages.len();
            match self.stage(stage, arrivals, last) {
                Ok(left) => arrivals = left,
                Err(end) => return end,
            }
        }
        BeamEnd::Lost
    }

    fn best_through(mut self, a_move: i32, judge: &mut dyn FnMut(&[u8]) -> i32) -> Option<Vec<Direction>> {
        let mut arrivals = vec![vec![self.first()]];
        for stage in self.task.stages {
            arrivals = self.stage(stage, arrivals, false).ok()?;
        }
        let all = |depth: usize, held: &BeamState<N, K>| depth as i32 + i32::from(held.all);
        let states = arrivals.iter().enumerate().flat_map(|(depth, held)| held.iter().map(move |held| (depth, held)));
        let count = arrivals.iter().map(Vec::len).sum::<usize>();
        self.hold.more((count * size_of::<(usize, &BeamState<N, K>)>()) as u64).ok()?;
        let mut ordered = Vec::with_capacity(count);
        ordered.extend(states);
        ordered.sort_unstable_by_key(|&(depth, held)| all(depth, held));
        let cells = self.task.geometry.cells;
        let worth = |&(depth, held): &(usize, &BeamState<N, K>)| depth as i32 * a_move + judge(&held.tiles[..cells]);
        let (_, best) = ordered.into_iter().take(JUDGED).min_by_key(worth)?;
        Some(self.parents.path_to(best.node))
    }

    fn first(&self) -> BeamState<N, K> {
        let mut tiles = [0; N];
        tiles[..self.task.geometry.cells].copy_from_slice(self.task.start);
        BeamState {
            tiles,
            loose: CellSet::EMPTY,
            hash: 0,
            disorder: 0,
            node: 0,
            own: 0,
            all: 0,
            blank: blank_of(self.task.start) as u8,
            last: NOWHERE,
            near: 0,
            twisted: is_twisted(self.task.geometry, self.task.start, self.task.goal),
        }
    }

    /// Takes all arrivals through a stage, and returns the states that came through.
    fn stage(&mut self, stage: &Stage, mut arrivals: Arrivals<N, K>, is_last: bool) -> Result<Arrivals<N, K>, BeamEnd> {
        let mut through: Arrivals<N, K> = Vec::new();
        let mut first_through = None;
        let mut count = 0;
        self.level.clear();
        self.past.clear();
        let mut closest = (i16::MAX, 0);
        for depth in 0..=self.task.most {
            through.push(Vec::new());
            let arrived = arrivals.get_mut(depth).map(std::mem::take).unwrap_or_default();
            self.candidates.clear();
            self.done = 0;
            self.make_room(arrived.len()).map_err(|_| BeamEnd::Lost)?;
            self.welcome(stage, &arrived, depth).map_err(|_| BeamEnd::Lost)?;
            self.expand(stage, depth).map_err(|_| BeamEnd::Lost)?;
            if self.candidates.is_empty() {
                self.release(&[arrived]);
                self.level.clear();
                if depth + 1 >= arrivals.len() {
                    break;
                }
                continue;
            }
            self.set_width(depth);
            self.make_room_for_next(&mut through[depth]).map_err(|_| BeamEnd::Lost)?;
            self.advance(stage, &arrived, &mut through[depth]);
            self.release(&[arrived]);
            if is_last && let Some(held) = through[depth].first() {
                // The goal counts as expanded, if the limit allows it.
                let _ = self.meter.expand();
                return Err(BeamEnd::Found(self.parents.path_to(held.node)));
            }
            count += through[depth].len();
            self.meter.note_states((self.level.len() + count) as u64);
            if !through[depth].is_empty() {
                first_through.get_or_insert(depth);
            }
            let own = self.level.iter().map(|held| held.own).min().unwrap_or(0);
            if own < closest.0 {
                closest = (own, depth);
            } else if first_through.is_none() && !self.complete && depth > closest.1 + MAX_IDLE_LEVELS {
                break;
            }
            if first_through
                .is_some_and(|first| depth >= first + LEVELS_AFTER_FINISH || count >= FINISHES_PER_WIDTH * self.width)
            {
                break;
            }
        }
        self.release(&arrivals);
        match (first_through, self.complete) {
            (Some(_), _) => Ok(through),
            (None, true) => Err(BeamEnd::Proved),
            (None, false) => Err(BeamEnd::Lost),
        }
    }

    /// Makes room for the candidates of a level into which `arrived` states arrive, and for the states that they become.
    fn make_room(&mut self, arrived: usize) -> Result<(), Stop> {
        let candidates = arrived + 4 * self.level.len();
        if candidates > self.candidates.capacity() {
            regrow(&mut self.hold, &mut self.candidates, candidates + candidates / 4)?;
        }
        let states = candidates.min(self.width);
        if states > self.next.capacity() {
            regrow(&mut self.hold, &mut self.next, (2 * states).min(self.width))?;
        }
        Ok(())
    }

    /// Releases the bytes of states that have arrived.
    fn release(&mut self, arrived: &[Vec<BeamState<N, K>>]) {
        let states: usize = arrived.iter().map(Vec::capacity).sum();
        self.hold.less((states * size_of::<BeamState<N, K>>()) as u64);
    }

    /// Makes room for the states that come through a stage, and for the parents of all.
    fn make_room_for_next(&mut self, through: &mut Vec<BeamState<N, K>>) -> Result<(), Stop> {
        let done = self.done.min(self.width);
        self.hold.reserve(through, done)?;
        self.parents.make_room(done + self.candidates.len().min(self.width), &mut self.hold)
    }

    /// Adds the arrivals of this level to the candidates.
    fn welcome(&mut self, stage: &Stage, arrived: &[BeamState<N, K>], depth: usize) -> Result<(), Stop> {
        for (index, held) in arrived.iter().enumerate() {
            if index % ARRIVAL_CHECK_INTERVAL == 0 {
                self.control.check()?;
            }
            let (own, all) = stage.left(&held.tiles);
            if depth + all as usize > self.task.most {
                continue;
            }
            let near = match &self.balls {
                Some(balls) => balls.nearest(usize::from(held.blank), &self.loose(stage, held), 1),
                None => 0,
            };
            let disorder = stage.disorder(self.task.geometry, &held.tiles);
            self.done += usize::from(own == 0);
            self.candidates.push(Candidate {
                hash: stage.hash(self.task.geometry, &held.tiles),
                score: score(stage, disorder, near, held.twisted),
                disorder,
                parent: index as u32,
                own: own as i16,
                all: all as i16,
                to: held.blank,
                direction: ARRIVED,
                near: near as u8,
                twisted: held.twisted,
            });
        }
        Ok(())
    }

    fn loose(&self, stage: &Stage, held: &BeamState<N, K>) -> CellSet<K> {
        let mut loose = CellSet::EMPTY;
        let cells = 0..self.task.geometry.cells;
        cells.filter(|&cell| stage.is_loose(usize::from(held.tiles[cell]), cell)).for_each(|cell| loose.insert(cell));
        loose
    }

    /// Adds the successors of the level to the candidates.
    fn expand(&mut self, stage: &Stage, depth: usize) -> Result<(), Stop> {
        let geometry = self.task.geometry;
        let room = self.task.most as i32 - depth as i32;
        for (index, held) in self.level.iter().enumerate() {
            self.meter.expand()?;
            let blank = usize::from(held.blank);
            for (from, direction) in geometry.neighbours(blank) {
                if from == usize::from(held.last) || stage.locked[from] {
                    continue;
                }
                self.meter.generate(1);
                let tile = usize::from(held.tiles[from]);
                let moved = stage.distance(tile, blank) - stage.distance(tile, from);
                let all = i32::from(held.all) + moved;
                if all > room {
                    continue;
                }
                let disorder = held.disorder + stage.change(geometry, &held.tiles, tile, from, blank);
                let near = self.near(stage, held, tile, from);
                let twisted = held.twisted ^ geometry.same_colour(from, blank);
                let own = held.own + if stage.own[tile] { moved as i16 } else { 0 };
                self.done += usize::from(own == 0);
                self.candidates.push(Candidate {
                    hash: held.hash ^ stage.hash_change(geometry, tile, from, blank),
                    score: score(stage, disorder, near, twisted),
                    disorder,
                    parent: index as u32,
                    own,
                    all: all as i16,
                    to: from as u8,
                    direction,
                    near: near as u8,
                    twisted,
                });
            }
        }
        Ok(())
    }

    /// The blank's distance to the nearest loose tile after `tile` has moved from the cell `from` to where the blank was.
    #[inline]
    fn near(&self, stage: &Stage, held: &BeamState<N, K>, tile: usize, from: usize) -> usize {
        let Some(balls) = &self.balls else { return 0 };
        if stage.is_loose(tile, usize::from(held.blank)) {
            return 1;
        }
        let mut loose = held.loose;
        loose.remove(from);
        balls.nearest(from, &loose, usize::from(held.near).saturating_sub(1).max(1))
    }

    /// Makes states of the best candidates. Those whose stage is done go into `through`.
    fn advance(&mut self, stage: &Stage, arrived: &[BeamState<N, K>], through: &mut Vec<BeamState<N, K>>) {
        let cut = cut(&self.candidates, self.width);
        self.seen.clear();
        self.next.clear();
        let candidates = std::mem::take(&mut self.candidates);
        for at_cut in [false, true] {
            for (index, candidate) in candidates.iter().enumerate() {
                if index % CHECK_INTERVAL == 0 && self.control.check().is_err() {
                    self.complete = false;
                    break;
                }
                let done = candidate.own == 0;
                let is_due = if done { !at_cut } else { (candidate.score == cut) == at_cut && candidate.score <= cut };
                if !is_due {
                    continue;
                }
                let full = if done { through.len() >= self.width } else { self.next.len() >= self.width };
                if full {
                    self.complete = false;
                    continue;
                }
                if !self.seen.is_new(candidate.hash) || !self.past.is_new(candidate.hash) {
                    continue;
                }
                let held = self.state(stage, arrived, candidate);
                if done {
                    through.push(held);
                } else {
                    self.next.push(held);
                }
            }
        }
        self.complete &= candidates.iter().all(|candidate| candidate.score <= cut);
        self.candidates = candidates;
        std::mem::swap(&mut self.level, &mut self.next);
    }

    fn state(&mut self, stage: &Stage, arrived: &[BeamState<N, K>], candidate: &Candidate) -> BeamState<N, K> {
        let parent = candidate.parent as usize;
        let mut held = if candidate.direction == ARRIVED {
            let held = arrived[parent];
            BeamState { loose: self.loose(stage, &held), ..held }
        } else {
            let mut held = self.level[parent];
            let (blank, from) = (usize::from(held.blank), usize::from(candidate.to));
            let tile = held.tiles[from];
            held.tiles[blank] = tile;
            held.tiles[from] = 0;
            held.loose.remove(from);
            if stage.is_loose(usize::from(tile), blank) {
                held.loose.insert(blank);
            }
            held.last = held.blank;
            held.blank = candidate.to;
            held.node = self.parents.step(held.node, candidate.direction);
            held
        };
        held.hash = candidate.hash;
        held.disorder = candidate.disorder;
        held.own = candidate.own;
        held.all = candidate.all;
        held.near = candidate.near;
        held.twisted = candidate.twisted;
        held
    }

    /// Narrows the beam so that it arrives in time.
    fn set_width(&mut self, depth: usize) {
        const LEAST: usize = 48;
        let Some((levels, time)) = self.task.pace else { return };
        let spent = self.began.elapsed();
        let expanded = self.meter.counters().expanded;
        if expanded < 1000 {
            return;
        }
        let each = spent.as_secs_f64() / expanded as f64;
        let levels_left = levels.saturating_sub(depth).max(levels / 20 + 1);
        let affordable = time.saturating_sub(spent).as_secs_f64() / (each * levels_left as f64);
        self.width = (affordable as usize).clamp(LEAST.min(self.task.width), self.task.width);
    }
}

/// Replaces a vector that is not needed any more by one of a greater capacity. The old one is freed first.
fn regrow<T>(hold: &mut Hold, vec: &mut Vec<T>, capacity: usize) -> Result<(), Stop> {
    hold.less((vec.capacity() * size_of::<T>()) as u64);
    *vec = Vec::new();
    hold.reserve(vec, capacity)
}
