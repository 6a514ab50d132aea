//! Several contestants at one board at the same time, seen while they run.

mod record;
mod series;
#[cfg(test)]
mod tests;
mod track;

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU8, Ordering::Relaxed},
    },
    thread,
};

use pintu_search::{Control, Limits, Stop};
use pintu_solver::begin;
use pintu_tiles::Moves;

use crate::{
    Algorithm, Answer, Contestant, Request, RequestError, auto,
    compare::prepare,
    solve::among,
    trace::{Growing, Growth, Live, TileTrace},
};
pub use record::{FinishRecord, RaceRow};
pub use series::Series;
pub use track::{Fair, QUANTUM};

use track::Track;

/// Who takes part, and how deep it goes where that matters.
#[derive(Clone, Copy, Debug)]
pub struct Entrant {
    /// Who.
    pub contestant: Contestant,
    /// How deep depth-first search goes, if not as the request says.
    pub max_depth: Option<u32>,
}

/// A race: each contestant has a thread, and one of them runs at a time. What they count is what they count alone.
#[derive(Debug)]
pub struct Race {
    entrants: Vec<Entrant>,
    track: Arc<Track>,
    /// What all of them may spend together, the building of tables included.
    whole: Control,
    lanes: Vec<Lane>,
    has_growth: bool,
}

/// One contestant at work.
#[derive(Debug)]
struct Lane {
    request: Request,
    control: Control,
    status: AtomicU8,
    growth: Arc<Live>,
    finish: Mutex<Option<Result<Finish, RequestError>>>,
}

const WAITING: u8 = 0;
const RUNNING: u8 = 1;
const DONE: u8 = 2;

/// What came of a contestant.
#[derive(Clone, Debug)]
pub struct Finish {
    /// Who it is.
    pub contestant: Contestant,
    /// What it found; its time is the time that it ran.
    pub answer: Answer,
    /// What it did at each depth or bound, if somebody wanted to know; nothing of `auto` where that is several searches.
    pub growth: Option<Vec<Growth>>,
}

impl Race {
    /// A race under a control. The limits of `request` are for all of them together, but for nodes, which are each one's.
    pub fn new(request: &Request, entrants: &[Entrant], fair: Fair, control: &Control) -> Result<Self, RequestError> {
        let whole = control.part(Limits { nodes: None, ..request.limits });
        let track = Track::new(fair, entrants.len());
        let mut lanes = Vec::new();
        for (number, entrant) in entrants.iter().enumerate() {
            let algorithm = entrant.contestant.algorithm;
            if entrant.max_depth.is_some() && !algorithm.has_depth() {
                return Err(entrant.contestant.refused(RequestError::DepthUnused { algorithm }));
            }
            let mut entered = entrant.contestant.admit(request)?;
            entered.max_depth = entrant.max_depth.or(request.max_depth);
            let limits = Limits { nodes: request.limits.nodes, ..Limits::default() };
            let control = whole.gated(limits, track.gate(number));
            entered.limits = Limits::default();
            lanes.push(Lane::new(entered, control));
        }
        Ok(Self { entrants: entrants.to_vec(), track, whole, lanes, has_growth: false })
    }

    /// Has noted what each does at each depth or bound.
    #[must_use]
    pub fn with_growth(self) -> Self {
        Self { has_growth: true, ..self }
    }

    /// Runs it to its end, which comes when all have ended. The tables that contestants need are built before.
    pub fn run(&self) -> Result<Vec<Finish>, RequestError> {
        for lane in &self.lanes {
            if self.whole.check().is_continue() {
                prepare(&lane.request, &self.whole);
            }
        }
        thread::scope(|scope| {
            for (number, lane) in self.lanes.iter().enumerate() {
                let run = move || {
                    let _leaving = Leaving { track: &self.track, lane: number };
                    lane.end(self.solve(number, lane));
                };
                if begin(scope, run).is_err() {
                    // A thread takes memory, too: nobody waits for one that has none.
                    self.track.leave(number);
                    lane.end(self.unanswered(number, Stop::Memory));
                }
            }
        });
        let taken = |lane: &Lane| lane.finish.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.lanes.iter().filter_map(taken).collect()
    }

    fn solve(&self, number: usize, lane: &Lane) -> Result<Finish, RequestError> {
        let contestant = self.entrants[number].contestant;
        while !self.track.enter(number) {
            if let std::ops::ControlFlow::Break(why) = lane.control.check() {
                return self.unanswered(number, why);
            }
        }
        lane.status.store(RUNNING, Relaxed);
        let is_one = lane.request.algorithm != Algorithm::Auto || auto::is_small(&lane.request.puzzle);
        let mut growth = (self.has_growth && is_one).then(|| Growing::seen(&lane.growth));
        let trace = growth.as_mut().map(TileTrace::of_growth);
        let mut answer = among(&lane.request, &lane.control, trace)?;
        answer.seconds = self.track.time(number).as_secs_f64();
        let growth = growth.map(|growth| growth.finish(&answer.counters));
        Ok(Finish { contestant, answer, growth })
    }

    fn unanswered(&self, number: usize, why: Stop) -> Result<Finish, RequestError> {
        let contestant = self.entrants[number].contestant;
        Ok(Finish { contestant, answer: Answer::unanswered(&self.lanes[number].request, why)?, growth: None })
    }

    /// How far each has come, while it runs or after.
    pub fn rows(&self) -> Vec<RaceRow> {
        self.track.survey(|number, time| {
            let lane = &self.lanes[number];
            let status = ["waiting", "running", "done"][usize::from(lane.status.load(Relaxed))];
            let mut row = RaceRow::of(&self.entrants[number].contestant, status);
            row.count(&lane.control.counters(), time.as_secs_f64());
            row.bound = Some(lane.control.bound()).filter(|&bound| bound > 0);
            if let Some(Ok(Finish { answer, .. })) = &*lane.finish.lock().unwrap_or_else(PoisonError::into_inner) {
                row.length = answer.moves().map(Moves::len);
                row.optimal = row.length.map(|_| answer.is_optimal());
                row.bound = answer.lower_bound().map(u64::from);
            }
            row
        })
    }

    /// How far each has come, with what is new of its growth since this was last asked, if growth is noted.
    pub fn news(&self) -> Vec<RaceRow> {
        let mut rows = self.rows();
        for (row, lane) in rows.iter_mut().zip(&self.lanes).filter(|_| self.has_growth) {
            row.growth = lane.growth.news();
        }
        rows
    }
}

impl Lane {
    fn new(request: Request, control: Control) -> Self {
        let (status, growth, finish) = (AtomicU8::new(WAITING), Arc::default(), Mutex::default());
        Self { request, control, status, growth, finish }
    }

    fn end(&self, finish: Result<Finish, RequestError>) {
        *self.finish.lock().unwrap_or_else(PoisonError::into_inner) = Some(finish);
        self.status.store(DONE, Relaxed);
    }
}

/// Lets the others go on, however a contestant ends.
struct Leaving<'a> {
    track: &'a Track,
    lane: usize,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.track.leave(self.lane);
    }
}
