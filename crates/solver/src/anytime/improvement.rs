//! Which beams and windows are tried, in which order, for how long.

use std::{cmp::Ordering, time::Duration};

use pintu_search::Control;
use pintu_tiles::{Direction, Size, Topology};

use super::{
    beam::{BeamBytes, BeamEnd, BeamTask, beam, best_through},
    construct::untwist,
    geometry::{Geometry, blank_of},
    stage::{Stage, Weights, is_twisted, stages, stages_before},
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
    /// The search that found it.
    pub(super) by: FoundBy,
    /// Rounds of beams that found nothing better.
    pub(super) losses: usize,
    pub(super) on_better: &'a mut dyn FnMut(&[Direction], u32),
}

/// The input of every thread.
#[derive(Clone, Copy)]
pub(super) struct Setup<'a> {
    pub(super) geometry: &'a Geometry,
    /// The geometry without the wraps that join cells of one colour.
    pub(super) even: &'a Geometry,
    pub(super) start: &'a [u8],
    pub(super) goal: &'a [u8],
    pub(super) control: &'a Control,
    pub(super) threads: usize,
}

/// The width of the first beam: an answer within milliseconds on small boards, within a second on 16×16. It is narrower
/// where the node limit is too small to reach a solution as long as the one that is known.
const FIRST_WIDTH: usize = 100;
/// The narrowest beam. With memory for less, only the construction is made.
const LEAST_WIDTH: usize = 8;
/// The factor by which the beam grows while there is time for more than [`PLENTY`] beams.
const GROWTH: f64 = 4.0;
const PLENTY: f64 = 20.0;
/// The widest beam, whatever the budget.
const MOST_WIDTH: usize = 1 << 22;
/// The part of the time left that the widest beam may take. Windows get the rest.
const SHARE: f64 = 0.75;

/// The memory of beams where no limit is set.
const USUAL_MEMORY: u64 = 1 << 30;

/// The weights of disorder, for every stage. Found by trial on random boards from 5×5 to 16×16; none of them is
/// sensitive.
const WEIGHTS: Weights = Weights { power: 1.3, rest: 0.3, conflict: 2.5, border: 0.45, loose: 0.2, blank: 0.3 };

/// The width of the first guided beam, and its growth while there is time for more than [`MUCH`] beams.
const FIRST_GUIDED_WIDTH: usize = 1000;
const GUIDED_GROWTH: f64 = 16.0;
const MUCH: f64 = 200.0;
/// The part of the time left that the widest guided beam may take.
const GUIDED_SHARE: f64 = 0.92;
/// The same while none has led to the goal.
const UNLED_SHARE: f64 = 0.5;
/// For boards that have a guide for their last lines only: the share of the time left for these lines, times their part
/// of the board; and the share of that time for guided beams.
const MOST_LAST_LINES_SHARE: f64 = 0.45;
const LAST_LINES_SHARE: f64 = 0.9;
/// Where that square is at least this part of a plain board, separate beams lead up to it. By trial: it pays on 8×8 and
/// not on 10×10.
const MOST_OF_BOARD: f64 = 0.6;
/// The share of the time spent before those beams, the share of the time left for them, and the lines that a stage
/// fills there.
const SHARE_BEFORE_PEELING: f64 = 0.12;
const PEEL_SHARE: f64 = 0.35;
const PEELED_LINES: usize = 2;

