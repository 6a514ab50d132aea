use pintu_game::Picture;
use rusqlite::{Connection, OptionalExtension, params};

use super::{Store, StoreError, check_quota, now, usage};
use crate::id::Id;

/// A save to be stored.
#[derive(Clone, Debug)]
pub(crate) struct NewSave {
    pub(crate) name: String,
    /// The game as JSON.
    pub(crate) game: String,
    /// What a list shows of it, as JSON.
    pub(crate) line: String,
    pub(crate) picture: Picture,
}

/// A save as it was stored.
#[derive(Clone, Debug)]
pub(crate) struct StoredSave {
    pub(crate) name: String,
    pub(crate) game: String,
    pub(crate) created: i64,
    pub(crate) updated: i64,
}

/// A line in the list of saves.
#[derive(Clone, Debug)]
pub(crate) struct SaveLine {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) line: String,
    pub(crate) created: i64,
    pub(crate) updated: i64,
}

impl Store {
    /// A browser's saves, the latest first.
    pub(crate) async fn saves(&self, browser: String) -> Result<Vec<SaveLine>, StoreError> {
        self.read(move |connection| {
            let sql = "SELECT id, name, line, created, updated FROM saves WHERE browser = ?1 ORDER BY updated DESC, id";
            let mut statement = connection.prepare_cached(sql)?;
            let lines = statement.query_map([browser], |row| {
                Ok(SaveLine {
                    id: row.get(0)?,
                    name: row.get(1)?,
                    line: row.get(2)?,
                    created: row.get(3)?,
                    updated: row.get(4)?,
                })
            })?;
            Ok(lines.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// One save, if it is this browser's.
    pub(crate) async fn save(&self, browser: String, id: Id) -> Result<Option<StoredSave>, StoreError> {
        self.read(move |connection| {
            let sql = "SELECT name, game, created, updated FROM saves WHERE browser = ?1 AND id = ?2";
            let mut statement = connection.prepare_cached(sql)?;
            let save = statement.query_row([&browser, id.as_str()], |row| {
                Ok(StoredSave { name: row.get(0)?, game: row.get(1)?, created: row.get(2)?, updated: row.get(3)? })
            });
            Ok(save.optional()?)
        })
        .await
    }

    /// Stores a new save.
    pub(crate) async fn add_save(&self, browser: String, id: Id, save: NewSave) -> Result<(), StoreError> {
        self.write(move |connection, bounds| {
            let (picture, size) = (own_picture(connection, &browser, &save.picture)?, size(&save));
            let (count, bytes) = usage(connection, "saves", &browser)?;
            check_quota("saves", (count + 1, bytes + size), (bounds.saves, bounds.saves_bytes))?;
            let sql = "INSERT INTO saves (id, browser, name, game, line, picture, size, created, updated)
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)";
            let values = params![id.as_str(), browser, save.name, save.game, save.line, picture, size, now()];
            connection.prepare_cached(sql)?.execute(values)?;
            Ok(())
        })
        .await
    }

    /// Overwrites a save; whether it was there, and this browser's.
    pub(crate) async fn replace_save(&self, browser: String, id: Id, save: NewSave) -> Result<bool, StoreError> {
        self.write(move |connection, bounds| {
            let sql = "SELECT size FROM saves WHERE browser = ?1 AND id = ?2";
            let old = connection.prepare_cached(sql)?.query_row([&browser, id.as_str()], |row| row.get::<_, usize>(0));
            let Some(old) = old.optional()? else { return Ok(false) };
            let (picture, size) = (own_picture(connection, &browser, &save.picture)?, size(&save));
            let (_, bytes) = usage(connection, "saves", &browser)?;
            check_quota("saves", (1, bytes + size - old), (bounds.saves, bounds.saves_bytes))?;
            let sql = "UPDATE saves SET name = ?3, game = ?4, line = ?5, picture = ?6, size = ?7, updated = ?8
                       WHERE browser = ?1 AND id = ?2";
            let values = params![browser, id.as_str(), save.name, save.game, save.line, picture, size, now()];
            Ok(connection.prepare_cached(sql)?.execute(values)? == 1)
        })
        .await
    }

    /// Deletes a save; whether it was there, and this browser's.
    pub(crate) async fn delete_save(&self, browser: String, id: Id) -> Result<bool, StoreError> {
        self.write(move |connection, _| {
            let sql = "DELETE FROM saves WHERE browser = ?1 AND id = ?2";
            Ok(connection.prepare_cached(sql)?.execute([&browser, id.as_str()])? == 1)
        })
        .await
    }

    /// Deletes all saves of a browser.
    pub(crate) async fn delete_saves(&self, browser: String) -> Result<(), StoreError> {
        self.write(move |connection, _| {
            connection.execute("DELETE FROM saves WHERE browser = ?1", [&browser])?;
            Ok(())
        })
        .await
    }
}

/// The id of a game's stored picture, after making sure that it is the browser's own.
pub(super) fn own_picture(
    connection: &Connection,
    browser: &str,
    picture: &Picture,
) -> Result<Option<String>, StoreError> {
    let Picture::Stored(id) = picture else { return Ok(None) };
    let sql = "SELECT 1 FROM pictures WHERE browser = ?1 AND id = ?2";
    if connection.prepare_cached(sql)?.exists([browser, id])? {
        Ok(Some(id.clone()))
    } else {
        Err(StoreError::NoPicture { id: id.clone() })
    }
}

fn size(save: &NewSave) -> usize {
    save.name.len() + save.game.len() + save.line.len()
}
