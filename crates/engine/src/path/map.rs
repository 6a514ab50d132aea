//! Turns names into code, on maps.

use pintu_grid::{Algorithm, Cell, Distances, Map, Outcome, QueryError, Report, Scratch, Toward};
use pintu_search::{Control, Counters, Guarantee, Weight};

use super::{PathAlgorithm, PathAnswer, PathError, PathRequest, PathStates, PathVerdict, answer::Choice};
use crate::trace::PathTrace;

/// Finds a path on a map from a cell to the nearest of others, within the request's limits and the control's.
///
/// ```
/// use pintu_engine::path::{find_path, PathAlgorithm, PathRequest};
/// use pintu_grid::{Diagonal, Map, Scratch, Terrain};
/// use pintu_search::Control;
///
/// let sea: Terrain = "2 3\n1 3 4\n0 0 0\n".parse().unwrap();
/// let map = Map::new(&sea, Diagonal::Never);
/// let request = PathRequest::new(PathAlgorithm::Auto);
/// let (from, to) = (sea.start.unwrap(), &sea.goals);
/// let answer = find_path(&map, from, to, &request, &mut Scratch::new(), &Control::unlimited()).unwrap();
/// assert!(serde_json::to_string(&answer).unwrap().starts_with(r#"{"status":"found","cost":4,"path":[[0,0],"#));
/// ```
pub fn find_path(
    map: &Map,
    from: Cell,
    to: &[Cell],
    request: &PathRequest,
    scratch: &mut Scratch,
    control: &Control,
) -> Result<PathAnswer, PathError> {
    within(Journey { map, from, to }, request, scratch, &control.part(request.limits), &mut None)
}

/// A start on a map, and the goals, of which the nearest is wanted.
#[derive(Clone, Copy)]
pub(crate) struct Journey<'a> {
    pub(crate) map: &'a Map,
    pub(crate) from: Cell,
    pub(crate) to: &'a [Cell],
}

impl Journey<'_> {
    /// Whether it has goals on the map, and no path leads from its start to one of them.
    fn is_cut_off(self) -> bool {
        let Self { map, from, to } = self;
        let is_off = |&goal: &Cell| map.contains(goal) && !map.connected(from, goal);
        map.is_free(from) && !to.is_empty() && to.iter().all(is_off)
    }
}

/// Finds a path under a control that has the request's limits, and records the search if there is a trace.
pub(crate) fn within(
    journey: Journey<'_>,
    request: &PathRequest,
    scratch: &mut Scratch,
    control: &Control,
    trace: &mut Option<PathTrace<'_, Cell, f64>>,
) -> Result<PathAnswer, PathError> {
    let search = Choice::on_map(journey.map, request)?;
    // Found without a search, so that the only search, with its counts and bounds, is the one for the nearest cell.
    let mut hold = control.hold();
    let instead = if request.nearest && journey.is_cut_off() {
        match journey.map.nearest_reachable(journey.from, journey.to, control, &mut hold) {
            Ok(cells) => Some(cells),
            Err(why) => {
                let verdict = PathVerdict::Limit { why, lower_bound: None };
                return Ok(search.answer(verdict, Counters::default(), control));
            }
        }
    } else {
        None
    };
    let to = instead.as_deref().unwrap_or(journey.to);
    let report = search.run(Journey { to, ..journey }, scratch, control, trace)?;
    let nearest = instead.as_ref().and_then(|_| scratch.path().last().copied());
    let verdict = match report.outcome {
        Outcome::Found { length, guarantee } => PathVerdict::Found {
            cost: length.into(),
            path: PathStates::Cells(scratch.path().to_vec()),
            optimal: guarantee == Guarantee::Cheapest,
            nearest,
        },
        Outcome::Unreachable(reason) => PathVerdict::Unreachable { reason: reason.to_string() },
        Outcome::Stopped { why, lower_bound } => PathVerdict::Limit { why, lower_bound },
    };
    let ran = Choice { algorithm: search.algorithm(&report), ..search };
    Ok(PathAnswer { scanned: report.scanned, ..ran.answer(verdict, report.counters, control) })
}

/// The distances from a cell to every other one, or from all of them to it.
pub fn distances(
    map: &Map,
    cell: Cell,
    toward: Toward,
    request: &PathRequest,
    control: &Control,
) -> Result<Distances, PathError> {
    // A request that would be refused for a path is refused here, too, though no heuristic is used.
    Choice::on_map(map, request)?;
    Ok(map.distances(cell, toward, &mut Scratch::new(), &control.part(request.limits))?)
}

impl Choice {
    pub(super) fn on_map(map: &Map, request: &PathRequest) -> Result<Self, PathError> {
        let heuristic = request.heuristic_on(map.diagonal())?;
        let weight = request.weight()?;
        let algorithm = match request.algorithm {
            // With a heuristic named, A* is the algorithm that uses it.
            PathAlgorithm::Auto if request.heuristic.is_some() => PathAlgorithm::Astar,
            named => named,
        };
        Ok(Self { algorithm, heuristic, weight })
    }

