//! The daily puzzle for everybody: its start and its end by the server's clock, and the rankings.

use std::time::{SystemTime, UNIX_EPOCH};

use axum::{
    body::Body,
    http::{StatusCode, Uri},
    response::Response,
};
use pintu_game::{Day, Save, Score};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Caller, json,
    query::{self, DAYS},
};
use crate::{
    body,
    error::ApiError,
    ranking::{Rank, RankedBy},
    store::{EndedRun, Run},
};

/// The days of a ranking.
pub(super) const MAX_DAYS: i32 = 7;

/// A player's run of a day.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Run")]
pub(super) struct ShownRun {
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

#[derive(Serialize, JsonSchema)]
pub(super) struct Begun {
    #[serde(flatten)]
    run: ShownRun,
    rows: usize,
    cols: usize,
    blank: usize,
    start: Vec<u8>,
    picture: String,
}

/// Begins a run and hands out the board, or goes on with the one that was begun.
pub(super) async fn begin(caller: Caller, uri: Uri) -> Result<Response, ApiError> {
    let day = day_of(&uri)?;
    if !is_open(day, caller.app.now()) {
        let message = format!("found {day}, expected a date that is today somewhere on earth");
        return Err(ApiError::new(StatusCode::CONFLICT, "day-closed", message));
    }
    let charge = caller.charge_if_new().await?;
    let run = charge.unless_failed(caller.app.store.begin_run(caller.device, day).await)?.into();
    let board = day.board();
    let (size, start, picture) = (board.size, board.start.tiles().to_vec(), board.picture.to_string());
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

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Ended {
    game: Save,
}

/// Ends a run: replays the game and times it between the two moments of this server.
pub(super) async fn end(caller: Caller, uri: Uri, body: Body) -> Result<Response, ApiError> {
    let day = day_of(&uri)?;
    let Ended { game } = body::read_json(body, &caller.app.config.bounds).await?;
    let claimed = day.claim(&game)?;
    match caller.app.store.end_run(caller.device, day, claimed).await? {
        EndedRun::Done(run) => Ok(json(StatusCode::OK, &ShownRun::from(run))),
        EndedRun::NotBegun => {
            Err(ApiError::new(StatusCode::CONFLICT, "not-begun", "found no beginning of this day's run here"))
        }
        EndedRun::TooLong => {
            let message = "found a game that took longer than the run, expected one that was begun with it";
            Err(ApiError::bad("begun-before", message))
        }
    }
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Rankings {
    players: u64,
    time: Vec<Rank>,
    moves: Vec<Rank>,
    own: Vec<ShownRun>,
}

/// The rankings of a day, or with `?days=N` of as many up to it, and the player's own runs.
pub(super) async fn rankings(caller: Caller, uri: Uri) -> Result<Response, ApiError> {
    let last = day_of(&uri)?;
    let count: i32 = query::value(&uri, DAYS).map_or(Ok(1), str::parse).unwrap_or(0);
    if !(1..=MAX_DAYS).contains(&count) {
        return Err(ApiError::bad("bad-field", format!("days: expected a number from 1 to {MAX_DAYS}")));
    }
    let days = Day::new(last.number() - count + 1).unwrap_or(last)..=last;
    let (store, device) = (&caller.app.store, &caller.device);
    let player = store.player_of(device.clone()).await?.unwrap_or_default();
    let own = store.runs(device.clone()).await?.into_iter().filter(|run| days.contains(&run.day)).collect::<Vec<_>>();
    let standings = caller.app.rankings.of(&**store, days, &player, together(&own)).await?;
    let (time, moves) = (standings.ranking(RankedBy::Time, &player), standings.ranking(RankedBy::Moves, &player));
    let own = own.into_iter().map(Into::into).collect();
    Ok(json(StatusCode::OK, &Rankings { players: time.players, time: time.ranks, moves: moves.ranks, own }))
}

/// The days on which runs ended, and their score.
fn together(runs: &[Run]) -> Option<(u64, Score)> {
    let scores = runs.iter().filter_map(|run| run.score);
    scores.fold(None, |sum, Score { millis, moves }| {
        let (days, before) = sum.unwrap_or((0, Score { millis: 0, moves: 0 }));
        Some((days + 1, Score { millis: before.millis + millis, moves: before.moves + moves }))
    })
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
