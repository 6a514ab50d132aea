//! The rules that hold in every store, whatever its database.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use pintu_game::Save;
use sha2::{Digest, Sha256};

use super::{CODE_TIME, NewSave, RUN_DAYS, StoreError};
use crate::{
    config::Bounds,
    id::{Id, hex},
};

/// Uses are noted at most this often.
pub(super) const DAY: Duration = Duration::from_hours(24);
/// The most that the store's own time advances at once, if the wall clock jumps ahead or the server was off. It is well below
/// the age at which a full store deletes players, so that no single step brings all of them there.
pub(super) const MAX_STEP: Duration = Duration::from_hours(14 * 24);
/// Players deleted in one transaction, for which saves wait.
pub(super) const MAX_EVICTED: usize = 8;
/// Records of one kind of board, beside its best ones.
pub(super) const MAX_RECORDS_PER_BOARD: i64 = if cfg!(test) { 20 } else { 1000 };

/// By how much the clocks of two servers on one database may differ.
pub(super) const MAX_CLOCK_DIFFERENCE: Duration = Duration::from_mins(1);
/// The tables that have rows of players, that of the players last.
pub(super) const PLAYER_TABLES: [&str; 9] =
    ["saves", "pictures", "records", "deletions", "runs", "codes", "phrases", "devices", "players"];
/// Deletions of a player that its other devices are told of.
pub(super) const MAX_DELETIONS: i64 = if cfg!(test) { 20 } else { 1000 };
/// The players whose nickname contains the text $1 or whose id begins with it, as [`super::PlayerLine`] has them; at most $2.
pub(super) const LIST_PLAYERS: &str = "
    SELECT player, nickname, banned <> 0,
           (SELECT COUNT(*) FROM devices WHERE devices.player = players.player),
           (SELECT COUNT(*) FROM saves WHERE saves.player = players.player),
           (SELECT COUNT(*) FROM pictures WHERE pictures.player = players.player),
           (SELECT COUNT(*) FROM records WHERE records.player = players.player),
           CAST((SELECT COALESCE(SUM(size), 0) FROM saves WHERE saves.player = players.player)
                + (SELECT COALESCE(SUM(size), 0) FROM pictures WHERE pictures.player = players.player)
                + (SELECT COALESCE(SUM(size), 0) FROM records WHERE records.player = players.player) AS BIGINT),
           (SELECT COALESCE(MAX(devices.used), 0) FROM devices WHERE devices.player = players.player)
    FROM players
    WHERE replace(lower(nickname), lower(CAST($1 AS TEXT)), '') <> lower(nickname)
          OR substr(player, 1, length(CAST($1 AS TEXT))) = $1
    ORDER BY used DESC, player LIMIT $2";
/// The statements that give everything of the player $1 to the player $2.
pub(super) fn merging() -> impl Iterator<Item = String> {
    let rules = [
        // The saves of the device that comes now are the later ones.
        "UPDATE saves SET turn = turn + (SELECT COALESCE(MAX(turn), 0) FROM saves WHERE player = $2) WHERE player = $1",
        "DELETE FROM records WHERE player = $1 AND mark IN (SELECT mark FROM records WHERE player = $2)",
        // A run that was finished counts, or else the one that was begun first.
        "DELETE FROM runs WHERE player = $1 AND EXISTS
         (SELECT 1 FROM runs AS other WHERE other.player = $2 AND other.day = runs.day
          AND (other.millis IS NULL, other.started) <= (runs.millis IS NULL, runs.started))",
        "DELETE FROM runs WHERE player = $2 AND day IN (SELECT day FROM runs WHERE player = $1)",
        "UPDATE players SET nickname = COALESCE(nickname, (SELECT nickname FROM players WHERE player = $1))
         WHERE player = $2",
    ];
    let tables = PLAYER_TABLES.iter().filter(|&&table| table != "players");
    let moved = tables.map(|table| format!("UPDATE {table} SET player = $2 WHERE player = $1"));
    rules.into_iter().map(str::to_owned).chain(moved)
}

/// The most devices of a player: of more, the one that was used last the longest ago goes.
pub(super) const MAX_DEVICES: i64 = 50;
/// How long an invitation that is not used can be used, in the store's own time.
pub(super) const MAX_INVITATION_AGE: Duration = Duration::from_hours(7 * 24);

