//! The tables, and how those of older versions become those of today, step by step. A new file climbs all
//! steps, so that it cannot differ from one that grew old.

use rusqlite::{Connection, OptionalExtension};

use super::records;
use crate::store::{Owner, StoreError};

type Step = fn(&Connection) -> Result<(), StoreError>;

/// The step at index n leads from version n to version n + 1.
const STEPS: [Step; 4] = [first_tables, revisions, hashed_browsers, marked_records];

/// Brings the tables up to date, all steps in one transaction.
pub(super) fn climb(connection: &Connection) -> Result<(), StoreError> {
    let found = version(connection)?;
    if found == STEPS.len() {
        return Ok(());
    }
    // What the steps overwrite is gone from the file, too.
    connection.pragma_update(None, "secure_delete", true)?;
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let result = climb_to(connection, STEPS.len());
    connection.execute_batch(if result.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    result?;
    connection.pragma_update(None, "secure_delete", false)?;
    // And from the log beside it. Somebody who reads meanwhile keeps it a little longer.
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    Ok(())
}

fn version(connection: &Connection) -> Result<usize, StoreError> {
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let known = STEPS.len();
    usize::try_from(found).ok().filter(|&found| found <= known).ok_or(StoreError::Newer { found, known: known as i64 })
}

fn climb_to(connection: &Connection, wanted: usize) -> Result<(), StoreError> {
    let found = version(connection)?;
    for step in &STEPS[found.min(wanted)..wanted] {
        step(connection)?;
    }
    connection.pragma_update(None, "user_version", wanted)?;
    Ok(())
}

fn first_tables(connection: &Connection) -> Result<(), StoreError> {
    Ok(connection.execute_batch(
        "CREATE TABLE saves (
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
         CREATE INDEX records_of_browser ON records (browser, size);",
    )?)
}

/// Saves count their revisions, and the turn in which they were written last, for clocks jump.
fn revisions(connection: &Connection) -> Result<(), StoreError> {
    Ok(connection.execute_batch(
        "ALTER TABLE saves ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
         ALTER TABLE saves ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
         UPDATE saves SET turn = ranked.turn
             FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY updated, id) AS turn FROM saves) AS ranked
             WHERE ranked.id = saves.id;
         CREATE INDEX saves_by_turn ON saves (browser, turn);",
    )?)
}

/// Browsers are known by the hash of their id, and when they were used last is noted.
fn hashed_browsers(connection: &Connection) -> Result<(), StoreError> {
    connection.execute_batch(
        "CREATE TABLE facts (name TEXT PRIMARY KEY NOT NULL, value ANY NOT NULL) STRICT;
         CREATE TABLE browsers (
             browser TEXT PRIMARY KEY NOT NULL,
             used INTEGER NOT NULL    -- in the store's own time
         ) STRICT, WITHOUT ROWID;
         CREATE INDEX browsers_by_use ON browsers (used);",
    )?;
    let mut statement = connection
        .prepare("SELECT browser FROM saves UNION SELECT browser FROM pictures UNION SELECT browser FROM records")?;
    let ids: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for id in ids {
        let owner = Owner::of_text(&id);
        for table in ["saves", "pictures", "records"] {
            connection
                .prepare_cached(&format!("UPDATE {table} SET browser = ?1 WHERE browser = ?2"))?
                .execute([owner.as_str(), &id])?;
        }
        connection.prepare_cached("INSERT INTO browsers VALUES (?1, 0)")?.execute([owner.as_str()])?;
    }
    Ok(())
}

