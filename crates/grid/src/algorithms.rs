//! The algorithms, by their names: each turns a question into a run of the library's best-first loop, or of another.

use std::ops::ControlFlow::{Break, Continue};

use pintu_search::{Blend, Control, Counters, Guarantee, Hold, Observer, Run, Stop, Weight, driver};

use crate::{
    Cell, Diagonal, Heuristic, Map, Measure, Method, Outcome, QueryError, Reason, Report, Scratch,
    breadth::breadth_first,
    cells::Total,
    heuristic::{Either, Estimate, Nearest, Reach},
    jump::Jumps,
    lengths::InLengths,
    levels::level_search,
    map::Lines,
    query::{Query, walk_back},
    ranked::{Guide, Ranked, ToNearest, ToOne, Unguided},
    scale::Scale,
    scan::{Corners, Cut, Round},
};

/// Each algorithm looks for a path from `from` to the nearest of the cells `to`; "nearest" is what the
/// algorithm minimises. The path is left in the scratch memory. Observers see lengths, and cells with the numbers that
/// they have on the map (jump point search numbers what it meets).
impl Map {
    /// A shortest path by the fastest way that there is for this map: jump point search on uniform
    /// ground, elsewhere A* that leaves out needless steps where the ground is even. Cells that are not
    /// connected are known without a search. The report says [which way](Report::method) it was.
    pub fn shortest(
        &self,
        from: Cell,
        to: &[Cell],
        scratch: &mut Scratch,
        run: impl Run<Cell, Measure>,
    ) -> Result<Report, QueryError> {
        if self.prefers_jumps() {
            return self.jump(from, to, scratch, run);
        }
        self.level_astar(from, to, scratch, run)
    }

    /// Jump point search: a shortest path on uniform ground, under every corner rule.
    pub fn jps(
        &self,
        from: Cell,
        to: &[Cell],
        scratch: &mut Scratch,
        run: impl Run<Cell, Measure>,
    ) -> Result<Report, QueryError> {
        if self.lines.is_none() {
            let (least, greatest) = (self.least_cost * self.unit, self.greatest_cost * self.unit);
            return Err(QueryError::NotUniform { least, greatest });
        }
        self.jump(from, to, scratch, run)
    }

    /// A*: a shortest path, if the heuristic does not [overestimate](Heuristic::overestimates).
    pub fn astar(
        &self,
        from: Cell,
        to: &[Cell],
        heuristic: Heuristic,
        scratch: &mut Scratch,
        run: impl Run<Cell, Measure>,
    ) -> Result<Report, QueryError> {
        let is_usual = heuristic == Heuristic::for_movement(self.diagonal);
        self.under(from, to, Method::Astar, scratch, run, |task, scratch| match task.query.cells {
            _ if !task.is_sure(heuristic) => task.guided(heuristic).blended(Blend::astar(), scratch),
            &[goal] if is_usual => task.ranked(ToOne(goal), true).in_order(scratch),
            _ => task.guided(heuristic).in_order(scratch),
        })
    }

    /// Dijkstra's algorithm: a shortest path.
    pub fn dijkstra(
        &self,
        from: Cell,
        to: &[Cell],
        scratch: &mut Scratch,
        run: impl Run<Cell, Measure>,
    ) -> Result<Report, QueryError> {
        self.under(from, to, Method::Dijkstra, scratch, run, |task, scratch| {
            task.ranked(Unguided, true).in_order(scratch)
        })
    }

    /// Greedy best-first search: always takes up the cell that looks nearest to a goal. Often fast,
    /// never sure.
    pub fn greedy(
        &self,
        from: Cell,
        to: &[Cell],
        heuristic: Heuristic,
        scratch: &mut Scratch,
        run: impl Run<Cell, Measure>,
    ) -> Result<Report, QueryError> {
        self.under(from, to, Method::Greedy, scratch, run, |task, scratch| {
            task.guided(heuristic).blended(Blend::greedy(), scratch)
        })
    }

    /// Weighted A*: a path of at most `weight` times the shortest one's length, if the heuristic does not
    /// overestimate.
    pub fn weighted_astar(
        &self,
        from: Cell,
        to: &[Cell],
        heuristic: Heuristic,
        weight: Weight,
        scratch: &mut Scratch,
        run: impl Run<Cell, Measure>,
    ) -> Result<Report, QueryError> {
        self.under(from, to, Method::WeightedAstar, scratch, run, |task, scratch| {
            task.guided(heuristic).blended(Blend::weighted(weight), scratch)
        })
    }

