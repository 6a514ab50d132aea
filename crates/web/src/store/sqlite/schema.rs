//! How the file is opened.

use std::{path::Path, time::Duration};

use rusqlite::{Connection, OpenFlags};

use super::ladder;
use crate::store::StoreError;

/// How long a connection waits for another process that has the file: a backup that is being restored.
const PATIENCE: Duration = Duration::from_secs(5);

/// Opens the file for one thread's use, and brings its tables up to date.
pub(super) fn open(path: &Path, vfs: Option<&str>, most_bytes: u64) -> Result<Connection, StoreError> {
    let connection = connect(path, vfs, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
    // A commit returns when the log is flushed to the disk itself (which takes another call on macOS).
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    connection.pragma_update(None, "journal_size_limit", 16 << 20)?;
    let page: u64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
    connection.pragma_update(None, "max_page_count", (most_bytes / page).max(64))?;
    ladder::climb(&connection)?;
    Ok(connection)
}

/// Opens the file for a thread that only reads.
pub(super) fn open_to_read(path: &Path, vfs: Option<&str>) -> Result<Connection, StoreError> {
    let connection = connect(path, vfs, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

fn connect(path: &Path, vfs: Option<&str>, flags: OpenFlags) -> Result<Connection, StoreError> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = match vfs {
        Some(vfs) => Connection::open_with_flags_and_vfs(path, flags, vfs)?,
        None => Connection::open_with_flags(path, flags)?,
    };
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(64);
    connection.pragma_update(None, "trusted_schema", false)?;
    Ok(connection)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_wait_for_the_disk() {
        let directory = tempfile::tempdir().unwrap();
        let connection = open(&directory.path().join("a.sqlite3"), None, 1 << 30).unwrap();
        let text = |name| connection.pragma_query_value(None, name, |row| row.get::<_, String>(0)).unwrap();
        let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).unwrap();
        assert_eq!(text("journal_mode"), "wal");
        assert_eq!(number("synchronous"), 2, "2 is FULL");
        assert_eq!(number("max_page_count") * number("page_size"), 1 << 30);
    }

    #[test]
    fn a_reader_cannot_write() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.sqlite3");
        open(&path, None, 1 << 30).unwrap();
        let reader = open_to_read(&path, None).unwrap();
        assert!(reader.execute("DELETE FROM saves", []).is_err());
    }
}
