//! The tables, and the version of them that a file has.

use rusqlite::Connection;

use crate::store::{SCHEMA_VERSION as VERSION, StoreError};

/// The oldest version that is brought up to date; an older one is left alone.
const OLDEST: i64 = 4;

/// Makes the tables, or brings them up to date.
pub(super) fn prepare(connection: &Connection) -> Result<(), StoreError> {
    if version(connection)? == VERSION {
        return Ok(());
    }
    connection.execute_batch("BEGIN IMMEDIATE")?;
    // Unless another process was quicker.
    let result = match version(connection)? {
        0 => connection.execute_batch(&format!("{TABLES}{PLAYERS}{INDICES}{DELETIONS}")),
        4 => connection.execute_batch(&format!("{FROM_BROWSERS_1}{PLAYERS}{FROM_BROWSERS_2}{INDICES}{DELETIONS}")),
        5 => connection.execute_batch(DELETIONS),
        _ => Ok(()),
    };
    let result = result.and_then(|()| connection.pragma_update(None, "user_version", VERSION));
    connection.execute_batch(if result.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    result?;
    check_current(connection)
}

pub(super) fn check_current(connection: &Connection) -> Result<(), StoreError> {
    match version(connection)? {
        VERSION => Ok(()),
        found => Err(StoreError::Version { found, expected: VERSION }),
    }
}

/// Checks that a file has tables that [`prepare`] leaves alone or brings up to date.
pub(super) fn check(connection: &Connection) -> Result<(), StoreError> {
    if (OLDEST..=VERSION).contains(&version(connection)?) { Ok(()) } else { check_current(connection) }
}

/// The same, of a file that may have no tables yet.
pub(super) fn check_unless_new(connection: &Connection) -> Result<(), StoreError> {
    if version(connection)? == 0 { Ok(()) } else { check(connection) }
}

fn version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

/// The tables whose names all versions share.
const TABLES: &str = "
    CREATE TABLE saves (
        id TEXT PRIMARY KEY NOT NULL,
        player TEXT NOT NULL,
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
    CREATE TABLE pictures (
        id TEXT PRIMARY KEY NOT NULL,
        player TEXT NOT NULL,
        width INTEGER NOT NULL,
        height INTEGER NOT NULL,
        bytes BLOB NOT NULL,
        size INTEGER NOT NULL,
        created INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE records (
        id TEXT PRIMARY KEY NOT NULL,
        player TEXT NOT NULL,
        board TEXT NOT NULL,     -- JSON, the kind of board
        millis INTEGER NOT NULL,
        moves INTEGER NOT NULL,
        game TEXT NOT NULL,      -- JSON, the save format
        picture TEXT,
        size INTEGER NOT NULL,
        created INTEGER NOT NULL,
        mark TEXT                -- a hash of the game, by which the same game is found
    ) STRICT;
    CREATE TABLE facts (name TEXT PRIMARY KEY NOT NULL, value ANY NOT NULL) STRICT;";

const PLAYERS: &str = "
    CREATE TABLE players (
        player TEXT PRIMARY KEY NOT NULL,
        nickname TEXT,
        banned INTEGER NOT NULL,
        used INTEGER NOT NULL    -- in the store's own time
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE devices (
        device TEXT PRIMARY KEY NOT NULL,   -- the hash of its credential
        player TEXT NOT NULL,
        id TEXT NOT NULL,        -- by which the player's devices name it
        name TEXT NOT NULL,
        created INTEGER NOT NULL,
        used INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE codes (
        code TEXT PRIMARY KEY NOT NULL,     -- the hash of a pairing code
        player TEXT NOT NULL,
        created INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE phrases (
        phrase TEXT PRIMARY KEY NOT NULL,   -- the hash of a recovery phrase
        player TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE runs (
        day INTEGER NOT NULL,    -- since 1970
        player TEXT NOT NULL,
        started INTEGER NOT NULL,
        millis INTEGER,          -- once it has ended
        moves INTEGER,
        PRIMARY KEY (day, player)
    ) STRICT, WITHOUT ROWID;";

/// Lists of saves and records are read from an index, which does not hold the games.
const INDICES: &str = "
    CREATE INDEX saves_of_player ON saves (player, size);
    CREATE INDEX saves_by_turn ON saves (player, turn DESC, id, name, line, revision, created, updated);
    CREATE INDEX pictures_of_player ON pictures (player, size);
    CREATE INDEX records_of_player ON records (player, size);
    CREATE INDEX records_by_board ON records (player, board, millis, moves, created, id);
    CREATE INDEX records_by_mark ON records (player, mark);
    CREATE INDEX players_by_use ON players (used);
    CREATE INDEX devices_of_player ON devices (player);
    CREATE INDEX codes_of_player ON codes (player);
    CREATE INDEX phrases_of_player ON phrases (player);
    CREATE INDEX runs_of_player ON runs (player);";

/// New in version 6.
const DELETIONS: &str = "
    CREATE TABLE deletions (
        player TEXT NOT NULL,
        id TEXT NOT NULL         -- of a save or a record
    ) STRICT;
    CREATE INDEX deletions_of_player ON deletions (player);";

/// Until version 4 everything belonged to a browser, by the hash of its cookie. Each becomes a player with one device; the
/// player keeps the hash as its id, so that no picture has to be written again.
const FROM_BROWSERS_1: &str = "
    DROP INDEX saves_of_browser; DROP INDEX saves_by_turn; DROP INDEX pictures_of_browser;
    DROP INDEX records_of_browser; DROP INDEX records_by_mark;
    ALTER TABLE saves RENAME COLUMN browser TO player;
    ALTER TABLE pictures RENAME COLUMN browser TO player;
    ALTER TABLE records RENAME COLUMN browser TO player;";

const FROM_BROWSERS_2: &str = "
    INSERT INTO players SELECT browser, NULL, 0, used FROM browsers;
    INSERT OR IGNORE INTO players
        SELECT player, NULL, 0, COALESCE((SELECT value FROM facts WHERE name = 'served'), 0)
        FROM (SELECT player FROM saves UNION SELECT player FROM pictures UNION SELECT player FROM records);
    INSERT INTO devices
        SELECT player, player, lower(hex(randomblob(16))), '',
               COALESCE((SELECT MIN(created) FROM saves WHERE saves.player = players.player), 0),
               COALESCE((SELECT MAX(updated) FROM saves WHERE saves.player = players.player), 0)
        FROM players;
    DROP TABLE browsers;";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sqlite::connection::open;

    #[test]
    fn a_file_of_another_version_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        for version in [OLDEST - 1, VERSION + 1] {
            Connection::open(&path).unwrap().pragma_update(None, "user_version", version).unwrap();
            let before = std::fs::read(&path).unwrap();
            assert!(matches!(open(&path, None, 1 << 30), Err(StoreError::Version { .. })));
            assert!(std::fs::read(&path).unwrap() == before);
        }
    }

    /// The tables of version 4, as they were released.
    const VERSION_4: &str = "
        CREATE TABLE saves (id TEXT PRIMARY KEY NOT NULL, browser TEXT NOT NULL, name TEXT NOT NULL, game TEXT NOT NULL,
            line TEXT NOT NULL, picture TEXT, size INTEGER NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,
            revision INTEGER NOT NULL DEFAULT 1, turn INTEGER NOT NULL DEFAULT 0) STRICT;
        CREATE INDEX saves_of_browser ON saves (browser, size);
        CREATE INDEX saves_by_turn ON saves (browser, turn);
        CREATE TABLE pictures (id TEXT PRIMARY KEY NOT NULL, browser TEXT NOT NULL, width INTEGER NOT NULL,
            height INTEGER NOT NULL, bytes BLOB NOT NULL, size INTEGER NOT NULL, created INTEGER NOT NULL) STRICT;
        CREATE INDEX pictures_of_browser ON pictures (browser, size);
        CREATE TABLE records (id TEXT PRIMARY KEY NOT NULL, browser TEXT NOT NULL, board TEXT NOT NULL,
            millis INTEGER NOT NULL, moves INTEGER NOT NULL, game TEXT NOT NULL, picture TEXT, size INTEGER NOT NULL,
            created INTEGER NOT NULL, mark TEXT) STRICT;
        CREATE INDEX records_of_browser ON records (browser, size);
        CREATE INDEX records_by_mark ON records (browser, mark);
        CREATE TABLE browsers (browser TEXT PRIMARY KEY NOT NULL, used INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE INDEX browsers_by_use ON browsers (used);
        CREATE TABLE facts (name TEXT PRIMARY KEY NOT NULL, value ANY NOT NULL) STRICT;
        PRAGMA user_version = 4;";

    fn columns(connection: &Connection) -> Vec<String> {
        let sql = "SELECT one.type || ' ' || one.name || ' ' || group_concat(field.name, ' ')
                   FROM sqlite_schema AS one, pragma_table_xinfo(one.name) AS field
                   WHERE one.type = 'table' GROUP BY one.name
                   UNION ALL SELECT one.type || ' ' || one.name || ' ' || group_concat(COALESCE(field.name, ''), ' ')
                   FROM sqlite_schema AS one, pragma_index_xinfo(one.name) AS field
                   WHERE one.type = 'index' GROUP BY one.name ORDER BY 1";
        let mut statement = connection.prepare(sql).unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn browsers_of_an_older_version_become_players_with_a_device_and_keep_everything() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        let old = Connection::open(&path).unwrap();
        old.execute_batch(VERSION_4).unwrap();
        old.execute_batch(
            "INSERT INTO browsers VALUES ('hash', 7), ('idle', 9);
             INSERT INTO facts VALUES ('served', 11), ('secret', x'01');
             INSERT INTO saves VALUES ('s', 'hash', 'name', 'game', 'line', 'p', 12, 100, 200, 3, 4);
             INSERT INTO pictures VALUES ('p', 'hash', 8, 8, x'0102', 2, 300);
             INSERT INTO records VALUES ('r', 'lost', 'board', 1, 2, 'game', NULL, 4, 400, 'mark');",
        )
        .unwrap();
        drop(old);
        let fresh = open(&directory.path().join("b"), None, 1 << 30).unwrap();
        let live = open(&path, None, 1 << 30).unwrap();
        assert_eq!(columns(&live), columns(&fresh), "it has the tables of a new file");
        let path = directory.path().join("c");
        let between = Connection::open(&path).unwrap();
        between.execute_batch(&format!("{TABLES}{PLAYERS}{INDICES} PRAGMA user_version = 5")).unwrap();
        drop(between);
        assert_eq!(columns(&open(&path, None, 1 << 30).unwrap()), columns(&fresh), "and so has one of version 5");
        let row = |sql: &str| {
            let mut statement = live.prepare(sql).unwrap();
            let count = statement.column_count();
            let rows = statement.query_map([], |row| {
                (0..count).map(|at| Ok(format!("{:?}", row.get_ref(at)?))).collect::<rusqlite::Result<Vec<_>>>()
            });
            rows.unwrap().map(|row| row.unwrap().join(" ")).collect::<Vec<_>>().join("; ")
        };
        let text = |text: &str| format!("Text({:?})", text.as_bytes());
        let save =
            "SELECT id || name || game || line || picture || size || created || updated || revision || turn || player
                    FROM saves";
        assert_eq!(row(save), text("snamegamelinep1210020034hash"));
        assert_eq!(row("SELECT player || id || width || size || hex(bytes) FROM pictures"), text("hashp820102"));
        assert_eq!(row("SELECT player || id || mark FROM records"), text("lostrmark"));
        let devices = "SELECT group_concat(device || player || length(id) || created || '-' || used, ' ')
                       FROM (SELECT * FROM devices ORDER BY device)";
        assert_eq!(row(devices), text("hashhash32100-200 idleidle320-0 lostlost320-0"));
        let players = "SELECT group_concat(player || used, ' ') FROM (SELECT * FROM players ORDER BY player)";
        assert_eq!(row(players), text("hash7 idle9 lost11"));
    }
}
