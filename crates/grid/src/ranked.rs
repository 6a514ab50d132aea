//! Best-first search cell by cell, in numbers as small as do.

use std::ops::ControlFlow::{self, Break, Continue};

use pintu_search::{
    Blend, Control, Counters, Hold, Observer, Stop,
    driver::{self, Heap, Queue, Rank},
};

use crate::{
    Cell, Map, Measure, Outcome, Report, Scratch,
    cells::{Cells, Total},
    field::{Field, step_of},
    heuristic::{Blind, Estimate, Heuristic, Nearest, Reach},
    lengths::InLengths,
    number::{Huge, Number},
    query::{Query, walk_back},
    queue::{Sorted, Stacks},
    ring::Layout,
    scale::Scale,
};

/// A heuristic, before it is known in which integers it is to be counted.
pub(crate) trait Guide: Copy {
    type Estimate<N: Number>: Estimate<N>;

    fn counted_in<N: Number>(&self, map: &Map, scale: Scale) -> Self::Estimate<N>;

    /// The same estimates, from the guide that all have in common: where numbers of 32 bits are too small, which is rare,
    /// all share one search.
    fn common(&self, map: &Map) -> ToNearest<'_>;
}

/// No heuristic.
#[derive(Clone, Copy)]
pub(crate) struct Unguided;

impl Guide for Unguided {
    type Estimate<N: Number> = Blind;

    fn counted_in<N: Number>(&self, _: &Map, _: Scale) -> Blind {
        Blind
    }

    fn common(&self, _: &Map) -> ToNearest<'_> {
        ToNearest(Heuristic::None, &[])
    }
}

/// The best heuristic for the movement, to one goal.
#[derive(Clone, Copy)]
pub(crate) struct ToOne(pub(crate) Cell);

impl Guide for ToOne {
    type Estimate<N: Number> = Reach<N>;

    fn counted_in<N: Number>(&self, map: &Map, scale: Scale) -> Reach<N> {
        Reach::new(map, scale, self.0)
    }

    fn common(&self, map: &Map) -> ToNearest<'_> {
        ToNearest(Heuristic::for_movement(map.diagonal), std::slice::from_ref(&self.0))
    }
}

/// Any heuristic, to the nearest of several goals.
#[derive(Clone, Copy)]
pub(crate) struct ToNearest<'a>(pub(crate) Heuristic, pub(crate) &'a [Cell]);

impl<'a> Guide for ToNearest<'a> {
    type Estimate<N: Number> = Nearest<'a, N>;

    fn counted_in<N: Number>(&self, map: &Map, scale: Scale) -> Nearest<'a, N> {
        Nearest::new(map, scale, self.0, self.1)
    }

    fn common(&self, _: &Map) -> ToNearest<'_> {
        *self
    }
}

/// A best-first search, which begins again with wider numbers where nothing is left but costs that do not fit.
///
/// Its counts are those of the last run, and so are its control's: what runs before it took up is taken up again, and
/// would
/// count twice. A limit on nodes does not end a run that has left out what it had no numbers for, either: so it ends the
/// search when, and only when, that counts as many. What a run has proved stays proved.
pub(crate) struct Ranked<'a, G, O> {
    pub(crate) query: Query<'a>,
    pub(crate) guide: G,
    pub(crate) is_admissible: bool,
    pub(crate) hold: &'a mut Hold,
    pub(crate) control: &'a Control,
    pub(crate) observer: &'a mut O,
    pub(crate) last: Counters,
    /// The highest bound that a run has proved.
    pub(crate) proved: Option<f64>,
}

impl<'a, G: Guide, O: Observer<Cell, Measure>> Ranked<'a, G, O> {
    /// By `g + h`: smallest first, among equals the nearest to the goal, among those the last.
    pub(crate) fn in_order(mut self, scratch: &mut Scratch) -> Report {
        let Scratch { narrow, sorted, path, .. } = scratch;
        let at = Tier { scale: Scale::NARROW, is_last: false, field: narrow, path };
        if let Some(report) = self.attempt::<_, _, _, false>(at, sorted, Total, Sorted::reset) {
            return report;
        }
        let guide = self.guide;
        let common = guide.common(self.query.map);
        self.guided_by(common).wider(Total, scratch)
    }

    /// By `g + h`, nearly: fast. Leaves out needless steps.
    pub(crate) fn pruned(mut self, scratch: &mut Scratch) -> Report {
        let Scratch { narrow, stacks, path, .. } = scratch;
        let at = Tier { scale: Scale::NARROW, is_last: false, field: narrow, path };
        if let Some(report) = self.attempt::<_, _, _, true>(at, stacks, Total, Stacks::reset) {
            return report;
        }
        let guide = self.guide;
        let common = guide.common(self.query.map);
        self.guided_by(common).pruned_wider(scratch)
    }

