//! Numbers of the store itself: its secret, its own time, what it holds.

use rusqlite::{Connection, OptionalExtension, params};

use crate::store::{
    Census, Secret, StoreError,
    rules::{MAX_INVITATION_AGE, Times, invitation_name, millis, random_secret},
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

/// The store's own time in milliseconds, which follows the wall clock without its jumps.
pub(super) fn served(connection: &Connection) -> Result<i64, StoreError> {
    Ok(fact(connection, "served")?.unwrap_or(0))
}

/// Advances the store's own time.
pub(super) fn tick(connection: &Connection, now: i64) -> Result<(), StoreError> {
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

pub(super) fn add_invitation(connection: &Connection, token: &Secret) -> Result<(), StoreError> {
    let served = served(connection)?;
    let old = params![format!("{}%", invitation_name("")), served - millis(MAX_INVITATION_AGE)];
    connection.execute("DELETE FROM facts WHERE name LIKE ?1 AND value < ?2", old)?;
    connection.execute("INSERT INTO facts VALUES (?1, ?2)", params![invitation_name(token.as_str()), served])?;
    Ok(())
}

pub(super) fn has_invitation(connection: &Connection, token: &Secret) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM facts WHERE name = ?1 AND value >= ?2";
    let oldest = served(connection)? - millis(MAX_INVITATION_AGE);
    Ok(connection.prepare_cached(sql)?.exists(params![invitation_name(token.as_str()), oldest])?)
}

pub(super) fn take_invitation(connection: &Connection, token: &Secret) -> Result<bool, StoreError> {
    let oldest = served(connection)? - millis(MAX_INVITATION_AGE);
    let sql = "DELETE FROM facts WHERE name = ?1 AND value >= ?2";
    Ok(connection.execute(sql, params![invitation_name(token.as_str()), oldest])? == 1)
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
        connections: None,
    })
}

/// Bytes of the pages in use.
pub(super) fn bytes(connection: &Connection) -> Result<u64, StoreError> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, u64>(0));
    Ok(number("page_count")?.saturating_sub(number("freelist_count")?) * number("page_size")?)
}
