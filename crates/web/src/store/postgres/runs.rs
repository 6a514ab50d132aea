//! The daily puzzle: runs between two moments of the database's clock, and their rankings.

use std::ops::RangeInclusive;

use deadpool_postgres::GenericClient;
use pintu_game::{Claim, Day, Score};
use tokio_postgres::Row;

use super::{
    Shared, Transaction, execute, first,
    players::{self, OWN},
    rows,
};
use crate::store::{
    CODE_TIME, DailyResult, Device, EndedRun, Run, StoreError,
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

pub(super) async fn end(store: &Shared, device: &Device, day: Day, claim: Claim) -> Result<EndedRun, StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin(&mut client).await?;
    if players::of(&transaction.db, device).await?.is_none() {
        return Ok(EndedRun::NotBegun);
    }
    let player = transaction.writer(device).await?;
    let Some(run) = load(&transaction.db, &player, day).await? else { return Ok(EndedRun::NotBegun) };
    let ended = run.end(transaction.now, claim);
    if let EndedRun::Done(Run { score: Some(score), .. }) = ended {
        let sql = "UPDATE runs SET millis = $3, moves = $4 WHERE day = $1 AND player = $2";
        let (millis, moves) = (score.millis as i64, score.moves as i64);
        execute(&transaction.db, sql, &[&i64::from(day.number()), &player, &millis, &moves]).await?;
    }
    transaction.commit().await?;
    Ok(ended)
}

async fn load(db: &impl GenericClient, player: &str, day: Day) -> Result<Option<Run>, StoreError> {
    let sql = "SELECT day, started, millis, moves FROM runs WHERE day = $1 AND player = $2";
    first(db, sql, &[&i64::from(day.number()), &player]).await?.as_ref().map(stored).transpose()
}

pub(super) async fn list(store: &Shared, device: &Device) -> Result<Vec<Run>, StoreError> {
    let Some(client) = store.reader(device).await? else { return Ok(Vec::new()) };
    let sql = format!("SELECT day, started, millis, moves FROM runs WHERE player = {OWN} ORDER BY day");
    rows(&client, &sql, &[&device.key()]).await?.iter().map(stored).collect()
}

fn stored(row: &Row) -> Result<Run, StoreError> {
    let number: i64 = row.get(0);
    let day = i32::try_from(number).ok().and_then(Day::new);
    let day = day.ok_or_else(|| StoreError::Failed(format!("found a run of the day {number}")))?;
    let score = row.get::<_, Option<i64>>(2).zip(row.get::<_, Option<i64>>(3));
    let score = score.map(|(millis, moves)| Score { millis: millis as u64, moves: moves as usize });
    Ok(Run { day, started: row.get(1), score })
}

pub(super) async fn results(store: &Shared, days: &RangeInclusive<Day>) -> Result<Vec<DailyResult>, StoreError> {
    let sql = "SELECT player, nickname, banned <> 0, COUNT(*), SUM(millis)::BIGINT, SUM(moves)::BIGINT
               FROM runs JOIN players USING (player)
               WHERE day BETWEEN $1 AND $2 AND millis IS NOT NULL GROUP BY player, nickname, banned";
    let (from, to) = (i64::from(days.start().number()), i64::from(days.end().number()));
    let rows = rows(&store.client().await?, sql, &[&from, &to]).await?;
    let number = |row: &Row, at: usize| row.get::<_, i64>(at) as u64;
    let result = |row: &Row| DailyResult {
        player: row.get(0),
        nickname: row.get(1),
        is_banned: row.get(2),
        days: number(row, 3),
        score: Score { millis: number(row, 4), moves: number(row, 5) as usize },
    };
    Ok(rows.iter().map(result).collect())
}

/// Deletes runs of days long ago, and pairing codes that are not valid any more.
pub(super) async fn delete_outdated(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    let Transaction { db, now, .. } = transaction;
    execute(db, "DELETE FROM runs WHERE day < $1", &[&oldest_run_day(*now)]).await?;
    execute(db, "DELETE FROM codes WHERE created < $1", &[&(now - millis(CODE_TIME))]).await?;
    Ok(())
}
