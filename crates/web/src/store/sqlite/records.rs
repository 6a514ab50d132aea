use pintu_game::{Save, Score};
use rusqlite::{Connection, OptionalExtension, params};

use super::{Desk, browsers::make_room, check_quota, saves::own_picture, usage};
use crate::{
    id::Id,
    store::{NewRecord, StoreError, StoredRecord},
};

/// Games of one kind of board that are kept, its best ones aside.
const MOST_A_BOARD: i64 = 1000;

/// The oldest first: rows are numbered as they come, whatever the clock says.
pub(super) fn list(connection: &Connection, owner: &str) -> Result<Vec<StoredRecord>, StoreError> {
    let sql = "SELECT id, board, millis, moves, created FROM records WHERE browser = ?1 ORDER BY rowid";
    let mut statement = connection.prepare_cached(sql)?;
    let records = statement.query_map([owner], |row| {
        let score = Score { millis: row.get(2)?, moves: row.get(3)? };
        Ok(StoredRecord { id: row.get(0)?, board: row.get(1)?, score, created: row.get(4)? })
    })?;
    Ok(records.collect::<Result<_, _>>()?)
}

pub(super) fn load(connection: &Connection, owner: &str, id: &Id) -> Result<Option<String>, StoreError> {
    let sql = "SELECT game FROM records WHERE browser = ?1 AND id = ?2";
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.query_row([owner, id.as_str()], |row| row.get(0)).optional()?)
}

pub(super) fn add(desk: &Desk<'_>, owner: &str, id: &Id, record: &NewRecord) -> Result<String, StoreError> {
    let connection = desk.connection;
    if let Some(same) = same_game(connection, owner, record)? {
        return Ok(same);
    }
    let picture = own_picture(connection, owner, &record.save.picture)?;
    prune(connection, owner, &record.board)?;
    let (count, bytes) = usage(connection, "records", owner)?;
    let (Score { millis, moves }, size) = (record.score, record.game.len());
    check_quota("records", (count + 1, bytes + size), (desk.bounds.records, desk.bounds.records_bytes))?;
    make_room(desk, size)?;
    let sql = "INSERT INTO records (id, browser, board, millis, moves, game, picture, size, created)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    let values = params![id.as_str(), owner, record.board, millis, moves, record.game, picture, size, desk.now];
    connection.prepare_cached(sql)?.execute(values)?;
    Ok(id.to_string())
}

pub(super) fn delete(connection: &Connection, owner: &str, id: &Id) -> Result<bool, StoreError> {
    let sql = "DELETE FROM records WHERE browser = ?1 AND id = ?2";
    Ok(connection.prepare_cached(sql)?.execute([owner, id.as_str()])? == 1)
}

/// The record of the same game, by the game's own rule.
fn same_game(connection: &Connection, owner: &str, record: &NewRecord) -> Result<Option<String>, StoreError> {
    let sql = "SELECT id, game FROM records WHERE browser = ?1 AND board = ?2 AND millis = ?3 AND moves = ?4";
    let mut statement = connection.prepare_cached(sql)?;
    let Score { millis, moves } = record.score;
    let mut rows = statement.query(params![owner, record.board, millis, moves])?;
    while let Some(row) = rows.next()? {
        let (id, game): (String, String) = (row.get(0)?, row.get(1)?);
        if serde_json::from_str::<Save>(&game).is_ok_and(|save| save.is_same_game(&record.save)) {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// Forgets the oldest games of a board beyond those that are kept, but never a best one.
fn prune(connection: &Connection, owner: &str, board: &str) -> Result<(), StoreError> {
    let sql = "DELETE FROM records WHERE id IN (
                   SELECT id FROM records WHERE browser = ?1 AND board = ?2
                   AND id NOT IN (SELECT id FROM records WHERE browser = ?1 AND board = ?2
                                  ORDER BY millis, moves, rowid LIMIT 1)
                   AND id NOT IN (SELECT id FROM records WHERE browser = ?1 AND board = ?2
                                  ORDER BY moves, millis, rowid LIMIT 1)
                   ORDER BY rowid DESC LIMIT -1 OFFSET ?3)";
    connection.prepare_cached(sql)?.execute(params![owner, board, MOST_A_BOARD])?;
    Ok(())
}
