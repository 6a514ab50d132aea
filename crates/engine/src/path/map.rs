//! Where a name becomes code, on maps.

use pintu_grid::{Cell, Distances, Heuristic, Map, Method, Outcome, QueryError, Reason, Report, Scratch, Toward};
use pintu_search::{Control, Guarantee, Stop, Weight};

use super::{PathAlgorithm, PathAnswer, PathError, PathRequest, PathVerdict, Way};
use crate::trace::CellTrace;

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

/// From a cell of a map to the nearest of others.
#[derive(Clone, Copy)]
pub(crate) struct Journey<'a> {
    pub(crate) map: &'a Map,
    pub(crate) from: Cell,
    pub(crate) to: &'a [Cell],
}

/// Finds a path under a control that has the request's limits, and records the search if somebody wants to see it.
pub(crate) fn within(
    journey: Journey<'_>,
    request: &PathRequest,
    scratch: &mut Scratch,
    control: &Control,
    trace: &mut Option<CellTrace<'_>>,
) -> Result<PathAnswer, PathError> {
    let plan = Plan::new(journey.map, request)?;
    let mut report = plan.run(journey, scratch, control, trace)?;
    let mut nearest = None;
    if let (Outcome::Unreachable(Reason::CutOff | Reason::BlockedGoal), true) = (&report.outcome, request.nearest) {
        let instead = journey.map.nearest_reachable(journey.from, journey.to);
        report = plan.run(Journey { to: &instead, ..journey }, scratch, control, trace)?;
        nearest = scratch.path().last().copied();
    }
    let verdict = match report.outcome {
        Outcome::Found { length, guarantee } => PathVerdict::Found {
            cost: length.into(),
            way: Way::Cells(scratch.path().to_vec()),
            optimal: guarantee == Guarantee::Cheapest,
            nearest,
        },
        Outcome::Unreachable(reason) => PathVerdict::Unreachable { reason: reason.to_string() },
        Outcome::Stopped { why, lower_bound } => PathVerdict::Limit { why, lower_bound },
    };
    Ok(PathAnswer {
        verdict,
        algorithm: plan.algorithm(&report),
        heuristic: plan.heuristic,
        weight: plan.weight.map(Weight::value),
        counters: report.counters,
        seconds: control.elapsed().as_secs_f64(),
    })
}

/// How far it is from a cell to every other one, or from all of them to it. The inner result tells what stopped the
/// search, if something did.
pub fn distances(
    map: &Map,
    cell: Cell,
    toward: Toward,
    request: &PathRequest,
    control: &Control,
) -> Result<Result<Distances, Stop>, PathError> {
    match map.distances(cell, toward, &mut Scratch::new(), &control.part(request.limits)) {
        Ok(found) => Ok(Ok(found)),
        Err(QueryError::Stopped(why)) => Ok(Err(why)),
        Err(error) => Err(error.into()),
    }
}

/// A request that was checked against a map: what will really run.
pub(super) struct Plan {
    algorithm: PathAlgorithm,
    pub(super) heuristic: Heuristic,
    pub(super) weight: Option<Weight>,
}

impl Plan {
    pub(super) fn new(map: &Map, request: &PathRequest) -> Result<Self, PathError> {
        let heuristic = request.heuristic_on(map.diagonal())?;
        let weight = request.weight()?;
        let algorithm = match request.algorithm {
            // With a heuristic of its own, it is A* that uses it.
            PathAlgorithm::Auto if request.heuristic.is_some() => PathAlgorithm::Astar,
            named => named,
        };
        Ok(Self { algorithm, heuristic, weight })
    }

    /// What ran, by its name: what was asked for, or what the map chose.
    pub(super) fn algorithm(&self, report: &Report) -> PathAlgorithm {
        match (self.algorithm, report.method) {
            (PathAlgorithm::Auto, Method::Jumps) => PathAlgorithm::Jps,
            (PathAlgorithm::Auto, Method::Levels) => PathAlgorithm::LevelAstar,
            (PathAlgorithm::Auto | PathAlgorithm::LevelAstar, Method::Pruned) => PathAlgorithm::PrunedAstar,
            (named, _) => named,
        }
    }

    pub(super) fn run(
        &self,
        journey: Journey<'_>,
        scratch: &mut Scratch,
        control: &Control,
        trace: &mut Option<CellTrace<'_>>,
    ) -> Result<Report, QueryError> {
        let Journey { map, from, to } = journey;
        let (heuristic, weight) = (self.heuristic, self.weight.unwrap_or(Weight::ONE));
        let run = (control, trace);
        match self.algorithm {
            PathAlgorithm::Auto => map.shortest(from, to, scratch, run),
            PathAlgorithm::Bfs => map.bfs(from, to, scratch, run),
            PathAlgorithm::Bidirectional => map.bidirectional(from, to, scratch, run),
            PathAlgorithm::Dijkstra => map.dijkstra(from, to, scratch, run),
            PathAlgorithm::Greedy => map.greedy(from, to, heuristic, scratch, run),
            PathAlgorithm::Astar => map.astar(from, to, heuristic, scratch, run),
            PathAlgorithm::Wastar => map.weighted_astar(from, to, heuristic, weight, scratch, run),
            PathAlgorithm::Ida => map.ida(from, to, heuristic, scratch, run),
            PathAlgorithm::Jps => map.jps(from, to, scratch, run),
            PathAlgorithm::LevelAstar => map.level_astar(from, to, scratch, run),
            PathAlgorithm::PrunedAstar => map.pruned_astar(from, to, scratch, run),
        }
    }
}
