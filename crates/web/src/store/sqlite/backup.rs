//! Copies of the whole database, made and brought back while a server runs.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, backup::Backup};

use super::{FILE, directory, schema};
use crate::{config::Bounds, store::StoreError};

/// Pages copied at once, and the pause in which others have the file.
const PAGES: i32 = 2000;
const PAUSE: Duration = Duration::from_millis(5);

/// Copies the database of a data directory into a file, which is there whole or not at all, and which
/// only its user can read. A server that runs goes on meanwhile. A file that is there already is replaced if it is a
/// backup, and left alone if it is anything else.
pub fn backup(data: &Path, file: &Path) -> Result<(), BackupError> {
    let from = data.join(FILE);
    if !from.is_file() {
        return Err(BackupError::NoDatabase(from));
    }
    // Only a backup is replaced, and never what is to be backed up.
    let is_source = fs::canonicalize(file).is_ok_and(|file| fs::canonicalize(&from).is_ok_and(|from| from == file));
    if is_source || (fs::symlink_metadata(file).is_ok() && check(file).is_err()) {
        return Err(BackupError::Occupied(file.to_owned()));
    }
    let unfinished = beside(file);
    let to_file = |why| BackupError::File { path: unfinished.clone(), why };
    let _ = fs::remove_file(&unfinished);
    directory::create_new(&unfinished).map_err(to_file)?;
    let result = copy(&from, &unfinished).and_then(|()| {
        fs::File::open(&unfinished).and_then(|copy| copy.sync_all()).map_err(to_file)?;
        fs::rename(&unfinished, file).map_err(|why| BackupError::File { path: file.to_owned(), why })
    });
    if result.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    result
}

fn copy(from: &Path, to: &Path) -> Result<(), BackupError> {
    let of = |path: &Path| {
        let path = path.to_owned();
        move |error: rusqlite::Error| BackupError::Database { path, why: StoreError::from(error).into() }
    };
    // Not read-only: to read what a killed server left in the log, it may have to be taken up first.
    let source = schema::open_to_read(from, None)
        .map_err(|why| BackupError::Database { path: from.to_owned(), why: why.into() })?;
    let mut target = Connection::open(to).map_err(of(to))?;
    {
        let copying = Backup::new(&source, &mut target).map_err(of(to))?;
        copying.run_to_completion(PAGES, PAUSE, None).map_err(of(to))?;
    }
    // A file by itself, without a log beside it.
    target.pragma_update(None, "journal_mode", "DELETE").map_err(of(to))?;
    target.close().map_err(|(_, error)| of(to)(error))
}

/// Puts a backup in place of what a data directory has, whole or not at all. A server that runs goes on
/// with what the backup has; backups of older versions are brought up to date first. What was there before,
/// if anything was, is kept as a backup, whose name is returned.
pub fn restore(data: &Path, file: &Path) -> Result<Option<PathBuf>, BackupError> {
    let of_file = |why: StoreError| BackupError::Database { path: file.to_owned(), why: why.into() };
    let in_data = |why| BackupError::File { path: data.to_owned(), why };
    check(file).map_err(of_file)?;
    let had_any = data.join(FILE).is_file();
    directory::prepare(data, FILE).map_err(in_data)?;
    // The steps up to today's tables are taken in a copy: the backup itself stays as it is.
    let scratch = Scratch::new(data);
    directory::create_new(&scratch.0).map_err(in_data)?;
    copy(file, &scratch.0)?;
    let fresh = schema::open(&scratch.0, None, Bounds::default().database_bytes).map_err(of_file)?;
    let before = had_any.then(|| data.join("before-restore.sqlite3"));
    if let Some(before) = &before {
        backup(data, before)?;
    }
    replace(&fresh, &data.join(FILE))?;
    directory::close_to_others(data, FILE).map_err(in_data)?;
    Ok(before)
}

/// Copies one database over another in one step, which is one transaction.
fn replace(fresh: &Connection, path: &Path) -> Result<(), BackupError> {
    let to = |why: StoreError| BackupError::Database { path: path.to_owned(), why: why.into() };
    let mut live = schema::open(path, None, Bounds::default().database_bytes).map_err(to)?;
    let copying = Backup::new(fresh, &mut live).map_err(|error| to(error.into()))?;
    copying.run_to_completion(i32::MAX, PAUSE, None).map_err(|error| to(error.into()))
}

/// A database that is removed again, with the files beside it.
struct Scratch(PathBuf);

impl Scratch {
    fn new(data: &Path) -> Self {
        let scratch = Self(data.join(format!("{FILE}.restoring")));
        scratch.clean();
        scratch
    }

    fn clean(&self) {
        for end in ["", "-wal", "-shm"] {
            let mut name = self.0.clone().into_os_string();
            name.push(end);
            let _ = fs::remove_file(name);
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.clean();
    }
}

/// Makes sure that a file is a database of ours and undamaged.
fn check(file: &Path) -> Result<(), StoreError> {
    let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let found: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if found != "ok" {
        return Err(StoreError::Failed(format!("it is damaged: {found}")));
    }
    let sql = "SELECT COUNT(*) FROM sqlite_schema WHERE name IN ('saves', 'pictures', 'records')";
    match connection.query_row(sql, [], |row| row.get(0))? {
        3 => Ok(()),
        found => Err(StoreError::Failed(format!("found {found} of our 3 tables in it, expected a backup of pintu"))),
    }
}

fn beside(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".unfinished");
    name.into()
}

/// Why a backup was not made or brought back.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// There is nothing to copy.
    #[error("found no database at {}, expected the data of a server (--data names another directory)", .0.display())]
    NoDatabase(PathBuf),
    /// Something else has the name.
    #[error("found another file at {}, expected a free name or an earlier backup", .0.display())]
    Occupied(PathBuf),
    /// A file cannot be made.
    #[error("cannot write {}: {why}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        why: io::Error,
    },
    /// A database cannot be read or written.
    #[error("cannot use {}: {why}", path.display())]
    Database {
        /// Which.
        path: PathBuf,
        /// What the database says.
        why: DatabaseError,
    },
}

/// What a database says when it does not do what it is asked.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct DatabaseError(StoreError);

impl From<StoreError> for DatabaseError {
    fn from(error: StoreError) -> Self {
        Self(error)
    }
}
