//! Opening the file.

use std::{path::Path, time::Duration};

use rusqlite::{Connection, OpenFlags};

use super::schema;
use crate::store::StoreError;

/// How long a connection waits for the lock of another process, which restores a backup.
pub(super) const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// For what an operator puts into the file, who decides how large it gets.
pub(super) const NO_LIMIT: u64 = u64::MAX;

/// Opens the file for one thread, and makes its tables if it is new.
pub(super) fn open(path: &Path, vfs: Option<&str>, most_bytes: u64) -> Result<Connection, StoreError> {
    let connection = connect(path, vfs, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
    // Before anything is written: a file of another version is left as it is.
    schema::check_unless_new(&connection)?;
    // A commit returns when the log is flushed to the disk itself (which takes another call on macOS).
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    connection.pragma_update(None, "journal_size_limit", 16 << 20)?;
    // Deleted rows are overwritten.
    connection.pragma_update(None, "secure_delete", true)?;
    // Before the limit: a file of an older version may be as large as that already.
    schema::prepare(&connection)?;
    let page: u64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
    connection.pragma_update(None, "max_page_count", (most_bytes / page).max(64))?;
    Ok(connection)
}

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
    connection.busy_timeout(LOCK_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(64);
    connection.pragma_update(None, "trusted_schema", false)?;
    Ok(connection)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_cannot_write() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.sqlite3");
        open(&path, None, 1 << 30).unwrap();
        let reader = open_to_read(&path, None).unwrap();
        assert!(reader.execute("DELETE FROM saves", []).is_err());
    }
}
