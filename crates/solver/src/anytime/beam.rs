//! The beam: all successors of up to `width` states a level, of which the `width` best go on.
//!
//! States of all stages of a solution are compared at the same number of moves only. A state that has
//! finished its stage waits, with the moves that it took, until the stage ends, and enters the next
//! stage at that level: so an early finish competes with a late, better one.

use std::{
    ops::ControlFlow::{self, Break, Continue},
    time::{Duration, Instant},
};

use pintu_search::{Control, Hold, Meter, Stop};
use pintu_tiles::Direction;

use super::{
    cells::{Balls, CellSet},
    ground::{Ground, blank_of},
    select::{LevelSet, Past, cut},
    stage::{Stage, is_twisted},
    trail::Trail,
};

/// What is asked of a beam.
pub(super) struct Quest<'a> {
    pub(super) ground: &'a Ground,
    pub(super) start: &'a [u8],
    pub(super) goal: &'a [u8],
    pub(super) stages: &'a [Stage],
    pub(super) width: usize,
    /// The most moves that a solution may have.
    pub(super) most: usize,
    /// The moves that a solution is expected to have, and the time after which it should be there: the
    /// beam gets narrower when it is late.
    pub(super) pace: Option<(usize, Duration)>,
    /// Whether it is the board itself that is searched, from where the solution starts: only then does a beam that
    /// leaves nothing out prove anything.
    pub(super) proves: bool,
}

/// How a beam ended.
pub(super) enum BeamEnd {
    Found(Vec<Direction>),
    /// Nothing was left out, so there is no solution of so few moves.
    Proved,
    /// It did not get there.
    Lost,
}

/// For how many levels a stage goes on after its first finish.
const SLACK: usize = 20;
/// For how many levels a stage may go on without bringing its tiles nearer.
const PATIENCE: usize = 200;
/// How many finishes, in beam widths, end a stage.
const PLENTY: usize = 4;
/// How many candidates are looked at, and how many arrivals weighed, between two looks at the clock.
const LOOK: usize = 2048;
const LOOK_AT_ARRIVALS: usize = 64;

/// Runs a beam. It ends early when the control says so.
pub(super) fn beam(quest: &Quest<'_>, control: &Control) -> BeamEnd {
    fn run<const N: usize, const K: usize>(quest: &Quest<'_>, control: &Control) -> BeamEnd {
        match Beam::<N, K>::new(quest, control) {
            Continue(beam) => beam.run(),
            Break(_) => BeamEnd::Lost,
        }
    }
    match quest.ground.cells {
        0..=16 => run::<16, 1>(quest, control),
        17..=32 => run::<32, 1>(quest, control),
        33..=64 => run::<64, 1>(quest, control),
        65..=128 => run::<128, 2>(quest, control),
        _ => run::<256, 4>(quest, control),
    }
}

/// The bytes that a beam takes.
#[derive(Clone, Copy)]
pub(super) struct Need {
    /// For each state of its width.
    each: u64,
    /// Whatever its width.
    rest: u64,
}

impl Need {
    /// What a beam on so many cells takes that needs so many levels.
    pub(super) fn of(cells: usize, levels: usize) -> Self {
        let state = match cells {
            0..=16 => bytes_a_width::<16, 1>(),
            17..=32 => bytes_a_width::<32, 1>(),
            33..=64 => bytes_a_width::<64, 1>(),
            65..=128 => bytes_a_width::<128, 2>(),
            _ => bytes_a_width::<256, 4>(),
        };
        let each = state + Trail::BYTES * (levels as u64 + levels as u64 / 4);
        Self { each, rest: (2 * Trail::CHUNK_BYTES + 8 * LevelSet::LEAST * 4) as u64 }
    }

    /// What a width takes.
    pub(super) fn bytes(self, width: usize) -> u64 {
        self.each * width as u64 + self.rest
    }

    /// The width that so many bytes allow.
    pub(super) fn width(self, bytes: u64) -> usize {
        (bytes.saturating_sub(self.rest) / self.each) as usize
    }
}

