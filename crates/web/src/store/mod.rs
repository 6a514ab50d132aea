//! The store of players and their devices, saves, pictures, records and daily runs. The rest of the server sees [`Store`] and
//! plain values; only `sqlite` and `postgres` know a database.
//!
//! A store's promises: what it acknowledges is on the disk; a check (a quota, a revision, whose picture it is) and the change
//! that depends on it are one transaction.
//!
//! Requests come from devices. Everything belongs to the player of the device, which the store looks up in the same
//! transaction, so that a device that was sent away reads and writes nothing of its player any more. A device that is not
//! known is a new player's: the first thing that it stores makes both.

mod copy;
mod postgres;
mod rules;
mod sqlite;
#[cfg(test)]
mod tests;

use std::{future::Future, io, ops::RangeInclusive, path::PathBuf, pin::Pin, time::Duration};

pub use copy::{Copied, CopyError, StoreAddress, copy_store};
use pintu_engine::in_words;
use pintu_game::{Claim, Day, Picture, Save, Score};
use postgres::Postgres;
use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest, Sha256};
use sqlite::Sqlite;
pub use sqlite::{BackupError, backup, restore};

use crate::{
    config::Config,
    id::{Id, hex},
    picture::StoredPicture,
};

pub(crate) trait Store: Send + Sync {
    /// A player's saves, the latest first, each with its summary.
    fn saves(&self, device: Device) -> Answer<'_, Vec<StoredSave>>;
    /// One save with its game, if it is this player's.
    fn save(&self, device: Device, id: Id) -> Answer<'_, Option<StoredSave>>;
    /// Makes a save, which has [`FIRST_REVISION`]; false if there is one of that id.
    fn add_save(&self, device: Device, id: Id, save: NewSave) -> Answer<'_, bool>;
    /// Overwrites a save, if it is at the revision that is expected.
    fn replace_save(&self, device: Device, id: Id, save: NewSave, expected: Option<u64>) -> Answer<'_, Changed>;
    /// Deletes a save, if it is at the revision that is expected.
    fn delete_save(&self, device: Device, id: Id, expected: Option<u64>) -> Answer<'_, Changed>;

    /// Stores a picture and returns its id: that of the same picture, if the player has it already.
    fn add_picture(&self, device: Device, id: Id, picture: StoredPicture) -> Answer<'_, String>;
    fn picture(&self, device: Device, id: Id) -> Answer<'_, Option<Vec<u8>>>;
    /// The ids of a player's pictures, the oldest first.
    fn pictures(&self, device: Device) -> Answer<'_, Vec<String>>;
    /// Deletes a picture that no save or record of the player shows.
    fn delete_picture(&self, device: Device, id: Id) -> Answer<'_, Removed>;

    /// A player's finished games, the oldest first.
    fn records(&self, device: Device) -> Answer<'_, Vec<StoredRecord>>;
    /// The game of a record, if it is this player's.
    fn record(&self, device: Device, id: Id) -> Answer<'_, Option<String>>;
    /// Stores a finished game and returns its id: that of the same game, if it was posted before, for a
    /// client that saw no answer posts again.
    fn add_record(&self, device: Device, id: Id, record: NewRecord) -> Answer<'_, String>;
    /// Deletes a record; whether it was there, and this player's.
    fn delete_record(&self, device: Device, id: Id) -> Answer<'_, bool>;

    /// The ids of saves and records that a player with several devices has deleted, the last [`rules::MAX_DELETIONS`]: by them
    /// the other devices know what was deleted from what the server has lost.
    fn deletions(&self, device: Device) -> Answer<'_, Vec<String>>;

    /// The id of the player of a device, unless the device is new.
    fn player_of(&self, device: Device) -> Answer<'_, Option<String>>;
    /// The player of a device with all devices, unless the device is new.
    fn player(&self, device: Device) -> Answer<'_, Option<Player>>;
    fn set_nickname(&self, device: Device, nickname: Option<String>) -> Answer<'_, ()>;
    /// Renames a device of the same player; whether there is such a one.
    fn rename_device(&self, device: Device, id: Id, name: String) -> Answer<'_, bool>;
    /// Takes a device from its player, with all that it could come back by: pairing codes, and unless it goes by itself the
    /// recovery phrases. The last one of a player without a recovery phrase stays.
    fn send_away(&self, device: Device, id: Id) -> Answer<'_, SentAway>;
    /// Stores a pairing code in place of the player's last one.
    fn set_code(&self, device: Device, code: Secret) -> Answer<'_, ()>;
    /// Stores a recovery phrase in place of all that the player has.
    fn set_phrase(&self, device: Device, phrase: Secret) -> Answer<'_, ()>;
    /// Makes the player of this device, with all its devices and everything that is stored for it, one with the player of a
    /// pairing code or a recovery phrase; false if there is none of that. A code is used up, and is valid for
    /// [`CODE_TIME`].
    ///
    /// Nothing is lost: quotas do not apply. The nickname of the code's player stays, and the recovery phrases of both. Of two
    /// runs of one day the one that began first stays.
    fn join(&self, device: Device, key: Key) -> Answer<'_, bool>;

