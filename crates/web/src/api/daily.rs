//! The daily puzzle for everybody: its start and its end by the server's clock, and the rankings.

use std::time::{SystemTime, UNIX_EPOCH};

use axum::{
    body::Body,
    http::{StatusCode, Uri},
    response::Response,
};
use pintu_game::{Day, RecordError, Save, Score};
use serde::{Deserialize, Serialize};

use super::{
    Caller, json,
    query::{self, DAYS},
};
use crate::{
    body,
    error::ApiError,
    store::{Rank, RankedBy, Ranking, Run},
};

/// What a player has of a day.
#[derive(Debug, Serialize)]
struct ShownRun {
    date: Day,
    started_millis: i64,
    #[serde(flatten)]
    score: Option<Score>,
}

impl From<Run> for ShownRun {
    fn from(Run { day, started, score }: Run) -> Self {
        Self { date: day, started_millis: started, score }
    }
}

/// Begins a run and hands out the board, or goes on with the one that was begun.
pub(super) async fn begin(caller: Caller, uri: Uri) -> Result<Response, ApiError> {
    #[derive(Serialize)]
    struct Begun {
        #[serde(flatten)]
        run: ShownRun,
        rows: usize,
        cols: usize,
        blank: usize,
        start: Vec<u8>,
        picture: String,
    }
    let day = day_of(&uri)?;
    if !is_open(day, caller.app.now()) {
        let message = format!("found {day}, expected a date that is today somewhere on earth");
        return Err(ApiError::new(StatusCode::CONFLICT, "day-closed", message));
    }
    let charge = caller.charge_if_new().await?;
    let run = charge.unless_failed(caller.app.store.begin_run(caller.device, day).await)?.into();
    let plan = day.plan();
    let (size, start, picture) = (plan.size, plan.start.tiles().to_vec(), plan.picture.to_string());
    let begun = Begun { run, rows: size.rows(), cols: size.cols(), blank: size.cells() - 1, start, picture };
    Ok(json(StatusCode::CREATED, &begun))
}

/// Whether a date is today in some time zone: those of the earth are from 12 hours behind Greenwich to 14 ahead of it.
fn is_open(day: Day, now: SystemTime) -> bool {
    const HOUR_SECONDS: i64 = 3600;
    let seconds = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() as i64;
    let number = |hours: i64| (seconds + hours * HOUR_SECONDS).div_euclid(24 * HOUR_SECONDS);
    (number(-12)..=number(14)).contains(&i64::from(day.number()))
}

/// Ends a run: replays the game and times it between the two moments of this server.
pub(super) async fn end(caller: Caller, uri: Uri, body: Body) -> Result<Response, ApiError> {
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Ended {
        game: Save,
        #[serde(default)]
        restarted: bool,
    }
    let day = day_of(&uri)?;
    let Ended { game, restarted } = body::read_json(body, &caller.app.config.bounds).await?;
    if restarted {
        return Err(ApiError::bad(RecordError::NOT_RANKED, "a game that was restarted is not ranked"));
    }
    let claimed = day.score(&game)?;
    match caller.app.store.end_run(caller.device, day, claimed).await? {
        Some(run) => Ok(json(StatusCode::OK, &ShownRun::from(run))),
        None => Err(ApiError::new(StatusCode::CONFLICT, "not-begun", "found no beginning of this day's run here")),
    }
}

/// The rankings of a day, or with `?days=N` of as many up to it, and the player's own runs.
pub(super) async fn rankings(caller: Caller, uri: Uri) -> Result<Response, ApiError> {
    const MAX_DAYS: i32 = 7;
    #[derive(Serialize)]
    struct Rankings {
        players: u64,
        time: Vec<ShownRank>,
        moves: Vec<ShownRank>,
        own: Vec<ShownRun>,
    }
    let last = day_of(&uri)?;
    let count: i32 = query::value(&uri, DAYS).map_or(Ok(1), str::parse).unwrap_or(0);
    if !(1..=MAX_DAYS).contains(&count) {
        return Err(ApiError::bad("bad-field", format!("days: expected a number from 1 to {MAX_DAYS}")));
    }
    let days = Day::new(last.number() - count + 1).unwrap_or(last)..=last;
    let (store, device) = (&caller.app.store, &caller.device);
    let ranking = |by| store.ranking(device.clone(), days.clone(), by);
    let (time, moves) = (ranking(RankedBy::Time).await?, ranking(RankedBy::Moves).await?);
    let own = store.runs(device.clone()).await?.into_iter().filter(|run| days.contains(&run.day)).map(Into::into);
    let own = own.collect();
    Ok(json(StatusCode::OK, &Rankings { players: time.players, time: shown(time), moves: shown(moves), own }))
}

#[derive(Debug, Serialize)]
struct ShownRank {
    place: u64,
    nickname: Option<String>,
    days: u64,
    #[serde(flatten)]
    score: Score,
    is_own: bool,
}

fn shown(ranking: Ranking) -> Vec<ShownRank> {
    let one = |Rank { place, nickname, days, score, is_own }| ShownRank { place, nickname, days, score, is_own };
    ranking.ranks.into_iter().map(one).collect()
}

/// The date in a path such as `/api/daily/2026-11-16/start`.
fn day_of(uri: &Uri) -> Result<Day, ApiError> {
    let date = uri.path().split('/').nth(3).unwrap_or_default();
    date.parse().map_err(|_| ApiError::not_found("such date"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_day_is_open_while_it_is_today_somewhere() {
        let day: Day = "2026-11-16".parse().unwrap();
        let midnight = UNIX_EPOCH + Duration::from_hours(24 * day.number() as u64);
        let hour = Duration::from_hours(1);
        let moment = Duration::from_secs(1);
        for (now, is) in [
            (midnight - 14 * hour - moment, false),
            (midnight - 14 * hour, true),
            (midnight + 36 * hour - moment, true),
            (midnight + 36 * hour, false),
        ] {
            assert_eq!(is_open(day, now), is, "{now:?}");
        }
    }
}