/// Two levels, what waits for the next stage and what waits for this one, the candidates and the table
/// of those seen; half as much again for buffers that grow by doubling.
const fn bytes_a_width<const N: usize, const K: usize>() -> u64 {
    let held = size_of::<Held<N, K>>() * (2 + 2 * (PLENTY + 1));
    let candidates = 4 * size_of::<Candidate>() + 8 * (LevelSet::SLOTS + Past::SLOTS);
    (held + candidates) as u64 * 3 / 2
}

/// A state of the beam.
#[derive(Clone, Copy)]
struct Held<const N: usize, const K: usize> {
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
    disorder + stage.errand * near as i32 + if twisted { stage.twist } else { 0 }
}

struct Beam<'a, const N: usize, const K: usize> {
    quest: &'a Quest<'a>,
    control: &'a Control,
    meter: Meter<'a>,
    hold: Hold,
    /// Only where the blank's errand counts.
    balls: Option<Balls<K>>,
    trail: Trail,
    level: Vec<Held<N, K>>,
    next: Vec<Held<N, K>>,
    candidates: Vec<Candidate>,
    /// How many of them are through their stage.
    done: usize,
    seen: LevelSet,
    past: Past,
    width: usize,
    complete: bool,
    began: Instant,
}

/// The states that enter a stage, or leave it, by level.
type Arrivals<const N: usize, const K: usize> = Vec<Vec<Held<N, K>>>;

impl<'a, const N: usize, const K: usize> Beam<'a, N, K> {
    /// Asks for what it holds from the start.
    fn new(quest: &'a Quest<'a>, control: &'a Control) -> ControlFlow<Stop, Self> {
        let mut hold = control.hold();
        hold.more(LevelSet::bytes(quest.width) + Past::bytes(quest.width) + Balls::<K>::most_bytes(quest.ground))?;
        Continue(Self {
            quest,
            control,
            meter: control.meter(),
            hold,
            balls: quest.stages.iter().any(|stage| stage.errand != 0).then(|| Balls::new(quest.ground)),
            trail: Trail::new(),
            level: Vec::new(),
            next: Vec::new(),
            candidates: Vec::new(),
            done: 0,
            seen: LevelSet::new(quest.width),
            past: Past::new(quest.width),
            width: quest.width,
            complete: quest.proves && quest.stages.len() == 1 && quest.ground.hashes_exactly(),
            began: Instant::now(),
        })
    }

    fn run(mut self) -> BeamEnd {
        let mut arrivals = vec![vec![self.first()]];
        for (index, stage) in self.quest.stages.iter().enumerate() {
            let last = index + 1 == self.quest.stages.len();
            match self.stage(stage, arrivals, last) {
                Continue(left) => arrivals = left,
                Break(end) => return end,
            }
        }
        BeamEnd::Lost
    }

    fn first(&self) -> Held<N, K> {
        let mut tiles = [0; N];
        tiles[..self.quest.ground.cells].copy_from_slice(self.quest.start);
        Held {
            tiles,
            loose: CellSet::EMPTY,
            hash: 0,
            disorder: 0,
            node: 0,
            own: 0,
            all: 0,
            blank: blank_of(self.quest.start) as u8,
            last: NOWHERE,
            near: 0,
            twisted: is_twisted(self.quest.ground, self.quest.start, self.quest.goal),
        }
    }

