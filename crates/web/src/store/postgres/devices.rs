//! The devices of a player, and what makes a device one of another player's.

use super::{
    Shared, Transaction, execute, first,
    players::{self, OWN},
    rows,
};
use crate::{
    id::Id,
    store::{
        Device, Key, Player, Secret, SentAway, StoreError, StoredDevice,
        rules::{MAX_DEVICES, is_valid_code, merging},
    },
};

/// Players are joined one after the other: only then does a transaction wait for the locks of two players.
const JOINING: &str = "SELECT pg_advisory_xact_lock(hashtext('pintu join'), hashtext(current_schema()))";

pub(super) async fn player(store: &Shared, device: &Device) -> Result<Option<Player>, StoreError> {
    let Some(client) = store.reader(device).await? else { return Ok(None) };
    let sql = format!(
        "SELECT nickname, banned <> 0, EXISTS (SELECT 1 FROM phrases WHERE phrases.player = players.player), player
         FROM players WHERE player = {OWN}"
    );
    let Some(row) = first(&client, &sql, &[&device.key()]).await? else { return Ok(None) };
    let sql = format!("SELECT id, name, device = $1, created, used FROM devices WHERE player = {OWN} ORDER BY number");
    let devices = rows(&client, &sql, &[&device.key()]).await?;
    let devices = devices.iter().map(|row| StoredDevice {
        id: row.get(0),
        name: row.get(1),
        is_current: row.get(2),
        created: row.get(3),
        used: row.get(4),
    });
    let devices = devices.collect();
    Ok(Some(Player { id: row.get(3), nickname: row.get(0), is_banned: row.get(1), has_phrase: row.get(2), devices }))
}

pub(super) async fn set_nickname(store: &Shared, device: &Device, nickname: Option<&str>) -> Result<(), StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin(&mut client).await?;
    let player = transaction.writer(device).await?;
    execute(&transaction.db, "UPDATE players SET nickname = $2 WHERE player = $1", &[&player, &nickname]).await?;
    transaction.commit().await
}

pub(super) async fn rename(store: &Shared, device: &Device, id: &Id, name: &str) -> Result<bool, StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin(&mut client).await?;
    if players::of(&transaction.db, device).await?.is_none() {
        return Ok(false);
    }
    let player = transaction.writer(device).await?;
    let sql = "UPDATE devices SET name = $3 WHERE player = $1 AND id = $2";
    let renamed = execute(&transaction.db, sql, &[&player, &id.as_str(), &name]).await?;
    transaction.commit().await?;
    Ok(renamed == 1)
}

pub(super) async fn send_away(store: &Shared, device: &Device, id: &Id) -> Result<SentAway, StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin(&mut client).await?;
    let Some(player) = transaction.player_of(device).await? else { return Ok(SentAway::Absent) };
    let sql = "SELECT device, EXISTS (SELECT 1 FROM devices AS other WHERE player = $1 AND other.device <> one.device)
                              OR EXISTS (SELECT 1 FROM phrases WHERE player = $1)
               FROM devices AS one WHERE player = $1 AND id = $2";
    let Some(row) = first(&transaction.db, sql, &[&player, &id.as_str()]).await? else { return Ok(SentAway::Absent) };
    let (key, can_come_back): (String, bool) = (row.get(0), row.get(1));
    if !can_come_back {
        return Ok(SentAway::IsLast);
    }
    execute(&transaction.db, "DELETE FROM devices WHERE device = $1", &[&key]).await?;
    let is_current = key == device.key();
    // It may have made a code or a phrase, to come back.
    execute(&transaction.db, "DELETE FROM codes WHERE player = $1", &[&player]).await?;
    if !is_current {
        execute(&transaction.db, "DELETE FROM phrases WHERE player = $1", &[&player]).await?;
    }
    transaction.commit().await?;
    Ok(SentAway::Done { is_current })
}

pub(super) async fn set_code(store: &Shared, device: &Device, code: &Secret) -> Result<(), StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin(&mut client).await?;
    let player = transaction.writer(device).await?;
    execute(&transaction.db, "DELETE FROM codes WHERE player = $1", &[&player]).await?;
    let sql = "INSERT INTO codes (code, player, created) VALUES ($1, $2, $3)
               ON CONFLICT (code) DO UPDATE SET player = excluded.player, created = excluded.created";
    execute(&transaction.db, sql, &[&code.as_str(), &player, &transaction.now]).await?;
    transaction.commit().await
}

pub(super) async fn set_phrase(store: &Shared, device: &Device, phrase: &Secret) -> Result<(), StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin(&mut client).await?;
    let player = transaction.writer(device).await?;
    execute(&transaction.db, "DELETE FROM phrases WHERE player = $1", &[&player]).await?;
    let sql = "INSERT INTO phrases (phrase, player) VALUES ($1, $2)";
    execute(&transaction.db, sql, &[&phrase.as_str(), &player]).await?;
    transaction.commit().await
}

/// Joins the player of a device to that of a key; false if the key is none.
pub(super) async fn join(store: &Shared, device: &Device, key: &Key) -> Result<bool, StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin(&mut client).await?;
    transaction.db.batch_execute(JOINING).await?;
    let Some(to) = owner(&transaction, key).await? else { return Ok(false) };
    transaction.lock(&to).await?;
    // Until now the player may have replaced the key.
    if owner(&transaction, key).await?.as_ref() != Some(&to) {
        return Ok(false);
    }
    if let Key::Code(code) = key {
        execute(&transaction.db, "DELETE FROM codes WHERE code = $1", &[&code.as_str()]).await?;
    }
    let sql = "SELECT banned <> 0 FROM players WHERE player = $1";
    match first(&transaction.db, sql, &[&to]).await? {
        // It was deleted meanwhile.
        None => return Ok(false),
        Some(row) if row.get(0) => return Err(StoreError::Banned),
        Some(_) => (),
    }
    let from = transaction.writer(device).await?;
    if from != to {
        merge(&transaction, &from, &to).await?;
    }
    transaction.touch(device).await?;
    let sql = "DELETE FROM devices WHERE player = $1 AND device NOT IN
               (SELECT device FROM devices WHERE player = $1 ORDER BY device = $2 DESC, used DESC LIMIT $3)";
    execute(&transaction.db, sql, &[&to, &device.key(), &MAX_DEVICES]).await?;
    transaction.commit().await?;
    Ok(true)
}

/// The player of a key. No row is locked, for whoever has the player's lock may delete it.
async fn owner(transaction: &Transaction<'_>, key: &Key) -> Result<Option<String>, StoreError> {
    match key {
        Key::Phrase(phrase) => {
            let sql = "SELECT player FROM phrases WHERE phrase = $1";
            Ok(first(&transaction.db, sql, &[&phrase.as_str()]).await?.map(|row| row.get(0)))
        }
        Key::Code(code) => {
            let sql = "SELECT player, created FROM codes WHERE code = $1";
            let found = first(&transaction.db, sql, &[&code.as_str()]).await?;
            Ok(found.filter(|row| is_valid_code(row.get(1), transaction.now)).map(|row| row.get(0)))
        }
    }
}

/// Gives everything of a player to another one.
async fn merge(transaction: &Transaction<'_>, from: &str, to: &str) -> Result<(), StoreError> {
    for sql in merging() {
        execute(&transaction.db, &sql, &[&from, &to]).await?;
    }
    execute(&transaction.db, "DELETE FROM players WHERE player = $1", &[&from]).await?;
    Ok(())
}
