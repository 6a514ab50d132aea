use pintu_game::Picture;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{Transaction, browsers::make_room, usage};
use crate::{
    id::Id,
    store::{
        Changed, FIRST_REVISION, NewSave, StoreError, StoredSave,
        rules::{check_quota, size},
    },
};

pub(super) fn list(connection: &Connection, owner: &str) -> Result<Vec<StoredSave>, StoreError> {
    let sql = "SELECT id, name, line, revision, created, updated FROM saves WHERE browser = ?1 ORDER BY turn DESC, id";
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.query_map([owner], stored)?.collect::<Result<_, _>>()?)
}

pub(super) fn load(connection: &Connection, owner: &str, id: &Id) -> Result<Option<StoredSave>, StoreError> {
    let sql = "SELECT id, name, game, revision, created, updated FROM saves WHERE browser = ?1 AND id = ?2";
    Ok(connection.prepare_cached(sql)?.query_row([owner, id.as_str()], stored).optional()?)
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

pub(super) fn add(transaction: &Transaction<'_>, owner: &str, id: &Id, save: &NewSave) -> Result<bool, StoreError> {
    if transaction.connection.prepare_cached("SELECT 1 FROM saves WHERE id = ?1")?.exists([id.as_str()])? {
        return Ok(false);
    }
    let (picture, size) = (own_picture(transaction.connection, owner, &save.picture)?, size(save));
    let (count, bytes) = usage(transaction.connection, "saves", owner)?;
    check_quota("saves", (count + 1, bytes + size), (transaction.bounds.saves, transaction.bounds.saves_bytes))?;
    make_room(transaction, size)?;
    let sql = "INSERT INTO saves (id, browser, name, game, line, picture, size, created, updated, revision, turn)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9, ?10)";
    let turn = next_turn(transaction.connection, owner)?;
    let NewSave { name, game, line, .. } = save;
    let values = params![id.as_str(), owner, name, game, line, picture, size, transaction.now, FIRST_REVISION, turn];
    transaction.connection.prepare_cached(sql)?.execute(values)?;
    Ok(true)
}

pub(super) fn replace(
    transaction: &Transaction<'_>,
    owner: &str,
    id: &Id,
    save: &NewSave,
    expected: Option<u64>,
) -> Result<Changed, StoreError> {
    let Some((old, revision)) = size_and_revision(transaction.connection, owner, id)? else {
        return Ok(Changed::Absent);
    };
    if expected.is_some_and(|expected| expected != revision) {
        return Ok(Changed::Stale(revision));
    }
    let (picture, size) = (own_picture(transaction.connection, owner, &save.picture)?, size(save));
    let (_, bytes) = usage(transaction.connection, "saves", owner)?;
    check_quota("saves", (1, bytes + size - old), (transaction.bounds.saves, transaction.bounds.saves_bytes))?;
    make_room(transaction, size.saturating_sub(old))?;
    // The condition names the revision, so that this holds with several writers, too.
    let sql = "UPDATE saves SET name = ?4, game = ?5, line = ?6, picture = ?7, size = ?8, updated = ?9, turn = ?10,
                                revision = revision + 1
               WHERE browser = ?1 AND id = ?2 AND revision = ?3";
    let turn = next_turn(transaction.connection, owner)?;
    let NewSave { name, game, line, .. } = save;
    let values = params![owner, id.as_str(), revision, name, game, line, picture, size, transaction.now, turn];
    let changed = transaction.connection.prepare_cached(sql)?.execute(values)?;
    Ok(if changed == 1 { Changed::Done(revision + 1) } else { Changed::Stale(revision) })
}

pub(super) fn delete(
    connection: &Connection,
    owner: &str,
    id: &Id,
    expected: Option<u64>,
) -> Result<Changed, StoreError> {
    let Some((_, revision)) = size_and_revision(connection, owner, id)? else { return Ok(Changed::Absent) };
    if expected.is_some_and(|expected| expected != revision) {
        return Ok(Changed::Stale(revision));
    }
    let sql = "DELETE FROM saves WHERE browser = ?1 AND id = ?2 AND revision = ?3";
    let changed = connection.prepare_cached(sql)?.execute(params![owner, id.as_str(), revision])?;
    Ok(if changed == 1 { Changed::Done(revision) } else { Changed::Stale(revision) })
}

fn size_and_revision(connection: &Connection, owner: &str, id: &Id) -> Result<Option<(usize, u64)>, StoreError> {
    let sql = "SELECT size, revision FROM saves WHERE browser = ?1 AND id = ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row([owner, id.as_str()], |row| Ok((row.get(0)?, row.get(1)?)));
    Ok(found.optional()?)
}

/// The number that orders a browser's saves, for clocks jump.
fn next_turn(connection: &Connection, owner: &str) -> Result<i64, StoreError> {
    let sql = "SELECT COALESCE(MAX(turn), 0) + 1 FROM saves WHERE browser = ?1";
    Ok(connection.prepare_cached(sql)?.query_row([owner], |row| row.get(0))?)
}

/// The id of a game's stored picture; an error if it is not the browser's own.
pub(super) fn own_picture(
    connection: &Connection,
    owner: &str,
    picture: &Picture,
) -> Result<Option<String>, StoreError> {
    let Picture::Stored(id) = picture else { return Ok(None) };
    let sql = "SELECT 1 FROM pictures WHERE browser = ?1 AND id = ?2";
    if connection.prepare_cached(sql)?.exists([owner, id])? {
        Ok(Some(id.clone()))
    } else {
        Err(StoreError::NoPicture { id: id.clone() })
    }
}