    /// Takes all arrivals through a stage, and returns those who came through.
    fn stage(
        &mut self,
        stage: &Stage,
        mut arrivals: Arrivals<N, K>,
        is_last: bool,
    ) -> ControlFlow<BeamEnd, Arrivals<N, K>> {
        let mut through: Arrivals<N, K> = Vec::new();
        let mut first_through = None;
        let mut count = 0;
        self.level.clear();
        self.past.clear();
        let mut closest = (i16::MAX, 0);
        for depth in 0..=self.quest.most {
            through.push(Vec::new());
            let arrived = arrivals.get_mut(depth).map(std::mem::take).unwrap_or_default();
            self.candidates.clear();
            self.done = 0;
            self.make_room(arrived.len()).map_break(|_| BeamEnd::Lost)?;
            self.welcome(stage, &arrived, depth).map_break(|_| BeamEnd::Lost)?;
            self.expand(stage, depth).map_break(|_| BeamEnd::Lost)?;
            if self.candidates.is_empty() {
                self.let_go(&[arrived]);
                self.level.clear();
                if depth + 1 >= arrivals.len() {
                    break;
                }
                continue;
            }
            self.set_width(depth);
            self.make_way(&mut through[depth]).map_break(|_| BeamEnd::Lost)?;
            self.advance(stage, &arrived, &mut through[depth]);
            self.let_go(&[arrived]);
            if is_last && let Some(held) = through[depth].first() {
                // The goal counts as taken up, if there is still one to count.
                let _ = self.meter.expand();
                return Break(BeamEnd::Found(self.trail.way_to(held.node)));
            }
            count += through[depth].len();
            self.meter.counters.peak_states = self.meter.counters.peak_states.max((self.level.len() + count) as u64);
            if !through[depth].is_empty() {
                first_through.get_or_insert(depth);
            }
            let own = self.level.iter().map(|held| held.own).min().unwrap_or(0);
            if own < closest.0 {
                closest = (own, depth);
            } else if first_through.is_none() && !self.complete && depth > closest.1 + PATIENCE {
                break;
            }
            if first_through.is_some_and(|first| depth >= first + SLACK || count >= PLENTY * self.width) {
                break;
            }
        }
        self.let_go(&arrivals);
        match (first_through, self.complete) {
            (Some(_), _) => Continue(through),
            (None, true) => Break(BeamEnd::Proved),
            (None, false) => Break(BeamEnd::Lost),
        }
    }

    /// Makes room for the candidates of a level into which so many arrive, and for the states that they make.
    fn make_room(&mut self, arrived: usize) -> ControlFlow<Stop> {
        let candidates = arrived + 4 * self.level.len();
        if candidates > self.candidates.capacity() {
            regrow(&mut self.hold, &mut self.candidates, candidates + candidates / 4)?;
        }
        let states = candidates.min(self.width);
        if states > self.next.capacity() {
            regrow(&mut self.hold, &mut self.next, (2 * states).min(self.width))?;
        }
        Continue(())
    }

    /// What arrived is let go.
    fn let_go(&mut self, arrived: &[Vec<Held<N, K>>]) {
        let states: usize = arrived.iter().map(Vec::capacity).sum();
        self.hold.less((states * size_of::<Held<N, K>>()) as u64);
    }

    /// Makes room for those who come through a stage, and for the steps of all.
    fn make_way(&mut self, through: &mut Vec<Held<N, K>>) -> ControlFlow<Stop> {
        let done = self.done.min(self.width);
        self.hold.reserve(through, done)?;
        self.trail.make_room(done + self.candidates.len().min(self.width), &mut self.hold)
    }

