//! Copies of the whole database, made and brought back while a server runs.

use std::{
    fs, io,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use pintu_engine::{in_words, new_private_file_beside, remove_abandoned_beside};
use rusqlite::{Connection, OpenFlags, backup::Backup};
use tempfile::TempPath;

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
    // Under a name that nobody else has, so that nothing is in its way and two of them are not in each other's.
    let to_file = |why| BackupError::File { path: file.to_owned(), why };
    remove_abandoned_beside(file);
    let unfinished = new_private_file_beside(file).map_err(to_file)?;
    copy(&from, unfinished.path())?;
    unfinished.as_file().sync_all().map_err(to_file)?;
    unfinished.persist(file).map(|_| ()).map_err(|error| to_file(error.error))
}

fn copy(from: &Path, to: &Path) -> Result<(), BackupError> {
    let of = |path: &Path| {
        let path = path.to_owned();
        move |error: rusqlite::Error| BackupError::Database { path, why: StoreError::from(error).into() }
    };
    // Not read-only: to read what a killed server left in the log, it may have to be taken up first.
    let source = schema::open_to_read(from, None)
        .map_err(|why| BackupError::Database { path: from.to_owned(), why: why.into() })?;
    // One state of it is copied: what is committed meanwhile would start the copy again, for ever where many play.
    source.execute_batch("BEGIN; SELECT COUNT(*) FROM sqlite_schema").map_err(of(from))?;
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
    remove_abandoned_beside(&data.join(FILE));
    let made = new_private_file_beside(&data.join(FILE)).map_err(in_data)?;
    let (_lock, path) = made.into_parts();
    let scratch = Scratch(path);
    copy(file, &scratch.0)?;
    drop(schema::open(&scratch.0, None, Bounds::default().database_bytes).map_err(of_file)?);
    let before = replace(data, &scratch.0, had_any)?;
    directory::close_to_others(data, FILE).map_err(in_data)?;
    Ok(before)
}

/// What no earlier restoration has kept anything as.
fn free_name(data: &Path) -> PathBuf {
    let names = (1_u32..).map(|number| match number {
        1 => data.join("before-restore.sqlite3"),
        _ => data.join(format!("before-restore-{number}.sqlite3")),
    });
    names.into_iter().find(|name| fs::symlink_metadata(name).is_err()).unwrap_or_default()
}

/// Keeps what a data directory has as a backup, if it had any, and puts what a file has in its place. Nobody else writes
/// from the one to the end of the other, so that what was acknowledged is in one of both.
fn replace(data: &Path, fresh: &Path, had_any: bool) -> Result<Option<PathBuf>, BackupError> {
    let path = data.join(FILE);
    let to = |why: StoreError| BackupError::Database { path: path.clone(), why: why.into() };
    let failed = |error: rusqlite::Error| to(error.into());
    let mut live = schema::open(&path, None, Bounds::default().database_bytes).map_err(to)?;
    live.execute("ATTACH ?1 AS fresh", [fresh.to_string_lossy()]).map_err(failed)?;
    live.busy_handler(Some(ask_again)).map_err(failed)?;
    live.execute_batch("BEGIN IMMEDIATE").map_err(failed)?;
    // Only now is a name free for sure: others who restore wait.
    let before = had_any.then(|| free_name(data));
    if let Some(before) = &before {
        backup(data, before)?;
    }
    let replaced = replacing(&live).and_then(|sql| live.execute_batch(&sql));
    replaced.and_then(|()| live.execute_batch("COMMIT")).map_err(failed)?;
    Ok(before)
}

/// A server under load leaves short gaps only, so it is asked often, and for half a minute.
fn ask_again(times: i32) -> bool {
    thread::sleep(Duration::from_millis(1));
    times < 30_000
}

