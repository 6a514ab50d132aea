use deadpool_postgres::GenericClient;

use super::{Shared, Transaction, browsers::touch, execute, first, usage};
use crate::{
    id::Id,
    picture::StoredPicture,
    store::{Owner, Removed, StoreError, rules::check_quota},
};

pub(super) async fn add(store: &Shared, owner: &Owner, id: &Id, picture: &StoredPicture) -> Result<String, StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin(&mut client, owner).await?;
    let (db, size) = (&transaction.db, picture.jpeg.len());
    touch(db, owner).await?;
    let sql = "SELECT id FROM pictures WHERE browser = $1 AND size = $2 AND bytes = $3";
    let same = first(db, sql, &[&owner.as_str(), &(size as i64), &picture.jpeg]).await?;
    let id = match same {
        Some(row) => row.get(0),
        None => {
            make_room(&transaction, owner, size).await?;
            store.room.make(&transaction, size).await?;
            let sql = "INSERT INTO pictures (id, browser, width, height, bytes, size, created)
                       VALUES ($1, $2, $3, $4, $5, $6, $7)";
            let (width, height, size) = (i64::from(picture.width), i64::from(picture.height), size as i64);
            let values: super::Values<'_> =
                &[&id.as_str(), &owner.as_str(), &width, &height, &picture.jpeg, &size, &transaction.now];
            execute(db, sql, values).await?;
            id.to_string()
        }
    };
    transaction.commit().await?;
    Ok(id)
}

pub(super) async fn load(db: &impl GenericClient, owner: &Owner, id: &Id) -> Result<Option<Vec<u8>>, StoreError> {
    let sql = "SELECT bytes FROM pictures WHERE browser = $1 AND id = $2";
    Ok(first(db, sql, &[&owner.as_str(), &id.as_str()]).await?.map(|row| row.get(0)))
}

/// Whether a save or a record of the browser $1 shows the picture `one`.
const IN_USE: &str = "(EXISTS (SELECT 1 FROM saves WHERE browser = $1 AND picture = one.id)
                       OR EXISTS (SELECT 1 FROM records WHERE browser = $1 AND picture = one.id))";

pub(super) async fn delete(store: &Shared, owner: &Owner, id: &Id) -> Result<Removed, StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin(&mut client, owner).await?;
    let sql = format!("DELETE FROM pictures AS one WHERE browser = $1 AND id = $2 AND NOT {IN_USE}");
    if execute(&transaction.db, &sql, &[&owner.as_str(), &id.as_str()]).await? == 1 {
        transaction.commit().await?;
        return Ok(Removed::Done);
    }
    let sql = "SELECT 1 FROM pictures WHERE browser = $1 AND id = $2";
    let is_there = first(&transaction.db, sql, &[&owner.as_str(), &id.as_str()]).await?.is_some();
    Ok(if is_there { Removed::InUse } else { Removed::Absent })
}

/// Deletes pictures that no save or record shows, the oldest first, until there is room for another.
async fn make_room(transaction: &Transaction<'_>, owner: &Owner, size: usize) -> Result<(), StoreError> {
    let bounds = &transaction.store.bounds;
    loop {
        let (count, bytes) = usage(&transaction.db, "pictures", owner).await?;
        let within = check_quota("pictures", (count + 1, bytes + size), (bounds.pictures, bounds.pictures_bytes));
        if within.is_ok() {
            return Ok(());
        }
        let sql = format!(
            "DELETE FROM pictures WHERE id IN (
                 SELECT id FROM pictures AS one WHERE browser = $1 AND NOT {IN_USE} ORDER BY number LIMIT 1)"
        );
        if execute(&transaction.db, &sql, &[&owner.as_str()]).await? == 0 {
            return within;
        }
    }
}
