//! The rules that hold in every store, whatever its database.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use pintu_game::Save;
use sha2::{Digest, Sha256};

use super::{CODE_TIME, NewSave, RUN_DAYS, StoreError};
use crate::id::{Id, hex};

/// Uses are noted at most this often.
pub(super) const DAY: Duration = Duration::from_hours(24);
/// The most that the store's own time advances at once, if the wall clock jumps ahead or the server was off. It is well below
/// the age at which a full store deletes players, so that no single step brings all of them there.
pub(super) const MAX_STEP: Duration = Duration::from_hours(14 * 24);
/// Players deleted in one transaction, for which saves wait.
pub(super) const MAX_EVICTED: usize = 8;
/// Records of one kind of board, beside its best ones.
pub(super) const MAX_RECORDS_PER_BOARD: i64 = 1000;

/// By how much the clocks of two servers on one database may differ.
pub(super) const MAX_CLOCK_DIFFERENCE: Duration = Duration::from_mins(1);
/// The tables that have rows of players, that of the players last.
pub(super) const PLAYER_TABLES: [&str; 8] =
    ["saves", "pictures", "records", "runs", "codes", "phrases", "devices", "players"];
/// The most devices of a player: of more, the one that was used last the longest ago goes.
pub(super) const MAX_DEVICES: i64 = 50;
/// How long an invitation that is not used can be used, in the store's own time.
pub(super) const MAX_INVITATION_AGE: Duration = Duration::from_hours(7 * 24);

/// The name of the fact that there is an invitation, by the hash of its token.
pub(super) fn invitation_name(hash: &str) -> String {
    format!("invitation {hash}")
}

/// What the store knows of time, in milliseconds.
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
