//! Backups of the whole database, made and restored while a server runs.

use std::{
    fs, io,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use pintu_engine::{in_words, new_private_file_beside, remove_abandoned_beside};
use rusqlite::{Connection, ErrorCode, OpenFlags, backup::Backup};

use super::{FILE, connection, directory, schema};
use crate::store::{
    StoreError,
    copy::{Order, TABLES, Table},
};

/// Pages copied at once, and the pause in which others can use the file.
const BATCH_PAGES: i32 = 2000;
const BATCH_PAUSE: Duration = Duration::from_millis(5);

/// Copies the database of a data directory into a file, which is there whole or not at all, and which
/// only its user can read. A server that runs goes on meanwhile. A file that is there already is replaced if it is a
/// backup, and left alone if it is anything else.
pub fn backup(data: &Path, file: &Path) -> Result<(), BackupError> {
    let from = data.join(FILE);
    if !from.is_file() {
        return Err(BackupError::NoDatabase(from));
    }
    // Never the database itself.
    let is_source = fs::canonicalize(file).is_ok_and(|file| fs::canonicalize(&from).is_ok_and(|from| from == file));
    if is_source || (fs::symlink_metadata(file).is_ok() && check(file).is_err()) {
        return Err(BackupError::Occupied(file.to_owned()));
    }
    // Under a name of its own, so that two backups at once do not collide.
    let to_file = |why| BackupError::File { path: file.to_owned(), why };
    remove_abandoned_beside(file);
    let unfinished = new_private_file_beside(file).map_err(to_file)?;
    copy(&from, unfinished.path())?;
    unfinished.as_file().sync_all().map_err(to_file)?;
    unfinished.persist(file).map_err(|error| to_file(error.error))?;
    directory::sync_parent(file).map_err(to_file)
}

fn copy(from: &Path, to: &Path) -> Result<(), BackupError> {
    // Not read-only: the log of a killed server may have to be recovered first.
    let source = connection::open_to_read(from, None).map_err(failed(from))?;
    schema::check(&source).map_err(failed(from))?;
    // A read transaction: commits of others would restart the copy, for ever under load.
    source.execute_batch("BEGIN; SELECT COUNT(*) FROM sqlite_schema").map_err(failed(from))?;
    let mut target = Connection::open(to).map_err(failed(to))?;
    {
        let copying = Backup::new(&source, &mut target).map_err(failed(to))?;
        copying.run_to_completion(BATCH_PAGES, BATCH_PAUSE, None).map_err(failed(to))?;
    }
    // One file, without a log.
    target.pragma_update(None, "journal_mode", "DELETE").map_err(failed(to))?;
    target.close().map_err(|(_, error)| failed(to)(error))
}

/// Replaces the data of a directory by a backup, whole or not at all. A running server continues with it. The data before, if
/// there was any, is kept as another backup, whose name is returned.
pub fn restore(data: &Path, file: &Path) -> Result<Option<PathBuf>, BackupError> {
    let in_data = |why| BackupError::File { path: data.to_owned(), why };
    let unusable = |why| BackupError::Database { path: file.to_owned(), why };
    if !fs::metadata(file).map_err(|why| unusable(in_words(&why)))?.is_file() {
        return Err(unusable("found no file, expected a backup of pintu".to_owned()));
    }
    check(file).map_err(failed(file))?;
    let had_any = data.join(FILE).is_file();
    directory::prepare(data, FILE).map_err(in_data)?;
    // A copy is attached to the database: the backup itself stays as it is.
    remove_abandoned_beside(&data.join(FILE));
    let (_lock, fresh) = new_private_file_beside(&data.join(FILE)).map_err(in_data)?.into_parts();
    copy(file, &fresh)?;
    update(&fresh).map_err(failed(file))?;
    replace(data, &fresh, had_any)
}

/// Brings the tables of an older version up to date.
fn update(file: &Path) -> Result<(), StoreError> {
    let connection = Connection::open(file)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    schema::prepare(&connection)
}

/// A name that no earlier restore has used.
fn free_name(data: &Path) -> PathBuf {
    let names = (1_u32..).map(|number| match number {
        1 => data.join("before-restore.sqlite3"),
        _ => data.join(format!("before-restore-{number}.sqlite3")),
    });
    names.into_iter().find(|name| fs::symlink_metadata(name).is_err()).unwrap_or_default()
}

/// Keeps the data before as a backup, if there was any, and replaces it by `fresh`. Nobody else can write in between, so that
/// all acknowledged data is in one of both.
fn replace(data: &Path, fresh: &Path, had_any: bool) -> Result<Option<PathBuf>, BackupError> {
    let path = data.join(FILE);
    let mut live = connection::open(&path, None, connection::NO_LIMIT).map_err(failed(&path))?;
    live.execute("ATTACH ?1 AS fresh", [fresh.to_string_lossy()]).map_err(failed(&path))?;
    live.busy_handler(Some(retry)).map_err(failed(&path))?;
    live.execute_batch("BEGIN IMMEDIATE").map_err(failed(&path))?;
    // Under the lock, so that two restores at once choose two names.
    let before = had_any.then(|| free_name(data));
    if let Some(before) = &before {
        backup(data, before)?;
    }
    if let Err(error) = live.execute_batch(&replacing()) {
        // Nothing is replaced. (After a commit that fails, it may be.)
        let _ = before.map(fs::remove_file);
        return Err(failed(&path)(error));
    }
    live.execute_batch("COMMIT").map_err(failed(&path))?;
    Ok(before)
}

/// Retries often, for half a minute: a server under load releases the lock for moments only.
fn retry(times: i32) -> bool {
    thread::sleep(Duration::from_millis(1));
    times < 30_000
}

/// Replaces the rows of every table by those of `fresh`. The secret goes with the devices whose credentials it signed. Numbered
/// rows keep their order, which is that of records.
fn replacing() -> String {
    let tables = TABLES.iter().map(|Table { name, order, .. }| {
        let order = if matches!(order, Order::ByMaking) { " ORDER BY rowid" } else { "" };
        format!("DELETE FROM main.{name}; INSERT INTO main.{name} SELECT * FROM fresh.{name}{order};")
    });
    tables.collect()
}

/// Checks that a file is an undamaged database of this version.
fn check(file: &Path) -> Result<(), StoreError> {
    let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    // Before anything else is read: views, triggers and virtual tables are code of whoever made the file, and we make none. As
    // SQLite writes the others, they begin with these words.
    let code = "SELECT COUNT(*) FROM sqlite_schema WHERE
                (type = 'table' AND sql LIKE 'CREATE TABLE %' OR type = 'index' AND
                 (sql IS NULL OR sql LIKE 'CREATE INDEX %' OR sql LIKE 'CREATE UNIQUE INDEX %')) IS NOT TRUE";
    let found: u32 = match connection.query_row(code, [], |row| row.get(0)) {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => {
            return Err(StoreError::Failed("found another kind of file, expected a backup of pintu".to_owned()));
        }
        found => found?,
    };
    if found > 0 {
        let message = "found views, triggers or virtual tables in it, expected a backup of pintu";
        return Err(StoreError::Failed(message.to_owned()));
    }
    let found: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if found != "ok" {
        return Err(StoreError::Failed(format!("it is damaged: {found}")));
    }
    let sql = "SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('saves', 'pictures', 'records')";
    match connection.query_row(sql, [], |row| row.get(0))? {
        3 => schema::check(&connection),
        found => Err(StoreError::Failed(format!("found {found} of our 3 tables in it, expected a backup of pintu"))),
    }
}

#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error("found no database at {}, expected the data of a server (--data names another directory)", .0.display())]
    NoDatabase(PathBuf),
    #[error("found another file at {}, expected a free name or an earlier backup", .0.display())]
    Occupied(PathBuf),
    #[error("cannot write {}: {}", path.display(), in_words(why))]
    File { path: PathBuf, why: io::Error },
    #[error("cannot use {}: {why}", path.display())]
    Database { path: PathBuf, why: String },
}

