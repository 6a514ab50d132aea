use pintu_game::{Picture, Score};
use rusqlite::{Connection, OptionalExtension, params};

use super::{Store, StoreError, check_quota, now, saves::own_picture, usage};
use crate::id::Id;

/// A finished game as it was stored.
#[derive(Clone, Debug)]
pub(crate) struct StoredRecord {
    pub(crate) id: String,
    /// The kind of board, as JSON.
    pub(crate) board: String,
    pub(crate) score: Score,
    pub(crate) created: i64,
}

/// Games of one kind of board that are kept, its best ones aside.
const MOST_A_BOARD: i64 = 1000;

impl Store {
    /// A browser's finished games, the oldest first.
    pub(crate) async fn records(&self, browser: String) -> Result<Vec<StoredRecord>, StoreError> {
        self.read(move |connection| {
            let sql = "SELECT id, board, millis, moves, created FROM records WHERE browser = ?1
                       ORDER BY created, rowid";
            let mut statement = connection.prepare_cached(sql)?;
            let records = statement.query_map([browser], |row| {
                let score = Score { millis: row.get(2)?, moves: row.get(3)? };
                Ok(StoredRecord { id: row.get(0)?, board: row.get(1)?, score, created: row.get(4)? })
            })?;
            Ok(records.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// The game of a record, if it is this browser's.
    pub(crate) async fn record(&self, browser: String, id: Id) -> Result<Option<String>, StoreError> {
        self.read(move |connection| {
            let sql = "SELECT game FROM records WHERE browser = ?1 AND id = ?2";
            let mut statement = connection.prepare_cached(sql)?;
            Ok(statement.query_row([&browser, id.as_str()], |row| row.get(0)).optional()?)
        })
        .await
    }

    /// Stores a finished game and returns its id: that of the same game, if it was posted before, for a
    /// client that saw no answer posts again.
    pub(crate) async fn add_record(
        &self,
        browser: String,
        id: Id,
        board: String,
        score: Score,
        (game, picture): (String, Picture),
    ) -> Result<String, StoreError> {
        self.write(move |connection, bounds| {
            let sql = "SELECT id FROM records WHERE browser = ?1 AND millis = ?2 AND game = ?3";
            let mut statement = connection.prepare_cached(sql)?;
            let same = statement.query_row(params![browser, score.millis, game], |row| row.get(0)).optional()?;
            if let Some(same) = same {
                return Ok(same);
            }
            let picture = own_picture(connection, &browser, &picture)?;
            prune(connection, &browser, &board)?;
            let (count, bytes) = usage(connection, "records", &browser)?;
            let most = (bounds.records, bounds.records_bytes);
            check_quota("records", (count + 1, bytes + game.len()), most)?;
            let sql = "INSERT INTO records (id, browser, board, millis, moves, game, picture, size, created)
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
            let (Score { millis, moves }, size) = (score, game.len());
            let values = params![id.as_str(), browser, board, millis, moves, game, picture, size, now()];
            connection.prepare_cached(sql)?.execute(values)?;
            Ok(id.to_string())
        })
        .await
    }

    /// Deletes all records of a browser.
    pub(crate) async fn delete_records(&self, browser: String) -> Result<(), StoreError> {
        self.write(move |connection, _| {
            connection.execute("DELETE FROM records WHERE browser = ?1", [&browser])?;
            Ok(())
        })
        .await
    }
}

/// Forgets the oldest games of a board beyond those that are kept, but never a best one.
fn prune(connection: &Connection, browser: &str, board: &str) -> Result<(), StoreError> {
    let sql = "DELETE FROM records WHERE id IN (
                   SELECT id FROM records WHERE browser = ?1 AND board = ?2
                   AND id NOT IN (SELECT id FROM records WHERE browser = ?1 AND board = ?2
                                  ORDER BY millis, moves, rowid LIMIT 1)
                   AND id NOT IN (SELECT id FROM records WHERE browser = ?1 AND board = ?2
                                  ORDER BY moves, millis, rowid LIMIT 1)
                   ORDER BY created DESC, rowid DESC LIMIT -1 OFFSET ?3)";
    connection.prepare_cached(sql)?.execute(params![browser, board, MOST_A_BOARD])?;
    Ok(())
}
