use std::sync::{Arc, OnceLock};

use axum::{body::Body, response::Response};
use pintu_engine::{Averages, Finish, Race, RaceRow, Series};
use pintu_search::Control;
use pintu_tiles::Notation;
use serde_json::Value;

use super::search::{Begin, Reply, SearchCaller};
use crate::{
    body,
    error::ApiError,
    priority::Thread,
    requests::{RaceBody, RaceRequest},
};

pub(super) async fn race(caller: SearchCaller, body: Body) -> Result<Response, ApiError> {
    let config = &caller.app.config;
    let request = body::read_json::<RaceBody>(body, &config.bounds).await?.request(config)?;
    // Contestants that cannot take part are refused before the race waits for a worker.
    let waiting = request.race(&Control::unlimited())?.rows();
    let running: Arc<OnceLock<Running>> = Arc::default();
    let (watched, memory) = (Arc::clone(&running), request.request.limits.memory);
    let progress = move |_: &Control| values(watched.get().map_or_else(|| waiting.clone(), Running::rows).iter());
    let work = move |control: &Control, writer| Reply::json(writer, &run(&request, control, &running)?);
    caller.run(Begin::Soon, memory, progress, work).await
}

enum Running {
    Race(Race),
    Series(Series),
}

impl Running {
    fn rows(&self) -> Vec<RaceRow> {
        match self {
            Self::Race(race) => race.rows(),
            Self::Series(series) => series.rows(),
        }
    }
}

/// Runs a race, whose time begins now, or a series of them; the answers are those of the command line.
fn run(request: &RaceRequest, control: &Control, running: &OnceLock<Running>) -> Result<Value, ApiError> {
    let made = match &request.boards {
        None => Running::Race(request.race(control)?),
        Some((boards, _)) => {
            Running::Series(Series::new(&request.request, boards.clone(), &request.entrants, request.fair)?)
        }
    };
    // Contestants run on threads of their own, which inherit the priority.
    Thread::current().lower_priority();
    match running.get_or_init(|| made) {
        Running::Race(race) => {
            let finishes = race.run()?;
            Ok(values(finishes.iter().map(|finish: &Finish| finish.record(Notation::Blank))))
        }
        Running::Series(series) => {
            let seed = request.boards.as_ref().map_or(0, |(_, seed)| *seed);
            let entries = series.run(control)?;
            Ok(values(entries.iter().map(|entry| Averages { summary: entry.summary(), seed })))
        }
    }
}

fn values(records: impl Iterator<Item = impl serde::Serialize>) -> Value {
    Value::Array(records.filter_map(|record| serde_json::to_value(record).ok()).collect())
}
