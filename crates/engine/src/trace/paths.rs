//! Searches of maps and graphs, recorded.

use std::{
    iter::once,
    ops::ControlFlow::{self, Continue},
};

use pintu_grid::{Cell, Graph, Map, Measure, Scratch};
use pintu_search::{Bound, Control, Counters, Fate, Node, Observer, Stop};

use super::{
    Order, Place, Recorder, Tape, Traced,
    watch::{note_expansion, note_generation, note_iteration},
};
use crate::path::{
    self, Journey, PathAlgorithm, PathAnswer, PathCost, PathError, PathRequest, PathVerdict, Way, graph_cost,
};

/// Finds a path on a map and records the search, as long as the tape has room.
pub fn find_path_traced(
    map: &Map,
    from: Cell,
    to: &[Cell],
    request: &PathRequest,
    control: &Control,
    tape: &Tape,
) -> Result<Traced<PathAnswer>, PathError> {
    let cols = map.cols();
    let number = |cell: &Cell| cell.row * cols + cell.col;
    let place = Place::Cells { rows: map.rows(), cols, goals: to.iter().map(number).collect() };
    let part = control.part(request.limits);
    let mut recorder = Recorder::new(place, tape, &part);
    let mut trace = Some(CellTrace { recorder: &mut recorder, cols });
    let answer = path::map_within(Journey { map, from, to }, request, &mut Scratch::new(), &part, &mut trace)?;
    let states = match &answer.verdict {
        PathVerdict::Found { way: Way::Cells(cells), .. } => Some(cells.iter().map(number).collect()),
        _ => None,
    };
    Ok(traced(answer, recorder, number(&from), states))
}

/// Finds a path on a graph and records the search, as long as the tape has room.
pub fn find_route_traced(
    graph: &Graph,
    from: &str,
    to: &[&str],
    request: &PathRequest,
    control: &Control,
    tape: &Tape,
) -> Result<Traced<PathAnswer>, PathError> {
    let nodes = 0..graph.len() as u32;
    let place = Place::Names {
        names: nodes.clone().filter_map(|node| graph.name(node)).map(str::to_owned).collect(),
        places: nodes.map(|node| graph.place(node).map(|(x, y)| [x, y])).collect(),
        goals: path::graph_nodes(graph, to)?,
    };
    let start = path::graph_node(graph, from)?;
    let part = control.part(request.limits);
    let mut recorder = Recorder::new(place, tape, &part);
    // Who searches breadth first counts steps, which are no costs of the graph's.
    let in_steps = matches!(request.algorithm, PathAlgorithm::Bfs | PathAlgorithm::Bidirectional);
    let cost = |cost| if in_steps { PathCost::Whole(cost) } else { graph_cost(graph, cost) };
    let mut trace = Some(NameTrace { recorder: &mut recorder, cost: &cost });
    let answer = path::graph_within(graph, from, to, request, &part, &mut trace)?;
    let states = match &answer.verdict {
        PathVerdict::Found { way: Way::Names(names), .. } => {
            Some(names.iter().filter_map(|name| graph.node(name)).collect())
        }
        _ => None,
    };
    Ok(traced(answer, recorder, start, states))
}

fn traced(answer: PathAnswer, recorder: Recorder, start: u32, path: Option<Vec<u32>>) -> Traced<PathAnswer> {
    let cost = match &answer.verdict {
        PathVerdict::Found { cost, .. } => Some(*cost),
        _ => None,
    };
    let kept = recorder.finish(&answer.counters);
    let (depth_first, length) = (answer.algorithm == PathAlgorithm::Ida, path.as_ref().map_or(0, Vec::len));
    let order = Order::new(answer.algorithm == PathAlgorithm::Greedy, answer.weight);
    Traced::new(answer, kept, (depth_first, order), vec![start], cost, length, || path)
}

/// The observer that records searches of maps.
pub(crate) struct CellTrace<'a> {
    recorder: &'a mut Recorder,
    cols: u32,
}

impl Observer<Cell, Measure> for CellTrace<'_> {
    fn expand(&mut self, node: &Node<'_, Cell, Measure>, so_far: &Counters) -> ControlFlow<Stop> {
        let number = node.state.row * self.cols + node.state.col;
        note_expansion(self.recorder, node, so_far, PathCost::from, || once(number));
        Continue(())
    }

    fn generate(&mut self, node: &Node<'_, Cell, Measure>, fate: Fate, _: &Counters) -> ControlFlow<Stop> {
        let number = node.state.row * self.cols + node.state.col;
        note_generation(self.recorder, node, fate, PathCost::from, || once(number));
        Continue(())
    }

    fn iteration(&mut self, bound: Bound<Measure>, so_far: &Counters) -> ControlFlow<Stop> {
        note_iteration(self.recorder, bound, so_far, PathCost::from);
        Continue(())
    }
}

/// The observer that records searches of graphs.
pub(crate) struct NameTrace<'a> {
    recorder: &'a mut Recorder,
    /// What a cost of the search is in the graph's own units.
    cost: &'a dyn Fn(u64) -> PathCost,
}

impl Observer<u32, u64> for NameTrace<'_> {
    fn expand(&mut self, node: &Node<'_, u32, u64>, so_far: &Counters) -> ControlFlow<Stop> {
        note_expansion(self.recorder, node, so_far, self.cost, || once(*node.state));
        Continue(())
    }

    fn generate(&mut self, node: &Node<'_, u32, u64>, fate: Fate, _: &Counters) -> ControlFlow<Stop> {
        note_generation(self.recorder, node, fate, self.cost, || once(*node.state));
        Continue(())
    }

    fn iteration(&mut self, bound: Bound<u64>, so_far: &Counters) -> ControlFlow<Stop> {
        note_iteration(self.recorder, bound, so_far, self.cost);
        Continue(())
    }
}
