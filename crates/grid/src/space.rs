//! A map as a space of the search library, for the algorithms that gain nothing from its being a grid.

use std::ops::ControlFlow;

use pintu_search::{Backward, Cost, Counters, Guarantee, Node, Observer, Outcome as Ended, Space, Stop};

use crate::{
    Cell, Heuristic, Map, Outcome, QueryError, Reason, Report, Scratch,
    heuristic::{Estimate, Nearest},
    movement::Step,
    scale::Scale,
};

impl Map {
    /// Breadth-first search from both ends: a path with the fewest steps, whatever they cost.
    pub fn bidirectional(
        &self,
        from: Cell,
        to: &[Cell],
        scratch: &mut Scratch,
        observer: &mut impl Observer<Cell>,
    ) -> Result<Report, QueryError> {
        self.ask(from, to, scratch, |map, ask, memory| {
            let space = MapSpace { map, goals: ask.cells, scale: None };
            let report = pintu_search::bidirectional(&space, &from, observer);
            let guarantee = map.guarantee_of_fewest_steps();
            conclude(&space, report, guarantee, memory, f64::from(map.least_cost))
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
        observer: &mut impl Observer<Cell>,
    ) -> Result<Report, QueryError> {
        self.ask(from, to, scratch, |map, ask, memory| {
            let scale = map.narrow();
            let space = MapSpace { map, goals: ask.cells, scale: Some(scale) };
            let nearest = Nearest::new(map, scale, heuristic, ask.cells);
            let estimate = |cell: &Cell| Cost::try_from(nearest.at(*cell)).unwrap_or(Cost::MAX);
            let mut observer = InWholes { observer, unit: scale.straight as Cost };
            let report = pintu_search::ida_with_table(&space, &from, &estimate, &mut observer);
            let exact = report.solution().is_none_or(|found| u64::from(found.cost) < scale.exact_below);
            let sure = exact && heuristic.overestimates(map.diagonal).is_none();
            let guarantee = if sure { Guarantee::Cheapest } else { Guarantee::None };
            conclude(&space, report, guarantee, memory, 1.0 / scale.straight as f64)
        })
    }
}

/// What a search of the library found, in the map's terms. `unit` is the length for which its costs
/// count.
fn conclude<'a>(
    space: &MapSpace<'a>,
    report: pintu_search::Report<MapSpace<'a>>,
    guarantee: Guarantee,
    memory: &mut Scratch,
    unit: f64,
) -> Report {
    let outcome = match report.outcome {
        Ended::Solved(solution) => {
            memory.path.extend(solution.path.states(space));
            Outcome::Found { length: space.map.length_of(&memory.path), guarantee }
        }
        Ended::NoSolution => Outcome::Unreachable(Reason::CutOff),
        Ended::Stopped { why, lower_bound } => {
            Outcome::Stopped { why, lower_bound: lower_bound.map(|bound| f64::from(bound) * unit) }
        }
    };
    Report { outcome, counters: report.counters }
}

/// A map with goals.
struct MapSpace<'a> {
    map: &'a Map,
    goals: &'a [Cell],
    /// The integers for lengths; without them, every step costs 1.
    scale: Option<Scale>,
}

impl Space for MapSpace<'_> {
    type State = Cell;
    type Action = Step;

    fn actions(&self, state: &Cell) -> impl Iterator<Item = Step> {
        self.map.steps(*state).map(|(step, _)| step)
    }

    fn apply(&self, state: &mut Cell, step: &Step) -> Cost {
        let (row, col) = step.delta();
        *state = state.moved(row, col);
        let Some(scale) = self.scale else {
            return 1;
        };
        let unit = if step.is_diagonal() { scale.diagonal } else { scale.straight };
        let cost = unit * u64::from(self.map.cost_of(self.map.index(*state)));
        Cost::try_from(cost).unwrap_or(Cost::MAX)
    }

    fn is_goal(&self, state: &Cell) -> bool {
        self.goals.contains(state)
    }
}

impl Backward for MapSpace<'_> {
    fn goals(&self) -> impl Iterator<Item = Cell> {
        self.goals.iter().copied()
    }

    fn origins(&self, state: &Cell) -> impl Iterator<Item = Cell> {
        self.map.steps(*state).map(|(_, cell)| cell)
    }
}

/// Shows costs to an observer as whole lengths, rounded down, as all algorithms on maps do.
struct InWholes<'a, O> {
    observer: &'a mut O,
    unit: Cost,
}

impl<O> InWholes<'_, O> {
    fn whole<'n>(&self, node: &Node<'n, Cell>) -> Node<'n, Cell> {
        Node { state: node.state, cost: node.cost / self.unit, estimate: node.estimate / self.unit }
    }
}

impl<O: Observer<Cell>> Observer<Cell> for InWholes<'_, O> {
    fn expand(&mut self, node: &Node<'_, Cell>, so_far: &Counters) -> ControlFlow<Stop> {
        self.observer.expand(&self.whole(node), so_far)
    }

    fn generate(&mut self, from: &Cell, node: &Node<'_, Cell>, so_far: &Counters) -> ControlFlow<Stop> {
        self.observer.generate(from, &self.whole(node), so_far)
    }

    fn iteration(&mut self, bound: Cost, so_far: &Counters) -> ControlFlow<Stop> {
        self.observer.iteration(bound / self.unit, so_far)
    }

    fn grow(&mut self, bytes: u64, so_far: &Counters) -> ControlFlow<Stop> {
        self.observer.grow(bytes, so_far)
    }
}
