//! Browsers: when each was used last, and the deletion of those that are not used any more.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};

use super::Transaction;
use crate::store::{Census, StoreError};

const DAY: Duration = Duration::from_hours(24);
/// The most that the store's own time advances at once, if the wall clock jumps ahead or the server was off. It is well below
/// the age at which a full store deletes browsers, so that no single step brings all of them there.
const MAX_STEP: Duration = Duration::from_hours(14 * 24);
/// Browsers deleted in one transaction, for which saves wait.
const MAX_EVICTED: usize = 8;

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

/// Notes that a browser was used, at most once a day.
pub(super) fn touch(connection: &Connection, owner: &str) -> Result<(), StoreError> {
    let sql = "INSERT INTO browsers VALUES (?1, ?2)
               ON CONFLICT DO UPDATE SET used = excluded.used WHERE used <= excluded.used - ?3";
    connection.prepare_cached(sql)?.execute(params![owner, served(connection)?, millis(DAY)])?;
    Ok(())
}

/// Whether the last note of a browser's use is a day old.
pub(super) fn is_stale(connection: &Connection, owner: &str) -> Result<bool, StoreError> {
    let sql = "SELECT used FROM browsers WHERE browser = ?1";
    let used: Option<i64> = connection.prepare_cached(sql)?.query_row([owner], |row| row.get(0)).optional()?;
    Ok(match used {
        Some(used) => used <= served(connection)? - millis(DAY),
        None => false,
    })
}

pub(super) fn forget(connection: &Connection, owner: &str) -> Result<(), StoreError> {
    for table in ["saves", "pictures", "records", "browsers"] {
        connection.prepare_cached(&format!("DELETE FROM {table} WHERE browser = ?1"))?.execute([owner])?;
    }
    Ok(())
}

/// Deletes some browsers that were unused for too long; whether there may be more of them.
pub(super) fn forget_unused(transaction: &Transaction<'_>) -> Result<bool, StoreError> {
    tick(transaction.connection, transaction.now)?;
    Ok(evict(transaction.connection, transaction.bounds.unused_time, MAX_EVICTED)? == MAX_EVICTED)
}

/// Makes sure that the database has room for some bytes, if need be by deleting long unused browsers.
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

const UNUSED: &str = "SELECT browser FROM browsers WHERE used < ?1 ORDER BY used LIMIT ?2";

/// Deletes browsers that were unused for a time, the longest unused first; how many.
fn evict(connection: &Connection, unused: Duration, most: usize) -> Result<usize, StoreError> {
    let before = served(connection)?.saturating_sub(millis(unused));
    let mut statement = connection.prepare_cached(UNUSED)?;
    let owners: Vec<String> =
        statement.query_map(params![before, most], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for owner in &owners {
        forget(connection, owner)?;
    }
    Ok(owners.len())
}

/// The store's own time in milliseconds, which follows the wall clock without its jumps.
fn served(connection: &Connection) -> Result<i64, StoreError> {
    Ok(fact(connection, "served")?.unwrap_or(0))
}

/// Advances the store's own time with the wall clock: never back, and by [`MAX_STEP`] at most. A clock that is set back goes
/// on from there. A jump ahead counts only as far as the clock has never been before, so that a clock that is wrong at each
/// start, until it is set, does not age the data again and again.
fn tick(connection: &Connection, now: i64) -> Result<(), StoreError> {
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
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, u64>(0));
    Ok(Census {
        browsers: count("browsers")?,
        saves: count("saves")?,
        pictures: count("pictures")?,
        records: count("records")?,
        bytes: number("page_count")?.saturating_sub(number("freelist_count")?) * number("page_size")?,
    })
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sqlite::{connection::open, records::SAME_GAME};

    #[test]
    fn browsers_and_records_are_found_by_an_index() {
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
        let deletions =
            ["saves", "pictures", "records", "browsers"].map(|table| format!("DELETE FROM {table} WHERE browser = ?1"));
        for sql in deletions.iter().map(String::as_str).chain([UNUSED, SAME_GAME]) {
            let plan = plan(sql);
            assert!(plan.contains("SEARCH") && !plan.contains("SCAN") && !plan.contains("TEMP"), "{sql}: {plan}");
        }
    }

    #[test]
    fn the_stores_own_time_follows_the_clock_but_does_not_jump() {
        let directory = tempfile::tempdir().unwrap();
        let connection = open(&directory.path().join("a"), None, 1 << 30).unwrap();
        let day = millis(DAY);
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
