use rusqlite::{Connection, OptionalExtension, params};

use super::{Transaction, players, usage};
use crate::{
    id::Id,
    picture::StoredPicture,
    store::{
        Removed, StoreError,
        rules::{check_quota, room_for_pictures},
    },
};

pub(super) fn add(
    transaction: &Transaction<'_>,
    player: &str,
    id: &Id,
    picture: &StoredPicture,
) -> Result<String, StoreError> {
    let (connection, size) = (transaction.connection, picture.jpeg.len());
    let sql = "SELECT id FROM pictures WHERE player = ?1 AND size = ?2 AND bytes = ?3";
    let mut statement = connection.prepare_cached(sql)?;
    let same = statement.query_row(params![player, size, picture.jpeg], |row| row.get(0)).optional()?;
    if let Some(same) = same {
        return Ok(same);
    }
    make_room(transaction, player, size)?;
    players::make_room(transaction, size)?;
    let sql = "INSERT INTO pictures (id, player, width, height, bytes, size, created)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let values = params![id.as_str(), player, picture.width, picture.height, picture.jpeg, size, transaction.now];
    connection.prepare_cached(sql)?.execute(values)?;
    Ok(id.to_string())
}

pub(super) fn load(connection: &Connection, player: &str, id: &Id) -> Result<Option<Vec<u8>>, StoreError> {
    let sql = "SELECT bytes FROM pictures WHERE player = ?1 AND id = ?2";
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.query_row([player, id.as_str()], |row| row.get(0)).optional()?)
}

/// The oldest first, by the numbers of rows.
pub(super) fn list(connection: &Connection, player: &str) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT id FROM pictures WHERE player = ?1 ORDER BY rowid";
    Ok(connection.prepare_cached(sql)?.query_map([player], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// Whether a save or a record of the player ?1 shows the picture `one`.
const IN_USE: &str = "(EXISTS (SELECT 1 FROM saves WHERE player = ?1 AND picture = one.id)
                       OR EXISTS (SELECT 1 FROM records WHERE player = ?1 AND picture = one.id))";

pub(super) fn delete(connection: &Connection, player: &str, id: &Id) -> Result<Removed, StoreError> {
    let sql = format!("DELETE FROM pictures AS one WHERE player = ?1 AND id = ?2 AND NOT {IN_USE}");
    if connection.prepare_cached(&sql)?.execute([player, id.as_str()])? == 1 {
        return Ok(Removed::Done);
    }
    let sql = "SELECT 1 FROM pictures WHERE player = ?1 AND id = ?2";
    let is_there = connection.prepare_cached(sql)?.exists([player, id.as_str()])?;
    Ok(if is_there { Removed::InUse } else { Removed::Absent })
}

/// Deletes pictures that no save or record shows, the oldest first, until there is room for another.
fn make_room(transaction: &Transaction<'_>, player: &str, size: usize) -> Result<(), StoreError> {
    let (mut count, mut bytes) = usage(transaction.connection, "pictures", player)?;
    let most = room_for_pictures(transaction.bounds, count, bytes);
    loop {
        let within = check_quota("pictures", (count + 1, bytes + size), most);
        if within.is_ok() {
            return Ok(());
        }
        if transaction.connection.prepare_cached(&delete_unused())?.execute([player])? == 0 {
            return within;
        }
        (count, bytes) = usage(transaction.connection, "pictures", player)?;
    }
}

pub(super) fn delete_unused() -> String {
    format!(
        "DELETE FROM pictures WHERE id IN (
             SELECT id FROM pictures AS one WHERE player = ?1 AND NOT {IN_USE} ORDER BY rowid LIMIT 1)"
    )
}
