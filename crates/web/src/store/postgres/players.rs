//! Players: whose device it is, when each was used last, and the deletion of those that are not used any more.

use std::time::Duration;

use deadpool_postgres::{Client, GenericClient};
use tokio_postgres::Row;

use super::{Shared, Transaction, execute, facts, first, rows, runs};
use crate::store::{
    Device, StoreError,
    rules::{DAY, MAX_EVICTED, PLAYER_TABLES, millis, random_id},
};

/// Transactions that may be deleting players at the same time, each its own.
const MAX_EVICTING: usize = 32;

/// A device's player as far as a request needs it: the player, whether it is banned, and whether the last note of its use is old.
const OF_DEVICE: &str = "SELECT player, banned <> 0,
        abs($2 - devices.used) >= $3 OR players.used <= (SELECT number FROM facts WHERE name = 'served') - $3
    FROM devices JOIN players USING (player) WHERE device = $1";

async fn of_device(db: &impl GenericClient, device: &Device, now: i64) -> Result<Option<Row>, StoreError> {
    first(db, OF_DEVICE, &[&device.key(), &now, &millis(DAY)]).await
}

/// The player of a device, unless the device is new.
pub(super) async fn of(db: &impl GenericClient, device: &Device) -> Result<Option<String>, StoreError> {
    let row = first(db, "SELECT player FROM devices WHERE device = $1", &[&device.key()]).await?;
    Ok(row.map(|row| row.get(0)))
}

/// The player of the device $1. What is read by it is read in one statement, whatever becomes of the device meanwhile.
pub(super) const OWN: &str = "(SELECT player FROM devices WHERE device = $1)";

impl Transaction<'_> {
    /// The player of a device, unless the device is new; no other transaction writes for it until this one ends.
    pub(super) async fn player_of(&self, device: &Device) -> Result<Option<String>, StoreError> {
        while let Some(player) = of(&self.db, device).await? {
            self.lock(&player).await?;
            // Meanwhile the device may have become one of another player's.
            if of(&self.db, device).await?.as_ref() == Some(&player) {
                return Ok(Some(player));
            }
        }
        Ok(None)
    }

    /// The same for one that stores something, which counts as used. A new device makes a new player.
    pub(super) async fn writer(&self, device: &Device) -> Result<String, StoreError> {
        loop {
            let Some(player) = of(&self.db, device).await? else {
                // Of two first requests of one device, the second waits and finds the player of the first.
                self.lock(device.key()).await?;
                if of(&self.db, device).await?.is_some() {
                    continue;
                }
                return self.add(device).await;
            };
            self.lock(&player).await?;
            let Some(row) = of_device(&self.db, device, self.now).await? else { continue };
            if row.get::<_, &str>(0) != player {
                continue;
            }
            if row.get(1) {
                return Err(StoreError::Banned);
            }
            if row.get(2) {
                self.touch(device).await?;
            }
            return Ok(player);
        }
    }

    async fn add(&self, device: &Device) -> Result<String, StoreError> {
        let (player, id) = (random_id()?, random_id()?);
        let sql = "INSERT INTO players (player, banned, used) SELECT $1, 0, number FROM facts WHERE name = 'served'";
        execute(&self.db, sql, &[&player]).await?;
        let sql = "INSERT INTO devices (device, player, id, name, created, used) VALUES ($1, $2, $3, $4, $5, $5)";
        execute(&self.db, sql, &[&device.key(), &player, &id, &device.name, &self.now]).await?;
        Ok(player)
    }

    /// Notes that a device and its player were used, at most once a day. The player's note is in the store's own time.
    pub(super) async fn touch(&self, device: &Device) -> Result<(), StoreError> {
        let day = millis(DAY);
        let sql = "UPDATE devices SET used = $2 WHERE device = $1 AND abs($2 - used) >= $3";
        execute(&self.db, sql, &[&device.key(), &self.now, &day]).await?;
        let sql = "UPDATE players SET used = served.number FROM facts AS served
                   WHERE served.name = 'served' AND players.used <= served.number - $2
                   AND player = (SELECT player FROM devices WHERE device = $1)";
        execute(&self.db, sql, &[&device.key(), &day]).await?;
        Ok(())
    }

    /// Deletes a player with everything; whether there was such a one.
    pub(super) async fn delete(&self, player: &str) -> Result<bool, StoreError> {
        self.store.room.freed();
        let mut deleted = 0;
        for table in PLAYER_TABLES {
            deleted = execute(&self.db, &format!("DELETE FROM {table} WHERE player = $1"), &[&player]).await?;
        }
        Ok(deleted > 0)
    }

    /// Deletes players that were unused for a time, the longest unused first; how many. One that another transaction writes
    /// for, or deletes, is left alone; where all are such, this is [`StoreError::Busy`].
    pub(super) async fn evict(&self, unused: Duration, most: usize) -> Result<usize, StoreError> {
        let before = facts::served(&self.db).await?.saturating_sub(millis(unused));
        let sql = "SELECT player FROM players WHERE used < $1 ORDER BY used LIMIT $2";
        let mut evicted = 0;
        let found = rows(&self.db, sql, &[&before, &((most + MAX_EVICTING) as i64)]).await?;
        for row in &found {
            if evicted == most {
                break;
            }
            let player: String = row.get(0);
            let is_unused = "SELECT 1 FROM players WHERE player = $1 AND used < $2";
            // It may have been used since it was found.
            if self.try_lock(&player).await? && first(&self.db, is_unused, &[&player, &before]).await?.is_some() {
                self.delete(&player).await?;
                evicted += 1;
            }
        }
        if evicted == 0 && !found.is_empty() { Err(StoreError::Busy) } else { Ok(evicted) }
    }
}

impl Shared {
    /// A connection to read with for the player of a device ([`OWN`]), which counts as used. A device without a player has
    /// nothing.
    pub(super) async fn reader(&self, device: &Device) -> Result<Option<Client>, StoreError> {
        let mut client = self.client().await?;
        let now = self.now(&client).await?;
        let Some(row) = of_device(&client, device, now).await? else { return Ok(None) };
        if row.get(2) {
            let transaction = self.begin(&mut client).await?;
            if transaction.player_of(device).await?.is_some() {
                transaction.touch(device).await?;
            }
            transaction.commit().await?;
        }
        Ok(Some(client))
    }
}

pub(super) async fn forget(store: &Shared, device: &Device) -> Result<(), StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin(&mut client).await?;
    if let Some(player) = transaction.player_of(device).await? {
        transaction.delete(&player).await?;
    }
    transaction.commit().await
}

/// Deletes what is outdated, and some players that were unused for too long; whether there may be more of them.
pub(super) async fn forget_unused(store: &Shared) -> Result<bool, StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin(&mut client).await?;
    facts::tick(&transaction.db, transaction.now).await?;
    runs::delete_outdated(&transaction).await?;
    let evicted = transaction.evict(store.bounds.unused_time, MAX_EVICTED).await?;
    transaction.commit().await?;
    Ok(evicted == MAX_EVICTED)
}