/// The name of the fact that there is an invitation, by the hash of its token.
pub(super) fn invitation_name(hash: &str) -> String {
    format!("invitation {hash}")
}

/// The store's clocks, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Times {
    /// The store's own time, which follows the wall clock without its jumps.
    pub(super) served: i64,
    /// The wall clock at the last tick.
    pub(super) latest: i64,
    /// The latest time that the wall clock ever showed.
    pub(super) furthest: i64,
}

impl Times {
    /// Advances the store's own time with the wall clock: never back, and by [`MAX_STEP`] at most. A clock that is set back goes
    /// on from there. A jump ahead counts only as far as the clock has never been before, so that a clock that is wrong at each
    /// start, until it is set, does not age the data again and again.
    pub(super) fn tick(self, now: i64) -> Self {
        let longest = millis(MAX_STEP);
        let step = now.saturating_sub(self.latest).max(0);
        let counted = if step <= longest { step } else { now.saturating_sub(self.furthest).clamp(0, longest) };
        Self { served: self.served + counted, latest: now, furthest: self.furthest.max(now) }
    }
}

/// Milliseconds since 1970. Clocks jump, so this only dates what is shown, and orders nothing.
pub(super) fn wall_clock(time: SystemTime) -> i64 {
    millis(time.duration_since(UNIX_EPOCH).unwrap_or_default())
}

pub(super) fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

pub(super) fn check_quota(
    what: &'static str,
    (count, size): (usize, usize),
    most: (usize, usize),
) -> Result<(), StoreError> {
    if count > most.0 || size > most.1 {
        return Err(StoreError::Quota { what, count, size, most_count: most.0, most_size: most.1 });
    }
    Ok(())
}

/// The pictures of a player and their bytes when another is added. Two players who became one may have more than the quota,
/// and keep that many.
pub(super) fn room_for_pictures(bounds: &Bounds, count: usize, bytes: usize) -> (usize, usize) {
    (bounds.pictures.max(count), bounds.pictures_bytes.max(bytes))
}

/// The bytes that a save counts for.
pub(super) fn size(save: &NewSave) -> usize {
    save.name.len() + save.game.len() + save.line.len()
}

/// A hash of a game, equal for equal games.
pub(super) fn mark(save: &Save) -> String {
    hex(&Sha256::digest(save.identity().as_bytes()))
}

/// Whether a pairing code that was made at one moment is valid at another.
pub(super) fn is_valid_code(created: i64, now: i64) -> bool {
    (-millis(MAX_CLOCK_DIFFERENCE)..millis(CODE_TIME)).contains(&(now - created))
}

pub(super) fn random_id() -> Result<String, StoreError> {
    let id = Id::random().ok_or_else(|| StoreError::Failed("no random numbers".to_owned()))?;
    Ok(id.to_string())
}

/// The first day whose runs are kept.
pub(super) fn oldest_run_day(now: i64) -> i64 {
    now / millis(DAY) - i64::from(RUN_DAYS)
}

pub(super) fn random_secret() -> Result<[u8; 32], StoreError> {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).map_err(|error| StoreError::Failed(format!("no random numbers: {error}")))?;
    Ok(secret)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stores_own_time_follows_the_clock_but_does_not_jump() {
        let day = millis(DAY);
        let mut times = Times { served: 0, latest: 100 * day, furthest: 100 * day };
        let mut days = |walls: &[i64]| {
            let one = |&wall: &i64| {
                times = times.tick(wall * day);
                times.served / day
            };
            walls.iter().map(one).collect::<Vec<_>>()
        };
        // Two days, a jump of ten years, back to the third day, and then a day after the jump.
        assert_eq!(days(&[100, 102, 3752, 103, 3753]), [0, 2, 16, 16, 17]);
        // Back for good: time goes on.
        assert_eq!(days(&[103, 104, 110]), [17, 18, 24]);
        // A clock that begins at nothing at each start.
        assert_eq!(days(&[0, 111, 0, 112, 0, 113]), [24; 6]);
        assert_eq!(days(&[114]), [25]);
        assert!(MAX_STEP * 2 <= crate::config::Bounds::default().unused_time_when_full);
    }
}
