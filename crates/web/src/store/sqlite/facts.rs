//! Numbers of the store itself: its secret, its own time, what it holds.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};

use crate::store::{Census, StoreError};

/// The most that the store's own time advances at once, if the wall clock jumps ahead or the server was off. It is well below
/// the age at which a full store deletes players, so that no single step brings all of them there.
const MAX_STEP: Duration = Duration::from_hours(14 * 24);

/// Makes the server's secret, unless there is one, and starts the store's own time.
pub(super) fn prepare(connection: &Connection, now: i64) -> Result<(), StoreError> {
    let mut secret = [0_u8; 32];
    getrandom::fill(&mut secret).map_err(|error| StoreError::Failed(format!("no random numbers: {error}")))?;
    connection.execute("INSERT INTO facts VALUES ('secret', ?1) ON CONFLICT DO NOTHING", [secret])?;
    tick(connection, now)?;
    Ok(())
}

pub(super) fn secret(connection: &Connection) -> Result<[u8; 32], StoreError> {
    let sql = "SELECT value FROM facts WHERE name = 'secret'";
    Ok(connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
}

/// The store's own time in milliseconds, which follows the wall clock without its jumps.
pub(super) fn served(connection: &Connection) -> Result<i64, StoreError> {
    Ok(fact(connection, "served")?.unwrap_or(0))
}

/// Advances the store's own time with the wall clock: never back, and by [`MAX_STEP`] at most. A clock that is set back goes
/// on from there. A jump ahead counts only as far as the clock has never been before, so that a clock that is wrong at each
/// start, until it is set, does not age the data again and again.
pub(super) fn tick(connection: &Connection, now: i64) -> Result<(), StoreError> {
    let latest = fact(connection, "latest")?.unwrap_or(now);
    let furthest = fact(connection, "furthest")?.unwrap_or(latest);
    let longest = millis(MAX_STEP);
    let step = now.saturating_sub(latest).max(0);
    let counted = if step <= longest { step } else { now.saturating_sub(furthest).clamp(0, longest) };
    let put = "INSERT INTO facts VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = excluded.value";
    let facts = [("served", served(connection)? + counted), ("latest", now), ("furthest", furthest.max(now))];
    for (name, value) in facts {
        connection.execute(put, params![name, value])?;
    }
    Ok(())
}

fn fact(connection: &Connection, name: &str) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT value FROM facts WHERE name = ?1";
    Ok(connection.prepare_cached(sql)?.query_row([name], |row| row.get(0)).optional()?)
}

pub(super) fn census(connection: &Connection) -> Result<Census, StoreError> {
    let count = |table: &str| connection.query_row(&format!("SELECT COUNT(*) FROM {table}"), [], |row| row.get(0));
    Ok(Census {
        players: count("players")?,
        devices: count("devices")?,
        saves: count("saves")?,
        pictures: count("pictures")?,
        records: count("records")?,
        bytes: bytes(connection)?,
    })
}

/// Bytes of the pages in use.
pub(super) fn bytes(connection: &Connection) -> Result<u64, StoreError> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, u64>(0));
    Ok(number("page_count")?.saturating_sub(number("freelist_count")?) * number("page_size")?)
}

pub(super) fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sqlite::connection::open;

    #[test]
    fn the_stores_own_time_follows_the_clock_but_does_not_jump() {
        let directory = tempfile::tempdir().unwrap();
        let connection = open(&directory.path().join("a"), None, 1 << 30).unwrap();
        let day = millis(Duration::from_hours(24));
        let days = |walls: &[i64]| {
            let one = |&wall: &i64| {
                tick(&connection, wall * day).unwrap();
                served(&connection).unwrap() / day
            };
            walls.iter().map(one).collect::<Vec<_>>()
        };
        // Two days, a jump of ten years, back to the third day, and then a day after the jump.
        assert_eq!(days(&[100, 102, 3752, 103, 3753]), [0, 2, 16, 16, 17]);
        // Back for good: time goes on.
        assert_eq!(days(&[103, 104, 110]), [17, 18, 24]);
        // A clock that begins at nothing at each start.
        assert_eq!(days(&[0, 111, 0, 112, 0, 113]), [24; 6]);
        assert_eq!(days(&[114]), [25]);
        assert!(MAX_STEP * 2 <= crate::config::Bounds::default().unused_time_when_full);
    }
}
