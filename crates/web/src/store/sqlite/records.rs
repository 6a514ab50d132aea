use pintu_game::Score;
use rusqlite::{Connection, OptionalExtension, params};

use super::{Transaction, players::make_room, saves::own_picture, usage};
use crate::{
    id::Id,
    store::{
        NewRecord, StoreError, StoredRecord,
        rules::{MAX_RECORDS_PER_BOARD, check_quota, mark},
    },
};

/// The oldest first, by the numbers of rows.
pub(super) const LIST: &str = "SELECT id, board, millis, moves, created FROM records WHERE player = ?1 ORDER BY rowid";

pub(super) fn list(connection: &Connection, player: &str) -> Result<Vec<StoredRecord>, StoreError> {
    let mut statement = connection.prepare_cached(LIST)?;
    let records = statement.query_map([player], |row| {
        let score = Score { millis: row.get(2)?, moves: row.get(3)? };
        Ok(StoredRecord { id: row.get(0)?, board: row.get(1)?, score, created: row.get(4)? })
    })?;
    Ok(records.collect::<Result<_, _>>()?)
}

pub(super) fn load(connection: &Connection, player: &str, id: &Id) -> Result<Option<String>, StoreError> {
    let sql = "SELECT game FROM records WHERE player = ?1 AND id = ?2";
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.query_row([player, id.as_str()], |row| row.get(0)).optional()?)
}

pub(super) fn add(
    transaction: &Transaction<'_>,
    player: &str,
    id: &Id,
    record: &NewRecord,
) -> Result<String, StoreError> {
    let connection = transaction.connection;
    let mark = mark(&record.save);
    if let Some(same) = same_game(connection, player, &mark)? {
        return Ok(same);
    }
    let picture = own_picture(connection, player, &record.save.picture)?;
    prune(connection, player, &record.board)?;
    let (count, bytes) = usage(connection, "records", player)?;
    let (Score { millis, moves }, size) = (record.score, record.game.len());
    check_quota("records", (count + 1, bytes + size), (transaction.bounds.records, transaction.bounds.records_bytes))?;
    make_room(transaction, size)?;
    let sql = "INSERT INTO records (id, player, board, millis, moves, game, picture, size, created, mark)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    let values =
        params![id.as_str(), player, record.board, millis, moves, record.game, picture, size, transaction.now, mark];
    connection.prepare_cached(sql)?.execute(values)?;
    Ok(id.to_string())
}

pub(super) const SAME_GAME: &str = "SELECT id FROM records WHERE player = ?1 AND mark = ?2";

fn same_game(connection: &Connection, player: &str, mark: &str) -> Result<Option<String>, StoreError> {
    Ok(connection.prepare_cached(SAME_GAME)?.query_row([player, mark], |row| row.get(0)).optional()?)
}

pub(super) const COUNT: &str = "SELECT COUNT(*) FROM records WHERE player = ?1 AND board = ?2";

/// Deletes the oldest record of a board that has more than the limit, but never a best one: a new one takes its place. Two
/// players who became one may have more.
fn prune(connection: &Connection, player: &str, board: &str) -> Result<(), StoreError> {
    let count: i64 = connection.prepare_cached(COUNT)?.query_row([player, board], |row| row.get(0))?;
    if count <= MAX_RECORDS_PER_BOARD {
        return Ok(());
    }
    connection.prepare_cached(PRUNE)?.execute(params![player, board])?;
    Ok(())
}

pub(super) const PRUNE: &str = "DELETE FROM records WHERE id IN (
    SELECT id FROM records WHERE player = ?1 AND board = ?2
    AND id NOT IN (SELECT id FROM records WHERE player = ?1 AND board = ?2 ORDER BY millis, moves, rowid LIMIT 1)
    AND id NOT IN (SELECT id FROM records WHERE player = ?1 AND board = ?2 ORDER BY moves, millis, rowid LIMIT 1)
    ORDER BY rowid LIMIT 1)";