impl Improvement<'_> {
    /// Improves the best solution until the budget ends, or nothing is left to try.
    pub(super) fn run(&mut self) {
        let setup = self.setup;
        let mut width = budget::width_within(setup.control, self.best.len(), FIRST_WIDTH);
        let mut last = 0;
        let mut pace = None;
        let corner = Corner::of(&setup);
        let share = match &corner {
            None => 1.0,
            Some(corner) if corner.is_most => SHARE_BEFORE_PEELING,
            Some(corner) => 1.0 - MOST_LAST_LINES_SHARE * corner.cells.len() as f64 / setup.geometry.cells as f64,
        };
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
            (width, pace) = next_width(setup.control, width, began, share * SHARE, Some((PLENTY, GROWTH)));
        }
        if let Some(corner) = corner {
            self.last_lines(&corner, last);
        }
        self.windows();
    }

    /// Runs guided beams; returns whether the board has a guide that leads to the goal, and there was time for it.
    fn guided(&mut self) -> bool {
        let setup = self.setup;
        let time = budget::guided_time(setup.control);
        let Some(guided) = Guided::new(setup.geometry.topology, setup.goal, time, setup.control) else { return false };
        let mut width = FIRST_GUIDED_WIDTH;
        let mut last = 0;
        let mut pace = None;
        // Beams by a network lead to the goal, or a wider one does; those by tables alone may all miss it.
        let mut is_led = guided.found_by() == FoundBy::NetworkBeams;
        loop {
            width = self.widest_guided(&guided, width, self.best.len(), setup.threads.saturating_sub(1));
            if width <= last || width < LEAST_WIDTH || self.is_over() {
                break;
            }
            let began = Spent::so_far(setup.control);
            let Some(most) = self.best.len().checked_sub(setup.geometry.least_gain()) else { break };
            let before = self.best.len();
            let within = Within { width, most, pace: pace.map(|pace| (before, pace)) };
            self.guided_round(&guided, within);
            last = width;
            is_led |= self.best.len() < before;
            let share = if is_led { GUIDED_SHARE } else { UNLED_SHARE };
            (width, pace) = next_width(setup.control, width, began, share, Some((MUCH, GUIDED_GROWTH)));
        }
        is_led
    }

    /// A guided beam on the first thread, others on the rest.
    fn guided_round(&mut self, guided: &Guided, within: Within) {
        let (setup, best, losses) = (self.setup, self.best.len(), self.losses);
        let attempt = move |thread: usize| {
            let _alarm = Alarm(setup.control);
            if thread == 0 {
                let found = guided.search(setup.start, within, setup.control);
                return (guided.found_by(), found.ok().flatten().map_or(BeamEnd::Lost, BeamEnd::Found));
            }
            let lines = lines(setup.geometry, within.width, losses + thread / 2);
            let pace = within.pace.map(|(_, pace)| pace);
            (FoundBy::Beams, setup.attempt(within.width, thread % 2 == 1, lines, best, pace))
        };
        let ends = share_out(setup.threads, (0..setup.threads.max(1)).collect(), attempt);
        self.take(ends, best);
    }

    /// Searches the end of the solution again, from a state where only a square that has a guide is unsettled: one on
    /// the best solution, or a better one, by the guide, to which beams have led.
    fn last_lines(&mut self, corner: &Corner, width: usize) {
        let setup = self.setup;
        let Some(at) = corner.first_left_alone(&setup, &self.best) else { return };
        let time = budget::guided_time(setup.control);
        let Some(guided) = Guided::new(corner.topology(), &corner.goal(&setup), time, setup.control) else { return };
        let mut first = self.best[..at].to_vec();
        if corner.is_most {
            first = self.peel(corner, &guided, first, width);
        }
        let mut start = setup.start.to_vec();
        setup.geometry.play(&mut start, &first);
        let start = corner.board(setup.goal, &start).expect("nothing else is left");
        let mut width = FIRST_GUIDED_WIDTH;
        let mut last = 0;
        let mut pace = None;
        while let Some(old) = self.best.len().checked_sub(first.len()) {
            width = self.widest_guided(&guided, width, old, 0);
            if width <= last || width < LEAST_WIDTH || self.is_over() {
                break;
            }
            let began = Spent::so_far(setup.control);
            let Some(most) = old.checked_sub(2) else { break };
            let within = Within { width, most, pace: pace.map(|pace| (old, pace)) };
            if let Ok(Some(end)) = guided.search(&start, within, setup.control) {
                let moves = [first.as_slice(), &end].concat();
                self.offer(moves, guided.found_by());
            }
            last = width;
            (width, pace) = next_width(setup.control, width, began, LAST_LINES_SHARE, None);
        }
    }

    /// Beams to states where only the corner is left: one of this width, and one that takes a share of the budget left.
    /// Returns the moves to the best state by the guide, that of `known` included.
    fn peel(&self, corner: &Corner, guided: &Guided, known: Vec<Direction>, width: usize) -> Vec<Direction> {
        let setup = self.setup;
        let estimate =
            |tiles: &[u8]| corner.board(setup.goal, tiles).map_or(i32::MAX / 2, |board| guided.estimate(&board));
        let mut tiles = setup.start.to_vec();
        setup.geometry.play(&mut tiles, &known);
        let worth = |moves: &[Direction], tiles: &[u8]| moves.len() as i32 * Guided::A_MOVE + estimate(tiles);
        let (mut least, mut best) = (worth(&known, &tiles), known);
        let (mut width, mut pace) = (self.widest(width), None);
        for _ in 0..2 {
            if width < LEAST_WIDTH || self.is_over() {
                break;
            }
            let began = Spent::so_far(setup.control);
            let found = setup.peel(corner, width, (self.best.len(), best.len(), pace), &mut |tiles| estimate(tiles));
            if let Some(moves) = found {
                let mut tiles = setup.start.to_vec();
                setup.geometry.play(&mut tiles, &moves);
                let worth = worth(&moves, &tiles);
                if worth < least {
                    (least, best) = (worth, moves);
                }
            }
            let repeats = PEEL_SHARE * began.repeats_left(setup.control);
            pace = setup.control.time_left().map(|left| left.mul_f64(PEEL_SHARE));
            width = self.widest((width as f64 * repeats) as usize);
            if repeats < 1.5 {
                break;
            }
        }
        best
    }

    /// The greatest width, up to `wanted`, at which a guided beam has memory beside `others` other beams of that width.
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

    /// The greatest width, up to `wanted`, for which there is memory on every thread.
    fn widest(&self, wanted: usize) -> usize {
        let Setup { geometry, control, threads, .. } = self.setup;
        let wanted = wanted.min(MOST_WIDTH);
        let (need, besides) = (BeamBytes::of(geometry.cells, self.best.len()), Stage::most_bytes(geometry));
        let each = |bytes: u64| (bytes / threads as u64).saturating_sub(besides);
        let bytes = (need.bytes(wanted) + besides).saturating_mul(threads as u64).min(USUAL_MEMORY);
        need.width(each(control.room(bytes))).min(wanted)
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

    /// Takes the results of beams that looked for solutions shorter than `best`.
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

/// The next beam's width, and the time that it may take: a share of what is left. If there is time for more beams than the
/// first number of `growth`, the width grows by the second.
fn next_width(
    control: &Control,
    width: usize,
    began: Spent,
    share: f64,
    growth: Option<(f64, f64)>,
) -> (usize, Option<Duration>) {
    let repeats = share * began.repeats_left(control);
    let growth = match growth {
        Some((plenty, growth)) if repeats > plenty => growth,
        _ if repeats > 1.5 => repeats,
        _ => return (0, None),
    };
    ((width as f64 * growth) as usize, control.time_left().map(|left| left.mul_f64(share)))
}

/// A square of a larger board that has a guide, around the corner where the goal has its blank.
struct Corner {
    side: usize,
    /// The board's cell for each cell of the square.
    cells: Vec<usize>,
    /// Whether it is most of a plain board.
    is_most: bool,
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
        let part = (side * side) as f64 / setup.geometry.cells as f64;
        Some(Self { side, cells, is_most: part >= MOST_OF_BOARD && setup.geometry.topology.is_plain() })
    }

    fn topology(&self) -> Topology {
        Topology::plain(Size::new(self.side, self.side).expect("a board's side"))
    }

    /// The tiles on the square, numbered as in its goal; `None` if one belongs elsewhere.
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

    /// The number of moves after which all other cells are settled for the first time, and the square can be solved
    /// without wraps.
    fn first_left_alone(&self, setup: &Setup<'_>, moves: &[Direction]) -> Option<usize> {
        let mut tiles = setup.start.to_vec();
        for at in 0..=moves.len() {
            if at > 0 {
                setup.geometry.play(&mut tiles, &moves[at - 1..at]);
            }
            let is_other = |cell: &usize| !self.cells.contains(cell);
            let is_left_alone = (0..tiles.len()).filter(is_other).all(|cell| tiles[cell] == setup.goal[cell]);
            if is_left_alone && !is_twisted(setup.geometry, &tiles, setup.goal) {
                return Some(at);
            }
        }
        None
    }
}

