//! A player's deletions, and how its other devices get to know.

use super::{Shared, Transaction, execute, players::OWN, rows};
use crate::{
    id::Id,
    store::{Device, StoreError, rules::MAX_DELETIONS},
};

/// Deletes all saves or records of a player.
pub(super) async fn all(store: &Shared, table: &str, device: &Device) -> Result<(), StoreError> {
    let mut client = store.client().await?;
    let transaction = store.begin(&mut client).await?;
    if let Some(player) = transaction.player_of(device).await? {
        transaction.delete_of(table, &player, None).await?;
    }
    transaction.commit().await
}

pub(super) async fn list(store: &Shared, device: &Device) -> Result<Vec<String>, StoreError> {
    let Some(client) = store.reader(device).await? else { return Ok(Vec::new()) };
    let sql = format!("SELECT id FROM deletions WHERE player = {OWN} ORDER BY number");
    Ok(rows(&client, &sql, &[&device.key()]).await?.iter().map(|row| row.get(0)).collect())
}

impl Transaction<'_> {
    /// Deletes a player's saves or records, or the one of an id; how many. Other devices of the player get to know.
    pub(super) async fn delete_of(&self, table: &str, player: &str, id: Option<&Id>) -> Result<u64, StoreError> {
        let id = id.map(Id::as_str);
        let sql = format!(
            "INSERT INTO deletions (player, id) SELECT player, id FROM {table}
             WHERE player = $1 AND ($2::TEXT IS NULL OR id = $2)
             AND (SELECT COUNT(*) FROM devices WHERE player = $1) > 1"
        );
        if execute(&self.db, &sql, &[&player, &id]).await? > 0 {
            let sql = "DELETE FROM deletions WHERE player = $1 AND number NOT IN
                       (SELECT number FROM deletions WHERE player = $1 ORDER BY number DESC LIMIT $2)";
            execute(&self.db, sql, &[&player, &MAX_DELETIONS]).await?;
        }
        let sql = format!("DELETE FROM {table} WHERE player = $1 AND ($2::TEXT IS NULL OR id = $2)");
        execute(&self.db, &sql, &[&player, &id]).await
    }
}