    /// Begins a day's run, and returns when it began; the one that began before, if there is one.
    fn begin_run(&self, device: Device, day: Day) -> Answer<'_, Run>;
    /// Ends a run, as [`Run::end`] says.
    fn end_run(&self, device: Device, day: Day, claim: Claim) -> Answer<'_, EndedRun>;
    /// A player's runs, the oldest day first.
    fn runs(&self, device: Device) -> Answer<'_, Vec<Run>>;
    /// The players' results of runs that ended, of some days together.
    fn results(&self, days: RangeInclusive<Day>) -> Answer<'_, Vec<DailyResult>>;

    /// Deletes a player with everything that is stored for it, and overwrites it.
    fn forget(&self, device: Device) -> Answer<'_, ()>;
    /// Deletes all data of some players that were unused for too long; whether there may be more of them.
    fn forget_unused(&self) -> Answer<'_, bool>;

    /// Stores an invitation, which lets one device in.
    fn add_invitation(&self, token: Secret) -> Answer<'_, ()>;
    fn has_invitation(&self, token: Secret) -> Answer<'_, bool>;
    /// Uses an invitation up; false if there is none of that token.
    fn take_invitation(&self, token: Secret) -> Answer<'_, bool>;

    fn secret(&self) -> Answer<'_, [u8; 32]>;
    /// Fails if nothing can be read or written.
    fn check(&self) -> Answer<'_, ()>;
    fn census(&self) -> Answer<'_, Census>;
    /// Bytes of the database in use, which are found at once.
    fn bytes(&self) -> Answer<'_, u64>;

    /// For the operator: players whose nickname contains a text or whose id begins with it, the latest used first.
    fn list_players(&self, text: String, most: usize) -> Answer<'_, Vec<PlayerLine>>;
    /// Changes or removes the nickname of a player; whether there is such a one.
    fn rename_player(&self, player: String, nickname: Option<String>) -> Answer<'_, bool>;
    /// Deletes a player as [`Store::forget`] does; whether there was such a one.
    fn remove_player(&self, player: String) -> Answer<'_, bool>;
    /// Bans a player, or no longer: its devices can store nothing ([`StoreError::Banned`]), and it is in no ranking. Whether
    /// there is such a one.
    fn ban_player(&self, player: String, banned: bool) -> Answer<'_, bool>;
}

pub(crate) type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Opens the store that a server is configured with; also returns its secret.
pub(crate) fn open(config: &Config) -> Result<(Box<dyn Store>, [u8; 32]), OpenError> {
    match &config.store {
        Some(url) => Postgres::open(config, url).map(|(store, secret)| (Box::new(store) as _, secret)),
        None => Sqlite::open(config).map(|(store, secret)| (Box::new(store) as _, secret)),
    }
}

/// Whether there is a store already, as far as that can be known without opening it.
pub(crate) fn exists(config: &Config) -> bool {
    config.store.is_some() || sqlite::exists(config)
}

/// The version of the tables, the same in every database. One of a newer version is left alone.
const SCHEMA_VERSION: i64 = 6;

/// The revision of a save that was never overwritten.
pub(crate) const FIRST_REVISION: u64 = 1;

/// How long a pairing code is valid.
pub(crate) const CODE_TIME: Duration = Duration::from_mins(10);

/// By how much the time of a run by the clock of the page may differ from that between the two moments of the server: the time
/// that requests take on slow networks, and what clocks differ by.
pub(crate) const MAX_LATENCY: Duration = Duration::from_secs(3);

/// How many days runs are kept.
pub(crate) const RUN_DAYS: i32 = 60;

/// A device, as the store knows it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Device {
    key: Secret,
    /// The name that it gets when it is new.
    pub(crate) name: String,
}

impl Device {
    /// The device that holds an id, which is a credential.
    pub(crate) fn of(id: &Id, name: String) -> Self {
        Self { key: Secret::of(id.as_str()), name }
    }

    pub(crate) fn key(&self) -> &str {
        self.key.as_str()
    }
}

/// The hash of a credential, which alone is stored of it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Secret(String);

