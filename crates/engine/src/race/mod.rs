//! A race: several contestants solve one board at the same time, and their progress can be read.

mod attempts;
mod scheduler;
mod series;
#[cfg(test)]
mod tests;

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use pintu_search::{Control, Counters, Limits, clock::CAN_WAIT};
use pintu_solver::internals::share_out;
use pintu_tiles::{Moves, Notation};
use serde::Serialize;

use crate::{
    Algorithm, Answer, Contestant, EntryRecord, Request, RequestError, auto,
    compare::prepare,
    lock::lock,
    solve::among,
    trace::{Growing, Growth, Live, TileTrace},
};
pub use scheduler::{Fair, QUANTUM};
pub use series::Series;

use scheduler::Scheduler;

/// A race: each contestant has a thread, and one of them runs at a time. Their counts are those of running alone. Where
/// there are no threads, each makes attempts (`attempts.rs`).
#[derive(Debug)]
pub struct Race {
    scheduler: Arc<Scheduler>,
    has_threads: bool,
    fair: Fair,
    /// The limits of all of them together, the building of tables included.
    whole: Control,
    runs: Vec<Running>,
    has_growth: bool,
}

#[derive(Debug)]
struct Running {
    contestant: Contestant,
    request: Request,
    control: Control,
    has_begun: AtomicBool,
    growth: Arc<Live>,
    /// The counts and the time of its longest attempt.
    reached: Mutex<(Counters, Duration)>,
    finish: Mutex<Option<Finish>>,
}

#[derive(Clone, Debug)]
pub struct Finish {
    pub contestant: Contestant,
    /// Its answer; the time is the time that it ran.
    pub answer: Answer,
    /// Its counts at each depth or bound, if asked for; none for `auto` where that is several searches.
    pub growth: Option<Vec<Growth>>,
}

impl Race {
    /// A race under a control. The limits of `request` hold for all contestants together, but the node limit for each.
    pub fn new(
        request: &Request,
        contestants: &[Contestant],
        fair: Fair,
        control: &Control,
    ) -> Result<Self, RequestError> {
        Self::with(CAN_WAIT, request, contestants, fair, control)
    }

    fn with(
        has_threads: bool,
        request: &Request,
        contestants: &[Contestant],
        fair: Fair,
        control: &Control,
    ) -> Result<Self, RequestError> {
        let whole = control.part(request.limits.nodes(None));
        let scheduler = Scheduler::new(fair, contestants.len());
        let mut runs = Vec::new();
        for (number, &contestant) in contestants.iter().enumerate() {
            let entered = contestant.admit(request)?;
            let limits = Limits::none().nodes(request.limits.nodes);
            let control = if has_threads { whole.gated(limits, scheduler.gate(number)) } else { whole.part(limits) };
            let request = Request { limits: Limits::default(), ..entered };
            let (has_begun, growth, reached, finish) = Default::default();
            runs.push(Running { contestant, request, control, has_begun, growth, reached, finish });
        }
        Ok(Self { scheduler, has_threads, fair, whole, runs, has_growth: false })
    }

    /// Makes the race record counts at each depth or bound.
    #[must_use]
    pub fn with_growth(self) -> Self {
        Self { has_growth: true, ..self }
    }

    /// Runs the race until all contestants have ended. Tables that they need are built before.
    pub fn run(&self) -> Result<Vec<Finish>, RequestError> {
        for run in &self.runs {
            if self.whole.check().is_ok() {
                drop(prepare(&run.request, &self.whole, 0));
            }
        }
        if !(CAN_WAIT && self.has_threads) {
            return self.run_in_attempts();
        }
        let contestants = self.runs.iter().enumerate().collect();
        let finishes = share_out(self.runs.len(), contestants, |(number, run): (usize, &Running)| {
            let _leaving = Leaving { scheduler: &self.scheduler, number };
            let finish = self.solve(number, run);
            *lock(&run.finish) = finish.as_ref().ok().cloned();
            finish
        });
        finishes.into_iter().collect()
    }