    /// The arrivals of this level as candidates.
    fn welcome(&mut self, stage: &Stage, arrived: &[Held<N, K>], depth: usize) -> ControlFlow<Stop> {
        for (index, held) in arrived.iter().enumerate() {
            if index % LOOK_AT_ARRIVALS == 0 {
                self.control.check()?;
            }
            let (own, all) = stage.left(&held.tiles);
            if depth + all as usize > self.quest.most {
                continue;
            }
            let near = match &self.balls {
                Some(balls) => balls.nearest(usize::from(held.blank), &self.loose(stage, held), 1),
                None => 0,
            };
            let disorder = stage.disorder(self.quest.ground, &held.tiles);
            self.done += usize::from(own == 0);
            self.candidates.push(Candidate {
                hash: stage.hash(self.quest.ground, &held.tiles),
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
        Continue(())
    }

    fn loose(&self, stage: &Stage, held: &Held<N, K>) -> CellSet<K> {
        let mut loose = CellSet::EMPTY;
        let cells = 0..self.quest.ground.cells;
        cells.filter(|&cell| stage.is_loose(usize::from(held.tiles[cell]), cell)).for_each(|cell| loose.insert(cell));
        loose
    }

    /// The successors of the level as candidates.
    fn expand(&mut self, stage: &Stage, depth: usize) -> ControlFlow<Stop> {
        let ground = self.quest.ground;
        let room = self.quest.most as i32 - depth as i32;
        for (index, held) in self.level.iter().enumerate() {
            self.meter.expand()?;
            let blank = usize::from(held.blank);
            for (from, direction) in ground.steps(blank) {
                if from == usize::from(held.last) || stage.is_locked(from) {
                    continue;
                }
                self.meter.counters.generated += 1;
                let tile = usize::from(held.tiles[from]);
                let moved = stage.distance(tile, blank) - stage.distance(tile, from);
                let all = i32::from(held.all) + moved;
                if all > room {
                    continue;
                }
                let disorder = held.disorder + stage.change(ground, &held.tiles, tile, from, blank);
                let near = self.near(stage, held, tile, from);
                let twisted = held.twisted ^ ground.same_colour(from, blank);
                let own = held.own + if stage.owns(tile) { moved as i16 } else { 0 };
                self.done += usize::from(own == 0);
                self.candidates.push(Candidate {
                    hash: held.hash ^ stage.hash_change(ground, tile, from, blank),
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
        Continue(())
    }

    /// The blank's errand after `tile` has moved from the cell `from` to where the blank was.
    #[inline]
    fn near(&self, stage: &Stage, held: &Held<N, K>, tile: usize, from: usize) -> usize {
        let Some(balls) = &self.balls else { return 0 };
        if stage.is_loose(tile, usize::from(held.blank)) {
            return 1;
        }
        let mut loose = held.loose;
        loose.remove(from);
        balls.nearest(from, &loose, usize::from(held.near).saturating_sub(1).max(1))
    }

    /// Makes states of the best candidates. Those whose stage is done go into `through`.
    fn advance(&mut self, stage: &Stage, arrived: &[Held<N, K>], through: &mut Vec<Held<N, K>>) {
        let cut = cut(&self.candidates, self.width);
        self.seen.clear();
        self.next.clear();
        let candidates = std::mem::take(&mut self.candidates);
        for at_cut in [false, true] {
            for (index, candidate) in candidates.iter().enumerate() {
                if index % LOOK == 0 && self.control.check().is_break() {
                    self.complete = false;
                    break;
                }
                let done = candidate.own == 0;
                let turn = if done { !at_cut } else { (candidate.score == cut) == at_cut && candidate.score <= cut };
                if !turn {
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

    fn state(&mut self, stage: &Stage, arrived: &[Held<N, K>], candidate: &Candidate) -> Held<N, K> {
        let parent = candidate.parent as usize;
        let mut held = if candidate.direction == ARRIVED {
            let held = arrived[parent];
            Held { loose: self.loose(stage, &held), ..held }
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
            held.node = self.trail.step(held.node, candidate.direction);
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
        let Some((levels, time)) = self.quest.pace else { return };
        let spent = self.began.elapsed();
        let expanded = self.meter.counters.expanded;
        if expanded < 1000 {
            return;
        }
        let each = spent.as_secs_f64() / expanded as f64;
        let levels_left = levels.saturating_sub(depth).max(levels / 20 + 1);
        let affordable = time.saturating_sub(spent).as_secs_f64() / (each * levels_left as f64);
        self.width = (affordable as usize).clamp(LEAST.min(self.quest.width), self.quest.width);
    }
}

/// Makes a vector that is not needed any more one with room for so many elements. The old one goes before the new one
/// comes.
fn regrow<T>(hold: &mut Hold, vec: &mut Vec<T>, capacity: usize) -> ControlFlow<Stop> {
    hold.less((vec.capacity() * size_of::<T>()) as u64);
    *vec = Vec::new();
    hold.reserve(vec, capacity)
}
