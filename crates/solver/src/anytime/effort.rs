//! What is tried, in which order, for how long.

use std::{ops::ControlFlow::Continue, time::Duration};

use pintu_search::Control;
use pintu_tiles::Direction;

use super::{
    beam::{BeamEnd, Need, Quest, beam},
    construct::untwist,
    ground::Ground,
    stage::{Cuts, Stage, Taste, is_twisted, stages},
    window::{Glass, shorten},
};
use crate::{
    budget,
    pace::Spent,
    threads::{Alarm, share_out},
};

/// A solve in progress: the best solution so far, and what it is measured against.
pub(super) struct Effort<'a> {
    pub(super) scene: Scene<'a>,
    pub(super) bound: u32,
    pub(super) best: Vec<Direction>,
    /// Rounds of beams that found nothing better.
    pub(super) losses: usize,
    pub(super) on_better: &'a mut dyn FnMut(&[Direction], u32),
}

/// What every thread works on.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) ground: &'a Ground,
    /// The same without the wraps that join cells of one colour.
    pub(super) even: &'a Ground,
    pub(super) start: &'a [u8],
    pub(super) goal: &'a [u8],
    pub(super) control: &'a Control,
    pub(super) threads: usize,
}

/// The width of the first beam: an answer within milliseconds on small boards, within a second on 16×16. It is narrower
/// where fewer states may be expanded than it takes to a solution as long as the one that is known.
const FIRST_WIDTH: usize = 100;
/// Where memory allows less than this, the construction is all there is.
const LEAST_WIDTH: usize = 8;
/// By how much the beam grows while there is plenty of time.
const GROWTH: usize = 4;
/// No beam is wider, whatever the budget.
const MOST_WIDTH: usize = 1 << 22;
/// The part of the time left that the widest beam may take. Windows get the rest.
const SHARE: f64 = 0.75;

/// What beams may take where nothing is said.
const USUAL_MEMORY: u64 = 1 << 30;

/// What progress is, for every stage. Found by trial on random boards from 5×5 to 16×16; none of them is
/// sensitive.
const TASTE: Taste = Taste { power: 1.3, rest: 0.3, conflict: 2.5, border: 0.45, loose: 0.2, errand: 0.3 };

impl Effort<'_> {
    /// Improves the best solution until the budget ends, or nothing is left to try.
    pub(super) fn run(&mut self) {
        let mut width = budget::width_within(self.scene.control, self.best.len(), FIRST_WIDTH);
        let mut last = 0;
        let mut pace = None;
        loop {
            width = self.widest(width);
            if width <= last || width < LEAST_WIDTH || self.is_over() {
                break;
            }
            let began = Spent::so_far(self.scene.control);
            self.round(width, pace);
            last = width;
            (width, pace) = self.next(width, began);
        }
        self.windows();
    }

    fn is_over(&self) -> bool {
        self.best.len() <= self.bound as usize || self.scene.control.check().is_break()
    }

    /// The greatest width up to this one for which there is room on every thread.
    fn widest(&self, wanted: usize) -> usize {
        let Scene { ground, control, threads, .. } = self.scene;
        let wanted = wanted.min(MOST_WIDTH);
        let (need, besides) = (Need::of(ground.cells, self.best.len()), Stage::most_bytes(ground));
        let each = |bytes: u64| (bytes / threads as u64).saturating_sub(besides);
        let bytes = (need.bytes(wanted) + besides).saturating_mul(threads as u64).min(USUAL_MEMORY);
        need.width(each(control.room(bytes))).min(wanted)
    }

    /// The next beam's width, and the time that it may take.
    fn next(&self, width: usize, began: Spent) -> (usize, Option<Duration>) {
        let pace = self.scene.control.time_left().map(|left| left.mul_f64(SHARE));
        let turns = SHARE * began.turns_left(self.scene.control);
        if turns > 5.0 * GROWTH as f64 {
            (width * GROWTH, pace)
        } else if turns > 1.5 {
            ((width as f64 * turns) as usize, pace)
        } else {
            (0, None)
        }
    }

    /// One beam on each thread, each from another side or in other stages.
    fn round(&mut self, width: usize, pace: Option<Duration>) {
        let (scene, best, losses) = (self.scene, self.best.len(), self.losses);
        let attempt = move |thread: usize| {
            let _alarm = Alarm(scene.control);
            let stages = losses + thread / 2;
            scene.attempt(Attempt {
                width,
                backwards: thread % 2 == 1,
                cuts: cuts(scene.ground, width, stages),
                best,
                pace,
            })
        };
        let ends = share_out(scene.threads, (0..scene.threads.max(1)).collect(), attempt);
        self.losses += usize::from(ends.iter().all(|end| matches!(end, BeamEnd::Lost)));
        for end in ends {
            match end {
                BeamEnd::Found(moves) => self.offer(moves),
                BeamEnd::Proved => self.raise(best as u32),
                BeamEnd::Lost => {}
            }
        }
    }

    /// Takes a bound that has been proved.
    fn raise(&mut self, bound: u32) {
        assert!(bound as usize <= self.best.len(), "{bound} moves are needed where {} are enough", self.best.len());
        self.bound = self.bound.max(bound);
    }

    /// Takes a solution if it is shorter.
    fn offer(&mut self, moves: Vec<Direction>) {
        if moves.len() < self.best.len() {
            assert!(moves.len() >= self.bound as usize, "{} moves where {} are needed", moves.len(), self.bound);
            self.best = moves;
            (self.on_better)(&self.best, self.bound);
        }
    }

    /// Windows of growing span and width, until a whole round of the widest finds nothing.
    fn windows(&mut self) {
        let mut glass = Glass { span: 40, width: self.widest(1000) };
        while !self.is_over() && glass.width >= LEAST_WIDTH {
            let moves = self.scene.shorten(&self.best, glass);
            if moves.len() < self.best.len() {
                self.offer(moves);
                continue;
            }
            let wider = self.widest(glass.width * 2);
            if glass.span > self.best.len() && wider <= glass.width {
                break;
            }
            glass = Glass { span: glass.span + glass.span / 2, width: wider };
        }
    }
}

