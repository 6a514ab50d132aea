//! The tables, and how the file is opened.

use std::{path::Path, time::Duration};

use rusqlite::Connection;

use super::StoreError;

/// The version of the tables, kept in the file.
const VERSION: i64 = 1;

const TABLES: &str = "
CREATE TABLE saves (
    id TEXT PRIMARY KEY NOT NULL,
    browser TEXT NOT NULL,
    name TEXT NOT NULL,
    game TEXT NOT NULL,      -- JSON, the save format
    line TEXT NOT NULL,      -- JSON, what a list of saves shows of it
    picture TEXT,            -- the id of a stored picture
    size INTEGER NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL
) STRICT;
CREATE INDEX saves_of_browser ON saves (browser, size);
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
    created INTEGER NOT NULL
) STRICT;
CREATE INDEX records_of_browser ON records (browser, size);
";

/// Opens the file for one thread's use, and makes the tables if it is new.
pub(super) fn open(path: &Path, most_bytes: u64) -> Result<Connection, StoreError> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.set_prepared_statement_cache_capacity(64);
    // A commit returns when the log is flushed to the disk itself (which takes another call on macOS).
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    connection.pragma_update(None, "journal_size_limit", 16 << 20)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    let page: u64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
    connection.pragma_update(None, "max_page_count", (most_bytes / page).max(64))?;
    migrate(&connection)?;
    Ok(connection)
}

fn migrate(connection: &Connection) -> Result<(), StoreError> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let result = make_tables(connection);
    connection.execute_batch(if result.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    result
}

fn make_tables(connection: &Connection) -> Result<(), StoreError> {
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found > VERSION {
        return Err(StoreError::Newer { found, known: VERSION });
    }
    if found == 0 {
        connection.execute_batch(TABLES)?;
        connection.pragma_update(None, "user_version", VERSION)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_wait_for_the_disk() {
        let directory = tempfile::tempdir().unwrap();
        let connection = open(&directory.path().join("a.sqlite3"), 1 << 30).unwrap();
        let text = |name| connection.pragma_query_value(None, name, |row| row.get::<_, String>(0)).unwrap();
        let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).unwrap();
        assert_eq!(text("journal_mode"), "wal");
        assert_eq!(number("synchronous"), 2, "2 is FULL");
        assert_eq!(number("max_page_count") * number("page_size"), 1 << 30);
    }

    #[test]
    fn a_file_of_a_newer_version_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.sqlite3");
        open(&path, 1 << 30).unwrap().pragma_update(None, "user_version", VERSION + 1).unwrap();
        assert!(matches!(open(&path, 1 << 30), Err(StoreError::Newer { .. })));
    }
}