    /// Breadth-first search: a path with the fewest steps, whatever they cost.
    pub fn bfs(
        &self,
        from: Cell,
        to: &[Cell],
        scratch: &mut Scratch,
        run: impl Run<Cell, Measure>,
    ) -> Result<Report, QueryError> {
        self.under(from, to, Method::Bfs, scratch, run, |task, scratch| {
            let Task { query, hold, control, observer } = task;
            let map = query.map;
            let Scratch { marks, line, path, .. } = scratch;
            let (end, depth, counters) =
                breadth_first(query.course(Scale::WHOLE), marks, line, hold, control, observer);
            let path = end.map_continue(|goal| {
                goal.map(|goal| {
                    walk_back(map, |index| marks.step(index), goal, path, hold).map_continue(|()| &path[..])
                })
            });
            let outcome = match path {
                Continue(Some(Continue(path))) => map.found_fewest_steps(path),
                Continue(None) => Outcome::Unreachable(Reason::CutOff),
                Continue(Some(Break(why))) | Break(why) => map.stopped_after_steps(why, Some(depth)),
            };
            query.report(outcome, counters)
        })
    }

    /// What fewest steps are worth: where all steps cost the same, the path is the cheapest too.
    pub(crate) fn found_fewest_steps(&self, path: &[Cell]) -> Outcome {
        let alike = self.is_uniform() && self.diagonal == Diagonal::Never;
        let guarantee = if alike { Guarantee::Cheapest } else { Guarantee::Shortest };
        match self.length_of(path) {
            Some(length) => Outcome::Found { length, guarantee },
            None => self.stopped_after_steps(Stop::Overflow, Some(path.len() as u64 - 1)),
        }
    }

    /// A search stopped that had shown that so many steps are needed.
    pub(crate) fn stopped_after_steps(&self, why: Stop, steps: Option<u64>) -> Outcome {
        let cheapest = |steps: u64| Scale::WHOLE.value(u128::from(steps) * u128::from(self.least_cost), self.unit);
        Outcome::Stopped { why, lower_bound: steps.map(cheapest) }
    }

    /// Whether [`shortest`](Self::shortest) looks for jump points here: on uniform ground, unless obstacles
    /// are so close together that looking ahead does not pay.
    pub fn prefers_jumps(&self) -> bool {
        // With four ways, only obstacles above and below a row can force a turn.
        let crowded = if self.diagonal == Diagonal::Never { 3 } else { 2 };
        self.lines.is_some() && self.corner_cells * crowded <= self.free_cells
    }

    fn jump(
        &self,
        from: Cell,
        to: &[Cell],
        scratch: &mut Scratch,
        run: impl Run<Cell, Measure>,
    ) -> Result<Report, QueryError> {
        self.under(from, to, Method::Jumps, scratch, run, |task, scratch| {
            let map = task.query.map;
            let scale = map.scale(Scale::WIDE);
            let estimate = match task.query.cells {
                &[goal] => Either::One(Reach::new(map, scale, goal)),
                goals => Either::Several(Nearest::new(map, scale, Heuristic::for_movement(map.diagonal), goals)),
            };
            match map.lines.as_ref() {
                Some(lines) => task.jump(lines, estimate, scratch),
                None => task.query.nothing(Reason::CutOff),
            }
        })
    }

    /// A* that takes up all cells with the same `g + h` together, many at a time: a shortest path. It needs
    /// uniform ground, four ways to go and one goal; elsewhere this is the [pruned](Self::pruned_astar) A*.
    pub fn level_astar(
        &self,
        from: Cell,
        to: &[Cell],
        scratch: &mut Scratch,
        run: impl Run<Cell, Measure>,
    ) -> Result<Report, QueryError> {
        let Some(raster) = self.raster.as_ref().filter(|_| to.len() == 1) else {
            return self.pruned_astar(from, to, scratch, run);
        };
        self.under(from, to, Method::Levels, scratch, run, |task, scratch| {
            let Task { query, hold, control, observer } = task;
            let Scratch { levels, path, .. } = scratch;
            let end = level_search(query.course(Scale::WHOLE), raster, levels, path, hold, control, observer);
            query.report(query.conclude(&end, Scale::WHOLE, |_| Continue(&[])), end.counters)
        })
    }