/// Records are marked, so that the same game is found without a look at all of them. One that cannot be read is like
/// no other.
fn marked_records(connection: &Connection) -> Result<(), StoreError> {
    connection.execute_batch(
        "ALTER TABLE records ADD COLUMN mark TEXT;
         CREATE INDEX records_by_mark ON records (browser, mark);",
    )?;
    let mut last = 0;
    let next = "SELECT rowid, game FROM records WHERE rowid > ?1 ORDER BY rowid LIMIT 1";
    let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?));
    while let Some((row, game)) = connection.prepare_cached(next)?.query_row([last], read).optional()? {
        last = row;
        let Ok(save) = serde_json::from_str(&game) else { continue };
        connection
            .prepare_cached("UPDATE records SET mark = ?1 WHERE rowid = ?2")?
            .execute((records::mark(&save), row))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;
    use crate::store::sqlite::schema::open;

    const ID: &str = "0123456789abcdef0123456789abcdef";
    const GAME: &str = r#"{"version":1,"rows":2,"cols":2,"blank":3,"start":[1,2,0,3],"moves":"R","millis":5000,"picture":"builtin:dawn"}"#;

    fn mark() -> String {
        records::mark(&serde_json::from_str(GAME).unwrap())
    }

    /// What each version's program would have written, as far as this version goes.
    fn fill(connection: &Connection, version: usize) {
        let browser = if version < 3 { ID.to_owned() } else { Owner::of_text(ID).as_str().to_owned() };
        let rows = "INSERT INTO saves (id, browser, name, game, line, picture, size, created, updated)
                        VALUES ('old', ?1, 'first', '{}', '{}', NULL, 9, 5, 20), ('new', ?1, 'second', '{}', '{}', NULL, 9, 6, 30);";
        connection.execute(rows, [&browser]).unwrap();
        if version >= 2 {
            connection.execute_batch("UPDATE saves SET turn = created").unwrap();
        }
        if version >= 3 {
            connection.execute("INSERT INTO browsers VALUES (?1, 0)", [&browser]).unwrap();
        }
        let rows = "INSERT INTO pictures VALUES ('p', ?1, 8, 8, x'ff', 1, 7)";
        connection.execute(rows, [&browser]).unwrap();
        let rows = "INSERT INTO records (id, browser, board, millis, moves, game, picture, size, created)
                        VALUES ('r', ?1, '{}', 5000, 4, ?2, 'p', 2, 8), ('unreadable', ?1, '{}', 5000, 4, '{}', 'p', 2, 8)";
        connection.execute(rows, [&browser, GAME]).unwrap();
        if version >= 4 {
            connection.execute("UPDATE records SET mark = ?1 WHERE id = 'r'", [mark()]).unwrap();
        }
    }

    fn old_file(path: &Path, version: usize) {
        let connection = Connection::open(path).unwrap();
        connection.pragma_update(None, "journal_mode", "WAL").unwrap();
        climb_to(&connection, version).unwrap();
        fill(&connection, version);
    }

    fn shape(connection: &Connection) -> Vec<String> {
        let mut statement =
            connection.prepare("SELECT sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY name").unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn every_older_version_becomes_todays() {
        let directory = tempfile::tempdir().unwrap();
        let today = shape(&open(&directory.path().join("today"), None, 1 << 30).unwrap());
        for version in 1..STEPS.len() {
            let path = directory.path().join(format!("of version {version}"));
            old_file(&path, version);
            let connection = open(&path, None, 1 << 30).unwrap();
            assert_eq!(shape(&connection), today, "version {version}");
            let text = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap();
            let owner = Owner::of_text(ID);
            for table in ["saves", "pictures", "records", "browsers"] {
                assert_eq!(text(&format!("SELECT DISTINCT browser FROM {table}")), owner.as_str(), "{version} {table}");
            }
            assert_eq!(text("SELECT group_concat(name) FROM (SELECT name FROM saves ORDER BY turn)"), "first,second");
            assert_eq!(text("SELECT DISTINCT CAST(revision AS TEXT) FROM saves"), "1");
            assert_eq!(text("SELECT name FROM saves WHERE id = 'old' AND created = 5 AND updated = 20"), "first");
            assert_eq!(text("SELECT id FROM pictures WHERE bytes = x'ff'"), "p");
            assert_eq!(text("SELECT id FROM records WHERE picture = 'p' AND millis = 5000"), "r");
            assert_eq!(text("SELECT id || mark FROM records WHERE mark NOT NULL"), format!("r{}", mark()));
        }
    }

    /// The ids are credentials: none is left, neither in the file nor in the log.
    #[test]
    fn no_id_of_a_browser_is_left_in_the_files() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        let holds = || {
            let mut files = fs::read_dir(directory.path()).unwrap().map(|file| fs::read(file.unwrap().path()).unwrap());
            files.any(|bytes| bytes.windows(ID.len()).any(|part| part == ID.as_bytes()))
        };
        old_file(&path, 1);
        assert!(holds());
        let connection = open(&path, None, 1 << 30).unwrap();
        assert!(!holds(), "while it runs");
        drop(connection);
        assert!(!holds());
    }

    #[test]
    fn a_file_of_a_newer_version_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        open(&path, None, 1 << 30).unwrap().pragma_update(None, "user_version", STEPS.len() + 1).unwrap();
        assert!(matches!(open(&path, None, 1 << 30), Err(StoreError::Newer { .. })));
    }
}
