//! Where a name becomes code, on maps.

use std::time::Instant;

use pintu_grid::{Cell, Distances, Heuristic, Map, Outcome, QueryError, Reason, Report, Scratch, Toward};
use pintu_search::{Budget, Cancel, Guarantee, Limits, Observer, Stop, Weight};

use super::{PathAlgorithm, PathAnswer, PathError, PathRequest, PathVerdict, Way};
use crate::{Progress, solve::Session};

/// Finds a path on a map from a cell to the nearest of others.
///
/// ```
/// use pintu_engine::{path::{find_path, PathAlgorithm, PathRequest}, Progress};
/// use pintu_grid::{Diagonal, Map, Scratch, Terrain};
/// use pintu_search::Cancel;
///
/// let sea: Terrain = "2 3\n1 3 4\n0 0 0\n".parse().unwrap();
/// let map = Map::new(&sea, Diagonal::Never);
/// let request = PathRequest::new(PathAlgorithm::Auto);
/// let (from, to) = (sea.start.unwrap(), &sea.goals);
/// let answer = find_path(&map, from, to, &request, &mut Scratch::new(), &Cancel::new(), &Progress::new()).unwrap();
/// assert!(serde_json::to_string(&answer).unwrap().starts_with(r#"{"status":"found","cost":4,"path":[[0,0],"#));
/// ```
pub fn find_path(
    map: &Map,
    from: Cell,
    to: &[Cell],
    request: &PathRequest,
    scratch: &mut Scratch,
    cancel: &Cancel,
    progress: &Progress,
) -> Result<PathAnswer, PathError> {
    let mut plan = Plan::new(map, to.len(), request)?;
    let limits = limits(request, cancel);
    let started = Instant::now();
    let mut observer = (Budget::with_cancel(limits, cancel.clone()), progress.watch(pintu_search::Counters::default()));
    let mut report = plan.run(map, from, to, scratch, &mut observer)?;
    let mut nearest = None;
    if let (Outcome::Unreachable(Reason::CutOff | Reason::BlockedGoal), true) = (&report.outcome, request.nearest) {
        let instead = map.nearest_reachable(from, to);
        plan = Plan::new(map, instead.len(), request)?;
        report = plan.run(map, from, &instead, scratch, &mut observer)?;
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
    let seconds = started.elapsed().as_secs_f64();
    let weight = plan.weight.map(Weight::value);
    let (algorithm, heuristic) = (plan.algorithm, plan.heuristic);
    Ok(PathAnswer { verdict, algorithm, heuristic, weight, counters: report.counters, seconds })
}

/// How far it is from a cell to every other one, or from all of them to it. The inner result tells what stopped the
/// search, if something did.
pub fn distances(
    map: &Map,
    cell: Cell,
    toward: Toward,
    request: &PathRequest,
    cancel: &Cancel,
) -> Result<Result<Distances, Stop>, PathError> {
    let mut budget = Budget::with_cancel(limits(request, cancel), cancel.clone());
    Ok(map.distances(cell, toward, &mut Scratch::new(), &mut budget)?)
}

/// A request that was checked against a map: what will really run.
pub(super) struct Plan {
    pub(super) algorithm: PathAlgorithm,
    pub(super) heuristic: Heuristic,
    pub(super) weight: Option<Weight>,
}

impl Plan {
    /// What will run on a map toward so many goals.
    pub(super) fn new(map: &Map, goals: usize, request: &PathRequest) -> Result<Self, PathError> {
        let heuristic = request.heuristic_on(map.diagonal())?;
        let weight = request.weight()?;
        let algorithm = match request.algorithm {
            PathAlgorithm::Auto if request.heuristic.is_none() => fastest(map, goals),
            PathAlgorithm::Auto => PathAlgorithm::Astar,
            named => named,
        };
        Ok(Self { algorithm, heuristic, weight })
    }

    pub(super) fn run(
        &self,
        map: &Map,
        from: Cell,
        to: &[Cell],
        scratch: &mut Scratch,
        observer: &mut impl Observer<Cell>,
    ) -> Result<Report, QueryError> {
        let (heuristic, weight) = (self.heuristic, self.weight.unwrap_or(Weight::ONE));
        match self.algorithm {
            PathAlgorithm::Bfs => map.bfs(from, to, scratch, observer),
            PathAlgorithm::Bidirectional => map.bidirectional(from, to, scratch, observer),
            PathAlgorithm::Dijkstra => map.dijkstra(from, to, scratch, observer),
            PathAlgorithm::Greedy => map.greedy(from, to, heuristic, scratch, observer),
            PathAlgorithm::Auto | PathAlgorithm::Astar => map.astar(from, to, heuristic, scratch, observer),
            PathAlgorithm::Wastar => map.weighted_astar(from, to, heuristic, weight, scratch, observer),
            PathAlgorithm::Ida => map.ida(from, to, heuristic, scratch, observer),
            PathAlgorithm::Jps => map.jps(from, to, scratch, observer),
            PathAlgorithm::LevelAstar => map.level_astar(from, to, scratch, observer),
            PathAlgorithm::PrunedAstar => map.pruned_astar(from, to, scratch, observer),
        }
    }
}

/// What [`Map::shortest`] runs: the fastest exact algorithm for a map and so many goals.
fn fastest(map: &Map, goals: usize) -> PathAlgorithm {
    if map.prefers_jumps() {
        PathAlgorithm::Jps
    } else if map.takes_levels(goals) {
        PathAlgorithm::LevelAstar
    } else {
        PathAlgorithm::PrunedAstar
    }
}

/// The limits of a request, the process's memory taken into account.
pub(super) fn limits(request: &PathRequest, cancel: &Cancel) -> Limits {
    Session::new(request.limits, cancel, &Progress::new()).limits
}