    /// A* that leaves out the steps that are not needed where the ground is even: a shortest path.
    pub fn pruned_astar(
        &self,
        from: Cell,
        to: &[Cell],
        scratch: &mut Scratch,
        run: impl Run<Cell, Measure>,
    ) -> Result<Report, QueryError> {
        self.under(from, to, Method::Pruned, scratch, run, |task, scratch| match task.query.cells {
            &[goal] => task.ranked(ToOne(goal), true).pruned(scratch),
            _ => task.guided(Heuristic::for_movement(self.diagonal)).pruned(scratch),
        })
    }

    /// Checks a question and has it answered under a control, watched by an observer; at once where the
    /// [method](Method::looks_for_pieces) sees that no goal is connected with the start.
    pub(crate) fn under<R: Run<Cell, Measure>>(
        &self,
        from: Cell,
        to: &[Cell],
        method: Method,
        scratch: &mut Scratch,
        run: R,
        answer: impl FnOnce(Task<'_, R::Observer>, &mut Scratch) -> Report,
    ) -> Result<Report, QueryError> {
        run.run(|control, observer| {
            self.ask(from, to, method, scratch, control, |query, scratch, hold| {
                if method.looks_for_pieces() && !query.is_connected() {
                    return query.nothing(Reason::CutOff);
                }
                answer(Task { query, hold, control, observer }, scratch)
            })
        })
    }
}

/// A question, and what a search for its answer may use.
pub(crate) struct Task<'a, O> {
    pub(crate) query: Query<'a>,
    pub(crate) hold: &'a mut Hold,
    pub(crate) control: &'a Control,
    pub(crate) observer: &'a mut O,
}

impl<'a, O: Observer<Cell, Measure>> Task<'a, O> {
    /// Whether a heuristic never overestimates here.
    pub(crate) fn is_sure(&self, heuristic: Heuristic) -> bool {
        heuristic.overestimates(self.query.map.diagonal).is_none()
    }

    fn ranked<G: Guide>(self, guide: G, is_admissible: bool) -> Ranked<'a, G, O> {
        let Self { query, hold, control, observer } = self;
        Ranked { query, guide, is_admissible, hold, control, observer, last: Counters::default(), proved: None }
    }

    fn guided(self, heuristic: Heuristic) -> Ranked<'a, ToNearest<'a>, O> {
        let (is_sure, goals) = (self.is_sure(heuristic), self.query.cells);
        self.ranked(ToNearest(heuristic, goals), is_sure)
    }

    fn jump(self, lines: &Lines, estimate: Either<'_, u64>, scratch: &mut Scratch) -> Report {
        match self.query.map.diagonal {
            Diagonal::Never => self.jump_under::<Round<true>>(lines, estimate, scratch),
            Diagonal::Always => self.jump_under::<Cut<false>>(lines, estimate, scratch),
            Diagonal::NoSqueeze => self.jump_under::<Cut<true>>(lines, estimate, scratch),
            Diagonal::NoCorners => self.jump_under::<Round<false>>(lines, estimate, scratch),
        }
    }

    fn jump_under<C: Corners>(self, lines: &Lines, estimate: Either<'_, u64>, scratch: &mut Scratch) -> Report {
        let Self { query, hold, control, observer } = self;
        let Scratch { narrow, jumps, pairs, path, .. } = scratch;
        let course = query.course(Scale::WIDE);
        let first = estimate.at(query.map.cell(query.from));
        let spots = match narrow.fresh(query.map.numbers(), hold) {
            Continue(spots) => spots,
            Break(why) => return query.report(query.stopped(why, Some(first), course.scale), Counters::default()),
        };
        pairs.clear();
        let mut nodes = Jumps::<_, C>::new(course, lines, spots, jumps, estimate);
        let mut observer = InLengths::new(observer, query.map, course.scale);
        let end = driver::best_first(&mut nodes, pairs, Total, hold, control, &mut observer);
        let outcome = query.conclude(&end, course.scale, |slot| {
            jumps.unfold(query.map, slot, path, hold)?;
            Continue(&path[..])
        });
        query.report(outcome, end.counters)
    }
}
