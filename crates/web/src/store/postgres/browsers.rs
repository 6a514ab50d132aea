//! Browsers: when each was used last, and the deletion of those that are not used any more.

use std::time::Duration;

use deadpool_postgres::GenericClient;

use super::{Shared, Transaction, execute, facts, first, one, rows};
use crate::store::{
    Census, Owner, StoreError,
    rules::{DAY, MAX_EVICTED, millis},
};

/// Notes that a browser was used, at most once a day.
pub(super) async fn touch(db: &impl GenericClient, owner: &Owner) -> Result<(), StoreError> {
    let sql = "INSERT INTO browsers (browser, used) SELECT $1, number FROM facts WHERE name = 'served'
               ON CONFLICT (browser) DO UPDATE SET used = excluded.used WHERE browsers.used <= excluded.used - $2";
    execute(db, sql, &[&owner.as_str(), &millis(DAY)]).await?;
    Ok(())
}

/// The same in a transaction of its own.
pub(super) async fn use_now(store: &Shared, owner: &Owner) -> Result<(), StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin(&mut client, owner).await?;
    touch(&transaction.db, owner).await?;
    transaction.commit().await
}

/// Whether the last note of a browser's use is a day old.
pub(super) async fn is_stale(db: &impl GenericClient, owner: &Owner) -> Result<bool, StoreError> {
    let sql = "SELECT used <= (SELECT number FROM facts WHERE name = 'served') - $2 FROM browsers WHERE browser = $1";
    Ok(first(db, sql, &[&owner.as_str(), &millis(DAY)]).await?.is_some_and(|row| row.get(0)))
}

pub(super) async fn forget(store: &Shared, owner: &Owner) -> Result<(), StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin(&mut client, owner).await?;
    delete(&transaction.db, owner.as_str()).await?;
    transaction.commit().await
}

async fn delete(db: &impl GenericClient, owner: &str) -> Result<(), StoreError> {
    for table in ["saves", "pictures", "records", "browsers"] {
        execute(db, &format!("DELETE FROM {table} WHERE browser = $1"), &[&owner]).await?;
    }
    Ok(())
}

/// Deletes some browsers that were unused for too long; whether there may be more of them.
pub(super) async fn forget_unused(store: &Shared) -> Result<bool, StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin_alone(&mut client).await?;
    facts::tick(&transaction.db, transaction.now).await?;
    let evicted = evict(&transaction, store.bounds.unused_time, MAX_EVICTED).await?;
    transaction.commit().await?;
    Ok(evicted == MAX_EVICTED)
}

/// Deletes browsers that were unused for a time, the longest unused first; how many. One that is being written for is left
/// alone: it is in use.
pub(super) async fn evict(transaction: &Transaction<'_>, unused: Duration, most: usize) -> Result<usize, StoreError> {
    let db = &transaction.db;
    let before = facts::served(db).await?.saturating_sub(millis(unused));
    let sql = "SELECT browser FROM browsers WHERE used < $1 ORDER BY used LIMIT $2";
    let mut evicted = 0;
    for row in rows(db, sql, &[&before, &(most as i64)]).await? {
        let owner = Owner::of_hash(row.get(0));
        let is_free: bool = one(db, "SELECT pg_try_advisory_xact_lock($1)", &[&owner.lock_key()]).await?.get(0);
        // It may have been used since it was found.
        let sql = "SELECT 1 FROM browsers WHERE browser = $1 AND used < $2";
        if is_free && first(db, sql, &[&owner.as_str(), &before]).await?.is_some() {
            delete(db, owner.as_str()).await?;
            evicted += 1;
        }
    }
    Ok(evicted)
}

pub(super) async fn census(db: &impl GenericClient) -> Result<Census, StoreError> {
    let sql = "SELECT (SELECT COUNT(*) FROM browsers), (SELECT COUNT(*) FROM saves), (SELECT COUNT(*) FROM pictures),
                      (SELECT COUNT(*) FROM records),
                      (SELECT COALESCE(SUM(pg_total_relation_size(oid)), 0)::BIGINT FROM pg_class
                       WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace)";
    let row = one(db, sql, &[]).await?;
    let number = |at: usize| row.get::<_, i64>(at) as u64;
    Ok(Census {
        browsers: number(0),
        saves: number(1),
        pictures: number(2),
        records: number(3),
        bytes: number(4),
        connections: None,
    })
}
