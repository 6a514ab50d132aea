//! The algorithms: each answers a query by the library's best-first loop or by another one.

use pintu_search::{
    Blend, Bound, Control, Cost, Counters, Guarantee, Hold, Observer, Overestimating, ReportOf, Run, Stop, Weight,
    driver,
};

use crate::{
    Cell, Diagonal, Heuristic, Length, Map, Outcome, QueryError, Reason, Report, Scratch,
    best_first::BestFirst,
    breadth::breadth_first,
    cells::Total,
    heuristic::{Blind, CellEstimate, Either, Reach},
    jump::Jumps,
    levels::level_search,
    observer::InLengths,
    query::{Query, walk_back, write_down},
    scale::Scale,
    space::MapSpace,
};

/// An algorithm that searches a map.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Algorithm {
    /// A shortest path by the fastest algorithm for the map: jump point search where every cell costs the same, unless
    /// obstacles are so dense that it does not pay; elsewhere A* by levels or pruned A*. [`Report::algorithm`] says
    /// which of them it was.
    Fastest,
    /// Jump point search: a shortest path where every cell costs the same, under every corner rule. Elsewhere it is refused.
    Jps,
    /// A* that expands all cells with the same `g + h` together, many at a time: a shortest path. It needs equal costs,
    /// four-way movement and one goal; elsewhere this is pruned A*.
    LevelAstar,
    /// A* that leaves out steps which are not needed where all cells around cost the same: a shortest path.
    PrunedAstar,
    /// A*: a shortest path, if the heuristic does not [overestimate](Heuristic::overestimates).
    Astar(Heuristic),
    /// Dijkstra's algorithm: a shortest path.
    Dijkstra,
    /// Greedy best-first search: always expands the cell with the least estimate. Often fast, but without a guarantee.
    Greedy(Heuristic),
    /// Weighted A*: a path of at most `weight` times the shortest one's length, if the heuristic does not overestimate.
    WeightedAstar(Heuristic, Weight),
    /// IDA* with a transposition table: a shortest path, if the heuristic does not overestimate. For small maps: each round
    /// expands most of what the one before it did.
    Ida(Heuristic),
    /// Breadth-first search: a path with the fewest steps, whatever they cost.
    Bfs,
    /// Breadth-first search from both ends: a path with the fewest steps, whatever they cost.
    Bidirectional,
}

impl Algorithm {
    /// Whether it answers without a search where no goal is connected with the start. (The others count as in a
    /// textbook.)
    pub(crate) fn knows_components(self) -> bool {
        matches!(self, Self::Jps | Self::LevelAstar | Self::PrunedAstar)
    }
}

