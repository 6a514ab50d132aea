//! The store of saves, pictures and records. The rest of the server sees [`Store`] and plain values; only `sqlite` and
//! `postgres` know a database.
//!
//! A store's promises: what it acknowledges is on the disk; a check (a quota, a revision, whose picture it is) and the change
//! that depends on it are one transaction.

mod copy;
mod postgres;
mod rules;
mod sqlite;

use std::{future::Future, io, path::PathBuf, pin::Pin};

pub use copy::{Copied, CopyError, Place, copy_store};
use pintu_engine::in_words;
use pintu_game::{Picture, Save, Score};
use postgres::Postgres;
use sqlite::Sqlite;
pub use sqlite::{BackupError, backup, restore};

use crate::{config::Config, id::Id, picture::StoredPicture};

pub(crate) trait Store: Send + Sync {
    /// A browser's saves, the latest first, each with its summary.
    fn saves(&self, owner: Owner) -> Answer<'_, Vec<StoredSave>>;
    /// One save with its game, if it is this browser's.
    fn save(&self, owner: Owner, id: Id) -> Answer<'_, Option<StoredSave>>;
    /// Makes a save, which has [`FIRST_REVISION`]; false if there is one of that id.
    fn add_save(&self, owner: Owner, id: Id, save: NewSave) -> Answer<'_, bool>;
    /// Overwrites a save, if it is at the revision that is expected.
    fn replace_save(&self, owner: Owner, id: Id, save: NewSave, expected: Option<u64>) -> Answer<'_, Changed>;
    /// Deletes a save, if it is at the revision that is expected.
    fn delete_save(&self, owner: Owner, id: Id, expected: Option<u64>) -> Answer<'_, Changed>;
    fn delete_saves(&self, owner: Owner) -> Answer<'_, ()>;

    /// Stores a picture and returns its id: that of the same picture, if the browser has it already.
    fn add_picture(&self, owner: Owner, id: Id, picture: StoredPicture) -> Answer<'_, String>;
    fn picture(&self, owner: Owner, id: Id) -> Answer<'_, Option<Vec<u8>>>;
    /// Deletes a picture that no save or record of the browser shows.
    fn delete_picture(&self, owner: Owner, id: Id) -> Answer<'_, Removed>;

    /// A browser's finished games, the oldest first.
    fn records(&self, owner: Owner) -> Answer<'_, Vec<StoredRecord>>;
    /// The game of a record, if it is this browser's.
    fn record(&self, owner: Owner, id: Id) -> Answer<'_, Option<String>>;
    /// Stores a finished game and returns its id: that of the same game, if it was posted before, for a
    /// client that saw no answer posts again.
    fn add_record(&self, owner: Owner, id: Id, record: NewRecord) -> Answer<'_, String>;
    /// Deletes a record; whether it was there, and this browser's.
    fn delete_record(&self, owner: Owner, id: Id) -> Answer<'_, bool>;
    fn delete_records(&self, owner: Owner) -> Answer<'_, ()>;

    fn forget(&self, owner: Owner) -> Answer<'_, ()>;
    /// Deletes all data of some browsers that were unused for too long; whether there may be more of them.
    fn forget_unused(&self) -> Answer<'_, bool>;
    /// Stores an invitation, which lets one browser in.
    fn add_invitation(&self, token: Id) -> Answer<'_, ()>;
    fn has_invitation(&self, token: Id) -> Answer<'_, bool>;
    /// Uses an invitation up; false if there is none of that token.
    fn take_invitation(&self, token: Id) -> Answer<'_, bool>;

    fn secret(&self) -> Answer<'_, [u8; 32]>;
    /// Fails if nothing can be read or written.
    fn check(&self) -> Answer<'_, ()>;
    fn census(&self) -> Answer<'_, Census>;
}

pub(crate) type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Opens the store that a server is configured with; also returns its secret. To be called within a runtime of Tokio.
pub(crate) fn open(config: &Config) -> Result<(Box<dyn Store>, [u8; 32]), OpenError> {
    match &config.store {
        Some(url) => Postgres::open(config, url).map(|(store, secret)| (Box::new(store) as _, secret)),
        None => Sqlite::open(config).map(|(store, secret)| (Box::new(store) as _, secret)),
    }
}

/// The version of the tables, the same in every database. One of another version is left alone.
const SCHEMA_VERSION: i64 = 4;

/// The revision of a save that was never overwritten.
pub(crate) const FIRST_REVISION: u64 = 1;

/// A browser, as the store knows it. Its id is a credential, of which only the hash is stored.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Owner(String);

impl Owner {
    pub(crate) fn of(id: &Id) -> Self {
        Self(id.hash())
    }

    fn of_hash(hash: String) -> Self {
        Self(hash)
    }

    /// The lock of a browser: the first 64 bits of its hash.
    fn lock_key(&self) -> i64 {
        self.0.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or_default() as i64
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Changed {
    /// It is done; the new revision.
    Done(u64),
    Absent,
    /// It is at another revision, this one, and unchanged.
    Stale(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Removed {
    Done,
    Absent,
    /// A save or record shows it.
    InUse,
}

/// Numbers of rows, and bytes of the database.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Census {
    pub(crate) browsers: u64,
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
        "this would make {count} {what} of {size} bytes for this browser, expected at most {most_count} of {most_size} \
         bytes: delete some first"
    )]
    Quota { what: &'static str, count: usize, size: usize, most_count: usize, most_size: usize },
    #[error("found the picture `{id}`, expected `builtin:NAME` or a picture posted by this browser")]
    NoPicture { id: String },
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
