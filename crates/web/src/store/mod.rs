//! What is kept: saves, pictures and records, in one `SQLite` file. Everything that knows the database is in
//! this module; the rest of the server sees [`Store`] and plain values.
//!
//! One thread owns the connection and does what it is sent, in order. Writes that wait together share one
//! transaction, so that a hundred players cost one flush of the disk and not a hundred; each is answered
//! only when that transaction is on the disk.

mod pictures;
mod records;
mod saves;
mod schema;
mod worker;

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use rusqlite::Connection;

pub(crate) use records::StoredRecord;
pub(crate) use saves::{NewSave, SaveLine};
use worker::Worker;

use crate::config::Bounds;

/// The database. Methods are in the modules for saves, pictures and records.
#[derive(Debug)]
pub(crate) struct Store {
    worker: Worker,
    bounds: Bounds,
}

impl Store {
    /// Opens the database in a directory, or makes both.
    pub(crate) fn open(directory: &Path, bounds: &Bounds) -> Result<Self, OpenError> {
        let in_directory = |source| OpenError::Directory { path: directory.to_owned(), source };
        make_directory(directory).map_err(in_directory)?;
        let path = directory.join("pintu.sqlite3");
        let in_file = |source| OpenError::File { path: path.clone(), source };
        let connection = schema::open(&path, bounds.database_bytes).map_err(in_file)?;
        let worker = Worker::start(connection).map_err(in_directory)?;
        Ok(Self { worker, bounds: bounds.clone() })
    }

    /// Does something in a transaction; returns once that is on the disk.
    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection, &Bounds) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let bounds = self.bounds.clone();
        self.worker.run(true, move |connection| work(connection, &bounds)).await
    }

    /// Looks something up.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.worker.run(false, work).await
    }

    /// Deletes everything that a browser has here.
    pub(crate) async fn forget(&self, browser: String) -> Result<(), StoreError> {
        self.write(move |connection, _| {
            for table in ["saves", "pictures", "records"] {
                connection.execute(&format!("DELETE FROM {table} WHERE browser = ?1"), [&browser])?;
            }
            Ok(())
        })
        .await
    }
}

/// Makes a directory that only its user can read, and makes sure that a power cut does not unmake it.
#[cfg(unix)]
fn make_directory(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    if path.is_dir() {
        return Ok(());
    }
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    for part in path.canonicalize()?.ancestors() {
        // Above what was made here, others may not allow it; and there it changes nothing.
        let _ = fs::File::open(part).and_then(|part| part.sync_all());
    }
    Ok(())
}

#[cfg(not(unix))]
fn make_directory(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// Milliseconds since 1970.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as i64)
}

/// The number of rows of a browser in a table, and the sum of their sizes.
fn usage(connection: &Connection, table: &str, browser: &str) -> Result<(usize, usize), StoreError> {
    let sql = format!("SELECT COUNT(*), COALESCE(SUM(size), 0) FROM {table} WHERE browser = ?1");
    Ok(connection.prepare_cached(&sql)?.query_row([browser], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

/// An error unless both stay within their quotas.
fn check_quota(what: &'static str, (count, size): (usize, usize), most: (usize, usize)) -> Result<(), StoreError> {
    if count > most.0 || size > most.1 {
        return Err(StoreError::Quota { what, count, size, most_count: most.0, most_size: most.1 });
    }
    Ok(())
}

/// Why the database did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    /// A browser may not keep more.
    #[error(
        "this would make {count} {what} of {size} bytes for this browser, expected at most {most_count} of {most_size} \
         bytes: delete some first"
    )]
    Quota {
        /// What there is too much of.
        what: &'static str,
        /// How many there would be.
        count: usize,
        /// Their size in bytes.
        size: usize,
        /// How many there may be.
        most_count: usize,
        /// Their size at most.
        most_size: usize,
    },
    /// The game's picture is not there, or another browser's.
    #[error("found the picture `{id}`, expected `builtin:NAME` or a picture posted by this browser")]
    NoPicture {
        /// The id.
        id: String,
    },
    /// The database or the disk is full.
    #[error("there is no room left to store this")]
    Full,
    /// More is waiting to be written than may wait.
    #[error("too much is waiting to be written")]
    Busy,
    /// The database was written by a newer version of the program.
    #[error("found a database of version {found}, expected at most {known}: it was written by a newer pintu")]
    Newer {
        /// Its version.
        found: i64,
        /// The newest that is known here.
        known: i64,
    },
    /// Anything else.
    #[error("the database failed: {0}")]
    Failed(String),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => Self::Full,
            _ => Self::Failed(error.to_string()),
        }
    }
}

/// Why the database cannot be opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error("cannot use the data directory {}: {source}", path.display())]
    Directory { path: PathBuf, source: io::Error },
    #[error("cannot open {}: {source}", path.display())]
    File { path: PathBuf, source: StoreError },
}