impl Map {
    /// Searches for a path from `from` to the nearest of the cells `to`, where "nearest" is what the algorithm minimises.
    /// The path is left in the scratch memory. Observers see lengths as floating-point numbers, which are exact where they
    /// are whole, and cells with the numbers that they have on the map (jump point search numbers the cells as it meets
    /// them).
    ///
    /// No path costs more than [`MAX_COST`](crate::MAX_COST), or, with diagonal movement, 1,855,077,840 times the greatest
    /// common divisor of all costs: where only such a path is left, the search ends with
    /// [`Stop::Overflow`].
    ///
    /// ```
    /// use pintu_grid::{Algorithm, Cell, Diagonal, Heuristic, Map, Scratch, Terrain};
    ///
    /// let map = Map::new(&Terrain::open(20, 20)?, Diagonal::Never);
    /// let (from, to) = (Cell::new(3, 4), [Cell::new(10, 10)]);
    /// let astar = Algorithm::Astar(Heuristic::Manhattan);
    /// assert_eq!(map.search(astar, from, &to, &mut Scratch::new(), ())?.length().unwrap().whole(), Some(13));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn search<'c>(
        &self,
        algorithm: Algorithm,
        from: Cell,
        to: &[Cell],
        scratch: &mut Scratch,
        run: impl Run<'c, Cell, f64>,
    ) -> Result<Report, QueryError> {
        run.run(|control, observer| self.answer(algorithm, from, to, scratch, control, observer))
    }

    /// A shortest path, both ends included, and its length; `None` if there is none.
    ///
    /// For occasional use. Each call makes and drops a [`Scratch`] of its own: 8 bytes for each cell of the map, or
    /// less where all cells cost the same, to allocate and clear. For many queries, keep one and call
    /// [`search`](Self::search), which also takes several goals and limits, tells why there is no path, and reports its
    /// counts.
    ///
    /// ```
    /// use pintu_grid::{Cell, Diagonal, Map, Terrain};
    ///
    /// let terrain: Terrain = "..#\n#..\n".parse()?;
    /// let map = Map::new(&terrain, Diagonal::Never);
    /// let (cells, length) = map.path((0, 0), (1, 2))?.expect("nothing is between them");
    /// assert_eq!(cells, [(0, 0), (0, 1), (1, 1), (1, 2)].map(Cell::from));
    /// assert_eq!(length.whole(), Some(3));
    /// assert_eq!(map.path((0, 0), (0, 2))?, None);
    /// assert_eq!(
    ///     map.path((0, 0), (9, 2)).unwrap_err().to_string(),
    ///     "found the cell 9,2, expected rows from 0 to 1 and columns from 0 to 2",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A cell that is not on the map, or a path whose cost exceeds the limit ([`Stop::Overflow`]).
    pub fn path(&self, from: impl Into<Cell>, to: impl Into<Cell>) -> Result<Option<(Vec<Cell>, Length)>, QueryError> {
        let mut scratch = Scratch::new();
        match self.search(Algorithm::Fastest, from.into(), &[to.into()], &mut scratch, ())?.outcome {
            Outcome::Found { length, .. } => Ok(Some((scratch.path, length))),
            Outcome::Unreachable(_) => Ok(None),
            Outcome::Stopped { why, .. } => Err(QueryError::Stopped(why)),
        }
    }

    /// The algorithm that will run in place of `algorithm`.
    pub(crate) fn chosen(&self, algorithm: Algorithm, to: &[Cell]) -> Result<Algorithm, QueryError> {
        // With four-way movement, only obstacles above and below a row can force a turn.
        let crowded = if self.diagonal == Diagonal::Never { 3 } else { 2 };
        match algorithm {
            Algorithm::Jps if self.lines.is_none() => Err(if self.is_uniform() {
                QueryError::HasWater
            } else {
                let (least, greatest) = (self.least_cost * self.unit, self.greatest_cost * self.unit);
                QueryError::NotUniform { least, greatest }
            }),
            Algorithm::Fastest if self.lines.is_some() && self.corner_cells * crowded <= self.free_cells => {
                Ok(Algorithm::Jps)
            }
            Algorithm::Fastest | Algorithm::LevelAstar
                if self.lines.is_some() && self.diagonal == Diagonal::Never && to.len() == 1 =>
            {
                Ok(Algorithm::LevelAstar)
            }
            Algorithm::Fastest | Algorithm::LevelAstar => Ok(Algorithm::PrunedAstar),
            named => Ok(named),
        }
    }

    /// Where all steps cost the same, a path with the fewest steps is the cheapest, too.
    fn found_fewest_steps(&self, path: &[Cell]) -> Outcome {
        let is_cheapest = self.is_uniform() && self.diagonal == Diagonal::Never;
        let guarantee = if is_cheapest { Guarantee::Cheapest } else { Guarantee::Shortest };
        match self.length_of(path) {
            Some(length) => Outcome::Found { length, guarantee },
            None => self.stopped_after_steps(Stop::Overflow, Some(path.len() as u64 - 1)),
        }
    }

    /// The outcome of a search that stopped; every path has at least `steps` steps.
    fn stopped_after_steps(&self, why: Stop, steps: Option<u64>) -> Outcome {
        let cheapest = |steps: u64| Scale::WHOLE.value(steps.saturating_mul(self.least_cost), self.unit);
        Outcome::Stopped { why, lower_bound: steps.map(cheapest) }
    }
}

/// A query, and what a search for its answer may use.
pub(crate) struct Task<'a, O> {
    pub(crate) query: Query<'a>,
    pub(crate) hold: &'a mut Hold,
    pub(crate) control: &'a Control,
    pub(crate) observer: &'a mut O,
}

/// A browser loads the engine before it runs: there it is smaller, without separate searches for one goal and for none.
const IS_WASM: bool = cfg!(target_family = "wasm");

