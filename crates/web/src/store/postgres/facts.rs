//! Facts beside everybody's data: the store's secret, its own time, invitations, and what it holds.

use deadpool_postgres::GenericClient;

use super::{Shared, execute, first, one, rows};
use crate::store::{
    Census, Secret, StoreError,
    rules::{MAX_INVITATION_AGE, Times, invitation_name, millis},
};

pub(super) async fn secret(db: &impl GenericClient) -> Result<[u8; 32], StoreError> {
    let row = one(db, "SELECT bytes FROM facts WHERE name = 'secret'", &[]).await?;
    row.get::<_, &[u8]>(0).try_into().map_err(|_| StoreError::Failed("found a secret of another length".to_owned()))
}

/// Advances the store's own time. Other servers wait meanwhile.
pub(super) async fn tick(db: &impl GenericClient, now: i64) -> Result<(), StoreError> {
    let names =
        "SELECT name, number FROM facts WHERE name IN ('served', 'latest', 'furthest') ORDER BY name FOR UPDATE";
    let facts = rows(db, names, &[]).await?;
    let fact = |name: &str| facts.iter().find(|row| row.get::<_, &str>(0) == name).map(|row| row.get::<_, i64>(1));
    let latest = fact("latest").unwrap_or(now);
    let furthest = fact("furthest").unwrap_or(latest);
    let times = Times { served: fact("served").unwrap_or(0), latest, furthest }.tick(now);
    let sql = "INSERT INTO facts (name, number) VALUES ('furthest', $1), ('latest', $2), ('served', $3)
               ON CONFLICT (name) DO UPDATE SET number = excluded.number";
    execute(db, sql, &[&times.furthest, &times.latest, &times.served]).await?;
    Ok(())
}

pub(super) async fn served(db: &impl GenericClient) -> Result<i64, StoreError> {
    let row = first(db, "SELECT number FROM facts WHERE name = 'served'", &[]).await?;
    Ok(row.map_or(0, |row| row.get(0)))
}

pub(super) async fn add_invitation(store: &Shared, token: &Secret) -> Result<(), StoreError> {
    let client = store.client().await?;
    let served = served(&client).await?;
    let (like, oldest) = (format!("{}%", invitation_name("")), served - millis(MAX_INVITATION_AGE));
    execute(&client, "DELETE FROM facts WHERE name LIKE $1 AND number < $2", &[&like, &oldest]).await?;
    let sql = "INSERT INTO facts (name, number) VALUES ($1, $2)";
    execute(&client, sql, &[&invitation_name(token.as_str()), &served]).await?;
    Ok(())
}

pub(super) async fn has_invitation(store: &Shared, token: &Secret) -> Result<bool, StoreError> {
    let client = store.client().await?;
    let oldest = served(&client).await? - millis(MAX_INVITATION_AGE);
    let sql = "SELECT 1 FROM facts WHERE name = $1 AND number >= $2";
    Ok(first(&client, sql, &[&invitation_name(token.as_str()), &oldest]).await?.is_some())
}

pub(super) async fn take_invitation(store: &Shared, token: &Secret) -> Result<bool, StoreError> {
    let client = store.client().await?;
    let oldest = served(&client).await? - millis(MAX_INVITATION_AGE);
    let sql = "DELETE FROM facts WHERE name = $1 AND number >= $2";
    Ok(execute(&client, sql, &[&invitation_name(token.as_str()), &oldest]).await? == 1)
}

pub(super) async fn census(store: &Shared) -> Result<Census, StoreError> {
    let status = store.pool.status();
    let sql = "SELECT (SELECT COUNT(*) FROM players), (SELECT COUNT(*) FROM devices), (SELECT COUNT(*) FROM saves),
                      (SELECT COUNT(*) FROM pictures), (SELECT COUNT(*) FROM records),
                      (SELECT COALESCE(SUM(pg_total_relation_size(oid)), 0)::BIGINT FROM pg_class
                       WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace)";
    let row = one(&store.client().await?, sql, &[]).await?;
    let number = |at: usize| row.get::<_, i64>(at) as u64;
    Ok(Census {
        players: number(0),
        devices: number(1),
        saves: number(2),
        pictures: number(3),
        records: number(4),
        bytes: number(5),
        connections: Some((status.size.saturating_sub(status.available), status.waiting)),
    })
}
