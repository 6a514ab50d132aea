use pintu_game::Picture;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{Transaction, players::make_room, usage};
use crate::{
    id::Id,
    store::{
        Changed, FIRST_REVISION, NewSave, StoreError, StoredSave,
        rules::{check_quota, size},
    },
};

pub(super) const LIST: &str =
    "SELECT id, name, line, revision, created, updated FROM saves WHERE player = ?1 ORDER BY turn DESC, id";

pub(super) fn list(connection: &Connection, player: &str) -> Result<Vec<StoredSave>, StoreError> {
    let mut statement = connection.prepare_cached(LIST)?;
    Ok(statement.query_map([player], stored)?.collect::<Result<_, _>>()?)
}

pub(super) fn load(connection: &Connection, player: &str, id: &Id) -> Result<Option<StoredSave>, StoreError> {
    let sql = "SELECT id, name, game, revision, created, updated FROM saves WHERE player = ?1 AND id = ?2";
    Ok(connection.prepare_cached(sql)?.query_row([player, id.as_str()], stored).optional()?)
}

fn stored(row: &Row<'_>) -> rusqlite::Result<StoredSave> {
    Ok(StoredSave {
        id: row.get(0)?,
        name: row.get(1)?,
        json: row.get(2)?,
        revision: row.get(3)?,
        created: row.get(4)?,
        updated: row.get(5)?,
    })
}

/// Whether there is a save of this id, whosever it is.
pub(super) fn exists(connection: &Connection, id: &Id) -> Result<bool, StoreError> {
    Ok(connection.prepare_cached("SELECT 1 FROM saves WHERE id = ?1")?.exists([id.as_str()])?)
}

pub(super) fn add(transaction: &Transaction<'_>, player: &str, id: &Id, save: &NewSave) -> Result<(), StoreError> {
    let (picture, size) = (own_picture(transaction.connection, player, &save.picture)?, size(save));
    let (count, bytes) = usage(transaction.connection, "saves", player)?;
    check_quota("saves", (count + 1, bytes + size), (transaction.bounds.saves, transaction.bounds.saves_bytes))?;
    make_room(transaction, size)?;
    let sql = "INSERT INTO saves (id, player, name, game, line, picture, size, created, updated, revision, turn)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9, ?10)";
    let turn = next_turn(transaction.connection, player)?;
    let NewSave { name, game, line, .. } = save;
    let values = params![id.as_str(), player, name, game, line, picture, size, transaction.now, FIRST_REVISION, turn];
    transaction.connection.prepare_cached(sql)?.execute(values)?;
    Ok(())
}

pub(super) fn replace(
    transaction: &Transaction<'_>,
    player: &str,
    id: &Id,
    save: &NewSave,
    expected: Option<u64>,
) -> Result<Changed, StoreError> {
    let Some((old, revision)) = size_and_revision(transaction.connection, player, id)? else {
        return Ok(Changed::Absent);
    };
    if expected.is_some_and(|expected| expected != revision) {
        return Ok(Changed::Stale(revision));
    }
    let (picture, size) = (own_picture(transaction.connection, player, &save.picture)?, size(save));
    let (_, bytes) = usage(transaction.connection, "saves", player)?;
    check_quota("saves", (1, bytes + size - old), (transaction.bounds.saves, transaction.bounds.saves_bytes))?;
    make_room(transaction, size.saturating_sub(old))?;
    // The condition names the revision, so that this holds with several writers, too.
    let sql = "UPDATE saves SET name = ?4, game = ?5, line = ?6, picture = ?7, size = ?8, updated = ?9, turn = ?10,
                                revision = revision + 1
               WHERE player = ?1 AND id = ?2 AND revision = ?3";
    let turn = next_turn(transaction.connection, player)?;
    let NewSave { name, game, line, .. } = save;
    let values = params![player, id.as_str(), revision, name, game, line, picture, size, transaction.now, turn];
    let changed = transaction.connection.prepare_cached(sql)?.execute(values)?;
    Ok(if changed == 1 { Changed::Done(revision + 1) } else { Changed::Stale(revision) })
}

pub(super) fn delete(
    connection: &Connection,
    player: &str,
    id: &Id,
    expected: Option<u64>,
) -> Result<Changed, StoreError> {
    let Some((_, revision)) = size_and_revision(connection, player, id)? else { return Ok(Changed::Absent) };
    if expected.is_some_and(|expected| expected != revision) {
        return Ok(Changed::Stale(revision));
    }
    super::delete(connection, "saves", player, id)?;
    Ok(Changed::Done(revision))
}

fn size_and_revision(connection: &Connection, player: &str, id: &Id) -> Result<Option<(usize, u64)>, StoreError> {
    let sql = "SELECT size, revision FROM saves WHERE player = ?1 AND id = ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row([player, id.as_str()], |row| Ok((row.get(0)?, row.get(1)?)));
    Ok(found.optional()?)
}

/// The number that orders a player's saves, for clocks jump.
fn next_turn(connection: &Connection, player: &str) -> Result<i64, StoreError> {
    let sql = "SELECT COALESCE(MAX(turn), 0) + 1 FROM saves WHERE player = ?1";
    Ok(connection.prepare_cached(sql)?.query_row([player], |row| row.get(0))?)
}

/// The id of a game's stored picture; an error if it is not the player's own.
pub(super) fn own_picture(
    connection: &Connection,
    player: &str,
    picture: &Picture,
) -> Result<Option<String>, StoreError> {
    let Picture::Stored(id) = picture else { return Ok(None) };
    let sql = "SELECT 1 FROM pictures WHERE player = ?1 AND id = ?2";
    if connection.prepare_cached(sql)?.exists([player, id])? {
        Ok(Some(id.clone()))
    } else {
        Err(StoreError::NoPicture { id: id.clone() })
    }
}
