//! What the store knows beside everybody's data: its secret, its own time, and invitations.

use deadpool_postgres::GenericClient;

use super::{Shared, execute, first, one, rows};
use crate::{
    id::Id,
    store::{
        StoreError,
        rules::{MAX_INVITATION_AGE, Times, invitation_name, millis},
    },
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
    let sql = "INSERT INTO facts (name, number) VALUES ('served', $1), ('latest', $2), ('furthest', $3)
               ON CONFLICT (name) DO UPDATE SET number = excluded.number";
    execute(db, sql, &[&times.served, &times.latest, &times.furthest]).await?;
    Ok(())
}

pub(super) async fn served(db: &impl GenericClient) -> Result<i64, StoreError> {
    let row = first(db, "SELECT number FROM facts WHERE name = 'served'", &[]).await?;
    Ok(row.map_or(0, |row| row.get(0)))
}

pub(super) async fn add_invitation(store: &Shared, token: &Id) -> Result<(), StoreError> {
    let db = store.client().await?;
    let served = served(&db).await?;
    let oldest = served - millis(MAX_INVITATION_AGE);
    let like = format!("{}%", invitation_name(""));
    execute(&db, "DELETE FROM facts WHERE name LIKE $1 AND number < $2", &[&like, &oldest]).await?;
    let name = invitation_name(&token.hash());
    execute(&db, "INSERT INTO facts (name, number) VALUES ($1, $2)", &[&name, &served]).await?;
    Ok(())
}

pub(super) async fn has_invitation(db: &impl GenericClient, token: &Id) -> Result<bool, StoreError> {
    let name = invitation_name(&token.hash());
    Ok(first(db, "SELECT 1 FROM facts WHERE name = $1", &[&name]).await?.is_some())
}

pub(super) async fn take_invitation(store: &Shared, token: &Id) -> Result<bool, StoreError> {
    let name = invitation_name(&token.hash());
    Ok(execute(&store.client().await?, "DELETE FROM facts WHERE name = $1", &[&name]).await? == 1)
}