impl<'a, O: Observer<Cell, f64>> Task<'a, O> {
    pub(crate) fn run(self, scratch: &mut Scratch) -> Report {
        let query = self.query;
        let usual = Heuristic::for_movement(query.map.diagonal);
        let reach = |goal| Reach::new(query.map, goal);
        match (query.algorithm, query.cells) {
            (Algorithm::Fastest | Algorithm::Jps, _) => self.jump(scratch),
            (Algorithm::LevelAstar, _) => self.levels(scratch),
            (Algorithm::PrunedAstar, &[goal]) if !IS_WASM => self.best_first(usual).pruned(reach(goal), scratch),
            (Algorithm::PrunedAstar, _) => self.best_first(usual).pruned(query.nearest(usual), scratch),
            (Algorithm::Astar(heuristic), _) if !self.is_sure(heuristic) => {
                self.best_first(heuristic).blended(Blend::astar(), scratch)
            }
            (Algorithm::Astar(heuristic), &[goal]) if heuristic == usual && !IS_WASM => {
                self.best_first(heuristic).in_order(reach(goal), scratch)
            }
            (Algorithm::Astar(heuristic), _) => self.best_first(heuristic).in_order(query.nearest(heuristic), scratch),
            (Algorithm::Dijkstra, _) if IS_WASM => {
                self.best_first(Heuristic::None).in_order(query.nearest(Heuristic::None), scratch)
            }
            (Algorithm::Dijkstra, _) => self.best_first(Heuristic::None).in_order(Blind, scratch),
            (Algorithm::Greedy(heuristic), _) => self.best_first(heuristic).blended(Blend::greedy(), scratch),
            (Algorithm::WeightedAstar(heuristic, weight), _) => {
                self.best_first(heuristic).blended(Blend::weighted(weight), scratch)
            }
            (Algorithm::Ida(heuristic), _) => self.deepen(heuristic, scratch),
            (Algorithm::Bfs, _) => self.breadth_first(scratch),
            (Algorithm::Bidirectional, _) => self.bidirectional(scratch),
        }
    }

    fn is_sure(&self, heuristic: Heuristic) -> bool {
        heuristic.overestimates(self.query.map.diagonal).is_none()
    }

