//! The algorithms that gain nothing from a map's being a grid: the search library's, on the map as a space.

use std::ops::ControlFlow::{Break, Continue};

use pintu_search::{Bound, Cost, Guarantee, Hold, Outcome as Solved, Overestimating, Report as SpaceReport, Run, Stop};

use crate::{
    Cell, Heuristic, Map, MapSpace, Measure, Method, Outcome, QueryError, Reason, Report, Scratch,
    algorithms::Task,
    heuristic::{Estimate, Nearest},
    lengths::InLengths,
    movement::Step,
    number::Huge,
    query::write_down,
    scale::Scale,
};

impl Map {
    /// Breadth-first search from both ends: a path with the fewest steps, whatever they cost.
    pub fn bidirectional(
        &self,
        from: Cell,
        to: &[Cell],
        scratch: &mut Scratch,
        run: impl Run<Cell, Measure>,
    ) -> Result<Report, QueryError> {
        self.under(from, to, Method::Bidirectional, scratch, run, |task, scratch| {
            let Task { query, hold, control, observer } = task;
            let space = query.space::<u32>(|_, _, _| 1);
            let mut observer = InLengths::of_steps(observer);
            let report = pintu_search::bidirectional(&space, &from, (control, &mut observer));
            let outcome = space.conclude(&report, scratch, hold, |ended, path| match ended {
                Ok(_) => self.found_fewest_steps(path),
                Err((why, bound)) => self.stopped_after_steps(why, bound.and_then(Bound::steps)),
            });
            query.report(outcome, report.counters)
        })
    }

    /// IDA* with a transposition table: a shortest path, if the heuristic does not
    /// [overestimate](Heuristic::overestimates). For small maps: each iteration goes over most of what the
    /// one before it went over.
    pub fn ida(
        &self,
        from: Cell,
        to: &[Cell],
        heuristic: Heuristic,
        scratch: &mut Scratch,
        run: impl Run<Cell, Measure>,
    ) -> Result<Report, QueryError> {
        self.under(from, to, Method::Ida, scratch, run, |task, scratch| {
            let is_sure = task.is_sure(heuristic);
            let Task { query, hold, control, observer } = task;
            let scale = self.scale(Scale::HUGE);
            let space = query
                .space(|map, step, cost| map.scale(Scale::HUGE).prices::<Huge>(cost)[usize::from(step.is_diagonal())]);
            let nearest = Nearest::<Huge>::new(self, scale, heuristic, query.cells);
            let estimate = |cell: &Cell| nearest.at(*cell);
            let mut observer = InLengths::new(observer, self, scale);
            let run = (control, &mut observer);
            let report = if is_sure {
                pintu_search::ida_with_table(&space, &from, &estimate, run)
            } else {
                pintu_search::ida_with_table(&space, &from, &Overestimating(estimate), run)
            };
            let outcome = space.conclude(&report, scratch, hold, |ended, path| match ended {
                Ok(guarantee) => match self.length_of(path) {
                    Some(length) => Outcome::Found { length, guarantee },
                    None => Outcome::Stopped { why: Stop::Overflow, lower_bound: None },
                },
                Err((why, bound)) => query.stopped(why, bound.and_then(Bound::cost), scale),
            });
            query.report(outcome, report.counters)
        })
    }
}

/// How a search ended that did not show that there is no path.
type Ended<C> = Result<Guarantee, (Stop, Option<Bound<C>>)>;

impl<C: Cost> MapSpace<'_, C> {
    /// What a search of the library found, in the map's terms. A path is written down first.
    fn conclude(
        &self,
        report: &SpaceReport<Cell, Step, C>,
        scratch: &mut Scratch,
        hold: &mut Hold,
        outcome: impl FnOnce(Ended<C>, &[Cell]) -> Outcome,
    ) -> Outcome {
        let ended = match &report.outcome {
            Solved::Solved(solution) => {
                let path = &mut scratch.path;
                let written = solution.path.states(self).try_for_each(|cell| write_down(cell, path, hold));
                match written {
                    Continue(()) => Ok(solution.guarantee),
                    Break(why) => Err((why, solution.lower_bound)),
                }
            }
            Solved::NoSolution => return Outcome::Unreachable(Reason::CutOff),
            Solved::Stopped { why, lower_bound } => Err((*why, *lower_bound)),
        };
        if ended.is_err() {
            scratch.path.clear();
        }
        outcome(ended, &scratch.path)
    }
}
