//! What is tried, in which order, for how long.

use std::{thread, time::Duration};

use pintu_search::Cost;

use super::{
    beam::{End, Quest, beam, width_within},
    ground::Ground,
    stage::{Cuts, Stage, Taste, stages},
    watch::{Spent, Watch},
    window::{Glass, shorten},
};
use crate::Direction;

/// A solve in progress: the best solution so far, and what it is measured against.
pub(super) struct Effort<'a> {
    pub(super) task: Task<'a>,
    pub(super) bound: Cost,
    pub(super) best: Vec<Direction>,
    pub(super) on_better: &'a mut dyn FnMut(&[Direction], Cost),
}

/// What every thread works on.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    pub(super) ground: &'a Ground,
    pub(super) start: &'a [u8],
    pub(super) goal: &'a [u8],
    pub(super) watch: &'a Watch<'a>,
    pub(super) threads: usize,
}

/// The width of the first beam: an answer within milliseconds on small boards, within a second on 16×16.
const FIRST_WIDTH: usize = 100;
/// Where memory allows less than this, the construction is all there is.
const LEAST_WIDTH: usize = 8;
/// By how much the beam grows while there is plenty of time.
const GROWTH: usize = 4;
/// No beam is wider, whatever the budget.
const MOST_WIDTH: usize = 1 << 22;
/// The part of the time left that the widest beam may take. Windows get the rest.
const SHARE: f64 = 0.75;

impl Effort<'_> {
    /// Improves the best solution until the budget ends, or nothing is left to try.
    pub(super) fn run(&mut self) {
        let mut width = FIRST_WIDTH;
        let mut last = 0;
        let mut pace = None;
        loop {
            width = width.min(self.most_width());
            if width <= last || width < LEAST_WIDTH || self.is_over() {
                break;
            }
            let began = self.task.watch.spent();
            self.round(width, pace);
            let spent = self.task.watch.spent().since(began);
            last = width;
            (width, pace) = self.next(width, spent);
        }
        self.windows();
    }

    fn is_over(&self) -> bool {
        self.best.len() <= self.bound as usize || self.task.watch.stop().is_some()
    }

    fn most_width(&self) -> usize {
        width_within(self.task.ground.cells, self.best.len(), self.task.memory()).min(MOST_WIDTH)
    }

    /// The next beam's width, and the time that it may take.
    fn next(&self, width: usize, spent: Spent) -> (usize, Option<Duration>) {
        let left = self.task.watch.left();
        let turns = SHARE * self.task.watch.turns_left(spent);
        if turns > 5.0 * GROWTH as f64 {
            (width * GROWTH, left.map(|left| left.mul_f64(SHARE)))
        } else if turns > 1.5 {
            ((width as f64 * turns) as usize, left.map(|left| left.mul_f64(SHARE)))
        } else {
            (0, None)
        }
    }

    /// One beam on each thread, each from another side or with another taste.
    fn round(&mut self, width: usize, pace: Option<Duration>) {
        let (task, best) = (self.task, self.best.len());
        let ends: Vec<End> = thread::scope(|scope| {
            let others: Vec<_> = (1..task.threads)
                .map(|variant| scope.spawn(move || task.attempt(variant, width, best, pace)))
                .collect();
            let first = task.attempt(0, width, best, pace);
            let others = others.into_iter().map(|thread| thread.join().unwrap_or(End::Lost));
            std::iter::once(first).chain(others).collect()
        });
        for end in ends {
            match end {
                End::Found(moves) => self.offer(moves),
                End::Proved => self.bound = self.best.len() as Cost,
                End::Lost => {}
            }
        }
    }

    /// Takes a solution if it is shorter.
    fn offer(&mut self, moves: Vec<Direction>) {
        if moves.len() < self.best.len() {
            self.best = moves;
            (self.on_better)(&self.best, self.bound);
        }
    }

    /// Windows of growing span and width, until a whole round of the widest finds nothing.
    fn windows(&mut self) {
        let mut glass = Glass { span: 40, width: self.most_width().min(1000), memory: self.task.memory() };
        while !self.is_over() && glass.width >= LEAST_WIDTH {
            let mut moves = self.best.clone();
            if shorten(self.task.ground, self.task.start, &mut moves, glass, self.task.watch) {
                self.offer(moves);
                continue;
            }
            if glass.span > self.best.len() && glass.width >= self.most_width() {
                break;
            }
            glass.span += glass.span / 2;
            glass.width = (glass.width * 2).min(self.most_width());
        }
    }
}

impl Task<'_> {
    /// What each thread may hold.
    fn memory(&self) -> u64 {
        (self.watch.memory().saturating_sub(self.ground.bytes()) / self.threads as u64)
            .saturating_sub(Stage::most_bytes(self.ground))
    }

    fn attempt(&self, variant: usize, width: usize, best: usize, pace: Option<Duration>) -> End {
        let backwards = variant % 2 == 1;
        let (start, goal) = if backwards { (self.goal, self.start) } else { (self.start, self.goal) };
        let taste = taste(self.ground);
        let stages = stages(self.ground, goal, cuts(self.ground, width), &taste);
        let quest = Quest {
            ground: self.ground,
            start,
            goal,
            stages: &stages,
            width,
            most: best - if self.ground.keeps_parity() { 2 } else { 1 },
            pace: pace.map(|pace| (best, pace)),
            memory: self.memory(),
        };
        match beam(&quest, self.watch) {
            End::Found(moves) if backwards => End::Found(turned_round(&moves)),
            end => end,
        }
    }
}

fn taste(_: &Ground) -> Taste {
    let get = |name: &str, usual: f64| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(usual);
    Taste {
        power: get("E", 1.3),
        rest: get("REST", 0.66),
        conflict: get("LC", 2.5),
        border: get("BW", 0.45),
        loose: get("LO", 0.0),
        errand: get("BD", 0.6),
    }
}

fn cuts(ground: &Ground, width: usize) -> Cuts {
    let side = ground.size.rows().max(ground.size.cols());
    if let Ok(v) = std::env::var("CUTS") {
        let n: isize = v.parse().unwrap();
        return if n == 0 {
            Cuts::None
        } else if n > 0 {
            Cuts::Lines(n as usize)
        } else {
            Cuts::Pieces(-n as usize)
        };
    }
    if side <= 5 {
        Cuts::None
    } else if width < 40 * side {
        Cuts::Pieces(4)
    } else {
        Cuts::Lines(4)
    }
}

/// The same way from its end to its start.
fn turned_round(moves: &[Direction]) -> Vec<Direction> {
    moves.iter().rev().map(|direction| direction.opposite()).collect()
}