fn failed<E: Into<StoreError>>(path: &Path) -> impl FnOnce(E) -> BackupError {
    |error| BackupError::Database { path: path.to_owned(), why: error.into().to_string() }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::channel,
    };

    use super::*;

    fn database(data: &Path) -> Connection {
        connection::open(&data.join(FILE), None, 1 << 30).unwrap()
    }

    /// Writes rows until it is told to stop; how many were acknowledged.
    fn write_rows(data: &Path, stop: &Arc<AtomicBool>) -> thread::JoinHandle<u32> {
        let (connection, stop) = (database(data), Arc::clone(stop));
        thread::spawn(move || {
            let mut made = 0;
            while !stop.load(Relaxed) {
                connection.execute("INSERT INTO players VALUES (?1, NULL, 0, 0)", [made.to_string()]).unwrap();
                made += 1;
            }
            made
        })
    }

    fn rows(connection: &Connection, table: &str) -> Vec<String> {
        let mut statement = connection.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns = statement.column_count();
        let rows = statement.query_map([], |row| {
            (0..columns).map(|at| Ok(format!("{:?}", row.get_ref(at)?))).collect::<rusqlite::Result<Vec<_>>>()
        });
        rows.unwrap().map(|row| row.unwrap().join(" ")).collect()
    }

    /// No table may be missing in the list.
    #[test]
    fn a_restore_replaces_every_table() {
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

    /// A crafted file could run what it likes in the server's name.
    #[test]
    fn a_backup_with_code_in_it_is_refused() {
        let (data, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let live = database(data.path());
        drop(database(other.path()));
        for code in [
            "ALTER TABLE saves RENAME TO hidden; CREATE VIEW saves AS SELECT * FROM hidden",
            "CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM saves; END",
            "CREATE TABLE \"x; ATTACH 'stolen' AS y\" (a); CREATE VIEW v AS SELECT 1",
            "PRAGMA writable_schema = on;
             INSERT INTO sqlite_schema VALUES ('table', 't', 't', 0, 'CREATE VIRTUAL TABLE t USING code (a)')",
            "PRAGMA writable_schema = on;
             INSERT INTO sqlite_schema VALUES ('table', 't', 't', 0, 'CREATE /**/ VIRTUAL TABLE t USING code (a)')",
        ] {
            let file = other.path().join("backup");
            backup(other.path(), &file).unwrap();
            Connection::open(&file).unwrap().execute_batch(code).unwrap();
            let refused = restore(data.path(), &file).unwrap_err().to_string();
            assert!(refused.contains("views, triggers"), "{code}: {refused}");
            fs::remove_file(file).unwrap();
        }
        assert_eq!(rows(&live, "saves").len(), 0);
        // A name is no code.
        let file = other.path().join("backup");
        backup(other.path(), &file).unwrap();
        let stolen = other.path().join("stolen");
        let name = format!("x'); ATTACH '{}' AS y; --", stolen.display());
        Connection::open(&file).unwrap().execute_batch(&format!("CREATE TABLE \"{name}\" (a)")).unwrap();
        restore(data.path(), &file).unwrap();
        assert!(!stolen.exists());
    }

    #[test]
    fn a_restore_that_fails_replaces_nothing_and_leaves_no_file() {
        let (data, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (live, file) = (database(data.path()), other.path().join("backup"));
        live.execute("INSERT INTO players VALUES ('one', NULL, 0, 0)", []).unwrap();
        drop(database(other.path()));
        for change in ["ALTER TABLE runs ADD COLUMN more TEXT", "DROP TABLE facts"] {
            backup(other.path(), &file).unwrap();
            Connection::open(&file).unwrap().execute_batch(change).unwrap();
            restore(data.path(), &file).unwrap_err();
            fs::remove_file(&file).unwrap();
            assert_eq!(rows(&live, "players").len(), 1, "{change}");
        }
        let kept = fs::read_dir(data.path()).unwrap().filter_map(|entry| entry.unwrap().file_name().into_string().ok());
        assert_eq!(kept.filter(|name| name.starts_with("before")).count(), 0);
    }

    #[test]
    fn a_database_of_another_version_is_neither_restored_nor_backed_up() {
        let (data, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let file = other.path().join("backup");
        for path in [data.path(), other.path()] {
            database(path).execute("INSERT INTO facts VALUES ('name', 'value')", []).unwrap();
        }
        backup(data.path(), &file).unwrap();
        for path in [file.clone(), other.path().join(FILE)] {
            Connection::open(path).unwrap().pragma_update(None, "user_version", 3).unwrap();
        }
        let refused = restore(data.path(), &file).unwrap_err().to_string();
        assert!(refused.contains("version 3"), "{refused}");
        assert_eq!(rows(&database(data.path()), "facts").len(), 1);
        let refused = backup(other.path(), &other.path().join("another")).unwrap_err().to_string();
        assert!(refused.contains("version 3") && !other.path().join("another").exists(), "{refused}");
    }

    #[test]
    fn rows_acknowledged_during_a_restore_are_in_the_database_or_in_the_backup_before() {
        let (data, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let file = other.path().join("backup");
        drop(database(other.path()));
        backup(other.path(), &file).unwrap();
        let live = database(data.path());
        let stop = Arc::new(AtomicBool::new(false));
        let made = write_rows(data.path(), &stop);
        let mut names: Vec<_> = (0..5).map(|_| restore(data.path(), &file).unwrap().unwrap()).collect();
        stop.store(true, Relaxed);
        let made = made.join().unwrap();
        let count = |connection: &Connection| {
            connection.query_row("SELECT COUNT(*) FROM players", [], |row| row.get::<_, u32>(0)).unwrap()
        };
        let backed_up: u32 = names.iter().map(|name| count(&Connection::open(name).unwrap())).sum();
        assert_eq!(backed_up + count(&live), made);
        names.dedup();
        assert_eq!(names.len(), 5, "none replaces another");
    }

    fn names(directory: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// It removes what a killed one has left behind, and touches nothing else but its own file.
    #[test]
    fn a_backup_leaves_its_own_file_alone() {
        let (data, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        drop(database(data.path()));
        let (file, taken) = (elsewhere.path().join("backup"), elsewhere.path().join("taken"));
        fs::create_dir(&taken).unwrap();
        let (locked, left) = new_private_file_beside(&file).unwrap().keep().unwrap();
        let (_, of_another) = new_private_file_beside(&elsewhere.path().join("others")).unwrap().keep().unwrap();
        backup(data.path(), &file).unwrap();
        assert!(left.exists(), "somebody writes it still");
        drop(locked);
        backup(data.path(), &file).unwrap();
        assert!(backup(data.path(), &taken).is_err());
        let of_another = of_another.file_name().unwrap().to_str().unwrap();
        assert_eq!(names(elsewhere.path()), [of_another, "backup", "taken"], "nothing is left over");
    }

    #[test]
    fn backups_and_restores_can_run_at_once() {
        const TIMES: usize = 3;
        let (data, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let live = database(data.path());
        live.execute("INSERT INTO pictures VALUES ('p', 'b', 8, 8, zeroblob(12000000), 1, 7)", []).unwrap();
        let file = elsewhere.path().join("backup");
        let all = |work: &(dyn Fn() + Sync)| thread::scope(|scope| (0..TIMES).for_each(|_| drop(scope.spawn(work))));
        all(&|| backup(data.path(), &file).unwrap());
        check(&file).unwrap();
        assert_eq!(names(elsewhere.path()), ["backup"]);
        let backups = Mutex::new(Vec::new());
        all(&|| {
            let before = restore(data.path(), &file).unwrap().unwrap();
            backups.lock().unwrap().push(before);
        });
        let mut backups = backups.into_inner().unwrap();
        backups.sort();
        backups.dedup();
        assert_eq!(backups.len(), TIMES, "none replaces another");
        let strays: Vec<_> = names(data.path()).into_iter().filter(|name| name.starts_with(".tmp")).collect();
        assert!(strays.is_empty(), "{strays:?}");
    }

    #[test]
    fn a_backup_ends_while_others_write() {
        let data = tempfile::tempdir().unwrap();
        let live = database(data.path());
        live.execute("INSERT INTO pictures VALUES ('p', 'b', 8, 8, zeroblob(25000000), 1, 7)", []).unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let made = write_rows(data.path(), &stop);
        let (done, ended) = channel();
        let (from, file) = (data.path().to_owned(), data.path().join("backup"));
        thread::spawn(move || done.send(backup(&from, &file).is_ok()));
        let result = ended.recv_timeout(Duration::from_secs(30));
        stop.store(true, Relaxed);
        made.join().unwrap();
        assert_eq!(result, Ok(true));
    }
}