    fn solve(&self, number: usize, run: &Running) -> Result<Finish, RequestError> {
        let contestant = run.contestant;
        while !self.scheduler.enter(number) {
            if let Err(why) = run.control.check() {
                let answer = Answer::unanswered(&run.request, why)?;
                return Ok(Finish { contestant, answer, growth: None });
            }
        }
        run.has_begun.store(true, Relaxed);
        let mut growth = self.notes_growth(run).then(|| Growing::seen(&run.growth));
        let trace = growth.as_mut().map(TileTrace::of_growth);
        let mut answer = among(&run.request, &run.control, trace)?;
        answer.seconds = self.scheduler.time(number).as_secs_f64();
        let growth = growth.map(|growth| growth.finish(&answer.counters));
        Ok(Finish { contestant, answer, growth })
    }

    /// Whether a contestant's counts at each depth or bound are recorded: `auto` may be several searches.
    fn notes_growth(&self, run: &Running) -> bool {
        let is_one = run.request.algorithm != Algorithm::Auto || auto::is_small(&run.request.puzzle);
        self.has_growth && is_one
    }

    /// Each contestant's progress, during the race or after; where growth is recorded, with the changes since the last
    /// call.
    pub fn rows(&self) -> Vec<RaceRow> {
        self.scheduler.survey(|number, time| {
            let run = &self.runs[number];
            let finish = lock(&run.finish);
            let status = match (&*finish, run.has_begun.load(Relaxed)) {
                (Some(_), _) => "done",
                (None, true) => "running",
                (None, false) => "waiting",
            };
            let mut row = RaceRow::of(&run.contestant, status);
            let (counters, time) = if self.has_threads { (run.control.counters(), time) } else { run.longest() };
            row.count(&counters, time.as_secs_f64());
            row.bound = Some(run.control.bound()).filter(|&bound| bound > 0);
            if self.has_growth {
                row.growth = run.growth.news();
            }
            if let Some(Finish { answer, .. }) = &*finish {
                row.length = answer.moves().map(Moves::len);
                row.optimal = row.length.map(|_| answer.is_optimal());
                row.bound = answer.lower_bound().map(u64::from);
            }
            row
        })
    }
}

/// A contestant's progress, as it is written to JSON.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RaceRow {
    /// The contestant's name, as in `wastar:manhattan:5`.
    pub contestant: String,
    /// `waiting`, `running` or `done`.
    pub status: &'static str,
    pub expanded: u64,
    pub generated: u64,
    /// The most states held at once.
    pub peak_states: u64,
    /// The most bytes held at once.
    pub memory: u64,
    /// The lower bound of all solutions' lengths, if one is known.
    pub bound: Option<u64>,
    pub seconds: f64,
    /// The length of the solution that it has found, once it is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<usize>,
    /// Whether that length is proved to be optimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimal: Option<bool>,
    /// The number of boards it has done, in a series.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boards: Option<usize>,
    /// For each depth or bound with new counts: the depth or bound, and the states expanded and generated there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub growth: Vec<Growth>,
}

impl RaceRow {
    fn of(contestant: &Contestant, status: &'static str) -> Self {
        Self { contestant: contestant.to_string(), status, ..Self::default() }
    }

    fn counters(&self) -> Counters {
        let Self { expanded, generated, peak_states, memory, .. } = *self;
        let mut counters = Counters::new(expanded, generated);
        (counters.peak_states, counters.peak_bytes) = (peak_states, memory);
        counters
    }

    fn count(&mut self, counters: &Counters, seconds: f64) {
        self.expanded += counters.expanded;
        self.generated += counters.generated;
        self.peak_states = self.peak_states.max(counters.peak_states);
        self.memory = self.memory.max(counters.peak_bytes);
        self.seconds += seconds;
    }
}

impl Finish {
    /// As it is written to JSON.
    pub fn record(&self, notation: Notation) -> EntryRecord<'_> {
        let (contestant, record) = (self.contestant.to_string(), self.answer.record(notation));
        EntryRecord { contestant, record, growth: self.growth.as_deref() }
    }
}

/// Lets the other contestants go on, however this one ends.
struct Leaving<'a> {
    scheduler: &'a Scheduler,
    number: usize,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.scheduler.leave(self.number);
    }
}
