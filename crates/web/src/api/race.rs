use std::sync::{Arc, OnceLock};

use axum::{Extension, body::Body, extract::State, http::HeaderMap, response::Response};
use pintu_engine::{Averages, Finish, Race, RaceRow, Series};
use pintu_search::Control;
use pintu_tiles::Notation;
use serde_json::Value;

use super::search::{Asked, Job, Reply, control};
use crate::{
    app::App,
    ask::{RaceBody, RaceStart},
    body,
    client::Client,
    error::ApiError,
    give_way::Worker,
};

pub(super) async fn race(
    State(app): State<Arc<App>>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let asking: RaceBody = body::read_json(body, &app.config.bounds).await?;
    let start = asking.start(&app.config)?;
    let control = control(&start.request.limits);
    // Contestants that cannot take part are refused at once.
    let waiting = start.race(&Control::unlimited())?.rows();
    let running: Arc<OnceLock<Running>> = Arc::default();
    let (seen, own) = (Arc::clone(&running), control.clone());
    let progress = move || rows(&seen.get().map_or_else(|| waiting.clone(), Running::news));
    let work = move |packer| Reply::json(packer, &run(&start, &own, &running)?);
    Job { control, progress, work }.run(&app, Asked::by(client, &headers)).await
}

/// What is looked at while it runs.
enum Running {
    Race(Race),
    Series(Series),
}

impl Running {
    fn news(&self) -> Vec<RaceRow> {
        match self {
            Self::Race(race) => race.news(),
            Self::Series(series) => series.rows(),
        }
    }
}

/// Runs a race, whose time begins now, or a series of them; the answers are the command line's.
fn run(start: &RaceStart, control: &Control, running: &OnceLock<Running>) -> Result<Value, ApiError> {
    let made = match &start.boards {
        None => Running::Race(start.race(control)?),
        Some((boards, _)) => Running::Series(Series::new(&start.request, boards.clone(), &start.entrants, start.fair)?),
    };
    // A race is nothing short, and its contestants run on threads that are like the one which they come from.
    Worker::this().give_way();
    match running.get_or_init(|| made) {
        Running::Race(race) => {
            let finishes = race.run()?;
            Ok(values(finishes.iter().map(|finish: &Finish| finish.record(Notation::Blank))))
        }
        Running::Series(series) => {
            let seed = start.boards.as_ref().map_or(0, |(_, seed)| *seed);
            let entries = series.run(control)?;
            Ok(values(entries.iter().map(|entry| Averages { summary: entry.summary(), seed })))
        }
    }
}

fn rows(rows: &[RaceRow]) -> Value {
    values(rows.iter())
}

fn values(records: impl Iterator<Item = impl serde::Serialize>) -> Value {
    Value::Array(records.filter_map(|record| serde_json::to_value(record).ok()).collect())
}
