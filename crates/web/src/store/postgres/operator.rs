//! The operator's view of players, and changes of them.

use super::{Shared, execute, rows};
use crate::store::{PlayerLine, StoreError, rules::LIST_PLAYERS};

pub(super) async fn list(store: &Shared, text: &str, most: usize) -> Result<Vec<PlayerLine>, StoreError> {
    let players = rows(&store.client().await?, LIST_PLAYERS, &[&text, &(most as i64)]).await?;
    let listed = players.iter().map(|row| {
        let number = |at: usize| row.get::<_, i64>(at) as u64;
        PlayerLine {
            id: row.get(0),
            nickname: row.get(1),
            banned: row.get(2),
            devices: number(3),
            saves: number(4),
            pictures: number(5),
            records: number(6),
            bytes: number(7),
            used_millis: row.get(8),
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
