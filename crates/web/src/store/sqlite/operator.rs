//! The operator's view of players, and changes of them.

use rusqlite::{Connection, params};

use crate::store::{PlayerLine, StoreError, rules::LIST_PLAYERS};

pub(super) fn list(connection: &Connection, text: &str, most: usize) -> Result<Vec<PlayerLine>, StoreError> {
    let mut statement = connection.prepare_cached(&LIST_PLAYERS.replace('$', "?"))?;
    let players = statement.query_map(params![text, most], |row| {
        Ok(PlayerLine {
            id: row.get(0)?,
            nickname: row.get(1)?,
            banned: row.get(2)?,
            devices: row.get(3)?,
            saves: row.get(4)?,
            pictures: row.get(5)?,
            records: row.get(6)?,
            bytes: row.get(7)?,
            used_millis: row.get(8)?,
        })
    })?;
    Ok(players.collect::<Result<_, _>>()?)
}

pub(super) fn ban(connection: &Connection, player: &str, banned: bool) -> Result<bool, StoreError> {
    let sql = "UPDATE players SET banned = ?2 WHERE player = ?1";
    Ok(connection.prepare_cached(sql)?.execute(params![player, banned])? == 1)
}