    fn best_first(self, heuristic: Heuristic) -> BestFirst<'a, O> {
        let (is_admissible, counters) = (self.is_sure(heuristic), Counters::default());
        let Self { query, hold, control, observer } = self;
        BestFirst { query, heuristic, is_admissible, hold, control, observer, counters, proved: None }
    }

    fn breadth_first(self, scratch: &mut Scratch) -> Report {
        let Self { query, hold, control, observer } = self;
        let Scratch { marks, queue, path, .. } = scratch;
        let (end, depth, counters) = breadth_first(query, marks, queue, hold, control, observer);
        let written = end.and_then(|goal| match goal {
            Some(goal) => walk_back(query.map, |index| marks.step(index), goal, path, hold).map(|()| Some(&path[..])),
            None => Ok(None),
        });
        let outcome = match written {
            Ok(Some(path)) => query.map.found_fewest_steps(path),
            Ok(None) => Outcome::Unreachable(Reason::CutOff),
            Err(why) => query.map.stopped_after_steps(why, Some(depth)),
        };
        query.report(outcome, counters)
    }

    fn levels(self, scratch: &mut Scratch) -> Report {
        let Self { query, hold, control, observer } = self;
        let Scratch { levels, path, .. } = scratch;
        let end = level_search(query, levels, path, hold, control, observer);
        query.report(query.conclude(&end, |_| Ok(&[])), end.counters)
    }

    /// By the search library's algorithm, which gains nothing from knowing the grid.
    fn bidirectional(self, scratch: &mut Scratch) -> Report {
        let Self { query, hold, control, observer } = self;
        let map = query.map;
        let space = MapSpace::<u32>::of(query, |_, _, _| 1);
        let mut observer = InLengths::of_steps(observer);
        let report = pintu_search::bidirectional(&space, &map.cell(query.from), (control, &mut observer));
        let (found, counters) = from_library(report, &space, &mut scratch.path, hold);
        let outcome = match found {
            Ok(Some(_)) => map.found_fewest_steps(&scratch.path),
            Ok(None) => Outcome::Unreachable(Reason::CutOff),
            Err((why, bound)) => map.stopped_after_steps(why, bound.and_then(Bound::steps)),
        };
        query.report(outcome, counters)
    }

    /// By the search library's algorithm.
    fn deepen(self, heuristic: Heuristic, scratch: &mut Scratch) -> Report {
        let is_sure = self.is_sure(heuristic);
        let Self { query, hold, control, observer } = self;
        let (map, query) = (query.map, query.in_numbers::<u64>());
        let space = MapSpace::of(query, |map, step, cost| {
            map.scale::<u64>().prices::<u64>(cost)[usize::from(step.is_diagonal())]
        });
        let nearest = query.nearest::<u64>(heuristic);
        let estimate = |cell: &Cell| nearest.at(*cell);
        let mut observer = InLengths::new(observer, map, query.scale);
        let (run, start) = ((control, &mut observer), map.cell(query.from));
        let report = if is_sure {
            pintu_search::ida_with_table(&space, &start, &estimate, run)
        } else {
            pintu_search::ida_with_table(&space, &start, Overestimating(estimate), run)
        };
        let (found, counters) = from_library(report, &space, &mut scratch.path, hold);
        let outcome = match found {
            // Above the limit, numbers do not compare as lengths do.
            Ok(Some((cost, guarantee))) if cost <= query.scale.limit::<u64>() => match map.length_of(&scratch.path) {
                Some(length) => Outcome::Found { length, guarantee },
                None => Outcome::Stopped { why: Stop::Overflow, lower_bound: None },
            },
            Ok(Some(_)) => Outcome::Stopped { why: Stop::Overflow, lower_bound: None },
            Ok(None) => Outcome::Unreachable(Reason::CutOff),
            Err((why, bound)) => query.stopped(why, bound.and_then(Bound::cost)),
        };
        query.report(outcome, counters)
    }

    fn jump(self, scratch: &mut Scratch) -> Report {
        let map = self.query.map;
        let Some(lines) = map.lines.as_ref() else { unreachable!("jump point search is chosen where there are lines") };
        let estimate = match self.query.cells {
            &[goal] => Either::One(Reach::new(map, goal)),
            _ => Either::Several(self.query.nearest(Heuristic::for_movement(map.diagonal))),
        };
        let Self { query, hold, control, observer } = self;
        let Scratch { narrow, jumps, pairs, path, .. } = scratch;
        let query = query.in_numbers::<u64>();
        let first = estimate.at(query.map.cell(query.from));
        let spots = match narrow.fresh(query.map.numbers(), hold) {
            Ok(spots) => spots,
            Err(why) => return query.report(query.stopped(why, Some(first)), Counters::default()),
        };
        pairs.clear();
        let mut nodes = Jumps::new(query, lines, spots, jumps, estimate);
        let mut observer = InLengths::new(observer, query.map, query.scale);
        let end = driver::best_first(&mut nodes, pairs, Total, hold, control, &mut observer);
        let scanned = Some(nodes.scanned);
        let outcome = query.conclude(&end, |slot| {
            jumps.unfold(query.map, slot, path, hold)?;
            Ok(&path[..])
        });
        Report { scanned, ..query.report(outcome, end.counters) }
    }
}

/// The result of the library's search: the cost of the path, which has been written down, and its guarantee; or the
/// stop and a lower bound.
type Found<C> = Result<Option<(C, Guarantee)>, (Stop, Option<Bound<C>>)>;

fn from_library<C: Cost>(
    report: ReportOf<MapSpace<'_, C>>,
    space: &MapSpace<'_, C>,
    path: &mut Vec<Cell>,
    hold: &mut Hold,
) -> (Found<C>, Counters) {
    let found = match report.outcome {
        pintu_search::Outcome::Solved(solution) => {
            let written = solution.path.states(space).try_for_each(|cell| write_down(cell, path, hold));
            let found = Some((solution.cost, solution.guarantee));
            written.map(|()| found).map_err(|why| (why, solution.lower_bound))
        }
        pintu_search::Outcome::NoSolution => Ok(None),
        pintu_search::Outcome::Stopped { why, lower_bound } => Err((why, lower_bound)),
    };
    (found, report.counters)
}
