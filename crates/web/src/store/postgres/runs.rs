//! The daily puzzle: runs between two moments of the database's clock, and their rankings.

use std::ops::RangeInclusive;

use deadpool_postgres::GenericClient;
use pintu_game::{Day, Score};
use tokio_postgres::Row;

use super::{Shared, Transaction, execute, first, players, rows};
use crate::store::{
    CODE_TIME, Device, FIRST_RANKS, NEAR_RANKS, Rank, RankedBy, Ranking, Run, StoreError,
    rules::{millis, oldest_run_day},
};

pub(super) async fn begin(store: &Shared, device: &Device, day: Day) -> Result<Run, StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin(&mut client).await?;
    let player = transaction.writer(device).await?;
    let sql = "INSERT INTO runs (day, player, started) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
    execute(&transaction.db, sql, &[&i64::from(day.number()), &player, &transaction.now]).await?;
    let begun = Run { day, started: transaction.now, score: None };
    let run = load(&transaction.db, &player, day).await?.unwrap_or(begun);
    transaction.commit().await?;
    Ok(run)
}

pub(super) async fn end(store: &Shared, device: &Device, day: Day, claimed: Score) -> Result<Option<Run>, StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin(&mut client).await?;
    if players::of(&transaction.db, device).await?.is_none() {
        return Ok(None);
    }
    let player = transaction.writer(device).await?;
    let Some(run) = load(&transaction.db, &player, day).await? else { return Ok(None) };
    if run.score.is_some() {
        return Ok(Some(run));
    }
    let ended = Score { millis: Run::millis(run.started, transaction.now, claimed.millis), moves: claimed.moves };
    let sql = "UPDATE runs SET millis = $3, moves = $4 WHERE day = $1 AND player = $2";
    let (millis, moves) = (ended.millis as i64, ended.moves as i64);
    execute(&transaction.db, sql, &[&i64::from(day.number()), &player, &millis, &moves]).await?;
    transaction.commit().await?;
    Ok(Some(Run { score: Some(ended), ..run }))
}

async fn load(db: &impl GenericClient, player: &str, day: Day) -> Result<Option<Run>, StoreError> {
    let sql = "SELECT day, started, millis, moves FROM runs WHERE day = $1 AND player = $2";
    first(db, sql, &[&i64::from(day.number()), &player]).await?.as_ref().map(stored).transpose()
}

pub(super) async fn list(store: &Shared, device: &Device) -> Result<Vec<Run>, StoreError> {
    let Some((client, player)) = store.reader(device).await? else { return Ok(Vec::new()) };
    let sql = "SELECT day, started, millis, moves FROM runs WHERE player = $1 ORDER BY day";
    rows(&client, sql, &[&player]).await?.iter().map(stored).collect()
}

fn stored(row: &Row) -> Result<Run, StoreError> {
    let number: i64 = row.get(0);
    let day = i32::try_from(number).ok().and_then(Day::new);
    let day = day.ok_or_else(|| StoreError::Failed(format!("found a run of the day {number}")))?;
    let score = row.get::<_, Option<i64>>(2).zip(row.get::<_, Option<i64>>(3));
    let score = score.map(|(millis, moves)| Score { millis: millis as u64, moves: moves as usize });
    Ok(Run { day, started: row.get(1), score })
}

pub(super) async fn ranking(
    store: &Shared,
    device: &Device,
    days: &RangeInclusive<Day>,
    by: RankedBy,
) -> Result<Ranking, StoreError> {
    let client = store.client().await?;
    let player = players::of(&client, device).await?.unwrap_or_default();
    let order = match by {
        RankedBy::Time => "days DESC, millis, moves",
        RankedBy::Moves => "days DESC, moves, millis",
    };
    let sql = format!(
        "WITH results AS (
             SELECT player, COUNT(*) AS days, SUM(millis)::BIGINT AS millis, SUM(moves)::BIGINT AS moves
             FROM runs WHERE day BETWEEN $1 AND $2 AND millis IS NOT NULL
             AND player NOT IN (SELECT player FROM players WHERE banned <> 0) GROUP BY player),
         placed AS (
             SELECT *, RANK() OVER (ORDER BY {order}) AS place, ROW_NUMBER() OVER (ORDER BY {order}, player) AS line,
                    COUNT(*) OVER () AS total FROM results)
         SELECT place, nickname, days, millis, moves, placed.player = $3, total
         FROM placed JOIN players USING (player), (SELECT (SELECT line FROM placed WHERE player = $3) AS own) AS place_of
         WHERE line <= $4 OR abs(line - own) <= $5 ORDER BY line"
    );
    let (from, to) = (i64::from(days.start().number()), i64::from(days.end().number()));
    let rows = rows(&client, &sql, &[&from, &to, &player, &(FIRST_RANKS as i64), &(NEAR_RANKS as i64)]).await?;
    let number = |row: &Row, at: usize| row.get::<_, i64>(at) as u64;
    let ranks = rows.iter().map(|row| Rank {
        place: number(row, 0),
        nickname: row.get(1),
        days: number(row, 2),
        score: Score { millis: number(row, 3), moves: number(row, 4) as usize },
        is_own: row.get(5),
    });
    Ok(Ranking { players: rows.first().map_or(0, |row| number(row, 6)), ranks: ranks.collect() })
}

/// Deletes runs of days long ago, and pairing codes that are not valid any more.
pub(super) async fn delete_outdated(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    let Transaction { db, now, .. } = transaction;
    execute(db, "DELETE FROM runs WHERE day < $1", &[&oldest_run_day(*now)]).await?;
    execute(db, "DELETE FROM codes WHERE created < $1", &[&(now - millis(CODE_TIME))]).await?;
    Ok(())
}
