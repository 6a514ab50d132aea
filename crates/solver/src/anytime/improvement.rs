//! Which beams and windows are tried, in which order, for how long.

use std::{cmp::Ordering, time::Duration};

use pintu_search::Control;
use pintu_tiles::{Direction, Size, Topology};

use super::{
    beam::{BeamBytes, BeamEnd, BeamTask, beam},
    construct::untwist,
    geometry::{Geometry, blank_of},
    stage::{Stage, Weights, is_twisted, stages},
};
use crate::{
    budget::{self, Spent},
    guide::{Guided, SIDES, Within},
    solved::FoundBy,
    threads::{Alarm, share_out},
};

/// A solve in progress: the best solution so far, and what it is measured against.
pub(super) struct Improvement<'a> {
    pub(super) setup: Setup<'a>,
    pub(super) bound: u32,
    pub(super) best: Vec<Direction>,
    /// What found it.
    pub(super) by: FoundBy,
    /// Rounds of beams that found nothing better.
    pub(super) losses: usize,
    pub(super) on_better: &'a mut dyn FnMut(&[Direction], u32),
}

/// What every thread works on.
#[derive(Clone, Copy)]
pub(super) struct Setup<'a> {
    pub(super) geometry: &'a Geometry,
    /// The same without the wraps that join cells of one colour.
    pub(super) even: &'a Geometry,
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
const WEIGHTS: Weights = Weights { power: 1.3, rest: 0.3, conflict: 2.5, border: 0.45, loose: 0.2, blank: 0.3 };

/// The width of the first guided beam, and by how much it grows where there is very much time.
const FIRST_GUIDED_WIDTH: usize = 1000;
const GUIDED_GROWTH: f64 = 16.0;
const MUCH: f64 = 200.0;
/// The part of the time left that the widest guided beam may take.
const GUIDED_SHARE: f64 = 0.92;
/// On boards that have a guide for their last lines only, the share of the time that is left for these if they are all of the
/// board, and the share of it that guided beams get.
const MOST_LAST_LINES_SHARE: f64 = 0.45;
const LAST_LINES_SHARE: f64 = 0.8;

