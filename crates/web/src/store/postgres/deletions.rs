//! A player's deletions, and how its other devices get to know.

use super::{Shared, Transaction, execute, players::OWN, rows};
use crate::{
    id::Id,
    store::{Device, StoreError, rules::MAX_DELETIONS},
};

pub(super) async fn list(store: &Shared, device: &Device) -> Result<Vec<String>, StoreError> {
    let Some(client) = store.reader(device).await? else { return Ok(Vec::new()) };
    let sql = format!("SELECT id FROM deletions WHERE player = {OWN} ORDER BY number");
    Ok(rows(&client, &sql, &[&device.key()]).await?.iter().map(|row| row.get(0)).collect())
}

impl Transaction<'_> {
    /// Deletes a save or a record of a player; how many. Other devices of the player get to know.
    pub(super) async fn delete_of(&self, table: &str, player: &str, id: &Id) -> Result<u64, StoreError> {
        let id = id.as_str();
        let sql = format!(
            "INSERT INTO deletions (player, id) SELECT player, id FROM {table}
             WHERE player = $1 AND id = $2
             AND (SELECT COUNT(*) FROM devices WHERE player = $1) > 1"
        );
        if execute(&self.db, &sql, &[&player, &id]).await? > 0 {
            let sql = "DELETE FROM deletions WHERE player = $1 AND number NOT IN
                       (SELECT number FROM deletions WHERE player = $1 ORDER BY number DESC LIMIT $2)";
            execute(&self.db, sql, &[&player, &MAX_DELETIONS]).await?;
        }
        self.store.room.freed();
        let sql = format!("DELETE FROM {table} WHERE player = $1 AND id = $2");
        execute(&self.db, &sql, &[&player, &id]).await
    }
}
