use pintu_game::Picture;
use tokio_postgres::Row;

use super::{
    Shared, Values, execute, first, one,
    players::{self, OWN},
    rows,
};
use crate::{
    id::Id,
    store::{
        Changed, Device, FIRST_REVISION, NewSave, StoreError, StoredSave,
        rules::{check_quota, size},
    },
};

pub(super) async fn list(store: &Shared, device: &Device) -> Result<Vec<StoredSave>, StoreError> {
    let Some(client) = store.reader(device).await? else { return Ok(Vec::new()) };
    let sql = format!(
        "SELECT id, name, line, revision, created, updated FROM saves WHERE player = {OWN} ORDER BY turn DESC, id"
    );
    Ok(rows(&client, &sql, &[&device.key()]).await?.iter().map(stored).collect())
}

pub(super) async fn load(store: &Shared, device: &Device, id: &Id) -> Result<Option<StoredSave>, StoreError> {
    let Some(client) = store.reader(device).await? else { return Ok(None) };
    let sql = format!("SELECT id, name, game, revision, created, updated FROM saves WHERE player = {OWN} AND id = $2");
    Ok(first(&client, &sql, &[&device.key(), &id.as_str()]).await?.as_ref().map(stored))
}

fn stored(row: &Row) -> StoredSave {
    StoredSave {
        id: row.get(0),
        name: row.get(1),
        json: row.get(2),
        revision: row.get::<_, i64>(3) as u64,
        created: row.get(4),
        updated: row.get(5),
    }
}

pub(super) async fn add(store: &Shared, device: &Device, id: &Id, save: &NewSave) -> Result<bool, StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin(&mut client).await?;
    let db = &transaction.db;
    if first(db, "SELECT 1 FROM saves WHERE id = $1", &[&id.as_str()]).await?.is_some() {
        return Ok(false);
    }
    let player = transaction.writer(device).await?;
    let (picture, size) = (stored_picture(&save.picture), size(save));
    let sql = "SELECT COUNT(*), COALESCE(SUM(size), 0)::BIGINT, COALESCE(MAX(turn), 0) + 1,
                      $2::TEXT IS NULL OR EXISTS (SELECT 1 FROM pictures WHERE player = $1 AND id = $2)
               FROM saves WHERE player = $1";
    let row = one(db, sql, &[&player, &picture]).await?;
    check_picture(row.get(3), picture)?;
    let (count, bytes) = (row.get::<_, i64>(0) as usize, row.get::<_, i64>(1) as usize);
    check_quota("saves", (count + 1, bytes + size), (store.bounds.saves, store.bounds.saves_bytes))?;
    store.room.make(&transaction, size).await?;
    let sql = "INSERT INTO saves (id, player, name, game, line, picture, size, created, updated, revision, turn)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10) ON CONFLICT (id) DO NOTHING";
    let NewSave { name, game, line, .. } = save;
    let (size, revision, turn) = (size as i64, FIRST_REVISION as i64, row.get::<_, i64>(2));
    let values: Values<'_> =
        &[&id.as_str(), &player, name, game, line, &picture, &size, &transaction.now, &revision, &turn];
    // Another player may have used the id in the meantime.
    if execute(db, sql, values).await? == 0 {
        return Ok(false);
    }
    transaction.commit().await?;
    Ok(true)
}

pub(super) async fn replace(
    store: &Shared,
    device: &Device,
    id: &Id,
    save: &NewSave,
    expected: Option<u64>,
) -> Result<Changed, StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin(&mut client).await?;
    let db = &transaction.db;
    if players::of(db, device).await?.is_none() {
        return Ok(Changed::Absent);
    }
    let player = transaction.writer(device).await?;
    let (picture, size) = (stored_picture(&save.picture), size(save));
    let sql = "SELECT size, revision, (SELECT SUM(size)::BIGINT FROM saves WHERE player = $1),
                      $3::TEXT IS NULL OR EXISTS (SELECT 1 FROM pictures WHERE player = $1 AND id = $3)
               FROM saves WHERE player = $1 AND id = $2";
    let Some(row) = first(db, sql, &[&player, &id.as_str(), &picture]).await? else { return Ok(Changed::Absent) };
    let (old, revision, bytes) = (row.get::<_, i64>(0) as usize, row.get::<_, i64>(1), row.get::<_, i64>(2) as usize);
    if let Some(stale) = stale(expected, revision) {
        return Ok(stale);
    }
    check_picture(row.get(3), picture)?;
    check_quota("saves", (1, bytes + size - old), (store.bounds.saves, store.bounds.saves_bytes))?;
    if size > old {
        store.room.make(&transaction, size - old).await?;
    }
    let sql = "UPDATE saves SET name = $3, game = $4, line = $5, picture = $6, size = $7, updated = $8,
                                turn = (SELECT MAX(turn) + 1 FROM saves WHERE player = $1), revision = revision + 1
               WHERE player = $1 AND id = $2";
    let NewSave { name, game, line, .. } = save;
    let values: Values<'_> = &[&player, &id.as_str(), name, game, line, &picture, &(size as i64), &transaction.now];
    execute(db, sql, values).await?;
    transaction.commit().await?;
    Ok(Changed::Done(revision as u64 + 1))
}

pub(super) async fn delete(
    store: &Shared,
    device: &Device,
    id: &Id,
    expected: Option<u64>,
) -> Result<Changed, StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin(&mut client).await?;
    let Some(player) = transaction.player_of(device).await? else { return Ok(Changed::Absent) };
    let sql = "SELECT revision FROM saves WHERE player = $1 AND id = $2";
    let Some(row) = first(&transaction.db, sql, &[&player, &id.as_str()]).await? else { return Ok(Changed::Absent) };
    let revision: i64 = row.get(0);
    if let Some(stale) = stale(expected, revision) {
        return Ok(stale);
    }
    transaction.delete_of("saves", &player, id).await?;
    transaction.commit().await?;
    Ok(Changed::Done(revision as u64))
}

fn stale(expected: Option<u64>, revision: i64) -> Option<Changed> {
    expected.filter(|&expected| expected != revision as u64).map(|_| Changed::Stale(revision as u64))
}

/// The id of a game's stored picture.
pub(super) fn stored_picture(picture: &Picture) -> Option<&str> {
    match picture {
        Picture::Stored(id) => Some(id),
        Picture::Builtin(_) => None,
    }
}

/// An error if the picture is not the player's own.
pub(super) fn check_picture(is_own: bool, picture: Option<&str>) -> Result<(), StoreError> {
    if is_own { Ok(()) } else { Err(StoreError::NoPicture { id: picture.unwrap_or_default().to_owned() }) }
}
