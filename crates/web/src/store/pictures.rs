use rusqlite::{Connection, OptionalExtension, params};

use super::{Store, StoreError, check_quota, now, usage};
use crate::{config::Bounds, id::Id, picture::Kept};

impl Store {
    /// Stores a picture and returns its id: that of the same picture, if the browser has it already.
    pub(crate) async fn add_picture(&self, browser: String, id: Id, picture: Kept) -> Result<String, StoreError> {
        self.write(move |connection, bounds| {
            let size = picture.jpeg.len();
            let sql = "SELECT id FROM pictures WHERE browser = ?1 AND size = ?2 AND bytes = ?3";
            let mut statement = connection.prepare_cached(sql)?;
            let same = statement.query_row(params![browser, size, picture.jpeg], |row| row.get(0)).optional()?;
            if let Some(same) = same {
                return Ok(same);
            }
            make_room(connection, bounds, &browser, size)?;
            let sql = "INSERT INTO pictures (id, browser, width, height, bytes, size, created)
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
            let values = params![id.as_str(), browser, picture.width, picture.height, picture.jpeg, size, now()];
            connection.prepare_cached(sql)?.execute(values)?;
            Ok(id.to_string())
        })
        .await
    }

    /// A picture's bytes, if it is this browser's.
    pub(crate) async fn picture(&self, browser: String, id: Id) -> Result<Option<Vec<u8>>, StoreError> {
        self.read(move |connection| {
            let sql = "SELECT bytes FROM pictures WHERE browser = ?1 AND id = ?2";
            let mut statement = connection.prepare_cached(sql)?;
            Ok(statement.query_row([&browser, id.as_str()], |row| row.get(0)).optional()?)
        })
        .await
    }
}

/// Deletes pictures that no save or record shows, the oldest first, until there is room for another.
fn make_room(connection: &Connection, bounds: &Bounds, browser: &str, size: usize) -> Result<(), StoreError> {
    loop {
        let (count, bytes) = usage(connection, "pictures", browser)?;
        let within = check_quota("pictures", (count + 1, bytes + size), (bounds.pictures, bounds.pictures_bytes));
        if within.is_ok() {
            return Ok(());
        }
        let sql = "DELETE FROM pictures WHERE id IN (
                       SELECT id FROM pictures AS one WHERE browser = ?1
                       AND NOT EXISTS (SELECT 1 FROM saves WHERE browser = ?1 AND picture = one.id)
                       AND NOT EXISTS (SELECT 1 FROM records WHERE browser = ?1 AND picture = one.id)
                       ORDER BY created LIMIT 1)";
        if connection.prepare_cached(sql)?.execute([browser])? == 0 {
            return within;
        }
    }
}
