//! The operator's view of players, and changes of them.

use super::{Shared, execute, rows};
use crate::store::{ListedPlayer, StoreError};

pub(super) async fn list(store: &Shared, text: &str, most: usize) -> Result<Vec<ListedPlayer>, StoreError> {
    let sql = "SELECT player, nickname, banned <> 0,
                      (SELECT COUNT(*) FROM devices WHERE devices.player = players.player),
                      (SELECT COUNT(*) FROM saves WHERE saves.player = players.player),
                      (SELECT COUNT(*) FROM pictures WHERE pictures.player = players.player),
                      (SELECT COUNT(*) FROM records WHERE records.player = players.player),
                      ((SELECT COALESCE(SUM(size), 0) FROM saves WHERE saves.player = players.player)
                       + (SELECT COALESCE(SUM(size), 0) FROM pictures WHERE pictures.player = players.player)
                       + (SELECT COALESCE(SUM(size), 0) FROM records WHERE records.player = players.player))::BIGINT,
                      (SELECT COALESCE(MAX(devices.used), 0) FROM devices WHERE devices.player = players.player)
               FROM players
               WHERE position(lower($1) IN lower(COALESCE(nickname, ''))) > 0 OR starts_with(player, $1)
               ORDER BY used DESC, player LIMIT $2";
    let players = rows(&store.client().await?, sql, &[&text, &(most as i64)]).await?;
    let listed = players.iter().map(|row| {
        let number = |at: usize| row.get::<_, i64>(at) as u64;
        ListedPlayer {
            id: row.get(0),
            nickname: row.get(1),
            is_banned: row.get(2),
            devices: number(3),
            saves: number(4),
            pictures: number(5),
            records: number(6),
            bytes: number(7),
            used: row.get(8),
        }
    });
    Ok(listed.collect())
}

pub(super) async fn rename(store: &Shared, player: &str, nickname: Option<&str>) -> Result<bool, StoreError> {
    let sql = "UPDATE players SET nickname = $2 WHERE player = $1";
    Ok(execute(&store.client().await?, sql, &[&player, &nickname]).await? == 1)
}

pub(super) async fn remove(store: &Shared, player: &str) -> Result<bool, StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin(&mut client).await?;
    transaction.lock(player).await?;
    let was_there = transaction.delete(player).await?;
    transaction.commit().await?;
    Ok(was_there)
}

pub(super) async fn ban(store: &Shared, player: &str, banned: bool) -> Result<bool, StoreError> {
    let sql = "UPDATE players SET banned = $2 WHERE player = $1";
    Ok(execute(&store.client().await?, sql, &[&player, &i64::from(banned)]).await? == 1)
}