    fn guided_by<H>(self, guide: H) -> Ranked<'a, H, O> {
        let Self { query, is_admissible, hold, control, observer, last, proved, .. } = self;
        Ranked { query, guide, is_admissible, hold, control, observer, last, proved }
    }

    /// One run with numbers of one size; nothing if they are too small.
    fn attempt<N, Q, R, const PRUNE: bool>(
        &mut self,
        at: Tier<'_, N>,
        queue: &mut Q,
        rank: R,
        prepare: impl FnOnce(&mut Q, Layout, &mut Hold) -> ControlFlow<Stop>,
    ) -> Option<Report>
    where
        N: Number,
        Q: Queue<R::Value, N>,
        R: Rank<N>,
    {
        let Tier { scale, is_last, field, path } = at;
        let (map, course) = (self.query.map, self.query.course(scale));
        let scale = course.scale;
        let estimate = self.guide.counted_in::<N>(map, scale);
        let first = if is_last || course.fits::<N>() { estimate.at(map.cell(course.from)) } else { return None };
        if !is_last && first.get() > scale.limit::<N>() {
            return None;
        }
        let layout =
            Layout { first: first.get() as u64, spread: course.spread(), unit: scale.straight, least: map.least_cost };
        let bound = rank.lower_bound(rank.of(N::ZERO, first)).filter(|_| self.is_admissible);
        let spots = prepare(queue, layout, self.hold).map_continue(|()| field.fresh(map.numbers(), self.hold));
        let spots = match spots {
            Continue(Continue(spots)) => spots,
            Continue(Break(why)) | Break(why) => {
                return Some(self.report(self.query.stopped(why, bound, scale)));
            }
        };
        let mut nodes = Cells::<N, _, PRUNE>::new(course, spots, estimate, self.is_admissible);
        let mut observer = InLengths::new(self.observer, map, scale).from(self.proved);
        let before = std::mem::take(&mut self.last);
        self.control.forget(&before);
        let mut end = driver::best_first(&mut nodes, queue, rank, self.hold, self.control, &mut observer);
        // Queues that give ranges of ranks back know less at first than the estimate at the start.
        end.lower_bound = end.lower_bound.max(bound);
        end.counters.peak_states = end.counters.peak_states.max(before.peak_states);
        self.last = end.counters;
        let proved = match end.found {
            // All that fits was gone through, so every path costs more than that.
            Break(Stop::Overflow) => Some(bound.map(|_| N::new(scale.limit::<N>()))),
            // What was set aside might have come before what the nodes went into.
            Break(Stop::Nodes) if !is_last && end.has_set_aside => Some(end.lower_bound),
            _ => None,
        };
        if let Some(bound) = proved {
            let bound = bound.map(|bound| scale.value(bound.get(), map.unit));
            self.proved = bound.into_iter().chain(self.proved).reduce(f64::max);
            if !is_last {
                return None;
            }
        }
        let (spots, _) = field.last();
        let hold = &mut *self.hold;
        let outcome = self.query.conclude(&end, scale, |goal| {
            walk_back(map, |index| step_of(spots[index].tag), goal, path, hold)?;
            Continue(&path[..])
        });
        Some(self.report(outcome))
    }

    fn report(&self, mut outcome: Outcome) -> Report {
        if let (Outcome::Stopped { lower_bound, .. }, Some(proved)) = (&mut outcome, self.proved) {
            *lower_bound = Some(lower_bound.map_or(proved, |bound| bound.max(proved)));
        }
        self.query.report(outcome, self.last)
    }
}

/// With the guide that all have in common.
impl<O: Observer<Cell, Measure>> Ranked<'_, ToNearest<'_>, O> {
    /// By a blend, for ranks that may fall.
    pub(crate) fn blended(mut self, rank: Blend, scratch: &mut Scratch) -> Report {
        let Scratch { narrow, heap, path, .. } = scratch;
        let at = Tier { scale: Scale::NARROW, is_last: false, field: narrow, path };
        heap.clear();
        match self.attempt::<_, _, _, false>(at, heap, rank, ready) {
            Some(report) => report,
            None => self.wider(rank, scratch),
        }
    }

    /// By any rank, with more than 32 bits.
    fn wider<R: Rank<u64> + Rank<Huge>>(mut self, rank: R, scratch: &mut Scratch) -> Report {
        let Scratch { wide, path, .. } = scratch;
        let at = Tier { scale: Scale::WIDE, is_last: false, field: wide, path };
        match self.attempt::<_, _, _, false>(at, &mut Heap::new(), rank, ready) {
            Some(report) => report,
            None => self.widest::<_, false>(rank, scratch),
        }
    }

    /// Pruned, with more than 32 bits.
    fn pruned_wider(mut self, scratch: &mut Scratch) -> Report {
        let Scratch { wide, stacks, path, .. } = scratch;
        let at = Tier { scale: Scale::WIDE, is_last: false, field: wide, path };
        match self.attempt::<_, _, _, true>(at, stacks, Total, Stacks::reset) {
            Some(report) => report,
            None => self.widest::<_, true>(Total, scratch),
        }
    }

    /// By any rank, with as many bits as there are.
    fn widest<R: Rank<Huge>, const PRUNE: bool>(mut self, rank: R, scratch: &mut Scratch) -> Report {
        let Scratch { huge, path, .. } = scratch;
        let at = Tier { scale: Scale::HUGE, is_last: true, field: huge, path };
        self.attempt::<_, _, _, PRUNE>(at, &mut Heap::new(), rank, ready)
            .unwrap_or_else(|| self.query.nothing(crate::Reason::CutOff))
    }
}

/// The memory for numbers of one size.
struct Tier<'t, N> {
    /// The integers for lengths, with diagonals.
    scale: Scale,
    /// Whether there are no larger ones.
    is_last: bool,
    field: &'t mut Field<N>,
    path: &'t mut Vec<Cell>,
}

/// A queue that is empty, and has no layout, needs no preparing.
fn ready<Q>(_: &mut Q, _: Layout, _: &mut Hold) -> ControlFlow<Stop> {
    Continue(())
}
