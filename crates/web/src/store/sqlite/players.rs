//! Players: whose device it is, when each was used last, and the deletion of those that are not used any more.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};

use super::{
    Transaction,
    facts::{served, tick},
    runs,
};
use crate::store::{
    Device, StoreError,
    rules::{DAY, MAX_EVICTED, PLAYER_TABLES, millis, random_id},
};

/// The player of a device, unless the device is new.
pub(super) fn of(connection: &Connection, device: &Device) -> Result<Option<String>, StoreError> {
    let sql = "SELECT player FROM devices WHERE device = ?1";
    Ok(connection.prepare_cached(sql)?.query_row([device.key()], |row| row.get(0)).optional()?)
}

/// The player of a device that stores something, which counts as used. A new device makes a new player.
pub(super) fn of_writer(transaction: &Transaction<'_>, device: &Device) -> Result<String, StoreError> {
    let player = match of(transaction.connection, device)? {
        Some(player) => player,
        None => add(transaction, device)?,
    };
    if is_banned(transaction.connection, &player)? {
        return Err(StoreError::Banned);
    }
    touch(transaction, device)?;
    Ok(player)
}

fn add(transaction: &Transaction<'_>, device: &Device) -> Result<String, StoreError> {
    let (connection, now) = (transaction.connection, transaction.now);
    let player = random_id()?;
    let sql = "INSERT INTO players (player, nickname, banned, used) VALUES (?1, NULL, 0, ?2)";
    connection.prepare_cached(sql)?.execute(params![player, served(connection)?])?;
    let sql = "INSERT INTO devices (device, player, id, name, created, used) VALUES (?1, ?2, ?3, ?4, ?5, ?5)";
    connection.prepare_cached(sql)?.execute(params![device.key(), player, random_id()?, device.name, now])?;
    Ok(player)
}

pub(super) fn is_banned(connection: &Connection, player: &str) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM players WHERE player = ?1 AND banned";
    Ok(connection.prepare_cached(sql)?.exists([player])?)
}

/// Notes that a device and its player were used, at most once a day. The player's note is in the store's own time.
pub(super) fn touch(transaction: &Transaction<'_>, device: &Device) -> Result<(), StoreError> {
    let (connection, now, day) = (transaction.connection, transaction.now, millis(DAY));
    let sql = "UPDATE devices SET used = ?2 WHERE device = ?1 AND abs(?2 - used) >= ?3";
    connection.prepare_cached(sql)?.execute(params![device.key(), now, day])?;
    let sql = "UPDATE players SET used = ?2
               WHERE player = (SELECT player FROM devices WHERE device = ?1) AND used <= ?2 - ?3";
    connection.prepare_cached(sql)?.execute(params![device.key(), served(connection)?, day])?;
    Ok(())
}

/// Whether the last note of a use is a day old.
pub(super) fn is_stale(connection: &Connection, device: &Device, now: i64) -> Result<bool, StoreError> {
    let sql = "SELECT devices.used, players.used FROM devices JOIN players USING (player) WHERE device = ?1";
    let used = connection.prepare_cached(sql)?.query_row([device.key()], |row| Ok((row.get(0)?, row.get(1)?)));
    let Some((device, player)): Option<(i64, i64)> = used.optional()? else { return Ok(false) };
    let day = millis(DAY);
    Ok((now - device).abs() >= day || player <= served(connection)? - day)
}

/// Deletes a player with everything; whether there was such a one.
pub(super) fn forget(connection: &Connection, player: &str) -> Result<bool, StoreError> {
    let mut deleted = 0;
    for table in PLAYER_TABLES {
        deleted = connection.prepare_cached(&format!("DELETE FROM {table} WHERE player = ?1"))?.execute([player])?;
    }
    Ok(deleted > 0)
}

/// Deletes what is outdated, and some players that were unused for too long; whether there may be more of them.
pub(super) fn forget_unused(transaction: &Transaction<'_>) -> Result<bool, StoreError> {
    tick(transaction.connection, transaction.now)?;
    runs::delete_outdated(transaction)?;
    Ok(evict(transaction.connection, transaction.bounds.unused_time, MAX_EVICTED)? == MAX_EVICTED)
}

/// Makes sure that the database has room for some bytes, if need be by deleting long unused players.
pub(super) fn make_room(transaction: &Transaction<'_>, bytes: usize) -> Result<(), StoreError> {
    /// Pages of a row beside its bytes: the rest of a page, and its entries in the indices.
    const EXTRA_PAGES: u64 = 6;
    let number = |name| transaction.connection.pragma_query_value(None, name, |row| row.get::<_, u64>(0));
    let needed = bytes as u64 / number("page_size")? + EXTRA_PAGES;
    let most = number("max_page_count")?;
    for _ in 0..MAX_EVICTED {
        let taken = number("page_count")?.saturating_sub(number("freelist_count")?);
        if taken + needed <= most {
            return Ok(());
        }
        if evict(transaction.connection, transaction.bounds.unused_time_when_full, 1)? == 0 {
            return Err(StoreError::Full);
        }
    }
    Ok(())
}

const UNUSED: &str = "SELECT player FROM players WHERE used < ?1 ORDER BY used LIMIT ?2";

/// Deletes players that were unused for a time, the longest unused first; how many.
fn evict(connection: &Connection, unused: Duration, most: usize) -> Result<usize, StoreError> {
    let before = served(connection)?.saturating_sub(millis(unused));
    let mut statement = connection.prepare_cached(UNUSED)?;
    let players: Vec<String> =
        statement.query_map(params![before, most], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for player in &players {
        forget(connection, player)?;
    }
    Ok(players.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sqlite::{connection::open, pictures, records, saves, usage_of};

    /// Nothing that clients can cause reads more than it needs.
    #[test]
    fn rows_of_players_are_found_by_an_index() {
        let directory = tempfile::tempdir().unwrap();
        let connection = open(&directory.path().join("a"), None, 1 << 30).unwrap();
        let plan = |sql: &str| {
            let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let mut rows = statement.raw_query();
            let mut steps = Vec::new();
            while let Some(row) = rows.next().unwrap() {
                steps.push(row.get::<_, String>(3).unwrap());
            }
            steps.join("; ")
        };
        let deletions = PLAYER_TABLES.map(|table| format!("DELETE FROM {table} WHERE player = ?1"));
        for sql in deletions.iter().map(String::as_str).chain([UNUSED, records::SAME_GAME, records::COUNT]) {
            let plan = plan(sql);
            assert!(plan.contains("SEARCH") && !plan.contains("SCAN") && !plan.contains("TEMP"), "{sql}: {plan}");
        }
        // These sort the records of one board, or the pictures of one player.
        for sql in [records::PRUNE, &pictures::delete_unused()] {
            assert!(plan(sql).contains("SEARCH") && !plan(sql).contains("SCAN"), "{sql}: {}", plan(sql));
        }
        let boards = plan(records::PRUNE);
        assert_eq!(boards.matches("(player=? AND board=?").count(), 3, "other boards are read, too: {boards}");
        let usages = ["saves", "pictures", "records"].map(usage_of);
        for sql in [saves::LIST, records::LIST].into_iter().chain(usages.iter().map(String::as_str)) {
            assert!(plan(sql).contains("COVERING INDEX"), "games are read, too: {}", plan(sql));
        }
        assert!(!plan(saves::LIST).contains("TEMP"), "{}", plan(saves::LIST));
    }
}