    /// The name of the algorithm that ran: the request's, or the one that the map chose.
    pub(super) fn algorithm(&self, report: &Report) -> PathAlgorithm {
        match (self.algorithm, report.algorithm) {
            (PathAlgorithm::Auto | PathAlgorithm::LevelAstar, Algorithm::PrunedAstar) => PathAlgorithm::PrunedAstar,
            (PathAlgorithm::Auto, Algorithm::LevelAstar) => PathAlgorithm::LevelAstar,
            (PathAlgorithm::Auto, _) => PathAlgorithm::Jps,
            (named, _) => named,
        }
    }

    pub(super) fn run(
        &self,
        journey: Journey<'_>,
        scratch: &mut Scratch,
        control: &Control,
        trace: &mut Option<PathTrace<'_, Cell, f64>>,
    ) -> Result<Report, QueryError> {
        let Journey { map, from, to } = journey;
        let heuristic = self.heuristic;
        let algorithm = match self.algorithm {
            PathAlgorithm::Auto => Algorithm::Fastest,
            PathAlgorithm::Bfs => Algorithm::Bfs,
            PathAlgorithm::Bidirectional => Algorithm::Bidirectional,
            PathAlgorithm::Dijkstra => Algorithm::Dijkstra,
            PathAlgorithm::Greedy => Algorithm::Greedy(heuristic),
            PathAlgorithm::Astar => Algorithm::Astar(heuristic),
            PathAlgorithm::Wastar => Algorithm::WeightedAstar(heuristic, self.weight.unwrap_or(Weight::ONE)),
            PathAlgorithm::Ida => Algorithm::Ida(heuristic),
            PathAlgorithm::Jps => Algorithm::Jps,
            PathAlgorithm::LevelAstar => Algorithm::LevelAstar,
            PathAlgorithm::PrunedAstar => Algorithm::PrunedAstar,
        };
        map.search(algorithm, from, to, scratch, (control, trace))
    }
}

#[cfg(test)]
mod tests {
    use pintu_grid::{Diagonal, Terrain};
    use pintu_search::{Limits, Stop};

    use super::*;

    /// Whatever the node limit, the answer is about the path to the nearest cell, which costs 2.
    #[test]
    fn a_limit_on_the_way_to_the_nearest_cell_counts_all_and_bounds_what_is_asked() {
        let terrain: Terrain = "S..#G\n".parse().unwrap();
        let map = Map::new(&terrain, Diagonal::Never);
        for algorithm in PathAlgorithm::ALL {
            let mut found = 0;
            for nodes in 0..30 {
                let limits = Limits::none().nodes(nodes);
                let request = PathRequest { nearest: true, limits, ..PathRequest::new(algorithm) };
                let (from, control) = (terrain.start.unwrap(), Control::unlimited());
                let answer = find_path(&map, from, &terrain.goals, &request, &mut Scratch::new(), &control).unwrap();
                let context = format!("{algorithm} within {nodes}: {answer:?}");
                assert_eq!(answer.counters.expanded, control.counters().expanded, "all is counted: {context}");
                match answer.verdict {
                    PathVerdict::Found { cost, nearest, .. } => {
                        assert_eq!((cost.to_string().as_str(), nearest), ("2", Some(Cell::new(0, 2))), "{context}");
                        found += 1;
                    }
                    PathVerdict::Limit { why: Stop::Nodes, lower_bound } => {
                        assert!(lower_bound.is_none_or(|bound| bound <= 2.0), "{context}");
                        assert_eq!(answer.counters.expanded, nodes, "{context}");
                    }
                    _ => panic!("{context}"),
                }
            }
            assert!(found > 20, "{algorithm}: one search is enough");
        }
    }

    #[test]
    fn the_nearest_cell_is_asked_for_only_where_there_is_one() {
        let terrain: Terrain = "S..#G\n".parse().unwrap();
        let map = Map::new(&terrain, Diagonal::Never);
        let request = PathRequest { nearest: true, ..PathRequest::new(PathAlgorithm::Astar) };
        let find =
            |from: Cell, to: &[Cell]| find_path(&map, from, to, &request, &mut Scratch::new(), &Control::unlimited());
        let at = |col| Cell::new(0, col);
        let outside = |found: Result<PathAnswer, PathError>| matches!(found, Err(PathError::Query(QueryError::Outside { cell, .. })) if cell == at(9));
        assert!(outside(find(at(0), &[at(4), at(9)])) && outside(find(at(9), &[at(4)])));
        assert!(matches!(find(at(0), &[]), Err(PathError::Query(QueryError::NoGoal))));
        assert_eq!(find(at(3), &[at(4)]).unwrap().status(), "unreachable");
        let reached = find(at(0), &[at(4), at(1)]).unwrap();
        assert!(matches!(reached.verdict, PathVerdict::Found { nearest: None, .. }), "{reached:?}");
    }
}