impl Improvement<'_> {
    /// Improves the best solution until the budget ends, or nothing is left to try.
    pub(super) fn run(&mut self) {
        let setup = self.setup;
        let mut width = budget::width_within(setup.control, self.best.len(), FIRST_WIDTH);
        let mut last = 0;
        let mut pace = None;
        let corner = Corner::of(&setup);
        let guided_part = corner.as_ref().map_or(0.0, |corner| corner.cells.len() as f64 / setup.geometry.cells as f64);
        let share = 1.0 - MOST_LAST_LINES_SHARE * guided_part;
        loop {
            width = self.widest(width);
            if width <= last || width < LEAST_WIDTH || self.is_over() {
                break;
            }
            let began = Spent::so_far(setup.control);
            self.round(width, pace);
            if last == 0 && self.guided() {
                break;
            }
            last = width;
            (width, pace) = self.next(width, began, share);
        }
        if let Some(corner) = corner {
            self.last_lines(&corner);
        }
        self.windows();
    }

    /// Beams that a guide leads; whether the board has one, and there was time for it.
    fn guided(&mut self) -> bool {
        let setup = self.setup;
        let time = budget::guided_time(setup.control);
        let Some(guided) = Guided::new(setup.geometry.topology, setup.goal, time, setup.control) else { return false };
        let mut width = FIRST_GUIDED_WIDTH;
        let mut last = 0;
        let mut pace = None;
        loop {
            width = self.widest_guided(&guided, width, self.best.len(), setup.threads.saturating_sub(1));
            if width <= last || width < LEAST_WIDTH || self.is_over() {
                break;
            }
            let began = Spent::so_far(setup.control);
            let Some(most) = self.best.len().checked_sub(setup.geometry.least_gain()) else { break };
            let within = Within { width, most, pace: pace.map(|pace| (self.best.len(), pace)) };
            self.guided_round(&guided, within);
            last = width;
            (width, pace) = next_guided(setup.control, width, began);
        }
        true
    }

    /// A guided beam on the first thread, others on the rest.
    fn guided_round(&mut self, guided: &Guided, within: Within) {
        let (setup, best, losses) = (self.setup, self.best.len(), self.losses);
        let attempt = move |thread: usize| {
            let _alarm = Alarm(setup.control);
            if thread == 0 {
                let found = guided.search(setup.start, within, setup.control);
                return (FoundBy::NetworkBeams, found.ok().flatten().map_or(BeamEnd::Lost, BeamEnd::Found));
            }
            let lines = lines(setup.geometry, within.width, losses + thread / 2);
            let pace = within.pace.map(|(_, pace)| pace);
            (FoundBy::Beams, setup.attempt(within.width, thread % 2 == 1, lines, best, pace))
        };
        let ends = share_out(setup.threads, (0..setup.threads.max(1)).collect(), attempt);
        self.take(ends, best);
    }

    /// Searches the end of the solution again, from where all cells but a square's that has a guide are settled.
    fn last_lines(&mut self, corner: &Corner) {
        let setup = self.setup;
        let Some((at, start)) = corner.first_left_alone(&setup, &self.best) else { return };
        let time = budget::guided_time(setup.control);
        let Some(guided) = Guided::new(corner.topology(), &corner.goal(&setup), time, setup.control) else { return };
        let mut width = FIRST_GUIDED_WIDTH;
        let mut last = 0;
        let mut pace = None;
        loop {
            let old = self.best.len() - at;
            width = self.widest_guided(&guided, width, old, 0);
            if width <= last || width < LEAST_WIDTH || self.is_over() {
                break;
            }
            let began = Spent::so_far(setup.control);
            let Some(most) = old.checked_sub(2) else { break };
            let within = Within { width, most, pace: pace.map(|pace| (old, pace)) };
            if let Ok(Some(end)) = guided.search(&start, within, setup.control) {
                let moves = [&self.best[..at], &end].concat();
                self.offer(moves, FoundBy::NetworkBeams);
            }
            last = width;
            let left = setup.control.time_left().map(|left| left.mul_f64(LAST_LINES_SHARE));
            let repeats = LAST_LINES_SHARE * began.repeats_left(setup.control);
            (width, pace) = if repeats > 1.5 { ((width as f64 * repeats) as usize, left) } else { (0, None) };
        }
    }

    /// The greatest width up to this one for which a guided beam of these levels has room beside other beams of that width.
    fn widest_guided(&self, guided: &Guided, wanted: usize, levels: usize, others: usize) -> usize {
        let Setup { geometry, control, .. } = self.setup;
        let (wanted, others) = (wanted.clamp(1, MOST_WIDTH) as u64, others as u64);
        let beam = BeamBytes::of(geometry.cells, levels).bytes(wanted as usize).div_ceil(wanted);
        let (each, besides) = (guided.bytes_a_width(levels) + others * beam, others * Stage::most_bytes(geometry));
        let room = control.room((each * wanted + besides).min(USUAL_MEMORY));
        (room.saturating_sub(besides) / each) as usize
    }

    fn is_over(&self) -> bool {
        self.best.len() <= self.bound as usize || self.setup.control.check().is_err()
    }

    /// The greatest width up to this one for which there is room on every thread.
    fn widest(&self, wanted: usize) -> usize {
        let Setup { geometry, control, threads, .. } = self.setup;
        let wanted = wanted.min(MOST_WIDTH);
        let (need, besides) = (BeamBytes::of(geometry.cells, self.best.len()), Stage::most_bytes(geometry));
        let each = |bytes: u64| (bytes / threads as u64).saturating_sub(besides);
        let bytes = (need.bytes(wanted) + besides).saturating_mul(threads as u64).min(USUAL_MEMORY);
        need.width(each(control.room(bytes))).min(wanted)
    }

    /// The next beam's width, and the time that it may take.
    fn next(&self, width: usize, began: Spent, share: f64) -> (usize, Option<Duration>) {
        let share = share * SHARE;
        let pace = self.setup.control.time_left().map(|left| left.mul_f64(share));
        let repeats = share * began.repeats_left(self.setup.control);
        if repeats > 5.0 * GROWTH as f64 {
            (width * GROWTH, pace)
        } else if repeats > 1.5 {
            ((width as f64 * repeats) as usize, pace)
        } else {
            (0, None)
        }
    }

    /// One beam on each thread, each from another side or in other stages.
    fn round(&mut self, width: usize, pace: Option<Duration>) {
        let (setup, best, losses) = (self.setup, self.best.len(), self.losses);
        let attempt = move |thread: usize| {
            let _alarm = Alarm(setup.control);
            let lines = lines(setup.geometry, width, losses + thread / 2);
            (FoundBy::Beams, setup.attempt(width, thread % 2 == 1, lines, best, pace))
        };
        let ends = share_out(setup.threads, (0..setup.threads.max(1)).collect(), attempt);
        self.take(ends, best);
    }

    /// Takes what beams found that were to be shorter than `best`.
    fn take(&mut self, ends: Vec<(FoundBy, BeamEnd)>, best: usize) {
        self.losses += usize::from(ends.iter().all(|(_, end)| matches!(end, BeamEnd::Lost)));
        for (by, end) in ends {
            match end {
                BeamEnd::Found(moves) => self.offer(moves, by),
                BeamEnd::Proved => {
                    assert!(best <= self.best.len(), "{best} moves are needed where {} are enough", self.best.len());
                    self.bound = self.bound.max(best as u32);
                }
                BeamEnd::Lost => {}
            }
        }
    }

    fn offer(&mut self, moves: Vec<Direction>, by: FoundBy) {
        if moves.len() < self.best.len() {
            assert!(moves.len() >= self.bound as usize, "{} moves where {} are needed", moves.len(), self.bound);
            self.best = moves;
            self.by = by;
            (self.on_better)(&self.best, self.bound);
        }
    }

    /// Windows of growing span and width, until a whole round of the widest finds nothing.
    fn windows(&mut self) {
        let (mut span, mut width) = (40, self.widest(1000));
        while !self.is_over() && width >= LEAST_WIDTH {
            let moves = self.setup.shorten(&self.best, span, width);
            if moves.len() < self.best.len() {
                let by = self.by;
                self.offer(moves, if by == FoundBy::Construction { FoundBy::Beams } else { by });
                continue;
            }
            let wider = self.widest(width * 2);
            if span > self.best.len() && wider <= width {
                break;
            }
            (span, width) = (span + span / 2, wider);
        }
    }
}

