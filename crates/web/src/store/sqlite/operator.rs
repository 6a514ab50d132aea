//! The operator's view of players, and changes of them.

use rusqlite::{Connection, params};

use crate::store::{ListedPlayer, StoreError};

pub(super) fn list(connection: &Connection, text: &str, most: usize) -> Result<Vec<ListedPlayer>, StoreError> {
    let sql = "SELECT player, nickname, banned,
                      (SELECT COUNT(*) FROM devices WHERE devices.player = players.player),
                      (SELECT COUNT(*) FROM saves WHERE saves.player = players.player),
                      (SELECT COUNT(*) FROM pictures WHERE pictures.player = players.player),
                      (SELECT COUNT(*) FROM records WHERE records.player = players.player),
                      (SELECT COALESCE(SUM(size), 0) FROM saves WHERE saves.player = players.player)
                      + (SELECT COALESCE(SUM(size), 0) FROM pictures WHERE pictures.player = players.player)
                      + (SELECT COALESCE(SUM(size), 0) FROM records WHERE records.player = players.player),
                      (SELECT COALESCE(MAX(devices.used), 0) FROM devices WHERE devices.player = players.player)
               FROM players WHERE instr(lower(COALESCE(nickname, '')), lower(?1)) OR instr(player, ?1) = 1
               ORDER BY used DESC, player LIMIT ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let players = statement.query_map(params![text, most], |row| {
        Ok(ListedPlayer {
            id: row.get(0)?,
            nickname: row.get(1)?,
            is_banned: row.get(2)?,
            devices: row.get(3)?,
            saves: row.get(4)?,
            pictures: row.get(5)?,
            records: row.get(6)?,
            bytes: row.get(7)?,
            used: row.get(8)?,
        })
    })?;
    Ok(players.collect::<Result<_, _>>()?)
}

pub(super) fn ban(connection: &Connection, player: &str, banned: bool) -> Result<bool, StoreError> {
    let sql = "UPDATE players SET banned = ?2 WHERE player = ?1";
    Ok(connection.prepare_cached(sql)?.execute(params![player, banned])? == 1)
}
