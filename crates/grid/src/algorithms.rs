//! The algorithms, by their names: each turns a question into a run of one of the loops.

use pintu_search::{Counters, Guarantee, Observer, Stop, Weight};

use crate::{
    Cell, Diagonal, Heuristic, Map, Outcome, QueryError, Reason, Report, Scratch,
    best_first::{Course, End, Left, Rank, Total, Weighted, best_first},
    breadth::breadth_first,
    heuristic::{Blind, Estimate, Nearest, Reach},
    jump::jump_search,
    levels::level_search,
    movement::DELTAS,
    queue::{Heap, Queue, Sorted, Stacks},
    scale::Scale,
    scratch::{Nodes, Number, step_of},
};

/// Each algorithm looks for a path from `from` to the nearest of the cells `to`; "nearest" is what the
/// algorithm minimises. The path is left in the scratch memory.
impl Map {
    /// A shortest path by the fastest way that there is for this map: jump point search on uniform
    /// ground, elsewhere A* that leaves out needless steps where the ground is even. Cells that are not
    /// connected are known without a search.
    pub fn shortest(
        &self,
        from: Cell,
        to: &[Cell],
        scratch: &mut Scratch,
        observer: &mut impl Observer<Cell>,
    ) -> Result<Report, QueryError> {
        if self.prefers_jumps() {
            return self.jump(from, to, scratch, observer);
        }
        self.level_astar(from, to, scratch, observer)
    }

    /// Jump point search: a shortest path on uniform ground, under every corner rule.
    pub fn jps(
        &self,
        from: Cell,
        to: &[Cell],
        scratch: &mut Scratch,
        observer: &mut impl Observer<Cell>,
    ) -> Result<Report, QueryError> {
        if self.lines.is_none() {
            return Err(QueryError::NotUniform { least: self.least_cost, greatest: self.greatest_cost });
        }
        self.jump(from, to, scratch, observer)
    }

    /// A*: a shortest path, if the heuristic does not [overestimate](Heuristic::overestimates).
    pub fn astar(
        &self,
        from: Cell,
        to: &[Cell],
        heuristic: Heuristic,
        scratch: &mut Scratch,
        observer: &mut impl Observer<Cell>,
    ) -> Result<Report, QueryError> {
        let guarantee = self.guarantee(heuristic, Guarantee::Cheapest);
        self.ask(from, to, scratch, |map, ask, memory| {
            if heuristic.overestimates(map.diagonal).is_some() {
                let estimate = |scale| Nearest::new(map, scale, heuristic, ask.cells);
                return map.ranked::<Heap, _, _, _, false>(
                    &ask,
                    memory,
                    &Plan { estimate, rank: Total, guarantee },
                    observer,
                );
            }
            if heuristic == Heuristic::for_movement(map.diagonal) && ask.cells.len() == 1 {
                let estimate = |scale| Reach::new(map, scale, ask.cells[0]);
                return map.ranked::<Sorted, _, _, _, false>(
                    &ask,
                    memory,
                    &Plan { estimate, rank: Total, guarantee },
                    observer,
                );
            }
            let estimate = |scale| Nearest::new(map, scale, heuristic, ask.cells);
            map.ranked::<Sorted, _, _, _, false>(&ask, memory, &Plan { estimate, rank: Total, guarantee }, observer)
        })
    }