/// The next guided beam's width, and the time that it may take.
fn next_guided(control: &Control, width: usize, began: Spent) -> (usize, Option<Duration>) {
    let pace = control.time_left().map(|left| left.mul_f64(GUIDED_SHARE));
    let repeats = GUIDED_SHARE * began.repeats_left(control);
    if repeats > MUCH {
        ((width as f64 * GUIDED_GROWTH) as usize, pace)
    } else if repeats > 1.5 {
        ((width as f64 * repeats) as usize, pace)
    } else {
        (0, None)
    }
}

/// A square of a larger board that has a guide, around the corner where the goal has its blank.
struct Corner {
    side: usize,
    /// The board's cell of each of its cells.
    cells: Vec<usize>,
}

impl Corner {
    fn of(setup: &Setup<'_>) -> Option<Self> {
        let board = setup.geometry.size;
        let blank = setup.geometry.positions[blank_of(setup.goal)];
        let (row, col) = (usize::from(blank.row), usize::from(blank.col));
        let is_end = |at: usize, length: usize| at == 0 || at + 1 == length;
        let has_room = |side: &usize| board.rows().min(board.cols()) >= *side && setup.geometry.cells > side * side;
        let side =
            SIDES.into_iter().find(has_room).filter(|_| is_end(row, board.rows()) && is_end(col, board.cols()))?;
        let first = |at: usize, length: usize| if at == 0 { 0 } else { length - side };
        let (top, left) = (first(row, board.rows()), first(col, board.cols()));
        let cells = (0..side * side).map(|cell| board.cell(top + cell / side, left + cell % side)).collect();
        Some(Self { side, cells })
    }

    fn topology(&self) -> Topology {
        Topology::plain(Size::new(self.side, self.side).expect("a board's side"))
    }

    /// What lies in it, with tiles numbered as in its goal.
    fn board(&self, goal: &[u8], tiles: &[u8]) -> Option<Vec<u8>> {
        let number = |tile: u8| self.cells.iter().position(|&cell| goal[cell] == tile);
        let blank = self.cells.iter().position(|&cell| goal[cell] == 0)?;
        let rename = |at: usize| match at.cmp(&blank) {
            Ordering::Less => at + 1,
            Ordering::Equal => 0,
            Ordering::Greater => at,
        };
        self.cells.iter().map(|&cell| number(tiles[cell]).map(|at| rename(at) as u8)).collect()
    }

    fn goal(&self, setup: &Setup<'_>) -> Vec<u8> {
        self.board(setup.goal, setup.goal).expect("the goal has its own tiles")
    }

    /// After how many of the moves all other cells are settled for the first time, and what lies in it then.
    fn first_left_alone(&self, setup: &Setup<'_>, moves: &[Direction]) -> Option<(usize, Vec<u8>)> {
        let mut tiles = setup.start.to_vec();
        for at in 0..=moves.len() {
            if at > 0 {
                setup.geometry.play(&mut tiles, &moves[at - 1..at]);
            }
            let is_other = |cell: &usize| !self.cells.contains(cell);
            if (0..tiles.len()).filter(is_other).all(|cell| tiles[cell] == setup.goal[cell]) {
                return self.board(setup.goal, &tiles).map(|board| (at, board));
            }
        }
        None
    }
}

