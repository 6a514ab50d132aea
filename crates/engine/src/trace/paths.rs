//! Searches of maps and graphs, recorded.

use std::{
    iter::once,
    ops::ControlFlow::{self, Continue},
};

use pintu_grid::{Cell, Graph, Map, Scratch};
use pintu_search::{Bound, Control, Counters, Fate, Node, Observer, Real, Stop};

use super::{
    Caption, Place, Recorder, Recording,
    watch::{note_expansion, note_generation, note_iteration},
};
use crate::path::{self, Journey, PathAlgorithm, PathAnswer, PathError, PathRequest, PathVerdict, Way};

/// Finds a path on a map and records the search, up to a number of events.
pub fn find_path_traced(
    map: &Map,
    from: Cell,
    to: &[Cell],
    request: &PathRequest,
    control: &Control,
    most_events: usize,
) -> Result<(PathAnswer, Recording, Caption), PathError> {
    let cols = map.cols();
    let number = |cell: &Cell| cell.row * cols + cell.col;
    let place = Place::Cells { rows: map.rows(), cols, goals: to.iter().map(number).collect() };
    let mut recorder = Recorder::new(place, most_events);
    let mut trace = Some(CellTrace { recorder: &mut recorder, cols });
    let part = control.part(request.limits);
    let answer = path::map_within(Journey { map, from, to }, request, &mut Scratch::new(), &part, &mut trace)?;
    let states = match &answer.verdict {
        PathVerdict::Found { way: Way::Cells(cells), .. } => Some(cells.iter().map(number).collect()),
        _ => None,
    };
    let caption = caption(&answer, states);
    Ok((answer, recorder.finish(), caption))
}

/// Finds a path on a graph and records the search, up to a number of events.
pub fn find_route_traced(
    graph: &Graph,
    from: &str,
    to: &[&str],
    request: &PathRequest,
    control: &Control,
    most_events: usize,
) -> Result<(PathAnswer, Recording, Caption), PathError> {
    let nodes = 0..graph.len() as u32;
    let place = Place::Names {
        names: nodes.clone().filter_map(|node| graph.name(node)).map(str::to_owned).collect(),
        places: nodes.map(|node| graph.place(node).map(|(x, y)| [x, y])).collect(),
        goals: path::graph_nodes(graph, to)?,
    };
    let mut recorder = Recorder::new(place, most_events);
    // Who searches breadth first counts steps, which are no costs of the graph's.
    let in_steps = matches!(request.algorithm, PathAlgorithm::Bfs | PathAlgorithm::Bidirectional);
    let cost = |cost| if in_steps { cost as f64 } else { graph.cost(cost) };
    let mut trace = Some(NameTrace { recorder: &mut recorder, cost: &cost });
    let answer = path::graph_within(graph, from, to, request, &control.part(request.limits), &mut trace)?;
    let states = match &answer.verdict {
        PathVerdict::Found { way: Way::Names(names), .. } => {
            Some(names.iter().filter_map(|name| graph.node(name)).collect())
        }
        _ => None,
    };
    let caption = caption(&answer, states);
    Ok((answer, recorder.finish(), caption))
}

fn caption(answer: &PathAnswer, path: Option<Vec<u32>>) -> Caption {
    let cost = match &answer.verdict {
        PathVerdict::Found { cost, .. } => cost.to_string().parse().ok(),
        _ => None,
    };
    Caption {
        depth_first: answer.algorithm == PathAlgorithm::Ida,
        path,
        cost,
        answer: serde_json::to_value(answer).unwrap_or_default(),
    }
}

/// The observer that records searches of maps.
pub(crate) struct CellTrace<'a> {
    recorder: &'a mut Recorder,
    cols: u32,
}

impl Observer<Cell, Real> for CellTrace<'_> {
    fn expand(&mut self, node: &Node<'_, Cell, Real>, _: &Counters) -> ControlFlow<Stop> {
        let number = node.state.row * self.cols + node.state.col;
        note_expansion(self.recorder, node, Real::get, || once(number));
        Continue(())
    }

    fn generate(&mut self, node: &Node<'_, Cell, Real>, fate: Fate, _: &Counters) -> ControlFlow<Stop> {
        let number = node.state.row * self.cols + node.state.col;
        note_generation(self.recorder, node, fate, Real::get, || once(number));
        Continue(())
    }

    fn iteration(&mut self, bound: Bound<Real>, _: &Counters) -> ControlFlow<Stop> {
        note_iteration(self.recorder, bound, Real::get);
        Continue(())
    }
}

/// The observer that records searches of graphs.
pub(crate) struct NameTrace<'a> {
    recorder: &'a mut Recorder,
    /// What a cost of the search is in the graph's own units.
    cost: &'a dyn Fn(u64) -> f64,
}

impl Observer<u32, u64> for NameTrace<'_> {
    fn expand(&mut self, node: &Node<'_, u32, u64>, _: &Counters) -> ControlFlow<Stop> {
        note_expansion(self.recorder, node, self.cost, || once(*node.state));
        Continue(())
    }

    fn generate(&mut self, node: &Node<'_, u32, u64>, fate: Fate, _: &Counters) -> ControlFlow<Stop> {
        note_generation(self.recorder, node, fate, self.cost, || once(*node.state));
        Continue(())
    }

    fn iteration(&mut self, bound: Bound<u64>, _: &Counters) -> ControlFlow<Stop> {
        note_iteration(self.recorder, bound, self.cost);
        Continue(())
    }
}
