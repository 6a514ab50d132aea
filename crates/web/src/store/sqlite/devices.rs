//! The devices of a player, and what makes a device one of another player's.

use rusqlite::{Connection, OptionalExtension, params};

use super::{Transaction, players};
use crate::{
    id::Id,
    store::{
        Device, Key, Player, Secret, SentAway, StoreError, StoredDevice,
        rules::{MAX_DEVICES, is_valid_code, merging},
    },
};

pub(super) fn player(connection: &Connection, device: &Device, id: String) -> Result<Player, StoreError> {
    let sql =
        "SELECT nickname, banned, EXISTS (SELECT 1 FROM phrases WHERE player = ?1) FROM players WHERE player = ?1";
    let found = connection.prepare_cached(sql)?.query_row([&id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
    let (nickname, is_banned, has_phrase) = found?;
    let sql = "SELECT id, name, device = ?2, created, used FROM devices WHERE player = ?1 ORDER BY rowid";
    let mut statement = connection.prepare_cached(sql)?;
    let devices = statement.query_map([&id, device.key()], |row| {
        let (id, name, is_current) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(StoredDevice { id, name, is_current, created: row.get(3)?, used: row.get(4)? })
    });
    let devices = devices?.collect::<Result<_, _>>()?;
    Ok(Player { id, nickname, has_phrase, is_banned, devices })
}

/// Names a player; whether there is such a one.
pub(super) fn set_nickname(connection: &Connection, player: &str, nickname: Option<&str>) -> Result<bool, StoreError> {
    let sql = "UPDATE players SET nickname = ?2 WHERE player = ?1";
    Ok(connection.prepare_cached(sql)?.execute(params![player, nickname])? == 1)
}

pub(super) fn rename(transaction: &Transaction<'_>, player: &str, id: &Id, name: &str) -> Result<bool, StoreError> {
    let sql = "UPDATE devices SET name = ?3 WHERE player = ?1 AND id = ?2";
    Ok(transaction.connection.prepare_cached(sql)?.execute([player, id.as_str(), name])? == 1)
}

pub(super) fn send_away(connection: &Connection, device: &Device, id: &Id) -> Result<SentAway, StoreError> {
    let Some(player) = players::of(connection, device)? else { return Ok(SentAway::Absent) };
    let sql = "SELECT device, EXISTS (SELECT 1 FROM devices AS other WHERE player = ?1 AND other.device <> one.device)
                              OR EXISTS (SELECT 1 FROM phrases WHERE player = ?1)
               FROM devices AS one WHERE player = ?1 AND id = ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row([&player, id.as_str()], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let Some((key, can_come_back)): Option<(String, bool)> = found else { return Ok(SentAway::Absent) };
    if !can_come_back {
        return Ok(SentAway::IsLast);
    }
    connection.prepare_cached("DELETE FROM devices WHERE device = ?1")?.execute([&key])?;
    let is_current = key == device.key();
    // It may have made a code or a phrase, to come back.
    connection.prepare_cached("DELETE FROM codes WHERE player = ?1")?.execute([&player])?;
    if !is_current {
        connection.prepare_cached("DELETE FROM phrases WHERE player = ?1")?.execute([&player])?;
    }
    Ok(SentAway::Done { is_current })
}

pub(super) fn set_code(transaction: &Transaction<'_>, player: &str, code: &Secret) -> Result<(), StoreError> {
    let (connection, now) = (transaction.connection, transaction.now);
    connection.prepare_cached("DELETE FROM codes WHERE player = ?1")?.execute([player])?;
    let sql = "INSERT OR REPLACE INTO codes (code, player, created) VALUES (?1, ?2, ?3)";
    connection.prepare_cached(sql)?.execute(params![code.as_str(), player, now])?;
    Ok(())
}

pub(super) fn set_phrase(connection: &Connection, player: &str, phrase: &Secret) -> Result<(), StoreError> {
    connection.prepare_cached("DELETE FROM phrases WHERE player = ?1")?.execute([player])?;
    let sql = "INSERT INTO phrases (phrase, player) VALUES (?1, ?2)";
    connection.prepare_cached(sql)?.execute([phrase.as_str(), player])?;
    Ok(())
}

/// Joins the player of a device to that of a key; false if the key is none.
pub(super) fn join(transaction: &Transaction<'_>, device: &Device, key: &Key) -> Result<bool, StoreError> {
    let connection = transaction.connection;
    let Some(to) = owner(transaction, key)? else { return Ok(false) };
    if players::is_banned(connection, &to)? {
        return Err(StoreError::Banned);
    }
    let from = players::of_writer(transaction, device)?;
    if from != to {
        merge(connection, &from, &to)?;
    }
    players::touch(transaction, device)?;
    let sql = "DELETE FROM devices WHERE player = ?1 AND device NOT IN
               (SELECT device FROM devices WHERE player = ?1 ORDER BY device = ?2 DESC, used DESC LIMIT ?3)";
    connection.prepare_cached(sql)?.execute(params![to, device.key(), MAX_DEVICES])?;
    Ok(true)
}

/// The player of a key. A code is used up.
fn owner(transaction: &Transaction<'_>, key: &Key) -> Result<Option<String>, StoreError> {
    let connection = transaction.connection;
    match key {
        Key::Phrase(phrase) => {
            let sql = "SELECT player FROM phrases WHERE phrase = ?1";
            Ok(connection.prepare_cached(sql)?.query_row([phrase.as_str()], |row| row.get(0)).optional()?)
        }
        Key::Code(code) => {
            let sql = "DELETE FROM codes WHERE code = ?1 RETURNING player, created";
            let mut statement = connection.prepare_cached(sql)?;
            let found = statement.query_row([code.as_str()], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
            Ok(found.filter(|&(_, created)| is_valid_code(created, transaction.now)).map(|(player, _)| player))
        }
    }
}

/// Gives everything of a player to another one.
fn merge(connection: &Connection, from: &str, to: &str) -> Result<(), StoreError> {
    for sql in merging() {
        connection.prepare_cached(&sql.replace('$', "?"))?.execute([from, to])?;
    }
    connection.prepare_cached("DELETE FROM players WHERE player = ?1")?.execute([from])?;
    Ok(())
}