impl Setup<'_> {
    /// A beam from the start of a plain board to where only the corner is left, on the way to a solution shorter than
    /// `best`; the moves to the state that looks best.
    fn peel(
        &self,
        corner: &Corner,
        width: usize,
        (best, levels, pace): (usize, usize, Option<Duration>),
        judge: &mut dyn FnMut(&[u8]) -> i32,
    ) -> Option<Vec<Direction>> {
        let Self { geometry, start, goal, control, .. } = *self;
        let mut hold = control.hold();
        let stages = stages_before(geometry, goal, PEELED_LINES, corner.side, &WEIGHTS, &mut hold).ok()?;
        let pace = pace.map(|pace| (levels, pace));
        let most = best.checked_sub(geometry.least_gain())?;
        let task = BeamTask { geometry, start, goal, stages: &stages, width, most, pace, proves: false };
        best_through(&task, control, Guided::A_MOVE, judge)
    }

    /// A beam from the start to the goal, or backwards, in stages of `lines`, for a solution that is shorter than the
    /// `best`.
    fn attempt(&self, width: usize, backwards: bool, lines: usize, best: usize, pace: Option<Duration>) -> BeamEnd {
        let (start, goal) = if backwards { (self.goal, self.start) } else { (self.start, self.goal) };
        // A locked line loses its wrap, and with the last odd wrap the parity is settled. So stages do without odd
        // wraps, but for one step at the start if that is needed.
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
            // The window is searched from its own start, so this may prove that nothing shorter exists.
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

#[cfg(test)]
mod tests {
    use pintu_tiles::NamedGoal;

    use super::{super::construct::construct, *};

    /// With wraps that join cells of one colour, a square may have two tiles exchanged: without wraps it has no solution.
    #[test]
    fn a_square_that_needs_the_boards_wraps_is_not_left_alone() {
        let size = Size::new(7, 7).unwrap();
        let (wrapped, plain) = (Topology::wrapped(size, [6], []).unwrap(), Topology::plain(size));
        let [geometry, even] = [wrapped, plain].map(Geometry::new);
        let goal = NamedGoal::Standard.on(size).tiles().to_vec();
        let mut start = goal.clone();
        start.swap(45, 46);
        let control = Control::unlimited();
        let setup =
            Setup { geometry: &geometry, even: &even, start: &start, goal: &goal, control: &control, threads: 1 };
        let corner = Corner::of(&setup).unwrap();
        assert!(corner.board(&goal, &start).is_some(), "nothing else is unsettled");
        let moves = construct(&geometry, &start, &goal);
        let at = corner.first_left_alone(&setup, &moves).expect("the goal is such a state");
        let mut tiles = start.clone();
        geometry.play(&mut tiles, &moves[..at]);
        assert!(at > 0 && corner.board(&goal, &tiles).is_some() && !is_twisted(&even, &tiles, &goal));
    }
}
