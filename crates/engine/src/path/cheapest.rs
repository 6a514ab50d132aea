//! The cheapest paths, in order.

use pintu_grid::{Cell, Graph, Map, QueryError};
use pintu_search::{Control, Counters, Heuristic, Observer, PathsByCost, Solution, Space, Stop, paths_by_cost};
use serde::{Serialize, Serializer, ser::SerializeMap};

use super::{
    PathCost, PathError, PathRequest, PathStates,
    graph::{names, node, nodes, usual_heuristic},
};
use crate::answer::serialize_spent;

/// The cheapest paths from a start to the nearest of some goals.
#[derive(Clone, Debug)]
pub struct CheapestPaths {
    /// The paths, the cheapest first: as many as were asked for, unless there are fewer or the search was stopped.
    pub paths: Vec<CostedPath>,
    /// What stopped the search, if something did.
    pub stopped: Option<Stop>,
    pub counters: Counters,
    pub seconds: f64,
}

#[derive(Clone, Debug, Serialize)]
pub struct CostedPath {
    pub cost: PathCost,
    /// Its states, both ends included.
    pub path: PathStates,
}

/// The `count` cheapest paths without a loop on a map, from a cell to the nearest of others, each with its cost. Each path
/// ends at the first goal that it comes to. The request's algorithm, heuristic and weight are not used.
pub fn cheapest_paths(
    map: &Map,
    from: Cell,
    to: &[Cell],
    count: usize,
    request: &PathRequest,
    control: &Control,
) -> Result<CheapestPaths, PathError> {
    if to.is_empty() {
        return Err(QueryError::NoGoal.into());
    }
    if !map.contains(from) {
        return Err(QueryError::Outside { cell: from, rows: map.rows(), cols: map.cols() }.into());
    }
    let (space, control) = (map.space(to)?, control.part(request.limits));
    let left = |cell: &Cell| space.estimate(*cell);
    // No path begins at a blocked cell, which the search itself would allow.
    let count = if map.is_free(from) { count } else { 0 };
    let found = paths_by_cost(&space, &from, &left, &control);
    Ok(collect(found, count, &control, |path| {
        let cells = path.path.states(&space).collect();
        Ok(CostedPath { cost: path.cost.into(), path: PathStates::Cells(cells) })
    }))
}

/// The `count` cheapest paths without a loop in a graph, from a node to the nearest of others, by their names.
pub fn cheapest_paths_in_graph(
    graph: &Graph,
    from: &str,
    to: &[&str],
    count: usize,
    request: &PathRequest,
    control: &Control,
) -> Result<CheapestPaths, PathError> {
    let (start, goals) = (node(graph, from)?, nodes(graph, to)?);
    let metric = graph.metric(usual_heuristic(graph, &goals), &goals)?;
    let (space, control) = (graph.toward(&goals), control.part(request.limits));
    let found = paths_by_cost(&space, &start, metric, &control);
    Ok(collect(found, count, &control, |path| {
        if path.cost > graph.max_cost() {
            return Err(Stop::Overflow);
        }
        Ok(CostedPath { cost: PathCost::on(graph, path.cost), path: names(graph, path.path.states(&space)) })
    }))
}

fn collect<S: Space, H: Heuristic<S>, O: Observer<S::State, S::Cost>>(
    mut found: PathsByCost<'_, S, H, O>,
    count: usize,
    control: &Control,
    path_of: impl Fn(Solution<S::State, S::Action, S::Cost>) -> Result<CostedPath, Stop>,
) -> CheapestPaths {
    /// Upper bound of the bytes of a cell, or of a name of usual length.
    const STATE_BYTES: u64 = 64;
    let (mut paths, mut hold) = (Vec::new(), control.hold());
    let mut stopped = None;
    for path in found.by_ref().take(count) {
        match hold.more((path.path.len() as u64 + 1) * STATE_BYTES).and_then(|()| path_of(path)) {
            Ok(path) => paths.push(path),
            Err(why) => {
                stopped = Some(why);
                break;
            }
        }
    }
    let stopped = stopped.or(found.stopped());
    CheapestPaths { paths, stopped, counters: found.counters(), seconds: control.elapsed().as_secs_f64() }
}