/// What one beam tries.
#[derive(Clone, Copy)]
struct Attempt {
    width: usize,
    /// From the goal to the start.
    backwards: bool,
    cuts: Cuts,
    /// The length to beat.
    best: usize,
    pace: Option<Duration>,
}

impl Scene<'_> {
    fn attempt(&self, attempt: Attempt) -> BeamEnd {
        let Attempt { width, backwards, cuts, best, pace } = attempt;
        let (start, goal) = if backwards { (self.goal, self.start) } else { (self.start, self.goal) };
        // A line that is locked takes its wrap with it, and with the last odd one the parity is settled. So
        // stages do without odd wraps, but for one step at the start if that is needed.
        let ground = if cuts == Cuts::None { self.ground } else { self.even };
        let twisted = cuts != Cuts::None && is_twisted(ground, start, goal);
        let first = if twisted { untwist(self.ground, start) } else { Vec::new() };
        let mut tiles = start.to_vec();
        self.ground.play(&mut tiles, &first);
        let shorter = best - if self.ground.keeps_parity() { 2 } else { 1 };
        let Some(most) = shorter.checked_sub(first.len()) else { return BeamEnd::Lost };
        let mut hold = self.control.hold();
        let Continue(stages) = stages(ground, goal, cuts, &TASTE, &mut hold) else { return BeamEnd::Lost };
        let quest = Quest {
            ground,
            start: &tiles,
            goal,
            stages: &stages,
            width,
            most,
            pace: pace.map(|pace| (best, pace)),
            proves: ground.topology == self.ground.topology && first.is_empty(),
        };
        match beam(&quest, self.control) {
            BeamEnd::Found(moves) => {
                let moves = [first, moves].concat();
                BeamEnd::Found(if backwards { turned_round(&moves) } else { moves })
            }
            end => end,
        }
    }

    /// The same solution with windows of it shortened: each thread has its part of the way.
    fn shorten(&self, moves: &[Direction], glass: Glass) -> Vec<Direction> {
        let scene = *self;
        let mut tiles = self.start.to_vec();
        let parts = moves.chunks(moves.len().div_ceil(self.threads).max(1)).map(|part| {
            let start = tiles.clone();
            self.ground.play(&mut tiles, part);
            (start, part)
        });
        let shorter = share_out(self.threads, parts.collect(), |(start, part)| {
            let _alarm = Alarm(scene.control);
            shorten(scene.ground, &start, part, glass, scene.control)
        });
        shorter.concat()
    }
}

/// How a board is divided for a beam of this width, if it has been in vain so many times.
fn cuts(ground: &Ground, width: usize, losses: usize) -> Cuts {
    /// Boards of up to this side are best solved in one stage.
    const SMALL: usize = 6;
    /// A beam is narrow if it is less than this many times a board's side.
    const NARROW: usize = 40;
    let side = ground.size.rows().max(ground.size.cols());
    let narrow = side > 5 && width < NARROW * side;
    let ladder = match (narrow, side <= SMALL) {
        (true, _) => [Cuts::Lines(1), Cuts::Lines(2), Cuts::Lines(1)],
        (false, true) => [Cuts::None, Cuts::Lines(4), Cuts::Lines(1)],
        (false, false) => [Cuts::Lines(4), Cuts::Lines(2), Cuts::Lines(1)],
    };
    ladder[losses % ladder.len()]
}

/// The same way from its end to its start.
fn turned_round(moves: &[Direction]) -> Vec<Direction> {
    moves.iter().rev().map(|direction| direction.opposite()).collect()
}