/// What puts the rows of every table of `fresh` in place of those of `main`: both have today's tables. The key goes with
/// the browsers that were issued their ids with it; a backup from before there were keys has none, and leaves the one
/// that is there. Rows that have numbers keep their order, for that is the order of records.
fn replacing(live: &Connection) -> rusqlite::Result<String> {
    let tables = "SELECT name, wr FROM pragma_table_list
                  WHERE schema = 'fresh' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
    let mut statement = live.prepare(tables)?;
    let sql = statement.query_map([], |row| {
        let (name, has_no_numbers): (String, bool) = (row.get(0)?, row.get(1)?);
        let stays = "WHERE name <> 'secret' OR EXISTS (SELECT 1 FROM fresh.facts WHERE name = 'secret')";
        let which = if name == "facts" { stays } else { "" };
        let order = if has_no_numbers { "" } else { "ORDER BY rowid" };
        Ok(format!("DELETE FROM main.{name} {which}; INSERT INTO main.{name} SELECT * FROM fresh.{name} {order};"))
    })?;
    sql.collect()
}

/// A database that is removed again, with the files beside it.
struct Scratch(TempPath);

impl Drop for Scratch {
    fn drop(&mut self) {
        for end in ["-wal", "-shm"] {
            let mut name = self.0.as_os_str().to_owned();
            name.push(end);
            let _ = fs::remove_file(name);
        }
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
    #[error("cannot write {}: {}", path.display(), in_words(why))]
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

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::channel,
    };

    use super::*;
    use crate::store::sqlite::browsers;

    fn database(data: &Path) -> Connection {
        schema::open(&data.join(FILE), None, 1 << 30).unwrap()
    }

    /// Writes one browser after the other until it is told to stop; how many were acknowledged.
    fn crowd(data: &Path, stop: &Arc<AtomicBool>) -> thread::JoinHandle<u32> {
        let (connection, stop) = (database(data), Arc::clone(stop));
        thread::spawn(move || {
            let mut made = 0;
            while !stop.load(Relaxed) {
                connection.execute("INSERT INTO browsers VALUES (?1, 0)", [made.to_string()]).unwrap();
                made += 1;
            }
            made
        })
    }

