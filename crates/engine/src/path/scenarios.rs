//! Many queries of one map, checked against the lengths on record.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use pintu_grid::{Map, Outcome, QueryError, Scenario, Scratch};
use pintu_search::{Control, Limits, Stop, clock::Instant};
use pintu_solver::internals::together;
use serde::Serialize;

use super::{PathAlgorithm, PathError, PathRequest, answer::Choice, map::Journey};
use crate::{Progress, memory};

#[derive(Clone, Debug, Serialize)]
pub struct ScenarioSummary {
    /// The queries of the file, answered or not.
    pub queries: usize,
    /// Those whose length agrees with the one on record.
    pub agree: usize,
    pub mean_seconds: f64,
    pub median_seconds: f64,
    pub p90_seconds: f64,
    pub p99_seconds: f64,
    pub max_seconds: f64,
    /// The wall-clock time of all queries together.
    pub total_seconds: f64,
    pub algorithm: PathAlgorithm,
    pub heuristic: String,
    pub threads: usize,
    /// Cells expanded in all, also by queries that a limit ended.
    pub expanded: u64,
    /// Queries that a limit ended before they were answered, or that were not begun.
    pub stopped: usize,
    pub misses: Vec<Miss>,
}

/// A query whose answer is not the one on record.
#[derive(Clone, Debug, Serialize)]
pub struct Miss {
    /// The query as it stands in the file.
    pub query: String,
    /// The length found, or `null` if there is no path.
    pub found: Option<f64>,
    pub recorded: f64,
}

/// Runs every query, on as many threads as asked for. The limits hold for each query, the control's for all together.
///
/// Each thread has an equal share of the control's memory, and there are fewer where that would be less than
/// [`MIN_SHARE_BYTES`](crate::memory::MIN_SHARE_BYTES).
pub fn run_scenarios(
    map: &Map,
    scenarios: &[Scenario],
    request: &PathRequest,
    threads: usize,
    control: &Control,
    done: &Progress,
) -> Result<ScenarioSummary, PathError> {
    let search = Choice::on_map(map, request)?;
    for query in scenarios {
        let outside = [query.from, query.to].into_iter().find(|&cell| !map.contains(cell));
        if let Some(cell) = outside {
            return Err(QueryError::Outside { cell, rows: map.rows(), cols: map.cols() }.into());
        }
    }
    let mut hold = control.hold();
    let is_noted = hold.more((scenarios.len() * NOTED_BYTES) as u64).is_ok();
    let (threads, share) = memory::share(control, threads.clamp(1, scenarios.len().max(1)));
    let run = Run {
        asked: request.algorithm,
        map,
        scenarios,
        search,
        limits: request.limits,
        share,
        control,
        next: AtomicUsize::new(0),
    };
    if !is_noted {
        return Ok(run.summary(&[], threads, 0.0));
    }
    let started = Instant::now();
    let parts = together(threads, || run.work(done));
    let (total, threads) = (started.elapsed().as_secs_f64(), parts.len());
    let mut queries: Vec<Query> =
        parts.into_iter().collect::<Result<Vec<_>, QueryError>>()?.into_iter().flatten().collect();
    queries.sort_by_key(|query| query.number);
    Ok(run.summary(&queries, threads, total))
}

/// Bytes to record how a query ended, in lists that grow and in the summary.
const NOTED_BYTES: usize = 5 * size_of::<Query>();

struct Run<'a> {
    asked: PathAlgorithm,
    map: &'a Map,
    scenarios: &'a [Scenario],
    search: Choice,
    limits: Limits,
    share: Limits,
    control: &'a Control,
    /// The first query that no thread has begun.
    next: AtomicUsize,
}

/// A query that was answered, or stopped.
struct Query {
    number: usize,
    seconds: f64,
    algorithm: PathAlgorithm,
    expanded: u64,
    end: Result<Option<f64>, Stop>,
}

impl Run<'_> {
    fn work(&self, done: &Progress) -> Result<Vec<Query>, QueryError> {
        let control = self.control.part(self.share).part(Limits::none().memory(self.limits.memory));
        let mut scratch = Scratch::within(&control);
        let mut all = Vec::new();
        while let Some(number) = self.next() {
            let was_used = scratch.bytes() > 0;
            let mut query = self.answer(number, &control, &mut scratch)?;
            if query.end == Err(Stop::Memory) && was_used {
                // Memory kept from earlier queries may be what is missing.
                scratch = Scratch::within(&control);
                query = self.answer(number, &control, &mut scratch)?;
            }
            all.push(query);
            done.add_one();
        }
        Ok(all)
    }

    fn next(&self) -> Option<usize> {
        if self.control.cancel_switch().is_cancelled() {
            return None;
        }
        Some(self.next.fetch_add(1, Relaxed)).filter(|&number| number < self.scenarios.len())
    }

    fn answer(&self, number: usize, control: &Control, scratch: &mut Scratch) -> Result<Query, QueryError> {
        let query = &self.scenarios[number];
        let started = Instant::now();
        let part = control.part(self.limits);
        let journey = Journey { map: self.map, from: query.from, to: &[query.to] };
        let report = self.search.run(journey, scratch, &part, &mut None)?;
        let seconds = started.elapsed().as_secs_f64();
        let end = match report.outcome {
            Outcome::Found { length, .. } => Ok(Some(length.value())),
            Outcome::Unreachable(_) => Ok(None),
            Outcome::Stopped { why, .. } => Err(why),
        };
        let algorithm = self.search.algorithm(&report);
        Ok(Query { number, seconds, algorithm, expanded: report.counters.expanded, end })
    }

    fn summary(&self, queries: &[Query], threads: usize, total_seconds: f64) -> ScenarioSummary {
        let answered: Vec<(&Query, Option<f64>)> =
            queries.iter().filter_map(|one| Some((one, one.end.ok()?))).collect();
        let misses = answered.iter().filter_map(|(one, found)| {
            let query = &self.scenarios[one.number];
            let agrees = found.is_some_and(|length| query.agrees(length));
            (!agrees).then(|| Miss { query: query.to_string(), found: *found, recorded: query.length })
        });
        let misses: Vec<Miss> = misses.collect();
        let mut times: Vec<f64> = answered.iter().map(|(one, _)| one.seconds).collect();
        times.sort_by(f64::total_cmp);
        let at =
            |part: f64| times.get(((times.len() as f64 * part).ceil() as usize).max(1) - 1).copied().unwrap_or(0.0);
        ScenarioSummary {
            queries: self.scenarios.len(),
            agree: answered.len() - misses.len(),
            // The sum of no numbers is -0.0.
            mean_seconds: (times.iter().sum::<f64>() + 0.0) / times.len().max(1) as f64,
            median_seconds: at(0.5),
            p90_seconds: at(0.9),
            p99_seconds: at(0.99),
            max_seconds: at(1.0),
            total_seconds,
            algorithm: queries.first().map_or(self.asked, |query| query.algorithm),
            heuristic: self.search.heuristic.to_string(),
            threads,
            expanded: queries.iter().map(|one| one.expanded).sum(),
            stopped: self.scenarios.len() - answered.len(),
            misses,
        }
    }
}