impl Secret {
    pub(crate) fn of(text: &str) -> Self {
        Self(hex(&Sha256::digest(text.as_bytes())))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// A key that makes a device one of another player's.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Key {
    Code(Secret),
    Phrase(Secret),
}

#[derive(Clone, Debug)]
pub(crate) struct Player {
    pub(crate) id: String,
    pub(crate) nickname: Option<String>,
    pub(crate) has_phrase: bool,
    pub(crate) is_banned: bool,
    /// In the order in which they came.
    pub(crate) devices: Vec<StoredDevice>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Device")]
pub(crate) struct StoredDevice {
    /// The id by which the player's devices refer to it.
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) is_current: bool,
    #[serde(rename = "created_millis")]
    pub(crate) created: i64,
    /// When it was used last, to the day.
    #[serde(rename = "used_millis")]
    pub(crate) used: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SentAway {
    Done {
        is_current: bool,
    },
    Absent,
    /// It is the player's last device, and the player has no recovery phrase.
    IsLast,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) day: Day,
    pub(crate) started: i64,
    /// Its result, once it has ended.
    pub(crate) score: Option<Score>,
}

impl Run {
    /// Ends the run, unless it has ended before. Its time is the page's, but within the server's own two moments. A game that
    /// was played for longer than that, or takes longer, was begun before the run; or the clock was set back.
    pub(crate) fn end(self, now: i64, Claim { score, least_millis }: Claim) -> EndedRun {
        if self.score.is_some() {
            return EndedRun::Done(self);
        }
        let latency = MAX_LATENCY.as_millis() as u64;
        match u64::try_from(now.saturating_sub(self.started)) {
            Ok(most) if least_millis <= most && score.millis <= most.saturating_add(latency) => {
                let millis = score.millis.clamp(most.saturating_sub(latency), most);
                EndedRun::Done(Self { score: Some(Score { millis, ..score }), ..self })
            }
            _ => EndedRun::TooLong,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum EndedRun {
    /// The run with its first end.
    Done(Run),
    #[default]
    NotBegun,
    /// The game was played for longer than the run took, or takes longer; the run goes on.
    TooLong,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DailyResult {
    pub(crate) player: String,
    pub(crate) nickname: Option<String>,
    pub(crate) is_banned: bool,
    pub(crate) days: u64,
    /// Of all these days together.
    pub(crate) score: Score,
}

/// A player, as the operator sees it.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerLine {
    pub id: String,
    pub nickname: Option<String>,
    pub banned: bool,
    pub devices: u64,
    pub saves: u64,
    pub pictures: u64,
    pub records: u64,
    /// Bytes of the three.
    pub bytes: u64,
    /// When one of its devices was used last, to the day; milliseconds since 1970, and 0 if that is not known.
    pub used_millis: i64,
}

#[derive(Clone, Debug)]
pub(crate) struct NewSave {
    pub(crate) name: String,
    pub(crate) game: String,
    /// Its summary for lists, as JSON.
    pub(crate) line: String,
    pub(crate) picture: Picture,
}

#[derive(Clone, Debug)]
pub(crate) struct StoredSave {
    pub(crate) id: String,
    pub(crate) name: String,
    /// The game, or in a list its summary, as JSON.
    pub(crate) json: String,
    pub(crate) revision: u64,
    pub(crate) created: i64,
    pub(crate) updated: i64,
}

#[derive(Clone, Debug)]
pub(crate) struct NewRecord {
    /// The kind of board, as JSON.
    pub(crate) board: String,
    pub(crate) score: Score,
    /// The game itself, and as JSON.
    pub(crate) save: Save,
    pub(crate) game: String,
}

#[derive(Clone, Debug)]
pub(crate) struct StoredRecord {
    pub(crate) id: String,
    /// The kind of board, as JSON.
    pub(crate) board: String,
    pub(crate) score: Score,
    pub(crate) created: i64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Changed {
    /// It is done; the new revision.
    Done(u64),
    #[default]
    Absent,
    /// It is at another revision, this one, and unchanged.
    Stale(u64),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Removed {
    Done,
    #[default]
    Absent,
    /// A save or record shows it.
    InUse,
}

/// Numbers of rows, and bytes of the database.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Census {
    pub(crate) players: u64,
    pub(crate) devices: u64,
    pub(crate) saves: u64,
    pub(crate) pictures: u64,
    pub(crate) records: u64,
    pub(crate) bytes: u64,
    /// Connections to the database that are in use, and requests that wait for one, where there are such.
    pub(crate) connections: Option<(usize, usize)>,
}

#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum StoreError {
    #[error(
        "this would make {count} {what} of {size} bytes for this player, expected at most {most_count} of {most_size} \
         bytes: delete some first"
    )]
    Quota { what: &'static str, count: usize, size: usize, most_count: usize, most_size: usize },
    #[error("found the picture `{id}`, expected `builtin:NAME` or a picture of this player")]
    NoPicture { id: String },
    #[error("the operator of this server has banned this player")]
    Banned,
    #[error("there is no room left to store this")]
    Full,
    #[error("too much is waiting to be written")]
    Busy,
    #[error("the disk cannot be written: {0}")]
    Disk(String),
    #[error("the database cannot be reached: {0}")]
    Away(String),
    #[error("found a database of version {found}, expected {expected}: it was written by another version of pintu")]
    Version { found: i64, expected: i64 },
    #[error("the database failed: {0}")]
    Failed(String),
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error("cannot use the data directory {}: {}", path.display(), in_words(why))]
    Directory { path: PathBuf, why: io::Error },
    #[error("found no database at {}, expected the data of a server", .0.display())]
    NoDatabase(PathBuf),
    #[error("cannot open {}: {why}", path.display())]
    File { path: PathBuf, why: StoreError },
    #[error("found another store, expected postgres://USER:PASSWORD@HOST/DATABASE")]
    Url,
    #[error(
        "found sslmode=require in the address of the store, expected a database on this machine or behind a tunnel"
    )]
    Tls,
    #[error("cannot use the database: {why}")]
    Database { why: StoreError },
}