    #[test]
    fn what_a_killed_backup_left_is_gone_after_the_next() {
        let (data, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let file = other.path().join("games.backup");
        drop(database(data.path()));
        let left = new_private_file_beside(&file).unwrap().keep().unwrap();
        let of_another = new_private_file_beside(&other.path().join("others.backup")).unwrap().keep().unwrap().1;
        backup(data.path(), &file).unwrap();
        assert!(left.1.exists(), "somebody writes it still");
        let (locked, path) = left;
        drop(locked);
        backup(data.path(), &file).unwrap();
        assert!(!path.exists() && of_another.exists() && file.exists());
    }

    #[test]
    fn a_backup_without_a_key_leaves_the_key_and_one_with_a_key_brings_it() {
        let (data, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let file = other.path().join("backup");
        let (live, elsewhere) = (database(data.path()), database(other.path()));
        browsers::prepare(&live, 0).unwrap();
        let key = browsers::secret(&live).unwrap();
        backup(other.path(), &file).unwrap();
        restore(data.path(), &file).unwrap();
        assert_eq!(browsers::secret(&live).unwrap(), key);
        browsers::prepare(&elsewhere, 0).unwrap();
        backup(other.path(), &file).unwrap();
        restore(data.path(), &file).unwrap();
        assert_eq!(browsers::secret(&live).unwrap(), browsers::secret(&elsewhere).unwrap());
    }

    /// What a table has, as one text.
    fn rows(connection: &Connection, table: &str) -> Vec<String> {
        let mut statement = connection.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns = statement.column_count();
        let rows = statement.query_map([], |row| {
            (0..columns).map(|at| Ok(format!("{:?}", row.get_ref(at)?))).collect::<rusqlite::Result<Vec<_>>>()
        });
        rows.unwrap().map(|row| row.unwrap().join(" ")).collect()
    }

    /// Every table that there is comes back, also one that is added some day.
    #[test]
    fn a_restoration_brings_every_table_whole() {
        let (data, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let file = other.path().join("backup");
        let (live, elsewhere) = (database(data.path()), database(other.path()));
        let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'";
        let mut statement = elsewhere.prepare(tables).unwrap();
        let names: Vec<String> = statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        for name in &names {
            let columns = elsewhere.prepare(&format!("SELECT * FROM {name}")).unwrap().column_count();
            for row in ["2", "1", "3"] {
                let values = vec![format!("'{row}'"); columns].join(", ");
                // Columns of bytes take bytes alone.
                let values =
                    if name == "pictures" { format!("'{row}', 'b', 8, 8, x'0{row}', 1, {row}") } else { values };
                elsewhere.execute(&format!("INSERT INTO {name} VALUES ({values})"), []).unwrap();
            }
        }
        assert!(names.len() >= 5, "{names:?}");
        backup(other.path(), &file).unwrap();
        restore(data.path(), &file).unwrap();
        for name in &names {
            assert_eq!(rows(&live, name), rows(&elsewhere, name), "{name}");
            assert_eq!(rows(&live, name).len(), 3, "{name}");
        }
    }

    #[test]
    fn what_is_acknowledged_during_a_restoration_is_there_or_in_what_was_before() {
        let (data, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let file = other.path().join("backup");
        drop(database(other.path()));
        backup(other.path(), &file).unwrap();
        let live = database(data.path());
        let stop = Arc::new(AtomicBool::new(false));
        let made = crowd(data.path(), &stop);
        let mut names: Vec<_> = (0..5).map(|_| restore(data.path(), &file).unwrap().unwrap()).collect();
        stop.store(true, Relaxed);
        let made = made.join().unwrap();
        let count = |connection: &Connection| {
            connection.query_row("SELECT COUNT(*) FROM browsers", [], |row| row.get::<_, u32>(0)).unwrap()
        };
        let kept: u32 = names.iter().map(|name| count(&Connection::open(name).unwrap())).sum();
        assert_eq!(kept + count(&live), made);
        names.dedup();
        assert_eq!(names.len(), 5, "none takes the place of another");
    }

    fn names(directory: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_backup_touches_nothing_but_its_own_file() {
        let (data, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        drop(database(data.path()));
        let file = elsewhere.path().join("backup");
        let beside = elsewhere.path().join("backup.unfinished");
        fs::write(&beside, "mine").unwrap();
        backup(data.path(), &file).unwrap();
        assert_eq!(fs::read_to_string(&beside).unwrap(), "mine");
        fs::create_dir(elsewhere.path().join("taken")).unwrap();
        assert!(backup(data.path(), &elsewhere.path().join("taken")).is_err());
        assert_eq!(names(elsewhere.path()), ["backup", "backup.unfinished", "taken"], "nothing is left over");
    }

    #[test]
    fn backups_and_restorations_at_once_are_not_in_each_others_way() {
        const TIMES: usize = 3;
        let (data, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let live = database(data.path());
        live.execute("INSERT INTO pictures VALUES ('p', 'b', 8, 8, zeroblob(12000000), 1, 7)", []).unwrap();
        let file = elsewhere.path().join("backup");
        let all = |work: &(dyn Fn() + Sync)| thread::scope(|scope| (0..TIMES).for_each(|_| drop(scope.spawn(work))));
        all(&|| backup(data.path(), &file).unwrap());
        check(&file).unwrap();
        assert_eq!(names(elsewhere.path()), ["backup"]);
        let kept = Mutex::new(Vec::new());
        all(&|| {
            let before = restore(data.path(), &file).unwrap().unwrap();
            kept.lock().unwrap().push(before);
        });
        let mut kept = kept.into_inner().unwrap();
        kept.sort();
        kept.dedup();
        assert_eq!(kept.len(), TIMES, "none takes the place of another");
        let strays: Vec<_> = names(data.path()).into_iter().filter(|name| name.starts_with(".tmp")).collect();
        assert!(strays.is_empty(), "{strays:?}");
    }

    #[test]
    fn a_backup_ends_while_others_write() {
        let data = tempfile::tempdir().unwrap();
        let live = database(data.path());
        live.execute("INSERT INTO pictures VALUES ('p', 'b', 8, 8, zeroblob(50000000), 1, 7)", []).unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let made = crowd(data.path(), &stop);
        let (done, ended) = channel();
        let (from, file) = (data.path().to_owned(), data.path().join("backup"));
        thread::spawn(move || done.send(backup(&from, &file).is_ok()));
        let result = ended.recv_timeout(Duration::from_secs(30));
        stop.store(true, Relaxed);
        made.join().unwrap();
        assert_eq!(result, Ok(true));
    }
}
