//! Browsers: when each was used last, and the deletion of those that are not used any more.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};

use super::Transaction;
use crate::{
    id::Id,
    store::{
        Census, StoreError,
        rules::{DAY, MAX_EVICTED, MAX_INVITATION_AGE, Times, invitation_name, millis, random_secret},
    },
};

/// Makes the server's secret, unless there is one, and starts the store's own time.
pub(super) fn prepare(connection: &Connection, now: i64) -> Result<(), StoreError> {
    connection.execute("INSERT INTO facts VALUES ('secret', ?1) ON CONFLICT DO NOTHING", [random_secret()?])?;
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

fn tick(connection: &Connection, now: i64) -> Result<(), StoreError> {
    let latest = fact(connection, "latest")?.unwrap_or(now);
    let furthest = fact(connection, "furthest")?.unwrap_or(latest);
    let times = Times { served: served(connection)?, latest, furthest }.tick(now);
    let put = "INSERT INTO facts VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = excluded.value";
    for (name, value) in [("served", times.served), ("latest", times.latest), ("furthest", times.furthest)] {
        connection.execute(put, params![name, value])?;
    }
    Ok(())
}

fn fact(connection: &Connection, name: &str) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT value FROM facts WHERE name = ?1";
    Ok(connection.prepare_cached(sql)?.query_row([name], |row| row.get(0)).optional()?)
}

pub(super) fn add_invitation(connection: &Connection, token: &Id) -> Result<(), StoreError> {
    let served = served(connection)?;
    let old = params![format!("{}%", invitation_name("")), served - millis(MAX_INVITATION_AGE)];
    connection.execute("DELETE FROM facts WHERE name LIKE ?1 AND value < ?2", old)?;
    connection.execute("INSERT INTO facts VALUES (?1, ?2)", params![invitation_name(&token.hash()), served])?;
    Ok(())
}

pub(super) fn has_invitation(connection: &Connection, token: &Id) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM facts WHERE name = ?1";
    Ok(connection.prepare_cached(sql)?.exists([invitation_name(&token.hash())])?)
}

pub(super) fn take_invitation(connection: &Connection, token: &Id) -> Result<bool, StoreError> {
    Ok(connection.execute("DELETE FROM facts WHERE name = ?1", [invitation_name(&token.hash())])? == 1)
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
        connections: None,
    })
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
}