impl CheapestPaths {
    /// `limit` if the search was stopped, else `found` or `unreachable`.
    pub fn status(&self) -> &'static str {
        match (self.stopped, self.paths.is_empty()) {
            (Some(_), _) => "limit",
            (None, true) => "unreachable",
            (None, false) => "found",
        }
    }
}

/// `{"status":…,"paths":[{"cost":…,"path":[…]},…],"reason":…,"expanded":…,…}`, with a reason where a limit was reached.
impl Serialize for CheapestPaths {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("status", self.status())?;
        object.serialize_entry("paths", &self.paths)?;
        if let Some(why) = self.stopped {
            object.serialize_entry("reason", why.name())?;
        }
        serialize_spent(&mut object, &self.counters, self.seconds)?;
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use pintu_grid::{Diagonal, Terrain};
    use pintu_search::Limits;

    use super::*;
    use crate::path::PathAlgorithm;

    #[test]
    fn paths_come_in_the_order_of_their_costs_until_there_are_no_more() {
        let (request, control) = (PathRequest::new(PathAlgorithm::Auto), Control::unlimited());
        let terrain: Terrain = "S.G\n.5.\n##.\n".parse().unwrap();
        let map = Map::new(&terrain, Diagonal::Never);
        let paths = |from: Cell, count| cheapest_paths(&map, from, &terrain.goals, count, &request, &control);
        let all = paths(Cell::new(0, 0), 9).unwrap();
        assert_eq!(all.paths.iter().map(|path| path.cost.value()).collect::<Vec<_>>(), [2.0, 8.0, 8.0, 8.0]);
        let json = serde_json::to_string(&all).unwrap();
        assert!(json.starts_with(r#"{"status":"found","paths":[{"cost":2,"path":[[0,0],[0,1],[0,2]]},"#), "{json}");
        assert_eq!(paths(Cell::new(0, 0), 2).unwrap().paths.len(), 2);
        assert_eq!(paths(Cell::new(2, 0), 2).unwrap().status(), "unreachable");
        assert!(matches!(paths(Cell::new(3, 0), 2), Err(PathError::Query(QueryError::Outside { .. }))));
        let graph = Graph::read("a b 1.5\nb c 1\na c 4\na c 3\n", false).unwrap();
        let routes = cheapest_paths_in_graph(&graph, "a", &["c"], 5, &request, &control).unwrap();
        let routes = serde_json::to_string(&routes.paths).unwrap();
        assert_eq!(routes, r#"[{"cost":2.5,"path":["a","b","c"]},{"cost":3,"path":["a","c"]}]"#);
    }

    #[test]
    fn limits_and_costs_that_do_not_fit_stop_the_search() {
        let request = |limits| PathRequest { limits, ..PathRequest::new(PathAlgorithm::Auto) };
        let map = Map::new(&Terrain::open(6, 6).unwrap(), Diagonal::Always);
        let (from, to, control) = (Cell::new(0, 0), [Cell::new(5, 5)], Control::unlimited());
        for limits in [Limits::none().nodes(50), Limits::none().memory(20_000)] {
            let found = cheapest_paths(&map, from, &to, usize::MAX, &request(limits), &control).unwrap();
            assert_eq!(found.status(), "limit", "{limits:?}");
        }
        let graph = Graph::read("a b 9007199254740992\nb c 1\n", false).unwrap();
        let found = cheapest_paths_in_graph(&graph, "a", &["c"], 1, &request(Limits::none()), &control).unwrap();
        assert_eq!((found.stopped, found.paths.len()), (Some(Stop::Overflow), 0));
    }
}