    /// Dijkstra's algorithm: a shortest path.
    pub fn dijkstra(
        &self,
        from: Cell,
        to: &[Cell],
        scratch: &mut Scratch,
        observer: &mut impl Observer<Cell>,
    ) -> Result<Report, QueryError> {
        self.ask(from, to, scratch, |map, ask, memory| {
            let guarantee = Guarantee::Cheapest;
            map.ranked::<Sorted, _, _, _, false>(
                &ask,
                memory,
                &Plan { estimate: |_| Blind, rank: Total, guarantee },
                observer,
            )
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
        observer: &mut impl Observer<Cell>,
    ) -> Result<Report, QueryError> {
        self.ask(from, to, scratch, |map, ask, memory| {
            let estimate = |scale| Nearest::new(map, scale, heuristic, ask.cells);
            map.ranked::<Heap, _, _, _, false>(
                &ask,
                memory,
                &Plan { estimate, rank: Left, guarantee: Guarantee::None },
                observer,
            )
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
        observer: &mut impl Observer<Cell>,
    ) -> Result<Report, QueryError> {
        let within =
            if weight == Weight::ONE { Guarantee::Cheapest } else { Guarantee::Within { weight: weight.value() } };
        let guarantee = self.guarantee(heuristic, within);
        let (left, paid) = weight.ratio();
        self.ask(from, to, scratch, |map, ask, memory| {
            let estimate = |scale| Nearest::new(map, scale, heuristic, ask.cells);
            let rank = Weighted { paid, left };
            map.ranked::<Heap, _, _, _, false>(&ask, memory, &Plan { estimate, rank, guarantee }, observer)
        })
    }

    /// Breadth-first search: a path with the fewest steps, whatever they cost.
    pub fn bfs(
        &self,
        from: Cell,
        to: &[Cell],
        scratch: &mut Scratch,
        observer: &mut impl Observer<Cell>,
    ) -> Result<Report, QueryError> {
        self.ask(from, to, scratch, |map, ask, memory| {
            let mut counters = Counters::default();
            let course = ask.course(map, map.narrow());
            let end = breadth_first(course, &mut memory.marks, &mut memory.line, observer, &mut counters);
            let outcome = match end {
                End::Goal { cell, .. } => {
                    trace(map, |index| memory.marks.step(index), cell, &mut memory.path);
                    let guarantee = map.guarantee_of_fewest_steps();
                    Outcome::Found { length: map.length_of(&memory.path), guarantee }
                }
                End::Exhausted => Outcome::Unreachable(Reason::CutOff),
                End::Stopped { why, lower_bound } => {
                    let cheapest = |steps| (steps * u64::from(map.least_cost)) as f64;
                    Outcome::Stopped { why, lower_bound: lower_bound.map(cheapest) }
                }
            };
            Report { outcome, counters }
        })
    }

    /// What fewest steps are worth: where all steps cost the same, the path is the cheapest too.
    pub(crate) fn guarantee_of_fewest_steps(&self) -> Guarantee {
        let alike = self.is_uniform() && self.diagonal == Diagonal::Never;
        if alike { Guarantee::Cheapest } else { Guarantee::Shortest }
    }

    fn guarantee(&self, heuristic: Heuristic, promised: Guarantee) -> Guarantee {
        if heuristic.overestimates(self.diagonal).is_some() { Guarantee::None } else { promised }
    }

    /// Whether [`shortest`](Self::shortest) looks for jump points here: on uniform ground, unless obstacles
    /// are so close together that looking ahead does not pay.
    pub fn prefers_jumps(&self) -> bool {
        // With four ways, only obstacles above and below a row can force a turn.
        let crowded = if self.diagonal == Diagonal::Never { 3 } else { 2 };
        self.lines.is_some() && self.corner_cells * crowded <= self.free_cells
    }

    /// Whether [`level_astar`](Self::level_astar) toward so many goals takes cells up by levels here.
    pub fn takes_levels(&self, goals: usize) -> bool {
        self.raster.is_some() && goals == 1
    }

    fn jump(
        &self,
        from: Cell,
        to: &[Cell],
        scratch: &mut Scratch,
        observer: &mut impl Observer<Cell>,
    ) -> Result<Report, QueryError> {
        self.ask_connected(from, to, scratch, |map, ask, memory| {
            let Some(lines) = map.lines.as_ref() else {
                return nothing(Reason::CutOff);
            };
            let mut counters = Counters::default();
            let course = ask.course(map, map.wide());
            let Scratch { narrow, jumps, path, .. } = memory;
            let end = match ask.cells {
                &[goal] => {
                    let estimate = Reach::new(map, course.scale, goal);
                    jump_search(course, lines, narrow, jumps, &estimate, observer, &mut counters)
                }
                goals => {
                    let estimate = Nearest::new(map, course.scale, Heuristic::for_movement(map.diagonal), goals);
                    jump_search(course, lines, narrow, jumps, &estimate, observer, &mut counters)
                }
            };
            if let End::Goal { cell: slot, .. } = end {
                unfold(map, jumps.way_back(slot), path);
            }
            Report { outcome: conclude(&end, course.scale, Guarantee::Cheapest), counters }
        })
    }

    /// A* that takes up all cells with the same `g + h` together, many at a time: a shortest path. It needs
    /// uniform ground, four ways to go and one goal; elsewhere this is the [pruned](Self::pruned_astar) A*.
    pub fn level_astar(
        &self,
        from: Cell,
        to: &[Cell],
        scratch: &mut Scratch,
        observer: &mut impl Observer<Cell>,
    ) -> Result<Report, QueryError> {
        let Some(raster) = self.raster.as_ref().filter(|_| self.takes_levels(to.len())) else {
            return self.pruned_astar(from, to, scratch, observer);
        };
        self.ask_connected(from, to, scratch, |map, ask, memory| {
            let mut counters = Counters::default();
            let course = ask.course(map, map.wide());
            let Scratch { levels, path, .. } = memory;
            let end = level_search(course, raster, levels, path, observer, &mut counters);
            Report { outcome: conclude(&end, course.scale, Guarantee::Cheapest), counters }
        })
    }

    /// A* that leaves out the steps that are not needed where the ground is even: a shortest path.
    pub fn pruned_astar(
        &self,
        from: Cell,
        to: &[Cell],
        scratch: &mut Scratch,
        observer: &mut impl Observer<Cell>,
    ) -> Result<Report, QueryError> {
        self.ask_connected(from, to, scratch, |map, ask, memory| {
            let guarantee = Guarantee::Cheapest;
            if let &[goal] = ask.cells {
                let estimate = |scale| Reach::new(map, scale, goal);
                return map.ranked::<Stacks, _, _, _, true>(
                    &ask,
                    memory,
                    &Plan { estimate, rank: Total, guarantee },
                    observer,
                );
            }
            let heuristic = Heuristic::for_movement(map.diagonal);
            let estimate = |scale| Nearest::new(map, scale, heuristic, ask.cells);
            map.ranked::<Stacks, _, _, _, true>(&ask, memory, &Plan { estimate, rank: Total, guarantee }, observer)
        })
    }

    /// Checks a question and answers it, at once if the start or all goals are blocked.
    pub(crate) fn ask(
        &self,
        from: Cell,
        to: &[Cell],
        scratch: &mut Scratch,
        answer: impl FnOnce(&Self, Ask<'_>, &mut Scratch) -> Report,
    ) -> Result<Report, QueryError> {
        scratch.path.clear();
        if let Some(&cell) = to.iter().chain([&from]).find(|&&cell| !self.contains(cell)) {
            return Err(QueryError::Outside { cell, rows: self.rows, cols: self.cols });
        }
        if to.is_empty() {
            return Err(QueryError::NoGoal);
        }
        if !self.is_free(from) {
            return Ok(nothing(Reason::BlockedStart));
        }
        let mut goals = std::mem::take(&mut scratch.goals);
        goals.cells.clear();
        goals.cells.extend(to.iter().copied().filter(|&cell| self.is_free(cell)));
        goals.numbers.clear();
        goals.numbers.extend(goals.cells.iter().map(|&cell| self.index(cell) as u32));
        goals.numbers.sort_unstable();
        let report = if goals.cells.is_empty() {
            nothing(Reason::BlockedGoal)
        } else {
            let ask = Ask { from: self.index(from) as u32, cells: &goals.cells, numbers: &goals.numbers };
            answer(self, ask, scratch)
        };
        scratch.goals = goals;
        Ok(report)
    }

    /// The same, and at once if no goal is connected with the start.
    fn ask_connected(
        &self,
        from: Cell,
        to: &[Cell],
        scratch: &mut Scratch,
        answer: impl FnOnce(&Self, Ask<'_>, &mut Scratch) -> Report,
    ) -> Result<Report, QueryError> {
        self.ask(from, to, scratch, |map, ask, memory| {
            if ask.is_connected(map) { answer(map, ask, memory) } else { nothing(Reason::CutOff) }
        })
    }

    /// A best-first search, in 32 bits if they are enough.
    fn ranked<Q: Queue, E: Estimate, R: Rank, O: Observer<Cell>, const PRUNE: bool>(
        &self,
        ask: &Ask<'_>,
        memory: &mut Scratch,
        plan: &Plan<impl Fn(Scale) -> E, R>,
        observer: &mut O,
    ) -> Report {
        let mut nodes = std::mem::take(&mut memory.narrow);
        let course = ask.course(self, self.narrow());
        let report = plan.run::<u32, Q, E, O, PRUNE>(course, &mut nodes, memory, observer);
        memory.narrow = nodes;
        if !matches!(report.outcome, Outcome::Stopped { why: Stop::Overflow, .. }) {
            return report;
        }
        let mut nodes = std::mem::take(&mut memory.wide);
        let course = ask.course(self, self.wide());
        let report = plan.run::<u64, Q::Wide, E, O, PRUNE>(course, &mut nodes, memory, observer);
        memory.wide = nodes;
        report
    }
}

/// There is no path, and no search was needed to say so.
fn nothing(reason: Reason) -> Report {
    Report { outcome: Outcome::Unreachable(reason), counters: Counters::default() }
}

/// A question that was checked: at least one goal, nothing blocked.
#[derive(Clone, Copy)]
pub(crate) struct Ask<'a> {
    pub(crate) from: u32,
    pub(crate) cells: &'a [Cell],
    numbers: &'a [u32],
}

impl<'a> Ask<'a> {
    fn course(&self, map: &'a Map, scale: Scale) -> Course<'a> {
        Course { map, scale, from: self.from, goals: self.numbers, cells: self.cells, against: false }
    }

    fn is_connected(&self, map: &Map) -> bool {
        let piece = map.pieces.of(self.from as usize);
        self.numbers.iter().any(|&goal| map.pieces.of(goal as usize) == piece)
    }
}

/// What makes a best-first search the one that it is.
struct Plan<G, R> {
    /// The heuristic, once the integers for lengths are known.
    estimate: G,
    rank: R,
    guarantee: Guarantee,
}

impl<G, R: Rank> Plan<G, R> {
    /// One run with numbers of one size.
    fn run<N: Number, Q: Queue, E: Estimate, O: Observer<Cell>, const PRUNE: bool>(
        &self,
        course: Course<'_>,
        nodes: &mut Nodes<N>,
        memory: &mut Scratch,
        observer: &mut O,
    ) -> Report
    where
        G: Fn(Scale) -> E,
    {
        let mut counters = Counters::default();
        let (queue, estimate) = (Q::in_scratch(memory), (self.estimate)(course.scale));
        let end =
            best_first::<N, Q, E, R, O, PRUNE>(course, nodes, queue, &estimate, &self.rank, observer, &mut counters);
        let mut outcome = conclude(&end, course.scale, self.guarantee);
        if let End::Goal { cell, .. } = end {
            trace(course.map, |index| step_of(nodes.tag(index)), cell, &mut memory.path);
        }
        if let Outcome::Found { length, guarantee } = &mut outcome {
            // A cell before the goal may have become cheaper to reach since.
            if *guarantee != Guarantee::Cheapest {
                *length = course.map.length_of(&memory.path);
            }
        }
        Report { outcome, counters }
    }
}

fn conclude(end: &End, scale: Scale, guarantee: Guarantee) -> Outcome {
    match *end {
        End::Goal { paid, .. } => Outcome::Found { length: scale.decode(paid), guarantee },
        End::Exhausted => Outcome::Unreachable(Reason::CutOff),
        End::Stopped { why, lower_bound } => {
            let lower_bound = lower_bound.map(|bound| bound as f64 / scale.straight as f64);
            Outcome::Stopped { why, lower_bound }
        }
    }
}

/// Writes down the path to a cell, following the steps back to where there is none.
fn trace(map: &Map, arrived: impl Fn(usize) -> u8, cell: u32, path: &mut Vec<Cell>) {
    let mut index = cell as usize;
    let mut at = map.cell(cell);
    let offsets = map.offsets();
    path.clear();
    path.push(at);
    while let Some(&(row, col)) = DELTAS.get(usize::from(arrived(index))) {
        index = index.wrapping_add_signed(-offsets[usize::from(arrived(index))]);
        at = at.moved(-row, -col);
        path.push(at);
    }
    path.reverse();
}

/// Writes down the path through jump points, which come last first. Between two of them it goes
/// diagonally (four-way: vertically) first.
fn unfold(map: &Map, jumps: impl Iterator<Item = u32>, path: &mut Vec<Cell>) {
    path.clear();
    for jump in jumps {
        let goal = map.cell(jump);
        let Some(&last) = path.last() else {
            path.push(goal);
            continue;
        };
        // From the later one back: straight first.
        let (rows, cols) = (goal.row as i32 - last.row as i32, goal.col as i32 - last.col as i32);
        let diagonal = if map.diagonal == Diagonal::Never { 0 } else { rows.abs().min(cols.abs()) };
        let (row, col) = (rows.signum(), cols.signum());
        let mut walk = |steps: i32, row: i32, col: i32| {
            let at = path.last().copied().unwrap_or(last);
            path.extend((1..=steps).map(|step| at.moved(row * step, col * step)));
        };
        walk(cols.abs() - diagonal, 0, col);
        walk(rows.abs() - diagonal, row, 0);
        walk(diagonal, row, col);
    }
    path.reverse();
}
