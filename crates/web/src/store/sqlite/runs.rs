//! The daily puzzle: runs between two moments of the server, and their rankings.

use std::ops::RangeInclusive;

use pintu_game::{Day, Score};
use rusqlite::{Connection, OptionalExtension, Row, named_params, params};

use super::Transaction;
use crate::store::{
    CODE_TIME, FIRST_RANKS, NEAR_RANKS, Rank, RankedBy, Ranking, Run, StoreError,
    rules::{millis, oldest_run_day},
};

pub(super) fn begin(transaction: &Transaction<'_>, player: &str, day: Day) -> Result<Run, StoreError> {
    let sql = "INSERT INTO runs (day, player, started) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    transaction.connection.prepare_cached(sql)?.execute(params![day.number(), player, transaction.now])?;
    let begun = Run { day, started: transaction.now, score: None };
    Ok(load(transaction.connection, player, day)?.unwrap_or(begun))
}

pub(super) fn end(
    transaction: &Transaction<'_>,
    player: &str,
    day: Day,
    claimed: Score,
) -> Result<Option<Run>, StoreError> {
    let Some(run) = load(transaction.connection, player, day)? else { return Ok(None) };
    if run.score.is_some() {
        return Ok(Some(run));
    }
    let score = Score { millis: Run::millis(run.started, transaction.now, claimed.millis), moves: claimed.moves };
    let sql = "UPDATE runs SET millis = ?3, moves = ?4 WHERE day = ?1 AND player = ?2";
    transaction.connection.prepare_cached(sql)?.execute(params![day.number(), player, score.millis, score.moves])?;
    Ok(Some(Run { score: Some(score), ..run }))
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

pub(super) fn ranking(
    connection: &Connection,
    player: &str,
    days: &RangeInclusive<Day>,
    by: RankedBy,
) -> Result<Ranking, StoreError> {
    let order = match by {
        RankedBy::Time => "days DESC, millis, moves",
        RankedBy::Moves => "days DESC, moves, millis",
    };
    let sql = format!(
        "WITH results AS (
             SELECT player, COUNT(*) AS days, SUM(millis) AS millis, SUM(moves) AS moves
             FROM runs WHERE day BETWEEN :from AND :to AND millis IS NOT NULL
             AND player NOT IN (SELECT player FROM players WHERE banned) GROUP BY player),
         placed AS (
             SELECT *, RANK() OVER (ORDER BY {order}) AS place, ROW_NUMBER() OVER (ORDER BY {order}, player) AS line,
                    COUNT(*) OVER () AS players FROM results)
         SELECT place, nickname, days, millis, moves, placed.player = :player, players
         FROM placed JOIN players USING (player), (SELECT (SELECT line FROM placed WHERE player = :player) AS own)
         WHERE line <= :first OR abs(line - own) <= :near ORDER BY line"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let values = named_params! {
        ":from": days.start().number(), ":to": days.end().number(), ":player": player,
        ":first": FIRST_RANKS, ":near": NEAR_RANKS,
    };
    let mut ranking = Ranking::default();
    let mut rows = statement.query(values)?;
    while let Some(row) = rows.next()? {
        let score = Score { millis: row.get(3)?, moves: row.get(4)? };
        let (place, nickname, days) = (row.get(0)?, row.get(1)?, row.get(2)?);
        ranking.ranks.push(Rank { place, nickname, days, score, is_own: row.get(5)? });
        ranking.players = row.get(6)?;
    }
    Ok(ranking)
}

/// Deletes runs of days long ago, and pairing codes that are not valid any more.
pub(super) fn delete_outdated(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    let (connection, now) = (transaction.connection, transaction.now);
    connection.prepare_cached("DELETE FROM runs WHERE day < ?1")?.execute([oldest_run_day(now)])?;
    connection.prepare_cached("DELETE FROM codes WHERE created < ?1")?.execute([now - millis(CODE_TIME)])?;
    Ok(())
}