impl Setup<'_> {
    /// A beam from the start to the goal, or backwards, in stages of `lines`, for a solution that is shorter than the
    /// `best`.
    fn attempt(&self, width: usize, backwards: bool, lines: usize, best: usize, pace: Option<Duration>) -> BeamEnd {
        let (start, goal) = if backwards { (self.goal, self.start) } else { (self.start, self.goal) };
        // A line that is locked takes its wrap with it, and with the last odd one the parity is settled. So
        // stages do without odd wraps, but for one step at the start if that is needed.
        let geometry = if lines == 0 { self.geometry } else { self.even };
        let twisted = lines > 0 && is_twisted(geometry, start, goal);
        let first = if twisted { untwist(self.geometry, start) } else { Vec::new() };
        let mut tiles = start.to_vec();
        self.geometry.play(&mut tiles, &first);
        let shorter = best - self.geometry.least_gain();
        let Some(most) = shorter.checked_sub(first.len()) else { return BeamEnd::Lost };
        let mut hold = self.control.hold();
        let Ok(stages) = stages(geometry, goal, lines, &WEIGHTS, &mut hold) else { return BeamEnd::Lost };
        let task = BeamTask {
            geometry,
            start: &tiles,
            goal,
            stages: &stages,
            width,
            most,
            pace: pace.map(|pace| (best, pace)),
            proves: geometry.topology == self.geometry.topology && first.is_empty(),
        };
        match beam(&task, self.control) {
            BeamEnd::Found(moves) => {
                let moves = [first, moves].concat();
                let reversed = || moves.iter().rev().map(|direction| direction.opposite()).collect();
                BeamEnd::Found(if backwards { reversed() } else { moves })
            }
            end => end,
        }
    }

    /// The same solution with windows of it shortened: each thread has its part of the path.
    fn shorten(&self, moves: &[Direction], span: usize, width: usize) -> Vec<Direction> {
        let setup = *self;
        let mut tiles = self.start.to_vec();
        let parts = moves.chunks(moves.len().div_ceil(self.threads).max(1)).map(|part| {
            let start = tiles.clone();
            self.geometry.play(&mut tiles, part);
            (start, part)
        });
        let shorter = share_out(self.threads, parts.collect(), |(start, part)| {
            let _alarm = Alarm(setup.control);
            setup.shorten_windows(&start, part, span, width)
        });
        shorter.concat()
    }

    /// The same path with windows of it shortened, one after the other, half a window further each time. A window of the
    /// moves is searched again, from the state where it begins to the state where it ends, for a shorter path.
    fn shorten_windows(&self, start: &[u8], moves: &[Direction], span: usize, width: usize) -> Vec<Direction> {
        let mut moves = moves.to_vec();
        let mut tiles = start.to_vec();
        let mut from = 0;
        while from + MIN_WINDOW_MOVES <= moves.len() && self.control.check().is_ok() {
            let to = (from + span).min(moves.len());
            if let Some(shorter) = self.replace(&tiles, &moves[from..to], width) {
                moves.splice(from..to, shorter);
                continue;
            }
            let step = (span / 2).clamp(1, moves.len() - from);
            self.geometry.play(&mut tiles, &moves[from..from + step]);
            from += step;
        }
        moves
    }

    fn replace(&self, start: &[u8], moves: &[Direction], width: usize) -> Option<Vec<Direction>> {
        let geometry = self.geometry;
        let mut goal = start.to_vec();
        geometry.play(&mut goal, moves);
        let mut hold = self.control.hold();
        let stages = stages(geometry, &goal, 0, &WINDOW_WEIGHTS, &mut hold).ok()?;
        let task = BeamTask {
            geometry,
            start,
            goal: &goal,
            stages: &stages,
            width,
            most: moves.len().checked_sub(geometry.least_gain())?,
            pace: None,
            // What it proves is about the window.
            proves: true,
        };
        match beam(&task, self.control) {
            BeamEnd::Found(shorter) => Some(shorter),
            BeamEnd::Proved | BeamEnd::Lost => None,
        }
    }
}

const WINDOW_WEIGHTS: Weights = Weights { power: 1.0, rest: 1.0, conflict: 2.0, border: 0.0, loose: 0.0, blank: 0.0 };
/// No path of fewer moves without a step back can be made shorter on a board without odd wraps.
const MIN_WINDOW_MOVES: usize = 4;

/// How many lines a stage fills in a beam of this width, after `losses` beams that found nothing; 0 for one stage.
fn lines(geometry: &Geometry, width: usize, losses: usize) -> usize {
    /// Boards of up to this side are best solved in one stage.
    const SMALL: usize = 6;
    /// A beam is narrow if it is less than this many times a board's side.
    const NARROW: usize = 40;
    let side = geometry.size.rows().max(geometry.size.cols());
    let narrow = side > 5 && width < NARROW * side;
    let ladder = match (narrow, side <= SMALL) {
        (true, _) => [1, 2, 1],
        (false, true) => [0, 4, 1],
        (false, false) => [4, 2, 1],
    };
    ladder[losses % ladder.len()]
}
