//! The tables, and the version of them that a file has.

use rusqlite::Connection;

use crate::store::{SCHEMA_VERSION as VERSION, StoreError};

pub(super) fn prepare(connection: &Connection) -> Result<(), StoreError> {
    if version(connection)? == VERSION {
        return Ok(());
    }
    connection.execute_batch("BEGIN IMMEDIATE")?;
    // Unless another process was quicker.
    let result = match version(connection)? {
        0 => connection.execute_batch(TABLES).and_then(|()| connection.pragma_update(None, "user_version", VERSION)),
        _ => Ok(()),
    };
    connection.execute_batch(if result.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    result?;
    check(connection)
}

pub(super) fn check(connection: &Connection) -> Result<(), StoreError> {
    match version(connection)? {
        VERSION => Ok(()),
        found => Err(StoreError::Version { found, expected: VERSION }),
    }
}

/// The same, of a file that may have no tables yet.
pub(super) fn check_unless_new(connection: &Connection) -> Result<(), StoreError> {
    if version(connection)? == 0 { Ok(()) } else { check(connection) }
}

fn version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

const TABLES: &str = "
    CREATE TABLE saves (
        id TEXT PRIMARY KEY NOT NULL,
        browser TEXT NOT NULL,   -- the hash of its id
        name TEXT NOT NULL,
        game TEXT NOT NULL,      -- JSON, the save format
        line TEXT NOT NULL,      -- JSON, what a list of saves shows of it
        picture TEXT,            -- the id of a stored picture
        size INTEGER NOT NULL,
        created INTEGER NOT NULL,
        updated INTEGER NOT NULL,
        revision INTEGER NOT NULL DEFAULT 1,
        turn INTEGER NOT NULL DEFAULT 0   -- orders saves by their last write, for clocks jump
    ) STRICT;
    CREATE INDEX saves_of_browser ON saves (browser, size);
    CREATE INDEX saves_by_turn ON saves (browser, turn);
    CREATE TABLE pictures (
        id TEXT PRIMARY KEY NOT NULL,
        browser TEXT NOT NULL,
        width INTEGER NOT NULL,
        height INTEGER NOT NULL,
        bytes BLOB NOT NULL,
        size INTEGER NOT NULL,
        created INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX pictures_of_browser ON pictures (browser, size);
    CREATE TABLE records (
        id TEXT PRIMARY KEY NOT NULL,
        browser TEXT NOT NULL,
        board TEXT NOT NULL,     -- JSON, the kind of board
        millis INTEGER NOT NULL,
        moves INTEGER NOT NULL,
        game TEXT NOT NULL,      -- JSON, the save format
        picture TEXT,
        size INTEGER NOT NULL,
        created INTEGER NOT NULL,
        mark TEXT                -- a hash of the game, by which the same game is found
    ) STRICT;
    CREATE INDEX records_of_browser ON records (browser, size);
    CREATE INDEX records_by_mark ON records (browser, mark);
    CREATE TABLE browsers (
        browser TEXT PRIMARY KEY NOT NULL,
        used INTEGER NOT NULL    -- in the store's own time
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX browsers_by_use ON browsers (used);
    CREATE TABLE facts (name TEXT PRIMARY KEY NOT NULL, value ANY NOT NULL) STRICT;";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sqlite::connection::open;

    #[test]
    fn a_file_of_another_version_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        for version in [VERSION - 1, VERSION + 1] {
            Connection::open(&path).unwrap().pragma_update(None, "user_version", version).unwrap();
            let before = std::fs::read(&path).unwrap();
            assert!(matches!(open(&path, None, 1 << 30), Err(StoreError::Version { .. })));
            assert!(std::fs::read(&path).unwrap() == before);
        }
    }
}
