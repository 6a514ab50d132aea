use super::{Shared, Transaction, Values, execute, first, players::OWN, rows, usage};
use crate::{
    id::Id,
    picture::StoredPicture,
    store::{
        Device, Removed, StoreError,
        rules::{check_quota, room_for_pictures},
    },
};

pub(super) async fn add(
    store: &Shared,
    device: &Device,
    id: &Id,
    picture: &StoredPicture,
) -> Result<String, StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin(&mut client).await?;
    let (db, size) = (&transaction.db, picture.jpeg.len());
    let player = transaction.writer(device).await?;
    let sql = "SELECT id FROM pictures WHERE player = $1 AND size = $2 AND bytes = $3";
    let same = first(db, sql, &[&player, &(size as i64), &picture.jpeg]).await?;
    let id = if let Some(row) = same {
        row.get(0)
    } else {
        make_room(&transaction, &player, size).await?;
        store.room.make(&transaction, size).await?;
        let sql = "INSERT INTO pictures (id, player, width, height, bytes, size, created)
                   VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let (width, height, size) = (i64::from(picture.width), i64::from(picture.height), size as i64);
        let values: Values<'_> = &[&id.as_str(), &player, &width, &height, &picture.jpeg, &size, &transaction.now];
        execute(db, sql, values).await?;
        id.to_string()
    };
    transaction.commit().await?;
    Ok(id)
}

pub(super) async fn load(store: &Shared, device: &Device, id: &Id) -> Result<Option<Vec<u8>>, StoreError> {
    let Some(client) = store.reader(device).await? else { return Ok(None) };
    let sql = format!("SELECT bytes FROM pictures WHERE player = {OWN} AND id = $2");
    Ok(first(&client, &sql, &[&device.key(), &id.as_str()]).await?.map(|row| row.get(0)))
}

/// The oldest first.
pub(super) async fn list(store: &Shared, device: &Device) -> Result<Vec<String>, StoreError> {
    let Some(client) = store.reader(device).await? else { return Ok(Vec::new()) };
    let sql = format!("SELECT id FROM pictures WHERE player = {OWN} ORDER BY number");
    Ok(rows(&client, &sql, &[&device.key()]).await?.iter().map(|row| row.get(0)).collect())
}

/// Whether a save or a record of the player $1 shows the picture `one`.
const IN_USE: &str = "(EXISTS (SELECT 1 FROM saves WHERE player = $1 AND picture = one.id)
                       OR EXISTS (SELECT 1 FROM records WHERE player = $1 AND picture = one.id))";

pub(super) async fn delete(store: &Shared, device: &Device, id: &Id) -> Result<Removed, StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin(&mut client).await?;
    let Some(player) = transaction.player_of(device).await? else { return Ok(Removed::Absent) };
    let sql = format!("DELETE FROM pictures AS one WHERE player = $1 AND id = $2 AND NOT {IN_USE}");
    if execute(&transaction.db, &sql, &[&player, &id.as_str()]).await? == 1 {
        transaction.commit().await?;
        store.room.freed();
        return Ok(Removed::Done);
    }
    let sql = "SELECT 1 FROM pictures WHERE player = $1 AND id = $2";
    let is_there = first(&transaction.db, sql, &[&player, &id.as_str()]).await?.is_some();
    Ok(if is_there { Removed::InUse } else { Removed::Absent })
}

/// Deletes pictures that no save or record shows, the oldest first, until there is room for another.
async fn make_room(transaction: &Transaction<'_>, player: &str, size: usize) -> Result<(), StoreError> {
    let (mut count, mut bytes) = usage(&transaction.db, "pictures", player).await?;
    let most = room_for_pictures(&transaction.store.bounds, count, bytes);
    loop {
        let within = check_quota("pictures", (count + 1, bytes + size), most);
        if within.is_ok() {
            return Ok(());
        }
        let sql = format!(
            "DELETE FROM pictures WHERE id IN (
                 SELECT id FROM pictures AS one WHERE player = $1 AND NOT {IN_USE} ORDER BY number LIMIT 1)"
        );
        if execute(&transaction.db, &sql, &[&player]).await? == 0 {
            return within;
        }
        (count, bytes) = usage(&transaction.db, "pictures", player).await?;
    }
}
