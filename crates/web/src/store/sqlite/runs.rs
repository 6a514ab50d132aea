//! The daily puzzle: runs between two moments of the server, and their rankings.

use std::ops::RangeInclusive;

use pintu_game::{Claim, Day, Score};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::Transaction;
use crate::store::{
    CODE_TIME, DailyResult, EndedRun, Run, StoreError,
    rules::{millis, oldest_run_day},
};

pub(super) fn begin(transaction: &Transaction<'_>, player: &str, day: Day) -> Result<Run, StoreError> {
    let sql = "INSERT INTO runs (day, player, started) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    transaction.connection.prepare_cached(sql)?.execute(params![day.number(), player, transaction.now])?;
    let begun = Run { day, started: transaction.now, score: None };
    Ok(load(transaction.connection, player, day)?.unwrap_or(begun))
}

pub(super) fn end(transaction: &Transaction<'_>, player: &str, day: Day, claim: Claim) -> Result<EndedRun, StoreError> {
    let Some(run) = load(transaction.connection, player, day)? else { return Ok(EndedRun::NotBegun) };
    let ended = run.end(transaction.now, claim);
    if let EndedRun::Done(Run { score: Some(score), .. }) = ended {
        let sql = "UPDATE runs SET millis = ?3, moves = ?4 WHERE day = ?1 AND player = ?2";
        transaction.connection.prepare_cached(sql)?.execute(params![
            day.number(),
            player,
            score.millis,
            score.moves
        ])?;
    }
    Ok(ended)
}

fn load(connection: &Connection, player: &str, day: Day) -> Result<Option<Run>, StoreError> {
    let sql = "SELECT day, started, millis, moves FROM runs WHERE day = ?1 AND player = ?2";
    Ok(connection.prepare_cached(sql)?.query_row(params![day.number(), player], stored).optional()?)
}

pub(super) fn list(connection: &Connection, player: &str) -> Result<Vec<Run>, StoreError> {
    let sql = "SELECT day, started, millis, moves FROM runs WHERE player = ?1 ORDER BY day";
    Ok(connection.prepare_cached(sql)?.query_map([player], stored)?.collect::<Result<_, _>>()?)
}

fn stored(row: &Row<'_>) -> rusqlite::Result<Run> {
    let number = row.get(0)?;
    let day = Day::new(number).ok_or(rusqlite::Error::IntegralValueOutOfRange(0, number.into()))?;
    let (millis, moves): (Option<u64>, Option<usize>) = (row.get(2)?, row.get(3)?);
    let score = millis.zip(moves).map(|(millis, moves)| Score { millis, moves });
    Ok(Run { day, started: row.get(1)?, score })
}

pub(super) fn results(connection: &Connection, days: &RangeInclusive<Day>) -> Result<Vec<DailyResult>, StoreError> {
    let sql = "SELECT player, nickname, banned, COUNT(*), SUM(millis), SUM(moves)
               FROM runs JOIN players USING (player)
               WHERE day BETWEEN ?1 AND ?2 AND millis IS NOT NULL GROUP BY player";
    let mut statement = connection.prepare_cached(sql)?;
    let results = statement.query_map([days.start().number(), days.end().number()], |row| {
        let (player, nickname, is_banned) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let score = Score { millis: row.get(4)?, moves: row.get(5)? };
        Ok(DailyResult { player, nickname, is_banned, days: row.get(3)?, score })
    })?;
    Ok(results.collect::<Result<_, _>>()?)
}

/// Deletes runs of days long ago, and pairing codes that are not valid any more.
pub(super) fn delete_outdated(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    let (connection, now) = (transaction.connection, transaction.now);
    connection.prepare_cached("DELETE FROM runs WHERE day < ?1")?.execute([oldest_run_day(now)])?;
    connection.prepare_cached("DELETE FROM codes WHERE created < ?1")?.execute([now - millis(CODE_TIME)])?;
    Ok(())
}
