//! Searches of maps and graphs, recorded.

use std::iter::once;

use pintu_grid::{Cell, Graph, Map, QueryError, Scratch};
use pintu_search::{Bound, Control, Counters, Fate, Node, Observer, Stop};

use super::{Domain, EventBudget, Rank, Traced, recorder::Recorder};
use crate::path::{
    self, Journey, PathAlgorithm, PathAnswer, PathCost, PathError, PathRequest, PathStates, PathVerdict,
};

/// Finds a path on a map and records the search, as long as the budget allows.
pub fn find_path_traced(
    map: &Map,
    from: Cell,
    to: &[Cell],
    request: &PathRequest,
    control: &Control,
    budget: &EventBudget,
) -> Result<Traced<PathAnswer>, PathError> {
    if let Some(&cell) = to.iter().chain([&from]).find(|&&cell| !map.contains(cell)) {
        return Err(QueryError::Outside { cell, rows: map.rows(), cols: map.cols() }.into());
    }
    let cols = map.cols();
    let number = |cell: &Cell| cell.row * cols + cell.col;
    let domain = Domain::Cells { rows: map.rows(), cols, goals: to.iter().map(number).collect() };
    let part = control.part(request.limits);
    let mut recorder = Recorder::new(domain, budget, request.algorithm == PathAlgorithm::Ida, &part);
    let mut trace = Some(PathTrace { recorder: &mut recorder, number: &number, cost: &PathCost::of });
    let answer = path::map_within(Journey { map, from, to }, request, &mut Scratch::new(), &part, &mut trace)?;
    let states = match &answer.verdict {
        PathVerdict::Found { path: PathStates::Cells(cells), .. } => Some(cells.iter().map(number).collect()),
        _ => None,
    };
    Ok(traced(answer, recorder, number(&from), states))
}

/// Finds a path on a graph and records the search, as long as the budget allows.
pub fn find_path_in_graph_traced(
    graph: &Graph,
    from: &str,
    to: &[&str],
    request: &PathRequest,
    control: &Control,
    budget: &EventBudget,
) -> Result<Traced<PathAnswer>, PathError> {
    let (start, goals) = (path::graph_node(graph, from)?, path::graph_nodes(graph, to)?);
    let part = control.part(request.limits);
    // The names and positions are copied, so that the recording outlives the graph.
    let mut hold = part.hold();
    hold.more(graph.bytes())?;
    let nodes = 0..graph.len() as u32;
    let domain = Domain::Names {
        names: nodes.clone().filter_map(|node| graph.name(node)).map(str::to_owned).collect(),
        places: nodes.map(|node| graph.position(node).map(|(x, y)| [x, y])).collect(),
        goals,
    };
    let mut recorder = Recorder::new(domain, budget, request.algorithm == PathAlgorithm::Ida, &part);
    // Breadth-first search counts steps, not the graph's costs.
    let in_steps = matches!(request.algorithm, PathAlgorithm::Bfs | PathAlgorithm::Bidirectional);
    let cost = |cost| if in_steps { PathCost::whole(cost) } else { PathCost::on(graph, cost) };
    let mut trace = Some(PathTrace { recorder: &mut recorder, number: &|node: &u32| *node, cost: &cost });
    let answer = path::graph_within(graph, from, to, request, &part, &mut trace)?;
    let states = match &answer.verdict {
        PathVerdict::Found { path: PathStates::Names(names), .. } => {
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
    let order = Rank::new(answer.algorithm == PathAlgorithm::Greedy, answer.weight);
    Traced::new(answer, kept, (depth_first, order), vec![start], cost, length, || path)
}

/// The observer that records searches of maps and graphs.
pub(crate) struct PathTrace<'a, St, C> {
    recorder: &'a mut Recorder,
    /// The number of a cell or a node.
    number: &'a dyn Fn(&St) -> u32,
    /// Converts a cost of the search to the units of the map or graph.
    cost: &'a dyn Fn(C) -> PathCost,
}

impl<St, C: Copy> Observer<St, C> for PathTrace<'_, St, C> {
    fn expand(&mut self, node: &Node<'_, St, C>, so_far: &Counters) -> Result<(), Stop> {
        self.recorder.expand(node, so_far, self.cost, || once((self.number)(node.state)));
        Ok(())
    }

    fn generate(&mut self, node: &Node<'_, St, C>, fate: Fate, _: &Counters) -> Result<(), Stop> {
        self.recorder.generate(node, fate, self.cost, || once((self.number)(node.state)));
        Ok(())
    }

    fn iteration(&mut self, bound: Bound<C>, so_far: &Counters) -> Result<(), Stop> {
        self.recorder.iterate(bound, so_far, self.cost);
        Ok(())
    }
}
