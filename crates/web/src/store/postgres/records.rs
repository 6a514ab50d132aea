use pintu_game::Score;

use super::{
    Shared, Transaction, Values, execute, first, one,
    players::OWN,
    rows,
    saves::{check_picture, stored_picture},
    usage,
};
use crate::{
    id::Id,
    store::{
        Device, NewRecord, StoreError, StoredRecord,
        rules::{MAX_RECORDS_PER_BOARD, check_quota, mark},
    },
};

pub(super) async fn list(store: &Shared, device: &Device) -> Result<Vec<StoredRecord>, StoreError> {
    let Some(client) = store.reader(device).await? else { return Ok(Vec::new()) };
    let sql = format!("SELECT id, board, millis, moves, created FROM records WHERE player = {OWN} ORDER BY number");
    let records = rows(&client, &sql, &[&device.key()]).await?;
    let stored = records.iter().map(|row| {
        let (millis, moves) = (row.get::<_, i64>(2) as u64, row.get::<_, i64>(3) as usize);
        StoredRecord { id: row.get(0), board: row.get(1), score: Score { millis, moves }, created: row.get(4) }
    });
    Ok(stored.collect())
}

pub(super) async fn load(store: &Shared, device: &Device, id: &Id) -> Result<Option<String>, StoreError> {
    let Some(client) = store.reader(device).await? else { return Ok(None) };
    let sql = format!("SELECT game FROM records WHERE player = {OWN} AND id = $2");
    Ok(first(&client, &sql, &[&device.key(), &id.as_str()]).await?.map(|row| row.get(0)))
}

pub(super) async fn add(store: &Shared, device: &Device, id: &Id, record: &NewRecord) -> Result<String, StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin(&mut client).await?;
    let player = transaction.writer(device).await?;
    let mark = mark(&record.save);
    let sql = "SELECT id FROM records WHERE player = $1 AND mark = $2";
    let id = if let Some(row) = first(&transaction.db, sql, &[&player, &mark]).await? {
        row.get(0)
    } else {
        insert(&transaction, &player, id, record, &mark).await?;
        id.to_string()
    };
    transaction.commit().await?;
    Ok(id)
}

async fn insert(
    transaction: &Transaction<'_>,
    player: &str,
    id: &Id,
    record: &NewRecord,
    mark: &str,
) -> Result<(), StoreError> {
    let Transaction { db, store, now } = transaction;
    let picture = stored_picture(&record.save.picture);
    let sql = "SELECT $2::TEXT IS NULL OR EXISTS (SELECT 1 FROM pictures WHERE player = $1 AND id = $2)";
    check_picture(one(db, sql, &[&player, &picture]).await?.get(0), picture)?;
    prune(transaction, player, &record.board).await?;
    let (count, bytes) = usage(db, "records", player).await?;
    let size = record.game.len();
    check_quota("records", (count + 1, bytes + size), (store.bounds.records, store.bounds.records_bytes))?;
    store.room.make(transaction, size).await?;
    let sql = "INSERT INTO records (id, player, board, millis, moves, game, picture, size, created, mark)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let (millis, moves, size) = (record.score.millis as i64, record.score.moves as i64, size as i64);
    let NewRecord { board, game, .. } = record;
    let values: Values<'_> = &[&id.as_str(), &player, board, &millis, &moves, game, &picture, &size, now, &mark];
    execute(db, sql, values).await?;
    Ok(())
}

pub(super) async fn delete(store: &Shared, device: &Device, id: &Id) -> Result<bool, StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin(&mut client).await?;
    let Some(player) = transaction.player_of(device).await? else { return Ok(false) };
    let deleted = transaction.delete_of("records", &player, id).await?;
    transaction.commit().await?;
    Ok(deleted == 1)
}

/// Deletes the oldest record of a board that has more than the limit, but never a best one: a new one takes its place. Two
/// players who became one may have more.
async fn prune(transaction: &Transaction<'_>, player: &str, board: &str) -> Result<(), StoreError> {
    if one(&transaction.db, COUNT, &[&player, &board]).await?.get::<_, i64>(0) <= MAX_RECORDS_PER_BOARD {
        return Ok(());
    }
    execute(&transaction.db, PRUNE, &[&player, &board]).await?;
    Ok(())
}

pub(in crate::store) const COUNT: &str = "SELECT COUNT(*) FROM records WHERE player = $1 AND board = $2";
pub(in crate::store) const PRUNE: &str = "DELETE FROM records WHERE id IN (
    SELECT id FROM records WHERE player = $1 AND board = $2
    AND id NOT IN (SELECT id FROM records WHERE player = $1 AND board = $2 ORDER BY millis, moves, number LIMIT 1)
    AND id NOT IN (SELECT id FROM records WHERE player = $1 AND board = $2 ORDER BY moves, millis, number LIMIT 1)
    ORDER BY number LIMIT 1)";
